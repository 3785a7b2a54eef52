package wordpress_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
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
