package fetch_test

import (
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/wordpress"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Sticky posts are an editorial page, which ends with them.
func TestWordPressSticky(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 30})
		id := p.Posts("posts")[12].ID
		p.MakeSticky(id, true)
		p.mustRun(t)
		page, err := p.archive.Records.Get(t.Context(), record.Page, "sticky")
		if err != nil || len(page.Related) != 1 || page.Related[0].ID != strconv.Itoa(id) {
			t.Fatalf("%+v, %v", page, err)
		}
		p.MakeSticky(id, false)
		for i, after := range []time.Duration{6 * time.Hour, 30 * time.Minute, time.Hour} { // its absence is believed when it shows again
			time.Sleep(after)
			p.mustRun(t)
			if page, err = p.archive.Records.Get(t.Context(), record.Page, "sticky"); err != nil || page.GoneAt.IsZero() != (i < 2) {
				t.Errorf("run %d: %+v, %v", i, page, err)
			}
		}
	})
}

// A site that does not answer programs ends the run with what to do.
func TestWordPressClosed(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	html := func(status int) *fakepaper.Fault {
		return &fakepaper.Fault{Status: status, Body: "<html>Bir dakika…", Header: http.Header{"Content-Type": {"text/html"}}}
	}
	for name, test := range map[string]struct {
		fault func(fakepaper.Call) *fakepaper.Fault
		want  []error
	}{
		"closed":            {func(fakepaper.Call) *fakepaper.Fault { return fakepaper.Status(http.StatusUnauthorized) }, []error{fetch.ErrKey, wordpress.ErrClosed}},
		"a web page, 403":   {func(fakepaper.Call) *fakepaper.Fault { return html(http.StatusForbidden) }, []error{fetch.ErrDown, homepage.ErrProtected}},
		"a web page, 503":   {func(fakepaper.Call) *fakepaper.Fault { return html(http.StatusServiceUnavailable) }, []error{fetch.ErrDown, homepage.ErrProtected}},
		"a web page, 200":   {func(fakepaper.Call) *fakepaper.Fault { return html(http.StatusOK) }, []error{fetch.ErrDown, homepage.ErrProtected}},
		"no REST API":       {func(fakepaper.Call) *fakepaper.Fault { return fakepaper.Status(http.StatusNotFound) }, []error{fetch.ErrShape}},
		"posts are refused": {meeting(fakepaper.Status(http.StatusUnauthorized), func(c fakepaper.Call) bool { return c.Operation == "posts" }), []error{fetch.ErrKey, wordpress.ErrClosed}},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			p := openPress(t, fakepaper.Options{Items: 20})
			p.mustRun(t)
			before := p.held(t)
			p.Faults = test.fault
			time.Sleep(7 * time.Hour)
			_, err := p.run(t)
			for _, want := range test.want {
				if !errors.Is(err, want) {
					t.Errorf("error %v, want %v", err, want)
				}
			}
			if !slices.Equal(p.held(t), before) {
				t.Error("the archive has changed")
			}
			p.Faults = nil
			if c := sum(p.mustRun(t)); c.Gone+c.Withheld+c.New > 0 {
				t.Errorf("when it answers again: %+v", c)
			}
		})
	}
}

// One post that WordPress cannot render costs no other one.
func TestWordPressBrokenPost(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 90})
		broken := strconv.Itoa(p.Posts("posts")[33].ID)
		p.Faults = meeting(fakepaper.Status(http.StatusInternalServerError), func(c fakepaper.Call) bool {
			return c.Operation == "posts" && slices.Contains(strings.Split(c.ID, ","), broken)
		})
		report, err := p.run(t)
		if err != nil || len(report.Failed) != 1 || report.Failed[0].ID != broken || sum(report).Fetched < 89 {
			t.Errorf("%v, failed %+v, %+v", err, report.Failed, sum(report))
		}
	})
}

// Kinds that the mirror leaves out of the list of posts are not stored as others.
func TestWordPressKinds(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 40})
		p.options.Kinds = []record.Kind{record.Article}
		p.mustRun(t)
		articles := 0
		for r, err := range p.archive.Records.All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Kind == record.Article {
				articles++
			}
			if strings.Contains(r.Type, "Gallery") || strings.Contains(r.Type, "Video") {
				t.Errorf("%s %s is a %s", r.Kind, r.ID, r.Type)
			}
		}
		if articles == 0 {
			t.Error("no articles")
		}
	})
}

// Progress counts records, also where they are fetched by hundreds.
func TestWordPressProgress(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 110})
		p.mustRun(t)
		total := 0
		p.options.Full = true
		p.options.Concurrency, p.options.Progress = 1, func(p fetch.Progress) {
			if p.Stage == "fetch" && p.Done == p.Total {
				total = p.Total
			}
		}
		if r := p.mustRun(t); total != sum(r).Fetched {
			t.Errorf("progress ends with %d records of %d", total, sum(r).Fetched)
		}
	})
}

// An application password goes to the site, and no message has it.
func TestWordPressPassword(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 20, Key: "ayse:abcd efgh ijkl mnop"})
		p.mustRun(t)
		for _, r := range p.Requests() {
			if !strings.HasPrefix(r.Key, "Basic ") {
				t.Errorf("%s: Authorization %q", r.URI, r.Key)
			}
		}
		p.options.Open = func(c source.Connection) (source.Source, error) {
			return wordpress.New(wordpress.Config{BaseURL: p.Base, APIKey: "ayse:wrong", Connection: c})
		}
		if _, err := p.run(t); !errors.Is(err, fetch.ErrKey) || !errors.Is(err, get.ErrUnauthorized) || strings.Contains(fmt.Sprint(err), "wrong") {
			t.Errorf("%v", err)
		}
	})
}

// Pictures that the paper has at other hosts come, in their largest size and without the
// password.
func TestWordPressPicturesOfOtherHosts(t *testing.T) {
	withClock(t, func(t *testing.T) {
		p := openPress(t, fakepaper.Options{Items: 3, Key: "ayse:gizli"})
		requests := make(chan string, 9)
		elsewhere := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests <- r.URL.String(); r.Header.Get("Authorization") != "" {
				t.Errorf("%s was asked with the password", r.Host)
			}
			w.Write(fakepaper.PNG(7, 5))
		})
		p.options.Hosts["i0.wp.com"], p.options.Hosts["cdn.kiyi.example"] = elsewhere, elsewhere
		p.options.Pictures = true
		p.archive = fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db"))
		id := p.Publish(fakepaper.Post{Title: "Resimli", Text: `<figure><img src="https://i0.wp.com/` + host + `/a.jpg?resize=300%2C200&#038;ssl=1" ` +
			`srcset="https://i0.wp.com/` + host + `/a.jpg?w=300&amp;ssl=1 300w, https://i0.wp.com/` + host + `/a.jpg?w=1600&amp;ssl=1 1600w"></figure>` +
			`<p><img src="https://cdn.kiyi.example/b.webp"></p>`})
		p.mustRun(t)
		close(requests)
		asked := slices.Sorted(func(yield func(string) bool) {
			for address := range requests {
				yield(address)
			}
		})
		want := []string{"https://cdn.kiyi.example/b.webp", "https://i0.wp.com/" + host + "/a.jpg?w=1600&ssl=1"}
		if !slices.Equal(asked, want) {
			t.Errorf("asked for %q, want %q", asked, want)
		}
		r := p.get(t, id)
		media, err := p.archive.Pictures.Of(t.Context(), r.Row)
		if err != nil || len(media) != 2 {
			t.Errorf("media %+v, %v", media, err)
		}
	})
}
