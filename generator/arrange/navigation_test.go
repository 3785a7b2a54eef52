package arrange_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

func TestNavigation(t *testing.T) {
	// in adds n items of a folder, newer than all before.
	records := []*archive.Record{}
	in := func(path string, n int) {
		for range n {
			id := len(records) + 1
			records = append(records, article(fmt.Sprint(id), path, fmt.Sprint("Haber ", id), 0, "CreatedDate", fmt.Sprintf("2026-03-%02dT%02d:%02d:00Z", 1+id/1440, id/60%24, id%60)))
		}
	}
	in("/eski/", 250)
	in("/zeytin/", 20)
	in("/spor/futbol/", 30)
	in("/spor/", 4)
	in("/tek/", 1)
	in("/gundem/", 34)
	in("/", 9)
	in("/az/", 2)
	in("/yeni/", 50)
	in("/son/", 100)
	a, have := fakepaper.Archive(t), 0
	for _, test := range []struct {
		name                           string
		n                              int // of the records, from the first on
		configured                     []string
		navigation, sections, warnings string
	}{
		{"no folder", 0, nil, "", "", ""},
		{"nothing large", 2, nil, "Eski", "Eski", ""},
		{"unknown", 2, []string{"/eksi/", "/eski/"}, "Eski", "Eski", "navigation: the site has no folder /eksi/; did you mean /eski/?"},
		{"unknown, and like none", 2, []string{"/hava-durumu/"}, "Eski", "Eski", "navigation: the site has no folder /hava-durumu/"},
		{"the root", 2, []string{"//"}, "Eski", "Eski", "navigation: the site has no folder //"},
		{"few items", 280, nil, "Eski Zeytin Spor", "Eski Zeytin Spor", ""},
		{"largest, by title if equal", 400, nil, "Eski Yeni Gundem Spor Zeytin", "Eski Yeni Gundem Spor Zeytin Az Tek", ""},
		{"configured", 400, []string{"/tek/", "/spor/futbol/"}, "Tek Futbol", "Tek Futbol Eski Yeni Gundem Spor Zeytin Az", ""},
		{"written otherwise", 400, []string{"/tek", "/tek/"}, "Tek", "Tek Eski Yeni Gundem Spor Zeytin Az", ""},
		{"of the newest 200", 500, nil, "Son Yeni Gundem", "Son Yeni Gundem Spor Az Tek Eski Zeytin", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := options(t)
			o.Navigation = test.configured
			fakepaper.Put(t, a, records[have:test.n]...)
			have = test.n
			s := arranged(t, a, o)
			list := func(f *site.Folder) *site.List { return &f.List }
			check(t, "navigation", titles(s.Navigation, list), test.navigation)
			check(t, "sections", titles(s.Sections, list), test.sections)
			if warnings := strings.Join(s.Warnings, "\n"); warnings != test.warnings {
				t.Errorf("warnings %q, want %q", warnings, test.warnings)
			}
		})
	}
}

// desk is an archive that items of sections come in to.
type desk struct {
	t    *testing.T
	a    *archive.Archive
	last time.Time
	n    int
}

// add adds items, each a minute newer than the one before: of "2025-01 spor 2" two of
// January.
func (d *desk) add(what string) {
	d.t.Helper()
	var month, section string
	var n int
	fmt.Sscan(what, &month, &section, &n)
	first, err := time.Parse("2006-01", month)
	if err != nil {
		d.t.Fatal(err)
	}
	d.put(first, slices.Repeat([]string{section}, n)...)
}

func (d *desk) put(from time.Time, sections ...string) {
	d.t.Helper()
	if from.After(d.last) {
		d.last = from
	}
	var records []*archive.Record
	for _, section := range sections {
		d.n, d.last = d.n+1, d.last.Add(time.Minute)
		records = append(records, article(fmt.Sprint(d.n), "/"+section+"/", "Haber", 0, "CreatedDate", d.last.Format(time.RFC3339)))
	}
	fakepaper.Put(d.t, d.a, records...)
}

