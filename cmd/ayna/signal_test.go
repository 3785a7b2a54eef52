package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// One signal: what is in flight is stored, and the run ends with its code.
func TestStoppedBySignal(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}} {
		t.Run(test.signal.String(), func(t *testing.T) {
			t.Parallel()
			s := startUpstream(t, fakepaper.Options{Items: 20, Latency: 100 * time.Millisecond})
			told := make(chan string, 1)
			monitor := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { told <- r.URL.RawQuery }))
			defer monitor.Close()
			p := newWorkdir(t, s, concurrency, fewFiles+"notify: {url: '"+monitor.URL+"/?{code}'}\n")
			c := p.start(t)
			s.Await(t, 3*concurrency, isSingle)
			if err := c.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			if code := c.wait(t, time.Minute); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, c.err)
			}
			if !strings.Contains(c.err.String(), "hint: progress is saved; the next run goes on from here") {
				t.Errorf("stderr does not say that progress is saved:\n%s", c.err)
			}
			select {
			case code := <-told:
				if code != strconv.Itoa(test.code) {
					t.Errorf("the monitor was told %s", code)
				}
			default:
				t.Error("the monitor was told nothing")
			}
			asked := s.Requests()
			a := fakepaper.Read(t, p.archivePath())
			singles := 0
			for _, r := range asked {
				if r.List() || r.Operation == "picture" {
					continue
				}
				singles++
				if record, err := a.Records.Get(t.Context(), fakepaper.Record{Group: r.Operation}.Kind(), r.ID); err != nil || record.Single == nil {
					t.Errorf("%s %s was asked for and is not stored: %v", r.Operation, r.ID, err)
				}
			}
			a.Close()
			if all := len(s.Records()); singles >= all {
				t.Errorf("%d of %d records were asked for: the run was over", singles, all)
			}
			if _, err := os.Stat(filepath.Join(p.dir, "public", "index.html")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a stopped run has published: %v", err)
			}
			s.ClearLog()
			p.mustBuild(t)
			if rest := s.Count(func(r fakepaper.Request) bool { return !r.List() }); rest != len(s.Records())-singles {
				t.Errorf("the next run asked for %d records after %d of %d", rest, singles, len(s.Records()))
			}
			p.checkSecret(t)
			t.Logf("%d records stored", singles)
		})
	}
}

func isSingle(r fakepaper.Request) bool { return !r.List() }

// While a source does not answer, no second run may begin, and two signals end a run
// at once. One that ended because nothing is in flight any more would print a hint.
func TestSecondSignalAndSecondRun(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20, Faults: func(c fakepaper.Call) *fakepaper.Fault {
		if c.List() {
			return nil
		}
		return &fakepaper.Fault{Slow: time.Hour}
	}})
	p := newWorkdir(t, s, concurrency, fewFiles)
	c := p.start(t)
	s.Await(t, concurrency, isSingle)
	second := p.start(t)
	if code := second.wait(t, time.Minute); code != exitLocked {
		t.Errorf("exit code %d of a second run, want %d\n%s", code, exitLocked, second.err)
	}
	c.Process.Signal(syscall.SIGTERM)
	c.Process.Signal(syscall.SIGINT)
	if code := c.wait(t, time.Minute); code != 130 && code != 143 { // whichever the system delivers first
		t.Errorf("exit code %d, want 130 or 143", code)
	}
	if strings.Contains(c.err.String(), "hint") {
		t.Errorf("the run did not end at the second signal:\n%s", c.err)
	}
	checkArchive(t, p.archivePath())
	s.SetFaults(nil)
	p.mustBuild(t)
}
