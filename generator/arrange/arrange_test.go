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
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func TestNeighboursAreOfTheFolder(t *testing.T) {
	s := siteOf(t,
		article("1", "/spor/", "a", 1), article("2", "/spor/futbol/", "b", 2), article("3", "/spor/", "c", 3),
		article("4", "/gundem/", "d", 4), article("5", "/spor/", "e", 5),
	)
	for name, want := range map[string]string{ // the older and the newer one
		"article/1": "none article/3", "article/3": "article/1 article/5", "article/5": "article/3 none",
		"article/2": "none none", "article/4": "none none",
	} {
		item := find(t, s, name)
		check(t, name, names(item.Previous(), item.Next()), want)
	}
}

func ref(id, url string) map[string]any {
	return map[string]any{"Id": id, "Url": url, "Title": "T" + id}
}

func TestPages(t *testing.T) {
	s := siteOf(t,
		article("1", "/a/", "a", 1), article("2", "/a/", "b", 2), article("3", "/a/", "c", 3),
		fakepaper.Fields(record.Page, "p2", "Title", "Ada", "Url", "/ada/", "CreatedDate", "2026-02-02T08:00:00Z", "PageNews", []any{
			ref("3", ""), ref("1", ""), ref("88", "http://www.haber.example/88"), ref("3", ""), ref("", "http://haber.example/2"), map[string]any{"Id": "89"},
		}),
		fakepaper.Fields(record.Page, "p1", "Title", "", "CreatedDate", "2026-02-01T08:00:00Z"),
		fakepaper.Fields(record.Page, "p3", "Title", "Tarihsiz"),
	)
	check(t, "pages", titles(s.Pages, func(p *site.Page) *site.List { return &p.List }), "Tarihsiz p1 Ada")
	page := s.Pages[2]
	check(t, "the editors' order", listed(page.Items), "article/3 article/1 article/2")
	want := []site.Reference{{Title: "T88", URL: "http://www.haber.example/88"}, {Title: "89"}}
	if !slices.Equal(page.Absent, want) {
		t.Errorf("absent %+v, want %+v", page.Absent, want)
	}
	if page.Dir != "sayfa/ada-p2" || page.URL != "/ada/" || s.Pages[0].Items.Len() != 0 {
		t.Errorf("page %+v", page)
	}
}

func TestSearches(t *testing.T) {
	a := fakepaper.Archive(t,
		article("1", "/a/", "Deprem haberi", 1),
		article("2", "/a/", "Başka", 2, "Text", "<p>bir DEPREM daha</p>"),
		article("3", "/a/", "Kaynağın bulduğu", 3),
		article("4", "/spor/", "Deprem ve spor", 4),
	)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		_, err := tx.Hits.Add("deprem", []string{"3", "404"})
		return err
	})
	o := options(t)
	o.Exclude = []string{"/spor/"}
	o.Searches = []arrange.Search{{Title: "Depremler", Query: "deprem"}, {Query: "yok böyle"}, {Title: "Yine", Query: "deprem"}, {Query: "DEPREM"}, {Query: "?"}}
	s := arranged(t, a, o)
	want := []struct{ title, dir, items string }{
		{"Depremler", "arama/depremler", "article/3 article/2 article/1"},
		{"yok böyle", "arama/yok-boyle", ""},
		{"DEPREM", "arama/deprem", "article/2 article/1"},
		{"?", "", ""},
	}
	if len(s.Searches) != len(want) {
		t.Fatalf("%d searches, want %d: one asked for twice is one", len(s.Searches), len(want))
	}
	for i, search := range s.Searches {
		if search.Title != want[i].title || want[i].dir != "" && search.Dir != want[i].dir {
			t.Errorf("search %d: %q in %s, want %+v", i, search.Title, search.Dir, want[i])
		}
		check(t, search.Title, listed(search.Items), want[i].items)
	}
	addresses(t, s)
}

