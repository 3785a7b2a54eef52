package sync_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/client/clienttest"
	"ayna/generator/sync"
)

// A key that is refused costs one request, however many are allowed side by
// side, whatever came before the refusal without telling of it.
func TestS12RefusedKeyCostsOneRequest(t *testing.T) {
	t.Parallel()
	refused := func(status int) func(clienttest.Call) *clienttest.Fault {
		return func(clienttest.Call) *clienttest.Fault { return clienttest.Status(status) }
	}
	for _, test := range []struct {
		name   string
		faults func(clienttest.Call) *clienttest.Fault
		sent   int
		text   string
	}{
		{"T25 401", refused(http.StatusUnauthorized), 1, "401"},
		{"T26 403", refused(http.StatusForbidden), 1, "403"},
		{"T06 after a reset", func(c clienttest.Call) *clienttest.Fault {
			if c.Attempt == 1 {
				return &clienttest.Fault{Cut: true}
			}
			return clienttest.Status(http.StatusUnauthorized)
		}, 2, "401"},
		{"T20 after a redirect", func(c clienttest.Call) *clienttest.Fault {
			if c.Attempt == 1 {
				return &clienttest.Fault{Status: http.StatusFound, Header: http.Header{"Location": {"/v1/articles?x=1"}}}
			}
			return clienttest.Status(http.StatusUnauthorized)
		}, 2, "401"},
	} {
		for _, concurrency := range []int{1, 8} {
			inVirtualTime(t, fmt.Sprintf("%s, %d side by side", test.name, concurrency), func(t *testing.T) {
				n := open(t, clienttest.Options{Items: 30, Faults: test.faults, Latency: time.Second})
				n.withPictures(t)
				n.options.Concurrency, n.options.Searches = concurrency, []string{"liman"}
				_, err := n.run(t)
				if !errors.Is(err, sync.ErrKey) || !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), "before the request") {
					t.Errorf("error %v, want ErrKey with %s", err, test.text)
				}
				if sent := n.Count(func(clienttest.Request) bool { return true }); sent != test.sent {
					t.Errorf("%d requests with a refused key, want %d", sent, test.sent)
				}
			})
		}
	}
}

// A key that is forbidden everything after a while, the date too, ends the run
// soon; one that is forbidden many records only does not.
func TestT26ForbiddenMeanwhile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forbidden func(clienttest.Call) bool
		want      error
	}{
		"everything":   {func(c clienttest.Call) bool { return !c.List() || c.Operation == "date" }, sync.ErrKey},
		"many records": {func(c clienttest.Call) bool { return len(c.ID) == 8 }, nil},
	} {
		inVirtualTime(t, name, func(t *testing.T) {
			n := open(t, clienttest.Options{Items: 100, Faults: meeting(clienttest.Status(http.StatusForbidden), test.forbidden)})
			n.options.Concurrency = 8
			report, err := n.run(t)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			sent := n.Count(func(r clienttest.Request) bool { return test.forbidden(r.Call) })
			if ended := sent < 20; ended != (test.want != nil) {
				t.Errorf("%d requests were forbidden", sent)
			}
			if test.want == nil && len(report.Failed) != 100 {
				t.Errorf("%d failed", len(report.Failed))
			}
		})
	}
}

// Before the source has accepted the key one request is in flight, and then as
// many as are allowed. Nothing waits for ever if the first one fails.
func TestS12OneRequestUntilTheFirstAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, clienttest.Options{Items: 30, Latency: time.Second})
		n.options.Concurrency = 8
		start := time.Now()
		n.Faults = func(c clienttest.Call) *clienttest.Fault {
			if time.Since(start) < 3*time.Second && c.Operation != "articles" {
				t.Errorf("%s is asked for before the first answer", c.Operation)
			}
			if c.Attempt <= 2 && c.Operation == "articles" && c.List() && c.Skip == 0 {
				return &clienttest.Fault{Cut: true}
			}
			return nil
		}
		n.mustRun(t)
		n.checkComplete(t)
		n.Faults = nil

		n.Forget()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, cancel)
		if _, err := sync.Run(ctx, n.archive, n.options); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a run that is stopped before its first answer", err)
		}
	})
}

// A 401 is the last answer, also where the request was about something else: the
// date is asked for because records fail.
func TestS12NoRequestAfterARefusal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := open(t, clienttest.Options{Items: 40, Faults: func(c clienttest.Call) *clienttest.Fault {
			switch {
			case c.Operation == "date":
				return clienttest.Status(http.StatusUnauthorized)
			case len(c.ID) == 8:
				return clienttest.Status(http.StatusInternalServerError)
			}
			return nil
		}})
		n.options.Concurrency = 1
		if _, err := n.run(t); !errors.Is(err, sync.ErrKey) {
			t.Errorf("error %v, want ErrKey", err)
		}
		requests := n.Requests()
		for i, r := range requests {
			if r.Status == http.StatusUnauthorized && i != len(requests)-1 {
				t.Errorf("%d requests after the refusal", len(requests)-1-i)
			}
		}
		if len(requests) == 0 || requests[len(requests)-1].Status != http.StatusUnauthorized {
			t.Error("no request was refused: nothing was tested")
		}
	})
}
