package browser

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performancetimeline"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"ayna/testrun/chromium"
)

// tab is a tab of Chromium, and what happened in it.
type tab struct {
	context.Context
	mu       sync.Mutex
	messages []string                             // of the console
	requests []string                             // addresses
	shifts   []*performancetimeline.TimelineEvent // of what a reader had seen in place (web.dev, Cumulative Layout Shift)
}

// openTab opens a tab with storage and a cache of its own.
func openTab(t *testing.T) *tab {
	t.Helper()
	ctx, stop := chromedp.NewContext(chromium.Browser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	c := &tab{Context: ctx}
	if err := chromedp.Listen(ctx, c.hear); err != nil {
		t.Fatal(err)
	}
	call(t, c, network.Enable, network.EnableParams{})
	call(t, c, log.Enable, cdp.Empty{})
	call(t, c, runtime.Enable, cdp.Empty{})
	call(t, c, page.Enable, page.EnableParams{})
	call(t, c, performancetimeline.Enable, performancetimeline.EnableParams{EventTypes: []string{"layout-shift"}})
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
		// From a disk Chromium refuses to preload a typeface; the style sheet loads it.
		if strings.HasPrefix(e.Entry.URL, "file:") && strings.Contains(e.Entry.Text+e.Entry.URL, "/serif.") {
			return
		}
		c.messages = append(c.messages, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *runtime.EventConsoleAPICalled:
		c.messages = append(c.messages, fmt.Sprintf("console.%s", e.Type))
	case *runtime.EventExceptionThrown:
		c.messages = append(c.messages, e.ExceptionDetails.Text)
	case *performancetimeline.EventTimelineEventAdded:
		c.shifts = append(c.shifts, e.Event)
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

// shifted returns how far things on the page moved so far. Chromium reports on a busy
// machine late how the page before had to fit another window: that is older than the
// page.
func (c *tab) shifted(t *testing.T) float64 {
	t.Helper()
	began := eval[float64](t, c, "performance.timeOrigin") / 1000
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := 0.0
	for _, shift := range c.shifts {
		if float64(shift.Time) >= began {
			sum += shift.LayoutShiftDetails.Value
		}
	}
	c.shifts = nil
	return sum
}

var axeSource = sync.OnceValues(func() (string, error) {
	name := os.Getenv("AYNA_AXE")
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	return string(data), err
})

// axe has axe-core look for what keeps people out, by all rules, or only by some.
func (c *tab) axe(t *testing.T, name string, only ...string) {
	t.Helper()
	source, err := axeSource()
	if err != nil {
		t.Fatal(err)
	}
	if source == "" {
		return // TestAxe says so
	}
	c.do(t, chromedp.Evaluate[chromedp.Void](source))
	rules := `rules: {"target-size": {enabled: true}, "color-contrast-enhanced": {enabled: true}}`
	if len(only) > 0 {
		rules = `preload: false, runOnly: ["` + strings.Join(only, `", "`) + `"]`
	}
	found := eval[[]string](t, c, `axe.run({resultTypes: ["violations"], `+rules+`}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html + " " + n.failureSummary)))`)
	for _, violation := range found {
		t.Errorf("%s: %s", name, violation)
	}
}
