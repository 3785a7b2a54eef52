package pack_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"ayna/server/sample"
	"ayna/testrun/chromium"
)

// TestReplay: ReplayWeb.page shows home, an item with its picture, and results of the
// site's own search, all from a web archive and without a request to the site.
// AYNA_REPLAY names the folder of npm's package replaywebpage.
func TestReplay(t *testing.T) {
	browser := chromium.Browser(t)
	viewer := os.Getenv("AYNA_REPLAY")
	if viewer == "" {
		t.Skip("AYNA_REPLAY is not set: .ci/run wacz sets it")
	}
	dir := t.TempDir()
	c := sampleSite(t)
	file := packed(t, c, sample.Origin)
	if err := os.WriteFile(filepath.Join(dir, "site.wacz"), file, 0o600); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/site.wacz", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/ui.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(viewer, "ui.js")) })
	mux.HandleFunc("/replay/sw.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(viewer, "sw.js")) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<!DOCTYPE html><script src="/ui.js"></script>
			<style>body { margin: 0 } replay-web-page { display: block; height: 10vh } #page { width: 100%; height: 90vh; border: 0 }</style>
			<replay-web-page source="/site.wacz" coll="sample" replayBase="/replay/"></replay-web-page><iframe id="page"></iframe>`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	tab, stop := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	defer stop()
	tab, cancel := context.WithTimeout(tab, chromium.Patience)
	defer cancel()
	if err := chromedp.Do(tab, chromedp.Navigate(server.URL)); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ name, do, until string }{
		{"home", loaded + `frame.src = "/replay/w/sample/mp_/` + c.BaseURL + `"`, `page.querySelector("main h1, main h2, main h3")`},
		{"a picture", "", `[...page.images].find((i) => i.naturalWidth >= 300 && i.currentSrc.includes("/media/"))`},
		{"a section, by the link that pages have", `page.querySelector("nav.sections a").click()`, `page.location.href.includes("/ekonomi/index.html")`},
		{"an article with its picture", `page.querySelector("main h3 a, main h2 a").click()`, `page.querySelector("article.item .text p") && [...page.images].some((i) => i.naturalWidth >= 300)`},
		{"the search page", `page.querySelector("p.tools a").click()`, `page.querySelector("input[type=search]") && !page.querySelector("input[type=search]").disabled`},
		{"results of a search", `page.querySelector("input[type=search]").value = "zeytin"; page.querySelector("input[type=search]").form.requestSubmit()`,
			`page.getElementById("results")?.ariaBusy === "false" && page.querySelectorAll("#results article, #results li").length > 2`},
	} {
		_, err := chromedp.Run(tab, chromedp.Evaluate[string](replayed(step.do, step.until), chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
	}
}

// loaded is a script that waits until the viewer has read the web archive. Pages are shown
// in a frame beside the viewer's own, whose list of pages may come first on a busy machine.
const loaded = `
	const viewer = document.querySelector("replay-web-page");
	await customElements.whenDefined("replay-web-page");
	for (let pages = 0; !pages; await new Promise((done) => setTimeout(done, 50))) {
		const inner = viewer.shadowRoot?.querySelector("iframe")?.contentWindow;
		const answer = inner?.navigator.serviceWorker?.controller && await inner.fetch("/replay/w/api/c/sample?all=1");
		pages = answer?.ok && (await answer.json()).pages?.length;
	}
`

// replayed returns a script that does something, and then waits until an expression of
// the replayed page holds.
func replayed(do, until string) string {
	return `(async () => {
		const frame = document.getElementById("page");
		let page = frame.contentDocument;
		` + do + `;
		for (let i = 0; i < 600; i++) {
			page = frame.contentDocument;
			if (page?.readyState === "complete" && page.location.href.includes("mp_/") && (` + until + `)) return page.location.href;
			await new Promise((done) => setTimeout(done, 50));
		}
		throw new Error("it does not show: " + page?.location.href + " " + page?.body?.innerText.slice(0, 500));
	})()`
}
