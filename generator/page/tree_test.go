package page_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"ayna/generator/site"
	"ayna/testrun"
)

// TestTree renders whole sites, with lists of several sheets, and looks at every
// page of them.
func TestTree(t *testing.T) {
	testrun.NotShort(t)
	for _, language := range []string{"tr", "en"} {
		w := newWorld(t, language)
		w.records = append(w.records, articles(110)...)
		r, s := w.renderer(t)
		rendered := renderAll(t, r)
		t.Run(language+"/links", func(t *testing.T) { checkLinks(t, rendered, s) })
		t.Run(language+"/reachable", func(t *testing.T) { checkReachable(t, rendered) })
		t.Run(language+"/pages", func(t *testing.T) { checkPages(t, rendered) })
	}
}

// pages yields the parsed pages of a tree in order.
func (rendered tree) pages(t *testing.T, visit func(name string, root *html.Node)) {
	t.Helper()
	seen := 0
	for _, name := range slices.Sorted(keysOf(rendered.files)) {
		if path.Ext(name) != ".html" {
			continue
		}
		root, err := html.Parse(bytes.NewReader(rendered.files[name]))
		if err != nil {
			t.Fatal(err)
		}
		visit(name, root)
		seen++
	}
	if seen < 50 {
		t.Errorf("only %d pages", seen)
	}
}

// checkLinks follows every link inside the tree, anchors included.
func checkLinks(t *testing.T, rendered tree, s *site.Site) {
	elsewhere := otherFiles(s)
	anchors := make(map[string]map[string]bool)
	rendered.pages(t, func(name string, root *html.Node) {
		anchors[name] = make(map[string]bool)
		for n := range root.Descendants() {
			if id := attribute(n, "id"); id != "" {
				if anchors[name][id] {
					t.Errorf("%s: two elements have the id %s", name, id)
				}
				anchors[name][id] = true
			}
		}
	})
	base, followed := "https://ayna.example/haber/", 0
	rendered.pages(t, func(name string, root *html.Node) {
		from, _ := url.Parse(base + name)
		for n := range root.Descendants() {
			for _, key := range []string{"href", "src"} {
				link := attribute(n, key)
				if link == "" || (n.Data == "link" && attribute(n, "rel") == "canonical") {
					continue
				}
				to, err := from.Parse(link)
				if err != nil {
					t.Errorf("%s: %s: %v", name, link, err)
					continue
				}
				target, inside := strings.CutPrefix(to.Scheme+"://"+to.Host+to.Path, base)
				if !inside {
					continue
				}
				if name == site.NotFound && (target == "" || strings.HasSuffix(target, "/")) {
					target += "index.html"
				}
				followed++
				if rendered.files[target] == nil && !elsewhere[target] {
					t.Errorf("%s links %s, which is not there", name, link)
				}
				if to.Fragment != "" && !anchors[target][to.Fragment] {
					t.Errorf("%s links %s, but %s has no such id", name, link, target)
				}
			}
		}
	})
	if followed < 1000 {
		t.Errorf("only %d links followed", followed)
	}
}

// otherFiles are the files of the tree that other packages make.
func otherFiles(s *site.Site) map[string]bool {
	files := map[string]bool{site.OPML: true}
	for list := range s.Lists() {
		for _, format := range s.FeedFormats(list) {
			files[list.Feed(format)] = true
		}
	}
	for _, f := range s.Folders {
		for _, format := range s.OwnFormats(f) {
			files[f.OwnFeed(format)] = true
		}
	}
	for _, name := range []string{"aa01.jpg", "aa02.jpg", "aa03.jpg", "aa04.jpg", "aa05.png"} {
		files[site.MediaAddress(name)] = true
	}
	return files
}

// checkReachable walks from home: every page but the one for what is not there
// can be found.
func checkReachable(t *testing.T, rendered tree) {
	links := make(map[string][]string)
	rendered.pages(t, func(name string, root *html.Node) {
		for n := range root.Descendants() {
			if link := attribute(n, "href"); n.Data == "a" && link != "" && !strings.Contains(link, ":") {
				link, _, _ = strings.Cut(link, "#")
				links[name] = append(links[name], path.Join(path.Dir(name), link))
			}
		}
	})
	seen := map[string]bool{site.NotFound: true}
	for next := []string{"index.html"}; len(next) > 0; next = next[1:] {
		if !seen[next[0]] {
			seen[next[0]] = true
			next = append(next, links[next[0]]...)
		}
	}
	for name := range links {
		if !seen[name] {
			t.Errorf("nothing links %s", name)
		}
	}
}

var (
	doubly  = regexp.MustCompile(`&amp;(?:amp|lt|gt|quot|#\d+);`)
	allowed = []string{"http", "https", ""}
)

