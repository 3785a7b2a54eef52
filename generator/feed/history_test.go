package feed_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/feed"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// linked is how a feed is linked to others: by relation.
type linked struct {
	archived bool
	rel      map[string]string
}

func linksOf(t *testing.T, document string) linked {
	t.Helper()
	l := linked{rel: make(map[string]string)}
	if strings.HasPrefix(document, "{") {
		var parsed struct {
			FeedURL string `json:"feed_url"`
			NextURL string `json:"next_url"`
		}
		if err := json.Unmarshal([]byte(document), &parsed); err != nil {
			t.Fatal(err)
		}
		l.rel["self"], l.rel["prev-archive"] = parsed.FeedURL, parsed.NextURL
		return l
	}
	type atomLink struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	var parsed struct {
		Channel struct {
			Archive *struct{}  `xml:"http://purl.org/syndication/history/1.0 archive"`
			Links   []atomLink `xml:"http://www.w3.org/2005/Atom link"`
		} `xml:"channel"`
		Archive *struct{}  `xml:"http://purl.org/syndication/history/1.0 archive"`
		Links   []atomLink `xml:"http://www.w3.org/2005/Atom link"`
	}
	if err := xml.Unmarshal([]byte(document), &parsed); err != nil {
		t.Fatal(err)
	}
	l.archived = parsed.Archive != nil || parsed.Channel.Archive != nil
	for _, link := range slices.Concat(parsed.Links, parsed.Channel.Links) {
		l.rel[link.Rel] = link.Href
	}
	return l
}

// TestHistory follows a feed back in time (RFC 5005, section 4): every item
// that has a date is there, and once.
func TestHistory(t *testing.T) {
	testrun.NotShort(t)
	records := fakepaper.Articles(900, time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC), time.Hour)
	records = append(records, article("1", `"Title":"Tarihsiz","Path":"/gundem/"`))
	a := store(t, records, nil)
	const base = "https://ayna.example/haber/"
	files := make(map[string]map[string]string) // by formats
	for _, test := range []struct {
		formats []site.Format
		start   string
		current string // feed of the months' format
	}{
		{[]site.Format{site.RSS, site.Atom, site.JSON}, "feed.xml", "atom.xml"},
		{[]site.Format{site.RSS, site.Atom, site.JSON}, "atom.xml", "atom.xml"},
		{[]site.Format{site.RSS, site.Atom, site.JSON}, "gundem/feed.xml", "gundem/atom.xml"},
		{[]site.Format{site.RSS, site.Atom, site.JSON}, "gundem/atom.xml", "gundem/atom.xml"},
		{[]site.Format{site.JSON, site.RSS}, "gundem/feed.xml", "gundem/feed.xml"},
		{[]site.Format{site.JSON}, "feed.json", ""},
		{[]site.Format{site.JSON}, "gundem/feed.json", ""},
	} {
		t.Run(fmt.Sprint(test.start, test.formats), func(t *testing.T) {
			start, formats := test.start, fmt.Sprint(test.formats)
			if files[formats] == nil {
				s := settings(t)
				s.Formats, s.FeedsOf = test.formats, []site.ListKind{site.OfHome, site.OfFolders, site.OfMonths}
				files[formats] = render(t, arranged(t, a, s), options)
			}
			rendered := files[formats]
			seen := make(map[string]bool)
			newer, documents := "", 0
			for name := strings.TrimPrefix(linksOf(t, rendered[start]).rel["prev-archive"], base); name != ""; documents++ {
				_, entries, err := readFeed(rendered[name])
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for _, e := range entries {
					if seen[e.id] {
						t.Errorf("%s repeats %s", name, e.id)
					}
					seen[e.id] = true
				}
				links := linksOf(t, rendered[name])
				if !strings.HasSuffix(start, "json") && (!links.archived || links.rel["current"] != base+test.current || links.rel["hub"] != "" ||
					strings.TrimPrefix(links.rel["next-archive"], base) != newer) {
					t.Errorf("%s: %+v", name, links)
				}
				newer, name = name, strings.TrimPrefix(links.rel["prev-archive"], base)
			}
			if len(seen) != 900 || documents != 4 { // January, and February in three parts
				t.Errorf("%d entries in %d documents", len(seen), documents)
			}
		})
	}
}

