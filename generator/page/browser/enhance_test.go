package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	model "ayna/generator/site"
	"ayna/server"
	"ayna/testrun/chromium"
)

// press sends keys, one after the other.
func (c *tab) press(t *testing.T, keys ...string) {
	t.Helper()
	for _, key := range keys {
		c.do(t, chromedp.KeyEvent(key))
	}
}

// want asks the page for something. Some of it comes about a moment later, on a page
// that is still on its way.
func want[T comparable](t *testing.T, c *tab, after, expression string, want T) {
	t.Helper()
	var got T
	var err error
	for start := time.Now(); time.Since(start) < chromium.Patience && c.Err() == nil; time.Sleep(frame) {
		got, err = chromedp.Run(c, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
		if err == nil && got == want {
			return
		}
	}
	t.Errorf("%s: %s is %v, want %v; %v", after, expression, got, want, err)
}

// TestLook chooses the dark look, which other pages keep, and then the light and the
// system's again.
func TestLook(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 1400, script: true})
	const (
		dark = `getComputedStyle(document.documentElement).backgroundColor === "rgb(23, 22, 20)"`
		name = `document.querySelector(".look").textContent`
	)
	for _, root := range []string{p.url, "file://" + p.dir + "/"} {
		c.do(t, chromedp.Navigate(root+"index.html"))
		want(t, c, root, dark, false)
		want(t, c, root, name, "Görünüm: sistemdeki gibi")
		c.do(t, chromedp.Click(".look"))
		want(t, c, "a click", dark, true)
		want(t, c, "a click", name, "Görünüm: koyu")
		c.do(t, chromedp.Navigate(root+"spor/index.html"))
		want(t, c, "another page", dark, true)
		c.do(t, chromedp.Click(".look"))
		want(t, c, "another click", dark, false)
		want(t, c, "another click", name, "Görünüm: açık")
		c.do(t, chromedp.Click(".look"))
		want(t, c, "the third click", name, "Görünüm: sistemdeki gibi")
		want(t, c, "the third click", `localStorage.length`, 0)
	}
}

