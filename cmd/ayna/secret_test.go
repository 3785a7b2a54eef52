package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"ayna/cli"
	"ayna/testrun/fakepaper"
)

// A source that does with the key whatever it can: nothing that a build prints
// or writes holds it.
func TestKeyStaysSecret(t *testing.T) {
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20, Faults: func(c fakepaper.Call) *fakepaper.Fault {
		switch {
		case c.Operation == "columns" && c.List():
			return fakepaper.Body(`[{"Id":"1","Title":"a"},{"Id":"2","Title":"` + canary + `"},{"Id":"3","Title":"b"}]`)
		case c.Operation == "newsvideos":
			return &fakepaper.Fault{Status: 400, Body: `{"Message":"bad request, apikey: ` + canary + `"}`}
		case c.Operation == "pages" && !c.List():
			return &fakepaper.Fault{Status: 302, Header: http.Header{"Location": {"https://" + canary + ".example/" + canary}}}
		case c.ID == "48999996":
			return &fakepaper.Fault{Status: 404, Body: "no record for " + canary}
		case c.ID == "48999998":
			return fakepaper.Body(`{"Id":"48999998","Text":"` + canary + `"}`)
		case c.Operation == "picture":
			return &fakepaper.Fault{Status: 500, Body: canary}
		}
		return nil
	}})
	p := newWorkdir(t, s, concurrency, "searches: [liman]\n"+fewFiles)
	c := p.start(t)
	if code := c.wait(t, time.Minute); code != exitPartial {
		t.Errorf("exit code %d, want %d\n%s", code, exitPartial, c.err)
	}
	p.checkSecret(t)
	for _, r := range s.Requests() {
		if picture := r.Operation == "picture"; (r.Key == canary) == picture || strings.Contains(r.URI, canary) {
			t.Errorf("%s was sent with key %q", r.URI, r.Key)
		}
	}
}

// A key is taken as people paste it, and refused if it can be none.
func TestKeyFromTheEnvironment(t *testing.T) {
	t.Chdir(newWorkdir(t, startUpstream(t, fakepaper.Options{Items: 3}), concurrency, "").dir)
	for _, test := range []struct {
		name, key string
		code      int
	}{
		{"trailing newline", canary + "\r\n", exitOK},
		{"byte order mark", "\ufeff" + canary, exitOK},
		{"empty", "", exitUsage},
		{"not ASCII", canary + "ş", exitUsage},
		{"a blank in it", canary + " " + canary, exitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("AYNA_API_KEY", test.key)
			var printed strings.Builder
			if code := cli.Ayna([]string{"sync", "--full", "--quiet"}, &printed, &printed); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, &printed)
			}
		})
	}
}

// A key that is refused costs the source one request, however many may be in
// flight.
func TestRefusedKeyCostsOneRequest(t *testing.T) {
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20, Latency: 50 * time.Millisecond})
	p := newWorkdir(t, s, 8, "searches: [liman]\n"+fewFiles)
	p.key = "x" + canary
	c := p.start(t)
	if code := c.wait(t, time.Minute); code != exitKey {
		t.Errorf("exit code %d, want %d\n%s", code, exitKey, c.err)
	}
	if n := s.Count(func(fakepaper.Request) bool { return true }); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}
