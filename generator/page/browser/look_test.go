package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ayna/testrun"
	"ayna/testrun/chromium"
)

// look is how a page is looked at.
type look struct {
	width  int64
	dark   bool
	disk   bool // from a folder, not a server
	script bool
}

func (l look) String() string {
	name := fmt.Sprint(l.width)
	for _, part := range []struct {
		is   bool
		name string
	}{{l.dark, "dark"}, {l.disk, "from a disk"}, {!l.script, "without scripts"}} {
		if part.is {
			name += ", " + part.name
		}
	}
	return name
}

// looks are all ways to look at a page.
func looks() []look {
	var all []look
	for _, width := range []int64{360, 800, 1400} {
		for bits := range 8 {
			all = append(all, look{width, bits&1 != 0, bits&2 != 0, bits&4 == 0})
		}
	}
	return all
}

// What axe-core looks at: light and dark, narrow and wide.
var phone, desktop = look{width: 360, script: true}, look{width: 1400, dark: true, script: true}

// ofLook are the rules of axe-core that colours and width decide.
var ofLook = []string{"color-contrast", "color-contrast-enhanced", "link-in-text-block", "target-size"}

// TestPages looks at a page of each template and of each sort of list, in two tabs at a
// time: in the looks of axe-core and in another one, which changes from page to page, or in
// a long run in all. One page of each template is looked at by axe-core.
func TestPages(t *testing.T) {
	p := build(t)
	tabs := make(chan *tab, 2)
	tabs <- openTab(t)
	tabs <- openTab(t)
	for turn, name := range p.find(t, pages...) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := <-tabs
			defer func() { tabs <- c }()
			for i, l := range looks() {
				checked := l == phone || l == desktop
				if l.disk && name == "404.html" { // servers show it
					continue
				}
				if !testrun.Long() && !checked && (i+turn)%24 != 0 {
					continue
				}
				c.look(t, p, name, l)
				switch {
				case testrun.Long() && checked, l == phone && turn < len(templated):
					c.axe(t, l.String())
				case l == desktop && turn < len(templated):
					c.axe(t, l.String(), ofLook...)
				}
			}
		})
	}
}

// wear sets width, colours and scripts.
func (c *tab) wear(t *testing.T, l look) {
	t.Helper()
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	call(t, c, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: l.width, Height: 900, DeviceScaleFactor: 1, Mobile: l.width < 500,
	})
	call(t, c, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	call(t, c, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !l.script})
}

// frame is how long a page needs to show what has changed. It cannot be asked
// where scripts are switched off.
const frame = 20 * time.Millisecond

// misplaced returns the pictures that are not there, or not in the shape for
// which there is room, and goes to one of them, so that it is asked for. A phone
// shows some teasers without their picture, which is not asked for then.
const misplaced = `((turn) => {
  const bad = [...document.images].filter((i) => {
    const room = i.getAttribute("width") / i.getAttribute("height");
    return i.src && i.getClientRects().length && (!i.naturalWidth || Math.abs(i.naturalWidth / i.naturalHeight / room - 1) > 0.02);
  });
  if (bad.length) bad[turn %% bad.length].scrollIntoView();
  return bad.map((i) => i.outerHTML);
})(%d)`

// toThePictures goes to all pictures, and returns those that stay misplaced.
func (c *tab) toThePictures(t *testing.T) []string {
	t.Helper()
	var bad []string
	for turn, start := 0, time.Now(); time.Since(start) < chromium.Patience; turn++ {
		if bad = eval[[]string](t, c, fmt.Sprintf(misplaced, turn)); len(bad) == 0 {
			break
		}
		time.Sleep(frame)
	}
	time.Sleep(2 * frame)
	return bad
}

func (c *tab) look(t *testing.T, p published, name string, l look) {
	t.Helper()
	root := p.url
	if l.disk {
		root = "file://" + p.dir + "/"
	}
	c.wear(t, l)
	c.heard()
	c.do(t, chromedp.Navigate(root+name))
	if bad := c.toThePictures(t); len(bad) > 0 {
		t.Errorf("%s: pictures cannot be shown, or need other room: %v", l, bad)
	}
	if width := call(t, c, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize.Width; width > float64(l.width) {
		t.Errorf("%s: %v pixels wide", l, width)
	}
	messages, requests := c.heard()
	for _, message := range messages {
		t.Errorf("%s: %s", l, message)
	}
	for _, request := range requests {
		if !strings.HasPrefix(request, root) && !strings.HasPrefix(request, "data:") {
			t.Errorf("%s: it asks for %s", l, request)
		}
	}
	if shift := c.shifted(t); shift > parsing && c.shiftsAgain(t, root+name) {
		t.Errorf("%s: layout shift %v", l, shift)
	}
}

// shiftsAgain reports whether a page shifts each time it is loaded from nothing. A
// shift that the page causes does; one of a busy machine, which is late with the
// window's width, does not.
func (c *tab) shiftsAgain(t *testing.T, address string) bool {
	t.Helper()
	for range 3 {
		c.do(t, chromedp.Navigate("about:blank"))
		call(t, c, network.ClearBrowserCache, cdp.Empty{})
		c.do(t, chromedp.Navigate(address))
		c.toThePictures(t)
		if c.shifted(t) <= parsing {
			c.heard()
			return false
		}
	}
	return true
}

// parsing is a layout shift that comes of text which is still being read on a
// slow machine: what is centred beside it moves. A picture that lacks its room
// causes more.
const parsing = 0.01

// TestForcedColors: in the few colours of a system the words found are readable, and no
// look is offered, as none has an effect.
func TestForcedColors(t *testing.T) {
	p := build(t)
	c := openTab(t)
	for _, scheme := range []string{"light", "dark"} {
		call(t, c, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}, {Name: "prefers-color-scheme", Value: scheme}},
		})
		c.do(t, chromedp.Navigate(p.url+"arama/?q=zeytin"))
		want(t, c, scheme, `((style) => style.color + " on " + style.backgroundColor)(getComputedStyle(document.querySelector(".results mark")))`,
			"rgb(0, 0, 0) on rgb(255, 255, 0)") // MarkText on Mark
		want(t, c, scheme, `getComputedStyle(document.querySelector(".look")).display`, "none")
	}
}

// TestAxe says whether TestPages uses axe-core.
func TestAxe(t *testing.T) {
	if os.Getenv("AYNA_AXE") == "" {
		t.Skip("AYNA_AXE does not name axe.min.js (npm pack axe-core): accessibility is not checked")
	}
}
