package generator_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"ayna/generator"
	"ayna/generator/site"
	"ayna/templates"
	"ayna/testrun"
)

// TestHub: after a publish the hub is told of the feeds that changed, and a hub
// that fails leaves its mark in the report alone.
func TestHub(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	status := http.StatusNoContent
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, strings.TrimPrefix(r.FormValue("hub.url"), "https://ayna.example/haber/"))
		w.WriteHeader(status)
	}))
	defer hub.Close()
	p := newPress(t)
	p.config.Feeds.Hub, p.config.Feeds.Formats = hub.URL, []site.Format{site.RSS}
	p.config.Feeds.Of = []site.ListKind{site.OfHome, site.OfKinds, site.OfMonths}
	build := func(offline bool, title string) *generator.Report {
		t.Helper()
		told, p.config.Title = nil, title
		report := p.mustBuild(t, func(o *generator.Options) { o.Offline = offline })
		slices.Sort(told)
		return report
	}
	report := build(false, "Bir")
	if len(told) < 2 || told[0] != "feed.xml" || !strings.HasPrefix(told[1], "tur/") || slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "arsiv") }) {
		t.Errorf("told of %q", told)
	}
	if report.Hub == nil || report.Hub.Notified != len(told) || len(report.Hub.Failed) > 0 || report.Incomplete() {
		t.Errorf("report %+v", report.Hub)
	}
	if report = build(false, "Bir"); report.Hub != nil || len(told) > 0 {
		t.Errorf("nothing changed, but the hub was told of %q", told)
	}
	if build(true, "İki"); len(told) > 0 {
		t.Errorf("without any request the hub was told of %q", told)
	}
	status = http.StatusServiceUnavailable
	report = build(false, "Üç")
	if report.Hub == nil || report.Hub.Notified != 0 || len(report.Hub.Failed) != len(told) || !report.Incomplete() {
		t.Errorf("the hub failed: %+v", report.Hub)
	}
	if f := report.Hub.Failed[0]; !strings.HasPrefix(f.Path, "https://ayna.example/haber/") || !strings.Contains(f.Err.Error(), "503") {
		t.Errorf("failure %+v", f)
	}
}

// An item whose template fails has a plain page, and the report names both.
func TestPlainPage(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.offline(t)
	record, _ := twoArticles(t, p.config.Archive)
	amend(t, p.config.Archive, record, map[string]any{
		"Description": "Spot & <script>alert(1)</script>&lt;script&gt;",
		"Text":        "<p>Bir <b>iki</b></p><script>alert(2)</script><p>&lt;img src=x onerror=alert(3)&gt;</p>",
	}, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	text, err := templates.FS.ReadFile("article.html")
	if err != nil {
		t.Fatal(err)
	}
	failing := strings.Replace(string(text), "<article", `{{if eq .Original "`+record.URL+`"}}{{index .Notices 7}}{{end}}<article`, 1)
	p.config.Templates, p.config.Compress, p.config.Output = t.TempDir(), []string{"gzip"}, filepath.Join(p.dir, "plain")
	if err := os.WriteFile(filepath.Join(p.config.Templates, "article.html"), []byte(failing), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // it is rendered again though nothing changed
		report := p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Check = true, true })
		if failed := report.Files.Failed; len(failed) != 1 || !report.Incomplete() || !strings.Contains(failed[0].Err.Error(), "article "+record.ID) || !strings.Contains(failed[0].Err.Error(), "article.html:") {
			t.Errorf("the report says %+v", failed)
		}
	}
	tree := treeOf(t, p.config.Output)
	plain := string(tree[record.Address])
	for _, mark := range []string{
		"<h1 dir=\"auto\">" + html.EscapeString(record.Title) + "</h1>", "Content-Security-Policy", "yalnızca metni var", "<p>Bir iki</p>", "&lt;img src=x onerror=alert(3)&gt;",
		"Spot &amp; &lt;script&gt;", `<a href="` + record.URL + `">Kaynağında oku</a>`, `<meta name="ayna-record" content="article/` + record.ID + ` sha256:`,
	} {
		if !strings.Contains(plain, mark) {
			t.Errorf("the plain page lacks %s:\n%s", mark, plain)
		}
	}
	if strings.Contains(plain, "<script") || strings.Contains(plain, "<img") {
		t.Errorf("the plain page is not safe:\n%s", plain)
	}
	if tree[record.Address+".gz"] == nil {
		t.Error("the plain page is not compressed")
	}
}

var candidate = regexp.MustCompile(`srcset="(?:\.\./)*media/[0-9a-f]{32}-100\.(?:jpg|png) 100w, (?:\.\./)*media/[0-9a-f]{32}-200\.(?:jpg|png) 200w, (?:\.\./)*media/[0-9a-f]{32}\.[a-z]+ [0-9]+w" sizes="[^"]+"`)

// inText is a picture in a text, as package prose writes it into pages and feeds;
// those have one size.
var inText = regexp.MustCompile(`<img [^>]* decoding="async"/>`)

func TestSizes(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.config.Media, p.config.Widths = "mirror", []int{100, 200, 4000}
	first := p.mustBuild(t, func(o *generator.Options) { o.Jobs = 8 })
	if first.Sizes == nil || first.Sizes.Made == 0 || first.Sizes.None != 0 {
		t.Fatalf("%+v", first.Sizes)
	}
	if _, timed := first.Seconds["sizes"]; !timed {
		t.Error("the stage is not timed")
	}
	tree := treeOf(t, p.config.Output)
	again := p.mustBuild(t, func(o *generator.Options) { o.Full, o.Offline, o.Jobs = true, true, 1 })
	if again.Sizes.Made != 0 || again.Files.Written != 0 {
		t.Errorf("the second build made %d sizes and wrote %d files", again.Sizes.Made, again.Files.Written)
	}
	small, items, texts := 0, 0, 0
	for name, content := range tree {
		isPage := strings.HasSuffix(name, ".html")
		switch list := slices.Contains([]string{"index.html", "yasam/index.html", "arsiv/2026-10.html"}, name); {
		case list && !candidate.Match(content):
			t.Errorf("%s has no srcset", name)
		case strings.HasPrefix(name, "media/") && strings.Contains(name, "-100."):
			small++
		case strings.HasPrefix(name, "yasam/") && candidate.Match(content) && bytes.Contains(content, []byte(`<figure class="lead`)):
			items++
		}
		for _, tag := range inText.FindAll(content, -1) {
			texts++
			several := bytes.Contains(tag, []byte("srcset"))
			if several != isPage || several && !candidate.Match(tag) || !bytes.Contains(tag, []byte(` width="`)) {
				t.Errorf("%s: %s", name, tag)
			}
		}
	}
	if small == 0 || items == 0 || texts == 0 {
		t.Errorf("%d small pictures, %d items and %d texts show sizes", small, items, texts)
	}
}
