package search_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/generator/output"
	"ayna/generator/search"
	"ayna/testrun"
	"ayna/testrun/attack"
)

// changed returns the paths of files that differ.
func changed(t *testing.T, before, after tree) []string {
	t.Helper()
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(after.files)) {
		if before.files[path] != after.files[path] {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestSameInputSameIndex(t *testing.T) {
	w := world{items: readItems(t), cut: []int{20, 5}}
	a := w.render(t)
	slices.Reverse(w.items) // they arrive in another order
	b := w.render(t)
	if got := changed(t, a, b); len(got) > 0 || len(a.files) != len(b.files) {
		t.Errorf("changed: %v", got)
	}
}

// TestChanges: a file changes with what it shows, and with nothing else, but for the dictionary.
func TestChanges(t *testing.T) {
	testrun.NotShort(t)
	const n = 230 // 11 segments of 20, and one of 10
	old := world{items: many(n), cut: []int{20, 5}}
	before := old.render(t)
	tests := map[string]struct {
		change func(*world)
		want   []string // beginnings of paths; every other file stays
	}{
		"nothing":       {func(*world) {}, nil},
		"a new item":    {func(w *world) { w.items = many(n + 1) }, []string{"arama/index.12", "arama/index.items/46.", "arama/index.js"}},
		"items at step": {func(w *world) { w.items = many(n + 5) }, []string{"arama/index.11", "arama/index.items/46.", "arama/index.js"}},
		"an old title":  {func(w *world) { w.items[21].title = "Başka" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		"an old spot":   {func(w *world) { w.items[21].spot = "Başka" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		// Its year and its place among the others stay.
		"an old date":    {func(w *world) { w.items[21].date = "2010-01-19T07:00:00Z" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		"a new tag":      {func(w *world) { w.items[229].tags = []string{"yeni"} }, []string{"arama/index.11", "arama/index.items/45.", "arama/index.js"}},
		"an old text":    {func(w *world) { w.items[21].text = "<p>Başka</p>" }, []string{"arama/index.1.", "arama/index.1/", "arama/index.items/4.", "arama/index.js"}},
		"a writer's own": {func(w *world) { w.items[229].writer = "Işıl" }, []string{"arama/index.11", "arama/index.items/45.", "arama/index.js"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := old
			w.items = slices.Clone(old.items)
			test.change(&w)
			got := slices.DeleteFunc(changed(t, before, w.render(t)), func(path string) bool {
				return strings.HasPrefix(path, "arama/index.words") || strings.HasPrefix(path, "arama/index.reversed")
			})
			for _, path := range got {
				if !slices.ContainsFunc(test.want, func(start string) bool { return strings.HasPrefix(path, start) }) {
					t.Errorf("%s changed", path)
				}
			}
			for _, start := range test.want {
				if !slices.ContainsFunc(got, func(path string) bool { return strings.HasPrefix(path, start) }) {
					t.Errorf("nothing that begins with %s changed", start)
				}
			}
		})
	}
}

// An edit makes one segment again: that is never more than half of an index, nor 5,000 items.
func TestSegments(t *testing.T) {
	t.Parallel()
	for items, want := range map[int][]int{
		0: nil, 7: {7}, 1_234: {1_000, 200, 34}, 5_000: {1_000, 1_000, 1_000, 1_000, 1_000},
		11_000: {1_000, 1_000, 1_000, 1_000, 1_000, 5_000, 1_000},
	} {
		if got := search.Segments(items); !slices.Equal(got, want) {
			t.Errorf("%d items: %v, want %v", items, got, want)
		}
	}
	for items := 1; items < 1_000_000; items += 1 + items/9 {
		before := 0
		for _, size := range search.Segments(items) {
			if size > max(before, 1_000) {
				t.Errorf("%d items: a segment of %d after %d", items, size, before)
			}
			before += size
		}
		if before != items {
			t.Errorf("%d items: segments of %d", items, before)
		}
	}
	if got := search.Segments(1_000_000); len(got) != 5+199 || slices.Max(got) != 5_000 {
		t.Errorf("a million items: %v", got)
	}
}

// TestWrittenTogether: each file is the same whichever is written first.
func TestWrittenTogether(t *testing.T) {
	w := world{items: many(60), cut: []int{20, 5}}
	want := w.render(t)
	var files []output.File
	for file, err := range w.renderer(t).Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	slices.Reverse(files)
	var all sync.WaitGroup
	for _, file := range files {
		all.Go(func() {
			var b strings.Builder
			if err := file.Write(ctx, &b); err != nil {
				t.Error(err)
			}
			if b.String() != want.files[file.Path] {
				t.Errorf("%s differs", file.Path)
			}
		})
	}
	all.Wait()
}

// TestHostileItems: what the API may send makes neither files too large nor
// such that they are no scripts.
func TestHostileItems(t *testing.T) {
	testrun.NotShort(t)
	var flood strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&flood, "k%dz ", i)
	}
	items := []item{
		{id: "41000001", kind: "article", folder: "/gundem/", date: "2024-01-01", title: "Taşkın", spot: flood.String()},
		{id: "41000002", kind: "article", folder: "/gundem/", date: "2024-01-01", title: "satır\u2028sonu \u2029 &lt;/script&gt; \x00\ufffd"},
		{id: "41000003", kind: "article", folder: "/../../etc/", date: "0001-01-01", title: ""},
		{id: "41000004", kind: "article", folder: "/=f/|/", date: "", title: strings.Repeat("İ", 3000)},
		{id: "41000005", kind: "article", folder: "/gundem/", date: "9999-12-31", title: "=kgallery =y2024"},
		{id: "41000006", kind: "article", folder: "/gundem/", date: "2024-02-02", title: "Uzun", text: "<p>" + strings.Repeat("uzun", 2500) + " tükenmez</p>"},
		{id: "41000007", kind: "article", folder: "/gundem/", date: "2024-02-03", title: "İşaretler", text: "<p>z" + strings.Repeat("\u0301", 5000) + "algo \u202eters\u202c עברית العربية</p>"},
		{id: "41000008", kind: "article", folder: "/gundem/", date: "2024-02-04", title: "Boş", text: "<p>" + strings.Repeat("|!=* ", 1000) + "</p>"},
	}
	made := world{items: items}.render(t)
	checkPlain(t, made)
	x := made.decode(t)
	for form, want := range map[string]int{
		"taskin": 1, "k49999z": 1, "script": 1, "kgallery": 1, "tukenmez": 1, "zalgo": 1, "ters": 1, "עברית": 1, "العربيه": 1,
		strings.Repeat("uzun", 6): 1, strings.Repeat("i", 24): 1,
	} {
		found := 0
		for _, g := range x.groups {
			found += len(g.forms[form])
		}
		if found != want {
			t.Errorf("%s is in %d items, want %d", form, found, want)
		}
	}
	if n := len(x.filters["=karticle"]); n != 8 || x.filters["=kgallery"] != nil {
		t.Errorf("%d articles, galleries %v", n, x.filters["=kgallery"])
	}
}

// TestAttacks: a file of the index is a line of plain text, whatever the items hold.
func TestAttacks(t *testing.T) {
	var items []item
	for i, text := range attack.For(attack.Words) {
		items = append(items, item{id: fmt.Sprint(41000001 + i), kind: "article", folder: "/gundem/", date: "2024-01-01", title: text, spot: text, text: text})
	}
	checkPlain(t, world{items: items}.render(t))
}

func checkPlain(t *testing.T, made tree) {
	t.Helper()
	for path, text := range made.files {
		if strings.ContainsAny(text, "<>\u2028\u2029\x00") || strings.Count(text, "\n") != 1 {
			t.Errorf("%s is not one line of plain text", path)
		}
		if len(text) > limitOf(path) {
			t.Errorf("%s has %d bytes", path, len(text))
		}
	}
}

// TestDictionaryChanges: a new word changes few blocks of the dictionary.
func TestDictionaryChanges(t *testing.T) {
	testrun.NotShort(t)
	blocks := func(word string) (tree, int) {
		p := print(t, 50, func(r *rand.Rand, i int) (title, spot, text string) {
			if i == 0 {
				title = word
			}
			for range 400 {
				text += letters(r, "abcdefghijklmnoprstuvyz", 7) + " "
			}
			return title, "", text
		})
		made := p.render(t)
		n := 0
		for path := range made.files {
			if strings.HasPrefix(path, "arama/index.words/") {
				n++
			}
		}
		return made, n
	}
	before, n := blocks("abc")
	after, _ := blocks("abc daha")
	got := slices.DeleteFunc(changed(t, before, after), func(path string) bool { return !strings.HasPrefix(path, "arama/index.words/") })
	if n < 20 || len(got) == 0 || len(got) > 3 {
		t.Errorf("%d of %d blocks change: %v", len(got), n, got)
	}
}

// TestEmptySite: a site without items has an index, too.
func TestEmptySite(t *testing.T) {
	if x := (world{}).render(t).decode(t); len(x.groups) != 0 || len(x.stems) != 0 {
		t.Errorf("%v, %v", x.groups, x.stems)
	}
}

// TestFormat: a segment's files change only with the version of their format, since
// browsers keep files of a version.
func TestFormat(t *testing.T) {
	made := world{items: readItems(t), cut: []int{20, 5}}.render(t)
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(made.files)) {
		fmt.Fprintf(h, "%s %s", path, made.files[path])
	}
	got := fmt.Sprintf("%d %x", search.Format, h.Sum(nil)[:8])
	if want := linesOf(t, "format.txt")[0]; got != want {
		t.Errorf("format %s, want %s: the bytes of the index have changed; raise format in segment.go, then write the new line into testdata/format.txt", got, want)
	}
}

// TestWithoutTexts: an owner may leave the texts out.
func TestWithoutTexts(t *testing.T) {
	items := readItems(t)
	items[0].text = "<p>yalnızmetinde</p>"
	reader := world{items: items}.reader(t)
	for _, texts := range []bool{true, false} {
		x := render(t, search.New(reader, search.Options{Texts: texts})).decode(t)
		for form, want := range map[string]bool{"yalnizmetinde": texts, "ilik": true, "kayisi": true} {
			if _, found := x.stems[form]; found != want {
				t.Errorf("texts %t: %s is found: %t", texts, form, found)
			}
		}
	}
}
