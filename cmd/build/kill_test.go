package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/sync/upstream"
	"ayna/generator/wire"
)

const canary = "kanarya-anahtar-1234567890"

// long reports whether the full counts are asked for.
func long() bool { return os.Getenv("AYNA_LONG") != "" }

// concurrency is the number of requests in flight.
const concurrency = 4

// source is a news service behind a listener.
type source struct {
	*upstream.Service
	base string
}

func startUpstream(t *testing.T, o upstream.Options) *source {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	o.Base, o.Key = "http://"+server.Listener.Addr().String(), canary
	s := &source{upstream.New(o), o.Base}
	server.Config.Handler = s
	server.Start()
	t.Cleanup(server.Close)
	return s
}

// place is a folder with a configuration, in which processes run.
type place struct {
	dir     string
	key     string // in the environment
	started int
}

func newPlace(t *testing.T, s *source, inFlight int, more string) *place {
	t.Helper()
	dir := t.TempDir()
	config := fmt.Sprintf("title: Deneme\nbase_url: https://ayna.example/haber/\nsource: {url: %q, api_key: \"${AYNA_API_KEY}\", concurrency: %d, per_second: 0, per_hour: 0, timeout: 20s}\n%s",
		s.base, inFlight, more)
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	return &place{dir: dir, key: canary}
}

func (p *place) archivePath() string { return filepath.Join(p.dir, ".ayna", "archive.db") }

// process is a run of the command. What it prints goes to files in its place,
// where checkSecret looks for the key.
type process struct {
	*exec.Cmd
	out, err *bytes.Buffer
	ended    chan error
}

func (p *place) start(t *testing.T, args ...string) *process {
	t.Helper()
	p.started++
	report := fmt.Sprintf("report-%d.json", p.started)
	c := &process{Cmd: exec.Command("build", append([]string{"-v", "-report", report}, args...)...), out: new(bytes.Buffer), err: new(bytes.Buffer), ended: make(chan error, 1)}
	c.Dir, c.Env = p.dir, append(os.Environ(), "AYNA_API_KEY="+p.key)
	c.Stdout, c.Stderr = c.out, c.err
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.ended <- c.Wait() }()
	return c
}

// watchMemory returns, once the process has ended, the most memory that it
// held in MiB. (What the kernel tells of an ended child counts its parent's.)
func (c *process) watchMemory(over <-chan struct{}) int {
	most := 0
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kib int
			fmt.Sscan(after, &kib)
			most = max(most, kib>>10)
		}
		select {
		case <-over:
			return most
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// wait returns the exit code, -1 of a process that was killed.
func (c *process) wait(t *testing.T, most time.Duration) int {
	t.Helper()
	select {
	case <-c.ended:
	case <-time.After(most):
		c.Process.Kill()
		<-c.ended
		t.Errorf("the process did not end within %s", most)
	}
	if strings.Contains(c.out.String()+c.err.String(), canary) {
		t.Error("S02 what the command prints holds the key")
	}
	return c.ProcessState.ExitCode()
}

func (p *place) mustBuild(t *testing.T) {
	t.Helper()
	c := p.start(t)
	if code := c.wait(t, 2*time.Minute); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, c.out, c.err)
	}
}