// TestHistoryStays: a closed month changes only if one of its items does, or what
// these are in has another name.
func TestHistoryStays(t *testing.T) {
	testrun.NotShort(t)
	records := fakepaper.Articles(100, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), 24*time.Hour) // to June
	a := store(t, records[:99], nil)
	names := func(name string) bool { return strings.HasPrefix(name, "arsiv/") }
	rendered := func() map[string]string {
		all := make(map[string]string)
		for name, document := range render(t, arranged(t, a, settings(t)), options) {
			if names(name) {
				all[name] = document
			}
		}
		return all
	}
	changed := func(before, after map[string]string) string {
		var list []string
		for name, document := range after {
			if document != before[name] && strings.HasSuffix(name, ".atom.xml") {
				list = append(list, strings.TrimPrefix(name, "arsiv/"))
			}
		}
		slices.Sort(list)
		return strings.Join(list, " ")
	}
	before := rendered()
	for _, step := range []struct {
		name string
		put  *archive.Record
		want string
	}{
		{"a new item", records[99], "2026-06.atom.xml"},
		{"a correction", fakepaper.With(records[40], "Title", "Haber 40, düzeltildi"), "2026-04.atom.xml"},
		{"a late one", fakepaper.Item(record.Article, "60000000", "CreatedDate", "2026-03-10T00:00:00Z"), "2026-03.atom.xml"},
		{"nothing", records[99], ""},
		{"a name", fakepaper.Raw(record.Folder, `{"Id":"1","Path":"/gundem/","Title":"Türkiye"}`, ""), "2026-03.atom.xml 2026-04.atom.xml 2026-05.atom.xml 2026-06.atom.xml"},
	} {
		put(t, a, []*archive.Record{step.put}, nil)
		after := rendered()
		if got := changed(before, after); got != step.want {
			t.Errorf("%s changes %q, want %q", step.name, got, step.want)
		}
		before = after
	}
}

func TestWindow(t *testing.T) {
	testrun.NotShort(t)
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	with := func(n int) feed.Options {
		o := options
		o.Items = n
		return o
	}
	long := fakepaper.Articles(45, first, time.Hour, "Text", fakepaper.Prose(9_000))
	for _, test := range []struct {
		name    string
		records []*archive.Record
		options feed.Options
		want    int
	}{
		{"few", fakepaper.Articles(5, first, 24*time.Hour), options, 5},
		{"rare: the newest thirty", fakepaper.Articles(100, first, 24*time.Hour), options, 30},
		{"often: two days", fakepaper.Articles(100, first, time.Hour), with(200), 49},
		{"very often: the most", fakepaper.Articles(100, first, time.Minute), options, 50},
		{"fewer wanted", fakepaper.Articles(100, first, time.Minute), with(10), 10},
		{"no more than fit", long, options, 30},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := settings(t)
			s.FeedsOf = []site.ListKind{site.OfHome}
			entries := agreed(t, render(t, arranged(t, store(t, test.records, nil), s), test.options))
			if len(entries) != test.want {
				t.Errorf("%d entries, want %d", len(entries), test.want)
			}
		})
	}
}

