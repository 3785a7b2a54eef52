package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/fetch"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A host name that cannot be resolved is retried, as any outage may end.
func TestNoSuchName(t *testing.T) {
	t.Parallel()
	// A label that long is in no name server, and is not looked for in one.
	unknown := strings.Repeat("a", 64) + ".example"
	// What the resolver makes when it is first used must not belong to a bubble.
	if names, err := net.DefaultResolver.LookupHost(t.Context(), unknown); err == nil {
		t.Fatalf("%s is known: %v", unknown, names)
	}
	synctest.Test(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 10})
		n.options.Kinds = []record.Kind{record.Column} // three lists: too few for the breaker
		n.mustRun(t)
		before := n.held(t)
		n.options.Open = readAPI("https://"+unknown, key)
		start := time.Now()
		report, err := n.run(t)
		if dns := (*net.DNSError)(nil); !errors.Is(err, fetch.ErrDown) || !errors.As(err, &dns) || !dns.IsNotFound {
			t.Errorf("error %v, want ErrDown for a name that is not found", err)
		}
		if want := 3 * 4; report.Requests.Sent != want {
			t.Errorf("%d requests, want %d: four tries for each list", report.Requests.Sent, want)
		}
		if time.Since(start) == 0 {
			t.Error("asked again without a pause")
		}
		if !slices.Equal(n.held(t), before) {
			t.Error("the archive has changed")
		}
	})
}

// Real connections that break or are never established.
func TestBrokenConnections(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	t.Run("retried", func(t *testing.T) {
		t.Parallel()
		n := serve(t, fakepaper.Options{Items: 10, Faults: meeting(&fakepaper.Fault{Cut: true}, func(c fakepaper.Call) bool { return c.Attempt == 1 && !c.List() })})
		n.mustRun(t)
		n.checkComplete(t)
	})
	t.Run("refused", func(t *testing.T) {
		t.Parallel()
		n := serve(t, fakepaper.Options{Items: 10})
		n.mustRun(t)
		before := n.held(t)
		n.Server.Close()
		synctest.Test(t, func(t *testing.T) { // only the waiting before retries is left to do
			if _, err := n.run(t); !errors.Is(err, fetch.ErrDown) {
				t.Errorf("error %v, want ErrDown", err)
			}
		})
		if !slices.Equal(n.held(t), before) {
			t.Error("the archive has changed")
		}
	})
	t.Run("time-out", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { // TestRandomFaultsOverNetwork has real ones
			n := open(t, fakepaper.Options{Items: 5, Latency: 200 * time.Millisecond})
			n.options.Timeout = 20 * time.Millisecond
			if _, err := n.run(t); !errors.Is(err, fetch.ErrDown) || !strings.Contains(err.Error(), "within 20ms") {
				t.Errorf("error %v, want ErrDown", err)
			}
		})
	})
	t.Run("interrupted", func(t *testing.T) {
		t.Parallel()
		n := serve(t, fakepaper.Options{Items: 30, Latency: 5 * time.Millisecond})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		n.options.Progress = func(p fetch.Progress) {
			if p.Stage == "fetch" && p.Done == 20 {
				cancel()
			}
		}
		n.ClearLog()
		report, err := fetch.Run(ctx, n.archive, n.options)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		first := n.Count(isSingle)
		n.options.Progress = nil
		n.mustRun(t)
		n.checkComplete(t)
		if all := first + n.Count(isSingle); all > len(n.Records())+n.options.Concurrency {
			t.Errorf("%d single records were asked for %d times, %+v", len(n.Records()), all, report)
		}
	})
	t.Run("interrupted, no answer", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			const stopped, grace = time.Minute, 3 * time.Second
			n := open(t, fakepaper.Options{Items: 30, Faults: func(c fakepaper.Call) *fakepaper.Fault {
				switch {
				case c.List():
					return nil
				case c.ID == "49000000": // just in time
					return &fakepaper.Fault{Slow: stopped + grace - 1}
				}
				return &fakepaper.Fault{Slow: time.Hour}
			}})
			n.options.Timeout = 2 * time.Hour
			ctx, cancel := context.WithTimeout(t.Context(), stopped)
			defer cancel()
			begun := time.Now()
			report, err := fetch.Run(ctx, n.archive, n.options)
			if took := time.Since(begun); took != stopped+grace || !errors.Is(err, context.Canceled) {
				t.Errorf("error %v after %s, want %s", err, took, stopped+grace)
			}
			if got := report.Kinds[record.Article].Fetched; got != 1 {
				t.Errorf("%d single records stored, want the one that was answered", got)
			}
		})
	})
}

// serve starts a service behind a listener.
func serve(t *testing.T, o fakepaper.Options) *mirror {
	t.Helper()
	s := fakepaper.Listen(t, o)
	n := openOver(t, s)
	n.options.Hosts = nil
	return n
}

// Whatever the service does with the API key, it is in no report, error or file.
func TestKeyStaysSecret(t *testing.T) {
	t.Parallel()
	echo := &fakepaper.Fault{Status: 400, Body: `{"Message":"bad request, apikey: ` + key + `"}`}
	plain := &fakepaper.Fault{Status: 404, Body: "no record for " + key}
	list := &fakepaper.Fault{Body: `[{"Id":"1","Title":"a"},{"Id":"2","Title":"` + key + `"},{"Id":"3","Title":"b"}]`}
	n := serve(t, fakepaper.Options{Items: 20, Key: key, Faults: func(c fakepaper.Call) *fakepaper.Fault {
		switch {
		case c.Operation == "columns" && c.List():
			return list
		case c.Operation == "newsvideos":
			return echo
		case c.ID == "48999996":
			return plain
		case c.ID == "48999998":
			return &fakepaper.Fault{Body: `{"Id":"48999998","Text":"` + key + `"}`}
		case c.Operation == "picture":
			return &fakepaper.Fault{Status: 500, Body: key}
		}
		return nil
	}})
	n.withPictures(t)
	n.options.Searches = []string{"liman"}
	report := n.mustRun(t)
	if len(report.Failed) < 5 {
		t.Errorf("failed: %+v", report.Failed)
	}
	text, err := json.Marshal(report)
	if err != nil || bytes.Contains(text, []byte(key)) {
		t.Errorf("the report holds the key: %s, %v", text, err)
	}
	for _, r := range n.Requests() {
		if want := r.Operation != "picture"; (r.Key == key) != want || strings.Contains(r.URI, key) {
			t.Errorf("%s was sent with key %q", r.URI, r.Key)
		}
	}
	dir := filepath.Dir(n.archive.Pictures.Dir())
	n.archive.Close()
	checkSecretFiles(t, dir)
}

// The same with real connections that break, and real compression.
func TestRandomFaultsOverNetwork(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	n := serve(t, fakepaper.Options{Items: seeds(12, 25), Key: key})
	n.Faults = randomFaults(5, 20, 3*time.Second)
	n.options.Concurrency, n.options.PageSize, n.options.Timeout = 16, 50, time.Second // which a busy machine keeps
	report := n.mustRun(t)
	n.checkComplete(t)
	checkSecret(t, report, nil)
	t.Logf("%d requests for %d records", n.Count(all), len(n.Records()))
}
