package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"ayna/assets"
	"ayna/generator/page"
	"ayna/generator/story"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/chromium"
)

func TestMain(m *testing.M) {
	testrun.SpendMemory()
	code := m.Run()
	chromium.Stop()
	os.Exit(code)
}

// dump opens an address in a tab with storage and a cache of its own, and returns the
// document as soon as an expression holds in it.
func dump(t *testing.T, browser context.Context, address, until string) string {
	t.Helper()
	tab, stop := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer stop()
	tab, cancel := context.WithTimeout(tab, chromium.Patience)
	defer cancel()
	if err := chromedp.Do(tab, chromedp.Navigate(address)); err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	document, err := chromedp.Run(tab, chromedp.Evaluate[string](`(async () => {
		while (!await (`+until+`)) await new Promise((done) => setTimeout(done, 5));
		return document.documentElement.outerHTML;
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return document
}

// When a document is complete: the search page shows what it has found, or a driver
// has written its answers.
const (
	searched = `document.getElementById("results")?.ariaBusy === "false"`
	answered = `document.getElementById("answers")`
)

// shell writes a site's search page and assets to a directory, and beside the page a copy of
// it with a script that drives it.
func shell(t *testing.T, reader *story.Reader, driver string) string {
	t.Helper()
	dir := t.TempDir()
	shared, err := page.Assets(assets.FS, page.Branding{})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := page.New(reader, page.Options{Templates: templates.FS, Assets: shared})
	if err != nil {
		t.Fatal(err)
	}
	for file, err := range pages.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(file.Path, "arama/index.") && !strings.HasPrefix(file.Path, "assets/") {
			continue
		}
		var b strings.Builder
		if err := file.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		put(t, dir, file.Path, b.String())
		if file.Path == "arama/index.html" {
			put(t, dir, "arama/driven.html", strings.Replace(b.String(), "</body>", `<script src="driver.js" defer></script></body>`, 1))
			put(t, dir, "arama/driver.js", driver)
		}
	}
	return dir
}

// publish writes the world's search page, assets and index to a directory.
func (w world) publish(t *testing.T, driver string) string {
	t.Helper()
	dir := shell(t, w.reader(t), driver)
	w.render(t).write(t, dir)
	return dir
}

func put(t *testing.T, dir, path, text string) {
	t.Helper()
	write(t, dir, path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// driver asks the page questions as a reader does, and writes what it shows into the
// document, and how many bytes of the index each first page of results has loaded.
const driver = `"use strict";
const problems = [];
for (const event of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  addEventListener(event, (e) => problems.push(event + ": " + (e.message || e.reason || e.violatedDirective)), true);
}
const [form, found, results, more, hint] = ["search", "found", "results", "more", "hint"].map((id) => document.getElementById(id));
const pause = () => new Promise((done) => setTimeout(done, 5));
const settled = async () => { do await pause(); while (results.ariaBusy === "true"); };
(async () => {
  const answers = [];
  await settled();
  for (const q of QUESTIONS) {
    for (const name of ["folder", "writer"]) form[name]?.replaceChildren(new Option("", ""), new Option("", q[name] || ""));
    for (const name of ["q", "folder", "writer", "kind", "from", "to", "sort"].filter((name) => form[name])) form[name].value = q[name] || "";
    if (FRESH) {
      ayna.close();
      performance.clearResourceTimings();
      performance.setResourceTimingBufferSize(10000);
    }
    form.requestSubmit();
    await settled();
    const first = found.textContent, shown = results.children.length;
    const loaded = FRESH ? performance.getEntriesByType("resource").reduce((sum, r) => sum + (r.decodedBodySize || 0), 0) : 0;
    while (!more.hidden && results.children.length < MOST) {
      more.click();
      await settled();
    }
    const links = [...results.querySelectorAll("a")];
    answers.push({
      first, shown, loaded, found: found.textContent, address: location.search, hint: hint.hidden ? "" : hint.textContent,
      hits: links.map((a) => a.getAttribute("href").replace(/^(\.\.\/)*/, "")), titles: links.map((a) => a.textContent),
      marks: [...results.querySelectorAll("mark")].map((m) => m.textContent),
    });
  }
  const out = document.createElement("pre");
  out.id = "answers";
  out.textContent = JSON.stringify({ answers, problems, words: TEXTS.map((text) => ayna.words(ayna.normal(text)).map((w) => w.word).join(" ")) });
  document.body.append(out);
})();
`

// query is what is asked of the page, as its form has it.
type query struct {
	Q      string `json:"q"`
	Folder string `json:"folder"`
	Writer string `json:"writer"`
	Kind   string `json:"kind"`
	From   string `json:"from"`
	To     string `json:"to"`
	Sort   string `json:"sort"`
}

type answer struct {
	First, Found, Address, Hint string
	Shown, Loaded               int
	Hits, Titles, Marks         []string
}

type answers struct {
	Answers         []answer
	Problems, Words []string
}

var answersElement = regexp.MustCompile(`(?s)<pre id="answers">(.*)</pre>`)

func ask(t *testing.T, browser context.Context, address string) answers {
	t.Helper()
	document := dump(t, browser, address, answered)
	match := answersElement.FindStringSubmatch(document)
	if match == nil {
		t.Fatalf("%s has no answers:\n%s", address, document)
	}
	var a answers
	if err := json.Unmarshal([]byte(html.UnescapeString(match[1])), &a); err != nil {
		t.Fatal(err)
	}
	for _, problem := range a.Problems {
		t.Errorf("%s: %s", address, problem)
	}
	return a
}

// roots returns the addresses of a tree, as a file and over HTTP.
func roots(t *testing.T, dir string) map[string]string {
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return map[string]string{"file": "file://" + filepath.ToSlash(dir), "http": server.URL}
}

// drivenBy returns a driver of some queries and texts. A fresh one loads the index anew for
// each query; it turns pages until it has most hits.
func drivenBy(t *testing.T, queries []query, texts []string, fresh bool, most int) string {
	t.Helper()
	encoded := func(value any) []byte {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	return fmt.Sprintf("const QUESTIONS = %s, TEXTS = %s, FRESH = %t, MOST = %d;\n",
		encoded(append([]query{}, queries...)), encoded(append([]string{}, texts...)), fresh, most) + driver
}

// asked asks the page of a newspaper in memory some queries, each with an empty cache, for the
// first page of hits, or for most of them.
func (p *paper) asked(t *testing.T, browser context.Context, queries []query, most int) (tree, []answer) {
	t.Helper()
	made := p.render(t)
	dir := shell(t, world{}.reader(t), drivenBy(t, queries, nil, true, most))
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		text, ok := made.files[path.Clean(r.URL.Path)[1:]]
		if !ok {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/javascript")
		io.WriteString(w, text)
	}))
	defer server.Close()
	return made, ask(t, browser, server.URL+"/arama/driven.html").Answers
}
