package search_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"ayna/generator/search"
	"ayna/generator/site"
	"ayna/testrun/chromium"
)

// framer opens the search page in a frame for one query after the other, and
// writes into the document what each of them shows first.
const framer = `<!DOCTYPE html><html lang="tr"><title>x</title><body><script>"use strict";
const pause = () => new Promise((done) => setTimeout(done, 5));
(async () => {
  const answers = [];
  for (const query of QUERIES) {
    const frame = document.createElement("iframe");
    const arrived = new Promise((done) => { frame.onload = done; });
    frame.src = "index.html?" + query;
    document.body.append(frame);
    await arrived;
    const results = frame.contentDocument.getElementById("results");
    do await pause(); while (results.ariaBusy !== "false");
    answers.push({
      found: frame.contentDocument.getElementById("found").textContent,
      hits: [...results.querySelectorAll("a")].map((a) => a.getAttribute("href")),
    });
    frame.remove();
  }
  const out = document.createElement("pre");
  out.id = "answers";
  out.textContent = JSON.stringify({ answers, problems: [], terms: [] });
  document.body.append(out);
})();
</script></body></html>`

// TestBrowserLoad: in Chromium a page of results loads the same files as the
// reader that [TestLoad] asks, and 300 KB at most.
func TestBrowserLoad(t *testing.T) {
	browser := chromium.Browser(t)
	p := print(t, 45_000, apart)
	made := p.render(t)
	var queries []search.Query
	for _, text := range []string{"abc", "abc dez fiv guk hom", "abc dez fiv guk hom jul", "abca", "99999", ""} {
		queries = append(queries, search.Query{Text: text}, search.Query{Text: text, Folder: "nadir"}, search.Query{Text: text, Year: 1999, Kind: site.Article})
	}
	var addresses []string
	for _, q := range queries {
		addresses = append(addresses, addressOf(q))
	}
	encoded, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	shell := world{}.publish(t, "")
	put(t, shell, "arama/framer.html", strings.Replace(framer, "QUERIES", string(encoded), 1))

	var mu sync.Mutex
	loads := make(map[string]map[string]int) // by query, what it loads
	files := http.FileServer(http.Dir(shell))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		name := path.Clean(r.URL.Path)[1:]
		text, ok := made.files[name]
		if !ok {
			files.ServeHTTP(w, r)
			return
		}
		from, err := url.Parse(r.Referer())
		if err != nil {
			t.Error(err)
			return
		}
		query := from.Query().Encode()
		mu.Lock()
		defer mu.Unlock()
		if loads[query] == nil {
			loads[query] = make(map[string]int)
		}
		loads[query][name] += len(text)
		w.Header().Set("Content-Type", "text/javascript")
		http.ServeContent(w, r, "", p.site.Home.Items.At(0).PublishedTime(), bytes.NewReader([]byte(text)))
	}))
	defer server.Close()
	a := ask(t, browser, server.URL+"/arama/framer.html")
	mu.Lock()
	defer mu.Unlock()
	for i, q := range queries {
		x, counted := made.index(t)
		hits, bytes := press(t, x.Search(q), counted)
		got := loads[addresses[i]]
		if !maps.Equal(got, counted.sizes) {
			t.Errorf("%+v loads %v, want %v", q, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(counted.sizes)))
		}
		if bytes > search.PageSize {
			t.Errorf("%+v loads %d bytes", q, bytes)
		}
		if !slices.Equal(a.Answers[i].Hits, links(hits)) {
			t.Errorf("%+v: %v, want %v (%s)", q, a.Answers[i].Hits, links(hits), a.Answers[i].Found)
		}
		t.Logf("%+v: %d files, %d bytes, %d hits: %s", q, len(got), bytes, len(hits), a.Answers[i].Found)
	}
}

// addressOf is how a query stands in the address of the search page.
func addressOf(q search.Query) string {
	kept := make(url.Values)
	for name, value := range map[string]string{"q": q.Text, "folder": q.Folder, "kind": string(q.Kind)} {
		if value != "" {
			kept.Set(name, value)
		}
	}
	if q.Year != 0 {
		kept.Set("year", strconv.Itoa(q.Year))
	}
	return kept.Encode()
}

// TestBrowserShift: results that arrive when the page was painted move nothing that is
// seen.
func TestBrowserShift(t *testing.T) {
	browser := chromium.Browser(t)
	for name, root := range doors(t, world{items: many(40)}.publish(t, "")) {
		document := dump(t, browser, root+"/arama/index.html", searched+` && (async () => {
			const frames = async () => { for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); };
			let sum = 0;
			new PerformanceObserver((list) => { for (const shift of list.getEntries()) sum += shift.value; }).observe({ type: "layout-shift", buffered: true });
			await frames();
			document.getElementById("q").value = "sayı";
			document.getElementById("search").requestSubmit();
			while (document.getElementById("results").children.length < 10) await frames();
			await frames();
			document.title = "shift " + sum;
			return true;
		})()`)
		if !strings.Contains(document, "<title>shift 0</title>") {
			t.Errorf("%s: the page shifts: %s", name, document[:min(len(document), 300)])
		}
	}
}
