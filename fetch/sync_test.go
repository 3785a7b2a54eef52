package fetch_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"net/http"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

func TestFirstRunIsComplete(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		options fakepaper.Options
	}{
		{"as recorded: a bare array", fakepaper.Options{}},
		{"value, ModifieDate", fakepaper.Options{Envelope: "value", ModifieDate: true}},
		{"d.results, ticks", fakepaper.Options{Envelope: "d.results", DateForm: "ticks"}},
		{"List, RFC 1123", fakepaper.Options{Envelope: "List", DateForm: time.RFC1123}},
		{"an unknown wrapper, no zone", fakepaper.Options{Envelope: "kayitlar", DateForm: "2006-01-02T15:04:05"}},
		{"ids as numbers", fakepaper.Options{NumericIDs: true}},
		{"silent cap, short pages in the middle", fakepaper.Options{TopCap: 3, ShortPages: true}},
		{"endless last page", fakepaper.Options{EndlessPage: true}},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			test.options.Items, test.options.Seed = 12, 7
			n := open(t, test.options)
			n.options.PageSize = 5
			report := n.mustRun(t)
			n.checkComplete(t)
			if len(report.Failed) != 0 {
				t.Errorf("failed: %+v", report.Failed)
			}
			c := report.Kinds[record.Article]
			if c.New != 8 || c.Fetched != 8 || c.Changed+c.Unchanged+c.Failed+c.Skipped != 0 {
				t.Errorf("articles: %+v, want 8 new and fetched", c)
			}
			if all := n.Count(func(fakepaper.Request) bool { return true }); report.Requests.Sent != all || report.Requests.ByStatus[200] != all {
				t.Errorf("report: %+v of %d requests", report.Requests, all)
			}
			article, err := n.archive.Records.Get(t.Context(), record.Article, "48999999")
			if err != nil || article.Published.Year() != 2026 || article.Modified.Sub(article.Published) != time.Minute {
				t.Errorf("published %v, modified %v, %v", article.Published, article.Modified, err)
			}
		})
	}
}

func TestSecondRunFetchesWhatIsNew(t *testing.T) {
	withClock(t, func(t *testing.T) {
		atTheirTime()
		n := open(t, fakepaper.Options{Items: 40})
		n.mustRun(t)
		n.mustRun(t) // which finds that this service ignores date filters
		if requests := n.Count(all); requests > 7+3+1 {
			t.Errorf("%d requests for the heads of 7 lists, 3 filters and the date", requests)
		}
		before := n.held(t)

		report := n.mustRun(t)
		if lists, singles := n.Count(isList), n.Count(isSingle); lists != 7 || singles != 0 {
			t.Errorf("%d lists and %d single records were asked for, want the heads of 7 lists only", lists, singles)
		}
		if c := report.Kinds[record.Article]; c.Unchanged != 10 || c.New+c.Changed+c.Fetched != 0 {
			t.Errorf("articles: %+v", c)
		}
		if !slices.Equal(n.held(t), before) {
			t.Error("a run over an unchanged source changed the archive")
		}

		fresh := fakepaper.Record{Group: "articles", ID: "49000001", Title: "Yeni", Path: "/spor/", Text: "<p>Yeni</p>", Created: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)}
		n.Add(fresh)
		n.Edit("articles", "48999990", func(r *fakepaper.Record) {
			r.Title, r.Text, r.Modified = "Düzeltilmiş", "<p>Düzeltilmiş</p>", r.Modified.Add(time.Hour)
		})
		report = n.mustRun(t)
		n.checkComplete(t)
		if c := report.Kinds[record.Article]; c.New != 1 || c.Changed != 1 || c.Fetched != 2 {
			t.Errorf("articles: %+v, want 1 new, 1 changed, 2 fetched", c)
		}
		if singles := n.Count(isSingle); singles != 2 {
			t.Errorf("%d single records were asked for, want 2", singles)
		}
		edited, err := n.archive.Records.Get(t.Context(), record.Article, "48999990")
		if err != nil || edited.Title != "Düzeltilmiş" {
			t.Fatalf("title %q, %v", edited.Title, err)
		}
		if revisions, err := revisionsOf(t, n.archive, edited.Row); err != nil || len(revisions) != 2 {
			t.Errorf("%d revisions, %v; want the list and the single record from before", len(revisions), err)
		}
	})
}

// The list record of an editorial page does not change with its news.
func TestPagesAreLookedAtAgain(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 20})
		n.mustRun(t)
		page := n.Records()[20]
		n.Edit(page.Group, page.ID, func(r *fakepaper.Record) { slices.Reverse(r.News) })
		time.Sleep(59 * time.Minute)
		n.mustRun(t)
		if singles := n.Count(isSingle); singles != 0 {
			t.Errorf("%d single records asked for within the hour", singles)
		}
		time.Sleep(2 * time.Minute)
		n.mustRun(t)
		if singles := n.Count(isSingle); singles != 3 {
			t.Errorf("%d single records asked for after an hour, want the 3 pages", singles)
		}
		n.checkComplete(t)
	})
}

