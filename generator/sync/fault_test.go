package sync_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/generator/sync"
	"ayna/server/newsroom"
)

// A failure of the whole source ends the run, and the archive stays as it was.
func TestBadSourceLeavesArchive(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		fault *newsroom.Fault
		want  error
		text  string
	}{
		{"empty bodies", newsroom.Body(" "), sync.ErrDown, "empty"},
		{"204", &newsroom.Fault{Status: http.StatusNoContent}, sync.ErrDown, "204"},
		{"HTML", newsroom.HTML(), sync.ErrDown, "HTML"},
		{"half a body", &newsroom.Fault{Half: true}, sync.ErrDown, "not JSON"},
		{"error object", newsroom.Body(`{"message":"bakım"}`), sync.ErrShape, "unknown shape"},
		{"redirect without target", newsroom.Status(http.StatusFound), sync.ErrDown, "redirects"},
		{"redirect elsewhere", &newsroom.Fault{Status: http.StatusFound, Header: http.Header{"Location": {"https://evil.example/v1/"}}}, sync.ErrDown, "evil.example"},
		{"401", newsroom.Status(http.StatusUnauthorized), sync.ErrKey, "API key"},
		{"403 on everything", newsroom.Status(http.StatusForbidden), sync.ErrKey, "403"},
		{"404 on everything", newsroom.Status(http.StatusNotFound), sync.ErrDown, "404"},
		{"429 for hours", &newsroom.Fault{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"7200"}}}, sync.ErrBudget, "used up"},
		{"429 without a word", newsroom.Status(http.StatusTooManyRequests), sync.ErrBudget, "too many requests"},
		{"503", newsroom.Status(http.StatusServiceUnavailable), sync.ErrDown, "503"},
		{"501", newsroom.Status(http.StatusNotImplemented), sync.ErrDown, "501"},
		{"two arrays", newsroom.Body(`{"a":[],"b":[]}`), sync.ErrShape, `"a, b"`},
		{"null", newsroom.Body(`null`), sync.ErrShape, "unknown shape"},
		{"text", newsroom.Body(`""`), sync.ErrShape, "unknown shape"},
		{"empty object", newsroom.Body(`{}`), sync.ErrShape, "unknown shape"},
		{"no records", newsroom.Body(`[1,2,3,{"Id":"1"}]`), sync.ErrShape, "most of a page"},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 2})
			n.mustRun(t)
			before := n.held(t)
			n.Faults = func(newsroom.Call) *newsroom.Fault { return test.fault }
			n.options.Full = true
			report, err := n.run(t)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v; want %v with %q", err, test.want, test.text)
			}
			if strings.Contains(fmt.Sprint(err), key) {
				t.Error("the error holds the key")
			}
			if !slices.Equal(n.held(t), before) {
				t.Error("the archive has changed")
			}
			if sent := n.Count(func(newsroom.Request) bool { return true }); report.Requests.Sent < sent {
				t.Errorf("the report counts %d of %d requests", report.Requests.Sent, sent)
			}
		})
	}
}

// A first run that fails must not look like an empty mirror.
func TestFirstRunAgainstHTML(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 5, Faults: func(newsroom.Call) *newsroom.Fault { return newsroom.HTML() }})
		n.options.Kinds = []archive.Kind{archive.Article} // three lists: too few for the breaker
		if _, err := n.run(t); !errors.Is(err, sync.ErrDown) {
			t.Errorf("error %v, want ErrDown", err)
		}
		if held := n.held(t); len(held) != 0 {
			t.Errorf("the archive holds %q", held)
		}
	})
}

