package sync_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/client/clienttest"
	"ayna/generator/sync"
	"ayna/testrun"
)

// probe asks a source what it can do.
func (n *newsroom) probe(t *testing.T) {
	t.Helper()
	if _, err := sync.Probe(t.Context(), n.archive, n.options); err != nil {
		t.Fatal(err)
	}
}

// finding returns the answer of a report to a question.
func finding(r *sync.Report, question string) sync.Finding {
	for _, f := range r.Source {
		if f.Question == question {
			return f
		}
	}
	return sync.Finding{}
}

// The findings of a probe are stored, and are in the next run's report.
func TestProbeIsKept(t *testing.T) {
	t.Parallel()
	null := func(c clienttest.Call) *clienttest.Fault {
		if c.ID == "00000000" {
			return &clienttest.Fault{Status: http.StatusOK, Body: "null"}
		}
		return nil
	}
	for _, test := range []struct {
		name     string
		options  clienttest.Options
		question string
		want     string
	}{
		{"D11 cap", clienttest.Options{TopCap: 37}, "largest $top", "37"},
		{"D11 a large page", clienttest.Options{TopCap: 200}, "largest $top", "66"}, // all there are
		{"D01 bare array", clienttest.Options{}, "envelope of columns", "array"},
		{"D01 wrapper", clienttest.Options{Envelope: "value"}, "envelope of columns", "value"},
		{"search envelope", clienttest.Options{}, "envelope of search", "List"},
		{"id in the path", clienttest.Options{}, "place of the id in writers", "path"},
		{"id in the query", clienttest.Options{IDInQuery: true}, "place of the id in paths", "query"},
		{"unknown id", clienttest.Options{}, "an unknown id", "status 404"},
		{"D03 unknown id gets null", clienttest.Options{Faults: null}, "an unknown id", "status 200"},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			test.options.Items = 110
			n := open(t, test.options)
			n.probe(t)
			n.options.Budget = 1 // the report also has what the run did not meet
			report, _ := n.run(t)
			f := finding(report, test.question)
			if !strings.HasPrefix(f.Answer, test.want) || f.Before != "" {
				t.Errorf("%s: %+v, want %s", test.question, f, test.want)
			}
		})
	}
}

// Findings save requests from the first run on.
func TestFindingsSaveRequests(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options clienttest.Options
		wasted  func(clienttest.Request) bool // what is asked for only without a finding
	}{
		{"place of the id", clienttest.Options{IDInQuery: true}, func(r clienttest.Request) bool { return r.Status == http.StatusNotFound }},
		{"largest $top", clienttest.Options{TopCap: 100}, func(r clienttest.Request) bool { return isArticles(r) && r.Skip > 0 && r.Skip < 60 }},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			atTheirTime()
			wasted := make(map[bool]int)
			for _, probed := range []bool{false, true} {
				test.options.Items = 110
				n := open(t, test.options)
				n.options.Kinds = []archive.Kind{archive.Article}
				if probed {
					n.probe(t)
				}
				for range 2 {
					n.mustRun(t)
					if lost := n.lost(t); lost > 0 {
						t.Errorf("%d articles are missing", lost)
					}
					wasted[probed] += n.Count(test.wasted)
					time.Sleep(time.Hour)
				}
			}
			if wasted[true] != 0 || wasted[false] == 0 {
				t.Errorf("%d requests wasted after a probe, %d without; want some without, none after", wasted[true], wasted[false])
			}
		})
	}
}

