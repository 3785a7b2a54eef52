package search_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/testrun"
)

// counted is a tree that notes how many bytes are read of which files.
type counted struct {
	fs.FS
	sizes map[string]int
}

func (c *counted) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(c.FS, name)
	c.sizes[name] = len(data)
	return data, err
}

func (c *counted) sum() int {
	sum := 0
	for _, size := range c.sizes {
		sum += size
	}
	return sum
}

// index opens an index, and returns what it counts.
func (made tree) index(t testing.TB) (*search.Index, *counted) {
	t.Helper()
	c := &counted{FS: made.fs(), sizes: make(map[string]int)}
	x, err := search.Open(c, "arama")
	if err != nil {
		t.Fatal(err)
	}
	return x, c
}

func (made tree) fs() fs.FS {
	files := make(fstest.MapFS)
	for path, text := range made.files {
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// press asks for the next page, and returns how many bytes it loads, with the
// catalog.
func press(t testing.TB, s *search.Search, c *counted) (hits []search.Hit, bytes int) {
	t.Helper()
	maps := c.sizes
	catalog := maps["arama/index.js"]
	c.sizes = map[string]int{"arama/index.js": catalog}
	hits, err := s.Page()
	if err != nil {
		t.Fatal(err)
	}
	return hits, c.sum()
}

// asked are queries of all sorts: the words of a newspaper, common ones and
// rare ones, beginnings, and filters.
func asked(z zipf) []search.Query {
	r := rand.New(rand.NewPCG(5, 6))
	var all []search.Query
	add := func(queries ...search.Query) { all = append(all, queries...) }
	common := z.words[:30]
	for _, n := range []int{1, 2, 5, 6} {
		for i := range 20 {
			add(search.Query{Text: strings.Join(common[i:min(len(common), i+n)], " ")})
		}
	}
	for range 120 {
		add(search.Query{Text: z.text(r, 1+r.IntN(4))})
	}
	for range 60 { // beginnings of one to four letters
		letters := []rune(z.words[r.IntN(len(z.words))])
		add(search.Query{Text: string(letters[:min(len(letters), 1+r.IntN(4))])})
	}
	for range 20 {
		add(search.Query{Text: z.words[len(z.words)/2+r.IntN(len(z.words)/2)] + " " + strings.Join(common[:4], " ")})
	}
	for _, text := range []string{"", "ortak", common[0], strings.Join(common[:6], " "), "kar", "kara", "a", "ka", strings.Join(stems, " "), "abc dez fiv guk hom"} {
		add(search.Query{Text: text, Folder: "nadir"}, search.Query{Text: text, Year: 1999}, search.Query{Text: text, Year: 2004},
			search.Query{Text: text, Kind: site.Gallery}, search.Query{Text: text, Folder: "bolum-3/alt-2", Year: 2005, Kind: site.Gallery},
			search.Query{Text: text, Folder: "bolum-7", Year: 2020}, search.Query{Text: text, Kind: site.Video}, search.Query{Text: text})
	}
	return all
}

// TestLoad: whatever words there are, a page of results loads 300 KB at most
// (307,200 bytes as the files have them, the catalog included), and is the
// right one.
func TestLoad(t *testing.T) {
	testrun.NotShort(t)
	long := testrun.Long()
	words, same := vocabulary(), oneBeginning()
	for name, c := range map[string]struct {
		items   int // a twentieth of them in plain runs, ten times as many in long ones
		every   int // one query of so many is asked; all are in long runs
		words   func(*rand.Rand, int) (string, string, string)
		zipf    zipf
		stopped int // pages of a hundred that may end before they are full
	}{
		"one word in every title":    {40_000, 3, words.news, words, 15},
		"all of one beginning":       {20_000, 3, same.news, same, 5},
		"everywhere, never together": {100_000, 9, apart, frequencies(append(slices.Repeat(stems, 5), "sayi", "baska")), 20},
	} {
		t.Run(name, func(t *testing.T) {
			n := testrun.Counts{Plain: c.items / 20, Slow: c.items, Long: 10 * c.items}.Now()
			p := print(t, n, c.words)
			made := p.render(t)
			known := p.invert()
			x, counted := made.index(t)
			var loads []int
			stopped := 0
			for i, query := range asked(c.zipf) {
				if !long && i%c.every != 0 {
					continue
				}
				s := x.Search(query)
				var got []string
				for range 2 {
					hits, bytes := press(t, s, counted)
					got = append(got, addresses(hits)...)
					loads = append(loads, bytes)
					if bytes > search.PageSize {
						t.Errorf("%+v loads %d bytes", query, bytes)
					}
				}
				stopped += s.Early
				want := known.find(query, s.Stages)
				if !slices.Equal(got, want[:min(len(want), len(got))]) || len(got) < min(len(want), 20) && s.Early == 0 {
					t.Errorf("%+v: %v, want %v", query, got, want[:min(len(want), 20)])
				}
				if s.Done() && s.Count() != len(want) {
					t.Errorf("%+v: counted %d, want %d", query, s.Count(), len(want))
				}
			}
			slices.Sort(loads)
			total := 0
			for path, text := range made.files {
				total += len(text)
				if limit := limitOf(path); len(text) > limit {
					t.Errorf("%s has %d bytes, more than %d", path, len(text), limit)
				}
			}
			t.Logf("%d items, %d files, %d bytes; of %d pages the median loads %d bytes, the worst %d; %d end early",
				n, len(made.files), total, len(loads), loads[len(loads)/2], loads[len(loads)-1], stopped)
			if !long && stopped*100 > c.stopped*len(loads) {
				t.Errorf("%d pages end before they are full", stopped)
			}
			if n >= 100_000 && stopped == 0 {
				t.Error("no page ends before it is full: the bound is not tried")
			}
		})
	}
}

// TestLoadOfFlood: words that no other item has are all found. The heads of their
// segments are larger, and a page of results is not.
func TestLoadOfFlood(t *testing.T) {
	testrun.NotShort(t)
	n := testrun.Counts{Plain: 60, Slow: 600, Long: 600}.Now() // with 600 there are a million different terms
	made := print(t, n, flood).render(t)
	for path, text := range made.files {
		limit := limitOf(path)
		if limit == headLimit {
			limit = 142_000 // as a page of results can load
		}
		if len(text) > limit {
			t.Errorf("%s has %d bytes, more than %d", path, len(text), limit)
		}
	}
	x, counted := made.index(t)
	for i := 0; i < n; i += n / 12 {
		s := x.Search(search.Query{Text: fmt.Sprintf("a%d", i)})
		hits, bytes := press(t, s, counted)
		if len(hits) == 0 || bytes > search.PageSize {
			t.Errorf("item %d: %d hits, %d bytes", i, len(hits), bytes)
		}
	}
}

// TestLoadOfLongNames: titles and folders of any length and number.
func TestLoadOfLongNames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	p := print(t, 200, func(_ *rand.Rand, i int) (string, string, string) {
		return fmt.Sprintf("Sayı %d %s", i, strings.Repeat("<\u2028", 2_000)), "", ""
	})
	p.site.Folders = nil
	p.site.FolderOf = nil
	all := site.Collection{}
	for item := range p.site.Home.Items.All() {
		var folder *site.Folder
		for level := range 16 {
			f := &site.Folder{Parent: folder}
			f.Dir, f.Title = fmt.Sprintf("%072d", r.Uint64()), strings.Repeat("<", 500)
			if level > 0 {
				f.Dir = folder.Dir + "/" + f.Dir
			}
			f.Items.Append(item)
			p.site.Folders = append(p.site.Folders, f)
			folder = f
		}
		all.FolderOf = append(all.FolderOf, folder)
		all.Add(&site.Draft{
			Row: item.Row(), Kind: item.Kind(), ID: item.ID(), Published: item.Published(),
			Folder: len(all.FolderOf) - 1, Address: site.ItemAddress(folder, p.titles[item.Row()], item.ID(), "tr"),
		})
	}
	p.site.Collection = all
	p.site.Home.Items = p.site.Collection.Items()
	p.site.All = p.site.Home.Items
	made := p.render(t)
	for path, text := range made.files {
		if limit := limitOf(path); len(text) > limit {
			t.Errorf("%s has %d bytes, more than %d", path, len(text), limit)
		}
	}
	x, counted := made.index(t)
	for _, text := range []string{"sayı", "17"} {
		s := x.Search(search.Query{Text: text})
		got := 0
		for !s.Done() {
			hits, bytes := press(t, s, counted)
			if got += len(hits); len(hits) == 0 || bytes > search.PageSize {
				t.Fatalf("%s: %d hits, %d bytes", text, len(hits), bytes)
			}
		}
		if got != len(p.invert().find(search.Query{Text: text}, nil)) {
			t.Errorf("%s: %d hits", text, got)
		}
	}
}

// limitOf is how many bytes a file of the index may have.
func limitOf(path string) int {
	switch name := strings.TrimPrefix(path, "arama/index."); {
	case path == "arama/index.js":
		return 18_000
	case strings.HasPrefix(name, "items/"):
		return 16_100
	case strings.Contains(name, "/"):
		return 10_200
	default:
		return headLimit
	}
}

// headLimit is the most bytes of a head, but where nearly every word is new.
const headLimit = 20_500

func addresses(hits []search.Hit) []string {
	var all []string
	for _, hit := range hits {
		all = append(all, hit.Address)
	}
	return all
}
