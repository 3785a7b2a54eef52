package wordpress_test

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/source"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// A feedMirror is the archive of a paper that may close its REST API.
type feedMirror struct {
	*testing.T
	paper   *fakepaper.WordPress
	archive *archive.Archive
	alter   func(r *http.Request, answer *httptest.ResponseRecorder) // of the feed; may be nil
	report  *fetch.Report
	key     string
}

func openFeedMirror(t *testing.T, items int) *feedMirror {
	if now := time.Until(fakepaper.Newest.AddDate(0, 0, 2)); now > 0 {
		time.Sleep(now)
	}
	p := fakepaper.NewWordPress(fakepaper.Options{Base: "https://kiyi.example", Items: items, RESTClosed: true, Feed: true})
	return &feedMirror{T: t, paper: p, archive: fakepaper.Archive(t)}
}

// run brings the archive up to date, and returns the error.
func (m *feedMirror) run() (err error) {
	m.paper.ClearLog()
	m.report, err = fetch.Run(m.Context(), m.archive, fetch.Options{
		URL: m.paper.Base, Concurrency: 1, PageSize: 100, Timeout: 5 * time.Second, Hosts: map[string]http.Handler{"kiyi.example": m},
		Open: func(c source.Connection) (source.Source, error) {
			return wordpress.New(wordpress.Config{BaseURL: m.paper.Base, APIKey: m.key, Feed: true, Connection: c})
		},
	})
	return err
}

// ServeHTTP alters the pages of the feed.
func (m *feedMirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := httptest.NewRecorder()
	m.paper.ServeHTTP(answer, r)
	if m.alter != nil && r.URL.Query().Get("feed") == "atom" {
		m.alter(r, answer)
	}
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	w.Write(answer.Body.Bytes())
}

// inBody replaces the parts of answers.
func inBody(pairs ...string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(_ *http.Request, answer *httptest.ResponseRecorder) {
		text := strings.NewReplacer(pairs...).Replace(answer.Body.String())
		answer.Body.Reset()
		answer.Body.WriteString(text)
	}
}

// once alters answers until it reports that it has.
func once(alter func(*http.Request, *httptest.ResponseRecorder) bool) func(*http.Request, *httptest.ResponseRecorder) {
	isDone := false
	return func(r *http.Request, answer *httptest.ResponseRecorder) {
		isDone = isDone || alter(r, answer)
	}
}

// items returns the items of the archive that are not gone.
func (m *feedMirror) items() map[string]*archive.Record {
	all := make(map[string]*archive.Record)
	for r, err := range m.archive.Records.All(m.Context()) {
		if err != nil {
			m.Fatal(err)
		}
		if r.Kind != record.Folder && r.Kind != record.Writer && r.Kind != record.Page && r.GoneAt.IsZero() && !r.Provisional {
			all[r.ID] = r
		}
	}
	return all
}

// sent returns the addresses of a run.
func (m *feedMirror) sent() (list []string) {
	for _, r := range m.paper.Requests() {
		uri, _ := url.QueryUnescape(r.URI)
		list = append(list, uri)
	}
	return list
}

