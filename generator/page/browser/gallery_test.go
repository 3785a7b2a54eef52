package browser

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const galleryPage = "foto-galeri/*-[0-9]*.html"

// TestGalleryLarge measures the large view of a picture: it covers the window, and the
// picture is in its middle, no larger than its file.
func TestGalleryLarge(t *testing.T) {
	p := build(t)
	c := openTab(t)
	const (
		img    = `document.querySelector(".viewer img")`
		inView = `((box) => [box.x, box.y, box.right - innerWidth, box.bottom - innerHeight].join())(document.querySelector(".viewer").getBoundingClientRect())`
	)
	for _, width := range []int{390, 1280, 1920} {
		c.wear(t, look{width: int64(width), script: true})
		c.do(t, chromedp.Navigate(p.url+p.find(t, galleryPage)[0]))
		c.do(t, chromedp.Click(".pictures figure > a"))
		want(t, c, fmt.Sprint(width), img+`.complete && `+img+`.naturalWidth > 0`, true)
		if beside := eval[string](t, c, inView); beside != "0,0,0,0" {
			t.Errorf("%d: the view is %s pixels from the window's edges", width, beside)
		}
		row := eval[int](t, c, `((box) => Math.round(box.y + box.height / 2) - 90)(`+img+`.getBoundingClientRect())`) // no button is there
		shot, err := chromedp.Run(c, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		screen, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			t.Fatal(err)
		}
		left, right := width, 0
		for x := range width {
			if r, _, _, _ := screen.At(x, row).RGBA(); r>>8 != 0x11 { // the view's colour
				left, right = min(left, x), x+1
			}
		}
		room := eval[int](t, c, `((m) => Math.round(Math.min(innerWidth, m.naturalWidth, m.getBoundingClientRect().height * m.naturalWidth / m.naturalHeight)))(`+img+`)`)
		if beyond := right - left - room; beyond < 0 || beyond > 1 || left != (width-room)/2 { // a pixel may be covered in part
			t.Errorf("%d: the picture is at %d to %d, want %d pixels in the middle", width, left, right, room)
		}
	}
}

// TestGalleryByKeyboard walks through a gallery without a mouse.
func TestGalleryByKeyboard(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 1400, script: true})
	c.do(t, chromedp.Navigate(p.url+p.find(t, galleryPage)[0]))
	n := eval[int](t, c, `document.querySelectorAll(".pictures figure > a").length`)
	if n < 3 {
		t.Fatalf("a gallery of %d pictures", n)
	}
	const (
		open    = `document.querySelector(".viewer").open`
		caption = `document.querySelector(".viewer figcaption").textContent.split("/")[0]`
		focused = `[...document.querySelectorAll(".pictures figure > a")].indexOf(document.activeElement)`
		ring    = `parseFloat(getComputedStyle(document.activeElement).outlineWidth) > 0`
	)
	c.press(t, kb.Tab)
	want(t, c, "the first Tab", `document.activeElement.className`, "skip")
	want(t, c, "the first Tab", `getComputedStyle(document.activeElement).clipPath`, "none")
	c.press(t, kb.Enter)
	for presses := 0; eval[int](t, c, focused) != 0; presses++ {
		if presses > 100 {
			t.Fatal("Tab does not lead to the pictures")
		}
		c.press(t, kb.Tab)
		want(t, c, "Tab", ring, true)
	}
	want(t, c, "before Enter", open, false)
	c.press(t, kb.Enter)
	want(t, c, "Enter", open, true)
	want(t, c, "Enter", caption, "1")
	c.press(t, kb.ArrowLeft)
	want(t, c, "left of the first", caption, "1")
	c.press(t, kb.ArrowRight)
	want(t, c, "right", caption, "2")
	c.press(t, kb.End)
	want(t, c, "End", caption, fmt.Sprint(n))
	want(t, c, "End", `document.querySelector(".viewer img").src === document.querySelectorAll(".pictures figure > a")[`+fmt.Sprint(n-1)+`].href`, true)
	c.press(t, kb.ArrowRight)
	want(t, c, "right of the last", caption, fmt.Sprint(n))
	c.axe(t, "the open viewer")
	for range 8 {
		c.press(t, kb.Tab)
		want(t, c, "Tab in the viewer", `document.activeElement === document.body || document.querySelector(".viewer").contains(document.activeElement)`, true)
	}
	c.press(t, kb.Escape)
	want(t, c, "Escape", open, false)
	want(t, c, "Escape", focused, n-1)
	if messages, _ := c.heard(); len(messages) > 0 {
		t.Error(messages)
	}
}

// TestGalleryBySwipe turns pages with a finger.
func TestGalleryBySwipe(t *testing.T) {
	p := build(t)
	c := openTab(t)
	c.wear(t, look{width: 360, script: true})
	call(t, c, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	c.do(t, chromedp.Navigate(p.url+p.find(t, galleryPage)[0]))
	eval[bool](t, c, `document.querySelector(".pictures figure > a").click(); true`)
	const caption = `document.querySelector(".viewer figcaption").textContent.split("/")[0]`
	for _, swipe := range []struct {
		from, to float64
		want     string
	}{{300, 60, "2"}, {200, 190, "2"}, {60, 300, "1"}} {
		finger := func(kind input.DispatchTouchEventType, at ...*input.TouchPoint) {
			call(t, c, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: at})
		}
		finger("touchStart", &input.TouchPoint{X: swipe.from, Y: 400})
		finger("touchMove", &input.TouchPoint{X: (swipe.from + swipe.to) / 2, Y: 400})
		finger("touchMove", &input.TouchPoint{X: swipe.to, Y: 400})
		finger("touchEnd")
		want(t, c, fmt.Sprintf("from %v to %v", swipe.from, swipe.to), caption, swipe.want)
	}
}