func (p *place) tree(t *testing.T, name string) map[string]string {
	t.Helper()
	tree := make(map[string]string)
	fsys := os.DirFS(filepath.Join(p.dir, name))
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := fs.ReadFile(fsys, name)
		tree[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// checkSecret looks for the key in every file that the runs left.
func (p *place) checkSecret(t *testing.T) {
	t.Helper()
	tree := p.tree(t, ".")
	if len(tree) < 10 {
		t.Errorf("only %d files to look into", len(tree))
	}
	for name, content := range tree {
		if strings.Contains(content, canary) {
			t.Errorf("S07 %s holds the key", name)
		}
	}
}

func compareTrees(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, content := range want {
		if other, ok := got[name]; !ok || other != content {
			t.Errorf("%s differs from that of an undisturbed build (is there: %t)", name, ok)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is not in an undisturbed build", name)
		}
	}
}

// answered are the requests that a later run should not have to repeat. The
// heads of the lists are what every run asks for.
func answered(requests []upstream.Request) map[string]int {
	done := make(map[string]int)
	for _, r := range requests {
		if r.List() && r.Skip == 0 {
			continue
		}
		done[fmt.Sprint(r.Operation, " ", r.ID, " ", r.Skip)]++
	}
	return done
}

// Processes killed at any moment: the archive opens, and the run that is left
// alone finishes with the bytes of one that was never disturbed.
func TestL06L10KilledAtAnyMoment(t *testing.T) {
	s := startUpstream(t, upstream.Options{Items: 60, Latency: 8 * time.Millisecond})
	const more = "markdown: false\n"
	undisturbed := newPlace(t, s, concurrency, more)
	start := time.Now()
	undisturbed.mustBuild(t)
	whole := time.Since(start)
	want := undisturbed.tree(t, "public")
	undisturbed.checkSecret(t)
	ideal := len(answered(s.Requests()))

	kills := 12
	if long() {
		kills = 200
	}
	random := rand.New(rand.NewPCG(1, uint64(kills)))
	chains, killed, repeated, allowed := 0, 0, 0, 0
	for killed < kills {
		chains++
		p := newPlace(t, s, concurrency, more)
		s.Forget()
		inChain := 0
		for range 6 {
			c := p.start(t)
			time.Sleep(time.Duration(random.Float64() * float64(whole)))
			c.Process.Kill()
			if c.wait(t, time.Minute) == exitOK {
				break // it was faster
			}
			killed++
			inChain++
			if _, err := os.Stat(p.archivePath()); err == nil {
				checkArchive(t, p.archivePath())
			}
		}
		p.mustBuild(t)
		compareTrees(t, p.tree(t, "public"), want)
		p.checkSecret(t)
		asked := answered(s.Requests())
		extra := 0
		for _, n := range asked {
			extra += n - 1
		}
		most := inChain*concurrency + ideal*2/100
		if extra > most {
			t.Errorf("chain %d: %d requests repeated after %d kills, want %d at most: %v", chains, extra, inChain, most, repeats(asked))
		}
		repeated += extra
		allowed += most
		if t.Failed() {
			t.Fatalf("chain %d, kill %d", chains, killed)
		}
	}
	t.Logf("%d kills in %d chains, a build takes %s and %d requests: %d repeated, %d allowed", killed, chains, whole.Round(time.Millisecond), ideal, repeated, allowed)
}

func repeats(asked map[string]int) []string {
	var list []string
	for name, n := range asked {
		if n > 1 {
			list = append(list, fmt.Sprintf("%s: %d", name, n))
		}
	}
	slices.Sort(list)
	return list
}

// checkArchive opens an archive that a kill left, and reads all of it.
func checkArchive(t *testing.T, path string) {
	t.Helper()
	a, err := archive.Open(context.Background(), path)
	if err != nil {
		t.Errorf("after a kill: %v", err)
		return
	}
	defer a.Close()
	for light, err := range a.Scan(context.Background()) {
		if err == nil {
			_, err = a.Get(context.Background(), light.Kind, light.ID)
		}
		if err != nil {
			t.Errorf("after a kill: %v", err)
			return
		}
	}
}

// waitFor waits until the service has been asked for so many single records.
func (s *source) waitFor(t *testing.T, singles int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if s.Count(func(r upstream.Request) bool { return !r.List() }) >= singles {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d single records were never asked for", singles)
		}
	}
}

// One signal: what is in flight is stored, and the run ends with its code.
func TestL07StoppedBySignal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}} {
		t.Run(test.signal.String(), func(t *testing.T) {
			t.Parallel()
			s := startUpstream(t, upstream.Options{Items: 60, Latency: 100 * time.Millisecond})
			p := newPlace(t, s, concurrency, "")
			c := p.start(t)
			s.waitFor(t, 3*concurrency)
			start := time.Now()
			if err := c.Process.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			if code := c.wait(t, 30*time.Second); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, c.err)
			}
			took := time.Since(start)
			if took > 5*time.Second {
				t.Errorf("the run took %s to end", took)
			}
			asked := s.Requests()
			a := openRead(t, p.archivePath())
			singles := 0
			for _, r := range asked {
				if r.List() || r.Operation == "picture" {
					continue
				}
				singles++
				if record, err := a.Get(t.Context(), kindOf(r.Operation), r.ID); err != nil || record.Single == nil {
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
			s.Forget()
			p.mustBuild(t)
			if rest := s.Count(func(r upstream.Request) bool { return !r.List() }); rest != len(s.Records())-singles {
				t.Errorf("the next run asked for %d records after %d of %d", rest, singles, len(s.Records()))
			}
			p.checkSecret(t)
			t.Logf("ended after %s, %d records stored", took.Round(time.Millisecond), singles)
		})
	}
}

// A source that does not answer holds a stopped run up for five seconds, and
// not at all one that is stopped twice. Meanwhile no second run may begin.
func TestL07L09SecondSignalAndSecondRun(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := startUpstream(t, upstream.Options{Items: 30, Faults: func(c upstream.Call) *upstream.Fault {
				if c.List() || c.Attempt > 1 {
					return nil
				}
				return &upstream.Fault{Slow: 15 * time.Second}
			}})
			p := newPlace(t, s, concurrency, "")
			c := p.start(t)
			s.waitFor(t, concurrency)
			second := p.start(t)
			if code := second.wait(t, 10*time.Second); code != exitLocked {
				t.Errorf("L09 exit code %d of a second run, want %d\n%s", code, exitLocked, second.err)
			}
			c.Process.Signal(signal)
			time.Sleep(300 * time.Millisecond)
			start := time.Now()
			c.Process.Signal(signal)
			if code := c.wait(t, 10*time.Second); code != 128+int(signal) {
				t.Errorf("exit code %d, want %d", code, 128+int(signal))
			}
			if took := time.Since(start); took > time.Second {
				t.Errorf("the second signal took %s", took)
			}
			checkArchive(t, p.archivePath())
			s.Faults = nil
			p.mustBuild(t)
		})
	}
	t.Run("one signal, no answer", func(t *testing.T) {
		t.Parallel()
		s := startUpstream(t, upstream.Options{Items: 30, Faults: func(c upstream.Call) *upstream.Fault {
			if c.List() {
				return nil
			}
			return &upstream.Fault{Slow: 12 * time.Second}
		}})
		p := newPlace(t, s, concurrency, "")
		c := p.start(t)
		s.waitFor(t, concurrency)
		start := time.Now()
		c.Process.Signal(os.Interrupt)
		if code := c.wait(t, 20*time.Second); code != 130 {
			t.Errorf("exit code %d, want 130\n%s", code, c.err)
		}
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("the run took %s to end", took)
		}
		checkArchive(t, p.archivePath())
	})
}

