package page_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/page"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// TestFeedsNamed: a page names the feeds of its list, and none where the list
// has none.
func TestFeedsNamed(t *testing.T) {
	for _, test := range []struct {
		of        []site.ListKind
		has, lack []string // on the page of a folder
	}{
		{nil, []string{
			`href="feed.xml"`, `href="../feed.json"`, `title="Spor – `, `<a href="feed://ayna.example/haber/spor/feed.xml">`, `<a href="../abone/index.html">`,
			`<a href="https://feedly.com/i/subscription/feed%2Fhttps%3A%2F%2Fayna.example%2Fhaber%2Fspor%2Ffeed.xml" rel="nofollow noreferrer">Feedly</a>`,
		}, nil},
		{[]site.ListKind{site.OfFolders}, []string{`href="atom.xml"`}, []string{`href="../atom.xml"`}},
		{[]site.ListKind{site.OfHome, site.OfTags}, []string{`href="../feed.xml"`}, []string{`href="feed.xml"`, `<details class="follow"`}},
	} {
		w := newWorld(t, "tr")
		w.settings.FeedsOf = test.of
		text := string(w.render(t).files["spor/index.html"])
		for _, mark := range test.has {
			if !strings.Contains(text, mark) {
				t.Errorf("feeds of %v: the page lacks %s", test.of, mark)
			}
		}
		for _, mark := range test.lack {
			if strings.Contains(text, mark) {
				t.Errorf("feeds of %v: the page has %s", test.of, mark)
			}
		}
	}
}

// TestServices: readers on the web are offered where they can reach the site.
func TestServices(t *testing.T) {
	for base, want := range map[string]bool{
		"https://ayna.example/": true, "http://203.0.113.7/": true, "http://[2001:db8::7]:8080/": true,
		"http://127.0.0.1:8080/": false, "http://[::1]/": false, "http://192.168.1.7/": false, "http://localhost:8080/": false, "http://ayna.localhost/": false, "http://nas/": false, "http://nas.local/": false, "http://Gazete.LAN./": false, "http://a.home.arpa/": false,
	} {
		w := newWorld(t, "tr")
		w.records, w.settings.BaseURL = articles(1), base
		if got := strings.Contains(string(w.render(t).files["index.html"]), "newsblur.com/?url="); got != want {
			t.Errorf("%s: %v, want %v", base, got, want)
		}
	}
}

func TestSubscribe(t *testing.T) {
	w := newWorld(t, "tr")
	text := string(w.render(t).files["abone/index.html"])
	for _, mark := range []string{
		`<code class="address">https://ayna.example/haber/feed.xml</code>`, `<code class="address">https://ayna.example/haber/spor/feed.xml</code>`,
		`https://ayna.example/haber/ekonomi/feed-own.xml`, `https://ayna.example/haber/karma/kiyi-ve-spor/feed.xml`,
		`https://ayna.example/haber/duzeltmeler/feed.xml`, `https://ayna.example/haber/tur/haber/feed.xml`, `<a href="../opml.xml">OPML</a> <code class="address">https://ayna.example/haber/opml.xml</code>`,
		`href="../spor/feed.json"`, "RSS okuyucusuyla", `<summary>Alt bölümler <small>2</small></summary>`, `<bdi>Liman</bdi>`, `<bdi>B › C D › E</bdi>`,
		`<summary><h2 id="tags"><bdi>Konular</bdi></h2> <small>`,
	} {
		if !strings.Contains(text, mark) {
			t.Errorf("the page of all feeds lacks %s", mark)
		}
	}
	if strings.Contains(text, "spor/feed-own.xml") {
		t.Error("it names two feeds that are the same")
	}
	w.settings.Formats = []site.Format{site.JSON}
	if text := string(w.render(t).files["abone/index.html"]); !strings.Contains(text, `<code class="address">https://ayna.example/haber/feed.json</code>`) {
		t.Error("it knows no JSON Feed")
	}
	w.settings.Formats = nil
	if rendered := w.render(t); rendered.files["abone/index.html"] != nil || strings.Contains(string(rendered.files["index.html"]), "abone/") {
		t.Error("a site without feeds says how to follow it")
	}
}

