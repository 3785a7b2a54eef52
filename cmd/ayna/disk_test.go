package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// writing are the calls by which something gets onto a disk. A question mark
// marks those that not every machine has.
const writing = "?open,openat,?mkdir,mkdirat,?rename,?renameat,renameat2,?link,linkat,?symlink,symlinkat," +
	"ftruncate,?fallocate,write,pwrite64,?copy_file_range,fsync,fdatasync,?sync_file_range,?syncfs"

// A disk that is full, or fails, for one call or for all that follow: exit 9
// with a message, archive and site whole, and the next run finishes with the
// bytes of one that was never disturbed and leaves no litter.
func TestFailingCalls(t *testing.T) {
	needStrace(t)
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 8})
	p := newWorkdir(t, s, concurrency, fewFiles)
	t.Run("first build", func(t *testing.T) { failCalls(t, p, 0) })
	p.mustBuild(t)
	for i := range 5 {
		s.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + i), Title: "Yeni", Text: "<p>Yeni</p>", Path: "/spor/"})
	}
	t.Run("build after changes", func(t *testing.T) { failCalls(t, p, 1) })
}

// failCalls fails runs that go on from what a workdir holds, as killAtEachCall does.
func failCalls(t *testing.T, from *workdir, odd int) {
	trace := filepath.Join(t.TempDir(), "trace")
	whole := from.copy(t)
	if code := whole.startTraced(t, trace, "-y", "-e", "trace="+writing).wait(t, 2*time.Minute); code != exitOK {
		t.Fatalf("exit code %d of the undisturbed build", code)
	}
	list := moments(t, trace, func(name, arguments string) bool {
		return name != "write" || strings.Contains(arguments, whole.dir) // others go over the network
	})
	counts := make(map[string]int)
	picked := half(spread(list, 1), odd)
	if testrun.Long() {
		picked = spread(list, 40)
	}
	for i, at := range picked {
		f := failure{at, []string{"ENOSPC", "EIO"}[i%2], i/2%2 == 1 && at.name != "write" && !strings.HasPrefix(at.name, "open")}
		t.Run(f.String(), func(t *testing.T) { counts[f.errno+" "+f.check(t, from, whole)]++ })
	}
	if counts["ENOSPC exit code 9"]+counts["EIO exit code 9"] == 0 {
		t.Error("no run failed")
	}
	t.Logf("%d moments: %v", len(list), counts)
}

// spread picks at most each calls of a name, evenly, in the order of the list.
func spread(list []syscallAt, each int) []syscallAt {
	byName := make(map[string][]syscallAt)
	for _, at := range list {
		byName[at.name] = append(byName[at.name], at)
	}
	var picked []syscallAt
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		calls := byName[name]
		n := min(each, len(calls))
		for i := range n {
			picked = append(picked, calls[(2*i+1)*len(calls)/(2*n)])
		}
	}
	return picked
}

// half returns every second call.
func half(list []syscallAt, odd int) (picked []syscallAt) {
	for i := odd; i < len(list); i += 2 {
		picked = append(picked, list[i])
	}
	return picked
}

// A failure is what a disk does to a run from a moment on.
type failure struct {
	at    syscallAt
	errno string
	lasts bool // for all later calls of that name, if it is only for writing to disks
}

func (f failure) String() string {
	if f.lasts {
		return fmt.Sprintf("%s from %v", f.errno, f.at)
	}
	return fmt.Sprintf("%s at %v", f.errno, f.at)
}

// check has a run fail that goes on from what a workdir holds, and another one
// follow. The first build of whole went on undisturbed.
func (f failure) check(t *testing.T, from, whole *workdir) string {
	p := from.copy(t)
	inject := fmt.Sprintf("inject=%s:error=%s:when=%d", f.at.name, f.errno, f.at.n)
	if f.lasts {
		inject += "+"
	}
	trace := filepath.Join(t.TempDir(), "trace")
	c := p.startTraced(t, trace, "-y", "-e", "trace="+f.at.name, "-e", inject)
	code := c.wait(t, 2*time.Minute)
	calls := injected(t, trace)
	if len(calls) == 0 || slices.ContainsFunc(calls, func(call string) bool { return !p.concerns(call) }) {
		return "missed" // threads share the calls out anew in each run
	}
	switch message := c.err.String(); {
	case code == exitOK && (f.at.name == "linkat" || strings.Contains(calls[0], "archive.db-") || strings.Contains(calls[0], "/.ayna>")):
		// What cannot be linked is copied; SQLite opens for reading alone what it
		// cannot open for writing, and goes on where the folder of a new file
		// cannot be synced.
		compareTrees(t, p.tree(t, "public"), whole.tree(t, "public"))
	case code != exitDisk || !strings.Contains(message, "hint: free some space") && !(f.errno == "EIO" && strings.Contains(message, "hint: look at the disk")):
		t.Errorf("exit code %d after %s\n%s", code, calls[0], message)
	}
	p.checkAfter(t, from, whole)
	return fmt.Sprint("exit code ", code)
}

// concerns reports whether a traced call writes to a file of the workdir: sockets
// and /proc are on no disk, and what cannot be read is made anew.
func (p *workdir) concerns(call string) bool {
	if strings.HasPrefix(call, "open") && !strings.Contains(call, "O_CREAT") {
		return false
	}
	return strings.Contains(strings.Replace(call, "AT_FDCWD<"+p.dir+`>, "/`, "/", 1), p.dir)
}

// checkAfter checks what a run that failed has left, and what the next one
// makes of it.
func (p *workdir) checkAfter(t *testing.T, from, whole *workdir) {
	t.Helper()
	if _, err := os.Stat(p.archivePath()); !errors.Is(err, fs.ErrNotExist) {
		checkArchive(t, p.copy(t).archivePath())
	}
	want := whole.tree(t, "public")
	if _, err := os.Stat(filepath.Join(p.dir, "public")); err == nil {
		if got := p.tree(t, "public"); !maps.Equal(got, want) { // a run may fail after it has published
			compareTrees(t, got, from.tree(t, "public"))
		}
	}
	p.mustBuild(t)
	checkArchive(t, p.archivePath())
	compareTrees(t, p.tree(t, "public"), want)
	if got, want := p.beside(t), whole.beside(t); !slices.Equal(got, want) {
		t.Errorf("beside the site are %q, want %q", got, want)
	}
}

// beside names what runs leave beside the published site. Whether they leave a delta
// depends on the clock: it needs trees whose directories have not changed for two seconds. A run
// that fails after it has published leaves no keys: the next change renders all pages.
func (p *workdir) beside(t *testing.T) []string {
	t.Helper()
	names := slices.Collect(maps.Keys(p.tree(t, ".ayna")))
	entries, err := os.ReadDir(filepath.Join(p.dir, ".public.ayna"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "previous" && name != "delta" && name != "keys" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

var traced = regexp.MustCompile(`^(\d+) +(?:<\.\.\. )?(\w+)( resumed>|\()(.*)`)

// injected returns the calls of a trace that were made to fail.
func injected(t *testing.T, trace string) []string {
	t.Helper()
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	begun := make(map[string]string) // arguments, by thread
	for line := range strings.Lines(string(text)) {
		m := traced.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		thread, arguments := m[1], m[4]
		if m[3] != "(" {
			arguments = begun[thread] + arguments
		}
		begun[thread] = arguments
		if strings.Contains(line, "(INJECTED)") {
			list = append(list, m[2]+"("+arguments)
		}
	}
	return list
}