// menu arranges the site and returns its navigation.
func (d *desk) menu(o arrange.Options, published bool) string {
	d.t.Helper()
	s := arranged(d.t, d.a, o)
	if published {
		if err := arrange.KeepNavigation(d.t.Context(), d.a, s); err != nil {
			d.t.Fatal(err)
		}
	}
	return strings.Join(folderTitles(s.Navigation), " ")
}

// state returns what the archive keeps, or sets it.
func (d *desk) state(text ...string) (kept string) {
	d.t.Helper()
	fakepaper.Update(d.t, d.a, func(tx *archive.Tx) (err error) {
		if len(text) > 0 {
			err = tx.State.Set("navigation", text[0])
		}
		return err
	})
	kept, err := d.a.State.Get(d.t.Context(), "navigation")
	if err != nil {
		d.t.Fatal(err)
	}
	return kept
}

// TestKeptNavigation: the order stays in a month, whatever comes and goes.
func TestKeptNavigation(t *testing.T) {
	d := &desk{t: t, a: fakepaper.Archive(t)}
	rename := func() { // the records keep their dates
		var records []*archive.Record
		for r, err := range d.a.Catalog.Scan(t.Context(), record.Article) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Path == "/spor/" {
				records = append(records, article(r.ID, "/oyun/", "Haber", 0, "CreatedDate", r.Published.Format(time.RFC3339)))
			}
		}
		fakepaper.Put(t, d.a, records...)
	}
	gone := func(section string) func() {
		return func() {
			var ids []string
			for r, err := range d.a.Catalog.Scan(t.Context(), record.Article) {
				if err != nil {
					t.Fatal(err)
				}
				if section == "" || r.Path == "/"+section+"/" {
					ids = append(ids, r.ID)
				}
			}
			vanish(t, d.a, ids...)
		}
	}
	var before string
	for _, step := range []struct {
		name   string
		items  string
		event  func()
		change func(*arrange.Options)
		unseen bool // not published
		want   string
	}{
		{name: "no item", want: ""},
		{name: "no date", items: "2025-01 tarihsiz 0", event: func() { fakepaper.Put(t, d.a, article("x", "/tarihsiz/", "Haber", 0, "CreatedDate", "")) }, want: "Tarihsiz"},
		{name: "the first order", items: "2025-01 eski 10", want: "Eski"},
		{name: "others in the month", items: "2025-01 spor 90", want: "Eski"},
		{name: "a new one that is not published", items: "2025-02 kent 20", unseen: true, want: "Spor Kent Eski"},
		{name: "binds nobody", items: "2025-02 kent 100", want: "Kent Spor"},
		{name: "the largest in the month", items: "2025-02 spor 150", want: "Kent Spor"},
		{name: "configured", items: "2025-02 eski 1", change: func(o *arrange.Options) { o.Navigation = []string{"/eski/"} }, want: "Eski"},
		{name: "configured in another month", items: "2025-03 eski 1", change: func(o *arrange.Options) { o.Navigation = []string{"/eski/"} }, want: "Eski"},
		{name: "the next order", items: "2025-03 eski 6", want: "Spor Kent Eski"},
		{name: "renamed", items: "2025-03 kent 190", event: rename, want: "Oyun Kent Eski"},
		{name: "a zone where the month has not begun", change: func(o *arrange.Options) { o.Settings.Location = time.FixedZone("W", -12*3600) }, want: "Kent Eski"},
		{name: "other items", change: func(o *arrange.Options) { o.Exclude = []string{"/kent/"} }, want: "Oyun Eski"},
		{name: "and all again", want: "Oyun Kent Eski"},
		{name: "some are gone", event: gone("kent"), change: func(o *arrange.Options) { o.DropGone = true }, want: "Oyun Eski"},
		{name: "gone, and shown", want: "Oyun Kent Eski"},
		{name: "damaged", event: func() { before = d.state(); d.state(before[:9]) }, unseen: true, want: "Kent Eski"},
		{name: "of another form", event: func() { d.state("null") }, unseen: true, want: "Kent Eski"},
		{name: "another folder", event: func() { d.state(strings.ReplaceAll(before, "/eski/", "/yok/")) }, want: "Oyun Kent"},
		{name: "nothing of it is left", event: func() {
			d.state(strings.NewReplacer("/eski/", "/yok/", "/spor/", "/yok/", "/kent/", "/").Replace(before))
		}, want: "Kent Eski"},
	} {
		if step.items != "" {
			d.add(step.items)
		}
		if step.event != nil {
			step.event()
		}
		o := options(t)
		if step.change != nil {
			step.change(&o)
		}
		kept := d.state()
		if got := d.menu(o, !step.unseen); got != step.want {
			t.Errorf("%s: %q, want %q; kept %s, then %s", step.name, got, step.want, kept, d.state())
		}
		if got := d.menu(o, false); got != step.want {
			t.Errorf("%s: again: %q, want %q", step.name, got, step.want)
		}
		if now := d.state(); now != kept && (step.unseen || len(o.Navigation) > 0) {
			t.Errorf("%s: keeps %s", step.name, now)
		}
	}
}

