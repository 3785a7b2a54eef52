package fetch_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// first is the newest record but one of a paper, and poison are its newest.
const first = "48999999"

var poison = []string{"49000000", first, "48999998", "48999996", "48999994", "48999992", "48999991", "48999989"}

// single lets one record be answered with a text.
func single(text string) faults { return records(fakepaper.Body(text), first) }

// partialOutages are faults of a part of a source. They stop no other part, or end the run
// without a loss.
var partialOutages = []outage{
	{name: "record 403", faults: records(fakepaper.Status(403), first), failed: 1, status: 403, tries: 1},
	{name: "record 404", faults: records(fakepaper.Status(404), first), failed: 1, status: 404, tries: 1},
	{name: "record 409", faults: records(fakepaper.Status(409), first), failed: 1, status: 409, tries: 1},
	{name: "record 429", faults: records(tooMany(), first), failed: 1, status: 429, tries: 4},
	{name: "record 500", faults: records(fakepaper.Status(500), first), failed: 1, status: 500, tries: 4},
	{name: "record 501", faults: records(fakepaper.Status(501), first), failed: 1, status: 501, tries: 1},
	{name: "record HTML", faults: records(fakepaper.HTML(), first), failed: 1, status: 200, tries: 4},
	{name: "half a record", faults: records(&fakepaper.Fault{Half: true}, first), failed: 1, status: 200, tries: 4},
	{name: "null", faults: single("null"), failed: 1, status: 200, tries: 1},
	{name: "another record", faults: single(`{"Id":"1"}`), failed: 1, tries: 1},
	{name: "a record with the key", faults: single(`{"Id":"` + first + `","Title":"` + key + `"}`), failed: 1, status: 200, tries: 1},
	{name: "the key in escapes", faults: single(`{"Id":"` + first + `","Title":"` + strings.ReplaceAll(key, "-", `\u002D`) + `"}`), failed: 1, status: 200, tries: 1},
	{name: "the key once the text is cleaned", faults: single(`{"Id":"` + first + `","Text":"` + strings.Replace(key, "-", `&#45;<script>a()<\/script>`, 1) + `"}`), failed: 1, tries: 1},
	{name: "too deep", faults: single(`{"Id":"` + first + `","X":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}`), failed: 1, status: 200, tries: 4},

	{name: "columns 404", faults: lists(fakepaper.Status(404), "columns"), failed: 1, status: 404, tries: 1},
	{name: "columns 403", faults: lists(fakepaper.Status(403), "columns"), failed: 1, status: 403, tries: 1},
	{name: "columns 500", faults: lists(fakepaper.Status(500), "columns"), failed: 1, status: 500, tries: 4},
	{name: "columns 501", faults: lists(fakepaper.Status(501), "columns"), failed: 1, status: 501, tries: 1},
	{name: "an address in the middle of a list 404", paper: fakepaper.Options{Items: 60}, faults: meeting(fakepaper.Status(404), func(c fakepaper.Call) bool {
		return c.Operation == "articles" && c.List() && c.Skip == 27
	})},

	{name: "searches 429", faults: meeting(tooMany(), isSearch), failed: 6, status: 429, tries: 4, set: searching},
	{name: "columns 429", faults: lists(tooMany("1"), "columns"), failed: 1, status: 429, tries: 4, set: searching},
	{name: "the first list 429", faults: lists(tooMany("60"), "articles"), failed: 1, status: 429, tries: 4, set: searching},
	{name: "the newest record 429", faults: records(tooMany("1"), poison[0]), failed: 1, status: 429, tries: 4, set: searching},
	{name: "as many records 429 as there are workers", paper: fakepaper.Options{Items: 24}, faults: records(tooMany("60"), poison...), failed: 8, status: 429, tries: 4, set: searching},

	{name: "seven records in a row 500", paper: fakepaper.Options{Items: 20}, failed: 7, status: 500, tries: 4, set: workers(1),
		faults: meeting(fakepaper.Status(500), func(c fakepaper.Call) bool { return len(c.ID) == 8 && c.ID > "48999989" && c.ID <= "48999996" })},
	{name: "all records 500", paper: fakepaper.Options{Items: 26}, faults: items(fakepaper.Status(500)), failed: 26, status: 500, tries: 4, set: workers(1)},
	{name: "all records 403", paper: fakepaper.Options{Items: 40}, faults: items(fakepaper.Status(403)), failed: 40, status: 403, tries: 1, set: workers(8)},
	{name: "all records 403, and the date", paper: fakepaper.Options{Items: 40}, err: fetch.ErrKey, text: "403", most: 19, set: workers(8),
		faults: meeting(fakepaper.Status(403), func(c fakepaper.Call) bool { return !c.List() || c.Operation == "date" })},
	{name: "all records 500, and the date 401", paper: fakepaper.Options{Items: 20}, err: fetch.ErrKey, text: "401", most: 21, set: workers(1),
		faults: func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "date" {
				return fakepaper.Status(401)
			}
			return items(fakepaper.Status(500))(c)
		}},
	{name: "the key is withdrawn", paper: fakepaper.Options{Items: 40, Latency: 10 * time.Millisecond}, err: fetch.ErrKey, text: "401", most: 4,
		faults: meeting(&fakepaper.Fault{Status: 401, Body: `{"message":"bad key ` + key + `"}`}, func(c fakepaper.Call) bool {
			return len(c.ID) == 8 && c.ID < "48999970"
		})},
	{name: "a limit that spares the date", paper: fakepaper.Options{Items: 100}, err: fetch.ErrBudget, most: 130, set: workers(8),
		faults: meeting(tooMany(), func(c fakepaper.Call) bool { return c.Operation != "date" })},
	{name: "a limit that spares lists and the date", paper: fakepaper.Options{Items: 100}, err: fetch.ErrBudget, most: 130, set: workers(8),
		faults: meeting(tooMany(), func(c fakepaper.Call) bool { return c.Operation != "date" && !c.List() })},
	// Five records, four tries each, and the question for the date.
	{name: "down after a while: 502", paper: fakepaper.Options{Items: 60}, err: fetch.ErrDown, after: 50, most: 5*4 + 1, set: workers(1), faults: everywhere(fakepaper.Status(502))},
	{name: "down after a while: cut", paper: fakepaper.Options{Items: 60}, err: fetch.ErrDown, after: 50, most: 5*4 + 1, set: workers(1), faults: everywhere(&fakepaper.Fault{Cut: true, Body: "x"})},

	{name: "empty twice", faults: twice(fakepaper.Body(" "))},
	{name: "HTML twice", faults: twice(fakepaper.HTML())},
	{name: "half a body twice", faults: twice(&fakepaper.Fault{Half: true})},
	{name: "408 twice", faults: twice(fakepaper.Status(408))},
	{name: "425 twice", faults: twice(fakepaper.Status(425))},
	{name: "429 twice", faults: twice(tooMany("2"))},
	{name: "429 twice, for some day", faults: twice(tooMany("yarın"))},
	{name: "429 twice, until a past date", faults: twice(tooMany("Sat, 01 Jan 2000 00:00:00 GMT"))},
	{name: "500 twice", faults: twice(fakepaper.Status(500))},
	{name: "503 twice", faults: twice(fakepaper.Status(503))},
	{name: "522 twice", faults: twice(fakepaper.Status(522))},
	{name: "an unasked encoding twice", faults: twice(&fakepaper.Fault{Header: http.Header{"Content-Encoding": {"br"}}})},
}