// checkPages holds what every page keeps to.
func checkPages(t *testing.T, rendered tree) {
	for name, data := range rendered.files {
		if site.ContentType(name) == "application/octet-stream" {
			t.Errorf("%s: generator/site/type.go lacks the type of its extension", name)
		}
		if strings.HasSuffix(name, ".woff2") { // where any two bytes may stand together
			continue
		}
		// The fixture has one spot that says "&amp;" to its readers.
		if found := doubly.FindString(strings.ReplaceAll(string(data), "spot &amp;amp; devam", "")); found != "" {
			t.Errorf("%s: doubly escaped: %s", name, found)
		}
		for _, mark := range []string{"%!", "ZgotmplZ", "<no value>", "\u202e"} {
			if strings.Contains(string(data), mark) {
				t.Errorf("%s has %q", name, mark)
			}
		}
	}
	rendered.pages(t, func(name string, root *html.Node) {
		count := make(map[string]int)
		for n := range root.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			count[n.Data]++
			checkElement(t, name, n)
		}
		for _, one := range []string{"h1", "title", "main"} {
			if count[one] != 1 {
				t.Errorf("%s has %d elements %s", name, count[one], one)
			}
		}
	})
}

// checkElement refuses what may run, load or look different from what the
// style sheet says.
func checkElement(t *testing.T, name string, n *html.Node) {
	t.Helper()
	switch n.Data {
	case "style", "iframe", "object", "embed", "base", "math":
		t.Errorf("%s has an element %s", name, n.Data)
	case "svg":
		if !slices.Contains([]string{"sayilar", "numbers"}, path.Base(path.Dir(name))) {
			t.Errorf("%s has an element %s", name, n.Data)
		}
	case "form", "input":
		if !slices.Contains([]string{"arama", "search", "abone", "subscribe", "."}, path.Dir(name)) || name == "index.html" {
			t.Errorf("%s has an element %s", name, n.Data)
		}
	case "script":
		checkScript(t, name, n)
	case "title", "h1", "h2", "h3", "a", "li":
		if strings.TrimSpace(textOf(n)) == "" && n.FirstChild != nil && n.FirstChild.Data != "img" && attribute(n, "aria-hidden") == "" {
			t.Errorf("%s has an empty %s", name, n.Data)
		}
	case "img":
		if !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "alt" }) {
			t.Errorf("%s has a picture without alt", name)
		}
	}
	for _, a := range n.Attr {
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc" {
			t.Errorf("%s has an attribute %s", name, a.Key)
		}
		if a.Key == "http-equiv" && a.Val != "Content-Security-Policy" {
			t.Errorf("%s has http-equiv %s", name, a.Val)
		}
		if a.Key == "href" || a.Key == "src" {
			if u, err := url.Parse(strings.TrimPrefix(a.Val, "feed:")); err != nil || !slices.Contains(allowed, u.Scheme) {
				t.Errorf("%s has %s %s", name, a.Key, a.Val)
			}
		}
	}
}

// checkScript lets pass what comes from a file of the site, and data.
func checkScript(t *testing.T, name string, n *html.Node) {
	t.Helper()
	text := textOf(n)
	if attribute(n, "type") == "application/ld+json" {
		var data struct {
			Context string `json:"@context"`
			Type    string `json:"@type"`
		}
		if err := json.Unmarshal([]byte(text), &data); err != nil || data.Context != "https://schema.org" || data.Type == "" {
			t.Errorf("%s has JSON-LD %s: %v", name, text, err)
		}
		return
	}
	if src := attribute(n, "src"); text != "" || !strings.Contains(src, "assets/") || attribute(n, "type") != "" {
		t.Errorf("%s has a script of its own: %q %q", name, src, text)
	}
}

func TestSheets(t *testing.T) {
	testrun.NotShort(t)
	w := newWorld(t, "tr")
	w.records = articles(160)
	rendered := w.render(t)
	for _, c := range []struct {
		file    string
		teasers int
		has     string
	}{
		{"spor/index.html", 60, `<a rel="next" href="page/2.html">`},
		{"spor/page/2.html", 50, `<a rel="prev" href="../index.html">`},
		{"spor/page/2.html", 50, `<a rel="next" href="1.html">`},
		{"spor/page/1.html", 50, `<a rel="prev" href="2.html">`},
		{"spor/page/1.html", 50, `<h1 dir="auto">Spor, sayfa 1</h1>`},
		{"page/1.html", 50, `<h1 dir="auto">Tüm haberler, sayfa 1</h1>`},
		{"index.html", 9, `<a href="page/2.html">Daha eskiler →</a>`},
	} {
		data := string(rendered.files[c.file])
		if n := strings.Count(data, `<article class="teaser">`); n != c.teasers {
			t.Errorf("%s: %d teasers, want %d", c.file, n, c.teasers)
		}
		if !strings.Contains(data, c.has) {
			t.Errorf("%s lacks %s", c.file, c.has)
		}
	}
	if strings.Contains(string(rendered.files["spor/page/1.html"]), `rel="next"`) {
		t.Error("the oldest sheet links an older one")
	}
}

// TestEmpty renders a site without a single record.
func TestEmpty(t *testing.T) {
	w := newWorld(t, "tr")
	w.fixture = fixture{}
	rendered := w.render(t)
	for _, name := range []string{"index.html", "404.html", "sitemap.xml", "robots.txt", "yazar/index.html"} {
		if len(rendered.files[name]) == 0 {
			t.Errorf("%s is missing", name)
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}