// TestRenamedFolder: subscribers at the old address go on reading, and
// are told of the new one.
func TestRenamedFolder(t *testing.T) {
	a := store(t, paper(), nil)
	before := render(t, arranged(t, a, settings(t)), options)
	put(t, a, fakepaper.Replaced(paper(), `"Path":"/gundem/"`, `"Path":"/turkiye/"`), nil)
	after := render(t, arranged(t, a, settings(t)), options)
	for _, names := range [][2]string{{"gundem/feed.xml", "turkiye/feed.xml"}, {"gundem/atom.xml", "turkiye/atom.xml"}, {"gundem/feed.json", "turkiye/feed.json"}} {
		old, now := after[names[0]], after[names[1]]
		if old == "" || old != now {
			t.Errorf("%s is not %s:\n%s", names[0], names[1], old)
		}
		if self := linksOf(t, old).rel["self"]; self != "https://ayna.example/haber/"+names[1] {
			t.Errorf("%s names %s as its address", names[0], self)
		}
		_, was, err := readFeed(before[names[0]])
		if err != nil {
			t.Fatal(err)
		}
		_, is, err := readFeed(old)
		if err != nil || len(is) != len(was) || is[0].id != was[0].id || is[0].published != was[0].published || is[0].link != was[0].link {
			t.Errorf("%s had %+v, has %+v", names[0], was, is)
		}
	}
	if strings.Contains(after["opml.xml"], "gundem") {
		t.Error("the outline names an address that is not used any more")
	}
}

// TestRenamedTwice: a folder is renamed that holds something that was gone before,
// which is renamed again before anything was published in it.
func TestRenamedTwice(t *testing.T) {
	testrun.NotShort(t)
	records := fakepaper.Articles(60, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), time.Hour)
	a := store(t, records, nil)
	arranged(t, a, settings(t))
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, records[7].ID, seen) })
	live := slices.Delete(records, 7, 8)
	for _, name := range []string{"turkiye", "yurt"} {
		put(t, a, fakepaper.Replaced(live, "/gundem/", "/"+name+"/"), nil)
		arranged(t, a, settings(t))
	}
	put(t, a, []*archive.Record{fakepaper.Item(record.Article, "59000000", "CreatedDate", "2026-03-20T00:00:00Z", "Path", "/yurt/")}, nil)
	rendered := render(t, arranged(t, a, settings(t)), options)
	for _, file := range []string{"feed.xml", "atom.xml", "feed.json"} {
		now := rendered["yurt/"+file]
		if self := linksOf(t, now).rel["self"]; self != "https://ayna.example/haber/yurt/"+file || !strings.Contains(now, "59000000") {
			t.Errorf("yurt/%s names %s as its address:\n%s", file, self, now)
		}
		for _, dir := range []string{"gundem/", "turkiye/"} {
			if rendered[dir+file] != now {
				t.Errorf("%s is not yurt/%s:\n%s", dir+file, file, rendered[dir+file])
			}
		}
	}
	if month := rendered["yurt/arsiv/2026-03.atom.xml"]; !strings.Contains(month, records[7].ID) {
		t.Error("what was gone is not in the folder's history")
	}
}