// TestFeeds finds a list among all and copies its address.
func TestFeeds(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 1400, script: true})
	text, err := os.ReadFile(filepath.Join(p.dir, "abone/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	further := filepath.Join(p.dir, "abone/further.html") // many lists are on further pages
	links := `<section class="feeds"><ul class="links"><li><a href="etiket-1.html">A – Z</a></li></ul></section>`
	if err := os.WriteFile(further, []byte(strings.Replace(string(text), "</main>", links+"</main>", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(further)
	const rows = `[...document.querySelectorAll(".feeds li")].filter((li) => li.checkVisibility()).map((li) => li.querySelector("a").textContent).join(" ")`
	for _, root := range []string{p.url, "file://" + p.dir + "/"} {
		c.do(t, chromedp.Navigate(root+"abone/index.html"))
		all := eval[string](t, c, rows)
		filter := func(text string) {
			eval[bool](t, c, fmt.Sprintf(`{ const input = document.querySelector("#filter"); input.value = %q; input.dispatchEvent(new Event("input")) }`, text))
		}
		filter("SAGLIK")
		want(t, c, "a section and a topic", rows, "Gündem Sağlık Sağlık")
		filter("yok böyle bir şey")
		want(t, c, "nothing", `document.querySelector("#filtered").textContent`, "Bu adla bir şey yok.")
		filter("")
		want(t, c, "no filter", rows, all)
		c.do(t, chromedp.Navigate(root+"abone/further.html"))
		filter("yok böyle bir şey")
		want(t, c, "what further pages may have", rows, "A – Z")
		want(t, c, "what further pages may have", `document.querySelector("#filtered").textContent`, "")
		c.do(t, chromedp.Navigate(root+"abone/index.html"))
		eval[bool](t, c, `window.wrote = ""; navigator.clipboard.writeText = async (text) => { wrote = text; }; true`)
		c.do(t, chromedp.Click(".feeds li button"))
		want(t, c, "a copy", `wrote.endsWith("/feed.xml")`, true)
		want(t, c, "a copy", `document.querySelector(".feeds li button").textContent`, "Kopyalandı")
		eval[bool](t, c, `navigator.clipboard.writeText = null; document.addEventListener("copy", () => { wrote = String(getSelection()); }); wrote = ""; true`)
		c.do(t, chromedp.Click(".feeds li button"))
		want(t, c, "a copy without a clipboard", `wrote.endsWith("/feed.xml")`, true)
	}
	for _, l := range []look{phone, desktop} {
		c.wear(t, l)
		c.do(t, chromedp.Navigate(p.url+"abone/index.html"))
		moved := eval[int](t, c, `{
			const rows = [...document.querySelectorAll(".feed")], height = (row) => row.getBoundingClientRect().height, buttons = rows.map(height);
			for (const button of document.querySelectorAll(".feed button")) button.remove();
			rows.filter((row, i) => height(row) !== buttons[i]).length
		}`)
		if moved > 0 {
			t.Errorf("%v: %d rows grow for their button", l, moved)
		}
		c.do(t, chromedp.Navigate(p.url+"abone/index.html"))
		small := eval[[]string](t, c, `{
			for (const details of document.querySelectorAll("details")) details.open = true;
			[...document.querySelectorAll("main :is(a, button, summary, input)")].filter((target) => {
				const { width, height } = target.getBoundingClientRect();
				return width && (width < 24 || height < 24); // WCAG 2.2, 2.5.8
			}).map((target) => target.outerHTML)
		}`)
		if len(small) > 0 {
			t.Errorf("%v: %d targets are too small for a thumb: %s", l, len(small), small[0])
		}
	}
}

// TestFollow opens the button of a list, with and without scripts.
func TestFollow(t *testing.T) {
	p := build(t)
	c := openTab(t)
	for _, script := range []bool{true, false} {
		c.wear(t, look{width: 360, script: script})
		for name, feed := range map[string]string{"index.html": "feed.xml", "spor/index.html": "spor/feed.xml"} {
			c.do(t, chromedp.Navigate(p.url+name), chromedp.Click(".follow summary"))
			want(t, c, name, `document.querySelector(".follow").open`, true)
			want(t, c, name, `document.querySelector(".follow .address").textContent`, p.url+feed)
			want(t, c, name, `document.querySelector(".follow [href^='feed:']").href`, "feed:"+strings.TrimPrefix(p.url, "http:")+feed)
			want(t, c, name, `document.querySelectorAll(".follow button").length`, map[bool]int{true: 1}[script])
		}
	}
}

// TestNotFound searches from the page for unknown addresses.
func TestNotFound(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 1400, script: true})
	c.do(t, chromedp.Navigate(p.url+"404.html"))
	c.do(t, chromedp.SendKeys("#q", "zeytin"+kb.Enter))
	want(t, c, "the search", `location.pathname.endsWith("/arama/") ? document.querySelector("#q").value : ""`, "zeytin")
}

// TestAgo shows times of the last day by how long they are past.
func TestAgo(t *testing.T) {
	p := build(t)
	c := openTab(t)
	newest := `document.querySelector("time").dateTime`
	c.do(t, chromedp.Navigate(p.url+"spor/index.html"))
	when := eval[string](t, c, newest)
	call(t, c, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf("Date.now = () => Date.parse(%q) + 3.5 * 3600e3", when),
	})
	c.do(t, chromedp.Navigate(p.url+"spor/index.html"))
	want(t, c, "3 hours and a half", `document.querySelector("time").textContent`, "3 saat önce")
	call(t, c, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: fmt.Sprintf("const then = new Date(%q); Date.now = () => +new Date(then.getFullYear(), then.getMonth(), then.getDate() + 1, 23, 59)", when),
	})
	c.do(t, chromedp.Navigate(p.url+"spor/index.html"))
	want(t, c, "the day after", `/^dün \d\d[.:]\d\d$/.test(document.querySelector("time").textContent)`, true)
	if title := eval[string](t, c, `document.querySelector("time").title`); !strings.Contains(title, "2026") {
		t.Errorf("the time's title is %q", title)
	}
}

// TestShare copies the address of an item, without its anchor, or has the system share it.
func TestShare(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 360, script: true})
	call(t, c, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `window.said = ""; navigator.clipboard.writeText = async (text) => { said = text; }; navigator.share = async ({ title, url }) => { said = title + " " + url; };`,
	})
	name := p.find(t, "spor/basketbol/ust-ligde-ilk-galibiyet-*.html")[0]
	c.do(t, chromedp.Navigate(p.url+name+"#main"), chromedp.Click(".share button"))
	want(t, c, "a copy", "said", p.url+name)
	c.do(t, chromedp.Click(".share button + button"))
	want(t, c, "shared", "said", "Üst Lig'de ilk galibiyet: Körfez Basket 69 - Mercan 63 "+p.url+name)
	c.do(t, chromedp.Navigate("file://"+p.dir+"/"+name), chromedp.Click(".share button"))
	want(t, c, "a copy from a disk", `said.startsWith("http")`, true)
}

