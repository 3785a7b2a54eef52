package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A syscallAt is the n-th call of that name that a thread makes: what strace can
// kill a process at.
type syscallAt struct {
	name string
	n    int
}

func (c syscallAt) String() string { return fmt.Sprintf("%s %d", c.name, c.n) }

// changing are the calls that create, rename or sync something. A question mark
// marks those that not every machine has.
const changing = "?open,openat,?mkdir,mkdirat,?rename,?renameat,renameat2,?link,linkat,?symlink,symlinkat," +
	"?unlink,unlinkat,?rmdir,ftruncate,fsync,fdatasync,?sync_file_range,?syncfs,pwrite64"

// between is the distance of the writes to a file that are picked: there are
// thousands of them.
const between = 40

var entered = regexp.MustCompile(`(?m)^(\d+) +(\w+)\((.*)$`)

// moments reads from a trace which calls change something and are of interest,
// in the order in which they came.
func moments(t *testing.T, trace string, ofInterest func(name, arguments string) bool) []syscallAt {
	t.Helper()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	made := make(map[[2]string]int) // by thread and name
	known := make(map[syscallAt]bool)
	var list []syscallAt
	for _, m := range entered.FindAllStringSubmatch(string(text), -1) {
		thread, name, arguments := m[1], m[2], m[3]
		made[[2]string{thread, name}]++
		at := syscallAt{name, made[[2]string{thread, name}]}
		reads := strings.HasPrefix(name, "open") && !strings.Contains(arguments, "O_CREAT")
		if reads || known[at] || name == "pwrite64" && at.n%between != 0 || !ofInterest(name, arguments) {
			continue
		}
		known[at] = true
		list = append(list, at)
	}
	return list
}

// strace follows all threads of a program. With --seccomp-bpf it would take less time, but
// hardly reach any call but the first of its kind.
var strace = []string{"strace", "-f", "-qq"}

// needStrace skips a test in plain runs, and where strace is not installed.
func needStrace(t *testing.T) {
	t.Helper()
	testrun.NeedsSlow(t, "follows builds with strace")
	if err := exec.Command("strace", "-f", "-o", os.DevNull, "true").Run(); err != nil {
		t.Skipf("strace is not installed, or may not trace: %v", err)
	}
}

// Processes killed as they enter a call that creates, renames or syncs: the
// archive is whole, and the next run finishes with the bytes of one that was
// never disturbed.
func TestKilledAtEachCall(t *testing.T) {
	needStrace(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 8})
	const passing = "48999996" // its tag has a page that goes away
	s.Amend("articles", passing, func(r *fakepaper.Record) { r.Tags = append(r.Tags, "geçici") })
	p := newWorkdir(t, s, concurrency, fewFiles)
	t.Run("first build", func(t *testing.T) { killAtEachCall(t, s, p, 0) })
	p.mustBuild(t)
	s.Edit("articles", passing, func(r *fakepaper.Record) {
		r.Title, r.Tags, r.Modified = "Düzeltilmiş", r.Tags[:2], r.Modified.Add(time.Hour)
	})
	for i := range 5 {
		s.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + i), Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	}
	t.Run("build after changes", func(t *testing.T) { killAtEachCall(t, s, p, 1) })
}

// killAtEachCall kills runs that go on from what a workdir holds. Unless the run is long, the
// even and the odd calls share the kinds of calls.
func killAtEachCall(t *testing.T, s *fakepaper.Service, from *workdir, odd int) {
	trace := filepath.Join(t.TempDir(), "trace")
	whole := from.copy(t)
	s.ClearLog()
	if code := whole.startTraced(t, trace, "-e", "trace="+changing).wait(t, 2*time.Minute); code != exitOK {
		t.Fatalf("exit code %d of the undisturbed build", code)
	}
	want, ideal := whole.tree(t, "public"), len(answered(s.Requests()))
	if len(want) < 50 {
		t.Fatalf("the undisturbed build has only %d files", len(want))
	}
	list := moments(t, trace, func(string, string) bool { return true })
	all := len(list)
	if !testrun.Long() {
		list = half(spread(list, 1), odd)
		for i := range list { // of fewer calls, since threads share them out anew in each run
			list[i].n = (list[i].n + 2) / 3
		}
	}
	start := time.Now()
	tried, killed, repeated := 0, 0, 0
	for _, at := range list {
		t.Run(at.String(), func(t *testing.T) {
			p := from.copy(t)
			s.ClearLog()
			tried++
			inject := fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", at.name, at.n)
			if p.startTraced(t, os.DevNull, "-e", "trace="+at.name, "-e", inject).wait(t, 2*time.Minute) != exitOK {
				killed++
			}
			if _, err := os.Stat(p.archivePath()); !errors.Is(err, fs.ErrNotExist) {
				checkArchive(t, p.copy(t).archivePath())
			}
			p.mustBuild(t)
			checkArchive(t, p.archivePath())
			compareTrees(t, p.tree(t, "public"), want)
			asked := answered(s.Requests())
			extra := 0
			for _, n := range asked {
				extra += n - 1
			}
			// Beside the requests in flight, answers that are being stored while the
			// next ones are out already: half as many.
			if most := concurrency + concurrency/2 + ideal*2/100; extra > most {
				t.Errorf("%d requests repeated, want %d at most: %v", extra, most, repeats(asked))
			}
			repeated += extra
		})
	}
	if killed <= tried/2 {
		t.Errorf("only %d of %d runs were killed", killed, tried)
	}
	t.Logf("%d of %d runs killed, at %d moments: %d requests repeated, %s", killed, tried, all, repeated, time.Since(start).Round(time.Second))
}

// startTraced starts a run under strace.
func (p *workdir) startTraced(t *testing.T, trace string, options ...string) *process {
	t.Helper()
	command := append(slices.Clone(strace), "-o", trace)
	return p.startCommand(t, slices.Concat(command, options, []string{"build", "--quiet"})...)
}

// What a site consists of is on the disk before it is published, and its names
// before and after: a machine that loses power shows one site or the other.
func TestSyncedBeforePublished(t *testing.T) {
	needStrace(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 5})
	p := newWorkdir(t, s, concurrency, fewFiles)
	p.mustBuild(t)
	checkSyncs(t, s, p, "50000001", `files .*top hidden exchange top hidden`)
	checkSyncs(t, s, p, "50000002", `files .*top hidden files exchange top hidden`) // the previous tree is changed
}

// checkSyncs builds with one more article, and compares the order of syncs with a pattern.
func checkSyncs(t *testing.T, s *fakepaper.Service, p *workdir, id, want string) {
	t.Helper()
	s.Add(fakepaper.Record{Group: "articles", ID: id, Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	trace := filepath.Join(t.TempDir(), "trace")
	if code := p.startTraced(t, trace, "-y", "-e", "trace=?syncfs,fsync,renameat2").wait(t, 2*time.Minute); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var order strings.Builder
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.Contains(line, "syncfs("):
			order.WriteString("files ")
		case strings.Contains(line, "fsync(") && strings.Contains(line, "/.public.ayna>"):
			order.WriteString("hidden ")
		case strings.Contains(line, "fsync(") && strings.Contains(line, p.dir+">"):
			order.WriteString("top ")
		case strings.Contains(line, "RENAME_EXCHANGE") && strings.Contains(line, `"public"`):
			order.WriteString("exchange ")
		}
	}
	if !regexp.MustCompile(want).MatchString(order.String()) {
		t.Errorf("the order of syncs is %q\n%s", order.String(), text)
	}
}
