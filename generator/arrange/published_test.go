package arrange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// emptied returns the lists that were published and are empty now.
func emptied(s *site.Site) (lists []string) {
	for _, l := range s.Emptied {
		lists = append(lists, fmt.Sprintf("%s %s", l.Dir, l.Title))
	}
	return lists
}

// TestEmptied: a list stays as an empty one if the source emptied it, and goes
// if the configuration leaves it out.
func TestEmptied(t *testing.T) {
	writer := []any{map[string]any{"Fullname": "Işıl Öz"}}
	before := []*archive.Record{
		of(record.Video, article("1", "/gelen/giden/", "a", 1, "Tags", []string{"Deniz"})),
		article("3", "/gelen/giden/", "c", 3, "Writers", writer),
		article("2", "/kalan/", "b", 2, "Tags", []string{"Kara"}),
		fakepaper.Fields(record.Page, "p1", "Title", "Ada"),
	}
	without := func(tx *archive.Tx) error {
		for kind, id := range map[record.Kind]string{record.Video: "1", record.Article: "3", record.Page: "p1"} {
			if err := tx.MarkGone(kind, id, fakepaper.Noon); err != nil {
				return err
			}
		}
		return nil
	}
	const all = "etiket/deniz Deniz, gelen Gelen, gelen/giden Giden, sayfa/ada-p1 Ada, tur/video Videolar, yazar/isil-oz Işıl Öz"
	for _, test := range []struct {
		name   string
		change func(o *arrange.Options)
		want   string
	}{
		{"nothing is left out", func(*arrange.Options) {}, all},
		{"the folder is excluded", func(o *arrange.Options) { o.Exclude = []string{"/gelen/"} }, "sayfa/ada-p1 Ada"},
		{"the kind is left out", func(o *arrange.Options) { o.Kinds = []site.Kind{site.Article} }, "yazar/isil-oz Işıl Öz"},
		{"other folders are excluded", func(o *arrange.Options) { o.Exclude = []string{"/kalan/"} }, all},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, o := fakepaper.Archive(t, before...), options(t)
			o.DropGone = true
			if got := emptied(arranged(t, a, o)); len(got) > 0 {
				t.Fatalf("empty at first: %q", got)
			}
			if err := a.Update(t.Context(), without); err != nil {
				t.Fatal(err)
			}
			changed := o
			test.change(&changed)
			for range 2 { // the second time from what the first one kept
				if got := strings.Join(emptied(arranged(t, a, changed)), ", "); got != test.want {
					t.Errorf("empty: %s; want %s", got, test.want)
				}
			}
			if got := strings.Join(emptied(arranged(t, a, o)), ", "); !strings.Contains(test.want, got) {
				t.Errorf("empty lists came back with the old configuration: %s", got)
			}
			fakepaper.Put(t, a, before...)
			s := arranged(t, a, o)
			if got := emptied(s); len(got) > 0 || len(s.Tags) != 2 || s.Tags[0].Dir != "etiket/deniz" || s.Pages[0].Dir != "sayfa/ada-p1" {
				t.Errorf("after all came back: empty %q, tags %v", got, s.Tags)
			}
		})
	}
}

// A writer's directory, which was given by name and then by id, goes with the items of either.
func TestExcludedWriter(t *testing.T) {
	by := func(id string) *archive.Record {
		return article("1", "/giden/", "a", 1, "Writers", []any{map[string]any{"Id": id, "Fullname": "Ali Veli"}})
	}
	a, o := fakepaper.Archive(t, by(""), article("2", "/kalan/", "b", 2)), options(t)
	arranged(t, a, o)
	fakepaper.Put(t, a, by("w1"), fakepaper.Fields(record.Writer, "w1", "Fullname", "Ali Veli"))
	if w := arranged(t, a, o).Writers; len(w) != 1 || w[0].ID != "w1" || w[0].Dir != "yazar/ali-veli" {
		t.Fatalf("writers %+v", w)
	}
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Writer, "w1", fakepaper.Noon) })
	o.Exclude, o.DropGone = []string{"/giden/"}, true
	if got := emptied(arranged(t, a, o)); len(got) > 0 {
		t.Errorf("empty: %q", got)
	}
}