// TestManyFeeds: feeds that are too many for one page are on several.
func TestManyFeeds(t *testing.T) {
	testrun.NotShort(t)
	w := newWorld(t, "tr")
	w.records = articles(1)
	tags := make([]string, 0, 2100)
	for i := range 2100 {
		tags = append(tags, fmt.Sprintf("etiket %04d", i))
	}
	for i := range 33 { // a record has at most 200, and a tag with feeds has three
		from := i / 3 * 200
		w.records = append(w.records, tagged(i, tags[from:min(from+200, 2100)]))
	}
	for i := range 1100 {
		w.records = append(w.records, fakepaper.Item(record.Article, fmt.Sprint(70000000+i), "Title", "x", "Path", fmt.Sprintf("/ilce/i%04d/", i), "Tags", nil))
	}
	r, s := w.renderer(t)
	rendered := renderIn(t, r, "abone/")
	text := string(rendered.files["abone/index.html"])
	for _, mark := range []string{`<a href="etiket-1.html" dir="auto">etiket 0000 – etiket 0999</a> <small>1.000 besleme</small>`, `href="etiket-3.html"`} {
		if !strings.Contains(text, mark) {
			t.Errorf("the page of all feeds lacks %s", mark)
		}
	}
	if strings.Contains(text, "etiket-0001/feed.xml") {
		t.Error("it names tags itself")
	}
	if n := strings.Count(string(rendered.files["abone/etiket-3.html"]), "<code"); n != 100 {
		t.Errorf("the last page names %d feeds", n)
	}
	text = string(rendered.files["abone/2.html"])
	if !strings.Contains(text, "İ1099</bdi>") || strings.Contains(text, "<summary>") {
		t.Error("a page that begins with a sub-folder shows others as its own:\n" + text)
	}
	checkLinks(t, rendered, s)
}

func tagged(number int, tags []string) *archive.Record {
	return fakepaper.Item(record.Article, fmt.Sprint(60000000+number), "Title", "x", "Path", "/spor/", "Tags", tags)
}

// later renders what only a second look at the source brings: a correction, and a
// folder of another name.
func later(t *testing.T) (tree, *site.Site) {
	t.Helper()
	w := newWorld(t, "tr")
	a := w.store(t)
	arranged := func() *site.Site {
		s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: w.settings})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	arranged()
	w.set("41000301", "Title", "Yelken <yarışı> ertelendi")
	for _, id := range []string{"41000301", "41000008", "41000012"} {
		w.set(id, "Path", "/deniz-sporlari/")
	}
	put(t, a, w.records)
	s := arranged()
	r, err := page.New(story.New(a, s, true), page.Options{Templates: w.templates, Parsed: w.parsed(t)})
	if err != nil {
		t.Fatal(err)
	}
	return renderAll(t, r), s
}

func TestLaterLists(t *testing.T) {
	rendered, s := later(t)
	for name, marks := range map[string][]string{
		"duzeltmeler/index.html":           {"<dt>Başlık</dt>", `<ins><span class="hidden">[eklenen: </span>&lt;yarışı&gt; ertelendi<span class="hidden">]</span></ins>`, `href="../spor/yelken-yarisi-41000301.html"`, `href="feed.xml"`},
		"spor/yelken-yarisi-41000301.html": {`<details class="notice history">`, "<summary>Bu metin yayımlandıktan sonra değişti", "</span>&lt;yarışı&gt; ertelendi<span"},
		"spor/index.html":                  {`<a href="../deniz-sporlari/index.html">`, `href="../deniz-sporlari/feed.xml"`, `<link rel="canonical" href="https://ayna.example/haber/deniz-sporlari/">`},
	} {
		for _, mark := range marks {
			if !strings.Contains(string(rendered.files[name]), mark) {
				t.Errorf("%s lacks %s:\n%s", name, mark, rendered.files[name])
			}
		}
	}
	checkLinks(t, rendered, s)
	checkPages(t, rendered)
}
