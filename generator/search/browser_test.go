package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"ayna/assets"
	"ayna/generator/page"
	"ayna/generator/search"
	"ayna/templates"
	"ayna/testrun/chromium"
)

func TestMain(m *testing.M) {
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

// publish writes the world's pages, assets and index to a directory, and beside
// the search page a copy of it with a script that drives it.
func (w world) publish(t *testing.T, driver string) string {
	t.Helper()
	dir := t.TempDir()
	reader := w.reader(t)
	shared, err := page.Assets(assets.FS, page.Frame{})
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
		var b bytes.Buffer
		if err := file.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		put(t, dir, file.Path, b.String())
		if file.Path == "arama/index.html" {
			put(t, dir, "arama/driven.html", strings.Replace(b.String(), "</body>", `<script src="driver.js" defer></script></body>`, 1))
			put(t, dir, "arama/driver.js", driver)
		}
	}
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

// driver asks the page questions as a reader does, and writes what it shows
// into the document.
const driver = `"use strict";
const problems = [];
for (const event of ["error", "unhandledrejection", "securitypolicyviolation"]) {
  addEventListener(event, (e) => problems.push(event + ": " + (e.message || e.reason || e.violatedDirective)), true);
}
const [form, found, results, more] = ["search", "found", "results", "more"].map((id) => document.getElementById(id));
const pause = () => new Promise((done) => setTimeout(done, 5));
const settled = async () => { do await pause(); while (results.ariaBusy === "true"); };
(async () => {
  const answers = [];
  await settled();
  for (const q of QUESTIONS) {
    form.q.value = q.Text;
    form.folder.replaceChildren(new Option("", ""), new Option("", q.Folder));
    form.folder.value = q.Folder;
    form.kind.value = q.Kind;
    form.year.replaceChildren(new Option("", ""), new Option("", q.Year || ""));
    form.year.value = q.Year || "";
    form.requestSubmit();
    await settled();
    const first = found.textContent;
    while (!more.hidden) {
      more.click();
      await settled();
    }
    answers.push({
      first, found: found.textContent, address: location.search,
      hits: [...results.querySelectorAll("a")].map((a) => a.getAttribute("href")),
      titles: [...results.querySelectorAll("a")].map((a) => a.textContent),
    });
  }
  const out = document.createElement("pre");
  out.id = "answers";
  out.textContent = JSON.stringify({ answers, problems, terms: TEXTS.map((text) => ayna.terms(text).join(" ")) });
  document.body.append(out);
})();
`

type answers struct {
	Answers []struct {
		First, Found, Address string
		Hits, Titles          []string
	}
	Problems, Terms []string
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

// doors are the two ways to open a tree.
func doors(t *testing.T, dir string) map[string]string {
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	return map[string]string{"file": "file://" + filepath.ToSlash(dir), "http": server.URL}
}

func drivenBy(t *testing.T, questions []question, texts []string) string {
	t.Helper()
	var queries []any
	for _, q := range questions {
		queries = append(queries, q.query)
	}
	one, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	other, err := json.Marshal(append([]string{}, texts...))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("const QUESTIONS = %s, TEXTS = %s;\n", one, other) + driver
}

// TestBrowser asks the page in Chromium what TestQueries and TestTerms ask the
// reader, from a disk and over http.
func TestBrowser(t *testing.T) {
	browser := chromium.Browser(t)
	all, cases := questions(t), termCases(t)
	var texts []string
	for _, c := range cases {
		texts = append(texts, c[0])
	}
	w := world{items: readItems(t), cut: []int{20, 5}}
	dir := w.publish(t, drivenBy(t, all, texts))
	x := w.render(t).open(t, "arama")
	for name, root := range doors(t, dir) {
		t.Run(name, func(t *testing.T) {
			a := ask(t, browser, root+"/arama/driven.html")
			for i, q := range all {
				result, err := x.All(q.query, 100)
				if err != nil {
					t.Fatal(err)
				}
				got, want := a.Answers[i].Hits, links(result.Hits)
				if !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", q.text, got, want)
				}
				says := fmt.Sprintf("%d sonuç", len(got))
				if len(got) == 0 {
					says = "Sonuç bulunamadı."
				}
				if len(q.query.Text) > 4 && a.Answers[i].Found != says {
					t.Errorf("%s: %q, want %q", q.text, a.Answers[i].Found, says)
				}
			}
			for i, c := range cases {
				if want := strings.Join(search.Terms(c[0]), " "); a.Terms[i] != want {
					t.Errorf("%q: terms %q, want %q", c[0], a.Terms[i], want)
				}
			}
			t.Run("hostile title", func(t *testing.T) {
				document := dump(t, browser, root+"/arama/index.html?q=kal%C4%B1n&year=2024", searched)
				if !strings.Contains(document, "&lt;script&gt;alert(\"1\")&lt;/script&gt; &amp; &lt;b&gt;<mark>kalın</mark>&lt;/b&gt;</a>") {
					t.Errorf("the title is not shown as it is:\n%s", document)
				}
			})
		})
	}
}

// TestBrowserAddress: what the page's address asks for is asked for, also where
// nothing is of that folder or kind, or no word is in it.
func TestBrowserAddress(t *testing.T) {
	browser := chromium.Browser(t)
	dir := world{items: readItems(t)}.publish(t, "")
	for query, want := range map[string]string{
		"q=kitap":            "2 sonuç",
		"q=kitap&folder=yok": "Sonuç bulunamadı.",
		"folder=%3Cb%3Eyok":  "Sonuç bulunamadı.",
		"q=kitap&kind=yok":   "Sonuç bulunamadı.",
		"q=%F0%9F%8C%8A":     "Sonuç bulunamadı.",
		"q=%20":              "",
	} {
		document := dump(t, browser, "file://"+filepath.ToSlash(dir)+"/arama/index.html?"+query, searched)
		if found := foundElement.FindStringSubmatch(document); found == nil || found[1] != want {
			t.Errorf("%s: %q, want %q", query, found, want)
		}
	}
}

var foundElement = regexp.MustCompile(`<p[^>]* id="found"[^>]*>([^<]*)</p>`)

// links are those of hits as the search page has them.
func links(hits []search.Hit) []string {
	all := []string{}
	for _, address := range addresses(hits) {
		all = append(all, "../"+address)
	}
	return all
}

// TestBrowserManySegments: older segments are loaded when a reader asks for
// more, in the order of the reader.
func TestBrowserManySegments(t *testing.T) {
	browser := chromium.Browser(t)
	w := world{items: many(950), cut: []int{5}}
	all := []question{
		{query: questionOf("onluk")}, {query: questionOf("sayı")}, {query: questionOf("a7b")}, {query: questionOf("a949b")}, {query: questionOf("yok")},
	}
	dir := w.publish(t, drivenBy(t, all, nil))
	x := w.render(t).open(t, "arama")
	a := ask(t, browser, "file://"+filepath.ToSlash(dir)+"/arama/driven.html")
	for i, first := range []string{"En yeni 915 içerikte 91 sonuç", "En yeni 915 içerikte 915 sonuç", "1 sonuç", "1 sonuç", "Sonuç bulunamadı."} {
		if a.Answers[i].First != first {
			t.Errorf("%s: first %q, want %q", all[i].query.Text, a.Answers[i].First, first)
		}
		result, err := x.All(all[i].query, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := a.Answers[i].Hits, links(result.Hits); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", all[i].query.Text, got, want)
		}
	}
}

// TestBrowserTroubles: a site that is published while the page is open is read
// again; a file that cannot be had is told.
func TestBrowserTroubles(t *testing.T) {
	browser := chromium.Browser(t)
	dir := world{items: readItems(t)}.publish(t, "")
	for _, c := range []struct {
		name, want string
		answer     func(w http.ResponseWriter, r *http.Request, time int) bool
	}{
		{"another site was published", "2 sonuç", func(w http.ResponseWriter, r *http.Request, time int) bool {
			if r.URL.Path != "/arama/index.js" || time > 1 {
				return false
			}
			io.WriteString(w, `ayna("",{"segments":[{"items":3,"version":"old"}],"items":5});`)
			return true
		}},
		{"the network fails once", "2 sonuç", func(w http.ResponseWriter, r *http.Request, time int) bool {
			return strings.HasPrefix(r.URL.Path, "/arama/index.0/") && time == 1 && notFound(w)
		}},
		{"a file is lost", "Arama dizini okunamadı", func(w http.ResponseWriter, r *http.Request, time int) bool {
			return strings.HasPrefix(r.URL.Path, "/arama/index.0/") && notFound(w)
		}},
		{"a file is damaged", "Arama dizini okunamadı", func(w http.ResponseWriter, r *http.Request, time int) bool {
			return r.URL.Path == "/arama/index.0.js" // an empty answer
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var mu sync.Mutex
			times := make(map[string]int)
			files := http.FileServer(http.Dir(dir))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				times[r.URL.Path]++
				time := times[r.URL.Path]
				mu.Unlock()
				if !c.answer(w, r, time) {
					files.ServeHTTP(w, r)
				}
			}))
			defer server.Close()
			document := dump(t, browser, server.URL+"/arama/index.html?q=kitap", searched)
			if !regexp.MustCompile(`<p[^>]* id="found"[^>]*>` + c.want).MatchString(document) {
				t.Errorf("the page does not say %s:\n%s", c.want, document)
			}
		})
	}
}

func notFound(w http.ResponseWriter) bool {
	w.WriteHeader(http.StatusNotFound)
	return true
}
