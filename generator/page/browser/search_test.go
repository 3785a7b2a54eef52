package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// searched waits until a search is done.
const searched = `new Promise((done) => { const look = () => document.querySelector("#results").ariaBusy === "false" ? done(true) : setTimeout(look, 20); look(); })`

// TestSearchOnPhone: the field has the focus where nothing is asked for yet; the first hit stands
// on the first screen, below filters that are folded; a search without hits offers what may be
// meant, and topics.
func TestSearchOnPhone(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, phone)
	call(t, c, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: 844, DeviceScaleFactor: 1, Mobile: true})
	const offered, ways = `[...document.querySelectorAll("#hint a")].map((link) => link.textContent).join()`, `document.querySelector("#ways .links a").checkVisibility()`
	for _, root := range []string{p.url, "file://" + p.dir + "/"} {
		open := func(query string) {
			c.do(t, chromedp.Navigate(root+"arama/index.html"+query))
			eval[bool](t, c, searched)
		}
		focused := false
		for range 3 { // on a busy machine Chromium gave it to no page once
			open("")
			if focused = eval[string](t, c, `document.activeElement.id`) == "q"; focused {
				break
			}
		}
		if !focused {
			t.Errorf("%s: the field has no focus", root)
		}
		want(t, c, root, ways, true)
		open("?q=zeytin")
		want(t, c, root, `document.querySelector("#results li").getBoundingClientRect().bottom < innerHeight`, true)
		want(t, c, root, ways, false)
		want(t, c, root, `document.querySelector("#folder").checkVisibility()`, false)
		c.do(t, chromedp.Click("#fold"))
		want(t, c, root, `document.querySelector("#fold").ariaExpanded + document.querySelector("#folder").checkVisibility()`, "truetrue")
		for query, names := range map[string]string{"Orhan+Uzn": "Orhan Uzun", "uzn": "Orhan Uzun,uzun", "denxx": "deniz,denize,deneme"} {
			open("?q=" + query)
			want(t, c, root+query, offered, names)
			want(t, c, root+query, ways, true)
		}
	}
}