// TestSectionsEnterAndLeave counts the items of a section, of 200 or fewer, in two months.
func TestSectionsEnterAndLeave(t *testing.T) {
	for _, test := range []struct {
		first, then int // of the newest 200
		in, stays   bool
	}{{5, 5, false, false}, {5, 6, false, true}, {6, 2, true, true}, {6, 1, true, false}} {
		d := &desk{t: t, a: fakepaper.Archive(t)}
		d.put(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), append(slices.Repeat([]string{"az"}, test.first), slices.Repeat([]string{"cok"}, 200-test.first)...)...)
		in := d.menu(options(t), true) == "Cok Az"
		d.put(time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC), append(slices.Repeat([]string{"az"}, test.then), slices.Repeat([]string{"cok"}, 200-test.then)...)...)
		if stays := d.menu(options(t), true) == "Cok Az"; in != test.in || stays != test.stays {
			t.Errorf("with %d, then %d items: %t, %t", test.first, test.then, in, stays)
		}
	}
}

// TestNavigationInAYear: in a year of a paper that is built each week the masthead, and with
// it every page, changes once a month at most, and not by chance.
func TestNavigationInAYear(t *testing.T) {
	for _, test := range []struct {
		name     string
		shuffled bool // each section has another share in each week
		min, max int  // orders
	}{{"shares change", true, 6, 12}, {"equal shares", false, 1, 2}} {
		d := &desk{t: t, a: fakepaper.Archive(t)}
		random := rand.New(rand.NewPCG(8, 1))
		sections := []string{"gundem", "spor", "ekonomi", "dunya", "kultur", "yasam", "bilim", "kent"}
		start := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		changed := make(map[string]int) // by month
		for day, before := 0, ""; day < 365; day += 7 {
			if test.shuffled {
				random.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
			}
			var items []string
			for range 35 {
				i := random.IntN(len(sections))
				if test.shuffled {
					i = min(i, random.IntN(len(sections)))
				}
				items = append(items, sections[i])
			}
			at := start.AddDate(0, 0, day)
			d.put(at, items...)
			now := d.menu(options(t), true)
			if now != before {
				changed[at.Format("2006-01")]++
			}
			before = now
		}
		for month, n := range changed {
			if n > 1 {
				t.Errorf("%s: %d orders in %s", test.name, n, month)
			}
		}
		if n := len(changed); n < test.min || n > test.max {
			t.Errorf("%s: %d orders in a year, want %d to %d", test.name, n, test.min, test.max)
		}
	}
}