func openRead(t *testing.T, path string) *archive.Archive {
	t.Helper()
	a, err := archive.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func kindOf(group string) archive.Kind {
	for kind, g := range wire.Groups {
		if string(g) == group {
			return kind
		}
	}
	return ""
}

// A source that does with the key whatever it can: nothing that a build prints
// or writes holds it.
func TestS01S02S06S07KeyStaysSecret(t *testing.T) {
	t.Parallel()
	s := startUpstream(t, upstream.Options{Items: 20, Faults: func(c upstream.Call) *upstream.Fault {
		switch {
		case c.Operation == "columns" && c.List():
			return upstream.Body(`[{"Id":"1","Title":"a"},{"Id":"2","Title":"` + canary + `"},{"Id":"3","Title":"b"}]`)
		case c.Operation == "newsvideos":
			return &upstream.Fault{Status: 400, Body: `{"Message":"bad request, apikey: ` + canary + `"}`}
		case c.Operation == "pages" && !c.List():
			return &upstream.Fault{Status: 302, Header: http.Header{"Location": {"https://" + canary + ".example/" + canary}}}
		case c.ID == "48999996":
			return &upstream.Fault{Status: 404, Body: "no record for " + canary}
		case c.ID == "48999998":
			return upstream.Body(`{"Id":"48999998","Text":"` + canary + `"}`)
		case c.Operation == "picture":
			return &upstream.Fault{Status: 500, Body: canary}
		}
		return nil
	}})
	p := newPlace(t, s, concurrency, "searches: [liman]\n")
	c := p.start(t)
	if code := c.wait(t, time.Minute); code != exitPartial {
		t.Errorf("exit code %d, want %d\n%s", code, exitPartial, c.err)
	}
	p.checkSecret(t)
	for _, r := range s.Requests() {
		if picture := r.Operation == "picture"; (r.Key == canary) == picture || strings.Contains(r.URI, canary) {
			t.Errorf("S04 S05 %s was sent with key %q", r.URI, r.Key)
		}
	}
}

func TestS09KeyFromTheEnvironment(t *testing.T) {
	t.Parallel()
	s := startUpstream(t, upstream.Options{Items: 3})
	for _, test := range []struct {
		name, key string
		code      int
	}{
		{"trailing newline", canary + "\r\n", exitOK},
		{"byte order mark", "\ufeff" + canary, exitOK},
		{"empty", "", exitKey},
		{"another", "x" + canary, exitKey},
		{"not ASCII", canary + "ş", exitUsage},
		{"a blank in it", canary + " " + canary, exitUsage},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, s, concurrency, "")
			p.key = test.key
			c := p.start(t)
			if code := c.wait(t, time.Minute); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, c.err)
			}
		})
	}
}

// Memory does not grow with the archive: 100,000 records and their bodies, and
// then a run over what nothing changed in.
func TestMemoryOfALargeMirror(t *testing.T) {
	items := 100_000
	if text := os.Getenv("AYNA_ITEMS"); text != "" {
		items, _ = strconv.Atoi(text)
	}
	if !long() {
		t.Skip("takes minutes: set AYNA_LONG")
	}
	s := startUpstream(t, upstream.Options{Items: items})
	p := newPlace(t, s, 32, "media: link\n")
	for _, name := range []string{"the first run", "a run without a change"} {
		start := time.Now()
		s.Forget()
		c := p.start(t, "-sync-only", "-quiet")
		over, peak := make(chan struct{}), make(chan int)
		go func() { peak <- c.watchMemory(over) }()
		if code := c.wait(t, time.Hour); code != exitOK {
			t.Fatalf("exit code %d\n%s", code, c.err)
		}
		took := time.Since(start)
		close(over)
		megabytes := <-peak
		requests := len(s.Requests())
		if megabytes >= 200 {
			t.Errorf("%s took %d MiB, want less than 200", name, megabytes)
		}
		t.Logf("%s over %d records: %d MiB, %d requests in %s, %.0f a second",
			name, items, megabytes, requests, took.Round(time.Second), float64(requests)/took.Seconds())
	}
}
