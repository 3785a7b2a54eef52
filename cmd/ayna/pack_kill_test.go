package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ayna/testrun"
)

// slowZIM is a program that packs a ZIM file when its folder is gone, or a file go is there.
const slowZIM = "#!/bin/sh\nif [ \"$1\" = --help ]; then exit; fi\nwhile [ $# -gt 2 ]; do shift; done\n" +
	"while [ -e \"$1\" ] && [ ! -e go ]; do sleep 0.02; done\ncp \"$1/index.html\" \"$2\"\n"

// awaitFile waits until a process has made a file, or has ended.
func (p *workdir) awaitFile(t *testing.T, c *process, name string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond / 2) {
		if _, err := os.Lstat(filepath.Join(p.dir, name)); err == nil || len(c.ended) > 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no %s", name)
		}
	}
}

// hidden returns the temporary files in a workdir.
func (p *workdir) hidden(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasPrefix(name, ".") && name != ".ayna" && name != ".public.ayna" && name != ".gitignore" {
			names = append(names, name)
		}
	}
	return names
}

// What a killed pack or export leaves, the next one of the same name removes. The file of
// that name is whole all the time.
func TestKilledPackAndExport(t *testing.T) {
	testrun.NeedsSlow(t, "kills a program many times")
	t.Parallel()
	p := packWorkdir(t, slowZIM)
	for _, w := range writers[:2] {
		p.run(t, w.command...)
	}
	for _, w := range writers[2:6] {
		out := w.wrote[0]
		t.Run(out, func(t *testing.T) {
			killed := 0
			for i := 0; killed < 3 && i < 20; i++ { // on a busy machine some end before they are seen
				c := p.startCommand(t, w.command...)
				p.awaitFile(t, c, "."+out+".part")
				time.Sleep(time.Duration(killed*4) * time.Millisecond)
				c.Process.Kill()
				if c.wait(t, time.Minute) != exitOK {
					killed++
				}
				if info, err := os.Stat(filepath.Join(p.dir, out)); err == nil && info.Size() == 0 {
					t.Errorf("kill %d: an empty file", i)
				}
			}
			if killed == 0 {
				t.Error("none was killed")
			}
			if err := os.WriteFile(filepath.Join(p.dir, "go"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			p.run(t, w.command...)
			if err := os.Remove(filepath.Join(p.dir, "go")); err != nil {
				t.Fatal(err)
			}
			if left := p.hidden(t); len(left) > 0 {
				t.Errorf("after %d kills %q are left", killed, left)
			}
		})
	}
}

// Of two that write the same file at once, the second ends with a clear error, and the
// first one goes on. One that a signal ends leaves nothing.
func TestPackTwiceAtOnce(t *testing.T) {
	testrun.NeedsSlow(t, "kills a program many times")
	t.Parallel()
	p := packWorkdir(t, slowZIM)
	for _, w := range writers[:2] {
		p.run(t, w.command...)
	}
	zim := writers[4].command
	first := p.startCommand(t, zim...)
	p.awaitFile(t, first, ".site.zim.part")
	second := p.startCommand(t, zim...)
	if code := second.wait(t, time.Minute); code != exitLocked || !strings.Contains(second.err.String(), "write site.zim: another run is writing this file") ||
		!strings.Contains(second.err.String(), "hint: wait for the other run to end") {
		t.Errorf("exit code %d\n%s", code, second.err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if code := first.wait(t, time.Minute); code != exitOK {
		t.Errorf("exit code %d\n%s", code, first.err)
	}
	if err := os.Remove(filepath.Join(p.dir, "go")); err != nil {
		t.Fatal(err)
	}
	stopped := p.startCommand(t, zim...)
	p.awaitFile(t, stopped, ".site.zim.part")
	stopped.Process.Signal(syscall.SIGINT)
	if code := stopped.wait(t, time.Minute); code != 130 || strings.Contains(stopped.err.String(), "hint") { // nothing is kept
		t.Errorf("exit code %d after a signal\n%s", code, stopped.err)
	}
	if left := p.hidden(t); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
