//go:build unix

package swap_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ayna/generator/swap"
	"ayna/testrun/disk"
)

// TestLocked: one run publishes to a target; those that only read it may be
// several.
func TestLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	open := func(how func(string) (*swap.Target, error), locked bool) *swap.Target {
		t.Helper()
		p, err := how(dir)
		if errors.Is(err, swap.ErrLocked) != locked || err != nil && !locked {
			t.Fatalf("error %v", err)
		}
		return p
	}
	p := open(swap.Open, false)
	open(swap.Open, true)
	open(swap.OpenShared, true)
	must(t, p.Close())
	one, other := open(swap.OpenShared, false), open(swap.OpenShared, false)
	open(swap.Open, true)
	must(t, errors.Join(one.Close(), other.Close()))
	must(t, open(swap.Open, false).Close())
}

// TestTreeIsALink: the published tree may be named by a symbolic link, which
// stays.
func TestTreeIsALink(t *testing.T) {
	outer := t.TempDir()
	link := filepath.Join(outer, "public")
	must(t, errors.Join(os.Mkdir(filepath.Join(outer, "real"), 0o755), os.Symlink("real", link)))
	mustPublish(t, link, first, second)
	check(t, filepath.Join(outer, "real"), second)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

// TestTargetsThatAreRefused: what stands at a target where nothing can be exchanged
// is not touched.
func TestTargetsThatAreRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		occupy func(outer string) error
		says   string
	}{
		{"a file", func(outer string) error { return os.WriteFile(filepath.Join(outer, "public"), nil, 0o644) }, "not a folder"},
		{"a dangling link", func(outer string) error { return os.Symlink("nowhere", filepath.Join(outer, "public")) }, "dangling"},
		{"a link for the hidden folder", func(outer string) error { return os.Symlink("victim", filepath.Join(outer, ".public.ayna")) }, "remove it"},
		{"a file for the hidden folder", func(outer string) error {
			return os.WriteFile(filepath.Join(outer, ".public.ayna"), nil, 0o644)
		}, "remove it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			outer := t.TempDir()
			disk.Write(t, outer, "victim/file", "untouched")
			must(t, test.occupy(outer))
			before := contents(t, outer)
			dir := filepath.Join(outer, "public")
			for _, err := range []error{swap.Check(dir), publish(t, dir, first)} {
				if !errors.Is(err, swap.ErrTarget) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %v", err)
				}
			}
			check(t, outer, before)
		})
	}
}

// TestLinksInTheHiddenFolder: a link planted beside the trees is replaced or
// refused, and what it leads to is not touched.
func TestLinksInTheHiddenFolder(t *testing.T) {
	for name, target := range map[string]string{
		"stage": "victim", "previous": "victim", "aside": "victim", "next": "victim/file", ".ayna-next": "victim/file",
		".ayna-stage": "victim", ".ayna-previous": "victim", "lock": "nowhere", "try": "nowhere",
	} {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			disk.Write(t, outer, "victim/file", "untouched")
			mustPublish(t, dir, first)
			link := filepath.Join(hidden(dir), name)
			must(t, errors.Join(os.RemoveAll(link), os.Symlink("../"+target, link)))
			ready := swap.Check(dir)
			err := publish(t, dir, second)
			t.Logf("ready: %v, published: %v", ready, err)
			check(t, filepath.Join(outer, "victim"), tree{"file": "untouched"})
			if _, err := os.Lstat(filepath.Join(outer, "nowhere")); err == nil {
				t.Error("a file was made elsewhere")
			}
			want := second
			if err != nil {
				want = first
			}
			check(t, dir, want)
		})
	}
}

// TestMountPointAsRoot: a mount point cannot be exchanged, and is refused before
// anything is done.
func TestMountPointAsRoot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	disk.Mount(t, dir, "size=1m")
	for _, err := range []error{swap.Check(dir), publish(t, dir, first)} {
		if !errors.Is(err, swap.ErrTarget) || !strings.Contains(err.Error(), "a folder in it") {
			t.Errorf("error %v", err)
		}
	}
	inner := filepath.Join(dir, "site")
	mustPublish(t, inner, first)
	check(t, inner, first)
}

// TestReadOnlyAsRoot: a target that cannot be written to is found out before the
// work.
func TestReadOnlyAsRoot(t *testing.T) {
	mounted := filepath.Join(t.TempDir(), "disk")
	disk.Mount(t, mounted, "size=4m")
	dir := filepath.Join(mounted, "public")
	mustPublish(t, dir, first)
	disk.Remount(t, mounted, "ro")
	defer disk.Remount(t, mounted, "rw")
	for _, err := range []error{swap.Check(dir), publish(t, dir, second)} {
		if !errors.Is(err, syscall.EROFS) {
			t.Errorf("error %v", err)
		}
	}
	check(t, dir, first)
}

// TestFullAtEachPublishAsRoot: a disk that is full when the trees are exchanged
// leaves the published one, and no stage that would keep it full.
func TestFullAtEachPublishAsRoot(t *testing.T) {
	mounted := filepath.Join(t.TempDir(), "disk")
	disk.Mount(t, mounted, "size=1m")
	dir := filepath.Join(mounted, "public")
	mustPublish(t, dir, first, second)
	p := mustOpen(t, dir)
	must(t, stage(t, p, swap.Stage, third))
	var filler int
	for ; ; filler++ {
		if err := os.WriteFile(filepath.Join(mounted, fmt.Sprint("filler", filler)), make([]byte, 4096), 0o644); err != nil {
			break
		}
	}
	if err := p.Publish(swap.Stage, ""); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v after %d fillers", err, filler)
	}
	check(t, dir, second)
	check(t, filepath.Join(hidden(dir), "previous"), first)
	checkHidden(t, dir)
}