func TestWhatBelongsToTheSite(t *testing.T) {
	a := fakepaper.Archive(t,
		article("1", "/spor/", "a", 1), article("2", "/spor/futbol/", "b", 2), article("3", "/sporcu/", "c", 3),
		article("4", "/gundem/", "d", 4), article("5", "/", "e", 5),
		of(record.Column, article("6", "/spor/", "f", 6, "ContentType", "Column", "Fullname", "Nehir Taşkın")),
		of(record.Video, article("7", "spor\\futbol", "g", 7, "ContentType", "NewsVideo")),
		fakepaper.Fields(record.Page, "p1", "Title", "Sayfa"),
	)
	tests := map[string]struct {
		include, exclude []string
		kinds            []site.Kind
		items            string
		pages            int
	}{
		"everything":           {nil, nil, nil, "video/7 column/6 article/5 article/4 article/3 article/2 article/1", 1},
		"the root":             {[]string{"/"}, nil, nil, "video/7 column/6 article/5 article/4 article/3 article/2 article/1", 1},
		"a folder and below":   {[]string{"/spor/"}, nil, nil, "video/7 column/6 article/2 article/1", 1},
		"written otherwise":    {[]string{"spor"}, nil, nil, "video/7 column/6 article/2 article/1", 1},
		"two":                  {[]string{"/gundem/", "/spor/futbol/"}, nil, nil, "video/7 article/4 article/2", 1},
		"but for":              {[]string{"/spor/"}, []string{"/spor/futbol/"}, nil, "column/6 article/1", 1},
		"all but for":          {nil, []string{"/spor"}, nil, "article/5 article/4 article/3", 1},
		"nothing":              {[]string{"/yok/"}, nil, nil, "", 1},
		"one kind":             {nil, nil, []site.Kind{site.Video}, "video/7", 0},
		"two kinds, no pages":  {nil, nil, []site.Kind{site.Video, site.Column}, "video/7 column/6", 0},
		"pages and a kind":     {nil, nil, []site.Kind{site.Video, site.Kind(record.Page)}, "video/7", 1},
		"a kind in one folder": {[]string{"/spor/futbol/"}, nil, []site.Kind{site.Article}, "article/2", 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Include, o.Exclude, o.Kinds = test.include, test.exclude, test.kinds
			s := arranged(t, a, o)
			check(t, "items", listed(s.Home.Items), test.items)
			if len(s.Pages) != test.pages {
				t.Errorf("%d pages, want %d", len(s.Pages), test.pages)
			}
			for _, f := range s.Folders {
				if f.Items.Len() == 0 {
					t.Errorf("folder %s has no items", f.Path)
				}
			}
		})
	}
}

func TestGone(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/a/", "a", 1), article("2", "/a/", "b", 2))
	if find(t, arranged(t, a, options(t)), "article/1").Gone() {
		t.Error("gone before it is")
	}
	vanish(t, a, "1")
	kept := arranged(t, a, options(t))
	check(t, "kept", listed(kept.Home.Items), "article/2 article/1")
	if !find(t, kept, "article/1").Gone() {
		t.Error("a page would not show that its record is gone")
	}
	o := options(t)
	o.DropGone = true
	check(t, "dropped", listed(arranged(t, a, o).Home.Items), "article/2")
}

func TestDuplicates(t *testing.T) {
	typed := func(id, kind string, minute int) *archive.Record {
		return article(id, "/a/", "b", minute, "ContentType", kind, "Fullname", "Nehir Taşkın")
	}
	s := siteOf(t,
		typed("1", "Column", 1), of(record.Column, typed("1", "Column", 1)),
		typed("2", "NewsVideo", 2), of(record.Video, typed("2", "NewsVideo", 2)),
		typed("3", "NewsPhotoGallery", 3), of(record.Gallery, typed("3", "NewsPhotoGallery", 3)),
		typed("4", "NewsVideo", 4), // Nothing says more of it
		typed("5", "Quiz", 5),
		typed("6", "Article", 6), of(record.Column, typed("6", "Column", 6)), // two records of one id
		typed("7", "Column", 7), of(record.Video, typed("7", "NewsVideo", 7)), // likewise
	)
	check(t, "items", listed(s.Home.Items), "article/7 video/7 article/6 column/6 article/5 article/4 gallery/3 video/2 column/1")
	addresses(t, s)
}

func TestDates(t *testing.T) {
	at := func(id, created, modified string, arrival time.Time) *archive.Record {
		r := fakepaper.Fields(record.Article, id, "Path", "/a/", "Title", "b", "CreatedDate", created, "ModifiedDate", modified)
		r.Listed = arrival
		return r
	}
	day := func(d int) time.Time { return time.Date(2026, 3, d, 12, 0, 0, 0, time.UTC) }
	s := siteOf(t,
		at("1", "2026-03-10T10:00:00Z", "", day(10)),
		at("2", "2999-01-01T00:00:00Z", "", day(11)), // Ordered as first seen
		at("3", "2026-03-12T12:04:00Z", "", day(12)), // the source's clock is ahead a little
		at("4", "2026-03-09T10:00:00Z", "2026-03-10T10:00:00Z", day(13)),
		at("5", "2026-03-08T10:00:00Z", "2999-01-01T00:00:00Z", day(13)),
		at("6", "2026-03-07T10:00:00Z", "0001-01-01T00:00:00Z", day(13)),
		at("7", "2026-03-06T10:00:00Z", "2026-03-05T10:00:00Z", day(13)),
		at("8", "", "", day(13)),
		at("9", "yarın", "2026-03-05T10:00:00Z", day(13)),
	)
	check(t, "order", listed(s.Home.Items), "article/3 article/2 article/1 article/4 article/5 article/6 article/7 article/9 article/8")
	for name, want := range map[string]struct{ published, modified string }{
		"article/2": {"2999-01-01T00:00:00Z", "never"},
		"article/4": {"2026-03-09T10:00:00Z", "2026-03-10T10:00:00Z"},
		"article/5": {"2026-03-08T10:00:00Z", "never"}, // A change that is still to come
		"article/6": {"2026-03-07T10:00:00Z", "never"},
		"article/7": {"2026-03-06T10:00:00Z", "never"},
		"article/8": {"never", "never"},
		"article/9": {"2026-03-05T10:00:00Z", "never"},
	} {
		item := find(t, s, name)
		text := func(ms int64) string {
			if ms == 0 {
				return "never"
			}
			return time.UnixMilli(ms).UTC().Format(time.RFC3339)
		}
		if text(item.Published()) != want.published || text(item.Modified()) != want.modified {
			t.Errorf("%s: published %s, modified %s, want %+v", name, text(item.Published()), text(item.Modified()), want)
		}
	}
}

