package fetch_test

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// faults are what requests meet: nil for an answer as it should be.
type faults func(fakepaper.Call) *fakepaper.Fault

// outage is a fault of a source during a run, with what the run reports. Once the fault is
// over, the next run completes the archive.
type outage struct {
	name   string
	faults faults
	after  int               // answers before the fault begins
	paper  fakepaper.Options // of 4 items, unless it says otherwise
	set    func(*mirror)     // what the run is set to

	once     bool  // a full run over a complete archive ends otherwise
	greeting error // of a greeting, if it is another: it repeats no request

	err    error  // of the run
	text   string // in its message
	failed int    // records and lists in the report
	status int    // of these
	tries  int    // requests that meet the fault for each of them
	most   int    // requests that meet the fault at most, where it ends the run
}

// everywhere lets all requests meet a fault.
func everywhere(f *fakepaper.Fault) faults { return func(fakepaper.Call) *fakepaper.Fault { return f } }

// lists lets the lists of some operations meet a fault, or of all.
func lists(f *fakepaper.Fault, operations ...string) faults {
	return meeting(f, func(c fakepaper.Call) bool {
		return c.List() && (operations == nil || slices.Contains(operations, c.Operation))
	})
}

// records lets the single records of these ids meet a fault.
func records(f *fakepaper.Fault, ids ...string) faults {
	return meeting(f, func(c fakepaper.Call) bool { return c.Operation != "picture" && slices.Contains(ids, c.ID) })
}

// items lets all articles, columns, galleries and videos meet a fault.
func items(f *fakepaper.Fault) faults {
	return meeting(f, func(c fakepaper.Call) bool { return len(c.ID) == 8 })
}

// meeting lets calls for which where is true meet a fault.
func meeting(f *fakepaper.Fault, where func(fakepaper.Call) bool) faults {
	return func(c fakepaper.Call) *fakepaper.Fault {
		if where(c) {
			return f
		}
		return nil
	}
}

// twice lets the first two tries of articles and columns meet a fault.
func twice(f *fakepaper.Fault) faults {
	return meeting(f, func(c fakepaper.Call) bool {
		return c.Attempt < 3 && (c.Operation == "articles" || c.Operation == "columns")
	})
}

// then is a fault at the first try, and another one at later tries.
func then(first, later *fakepaper.Fault) faults {
	return func(c fakepaper.Call) *fakepaper.Fault {
		if c.Attempt == 1 {
			return first
		}
		return later
	}
}

func workers(n int) func(*mirror) { return func(m *mirror) { m.options.Concurrency = n } }

// open returns a mirror without records, and with its faults in n.Faults once begin is
// called.
func (o outage) open(t *testing.T) (n *mirror, begin func()) {
	t.Helper()
	if o.paper.Items == 0 {
		o.paper.Items = 4
	}
	o.paper.Key = key
	n = open(t, o.paper)
	return n, func() {
		var answered atomic.Int64 // requests run side by side
		n.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
			if answered.Add(1) <= int64(o.after) {
				return nil
			}
			return o.faults(c)
		})
		if o.set != nil {
			o.set(n)
		}
	}
}

// run runs during the outage, and compares what all runs report.
func (o outage) run(t *testing.T, n *mirror) *fetch.Report {
	t.Helper()
	report, err := n.run(t)
	if !errors.Is(err, o.err) || o.err == nil && err != nil || err != nil && !strings.Contains(err.Error(), o.text) {
		t.Fatalf("error %v, want %v with %q", err, o.err, o.text)
	}
	checkSecret(t, report, err)
	if sent := n.Count(all); report.Requests.Sent < sent {
		t.Errorf("the report counts %d of %d requests", report.Requests.Sent, sent)
	}
	requests := slices.DeleteFunc(n.Requests(), func(r fakepaper.Request) bool { return r.Operation == "picture" })
	met := 0
	for i, r := range requests {
		if i >= o.after && o.faults(r.Call) != nil {
			met++
		}
		if later := len(requests) - i - 1; errors.Is(o.err, fetch.ErrKey) && r.Status == http.StatusUnauthorized && later > 2*(n.options.Concurrency-1) {
			t.Errorf("%d requests after a refused key", later)
			break
		}
	}
	if o.most > 0 && (met > o.most || met == 0) {
		t.Errorf("%d requests met the fault, want %d at most", met, o.most)
	}
	if o.tries > 0 && met != o.tries*o.failed {
		t.Errorf("%d requests met the fault, want %d for each of %d", met, o.tries, o.failed)
	}
	return report
}

