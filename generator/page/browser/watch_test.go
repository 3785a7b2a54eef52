package browser

import (
	"ayna/testrun/attack"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// watched is a tab in which it is noticed when an attack works.
type watched struct {
	*tab
	mu    sync.Mutex
	fired map[string]bool // what called f with, or asked for
}

// provoke is run in every document. It gives attacks f to call; once the document
// is loaded it does to all elements what they wait for, looks at all pictures of a
// gallery, and tells the frame around whether this is a whole page of the site.
const provoke = `window.f = (n) => fired(String(n));
window.provoke = () => {
  for (const e of document.querySelectorAll("*")) {
    for (const name of e.getAttributeNames()) if (name.startsWith("on")) e.dispatchEvent(new Event(name.slice(2)));
    const address = e.href?.baseVal ?? e.href;
    if (/^(javascript|data|vbscript):/i.test(address) || e.hasAttribute("formaction")) e.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
  }
};
addEventListener("load", () => {
  const pictures = document.querySelectorAll(".pictures figure > a");
  for (const link of pictures) link.click();
  window.provoke();
  const whole = document.body?.lastElementChild?.matches("footer.bottom") && document.querySelectorAll("main").length === 1 &&
    (!pictures.length || document.querySelector(".viewer img").src === pictures[pictures.length - 1].href);
  setTimeout(() => parent.postMessage(whole ? "whole" : "torn", "*"), 40);
});`

// framesPage shows pages, many at a time. Its show returns those that are not
// whole pages of the site. A page that is loaded and says nothing for so many
// milliseconds, because it has led the frame elsewhere, is left.
const framesPage = `<!DOCTYPE html><link rel=icon href="data:,"><body><script>
async function show(addresses, patience) {
  const left = [...addresses], torn = [];
  const lane = async () => {
    while (left.length) {
      const address = left.shift(), frame = document.createElement("iframe");
      const said = await new Promise((done) => {
        addEventListener("message", function hear(event) {
          if (event.source !== frame.contentWindow) return;
          removeEventListener("message", hear);
          done(event.data);
        });
        const leave = () => setTimeout(() => done("silent"), patience);
        frame.onload = leave;
        setTimeout(leave, 20000);
        frame.src = address;
        document.body.append(frame);
      });
      if (said !== "whole") torn.push(said + " " + address);
      frame.remove();
    }
  };
  await Promise.all(Array.from({length: 24}, lane));
  return torn;
}
</script>`

func watch(t *testing.T) *watched {
	t.Helper()
	w := &watched{tab: openTab(t), fired: make(map[string]bool)}
	if err := chromedp.Listen(w.tab, w.notice); err != nil {
		t.Fatal(err)
	}
	call(t, w.tab, page.Enable, page.EnableParams{})
	call(t, w.tab, runtime.AddBinding, runtime.AddBindingParams{Name: "fired"})
	call(t, w.tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: provoke})
	return w
}

func (w *watched) notice(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventBindingCalled:
		w.fired[e.Payload] = true
	case *network.EventRequestWillBeSent:
		if _, number, ok := strings.Cut(e.Request.URL, attack.EvilHost+"/"); ok {
			w.fired[number] = true
		}
	}
}

// show loads pages in frames, and returns those that were not whole.
func (w *watched) show(t *testing.T, frames string, addresses []string, patience time.Duration) (torn []string) {
	t.Helper()
	list, err := json.Marshal(addresses)
	if err != nil {
		t.Fatal(err)
	}
	w.do(t, chromedp.Navigate(frames))
	w.heard()
	return eval[[]string](t, w.tab, fmt.Sprintf("show(%s, %d)", list, patience.Milliseconds()))
}

// worked returns the attacks that worked since it was asked last.
func (w *watched) worked() map[string]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	worked := w.fired
	w.fired = make(map[string]bool)
	return worked
}

// quiet fails if an attack worked, or if a page asked for what neither is below
// root nor expected, and returns what the browser said of anything else.
func (w *watched) quiet(t *testing.T, root string, expected ...string) (messages []string) {
	t.Helper()
	for number := range w.worked() {
		t.Errorf("attack %s works", number)
	}
	messages, requests := w.heard()
	for _, request := range requests {
		if !strings.HasPrefix(request, root) && !strings.HasPrefix(request, "data:image/svg+xml") && !slices.Contains(expected, request) {
			t.Errorf("a page asks for %s", request)
		}
	}
	return slices.DeleteFunc(messages, func(message string) bool {
		return slices.ContainsFunc(expected, func(address string) bool { return strings.HasSuffix(message, address) })
	})
}