func TestSourceName(t *testing.T) {
	url := func(id, url string, minute int) *archive.Record { return article(id, "/a/", "b", minute, "Url", url) }
	records := []*archive.Record{
		url("1", "http://www.haber.example/1", 1), url("2", "https://HABER.example/2", 2),
		url("3", "http://sosyal.example/3", 3), url("4", "javascript://evil.example/", 4), url("5", "/5", 5),
		url("6", "http://sosyal.example/6", 6), url("7", "https://HABER.example", 7), url("8", "https://HABER.example?x", 8),
	}
	if got := siteOf(t, records...).SourceName; got != "haber.example" {
		t.Errorf("named %q for its newest item", got)
	}
	o := options(t)
	o.Settings.SourceName = "Haber Örneği"
	if got := arranged(t, fakepaper.Archive(t, records...), o).SourceName; got != "Haber Örneği" {
		t.Errorf("the configured name became %q", got)
	}
}

// TestOrderOfArrival: the same records, however they come in, are the same
// site.
func TestOrderOfArrival(t *testing.T) {
	var records []*archive.Record
	for i := range 60 {
		kind := []record.Kind{record.Article, record.Article, record.Column, record.Gallery, record.Video}[i%5]
		r := article(fmt.Sprint(100+i/2), hostilePaths[i%len(hostilePaths)], []string{"Başlık", "BAŞLIK", "", "Baslik"}[i%4], i%7,
			"ContentType", []string{"Article", "Column", "NewsVideo"}[i%3],
			"Fullname", []string{"Ali Veli", "ALİ VELİ", "Nehir"}[i%3], "WriterId", []string{"", "w1", "w9"}[i%3],
			"Tags", []string{"Spor", []string{"SPOR", "spor"}[i%2], "kâr", "kar"}[:1+i%4],
			"RelatedNews", []any{ref(fmt.Sprint(100+i/3), ""), ref("", fmt.Sprintf("http://haber.example/%d", 100+i/4))},
			"Url", fmt.Sprintf("http://%s.example/%d", []string{"a", "b"}[i%2], 100+i/2))
		records = append(records, of(kind, r))
	}
	for i := range 5 {
		records = append(records,
			fakepaper.Fields(record.Folder, fmt.Sprint("f", i), "Path", []string{"/spor/", "/spor", "/SPOR/"}[i%3], "Title", fmt.Sprint("Spor ", i)),
			fakepaper.Fields(record.Page, fmt.Sprint("p", i), "Title", "Sayfa", "PageNews", []any{ref(fmt.Sprint(100+i), ""), ref("1", "")}))
	}
	for i, name := range []string{"Ali Veli", "Ali VELİ", "Nehir", "Öykü"} {
		records = append(records, fakepaper.Fields(record.Writer, fmt.Sprint("w", i), "Fullname", name))
	}
	// A record's kind and id name it once.
	seen := make(map[string]bool)
	unique := records[:0]
	for _, r := range records {
		if key := string(r.Kind) + "/" + r.ID; !seen[key] {
			seen[key] = true
			unique = append(unique, r)
		}
	}
	o := options(t)
	o.Searches = []arrange.Search{{Query: "başlık"}, {Query: "BASLIK"}}
	want := dump(arranged(t, fakepaper.Archive(t, unique...), o))
	if strings.Count(want, "\n") < 100 {
		t.Fatalf("the dump is too short to mean anything:\n%s", want)
	}
	for seed := range uint64(testrun.Counts{Plain: 4, Long: 100}.Now()) {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(unique), func(i, j int) { unique[i], unique[j] = unique[j], unique[i] })
		if got := dump(arranged(t, fakepaper.Archive(t, unique...), o)); got != want {
			t.Errorf("seed %d: another site:\n%s", seed, testrun.FirstDifference(got, want))
		}
	}
}
