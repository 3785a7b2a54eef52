//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/disk"
	"ayna/testrun/fakepaper"
)

// A disk of any size, and one with any number of inodes: the run comes through,
// or exits with 9 and leaves archive and site whole, and with space again the
// next one finishes with the bytes of one that was never disturbed.
func TestSmallDiskAsRoot(t *testing.T) {
	testrun.NeedsSlow(t, "mounts small disks")
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 8})
	first := newWorkdir(t, s, concurrency, fewFiles)
	next := first.copy(t)
	next.mustBuild(t)
	for i := range 5 {
		s.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + i), Title: "Yeni", Text: strings.Repeat("<p>Yeni bir söz.</p>", 8000), Path: "/spor/"})
	}
	for _, from := range []struct {
		name string
		*workdir
	}{{"first build", first}, {"build after changes", next}} {
		t.Run(from.name+", bytes", func(t *testing.T) { tryDisks(t, from.workdir, moreBytes) })
		t.Run(from.name+", inodes", func(t *testing.T) { tryDisks(t, from.workdir, moreInodes) })
	}
}

// A resource is what a disk may have too little of.
type resource struct {
	used   func(syscall.Statfs_t) uint64
	format string // of the option of a disk with so much of it
}

var (
	moreBytes  = resource{func(s syscall.Statfs_t) uint64 { return (s.Blocks - s.Bfree) * uint64(s.Bsize) >> 10 }, "size=%dk"}
	moreInodes = resource{func(s syscall.Statfs_t) uint64 { return s.Files - s.Ffree }, "nr_inodes=%d"}
)

// option is that of a disk that has so much room.
func (r resource) option(now syscall.Statfs_t, room uint64) string {
	return fmt.Sprintf(r.format, r.used(now)+room)
}

// tryDisks has runs go on from what a workdir holds, each on a disk that has some
// more room.
func tryDisks(t *testing.T, from *workdir, r resource) {
	whole, d := from.onDisk(t)
	before := r.used(d.stat(t))
	whole.mustBuild(t)
	needed := r.used(d.stat(t)) - before
	points := uint64(1)
	if testrun.Long() {
		points = 60
	}
	codes := make(map[int]int)
	for i := range points {
		room := (2*i + 1) * needed / (2 * points)
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			p, d := from.onDisk(t)
			d.remount(t, r.option(d.stat(t), room))
			c := p.startCommand(t, "build", "--quiet")
			code := c.wait(t, 2*time.Minute)
			if code != exitOK && (code != exitDisk || !strings.Contains(c.err.String(), "hint: free some space")) {
				t.Errorf("exit code %d\n%s", code, c.err)
			}
			codes[code]++
			d.remount(t, large)
			p.checkAfter(t, from, whole)
		})
	}
	if codes[exitDisk] == 0 {
		t.Error("the disk was never full")
	}
	t.Logf("%d needed, exit codes %v", needed, codes)
}

// A smallDisk is a file system in memory, of a size that can be changed.
type smallDisk struct{ dir string }

const large = "size=256m,nr_inodes=100000"

// onDisk returns another workdir that holds the same, on a disk of its own.
func (p *workdir) onDisk(t *testing.T) (*workdir, smallDisk) {
	t.Helper()
	d := smallDisk{t.TempDir()}
	disk.Mount(t, d.dir, large)
	return p.copyTo(t, filepath.Join(d.dir, "place")), d
}

func (d smallDisk) remount(t *testing.T, options string) {
	t.Helper()
	disk.Remount(t, d.dir, options)
}

