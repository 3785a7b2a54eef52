package browser

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ayna/archive"
	"ayna/record"
)

// compounds are words of German, Finnish, Hungarian and Russian. Headings have no line for the last one.
var compounds = []string{
	"Wirtschaftswachstums", "Kommunalwahlkommission", "Bundesverfassungsgericht", "Arbeiterunfallversicherungsgesetz", "Donaudampfschifffahrtsgesellschaft",
	"Lentokonesuihkuturbiinimoottori", "Elkelkáposztásítottalanítottátok", "Достопримечательностями", "Mürettebatımızdakilerden", "Sommermärchen\u00adwochenende",
	"Donaudampfschifffahrtsgesellschaftskapitän",
}

// broken returns the words of headings, of up to 34 letters, that the end of a line tears apart.
// Where a soft hyphen stands, it may.
const broken = `[...document.querySelectorAll("main :is(h1, h2, h3)")].flatMap((e) => {
  const range = document.createRange(), found = [];
  for (const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT); walker.nextNode();) {
    for (const word of walker.currentNode.data.matchAll(/\S+/gu)) {
      range.setStart(walker.currentNode, word.index);
      range.setEnd(walker.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (word[0].length <= 34 && !word[0].includes("\u00ad") && lines.size > 1) found.push(word[0]);
    }
  }
  return found;
})`

// alone counts the pictures in lists of a phone that have no words beside them.
const alone = `[...document.querySelectorAll(".list > .teaser:has(.picture)")].filter((e) => innerWidth < 640 &&
  e.querySelector(".picture").getBoundingClientRect().top >= e.querySelector(".meta").getBoundingClientRect().bottom).length`

// TestCompounds: Chromium breaks words without a hyphen here, since it has no dictionaries.
// It breaks none of a headline, a teaser's title or a title found, and no page is wider than its window.
func TestCompounds(t *testing.T) {
	c := openTab(t)
	dir := t.TempDir()
	var records []weapon
	for i, word := range append(compounds, compounds...) {
		address := fmt.Sprintf("https://haber.example/bolum/haber-%d", i)
		records = append(records, weapon{record.Article, map[string]any{
			"Id": 42_000_000 + i, "Title": "Die " + word + " von heute", "Description": "Kurz.", "Path": "/bolum/", "Url": address, "Text": "<p>Kurz.</p>",
			"Files": []any{map[string]any{"FileUrl": address + ".jpg"}}, "StartDate": time.Date(2026, 9, 1, 0, 30*i, 0, 0, time.UTC),
			"RelatedNews": []any{map[string]any{"Id": 42_000_000 + (i+1)%len(compounds), "Title": word}},
		}})
	}
	publishRecords(t, dir, records, func(*archive.Tx) error { return nil })
	pages, err := filepath.Glob(filepath.Join(dir, "public", "bolum", "*.html"))
	if err != nil || len(pages) < len(records) {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	for _, name := range append(pages, filepath.Join(dir, "public", "index.html"), filepath.Join(dir, "public", "arama", "index.html?q=kurz")) {
		c.do(t, chromedp.Navigate("file://"+name))
		if strings.HasSuffix(name, "kurz") {
			eval[bool](t, c, searched)
		}
		for _, width := range []int64{320, 390, 768, 1280} {
			c.wear(t, look{width: width, script: true})
			if torn := eval[[]string](t, c, broken); len(torn) > 0 {
				t.Errorf("%s, %d pixels: torn: %q", filepath.Base(name), width, torn)
			}
			if n := eval[int](t, c, alone); n > 0 {
				t.Errorf("%s, %d pixels: %d pictures without words beside them", filepath.Base(name), width, n)
			}
			if wide := call(t, c, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize.Width; wide > float64(width) {
				t.Errorf("%s, %d pixels: it is %v wide", filepath.Base(name), width, wide)
			}
		}
	}
}
