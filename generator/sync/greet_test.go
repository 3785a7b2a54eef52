package sync_test

import (
	"errors"
	"net/http"
	"slices"
	"testing"
	"time"

	"ayna/client/clienttest"
	"ayna/generator/sync"
)

// Greet ends as the first run does, whatever the source answers, and needs one request for
// each list, and one to explain each failure.
func TestGreetAgreesWithRun(t *testing.T) {
	t.Parallel()
	all := func(f *clienttest.Fault) func(clienttest.Call) *clienttest.Fault {
		return func(clienttest.Call) *clienttest.Fault { return f }
	}
	lists := func(f *clienttest.Fault, operations ...string) func(clienttest.Call) *clienttest.Fault {
		return func(c clienttest.Call) *clienttest.Fault {
			if c.List() && (operations == nil || slices.Contains(operations, c.Operation)) {
				return f
			}
			return nil
		}
	}
	for name, test := range map[string]struct {
		faults func(clienttest.Call) *clienttest.Fault
		err    error
		failed int
	}{
		"well":                     {},
		"[] everywhere":            {all(clienttest.Body("[]")), sync.ErrEmpty, 0},
		"{} everywhere":            {all(clienttest.Body("{}")), sync.ErrShape, -1},
		"null everywhere":          {all(clienttest.Body("null")), sync.ErrShape, -1},
		"a number everywhere":      {all(clienttest.Body("7")), sync.ErrShape, -1},
		"an error object":          {all(clienttest.Body(`{"Message":"x"}`)), sync.ErrShape, -1},
		"two arrays":               {all(clienttest.Body(`{"a":[],"b":[]}`)), sync.ErrShape, -1},
		"elements that are none":   {lists(clienttest.Body(`[1,2,3]`)), sync.ErrShape, -1},
		"HTML everywhere":          {all(clienttest.HTML()), sync.ErrDown, -1},
		"nothing":                  {all(clienttest.Body(" ")), sync.ErrDown, -1},
		"half answers":             {all(&clienttest.Fault{Half: true}), sync.ErrDown, -1},
		"broken connections":       {all(&clienttest.Fault{Cut: true}), sync.ErrDown, -1},
		"401":                      {all(clienttest.Status(401)), sync.ErrKey, -1},
		"403":                      {all(clienttest.Status(403)), sync.ErrKey, -1},
		"404":                      {all(clienttest.Status(404)), sync.ErrDown, -1},
		"400":                      {all(clienttest.Status(400)), sync.ErrDown, -1},
		"418":                      {all(clienttest.Status(418)), sync.ErrDown, -1},
		"429":                      {all(clienttest.Status(429)), sync.ErrBudget, -1},
		"429 for an hour":          {all(tooMany("3600")), sync.ErrBudget, -1},
		"429 to lists":             {lists(clienttest.Status(429)), sync.ErrBudget, -1},
		"500":                      {all(clienttest.Status(500)), sync.ErrDown, -1},
		"501":                      {all(clienttest.Status(501)), sync.ErrDown, -1},
		"503":                      {all(clienttest.Status(503)), sync.ErrDown, -1},
		"204":                      {all(&clienttest.Fault{Status: http.StatusNoContent}), sync.ErrDown, -1},
		"a redirect":               {all(&clienttest.Fault{Status: 302, Header: http.Header{"Location": {"https://login.example/"}}}), sync.ErrDown, -1},
		"articles 404":             {lists(clienttest.Status(404), "articles"), nil, 1},
		"articles null":            {lists(clienttest.Body("null"), "articles"), sync.ErrShape, -1},
		"columns 403":              {lists(clienttest.Status(403), "columns"), nil, 1},
		"columns HTML":             {lists(clienttest.HTML(), "columns"), nil, 1},
		"folders and writers 500":  {lists(clienttest.Status(500), "paths", "writers"), nil, 2},
		"folders and writers only": {lists(clienttest.Body("[]"), "articles", "columns", "newsphotogalleries", "newsvideos", "pages"), sync.ErrEmpty, 0},
		"no articles":              {lists(clienttest.Body("[]"), "articles"), nil, 0},
		"no date": {func(c clienttest.Call) *clienttest.Fault {
			if c.Operation == "date" {
				return clienttest.Status(500)
			}
			return nil
		}, nil, 0},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, clienttest.Options{Items: 20, Faults: test.faults})
			began := time.Now()
			greeting, err := sync.Greet(t.Context(), n.options)
			if !errors.Is(err, test.err) || (test.err == nil && err != nil) {
				t.Errorf("greet: %v, want %v", err, test.err)
			}
			if took, sent := time.Since(began), n.Count(func(clienttest.Request) bool { return true }); took > 2*time.Minute || sent > 16 {
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
		n := open(t, clienttest.Options{Items: 40})
		n.Edit("articles", n.articles()[0].ID, func(r *clienttest.Record) { r.URL = "https://www.gazete.example/spor/1" })
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