// A run stores findings for the next one, also without a probe.
func TestPlaceOfIDIsFoundOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, clienttest.Options{Items: 40, IDInQuery: true})
		n.mustRun(t)
		n.checkComplete(t)
		n.options.Full = true
		n.mustRun(t)
		n.checkComplete(t)
		if lost := n.Count(func(r clienttest.Request) bool { return r.Status == http.StatusNotFound }); lost > 0 {
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
		before   clienttest.Options
		change   func(*clienttest.Options)
		question string
		answers  [2]string // before and after
	}{
		{"D11 smaller cap", clienttest.Options{TopCap: 60}, func(o *clienttest.Options) { o.TopCap = 20 }, "largest $top", [2]string{"60", "20"}},
		{"large $top refused", clienttest.Options{TopCap: 60}, func(o *clienttest.Options) { o.TopLimit = 10 }, "largest $top", [2]string{"60", "10"}},
		{"D01 envelope", clienttest.Options{Envelope: "value"}, func(o *clienttest.Options) { o.Envelope = "d.results" }, "envelope of articles", [2]string{"value", "d.results"}},
		{"id into the path", clienttest.Options{IDInQuery: true}, func(o *clienttest.Options) { o.IDInQuery = false }, "place of the id in writers", [2]string{"query", "path"}},
		{"id into the query", clienttest.Options{}, func(o *clienttest.Options) { o.IDInQuery = true }, "place of the id in writers", [2]string{"path", "query"}},
	} {
		inVirtualTime(t, test.name, func(t *testing.T) {
			atTheirTime()
			test.before.Items = 110
			n := open(t, test.before)
			n.options.Kinds = []archive.Kind{archive.Article}
			n.probe(t)
			n.mustRun(t)
			time.Sleep(time.Hour)
			report := n.mustRun(t)
			if finding(report, test.question).Answer != test.answers[0] {
				t.Errorf("before: %+v", finding(report, test.question))
			}
			test.change(&n.Service.Options)
			// A new writer to read, and passes over all lists.
			n.Add(clienttest.Record{Group: "writers", ID: "65aa020b0000000000abcdef", Title: "Yeni Yazar", URL: n.Base, Created: time.Now()})
			time.Sleep(25 * time.Hour)
			report = n.mustRun(t)
			if lost := n.lost(t); lost > 0 {
				t.Errorf("%d articles are missing", lost)
			}
			want := sync.Finding{Question: test.question, Answer: test.answers[1], Shown: true, Before: test.answers[0]}
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

// A source that answers 200 without a record for unknown ids: each record that its list no
// longer shows costs one request, and none is marked as gone.
func TestD03UnknownIDsAreNotAskedForAgain(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]*clienttest.Fault{
		"null":        {Status: http.StatusOK, Body: "null"},
		"T16 nothing": {Status: http.StatusOK, Body: " "},
		"T18 HTML":    {Status: http.StatusOK, Body: "<p>Yok</p>"},
		"500":         clienttest.Status(http.StatusInternalServerError),
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			gone := []string{"00000000"}
			n := open(t, clienttest.Options{Items: 60, Faults: func(c clienttest.Call) *clienttest.Fault {
				if slices.Contains(gone, c.ID) {
					return fault
				}
				return nil
			}})
			n.probe(t)
			n.mustRun(t)
			for _, r := range vanish(n, 6) {
				gone = append(gone, r.ID)
			}
			report := n.relisted(t)
			asked := n.Count(func(r clienttest.Request) bool { return slices.Contains(gone, r.ID) || r.Operation == "date" })
			if c := report.Kinds[archive.Article]; c.Gone != 0 || c.Failed != 6 || asked != 6 {
				t.Errorf("%+v, %d requests", c, asked)
			}
			if f := finding(report, "an unknown id"); !f.Shown || f.Before != "" {
				t.Errorf("%+v", f)
			}
		})
	}
}

// A hit without a text does not replace its single record.
func TestHitsWithoutTextAreFetchedInTheirTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, clienttest.Options{Items: 60, BareHits: true})
		n.options.Searches, n.options.Concurrency = []string{"liman"}, 1
		n.options.Kinds = []archive.Kind{archive.Article}
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
		if hits, err := n.archive.SavedSearch(t.Context(), "liman"); err != nil || len(hits) == 0 {
			t.Error(fmt.Sprint(len(hits), " hits, ", err))
		}
	})
}
