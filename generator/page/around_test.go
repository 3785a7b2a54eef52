package page_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

var (
	teaserTitle = regexp.MustCompile(`<h3 dir="auto"><a href="[^"]*">([^<]*)</a></h3>`)
	columnTitle = regexp.MustCompile(`<li><a href="[^"]*" dir="auto">([^<]*)</a>`)
	neighbour   = regexp.MustCompile(`</small> <bdi>([^<]*)</bdi></a>`)
)

func titles(pattern *regexp.Regexp, page []byte) []string {
	var found []string
	for _, m := range pattern.FindAllSubmatch(page, -1) {
		found = append(found, string(m[1]))
	}
	return found
}

// What follows an item does not change with each new one, and names nothing twice.
func TestAround(t *testing.T) {
	w := newWorld(t, "tr")
	w.records = articles(12)
	column := func(id, writer, name, created string) *archive.Record {
		return fakepaper.Item(record.Column, id, "Fullname", name, "WriterId", writer, "Title", "Yazı "+id, "Path", "/yazarlar/"+strings.ReplaceAll(strings.ToLower(name), " ", "-")+"/", "CreatedDate", created)
	}
	for i := range 6 {
		w.records = append(w.records, column(fmt.Sprint(60000000+i), "w1", "Ada Su", fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1)))
	}
	w.records = append(w.records, column("70000000", "w2", "Can Er", "2025-01-01T00:00:00Z"), fakepaper.Fields(record.Writer, "w1", "Fullname", "Ada Su", "Path", "/yazarlar/ada-su/"),
		fakepaper.Item(record.Article, "50000012", "Title", "Haber 12", "Path", "/spor/", "CreatedDate", "2026-01-02T00:00:00Z",
			"RelatedNews", []any{map[string]any{"Id": "50000011"}, map[string]any{"Id": "50000003"}}))
	files := w.render(t).files
	for _, c := range []struct {
		name, file           string
		others, links, order []string
	}{
		{"newest but one", "spor/haber-11-50000011.html", []string{"Haber 9", "Haber 8", "Haber 7", "Haber 6"}, nil, []string{"Haber 10", "Haber 12"}},
		{"related to its neighbour", "spor/haber-12-50000012.html", []string{"Haber 11", "Haber 3", "Haber 10", "Haber 9", "Haber 8", "Haber 7"}, nil, nil},
		{"in the middle", "spor/haber-6-50000006.html", []string{"Haber 4", "Haber 3", "Haber 2", "Haber 1"}, nil, []string{"Haber 5", "Haber 7"}},
		{"last but two", "spor/haber-2-50000002.html", []string{"Haber 0", "Haber 4", "Haber 5", "Haber 6"}, nil, []string{"Haber 1", "Haber 3"}},
		{"column", "yazarlar/ada-su/yazi-60000003-60000003.html", []string{"Yazı 70000000"}, []string{"Yazı 60000002", "Yazı 60000001", "Yazı 60000000", "Yazı 60000004", "Yazı 60000005"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := files[c.file]
			if got := titles(teaserTitle, page); !slices.Equal(got, c.others) {
				t.Errorf("teasers %q, want %q", got, c.others)
			}
			if got := titles(columnTitle, page); !slices.Equal(got, c.links) {
				t.Errorf("columns %q, want %q", got, c.links)
			}
			if got := titles(neighbour, page); !slices.Equal(got, c.order) {
				t.Errorf("neighbours %q, want %q", got, c.order)
			}
		})
	}
}

