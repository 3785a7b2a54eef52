package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/testrun/fakepaper"
)

// The exit codes that docs/run.md promises.
const (
	exitOK       = 0
	exitUsage    = 2
	exitPartial  = 3
	exitKey      = 4
	exitDown     = 5
	exitWithheld = 7
	exitDisk     = 9
	exitLocked   = 11
)

const canary = "kanarya-anahtar-1234567890"

// concurrency is the number of requests in flight.
const concurrency = 4

// startUpstream starts a news service that requires the key.
func startUpstream(t *testing.T, o fakepaper.Options) *fakepaper.Service {
	t.Helper()
	o.Key = canary
	return fakepaper.Listen(t, o)
}

// illustrate gives two records pictures that are large enough for smaller versions.
func illustrate(s *fakepaper.Service) {
	s.Handle("GET /bild/{id}", s.Operation("picture", func(_ *http.Request, c fakepaper.Call) (int, []byte) {
		return http.StatusOK, picture(c.ID)
	}))
	for _, id := range []string{"49000000", "48999999"} {
		s.Amend("articles", id, func(r *fakepaper.Record) { r.Pictures = []string{s.Base + "/bild/" + id + ".png"} })
	}
}

// fewFiles configures a site of few files: the tests that disturb a build again
// and again differ in what the disk does, not in what is published.
const fewFiles = "markdown: false\nfeeds: {of: [home], formats: [atom]}\n"

// workdir is a folder with a configuration, in which processes run.
type workdir struct {
	dir     string
	key     string   // in the environment
	env     []string // more of it
	started int
}

func newWorkdir(t *testing.T, s *fakepaper.Service, inFlight int, more string) *workdir {
	t.Helper()
	dir := t.TempDir()
	config := fmt.Sprintf("title: Deneme\nbase_url: https://ayna.example/haber/\nsource: {url: %q, api_key: \"${AYNA_API_KEY}\", concurrency: %d, per_second: 0, per_hour: 0, timeout: 20s}\n%s",
		s.Base, inFlight, more)
	if err := os.WriteFile(filepath.Join(dir, "site.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	return &workdir{dir: dir, key: canary}
}

// copy returns another workdir that holds the same.
func (p *workdir) copy(t *testing.T) *workdir {
	t.Helper()
	return p.copyTo(t, t.TempDir())
}

func (p *workdir) copyTo(t *testing.T, dir string) *workdir {
	t.Helper()
	other := &workdir{dir: dir, key: p.key, env: p.env}
	if err := os.CopyFS(other.dir, os.DirFS(p.dir)); err != nil {
		t.Fatal(err)
	}
	return other
}

func (p *workdir) archivePath() string { return filepath.Join(p.dir, ".ayna", "archive.db") }

// process is a run of the command, and what it prints.
type process struct {
	*exec.Cmd
	out, err *bytes.Buffer
	ended    chan error
}

func (p *workdir) start(t *testing.T, args ...string) *process {
	t.Helper()
	return p.startAyna(t, "build", args...)
}

// startAyna starts a command that writes a report.
func (p *workdir) startAyna(t *testing.T, command string, args ...string) *process {
	t.Helper()
	p.started++
	report := fmt.Sprintf("report-%d.json", p.started)
	return p.startCommand(t, append([]string{"ayna", command, "-v", "--report", report}, args...)...)
}

func (p *workdir) startCommand(t *testing.T, command ...string) *process {
	t.Helper()
	c := &process{Cmd: exec.Command(command[0], command[1:]...), out: new(bytes.Buffer), err: new(bytes.Buffer), ended: make(chan error, 1)}
	c.Dir, c.Env = p.dir, append(append(os.Environ(), "AYNA_API_KEY="+p.key), p.env...)
	c.Stdout, c.Stderr = c.out, c.err
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { c.ended <- c.Wait() }()
	return c
}

// usualMemory is the environment of a process whose memory is watched: garbage is collected
// as in a user's run.
var usualMemory = []string{"GOGC="}

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
		t.Error("what the command prints holds the key")
	}
	return c.ProcessState.ExitCode()
}

func (p *workdir) mustBuild(t *testing.T) {
	t.Helper()
	c := p.start(t)
	if code := c.wait(t, 2*time.Minute); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, c.out, c.err)
	}
}

func (p *workdir) tree(t *testing.T, name string) map[string]string {
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
func (p *workdir) checkSecret(t *testing.T) {
	t.Helper()
	tree := p.tree(t, ".")
	if len(tree) < 10 {
		t.Errorf("only %d files to look into", len(tree))
	}
	for name, content := range tree {
		if strings.Contains(content, canary) {
			t.Errorf("%s holds the key", name)
		}
	}
}