// A paper closes its REST API and opens it: the same records go on, and their missing parts come.
// When it closes again, they stay.
func TestFeedUntilOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := openFeedMirror(t, 25)
		for _, step := range []struct {
			name     string
			closed   bool
			after    time.Duration
			requests int
			warning  string
		}{
			{"first", true, 0, 8, "made of its feed"},
			{"unchanged", true, time.Hour, 1, ""},
			{"unchanged for a day", true, 24 * time.Hour, 8, ""},
			{"open, and not asked for", false, time.Hour, 1, ""},
			{"open", false, 24 * time.Hour, 15, "has opened its REST API"},
			{"closed again", true, time.Hour, 4, ""},
			{"closed for a day", true, 25 * time.Hour, 8, ""},
		} {
			time.Sleep(step.after)
			m.paper.Set(func(o *fakepaper.Options) { o.RESTClosed = step.closed })
			before := m.items()
			if err := m.run(); err != nil || len(m.report.Failed) > 0 {
				t.Fatalf("%s: %v, %v", step.name, err, m.report.Failed)
			}
			if n := len(m.sent()); n > step.requests {
				t.Errorf("%s: %d requests, want at most %d: %q", step.name, n, step.requests, m.sent())
			}
			if warnings := strings.Join(m.report.Warnings, "\n"); !strings.Contains(warnings, step.warning) || step.warning == "" && warnings != "" {
				t.Errorf("%s: warnings %q, want %q", step.name, warnings, step.warning)
			}
			now := m.items()
			if want := map[bool]int{true: 25, false: 27}[now["1000"] == nil]; len(now) != want { // the latter with standing pages
				t.Errorf("%s: %d items, want %d", step.name, len(now), want)
			}
			for id, r := range now {
				was := before[id]
				if step.name != "open" && was != nil && string(was.Single) != string(r.Single) {
					t.Errorf("%s: %s was\n%s\nand is\n%s", step.name, id, was.Single, r.Single)
				}
				if hasID := strings.Contains(string(r.Single), `"Writers":[{"Id":"user-`); hasID != (step.name == "open" || strings.HasPrefix(step.name, "closed")) {
					t.Errorf("%s: %s has %s", step.name, id, r.Single)
				}
			}
		}
		m.paper.Edit(49_000_000, func(p *fakepaper.Post) { p.Title = "Yeni başlık" })
		if err := m.run(); err != nil {
			t.Fatal(err)
		}
		if r := m.items()["49000000"]; r.Title != "Yeni başlık" || len(r.Tags) == 0 || !strings.Contains(string(r.Single), `"featured_media":`) {
			t.Errorf("an edit has %s", r.Single)
		}
		// Terms and an author that the archive knows, and a tag that it cannot know.
		tag := m.paper.AddTag(fakepaper.Term{Name: "Yepyeni", Slug: "yepyeni"})
		m.paper.Edit(49_000_000, func(p *fakepaper.Post) { p.Categories, p.Tags, p.Author = []int{3}, []int{tag}, p.Author%3+1 })
		time.Sleep(time.Hour)
		if err := m.run(); err != nil {
			t.Fatal(err)
		}
		single := string(m.items()["49000000"].Single)
		for _, want := range []string{`"Paths":["/spor/"]`, `"Tags":["Yepyeni"]`, `"Writers":[{"Id":"","Fullname":"Sevgi Özbay"}]`, `"categories":[3]`, `"featured_media":`} {
			if !strings.Contains(single, want) {
				t.Errorf("an edit of terms lacks %s: %s", want, single)
			}
		}
		// The feed has the first page of a text alone, until the API has the others.
		m.alter = inBody("<p>", "<p>Yalnız ilk sayfa. ")
		m.paper.Edit(48_999_999, func(p *fakepaper.Post) { p.Title = "İki sayfa" })
		for i, after := range []time.Duration{time.Minute, 25 * time.Hour} {
			time.Sleep(after)
			m.paper.Set(func(o *fakepaper.Options) { o.RESTClosed = i == 0 })
			if err := m.run(); err != nil {
				t.Fatal(err)
			}
			if r := m.items()["48999999"]; r.Title != "İki sayfa" || strings.Contains(string(r.Single), "Yalnız ilk sayfa.") != (i == 0) {
				t.Errorf("run %d: a post that was edited while the API was closed has %s", i, r.Single)
			}
		}
	})
}

// Each post that the feed lacks is asked for in an answer of its own, so that none is a witness for
// others: its absence must show twice.
func TestFeedDeletions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := openFeedMirror(t, 12)
		if err := m.run(); err != nil {
			t.Fatal(err)
		}
		m.paper.Delete(48_999_995)
		m.paper.Delete(48_999_994)
		for i, after := range []time.Duration{25 * time.Hour, time.Minute, time.Hour} {
			time.Sleep(after)
			if err := m.run(); err != nil || len(m.items()) != []int{12, 12, 10}[i] {
				t.Errorf("run %d: %v, %d items", i, err, len(m.items()))
			}
		}
	})
}

// A feed that fails does not hide a REST API that has opened, and a password that is refused is an
// error: the feed does not take the place of what it opened.
func TestFeedOrAPI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := openFeedMirror(t, 12)
		if err := m.run(); err != nil {
			t.Fatal(err)
		}
		m.alter = func(_ *http.Request, a *httptest.ResponseRecorder) { a.Code = http.StatusNotFound }
		m.paper.Set(func(o *fakepaper.Options) { o.RESTClosed = false })
		time.Sleep(time.Hour)
		if err := m.run(); err != nil || !strings.Contains(strings.Join(m.report.Warnings, "\n"), "has opened its REST API") {
			t.Errorf("without the feed: %v, %q", err, m.report.Warnings)
		}
		m.alter, m.key = nil, "ayse:gizli"
		status := 0
		m.paper.Faults = func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "feed" || status == http.StatusForbidden && c.Operation == "root" {
				return nil
			}
			return fakepaper.Status(status)
		}
		for _, status = range []int{http.StatusForbidden, http.StatusUnauthorized} { // the former of the posts alone
			if err := m.run(); !errors.Is(err, fetch.ErrKey) || !strings.Contains(err.Error(), "refuses the application password") {
				t.Errorf("with a password that is refused with %d: %v", status, err)
			}
		}
		if m.key = ""; m.run() != nil {
			t.Error("without a password the feed is not read")
		}
		if m.key = "ayse:gizli"; !errors.Is(m.run(), fetch.ErrKey) {
			t.Error("the feed of an hour ago hides a refused password")
		}
	})
}