// sourceOutages are faults of a whole source, or of its lists. A greeting, a first run and a
// full run over a complete archive end with the same error.
var sourceOutages = []outage{
	{name: "none", faults: everywhere(nil)},
	{name: "empty lists", faults: everywhere(fakepaper.Body("[]")), err: fetch.ErrEmpty, once: true},
	{name: "folders and writers alone", faults: lists(fakepaper.Body("[]"), "articles", "columns", "newsphotogalleries", "newsvideos", "pages"), err: fetch.ErrEmpty, once: true},
	{name: "no articles", faults: lists(fakepaper.Body("[]"), "articles"), once: true},
	{name: "empty bodies", faults: everywhere(fakepaper.Body(" ")), err: fetch.ErrDown, text: "empty"},
	{name: "204", faults: everywhere(fakepaper.Status(http.StatusNoContent)), err: fetch.ErrDown, text: "204"},
	{name: "HTML", faults: everywhere(fakepaper.HTML()), err: fetch.ErrDown, text: "HTML"},
	{name: "HTML to three lists, too few for the breaker", faults: everywhere(fakepaper.HTML()), err: fetch.ErrDown, text: "HTML",
		set: func(n *mirror) { n.options.Kinds = []record.Kind{record.Article} }},
	{name: "half a body", faults: everywhere(&fakepaper.Fault{Half: true}), err: fetch.ErrDown, text: "not JSON"},
	{name: "broken connections", faults: everywhere(&fakepaper.Fault{Cut: true}), err: fetch.ErrDown},
	{name: "no answer in time", faults: everywhere(&fakepaper.Fault{Slow: time.Second}), err: fetch.ErrDown, text: "within 20ms",
		set: func(n *mirror) { n.options.Timeout = 20 * time.Millisecond }},
	{name: "error object", faults: everywhere(fakepaper.Body(`{"message":"bakım"}`)), err: fetch.ErrShape, text: "unknown shape"},
	{name: "two arrays", faults: everywhere(fakepaper.Body(`{"a":[],"b":[]}`)), err: fetch.ErrShape, text: `"a, b"`},
	{name: "null", faults: everywhere(fakepaper.Body(`null`)), err: fetch.ErrShape, text: "unknown shape"},
	{name: "text", faults: everywhere(fakepaper.Body(`""`)), err: fetch.ErrShape, text: "unknown shape"},
	{name: "a number", faults: everywhere(fakepaper.Body(`7`)), err: fetch.ErrShape, text: "unknown shape"},
	{name: "empty object", faults: everywhere(fakepaper.Body(`{}`)), err: fetch.ErrShape, text: "unknown shape"},
	{name: "no records", faults: everywhere(fakepaper.Body(`[1,2,3,{"Id":"1"}]`)), err: fetch.ErrShape, text: "most of a page"},
	{name: "redirect without target", faults: everywhere(fakepaper.Status(http.StatusFound)), err: fetch.ErrDown, text: "redirects"},
	{name: "redirect elsewhere", faults: everywhere(&fakepaper.Fault{Status: http.StatusFound, Header: http.Header{"Location": {"https://evil.example/v1/"}}}),
		err: fetch.ErrDown, text: "evil.example"},
	{name: "400", faults: everywhere(fakepaper.Status(http.StatusBadRequest)), err: fetch.ErrDown, text: "400"},
	{name: "401", faults: everywhere(fakepaper.Status(http.StatusUnauthorized)), err: fetch.ErrKey, text: "API key", most: 1, set: workers(8)},
	{name: "401, one worker", faults: everywhere(fakepaper.Status(http.StatusUnauthorized)), err: fetch.ErrKey, text: "401", most: 1, set: workers(1)},
	{name: "401, a web page", faults: everywhere(&fakepaper.Fault{Status: http.StatusUnauthorized, Body: "<html>Giriş", Header: http.Header{"Content-Type": {"text/html"}}}),
		err: fetch.ErrDown, text: "asks for a password"},
	{name: "401, JSON sent as HTML", faults: everywhere(&fakepaper.Fault{Status: http.StatusUnauthorized, Body: `{"message":"No API key found in request"}`, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}}),
		err: fetch.ErrKey, text: "API key"},
	{name: "403", faults: everywhere(fakepaper.Status(http.StatusForbidden)), err: fetch.ErrKey, text: "403", most: 1, set: workers(8)},
	{name: "401 after a reset", faults: then(&fakepaper.Fault{Cut: true}, fakepaper.Status(http.StatusUnauthorized)),
		err: fetch.ErrKey, text: "401", most: 2, set: workers(8), greeting: fetch.ErrDown},
	{name: "401 after a redirect", faults: then(&fakepaper.Fault{Status: http.StatusFound, Header: http.Header{"Location": {"/v1/articles?x=1"}}}, fakepaper.Status(http.StatusUnauthorized)),
		err: fetch.ErrKey, text: "401", most: 2, set: workers(8)},
	{name: "404", faults: everywhere(fakepaper.Status(http.StatusNotFound)), err: fetch.ErrDown, text: "404"},
	{name: "418", faults: everywhere(fakepaper.Status(http.StatusTeapot)), err: fetch.ErrDown, text: "418"},
	{name: "429 for hours", faults: everywhere(tooMany("7200")), err: fetch.ErrBudget, text: "used up"},
	{name: "429 without a word", faults: everywhere(tooMany()), err: fetch.ErrBudget, text: "too many requests"},
	{name: "429 to lists", faults: lists(tooMany()), err: fetch.ErrBudget},
	{name: "500", faults: everywhere(fakepaper.Status(http.StatusInternalServerError)), err: fetch.ErrDown, text: "500"},
	{name: "501", faults: everywhere(fakepaper.Status(http.StatusNotImplemented)), err: fetch.ErrDown, text: "501"},
	{name: "503", faults: everywhere(fakepaper.Status(http.StatusServiceUnavailable)), err: fetch.ErrDown, text: "503"},
	{name: "articles null", faults: lists(fakepaper.Body("null"), "articles"), err: fetch.ErrShape},
	{name: "articles 404", faults: lists(fakepaper.Status(http.StatusNotFound), "articles"), failed: 1, status: http.StatusNotFound},
	{name: "columns 403", faults: lists(fakepaper.Status(http.StatusForbidden), "columns"), failed: 1, status: http.StatusForbidden},
	{name: "columns HTML", faults: lists(fakepaper.HTML(), "columns"), failed: 1, status: http.StatusOK},
	{name: "columns 429", faults: lists(tooMany(), "columns"), failed: 1, status: http.StatusTooManyRequests},
	{name: "columns 501", faults: lists(fakepaper.Status(http.StatusNotImplemented), "columns"), failed: 1, status: http.StatusNotImplemented},
	{name: "folders and writers 500", faults: lists(fakepaper.Status(http.StatusInternalServerError), "paths", "writers"), failed: 2, status: http.StatusInternalServerError},
	{name: "no date", faults: meeting(fakepaper.Status(http.StatusInternalServerError), func(c fakepaper.Call) bool { return c.Operation == "date" })},
}