// A record or an operation that fails is counted and stops no other.
func TestOneFailureStopsNoOther(t *testing.T) {
	t.Parallel()
	const poisoned = "48999996"
	record := func(f *newsroom.Fault) func(newsroom.Call) *newsroom.Fault {
		return func(c newsroom.Call) *newsroom.Fault {
			if c.ID == poisoned && c.Operation != "picture" {
				return f
			}
			return nil
		}
	}
	operation := func(f *newsroom.Fault) func(newsroom.Call) *newsroom.Fault {
		return func(c newsroom.Call) *newsroom.Fault {
			if c.Operation == "columns" && c.List() {
				return f
			}
			return nil
		}
	}
	tests := []struct {
		name     string
		faults   func(newsroom.Call) *newsroom.Fault
		status   int
		attempts int
		listed   bool // it is the list that fails
	}{
		{name: "500 always", faults: record(newsroom.Status(500)), status: 500, attempts: 4},
		{name: "403", faults: record(newsroom.Status(403)), status: 403, attempts: 1},
		{name: "404", faults: record(newsroom.Status(404)), status: 404, attempts: 1},
		{name: "429", faults: record(newsroom.Status(429)), status: 429, attempts: 4},
		{name: "501", faults: record(newsroom.Status(501)), status: 501, attempts: 1},
		{name: "409", faults: record(newsroom.Status(409)), status: 409, attempts: 1},
		{name: "HTML", faults: record(newsroom.HTML()), status: 200, attempts: 4},
		{name: "half a body", faults: record(&newsroom.Fault{Half: true}), status: 200, attempts: 4},
		{name: "null", faults: record(newsroom.Body("null")), status: 200, attempts: 1},
		{name: "another record", faults: record(newsroom.Body(`{"Id":"1"}`)), attempts: 1},
		{name: "a record with the key", faults: record(newsroom.Body(`{"Id":"` + poisoned + `","Title":"` + key + `"}`)), status: 200, attempts: 1},
		{name: "the key in escapes", faults: record(newsroom.Body(`{"Id":"` + poisoned + `","Title":"` + strings.ReplaceAll(key, "-", `\u002D`) + `"}`)), status: 200, attempts: 1},
		{name: "the key once the text is cleaned", faults: record(newsroom.Body(`{"Id":"` + poisoned + `","Text":"` + strings.Replace(key, "-", `&#45;<script>a()<\/script>`, 1) + `"}`)), attempts: 1},
		{name: "too deep", faults: record(newsroom.Body(`{"Id":"` + poisoned + `","X":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}`)), status: 200, attempts: 4},
		{name: "operation 404", faults: operation(newsroom.Status(404)), status: 404, attempts: 1, listed: true},
		{name: "operation 403", faults: operation(newsroom.Status(403)), status: 403, attempts: 1, listed: true},
		{name: "operation 429", faults: operation(newsroom.Status(429)), status: 429, attempts: 4, listed: true},
		{name: "operation 500", faults: operation(newsroom.Status(500)), status: 500, attempts: 4, listed: true},
		{name: "operation 501", faults: operation(newsroom.Status(501)), status: 501, attempts: 1, listed: true},
	}
	for _, test := range tests {
		inVirtualTime(t, test.name, func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 5, Faults: test.faults})
			report := n.mustRun(t)
			if len(report.Failed) != 1 {
				t.Fatalf("failed: %+v, want one", report.Failed)
			}
			f := report.Failed[0]
			if f.Status != test.status || f.Reason == "" || strings.Contains(f.Reason, key) || (f.ID == poisoned) == test.listed {
				t.Errorf("failed: %+v", f)
			}
			tries := n.Count(func(r newsroom.Request) bool { return test.faults(r.Call) != nil })
			if tries != test.attempts {
				t.Errorf("%d tries, want %d", tries, test.attempts)
			}
			n.Faults = nil
			n.mustRun(t)
			n.checkComplete(t)
			if singles := n.Count(isSingle); !test.listed && singles != 1 {
				t.Errorf("%d single records in the next run, want the one that was missing", singles)
			}
		})
	}
}

// A report lists the first failures, and counts the others.
func TestManyFailuresAreCounted(t *testing.T) {
	t.Parallel()
	inVirtualTime(t, "", func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 1300, Faults: func(c newsroom.Call) *newsroom.Fault {
			if !c.List() && c.Operation != "date" {
				return newsroom.Status(http.StatusNotImplemented)
			}
			return nil
		}})
		n.options.PageSize, n.options.Kinds = 50, []archive.Kind{archive.Article, archive.Column, archive.Gallery, archive.Video}
		report, err := n.run(t)
		if err != nil || len(report.Failed) != 1000 || len(report.Failed)+report.FailedMore < 1300 {
			t.Errorf("%v; %d listed and %d counted, want 1000 and the others", err, len(report.Failed), report.FailedMore)
		}
	})
}

