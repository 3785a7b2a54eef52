package fetch_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// finding returns the answer of a report to a question.
func finding(r *fetch.Report, question string) fetch.Finding {
	for _, f := range r.Source {
		if f.Question == question {
			return f
		}
	}
	return fetch.Finding{}
}

// A run stores findings for the next one.
func TestPlaceOfIDIsFoundOnce(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 40, IDInQuery: true})
		n.mustRun(t)
		n.checkComplete(t)
		n.options.Full = true
		n.mustRun(t)
		n.checkComplete(t)
		if lost := n.Count(func(r fakepaper.Request) bool { return r.Status == http.StatusNotFound }); lost > 0 {
			t.Errorf("%d requests went to a place where no id goes", lost)
		}
	})
}

// If a source changes, its findings are replaced, and no record is lost.
func TestFindingsAreVerified(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		name     string
		before   fakepaper.Options
		change   func(*fakepaper.Options)
		question string
		answers  [2]string // before and after
	}{
		{"envelope", fakepaper.Options{Envelope: "value"}, func(o *fakepaper.Options) { o.Envelope = "d.results" }, "envelope of articles", [2]string{"value", "d.results"}},
		{"id into the path", fakepaper.Options{IDInQuery: true}, func(o *fakepaper.Options) { o.IDInQuery = false }, "place of the id in writers", [2]string{"query", "path"}},
		{"id into the query", fakepaper.Options{}, func(o *fakepaper.Options) { o.IDInQuery = true }, "place of the id in writers", [2]string{"path", "query"}},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			atTheirTime()
			test.before.Items = 40
			n := open(t, test.before)
			n.options.Kinds = []record.Kind{record.Article}
			n.mustRun(t)
			time.Sleep(time.Hour)
			report := n.mustRun(t)
			if finding(report, test.question).Answer != test.answers[0] {
				t.Errorf("before: %+v", finding(report, test.question))
			}
			test.change(&n.Service.Options)
			// A new writer to read, and passes over all lists.
			n.Add(fakepaper.Record{Group: "writers", ID: "65aa020b0000000000abcdef", Title: "Yeni Yazar", URL: n.Base, Created: time.Now()})
			time.Sleep(25 * time.Hour)
			report = n.mustRun(t)
			if lost := n.lost(t); lost > 0 {
				t.Errorf("%d articles are missing", lost)
			}
			want := fetch.Finding{Question: test.question, Answer: test.answers[1], Shown: true, Before: test.answers[0]}
			if got := finding(report, test.question); got != want {
				t.Errorf("after: %+v, want %+v", got, want)
			}
			time.Sleep(25 * time.Hour)
			if got := finding(n.mustRun(t), test.question); got.Answer != test.answers[1] || got.Before != "" {
				t.Errorf("later: %+v", got)
			}
			if len(report.Failed) > 0 {
				t.Errorf("failed: %+v", report.Failed)
			}
		})
	}
}

// A hit without a text does not replace its single record.
func TestHitsWithoutTextAreFetchedInTheirTurn(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 60, BareHits: true})
		n.options.Searches, n.options.Concurrency = []string{"liman"}, 1
		n.options.Kinds = []record.Kind{record.Article}
		n.mustRun(t)
		var asked []string
		for _, r := range n.Requests() {
			if r.Operation == "articles" && !r.List() {
				asked = append(asked, r.ID)
			}
		}
		if len(asked) != 36 || !slices.IsSortedFunc(asked, func(a, b string) int { return strings.Compare(b, a) }) {
			t.Errorf("fetched %v, want newest first", asked)
		}
		if hits, err := n.archive.Index.Saved(t.Context(), "liman", nil); err != nil || len(hits) == 0 {
			t.Error(fmt.Sprint(len(hits), " hits, ", err))
		}
	})
}