func isSearch(c fakepaper.Call) bool { return c.Operation == "search" }

func searching(n *mirror) {
	n.options.Searches, n.options.Concurrency = strings.Fields("liman kıyı deniz orman pazar vapur"), 8
}

func TestPartialOutages(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, o := range partialOutages {
		inVirtualTime(t, o.name, func(t *testing.T) {
			n, begin := o.open(t)
			begin()
			began := time.Now()
			report := o.run(t, n)
			if took := time.Since(began); took > time.Hour {
				t.Errorf("the run took %s", took)
			}
			if o.err == nil && len(report.Failed) != o.failed {
				t.Errorf("failed: %+v, want %d", report.Failed, o.failed)
			}
			for _, f := range report.Failed {
				if o.err == nil && f.Status != o.status || f.Reason == "" {
					t.Errorf("failed: %+v, want status %d", f, o.status)
				}
			}
			dates, most := n.Count(func(r fakepaper.Request) bool { return r.Operation == "date" }), o.failed/5 // after as many failures in a row
			if o.status == http.StatusTooManyRequests {
				most = o.failed
			}
			if o.err == nil && dates > most {
				t.Errorf("%d requests for the date, want %d at most", dates, most)
			}
			there := n.arrived(t)
			switch reach := n.reach(o.faults); {
			case o.err == nil && there != reach:
				t.Errorf("%d records have arrived, want %d", there, reach)
			case o.after > 0 && (there < o.after/2 || report.Wanted == 0):
				t.Errorf("%d records have arrived after %d good answers, %d are wanted", there, o.after, report.Wanted)
			case o.err != nil && len(report.Failed) > 20:
				t.Errorf("%d records count as broken", len(report.Failed))
			}
			listed := len(n.held(t))
			n.SetFaults(nil)
			if errors.Is(o.err, fetch.ErrBudget) {
				time.Sleep(time.Hour)
			}
			n.mustRun(t)
			n.checkComplete(t)
			if singles := n.Count(isSingle) - n.Count(isSearched); listed == len(n.Records()) && o.err == nil && singles != listed-there {
				t.Errorf("%d single records in the next run, want the %d that were missing", singles, listed-there)
			}
		})
	}
}