func TestPassingFaultsAreRetried(t *testing.T) {
	t.Parallel()
	faults := map[string]*newsroom.Fault{
		"empty":                newsroom.Body(" "),
		"HTML":                 newsroom.HTML(),
		"half a body":          {Half: true},
		"408":                  newsroom.Status(408),
		"425":                  newsroom.Status(425),
		"429":                  {Status: 429, Header: http.Header{"Retry-After": {"2"}}},
		"429 with garbage":     {Status: 429, Header: http.Header{"Retry-After": {"yarın"}}},
		"429 with a past date": {Status: 429, Header: http.Header{"Retry-After": {"Sat, 01 Jan 2000 00:00:00 GMT"}}},
		"500":                  newsroom.Status(500),
		"503":                  newsroom.Status(503),
		"522":                  newsroom.Status(522),
		"unasked encoding":     {Header: http.Header{"Content-Encoding": {"br"}}},
	}
	for name, fault := range faults {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, newsroom.Options{Items: 4, Faults: func(c newsroom.Call) *newsroom.Fault {
				if c.Attempt < 3 && (c.Operation == "articles" || c.Operation == "columns") {
					return fault
				}
				return nil
			}})
			report := n.mustRun(t)
			n.checkComplete(t)
			if len(report.Failed) > 0 {
				t.Errorf("failed: %+v", report.Failed)
			}
		})
	}
}

func TestRetryAfterIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 5, Faults: func(c newsroom.Call) *newsroom.Fault {
			if c.Operation == "articles" && c.List() && c.Attempt < 4 {
				return &newsroom.Fault{Status: 429, Header: http.Header{"Retry-After": {"20"}}}
			}
			return nil
		}})
		n.mustRun(t)
		var last time.Time
		for _, r := range n.Requests() {
			if r.Operation == "articles" && r.List() && r.Skip == 0 {
				if pause := r.At.Sub(last); pause < 20*time.Second {
					t.Errorf("asked again after %s, want 20 s at least", pause)
				}
				last = r.At
			}
		}
	})
}

// The breaker: if the source goes down during a run, the other requests are not sent.
func TestDownAfterAWhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 30, Faults: func(c newsroom.Call) *newsroom.Fault {
			if !c.List() && c.ID < "48999993" {
				return newsroom.Status(http.StatusBadGateway)
			}
			return nil
		}})
		report, err := n.run(t)
		if !errors.Is(err, sync.ErrDown) {
			t.Fatalf("error %v, want ErrDown", err)
		}
		if bad := n.Count(func(r newsroom.Request) bool { return r.Status == http.StatusBadGateway }); bad > 4*(5+n.options.Concurrency) {
			t.Errorf("%d requests to a source that is down", bad)
		}
		if report.Kinds[archive.Article].Fetched == 0 {
			t.Error("what had arrived is not in the report")
		}
		n.Faults = nil
		n.mustRun(t)
		n.checkComplete(t)
	})
}

// An id that no address can hold proves nothing about the source.
func TestHostileIDsAreNoOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 10})
		hostile := []string{".", "..", " .. ", "../../etc", "a/b", "a?b=c", "%2e%2e", "ş", "..\\", "x\x00y"}
		for _, id := range hostile {
			n.Add(newsroom.Record{Group: "articles", ID: id, Title: "Düşman", Path: "/spor/", Created: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
		}
		for _, group := range []string{"columns", "newsphotogalleries", "newsvideos"} { // enough for the breaker
			for _, id := range hostile[:2] {
				n.Add(newsroom.Record{Group: group, ID: id, Title: "Düşman", Path: "/spor/", Created: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)})
			}
		}
		n.options.Concurrency = 1
		report := n.mustRun(t)
		if c := report.Kinds[archive.Article]; c.Fetched < 6 || c.Failed > len(hostile) {
			t.Errorf("articles: %+v %+v", c, report.Failed)
		}
	})
}