// TestCorrections: the entry of a changed item says what was replaced, and leads to it.
func TestCorrections(t *testing.T) {
	a := store(t, paper(), nil)
	for _, entries := range [][]read{entriesOf(t, a, "duzeltmeler/")} {
		if len(entries) > 0 {
			t.Errorf("corrected before anything changed: %+v", entries)
		}
	}
	put(t, a, fakepaper.Replaced(paper(), "ModifiedDate\":\"2026-03-14T10:17:25.5Z", "ModifiedDate\":\"2026-03-14T12:00:00.5Z"), nil)
	put(t, a, slices.DeleteFunc(fakepaper.Replaced(paper(), "son dakikada geçti", "<i>uzatmada</i> geçti"), func(r *archive.Record) bool { return r.Kind != record.Article }), nil)
	entries := entriesOf(t, a, "duzeltmeler/")
	if len(entries) != 1 {
		t.Fatalf("%d corrections", len(entries))
	}
	e := entries[0]
	if e.id != "tag:ayna.example,2026-01-01:correction/article/51200311/20260314101725" || e.summary != "Başlık: son dakikada → uzatmada" || !strings.HasSuffix(e.link, "-51200311.html#change") ||
		!strings.HasPrefix(e.title, "Düzeltme: Akçalimanspor") || e.published != time.Date(2026, 3, 14, 10, 17, 25, 0, time.UTC) {
		t.Errorf("correction %+v", e)
	}
	if !strings.Contains(e.content, "&amp; <del>son dakikada</del> <ins>uzatmada</ins> geçti") {
		t.Errorf("the words are not marked: %s", e.content)
	}
	checkMarkup(t, e.content)
	again := slices.DeleteFunc(fakepaper.Replaced(paper(), "son dakikada geçti", "<i>uzatmada</i> yendi"), func(r *archive.Record) bool { return r.Kind != record.Article })
	for i := range again {
		again[i].Single = bytes.ReplaceAll(again[i].Single, []byte("10:17:25.5Z"), []byte("13:00:00Z"))
	}
	put(t, a, again, nil)
	if entries := entriesOf(t, a, "duzeltmeler/"); len(entries) != 1 || entries[0].id == e.id || !strings.Contains(entries[0].content, "<del>geçti</del> <ins>yendi</ins>") {
		t.Errorf("corrected again, the entry is %+v", entries)
	}
	if home := entriesOf(t, a, "")[2]; home.id != "tag:ayna.example,2026-01-01:article/51200311" {
		t.Errorf("elsewhere the item has the id %s", home.id)
	}
}

// TestChangedWithoutDate: an entry whose words changed has a new date, also
// where the source gives none, as it never does for columns.
func TestChangedWithoutDate(t *testing.T) {
	a := store(t, paper(), nil)
	const address = "yazar/nehir-taskin-65aa09f8f018fbaf44942506/"
	before := entriesOf(t, a, address)
	put(t, a, fakepaper.Replaced(paper(), "kim dinliyor?", "kim duyuyor?"), nil)
	after := entriesOf(t, a, address)
	if len(after) != 1 || after[0].published != before[0].published || after[0].updated == before[0].updated || !after[0].updated.Equal(seen) {
		t.Errorf("the column had %+v, has %+v", before, after)
	}
	if document := render(t, arranged(t, a, settings(t)), options)[address+"atom.xml"]; strings.Count(document, "<updated>"+seen.Format(time.RFC3339)) != 2 {
		t.Errorf("the feed or its entry has another date:\n%s", document)
	}
	put(t, a, slices.DeleteFunc(paper(), func(r *archive.Record) bool { return r.Kind != record.Column }), nil)
	if back := entriesOf(t, a, address); !back[0].updated.Equal(seen) {
		t.Errorf("changed back, it has %+v", back)
	}
}

// entriesOf reads the feeds of a directory, which must be alike.
func entriesOf(t *testing.T, a *archive.Archive, dir string) []read {
	t.Helper()
	rendered := render(t, arranged(t, a, settings(t)), options)
	there := make(map[string]string)
	for _, name := range []string{"feed.xml", "atom.xml", "feed.json"} {
		there[name] = rendered[dir+name]
	}
	return agreed(t, there)
}

// TestChangedFeeds: the hub is told of the feeds that were written, once each.
func TestChangedFeeds(t *testing.T) {
	testrun.NotShort(t)
	s := settings(t)
	s.Formats = []site.Format{site.RSS}
	reader := arranged(t, store(t, paper(), nil), s)
	for hub, want := range map[string]int{"": 0, "https://hub.example/": 3} {
		o := options
		o.Hub = hub
		r := feed.New(reader, o)
		for file, err := range r.Files(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			switch file.Path {
			case "feed.xml", "spor/feed.xml", "spor/feed-own.xml", "spor/arsiv/2026-03.xml", "opml.xml":
				r.Wrote(file.Path)
				r.Wrote(file.Path)
			}
		}
		if got := r.Changed(); len(got) != want || want > 0 && got[0] != "https://ayna.example/haber/feed.xml" {
			t.Errorf("with the hub %q: %q", hub, got)
		}
	}
}