// TestHeader compares what stands above a text for single fields of a record.
func TestHeader(t *testing.T) {
	long := strings.Repeat("uzun ", 960)
	for _, c := range []struct{ name, fields, has, lacks string }{
		{"changed within the minute", `"CreatedDate":"2026-01-01T09:10:05Z","ModifiedDate":"2026-01-01T09:10:50Z"`, `"dateModified":"2026-01-01T09:10:50Z"`, "Güncellendi"},
		{"changed on the day", `"CreatedDate":"2026-01-01T09:10:05Z","ModifiedDate":"2026-01-01T09:11:00Z"`, `Güncellendi: <time datetime="2026-01-01T09:11:00Z">12.11</time>`, ""},
		{"changed on the next day", `"CreatedDate":"2026-01-11T09:10:05Z","ModifiedDate":"2026-01-12T09:10:05Z"`, `Güncellendi: <time datetime="2026-01-12T09:10:05Z">12 Ocak 2026 12.10</time>`, ""},
		{"headline of 4,800 letters", `"Title":"` + long + `"`, `<h1 dir="auto" class="long">` + strings.TrimSpace(long) + `</h1>`, ""},
		{"short headline", `"Title":"kısa"`, `<h1 dir="auto">kısa</h1>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "tr")
			w.records = []*archive.Record{fakepaper.Raw(record.Article, "", `{"Id":"1","ContentType":"Article","Path":"/spor/","Text":"<p>x</p>",`+c.fields+`}`)}
			for name, data := range w.render(t).files {
				if !strings.HasPrefix(name, "spor/") || !strings.HasSuffix(name, "-1.html") && name != "spor/1.html" {
					continue
				}
				if !strings.Contains(string(data), c.has) || c.lacks != "" && strings.Contains(string(data), c.lacks) {
					t.Errorf("%s lacks %s, or has %q:\n%s", name, c.has, c.lacks, data)
				}
				return
			}
			t.Error("the page is not rendered")
		})
	}
}

// Of two folders of the navigation, one in the other, a page marks those that it is in.
func TestCurrentSections(t *testing.T) {
	w := newWorld(t, "tr")
	w.sections = []string{"/ekonomi/", "/ekonomi/liman/"}
	w.records = []*archive.Record{
		fakepaper.Item(record.Article, "50000001", "Title", "Borsa", "Path", "/ekonomi/borsa/"), fakepaper.Item(record.Article, "50000002", "Title", "Gemi", "Path", "/ekonomi/liman/"),
	}
	files := w.render(t).files
	for name, want := range map[string]int{"ekonomi/borsa/borsa-50000001.html": 1, "ekonomi/liman/gemi-50000002.html": 2, "index.html": 0} {
		if got := strings.Count(string(files[name]), `aria-current="true"`); got != want {
			t.Errorf("%s marks %d folders, want %d", name, got, want)
		}
	}
}

// TestColumnist: a folder of one writer's name and items shows the writer and leads to the
// writer's page. An item of somebody else makes it a folder like others.
func TestColumnist(t *testing.T) {
	column := func(id, name string) *archive.Record {
		return fakepaper.Item(record.Column, id, "Fullname", name, "Title", "Yazı "+id, "Path", "/yazarlar/ada-su/", "CreatedDate", "2026-01-02T00:00:00Z")
	}
	w := newWorld(t, "tr")
	w.fixture = fixture{records: []*archive.Record{
		fakepaper.Fields(record.Folder, "f1", "Path", "/yazarlar/ada-su/", "Title", "Ada Su"),
		fakepaper.Fields(record.Writer, "w1", "Fullname", "Ada Su", "Path", "/yazarlar/ada-su/", "Description", "Denizden & karadan yazar."),
		column("60000001", "Ada Su"), column("60000002", "Ada Su"),
	}}
	const canonical, about = `<link rel="canonical" href="https://ayna.example/haber/yazar/ada-su-w1/">`, "yazar.</p>"
	alone := w.records
	article := fakepaper.Item(record.Article, "60000003", "Title", "Haber", "Path", "/yazarlar/ada-su/", "CreatedDate", "2026-01-02T00:00:00Z",
		"Writers", []map[string]string{{"Id": "w1", "Fullname": "Ada Su"}})
	for i, other := range []*archive.Record{nil, column("60000003", "Can Er"), article} { // with an article it is a section of that name
		others := min(i, 1)
		if w.records = alone; other != nil {
			w.records = append(slices.Clone(alone), other)
		}
		files := w.render(t).files
		for _, c := range []struct {
			file, text string
			want       int
		}{
			{"yazarlar/ada-su/index.html", canonical, 1 - others},
			{"yazarlar/ada-su/index.html", about, 1 - others},
			{"yazarlar/ada-su/index.html", "<bdi>Ada Su</bdi>", others * (i + 1)}, // beside items
			{"yazar/ada-su-w1/index.html", canonical, 1},
			{"yazar/ada-su-w1/index.html", "Denizden &amp; karadan yazar.</p>", 1},
			{"yazarlar/index.html", `<a href="../yazar/ada-su-w1/index.html"><bdi>Ada Su`, 1 - others},
			{"sitemap.xml", "/yazarlar/ada-su/</loc>", others},
			{"abone/index.html", "/yazarlar/ada-su/feed.xml</code>", others},
			{"abone/index.html", "/yazar/ada-su-w1/feed.xml</code>", 1},
			{"yazarlar/ada-su/yazi-60000001-60000001.html", `<li><a href="../../yazar/ada-su-w1/index.html"><bdi>Ada Su`, 1},
		} {
			if n := strings.Count(string(files[c.file]), c.text); n != c.want {
				t.Errorf("%d items of others: %s has %q %d times, want %d", others, c.file, c.text, n, c.want)
			}
		}
	}
}

// The list of an editors' page has no days: below its heading stand items with their dates.
func TestDatesOfEditorsList(t *testing.T) {
	w := newWorld(t, "tr")
	w.records = articles(3)
	var ids []string
	for _, r := range w.records {
		ids = append(ids, `{"Id":"`+r.ID+`"}`)
	}
	w.records = append(w.records, fakepaper.Raw(record.Page, "", `{"Id":"90","Title":"Manşet","PageNews":[`+strings.Join(ids, ",")+`]}`))
	list := string(w.render(t).files["sayfa/manset-90/index.html"])
	if strings.Count(list, "1 Ocak 2026") != 3 || strings.Contains(list, "<h3") {
		t.Errorf("%s", list)
	}
}
