package sync_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"ayna/generator/sync"
	"ayna/server/newsroom"
)

// Greet ends as the first run does, whatever the source answers, and needs one request for
// each list, and one to explain each failure.
func TestGreetAgreesWithRun(t *testing.T) {
	t.Parallel()
	all := func(f *newsroom.Fault) func(newsroom.Call) *newsroom.Fault {
		return func(newsroom.Call) *newsroom.Fault { return f }
	}
	lists := func(f *newsroom.Fault, operations ...string) func(newsroom.Call) *newsroom.Fault {
		return func(c newsroom.Call) *newsroom.Fault {
			if c.List() && (operations == nil || slices.Contains(operations, c.Operation)) {
				return f
			}
			return nil
		}
	}
	for name, test := range map[string]struct {
		faults func(newsroom.Call) *newsroom.Fault
		err    error
		failed int
	}{
		"well":                     {},
		"[] everywhere":            {all(newsroom.Body("[]")), sync.ErrEmpty, 0},
		"{} everywhere":            {all(newsroom.Body("{}")), sync.ErrShape, -1},
		"null everywhere":          {all(newsroom.Body("null")), sync.ErrShape, -1},
		"a number everywhere":      {all(newsroom.Body("7")), sync.ErrShape, -1},
		"an error object":          {all(newsroom.Body(`{"Message":"x"}`)), sync.ErrShape, -1},
		"two arrays":               {all(newsroom.Body(`{"a":[],"b":[]}`)), sync.ErrShape, -1},
		"elements that are none":   {lists(newsroom.Body(`[1,2,3]`)), sync.ErrShape, -1},
		"HTML everywhere":          {all(newsroom.HTML()), sync.ErrDown, -1},
		"nothing":                  {all(newsroom.Body(" ")), sync.ErrDown, -1},
		"half answers":             {all(&newsroom.Fault{Half: true}), sync.ErrDown, -1},
		"broken connections":       {all(&newsroom.Fault{Cut: true}), sync.ErrDown, -1},
		"401":                      {all(newsroom.Status(401)), sync.ErrKey, -1},
		"403":                      {all(newsroom.Status(403)), sync.ErrKey, -1},
		"404":                      {all(newsroom.Status(404)), sync.ErrDown, -1},
		"400":                      {all(newsroom.Status(400)), sync.ErrDown, -1},
		"418":                      {all(newsroom.Status(418)), sync.ErrDown, -1},
		"429":                      {all(newsroom.Status(429)), sync.ErrBudget, -1},
		"429 for an hour":          {all(tooMany("3600")), sync.ErrBudget, -1},
		"429 to lists":             {lists(newsroom.Status(429)), sync.ErrBudget, -1},
		"500":                      {all(newsroom.Status(500)), sync.ErrDown, -1},
		"501":                      {all(newsroom.Status(501)), sync.ErrDown, -1},
		"503":                      {all(newsroom.Status(503)), sync.ErrDown, -1},
		"204":                      {all(&newsroom.Fault{Status: http.StatusNoContent}), sync.ErrDown, -1},
		"a redirect":               {all(&newsroom.Fault{Status: 302, Header: http.Header{"Location": {"https://login.example/"}}}), sync.ErrDown, -1},
		"articles 404":             {lists(newsroom.Status(404), "articles"), nil, 1},
		"articles null":            {lists(newsroom.Body("null"), "articles"), sync.ErrShape, -1},
		"columns 403":              {lists(newsroom.Status(403), "columns"), nil, 1},
		"columns HTML":             {lists(newsroom.HTML(), "columns"), nil, 1},
		"folders and writers 500":  {lists(newsroom.Status(500), "paths", "writers"), nil, 2},
		"folders and writers only": {lists(newsroom.Body("[]"), "articles", "columns", "newsphotogalleries", "newsvideos", "pages"), sync.ErrEmpty, 0},
		"no articles":              {lists(newsroom.Body("[]"), "articles"), nil, 0},
		"no date": {func(c newsroom.Call) *newsroom.Fault {
			if c.Operation == "date" {
				return newsroom.Status(500)
			}
			return nil
		}, nil, 0},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 20, Faults: test.faults})
			began := time.Now()
			greeting, err := sync.Greet(t.Context(), n.options)
			if !errors.Is(err, test.err) || (test.err == nil && err != nil) {
				t.Errorf("greet: %v, want %v", err, test.err)
			}
			if took, sent := time.Since(began), n.Count(func(newsroom.Request) bool { return true }); took > 2*time.Minute || sent > 16 {
				t.Errorf("%d requests in %s", sent, took)
			}
			if test.failed >= 0 && len(greeting.Failed) != test.failed {
				t.Errorf("failed: %+v, want %d", greeting.Failed, test.failed)
			}
			report, err := n.run(t)
			if !errors.Is(err, test.err) || (test.err == nil && err != nil) {
				t.Errorf("run: %v, want %v", err, test.err)
			}
			if test.err == nil && (len(report.Failed) > 0) != (test.failed > 0) {
				t.Errorf("run: %+v", report.Failed)
			}
		})
	}
}

func TestGreeting(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, "", func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 40})
		n.Edit("articles", n.articles()[0].ID, func(r *newsroom.Record) { r.URL = "https://www.gazete.example/spor/1" })
		n.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			n.ServeHTTP(w, r)
		})
		g, err := sync.Greet(t.Context(), n.options)
		if err != nil {
			t.Fatal(err)
		}
		if g.Articles != 10 || g.Host != "www.gazete.example" || g.Ahead != time.Hour || len(g.Folders) == 0 || len(g.Failed) > 0 {
			t.Errorf("%+v", g)
		}
		for _, folder := range g.Folders {
			if folder != "/"+folder[1:len(folder)-1]+"/" {
				t.Errorf("folder %q", folder)
			}
		}
	})
}