func (d smallDisk) stat(t *testing.T) (s syscall.Statfs_t) {
	t.Helper()
	if err := syscall.Statfs(d.dir, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Too little space is told of before anything is asked of the source, and
// before anything is written of a site.
func TestTooLittleSpaceAsRoot(t *testing.T) {
	testrun.NeedsSlow(t, "mounts small disks")
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 20})
	p, d := newWorkdir(t, s, concurrency, fewFiles).onDisk(t)
	refused := func(option string, args ...string) {
		t.Helper()
		d.remount(t, option)
		c := p.startCommand(t, append([]string{"build", "--quiet"}, args...)...)
		if code := c.wait(t, time.Minute); code != exitDisk || !strings.Contains(c.err.String(), "too little space") {
			t.Errorf("%s: exit code %d\n%s", option, code, c.err)
		}
		d.remount(t, large)
	}
	config, err := os.ReadFile(filepath.Join(p.dir, "site.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(p.dir, "none.yaml"), append(config, "content: {include: [/olmayan/]}\n"...), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	refused("size=1m")
	refused("nr_inodes=40")
	if asked := s.Requests(); len(asked) > 0 {
		t.Errorf("%d requests were made", len(asked))
	}
	if code := p.startAyna(t, "sync").wait(t, time.Minute); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	used := d.stat(t)
	refused(moreBytes.option(used, 1200), "--offline")
	if _, err := os.Stat(filepath.Join(p.dir, ".public.ayna", "stage")); err == nil {
		t.Error("a site was begun")
	}
	d.remount(t, moreBytes.option(used, 1200)) // which is room for a site that shows none of the records
	c := p.startCommand(t, "build", "--quiet", "--offline", "--config", "none.yaml")
	if c.wait(t, time.Minute); strings.Contains(c.err.String(), "too little space") {
		t.Errorf("a site without records: %s", c.err)
	}
	d.remount(t, large)
	p.mustBuild(t)
}

// Few open files: the same as a full disk.
func TestFewDescriptors(t *testing.T) {
	testrun.NeedsSlow(t, "builds many sites")
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 8})
	from := newWorkdir(t, s, concurrency, fewFiles)
	whole := from.copy(t)
	whole.mustBuild(t)
	limits := []int{16, 20, 28}
	if testrun.Long() {
		limits = []int{8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 50, 60, 80, 100}
	}
	for _, limit := range limits {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			p := from.copy(t)
			c := p.startCommand(t, "sh", "-c", fmt.Sprintf("ulimit -n %d; exec build --quiet", limit))
			const mayDo = 24 // files: whether that is enough depends on how many are open at once
			code := c.wait(t, time.Minute)
			if refused := code == exitDisk && strings.Contains(c.err.String(), "ulimit"); !refused && !(code == exitOK && limit >= mayDo) {
				t.Errorf("exit code %d\n%s", code, c.err)
			}
			p.checkAfter(t, from, whole)
		})
	}
}

// A check needs no room: on a full disk, too, it finds no damage and leaves nothing.
func TestCheckWithoutRoomAsRoot(t *testing.T) {
	testrun.NeedsSlow(t, "builds many sites")
	t.Parallel()
	s := startUpstream(t, fakepaper.Options{Items: 8})
	for i := range 10 {
		text := strings.Repeat("<p>"+strings.Repeat("uzun", 50)+"</p>", 1500)
		s.Add(fakepaper.Record{Group: "articles", ID: fmt.Sprint(50_000_000 + i), Title: "Yeni", Text: text, Path: "/spor/"})
	}
	from := newWorkdir(t, s, concurrency, fewFiles)
	from.mustBuild(t)
	before := from.beside(t)
	run := func(t *testing.T, p *workdir, command ...string) {
		t.Helper()
		c := p.startCommand(t, command...)
		if code := c.wait(t, time.Minute); code != exitOK {
			t.Errorf("exit code %d\n%s", code, c.err)
		}
		if got := p.beside(t); !slices.Equal(got, before) {
			t.Errorf("beside the site are %q, want %q", got, before)
		}
	}
	t.Run("disk", func(t *testing.T) {
		p, d := from.onDisk(t)
		for _, room := range []uint64{1100, 1600, 20_000} {
			d.remount(t, moreBytes.option(d.stat(t), room))
			run(t, p, "build", "--offline", "--check", "--quiet")
			d.remount(t, large)
		}
	})
	t.Run("limit of a file", func(t *testing.T) {
		run(t, from.copy(t), "sh", "-c", "ulimit -f 100; exec build --offline --check --quiet")
	})
}
