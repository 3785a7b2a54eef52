package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestSlowArrival: a page that arrives piece by piece, and is shown before it is
// whole, moves nothing that a reader has seen in place.
func TestSlowArrival(t *testing.T) {
	p := build(t)
	server := httptest.NewServer(http.StripPrefix(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Join(p.dir, path.Clean("/"+r.URL.Path))
		data, err := os.ReadFile(name)
		if err != nil || path.Ext(name) != ".html" {
			http.ServeFile(w, r, name)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for len(data) > 0 { // the network is what is slow here
			n, _ := w.Write(data[:min(len(data), 700)])
			data = data[n:]
			w.(http.Flusher).Flush()
			time.Sleep(2 * frame)
		}
	})))
	t.Cleanup(server.Close)
	for _, name := range p.find(t, "yazar/*/index.html", "yazarlar/sevgi-ozbay/*.html") {
		for _, l := range []look{phone, desktop} {
			t.Run(fmt.Sprint(name, " ", l), func(t *testing.T) {
				t.Parallel()
				c := openTab(t)
				c.wear(t, l)
				c.do(t, chromedp.Navigate(p.url+name))
				// An hour after the newest time that the page shows, so that a script says it anew.
				now := eval[float64](t, c, `Math.max(...[...document.querySelectorAll("time")].map((time) => Date.parse(time.dateTime))) + 3600e3`)
				call(t, c, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf("Date.now = () => %.0f", now)})
				c.do(t, chromedp.Navigate(server.URL+prefix+name))
				want(t, c, "the last day", `document.querySelectorAll("time[title]").length > 0`, true)
				c.toThePictures(t)
				if shift := c.shifted(t); shift > parsing {
					t.Errorf("layout shift %v", shift)
				}
			})
		}
	}
}
