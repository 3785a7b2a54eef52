package feed_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	rendered := standard(t)
	for _, name := range []string{"spor/feed.xml", "spor/atom.xml", "spor/feed.json", "opml.xml"} {
		t.Run(name, func(t *testing.T) {
			golden := filepath.Join("testdata", strings.ReplaceAll(name, "/", "_"))
			if *update {
				if err := os.WriteFile(golden, []byte(rendered[name]), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if rendered[name] != string(want) {
				t.Errorf("differs from %s (rewrite it with -update):\n%s", golden, rendered[name])
			}
		})
	}
}

// feedsOf are the feeds of each list of the invented paper.
var feedsOf = []string{
	"", "gundem/", "spor/", "spor/futbol/",
	"yazar/isil-ozden-65aa09f8f018fbaf44942507/", "yazar/nehir-taskin-65aa09f8f018fbaf44942506/",
	"etiket/akcalimanspor/", "etiket/spor/",
	"sayfa/ada-gunlugu-65cddcc67b0a934e44ee2d70/", "sayfa/bos-sayfa-65cddcc67b0a934e44ee2d71/",
	"arama/kiyi-haberleri/", "tur/haber/", "tur/kose-yazisi/", "tur/foto-galeri/", "tur/video/", "duzeltmeler/", "karma/denizsiz/",
}

func TestFiles(t *testing.T) {
	tests := []struct {
		name    string
		formats []site.Format
		files   []string // in each directory
		own     []string // in that of the folder with a sub-folder
		volumes []string // in each folder's and home
	}{
		{"all", []site.Format{site.RSS, site.Atom, site.JSON},
			[]string{"feed.xml", "atom.xml", "feed.json"}, []string{"feed-own.xml", "atom-own.xml", "feed-own.json"},
			[]string{"arsiv/2026-03.atom.xml"}},
		{"rss and json", []site.Format{site.JSON, site.RSS}, []string{"feed.xml", "feed.json"}, []string{"feed-own.xml", "feed-own.json"}, []string{"arsiv/2026-03.xml"}},
		{"json only", []site.Format{site.JSON}, []string{"feed.json"}, []string{"feed-own.json"}, []string{"arsiv/2026-03.json"}},
		{"none", nil, nil, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []string
			for _, dir := range feedsOf {
				for _, file := range test.files {
					want = append(want, dir+file)
				}
			}
			for _, dir := range []string{"", "gundem/", "spor/", "spor/futbol/"} {
				for _, file := range test.volumes {
					want = append(want, dir+file)
				}
			}
			for _, file := range test.own {
				want = append(want, "spor/"+file)
			}
			if test.formats != nil {
				want = append(want, "opml.xml")
			}
			s := settings(t)
			s.Formats = test.formats
			got := slices.Sorted(maps.Keys(filesOf(t, arranged(t, store(t, paper(), nil), s), options)))
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
}

// TestFeedsOf: what the configuration leaves out has no feeds and is in no
// outline.
func TestFeedsOf(t *testing.T) {
	for _, sort := range site.ListKinds {
		t.Run(string(sort), func(t *testing.T) {
			s := settings(t)
			s.FeedsOf = []site.ListKind{sort}
			rendered := render(t, arranged(t, store(t, paper(), nil), s), options)
			outline := rendered["opml.xml"]
			delete(rendered, "opml.xml")
			if got := slices.Sorted(maps.Keys(rendered)); !slices.Equal(got, slices.Sorted(slices.Values(filesWith[sort]))) {
				t.Errorf("files %q", got)
			}
			want := len(rendered) / 3  // formats
			if sort == site.OfMonths { // found by way of other feeds, and of pages
				want = 0
			}
			if n := strings.Count(outline, "xmlUrl="); n != want {
				t.Errorf("%d outlines, want %d:\n%s", n, want, outline)
			}
		})
	}
}

// filesWith has the feeds of the invented paper that each sort of lists adds.
var filesWith = map[site.ListKind][]string{
	site.OfHome:    triple("feed.xml", ""),
	site.OfFolders: triple("feed.xml", "gundem/", "spor/", "spor/futbol/"),
	site.OfOwn:     triple("feed-own.xml", "gundem/", "spor/", "spor/futbol/"),
	site.OfMonths:  {"arsiv/2026-03.atom.xml", "gundem/arsiv/2026-03.atom.xml", "spor/arsiv/2026-03.atom.xml", "spor/futbol/arsiv/2026-03.atom.xml"},
	site.OfWriters: triple("feed.xml", "yazar/isil-ozden-65aa09f8f018fbaf44942507/", "yazar/nehir-taskin-65aa09f8f018fbaf44942506/"),
	site.OfTags:    triple("feed.xml", "etiket/akcalimanspor/", "etiket/spor/"),
	site.OfKinds:   triple("feed.xml", "tur/haber/", "tur/kose-yazisi/", "tur/foto-galeri/", "tur/video/"),
	site.OfPages: triple("feed.xml",
		"sayfa/ada-gunlugu-65cddcc67b0a934e44ee2d70/", "sayfa/bos-sayfa-65cddcc67b0a934e44ee2d71/"),
	site.OfSearches:    triple("feed.xml", "arama/kiyi-haberleri/"),
	site.OfCorrections: triple("feed.xml", "duzeltmeler/"),
	site.OfMixes:       triple("feed.xml", "karma/denizsiz/"),
}

// triple names in each directory the RSS feed of that name and the two of the
// other formats.
func triple(rss string, dirs ...string) []string {
	others := map[string][2]string{
		"feed.xml": {"atom.xml", "feed.json"}, "feed-own.xml": {"atom-own.xml", "feed-own.json"},
	}[rss]
	var names []string
	for _, dir := range dirs {
		names = append(names, dir+rss, dir+others[0], dir+others[1])
	}
	return names
}

func TestRepeatable(t *testing.T) {
	testrun.NotShort(t)
	want := standard(t)
	backwards := paper()
	slices.Reverse(backwards)
	reader := arranged(t, store(t, backwards, mirrored), settings(t))
	for name, got := range render(t, reader, options) {
		if got != want[name] {
			t.Errorf("%s depends on the order of arrival", name)
		}
	}
	files := filesOf(t, reader, options)
	var wait sync.WaitGroup
	for range 2 {
		for name, file := range files {
			wait.Go(func() {
				var b bytes.Buffer
				if err := file.Write(t.Context(), &b); err != nil || b.String() != want[name] {
					t.Errorf("%s differs when all are written at once: %v", name, err)
				}
			})
		}
	}
	wait.Wait()
}

// TestChanges changes one thing and asks which feeds change.
func TestChanges(t *testing.T) {
	const bos, nehir = "sayfa/bos-sayfa-65cddcc67b0a934e44ee2d71/", "yazar/nehir-taskin-65aa09f8f018fbaf44942506/"
	const ada, mix = "sayfa/ada-gunlugu-65cddcc67b0a934e44ee2d70/", "karma/denizsiz/"
	tests := []struct {
		name     string
		old, new string // in all records; of a comment its id
		media    []archive.Media
		want     []string // directories whose feeds change
	}{
		{"nothing", "", "", nil, nil},
		{"a text", "kim dinliyor", "kim soruyor", nil, []string{"", "arsiv/", "duzeltmeler/", mix, ada, "spor/", "spor/arsiv/", "tur/kose-yazisi/", nehir}},
		{"a folder's title", `"Futbol"`, `"Ayaktopu"`, nil, []string{"", "arsiv/", "etiket/akcalimanspor/", "etiket/spor/", "opml.xml", "spor/", "spor/arsiv/", "spor/futbol/", "spor/futbol/arsiv/", "tur/haber/"}},
		{"a writer's name", `"Nehir Taşkın","Id":"65`, `"Nehir Taşkın Ay","Id":"65`, nil, []string{"", "arsiv/", mix, "opml.xml", ada, "spor/", "spor/arsiv/", "tur/kose-yazisi/", nehir}},
		{"a tag's usual spelling", `"Tags":null,"Text":"<p>Kıyı,`, `"Tags":["spor"],"Text":"<p>Kıyı,`, nil, []string{"", "arama/kiyi-haberleri/", "arsiv/", "etiket/akcalimanspor/", "etiket/spor/", mix, "opml.xml", "spor/", "spor/arsiv/", "spor/futbol/", "spor/futbol/arsiv/", "tur/foto-galeri/", "tur/haber/", "tur/video/"}},
		{"the title of an empty list", "Boş sayfa", "Temiz sayfa", nil, []string{"opml.xml", bos}},
		{"a picture", "", "", []archive.Media{{URL: "http://img.haber.example/i/5.png", Name: "ee55.png", Type: "image/png", Bytes: 5}}, []string{"", "arsiv/", "etiket/spor/", "spor/", "spor/arsiv/", "tur/foto-galeri/"}},
		{"a new comment", "", "3", nil, []string{"", "arsiv/", "etiket/spor/", "spor/", "spor/arsiv/", "tur/foto-galeri/"}},
		{"the words of a comment", "", "2", nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := store(t, paper(), mirrored)
			before := render(t, arranged(t, a, settings(t)), options)
			put(t, a, fakepaper.Replaced(paper(), test.old, test.new), test.media)
			if strings.HasSuffix(test.name, "comment") {
				fakepaper.Update(t, a, func(tx *archive.Tx) error {
					_, err := tx.Comments.Put(archive.Comment{ID: test.new, Record: "51200401", HTML: "<p>Başka</p>"})
					return err
				})
			}
			changed := make(map[string]bool)
			for name, text := range render(t, arranged(t, a, settings(t)), options) {
				if text != before[name] {
					dir, file := filepath.Split(name)
					if file == "opml.xml" {
						dir = file
					}
					changed[dir] = true
				}
			}
			if got := slices.Sorted(maps.Keys(changed)); !slices.Equal(got, test.want) {
				t.Errorf("changed: %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestEmptiedLists: the feeds of folders and tags stay when their items are forgotten.
func TestEmptiedLists(t *testing.T) {
	a := store(t, paper(), nil)
	before := render(t, arranged(t, a, settings(t)), options)
	for _, r := range paper() {
		if bytes.Contains(r.List, []byte(`"Path":"/spor/`)) && r.Kind != record.Folder {
			forget(t, a, r.Kind, r.ID)
		}
	}
	after := render(t, arranged(t, a, settings(t)), options)
	for _, dir := range []string{"spor/", "spor/futbol/", "spor/arsiv/", "etiket/spor/", "etiket/akcalimanspor/"} {
		for name := range before {
			if !strings.HasPrefix(name, dir) {
				continue
			}
			if _, entries, err := readFeed(after[name]); err != nil || len(entries) > 0 {
				t.Errorf("%s: %d entries, %v", name, len(entries), err)
			}
		}
	}
}

func TestFirstBuildInterrupted(t *testing.T) {
	files := filesOf(t, arranged(t, store(t, paper(), mirrored), settings(t)), options)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := files["feed.xml"].Write(ctx, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if err := files["atom.xml"].Write(t.Context(), io.Discard); err != nil {
		t.Errorf("the next format: %v", err)
	}
}

func TestErrorNamesTheRecord(t *testing.T) {
	reader := arranged(t, store(t, paper(), nil), settings(t))
	reader.Archive = store(t, nil, nil)
	err := filesOf(t, reader, options)["spor/feed.json"].Write(t.Context(), io.Discard)
	if !errors.Is(err, database.ErrNotFound) || !strings.Contains(err.Error(), "spor/feed.json") || !strings.Contains(err.Error(), "video 51200502") {
		t.Errorf("error %v", err)
	}
}

type brokenWriter struct{ left int }

var errFull = errors.New("disk full")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	files := filesOf(t, arranged(t, store(t, paper(), mirrored), settings(t)), options)
	for _, name := range []string{"feed.xml", "atom.xml", "feed.json", "opml.xml"} {
		for _, room := range []int{0, 50} {
			if err := files[name].Write(t.Context(), &brokenWriter{room}); !errors.Is(err, errFull) {
				t.Errorf("%s with room for %d bytes: %v", name, room, err)
			}
		}
	}
}
