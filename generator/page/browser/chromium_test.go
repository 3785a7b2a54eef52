package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a tab of Chromium, and what happened in it.
type tab struct {
	context.Context
	mu       sync.Mutex
	messages []string // of the console
	requests []string // addresses
}

// watchShifts adds up how far things moved that a reader had seen in place
// (web.dev, Cumulative Layout Shift).
const watchShifts = `window.shifts = 0;
new PerformanceObserver((list) => { for (const e of list.getEntries()) window.shifts += e.value; }).observe({type: "layout-shift", buffered: true});`

// chromium opens a tab in a browser of its own.
func chromium(t *testing.T) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed (apt-get install chromium): pages are not looked at")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), // no page may reach further
	)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	c := &tab{Context: ctx}
	if err := chromedp.Listen(ctx, c.hear); err != nil {
		t.Fatal(err)
	}
	call(t, c, network.Enable, network.EnableParams{})
	call(t, c, log.Enable, cdp.Empty{})
	call(t, c, runtime.Enable, cdp.Empty{})
	call(t, c, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchShifts})
	return c
}

// call gives Chromium a command.
func call[P, R any](t *testing.T, c *tab, command cdp.Command[P, R], params P) R {
	t.Helper()
	result, err := chromedp.Call(c, command, params)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func (c *tab) hear(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		c.requests = append(c.requests, e.Request.URL)
	case *log.EventEntryAdded:
		c.messages = append(c.messages, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *runtime.EventConsoleAPICalled:
		c.messages = append(c.messages, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		c.messages = append(c.messages, e.ExceptionDetails.Text)
	case *page.EventJavascriptDialogOpening:
		c.messages = append(c.messages, "dialog: "+e.Message)
	}
}

// do runs actions, and ends the test if one fails.
func (c *tab) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(c, actions...); err != nil {
		t.Fatal(err)
	}
}

// eval returns what an expression is on the page.
func eval[T any](t *testing.T, c *tab, expression string) T {
	t.Helper()
	result, err := chromedp.Run(c, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return result
}

// heard returns what happened since it was asked last.
func (c *tab) heard() (messages, requests []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	messages, requests = c.messages, c.requests
	c.messages, c.requests = nil, nil
	return messages, requests
}

// look is how a page is looked at.
type look struct {
	name   string
	width  int64
	dark   bool
	disk   bool // from a folder, not a server
	script bool
	axe    bool // also with a screen reader's eyes
}

var looks = []look{
	{"phone", 360, false, false, true, true},
	{"tablet, dark", 800, true, false, true, false},
	{"desktop, dark", 1400, true, false, true, true},
	{"phone without scripts", 360, true, false, false, false},
	{"from a disk", 1400, false, true, true, false},
	{"from a disk without scripts", 800, false, true, false, false},
}

// TestPages looks at a page of each template.
func TestPages(t *testing.T) {
	p := build(t)
	names := p.find(t, pages...)
	for _, l := range looks {
		t.Run(l.name, func(t *testing.T) {
			c := chromium(t)
			c.wear(t, l)
			for _, name := range names {
				if l.disk && name == "404.html" {
					continue // servers show it
				}
				c.look(t, p, name, l)
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

// toTheEnd walks down the page, so that every picture is asked for, and waits until
// all are there.
const toTheEnd = `(async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += 600) {
    scrollTo(0, y);
    await new Promise(requestAnimationFrame);
  }
  scrollTo(0, 0);
  await Promise.all([...document.images].map((i) => i.decode().catch(() => {})));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [...document.images].filter((i) => i.src && !i.naturalWidth).map((i) => i.src);
})()`

func (c *tab) look(t *testing.T, p published, name string, l look) {
	t.Helper()
	root := p.url
	if l.disk {
		root = "file://" + p.dir + "/"
	}
	c.heard()
	c.do(t, chromedp.Navigate(root+name))
	if l.script {
		if missing := eval[[]string](t, c, toTheEnd); len(missing) > 0 {
			t.Errorf("%s: pictures cannot be shown: %v", name, missing)
		}
		if shifts := eval[float64](t, c, "shifts"); shifts > 0 {
			t.Errorf("%s: layout shift %v", name, shifts)
		}
	}
	if width := call(t, c, page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize.Width; width > float64(l.width) {
		t.Errorf("%s: %v pixels wide at %d", name, width, l.width)
	}
	if l.axe {
		c.axe(t, name)
	}
	messages, requests := c.heard()
	for _, message := range messages {
		t.Errorf("%s: %s", name, message)
	}
	for _, request := range requests {
		if !strings.HasPrefix(request, root) && !strings.HasPrefix(request, "data:") {
			t.Errorf("C08 %s asks for %s", name, request)
		}
	}
}

var axeSource = sync.OnceValues(func() (string, error) {
	name := os.Getenv("AYNA_AXE")
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	return string(data), err
})

// axe has axe-core look for what keeps people out.
func (c *tab) axe(t *testing.T, name string) {
	t.Helper()
	source, err := axeSource()
	if err != nil {
		t.Fatal(err)
	}
	if source == "" {
		return // TestAxe says so
	}
	c.do(t, chromedp.Evaluate[chromedp.Void](source))
	found := eval[[]string](t, c, `axe.run({resultTypes: ["violations"], rules: {"target-size": {enabled: true}}}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html + " " + n.failureSummary)))`)
	for _, violation := range found {
		t.Errorf("%s: %s", name, violation)
	}
}

// TestAxe says whether TestPages uses axe-core.
func TestAxe(t *testing.T) {
	if os.Getenv("AYNA_AXE") == "" {
		t.Skip("AYNA_AXE does not name axe.min.js (npm pack axe-core): accessibility is not checked")
	}
}