func TestSearchesAreKept(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 30, TopCap: 5, Seed: 3})
		n.options.Searches = []string{"liman", ".."}
		report := n.mustRun(t)
		var want int
		for _, r := range n.Records()[:60] {
			if strings.Contains(strings.ToLower(" "+r.Title+" "+r.Text), " liman") {
				want++
			}
		}
		hits, err := n.archive.Index.Saved(t.Context(), "liman", nil)
		if err != nil || len(hits) < want || want < 6 {
			t.Errorf("%d hits, %v; want at least %d", len(hits), err, want)
		}
		if len(report.Failed) != 1 || report.Failed[0].Operation != "search" {
			t.Errorf("failed: %+v, want the search that no address can hold, and no more", report.Failed)
		}
		n.mustRun(t)
		if searches := n.Count(func(r fakepaper.Request) bool { return r.Operation == "search" }); searches != 1 {
			t.Errorf("%d searches in the second run, want 1", searches)
		}
	})
}

func TestIgnoredSkipEnds(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 20, IgnoreSkip: true})
		n.mustRun(t)
		if lists := n.Count(isList); lists != 21 {
			t.Errorf("%d lists were asked for, want each of 7 three times", lists)
		}
	})
}

func TestNoRecordsAreSkipped(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		n.options.PageSize = 1 // also where they fill a page
		raws := []string{`{"Title":"Kimliksiz"}`, `{"Id":"","Title":"Boş"}`, `{"Id":null}`}
		for _, raw := range raws {
			n.Add(fakepaper.Record{Group: "articles", RawList: raw})
		}
		report := n.mustRun(t)
		if c := report.Kinds[record.Article]; c.Skipped != len(raws) || c.New != 6 || c.Fetched != 6 {
			t.Errorf("articles: %+v, want %d skipped and 6 kept", c, len(raws))
		}
		n.options.PageSize, n.options.Full = 10, true
		n.Add(fakepaper.Record{Group: "articles", RawList: `null`}, fakepaper.Record{Group: "articles", RawList: `5`})
		report = n.mustRun(t)
		if c := report.Kinds[record.Article]; c.Skipped != len(raws)+2 || c.Unchanged != 6 {
			t.Errorf("articles: %+v, want %d skipped", c, len(raws)+2)
		}
	})
}

func TestWantsAndKinds(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 30})
		n.options.Kinds = []record.Kind{record.Article}
		n.options.Wants = func(paths []string) bool { return slices.Contains(paths, "/spor/") }
		n.mustRun(t)
		for _, r := range n.Requests() {
			if !slices.Contains([]string{"articles", "writers", "paths"}, r.Operation) {
				t.Errorf("%s was asked for", r.URI)
			}
		}
		for _, r := range n.Records() {
			if r.Group != "articles" {
				continue
			}
			got, err := n.archive.Records.Get(t.Context(), record.Article, r.ID)
			if err != nil || (got.Single != nil) != (r.Path == "/spor/") {
				t.Errorf("%s in %s: single record there: %v, %v", r.ID, r.Path, got.Single != nil, err)
			}
		}
	})
}

func TestConcurrencyIsKept(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, limit := range []int{0, 1, 3, 16} {
		inVirtualTime(t, fmt.Sprint(limit), func(t *testing.T) {
			n := open(t, fakepaper.Options{Items: 12, Latency: 50 * time.Millisecond})
			n.withPictures(t)
			n.options.Concurrency = limit
			n.mustRun(t)
			if most := n.MostInFlight(); most != max(1, limit) {
				t.Errorf("%d requests at once, want %d", most, max(1, limit))
			}
		})
	}
}

func TestProgressAndReport(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 6})
		var fetched, total int
		n.options.Concurrency = 1
		n.options.Progress = func(p fetch.Progress) {
			if p.Stage == "fetch" {
				fetched, total = max(fetched, p.Done), p.Total
			}
		}
		report := n.mustRun(t)
		if want := len(n.Records()); fetched != want || total != want {
			t.Errorf("progress came to %d of %d, want %d", fetched, total, want)
		}
		text, err := json.Marshal(report)
		if err != nil || !strings.Contains(string(text), `"failed":[]`) {
			t.Errorf("report %s, %v", text, err)
		}
	})
}

// After a run that ends between two pages of new records, the next one must not treat the
// list as known.
func TestCutShortListLeavesNoGap(t *testing.T) {
	withClock(t, func(t *testing.T) {
		var failing bool
		n := open(t, fakepaper.Options{Items: 20, TopCap: 5, Faults: meeting(fakepaper.Status(http.StatusNotImplemented), func(c fakepaper.Call) bool {
			return failing && c.Operation == "articles" && c.List() && c.Skip > 0
		})})
		n.mustRun(t)
		for i := range 12 {
			n.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + i), Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
		}
		failing = true
		n.mustRun(t)
		failing = false
		n.mustRun(t)
		n.checkComplete(t)
	})
}