func TestSourceOutages(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, o := range sourceOutages {
		inVirtualTime(t, o.name, func(t *testing.T) {
			n, begin := o.open(t)
			settings := n.options
			clear := func() {
				n.SetFaults(nil)
				n.options = settings
				time.Sleep(25 * time.Hour)
				n.mustRun(t)
				n.checkComplete(t)
			}
			begin()
			began := time.Now()
			greeting, err := fetch.Greet(t.Context(), n.options)
			if want := cmp.Or(o.greeting, o.err); !errors.Is(err, want) || want == nil && (err != nil || len(greeting.Failed) != o.failed) {
				t.Errorf("a greeting: %v, failed %+v; want %v and %d", err, greeting.Failed, want, o.failed)
			}
			if took, sent := time.Since(began), n.Count(all); took > 2*time.Minute || sent > 16 {
				t.Errorf("a greeting: %d requests in %s", sent, took)
			}
			whole := o.faults(fakepaper.Call{Operation: "pages"}) != nil && o.faults(fakepaper.Call{Operation: "pages", ID: "x"}) != nil
			time.Sleep(25 * time.Hour)
			for _, run := range []string{"a first run", "a full run"} {
				begin()
				n.options.Full = run == "a full run"
				before := n.held(t)
				report := o.run(t, n)
				if whole && o.err != nil && !slices.Equal(n.held(t), before) {
					t.Errorf("%s has changed the archive", run)
				}
				if o.err == nil && len(report.Failed) != o.failed {
					t.Errorf("%s: failed %+v, want %d", run, report.Failed, o.failed)
				}
				for _, f := range report.Failed {
					if o.err == nil && f.Status != o.status {
						t.Errorf("%s: failed %+v", run, f)
					}
				}
				if clear(); o.once {
					break
				}
			}
		})
	}
}
