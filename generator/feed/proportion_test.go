package feed_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// TestProportion: lists have the feeds that they need, and keep those that were
// published once.
func TestProportion(t *testing.T) {
	testrun.NotShort(t)
	tagged := func(id int, path, tag string) *archive.Record {
		return fakepaper.Item(record.Article, fmt.Sprint(id), "CreatedDate", fmt.Sprintf("2026-03-%02dT00:00:00Z", id%28+1), "Path", path, "Tags", []string{tag})
	}
	gone := func(t *testing.T, a *archive.Archive, ids ...int) {
		for _, id := range ids {
			forget(t, a, record.Article, fmt.Sprint(id))
		}
	}
	many := func(from, number int, tag string) (records []*archive.Record) {
		for id := from; id < from+number; id++ {
			records = append(records, tagged(id, "/deniz/", tag))
		}
		return records
	}
	const home = "atom.xml feed.json feed.xml"
	own := strings.Join(triple("feed-own.xml", "deniz/"), " ")
	for _, test := range []struct {
		name    string
		before  []string // directories that an earlier version published
		first   []*archive.Record
		then    func(t *testing.T, a *archive.Archive)
		watched string // part of the addresses that are compared
		want    []string
	}{
		{"two items of a tag", nil, many(100, 2, "Ada"), nil, "etiket/", nil},
		{"three items of a tag", nil, many(100, 3, "Ada"), nil, "etiket/", []string{"etiket/ada/feed.xml"}},
		{"three items, one goes", nil, many(100, 3, "Ada"), func(t *testing.T, a *archive.Archive) { gone(t, a, 100) }, "etiket/", []string{"etiket/ada/feed.xml"}},
		{"three items, all go", nil, many(100, 3, "Ada"), func(t *testing.T, a *archive.Archive) { gone(t, a, 100, 101, 102) }, "etiket/", []string{"etiket/ada/feed.xml"}},
		{"two items, all go", nil, many(100, 2, "Ada"), func(t *testing.T, a *archive.Archive) { gone(t, a, 100, 101) }, "etiket/", nil},
		{"two items, a third comes", nil, many(100, 2, "Ada"), func(t *testing.T, a *archive.Archive) { put(t, a, many(102, 1, "Ada"), nil) }, "etiket/", []string{"etiket/ada/feed.xml"}},
		{"one item of a tag published before", []string{"etiket/ada"}, many(100, 1, "Ada"), nil, "etiket/", triple("feed.xml", "etiket/ada/")},
		{"no item of a tag published before", []string{"etiket/ada"}, many(100, 1, "Ada"), func(t *testing.T, a *archive.Archive) { gone(t, a, 100) }, "etiket/", triple("feed.xml", "etiket/ada/")},
		{"thirty items", nil, many(100, 30, "Ada"), nil, "arsiv/", nil},
		{"thirty-one items", nil, many(100, 31, "Ada"), nil, "arsiv/", []string{"arsiv/2026-03.atom.xml", "deniz/arsiv/2026-03.atom.xml"}},
		{"thirty-one items, one goes", nil, many(100, 31, "Ada"), func(t *testing.T, a *archive.Archive) { gone(t, a, 100) }, "arsiv/", []string{"arsiv/2026-03.atom.xml", "deniz/arsiv/2026-03.atom.xml"}},
		{"one item of a folder published before", []string{"deniz"}, many(100, 1, "Ada"), nil, "arsiv/", []string{"deniz/arsiv/2026-03.atom.xml"}},
		{"a folder without sub-folders", nil, many(100, 1, "Ada"), nil, "own", nil},
		{"a folder with a sub-folder", nil, append(many(100, 1, "Ada"), tagged(99, "/deniz/balik/", "Ada")), nil, "own", strings.Fields(own)},
		{"a folder that had a sub-folder", nil, append(many(100, 2, "Ada"), tagged(99, "/deniz/balik/", "Ada")), func(t *testing.T, a *archive.Archive) { gone(t, a, 99) }, "own", strings.Fields(own)},
		{"everything of few items", nil, many(100, 2, "Ada"), nil, "", append(strings.Fields(home+" opml.xml"), triple("feed.xml", "deniz/", "arama/kiyi-haberleri/", "karma/denizsiz/", "duzeltmeler/", "tur/haber/")...)},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := fakepaper.Archive(t)
			publishedBefore(t, a, test.before...)
			put(t, a, test.first, nil)
			if len(test.before) > 0 {
				giveDirectories(t, a, test.before)
			}
			rendered := render(t, arranged(t, a, settings(t)), options)
			for range 2 { // the second time from what the first one noted
				if test.then != nil {
					test.then(t, a)
				}
				rendered = render(t, arranged(t, a, settings(t)), options)
			}
			var got []string
			for _, name := range slices.Sorted(maps.Keys(rendered)) {
				if strings.Contains(name, test.watched) {
					got = append(got, name)
				}
			}
			if slices.Sort(test.want); !slices.Equal(got, test.want) {
				t.Errorf("feeds %q\nwant %q", got, test.want)
			}
			for _, name := range namedFeeds(rendered["opml.xml"]) {
				if rendered[name] == "" {
					t.Errorf("the outline names %s, which is not there", name)
				}
			}
		})
	}
}

// giveDirectories stores directories as an earlier build did.
func giveDirectories(t *testing.T, a *archive.Archive, dirs []string) {
	t.Helper()
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for _, dir := range dirs {
			space, name := "folder", "/"+dir+"/"
			if tag, ok := strings.CutPrefix(dir, "etiket/"); ok {
				space, name = "tag", tag
			}
			if err := tx.State.SetDirectory(space, name, dir); err != nil {
				return err
			}
		}
		return nil
	})
}

// namedFeeds returns the addresses of the feeds in an outline.
func namedFeeds(outline string) (names []string) {
	for _, part := range strings.Split(outline, `xmlUrl="https://ayna.example/haber/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		names = append(names, name)
	}
	return names
}

// TestSmallFeeds: where a feed has fewer entries than its list has items, the months
// have the others.
func TestSmallFeeds(t *testing.T) {
	s := settings(t)
	s.FeedItems = 10
	records := fakepaper.Articles(20, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), time.Hour)
	a := fakepaper.Archive(t)
	put(t, a, records, nil)
	o := options
	o.Items = 10
	rendered := render(t, arranged(t, a, s), o)
	if _, entries, err := readFeed(rendered["arsiv/2026-03.atom.xml"]); err != nil || len(entries) != 20 {
		t.Errorf("the month has %d entries, %v", len(entries), err)
	}
	s.FeedsOf = []site.ListKind{site.OfMonths}
	s.FeedItems = 0
	if rendered = render(t, arranged(t, a, s), o); rendered["arsiv/2026-03.atom.xml"] == "" {
		t.Error("months alone have no feeds")
	}
}
