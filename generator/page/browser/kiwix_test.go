package browser

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ayna/export"
	"ayna/testrun"
	"ayna/testrun/chromium"
)

// kiwix packs the site as a ZIM file, has kiwix-serve serve it, and returns where.
func (p published) kiwix(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"zimwriterfs", "zimcheck", "kiwix-serve"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not installed (apt-get install zim-tools kiwix-tools)")
		}
	}
	s := export.Site{Dir: p.dir, BaseURL: p.url, Title: "Akçaliman Postası", Language: "tr", Source: "Akçaliman Postası"}
	file := filepath.Join(t.TempDir(), "haber.zim")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.ZIM(t.Context(), f, t.TempDir(), io.Discard), f.Close()); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("zimcheck", "--all", file).CombinedOutput(); err != nil {
		t.Errorf("zimcheck: %v\n%s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	command := exec.CommandContext(t.Context(), "kiwix-serve", "--address=127.0.0.1", "--port="+port, file) // ended with the test
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Wait() })
	base := "http://127.0.0.1:" + port
	for start := time.Now(); time.Since(start) < chromium.Patience; time.Sleep(frame) {
		if answer, err := http.Get(base + "/catalog/v2/entries"); err == nil {
			answer.Body.Close()
			return base
		}
	}
	t.Fatal("kiwix-serve does not answer")
	return ""
}

// A ZIM file shows its pages in Kiwix, with pictures and both searches.
func TestKiwix(t *testing.T) {
	testrun.NeedsSlow(t, "opens a ZIM file in Kiwix")
	p, c := build(t), openTab(t)
	base := p.kiwix(t)

	answer, err := http.Get(base + "/catalog/v2/entries")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	catalog, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<title>Akçaliman Postası</title>", "<language>tur</language>", "_ftindex:yes", `type="image/png;width=48;height=48`} {
		if !strings.Contains(string(catalog), part) {
			t.Errorf("the catalog lacks %s: %s", part, catalog)
		}
	}
	for _, counter := range []string{"article", "media"} {
		if text := string(catalog); strings.Contains(text, "<"+counter+"Count>0<") || !strings.Contains(text, counter+"Count") {
			t.Errorf("the catalog counts no %s: %s", counter, catalog)
		}
	}

	const shown = `[...document.images].filter((i) => i.loading !== "lazy" || i.getBoundingClientRect().top < innerHeight).every((i) => i.complete && i.naturalWidth > 0)`
	c.do(t, chromedp.Navigate(base+"/haber"))
	want(t, c, "the address of the file", `location.pathname`, "/haber/index.html")
	want(t, c, "the front page", shown, true)
	c.do(t, chromedp.Click("main h2 a"))
	want(t, c, "a story of the front page", `!!document.querySelector("article.item h1") && `+shown, true)
	c.do(t, chromedp.Click(".top a[href*=arama]"))
	want(t, c, "the link to the search", `!!document.querySelector("#search input")`, true)
	c.do(t, chromedp.SendKeys("#search input", "feribot"))
	want(t, c, "a word searched", `document.querySelectorAll("main mark").length > 5`, true)
	own := eval[int](t, c, `parseInt(document.querySelector("main [role=status]").textContent)`)
	messages, _ := c.heard()
	for _, message := range messages {
		if !strings.Contains(message, "/skin/") { // the scripts of Kiwix try what the policy refuses
			t.Errorf("the browser says %q", message)
		}
	}

	c.do(t, chromedp.SendKeys("#kiwixsearchbox", "feribot\r"))
	want(t, c, "a search of Kiwix", `location.pathname`, "/search")
	want(t, c, "a search of Kiwix", `document.body.innerText.includes("of `+fmt.Sprint(own)+` for")`, true)
}