// A folder that is excluded after its items have left it is not published as an empty one.
func TestExcludedEmptyFolder(t *testing.T) {
	a, o := fakepaper.Archive(t, article("1", "/giden/", "a", 1)), options(t)
	arranged(t, a, o)
	fakepaper.Put(t, a, article("1", "", "a", 1))
	if got := strings.Join(emptied(arranged(t, a, o)), ", "); got != "giden Giden" {
		t.Fatalf("empty: %q", got)
	}
	o.Exclude = []string{"/giden/"}
	if got := emptied(arranged(t, a, o)); len(got) > 0 {
		t.Errorf("empty: %q", got)
	}
}

// The months of a folder get feeds once its feed has had more items than it shows, and keep
// them.
func TestMonthsWithoutFeeds(t *testing.T) {
	a, o := fakepaper.Archive(t), options(t)
	o.DropGone = true
	var ids []string
	for i, step := range []struct {
		feedItems, n int
		without      bool
	}{{0, 5, true}, {5, 5, true}, {4, 5, false}, {0, 5, false}, {0, site.MinEntries + 1, false}, {0, 3, false}} {
		for len(ids) < step.n {
			ids = append(ids, fmt.Sprint(len(ids)))
			fakepaper.Put(t, a, article(ids[len(ids)-1], "/a/", "x", len(ids)%60))
		}
		vanish(t, a, ids[step.n:]...)
		o.Settings.FeedItems = step.feedItems
		if got := arranged(t, a, o).Folders[0].NoHistory; got != step.without {
			t.Errorf("step %d: without history: %t", i, got)
		}
	}
}

// TestEmptiedPagesAndMonths: pages and months of a list stay too, in their
// places.
func TestEmptiedPagesAndMonths(t *testing.T) {
	a, o := fakepaper.Archive(t), options(t)
	o.DropGone = true
	var records []*archive.Record
	for i := range 170 {
		r := article(fmt.Sprint(1000+i), "/a/", "x", i%60)
		switch {
		case i < 10:
			r = article(fmt.Sprint(1000+i), "/a/", "x", i%60, "CreatedDate", "2019-05-01T00:00:00Z")
		case i < 20:
			r = article(fmt.Sprint(1000+i), "/a/", "x", i%60, "CreatedDate", "2018-01-01T00:00:00Z")
		}
		records = append(records, r)
	}
	fakepaper.Put(t, a, records...)
	months := func(s *site.Site) (names []string) {
		for _, v := range s.Folders[0].Periods(o.Settings.Location) {
			names = append(names, fmt.Sprintf("%s:%d", v.Name, v.Items.Len()))
		}
		return names
	}
	first := arranged(t, a, o)
	if got := first.Home.Pages(); got != 3 {
		t.Fatalf("%d pages", got)
	}
	was := months(first)
	if len(was) != 3 {
		t.Fatalf("months %q", was)
	}
	if err := a.Update(t.Context(), func(tx *archive.Tx) error {
		for i := range 120 {
			if i >= 10 && i < 20 {
				continue
			}
			if err := tx.MarkGone(record.Article, fmt.Sprint(1000+i), fakepaper.Noon); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s := arranged(t, a, o)
		if got := months(s); len(got) != 3 || got[1] != "2019-05:0" || got[0] == was[0] || got[2] != was[2] {
			t.Errorf("months %q, were %q", got, was)
		}
		newer, older := site.Beside(s.Folders[0].Periods(o.Settings.Location), 1)
		if newer != 0 || older != 2 {
			t.Errorf("beside the empty month are %d and %d: %q", newer, older, months(s))
		}
		for _, list := range []*site.List{&s.Home, &s.Folders[0].List} {
			if got := list.Pages(); got != 3 {
				t.Errorf("%q has %d pages", list.Dir, got)
			}
			if page := list.Page(2); page.Items.Len() != 0 || page.Older != 0 || page.Newer != 0 {
				t.Errorf("page 2 of %q: %+v", list.Dir, page)
			}
		}
	}
	fakepaper.Put(t, a, records...)
	if got := months(arranged(t, a, o)); !slices.Equal(got, was) {
		t.Errorf("months %q after all came back, were %q", got, was)
	}
}