// TestPrint looks at an article as it is printed.
func TestPrint(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 800, dark: true, script: true})
	call(t, c, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: "print", Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	})
	c.do(t, chromedp.Navigate(p.url+p.find(t, "kultur-sanat/sinema/inceadanin-yazlik-sinemasi-*.html")[0]))
	want(t, c, "print", `getComputedStyle(document.querySelector(".original a"), "::after").content.includes(document.querySelector(".original a").href)`, true)
	want(t, c, "print", `getComputedStyle(document.documentElement).backgroundColor`, "rgb(255, 255, 255)")
	for _, hidden := range []string{".sections", ".tools", ".trail", ".neighbours", ".related", ".part"} {
		want(t, c, "print", fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).display`, hidden), "none")
	}
	want(t, c, "print", `document.querySelector(".lead img").offsetHeight <= 15 / 2.54 * 96 + 1`, true)
	want(t, c, "print", `document.querySelector(".top").offsetHeight < 40`, true)
}

// serve returns the address of the site behind ayna serve.
func serve(t *testing.T, p published) string {
	t.Helper()
	preview, err := server.OpenPreview(p.dir, p.url, model.Sources{}, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(preview.Close)
	live := httptest.NewServer(http.StripPrefix(strings.TrimSuffix(prefix, "/"), preview))
	t.Cleanup(live.Close)
	return live.URL + prefix
}

// TestFeedStyle: a feed that someone opens has the look of a page, not of a program's text.
func TestFeedStyle(t *testing.T) {
	p := build(t)
	c := openTab(t)
	for _, root := range []string{serve(t, p), "file://" + p.dir + "/"} {
		for _, name := range []string{"feed.xml", "spor/atom.xml", p.find(t, "arsiv/*.atom.xml")[0]} {
			c.do(t, chromedp.Navigate(root+name))
			want(t, c, root+name, `getComputedStyle(document.querySelector("title")).fontWeight`, "700")
			want(t, c, root+name, `getComputedStyle(document.documentElement, "::before").borderTopStyle`, "solid")
		}
		if messages, _ := c.heard(); len(messages) > 0 {
			t.Error(messages)
		}
	}
}

// TestTypeface looks whether the site's typeface is shown, from a server and from a disk.
func TestTypeface(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 360, script: true})
	name := p.find(t, "spor/basketbol/ust-ligde-ilk-galibiyet-*.html")[0]
	c.do(t, chromedp.Navigate(p.url+name))
	want(t, c, "a server", `[...document.fonts].find((face) => face.style === "normal").status`, "loaded")
	c.do(t, chromedp.Navigate("file://"+p.dir+"/hakkinda.html")) // which has no italics: it waits for both faces
	want(t, c, "a disk", `document.documentElement.hidden`, false)
	want(t, c, "a disk", `[...document.fonts].slice(0, 2).map((face) => face.status).join()`, "loaded,loaded") // before anything was shown
	const height = `((h) => { h.className = "long"; h.textContent = "uzun ".repeat(960); return h.offsetHeight < 400; })(document.querySelector("h1"))`
	want(t, c, "a headline of 4,800 letters", height, true)
}

// TestTypefaceAtOnce looks whether the first page that a browser ever opens shows the
// typeface: it is used only if it is there before the text is shown.
func TestTypefaceAtOnce(t *testing.T) {
	p := build(t)
	live := serve(t, p)
	for _, test := range []struct {
		page, of string // an element
		files    int
	}{
		{"index.html", ".name", 1}, {"spor/index.html", ".name", 1},
		{"yazarlar/*/bilmiyorum-demenin-bilimi-*.html", ".text em", 2}, // italics
	} {
		c, name := openTab(t), p.find(t, test.page)[0]
		c.wear(t, look{width: 1400, script: true})
		c.do(t, chromedp.Navigate(live+name))
		if shown := c.typefaces(t, test.of); !slices.Equal(shown, []string{"ayna"}) {
			t.Errorf("%s: %s is shown in %q", name, test.of, shown)
		}
		messages, requests := c.heard()
		faces := slices.DeleteFunc(requests, func(r string) bool { return !strings.Contains(r, "/serif") })
		if len(faces) != test.files || len(messages) > 0 {
			t.Errorf("%s: it asks for %q: %q", name, faces, messages)
		}
	}
}

// typefaces returns the names of the typefaces in which an element is shown.
func (c *tab) typefaces(t *testing.T, selector string) (names []string) {
	t.Helper()
	call(t, c, dom.Enable, dom.EnableParams{})
	call(t, c, css.Enable, cdp.Empty{})
	root := call(t, c, dom.GetDocument, dom.GetDocumentParams{}).Root
	node := call(t, c, dom.QuerySelector, dom.QuerySelectorParams{NodeID: root.NodeID, Selector: selector}).NodeID
	for _, font := range call(t, c, css.GetPlatformFontsForNode, css.GetPlatformFontsForNodeParams{NodeID: node}).Fonts {
		names = append(names, font.FamilyName)
	}
	return names
}

// TestWithoutScripts finds everything that a script would do better.
func TestWithoutScripts(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 800})
	c.do(t, chromedp.Navigate(p.url+p.find(t, galleryPage)[0]))
	want(t, c, "gallery", `document.querySelectorAll(".pictures img").length === document.querySelectorAll(".pictures figcaption").length`, true)
	want(t, c, "gallery", `document.querySelector(".viewer") === null`, true)
	want(t, c, "gallery", `getComputedStyle(document.querySelector(".look")).visibility`, "hidden")
	c.do(t, chromedp.Navigate(p.url+"arama/index.html"))
	want(t, c, "search", `getComputedStyle(document.querySelector(".search")).display`, "none")
	if size := call(t, c, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize; size.Height < 300 {
		t.Errorf("the search page is %v pixels high", size.Height)
	}
}
