package browser

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"ayna/testrun"
)

// TestAttacks opens a site whose records are attacks, and what
// ayna serve answers: none works, with the pages' Content-Security-Policy and
// without. That they would work is seen where they are written as they came.
func TestAttacks(t *testing.T) {
	testrun.NeedsSlow(t, "opens pages in Chromium")
	v := besiege(t, numbered)
	frames := filepath.Join(v.dir, "cerceve.html")
	if err := os.WriteFile(frames, []byte(framesPage), 0o644); err != nil {
		t.Fatal(err)
	}
	disk := "file://" + filepath.Join(v.dir, "public") + "/"
	beside := func(name string, run func(*testing.T)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t)
		})
	}
	beside("control", v.control)
	beside("with a policy", func(t *testing.T) { v.open(t, v.url+"cerceve", v.url+guarded, 12) })
	beside("without a policy", func(t *testing.T) { v.open(t, v.url+"cerceve", v.url+unguarded, 4) })
	beside("from a disk", func(t *testing.T) { v.open(t, "file://"+frames, disk, 12) })
	for _, root := range []string{v.url + guarded, v.url + unguarded, disk} {
		beside("search/"+root, func(t *testing.T) { v.search(t, root) })
	}
	beside("feeds", func(t *testing.T) { v.feeds(t, v.url+unguarded, disk) })
	beside("answers", v.answers)
	beside("refusals", v.refusals)
}

// control sees to it that the attacks are some, and that it would be noticed. In each
// context it tries them until one works, or all in a long run.
func (v *victim) control(t *testing.T) {
	w := watch(t)
	contexts := slices.Sorted(maps.Keys(carelessly))
	workedIn, anywhere := make(map[string]int), make(map[string]bool)
	for i, context := range contexts {
		var addresses []string
		for _, a := range numbered {
			if testrun.Long() || a.Number%len(contexts) == i {
				addresses = append(addresses, fmt.Sprintf("%s%s%s/%d", v.url, careless, context, a.Number))
			}
		}
		worked := make(map[string]bool)
		for some := range slices.Chunk(addresses, 12) {
			w.show(t, v.url+"cerceve", some, time.Second/2)
			maps.Copy(worked, w.worked())
			if len(worked) > 0 && !testrun.Long() {
				break
			}
		}
		workedIn[context] = len(worked)
		maps.Copy(anywhere, worked)
		if len(worked) == 0 || testrun.Long() && len(worked) < 3 {
			t.Errorf("%s: only %d of %d attacks work where nothing is escaped", context, len(worked), len(addresses))
		}
	}
	t.Logf("of %d attacks %d work where nothing is escaped: %v", len(numbered), len(anywhere), workedIn)
	if testrun.Long() && len(anywhere) < len(numbered)/6 {
		t.Errorf("of %d attacks only %d work where nothing is escaped", len(numbered), len(anywhere))
	}
}

// open opens one of every so many pages, or all in a long run; tags have many
// that are alike.
func (v *victim) open(t *testing.T, frames, root string, every int) {
	w := watch(t)
	var addresses []string
	for i, name := range v.pages {
		alike := strings.HasPrefix(name, "etiket/") && i%(8*every) != 0
		if testrun.Long() || i%every == 0 && !alike {
			addresses = append(addresses, root+name)
		}
	}
	torn := w.show(t, frames, addresses, time.Minute)
	for _, message := range append(torn, w.quiet(t, root)...) {
		t.Errorf("%s", message)
	}
	t.Logf("%d pages", len(addresses))
}

// findAll has the search page show every item of a kind.
const findAll = `(async (kind) => {
  const form = document.getElementById("search"), results = document.getElementById("results"), more = document.getElementById("more");
  const until = async (is) => { while (!is()) await new Promise((done) => setTimeout(done, 5)); };
  await until(() => !form.hidden);
  results.replaceChildren();
  form.kind.value = kind;
  form.dispatchEvent(new Event("submit"));
  await until(() => results.children.length && results.getAttribute("aria-busy") === "false");
  while (!more.hidden) {
    const shown = results.children.length;
    more.click();
    await until(() => results.children.length > shown);
  }
  provoke();
  return results.children.length;
})(%q)`

func (v *victim) search(t *testing.T, root string) {
	w := watch(t)
	w.do(t, chromedp.Navigate(root+"arama/index.html"))
	found := 0
	for _, kind := range []string{"article", "column", "gallery", "video"} {
		found += eval[int](t, w.tab, fmt.Sprintf(findAll, kind))
	}
	if found != v.items {
		t.Errorf("%d of %d items found", found, v.items)
	}
	for _, message := range w.quiet(t, root, v.favicon()) {
		t.Errorf("%s", message)
	}
}

// feeds opens feeds, outlines and sitemaps as pages, which people do.
func (v *victim) feeds(t *testing.T, roots ...string) {
	w := watch(t)
	for _, root := range roots {
		for i, name := range v.feedFiles {
			if !testrun.Long() && i%20 != 0 && strings.Contains(name, "/") {
				continue
			}
			w.do(t, chromedp.Navigate(root+name), chromedp.Evaluate[chromedp.Void]("provoke()"))
			for _, message := range w.quiet(t, root, v.favicon()) {
				t.Errorf("%s: %s", name, message)
			}
		}
	}
}

// answers opens what the Read API answers; as a page it would run.
func (v *victim) answers(t *testing.T) {
	w := watch(t)
	for _, query := range []string{"", "articles", "columns", "newsphotogalleries", "newsvideos", "pages", "writers", "paths", "search/f"} {
		w.do(t, chromedp.Navigate(v.url+"v1/"+query))
		w.quiet(t, v.url)
	}
	w.do(t, chromedp.Navigate(v.url+mistyped+"v1/articles?$top=20"))
	if worked := w.worked(); len(worked) < 10 {
		t.Errorf("as pages of HTML the answers do no more than %v", worked)
	}
}

// refusals asks for what is not there, under names that are attacks: nobody who
// follows a link to this server finds the attack in its answer as a page.
func (v *victim) refusals(t *testing.T) {
	w := watch(t)
	for _, a := range numbered {
		for _, name := range []string{
			url.PathEscape(a.Text), "v1/" + url.PathEscape(a.Text), "v1/articles/" + url.PathEscape(a.Text), "v1/articles?$filter=" + url.QueryEscape(a.Text), "v1/articles?$top=" + url.QueryEscape(a.Text),
		} {
			answer, err := http.Get(v.url + name)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			h := answer.Header
			if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Content-Security-Policy") == "" {
				t.Errorf("%s: %s %v", name, answer.Status, h)
			}
			if strings.HasPrefix(h.Get("Content-Type"), "text/html") && strings.Contains(string(body), a.Text) {
				t.Errorf("%s is answered with itself", name)
			}
			if a.Number%100 == 0 {
				w.do(t, chromedp.Navigate(v.url+name))
				w.quiet(t, v.url) // its messages say that nothing was found
			}
		}
	}
}