func isSearched(r fakepaper.Request) bool { return isSearch(r.Call) }

// reach counts the records whose list and own address are answered well, at least at last.
func (n *mirror) reach(f faults) int {
	count := 0
	for _, r := range n.Records() {
		const last = 4
		if f(fakepaper.Call{Operation: r.Group, ID: r.ID, Attempt: last}) == nil && f(fakepaper.Call{Operation: r.Group, Attempt: last}) == nil {
			count++
		}
	}
	return count
}

// arrived returns how many records are there with their single record.
func (n *mirror) arrived(t *testing.T) int {
	t.Helper()
	there := 0
	for r, err := range n.archive.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if !r.Fetched.IsZero() && r.GoneAt.IsZero() {
			there++
		}
	}
	return there
}

// A report lists the first failures, and counts the others.
func TestManyFailuresAreCounted(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 1010, Faults: items(fakepaper.Status(http.StatusNotImplemented))})
		n.options.PageSize, n.options.Kinds = 50, []record.Kind{record.Article, record.Column, record.Gallery, record.Video}
		report, err := n.run(t)
		if err != nil || len(report.Failed) != 1000 || report.FailedMore != 10 {
			t.Errorf("%v; %d listed and %d counted, want 1000 and 10", err, len(report.Failed), report.FailedMore)
		}
	})
}

// Retries are at most fifty and a quarter of all requests, also if nearly all fail.
func TestRetryBudget(t *testing.T) {
	testrun.NotShort(t)
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 120, Faults: meeting(fakepaper.Status(http.StatusInternalServerError), func(c fakepaper.Call) bool {
			return !c.List() && c.Operation != "date" && !strings.HasSuffix(c.ID, "0")
		})})
		n.options.Concurrency, n.options.PageSize = 8, 50
		n.mustRun(t)
		retries := n.Count(func(r fakepaper.Request) bool { return r.Attempt > 1 && r.Operation != "date" })
		if most := 50 + n.Count(all)/4; retries > most || retries < most*9/10 {
			t.Errorf("%d retries of %d requests, want %d at most, and nearly all of them", retries, n.Count(all), most)
		}
	})
}