// Feeds that are not as WordPress writes them.
func TestFeedFaults(t *testing.T) {
	for name, test := range map[string]struct {
		alter func(*http.Request, *httptest.ResponseRecorder)
		want  string // part of the error, or of the warnings
		items int    // that are mirrored
		paper int    // items of the paper; 0 is 12
	}{
		"summaries only": {func(_ *http.Request, a *httptest.ResponseRecorder) {
			text := a.Body.String()
			a.Body.Reset()
			for rest := text; ; {
				before, after, found := strings.Cut(rest, "<content ")
				if a.Body.WriteString(before); !found {
					return
				}
				_, rest, _ = strings.Cut(after, "</content>")
			}
		}, "its feed has summaries only", 0, 0},
		"without dates": {inBody("updated>", "x>", "published>", "x>"), "its feed has no dates", 0, 0},
		"HTML": {func(_ *http.Request, a *httptest.ResponseRecorder) {
			a.Body.Reset()
			a.Body.WriteString("<!DOCTYPE html><title>Giriş</title>")
		}, "no REST API of WordPress is found", 0, 0},
		"no XML":         {inBody("</entry>", "</entry"), "no REST API of WordPress is found", 0, 0},
		"unknown entity": {inBody("Kıyı Postası", "Kıyı &postası;"), "no REST API of WordPress is found", 0, 0},
		"control characters, and a notice before it": {func(r *http.Request, a *httptest.ResponseRecorder) {
			inBody("<p>", "<p>\x0b\xff\x00", "<?xml", "<br />Notice: x\n<?xml")(r, a)
		}, "", 12, 0},
		"guids of another host": {inBody("<id>https://kiyi.example/?p=", "<id>https://eski.example/?p=1"), "", 12, 0},
		"guids that are no posts": {func(r *http.Request, a *httptest.ResponseRecorder) {
			inBody("<id>https://kiyi.example/?p=", "<id>urn:x:")(r, a)
		}, "", 12, 0},
		"guids that are no posts, without headers": {func(r *http.Request, a *httptest.ResponseRecorder) {
			a.Header().Del("Link")
			inBody("<id>https://kiyi.example/?p=48999998", "<id>urn:x:")(r, a)
		}, "name no post", 11, 0},
		"one guid for two posts": {inBody("<id>https://kiyi.example/?p=48999998", "<id>https://kiyi.example/?p=48999999"), "", 12, 0},
		"endless, the last page again": {func(r *http.Request, a *httptest.ResponseRecorder) {
			if a.Code == http.StatusNotFound {
				again := r.Clone(r.Context())
				again.URL.RawQuery = strings.Replace(r.URL.RawQuery, "paged=3", "paged=2", 1)
				a.Code = http.StatusOK
				a.Body.Reset()
				p := fakepaper.NewWordPress(fakepaper.Options{Base: "https://kiyi.example", Items: 12, RESTClosed: true, Feed: true})
				p.ServeHTTP(a, again)
			}
		}, "does not show where it ends", 12, 0},
		"endless, empty pages": {func(_ *http.Request, a *httptest.ResponseRecorder) { a.Code = http.StatusOK }, "does not show where it ends", 12, 0},
		"hostile texts":        {inBody("<p>", "<p><script>alert(1)</script><img src=x onerror=alert(2)>", `term="`, `term="../&lt;b&gt;`, "<name>", "<name>&lt;script&gt;", "</author>", `<email>gizli@baska.example</email></author><link rel="enclosure" href="https://gravatar.example/gizli"/><x:content xmlns:x="urn:x" url="gizli"/>`), "", 12, 0},
		"addresses of others":  {inBody(`href="https://kiyi.example/`, `href="https://baska.example/`), "", 12, 0},
		"deep":                 {inBody("<author>", strings.Repeat("<x>", 11_000)+strings.Repeat("</x>", 11_000)+"<author>"), "", 12, 0},
		"one answer that a page is not found": {once(func(r *http.Request, a *httptest.ResponseRecorder) bool {
			if strings.Contains(r.URL.RawQuery, "paged=2") {
				a.Code = http.StatusNotFound
			}
			return a.Code == http.StatusNotFound
		}), "", 12, 0},
		"a page of guids that are no posts": {func(r *http.Request, a *httptest.ResponseRecorder) {
			a.Header().Del("Link")
			if strings.Contains(r.URL.RawQuery, "paged=2") {
				inBody("<id>https://kiyi.example/?p=", "<id>urn:x:")(r, a)
			}
		}, "name no post", 15, 25},
		"addresses that lead elsewhere": {func(_ *http.Request, a *httptest.ResponseRecorder) {
			text := oneLink.ReplaceAllStringFunc(a.Body.String(), func(link string) string {
				return `href="` + map[byte]string{'9': "javascript:alert(1)", '8': "data:text/html,x", '7': "file:///etc/x", '6': "http://127.0.0.1/x", '5': "https://kiyi.example/" + strings.Repeat("x", 100_000)}[link[len(link)-3]] + `"`
			})
			a.Body.Reset()
			a.Body.WriteString(text)
		}, "", 12, 0},
		"guids that lead elsewhere": {inBody(guid+"9<", "<id>javascript:alert(1)?p=48999999<", guid+"8<", "<id>data:,?p=48999998<", guid+"7<", "<id>file:///x?p=48999997<", guid+"6<", "<id>http://127.0.0.1/?p=48999996<",
			guid+"5<", "<id>https://kiyi.example/?page_id=1000<", guid+"4<", "<id>https://kiyi.example/?p=48999994&amp;x="+strings.Repeat("x", 100_000)+"<"), "", 12, 0},
		"entities of its own":                 {inBody("<feed", `<!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><feed`, "Kıyı Postası", "&b;"), "no REST API of WordPress is found", 0, 0},
		"characters by their numbers":         {inBody(`term="`, `term="&#11;&#x0B;&#xFFFE;&#0;&#x110000;&#99999999999;&#X41;`), "", 12, 0},
		"another base and language":           {inBody("<entry>", `<entry xml:base="https://baska.example/" xml:lang="ar">`), "", 12, 0},
		"dates that cannot be":                {inBody("<published>2026-", "<published>0000-", "<updated>2026-", "<updated>9999-"), "", 12, 0},
		"10,000 categories":                   {inBody(guid+"9<", strings.Repeat(`<category term="x&#1;"/>`, 5000)+manyTerms(5000)+guid+"9<"), "", 12, 0},
		"words like those of a password form": {inBody("<p>", "<p>wp-login.php?action=postpass "), "", 12, 0},
		"a password form of another file":     {inBody(`haber-49000000/"><![CDATA[`, `haber-49000000/"><![CDATA[<form method="post" action="/giris?action=postpass">`), "", 11, 0},
		"a password form by its class":        {inBody(`haber-49000000/"><![CDATA[`, `haber-49000000/"><![CDATA[<form action="/giris" class="x post-password-form">`), "", 11, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := openFeedMirror(t, cmp.Or(test.paper, 12))
				m.alter = test.alter
				err := m.run()
				if message := fmt.Sprint(err, m.report.Warnings); !strings.Contains(message, test.want) || test.items > 0 && err != nil {
					t.Errorf("%s", message)
				}
				for o, err := range m.archive.Originals.All(t.Context(), "posts", "single") {
					if err != nil || strings.Contains(string(o.Data), "gizli") {
						t.Errorf("an original has addresses of an author: %s, %v", o.Data, err)
					}
				}
				now := m.items()
				if len(now) != test.items {
					t.Errorf("%d items, want %d", len(now), test.items)
				}
				for _, p := range m.paper.Posts("posts") {
					r := now[fmt.Sprint(p.ID)]
					if r != nil && test.paper == 0 && r.Title != strings.ReplaceAll(p.Title, "'", "’") {
						t.Errorf("%d has the title %q, want %q", p.ID, r.Title, p.Title)
					}
				}
				if test.items == 0 {
					return
				}
				// A healthy feed is believed afterwards, and nothing is lost.
				m.alter = nil
				time.Sleep(25 * time.Hour)
				if err := m.run(); err != nil || len(m.items()) != cmp.Or(test.paper, 12) {
					t.Errorf("afterwards: %v, %d items", err, len(m.items()))
				}
			})
		})
	}
}

var oneLink = regexp.MustCompile(`href="[^"]*/haber-4899999[5-9]/"`)

// guid is what the guids of posts begin with.
const guid = "<id>https://kiyi.example/?p=4899999"

// manyTerms returns categories.
func manyTerms(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `<category term="x%d"/>`, i)
	}
	return b.String()
}

// A post whose own address fails has its error, and no other post has it.
func TestFeedOwnErrors(t *testing.T) {
	p := fakepaper.NewWordPress(fakepaper.Options{Base: "https://kiyi.example", Items: 3, RESTClosed: true, Feed: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("p") == "6" {
			http.NotFound(w, r)
			return
		}
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.Base = server.URL
	s, err := wordpress.New(wordpress.Config{BaseURL: server.URL, Feed: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Site(t.Context()); err != nil {
		t.Fatal(err)
	}
	answers, err := s.Fetch(t.Context(), wordpress.Posts, []string{"5", "6", "7", "48999999"})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		if (a.Err != nil) != (a.ID == "6") || (a.State == source.Present) != (a.ID == "48999999") {
			t.Errorf("%s is %s, %v", a.ID, a.State, a.Err)
		}
	}
}
