//go:build unix

package swap_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"ayna/generator/swap"
	"ayna/testrun/disk"
)

// TestForeignLinks: the owner's links, empty folders and odd names stay, and so does the
// mode of the tree.
func TestForeignLinks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	mustPublish(t, dir, first)
	disk.Write(t, dir, "spor/mine\xff/z", "z")
	must(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	must(t, os.Symlink("index.html", filepath.Join(dir, "link")))
	must(t, os.Chmod(dir, 0o750))
	mustPublish(t, dir, second, third)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the tree's own mode is lost: %v, %v", info.Mode(), err)
	}
	check(t, dir, disk.With(third, tree{"link": "index.html", "empty/": "", "spor/mine\xff/z": "z"}))
}

// TestCarriedAgain: carrying repeats what the owner did since the last time,
// in the next tree and in one that is gone back to.
func TestCarriedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	mustPublish(t, dir, first)
	foreign := tree{"CNAME": "a", "stays/x": "x", "goes/y": "y", "half/1": "1", "half/2": "2", "spor/mine.txt": "m", "was/empty/x": "x"}
	for name, content := range foreign {
		disk.Write(t, dir, name, content)
	}
	must(t, os.Mkdir(filepath.Join(dir, "filled"), 0o755))
	mustPublish(t, dir, second)
	p := mustOpen(t, dir)
	must(t, stage(t, p, swap.Stage, third))

	disk.Write(t, dir, ".well-known/acme/t22", "token")
	disk.Write(t, dir, "new/deep/index.html", "the site's by now")
	disk.Write(t, dir, "renewed", "b")
	disk.Write(t, dir, "filled/z", "z")
	must(t, os.Rename(filepath.Join(dir, "renewed"), filepath.Join(dir, "CNAME")))
	for _, name := range []string{"goes", "half/1", "spor/mine.txt", "was/empty/x"} {
		must(t, os.RemoveAll(filepath.Join(dir, name)))
	}
	must(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	want := tree{".well-known/acme/t22": "token", "CNAME": "b", "stays/x": "x", "half/2": "2", "filled/z": "z", "empty/": "", "was/empty/": ""}
	for name, site := range map[string]tree{swap.Stage: third, swap.Previous: first} {
		to, err := p.Tree(name)
		must(t, err)
		defer to.Close()
		published, err := p.Tree(swap.Published)
		must(t, err)
		defer published.Close()
		ours := func(file string) bool { return first[file] != "" || second[file] != "" || third[file] != "" }
		for range 2 {
			_, err := swap.UpdateForeign(published, to, ours)
			must(t, err)
			check(t, filepath.Join(hidden(dir), name), disk.With(site, want))
		}
	}
}

// TestForeignFolderModes: the owner's folders keep their modes, whatever tree is published and
// whatever the process masks. Those that this user may not write hinder neither a change of
// the owner's nor the removal of an old tree, and files outside of it keep theirs.
func TestForeignFolderModes(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	mustPublish(t, dir, first)
	want := map[string]fs.FileMode{
		"private": 0o700, "private/deep": 0o755, "private/deep/er": 0o711, ".well-known": 0o775 | fs.ModeSetgid, "empty": 0o750, "open": 0o777 | fs.ModeSticky,
		"spor": 0o555, "spor/mine": 0o700, "keys": 0o500, "keys/old\xff": 0o500, "backup": 0o555,
	}
	for name := range want {
		must(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
		if name != "empty" {
			disk.Write(t, dir, name+"/x", "x")
		}
	}
	disk.Write(t, outer, "closed/file", "untouched")
	must(t, errors.Join(os.Symlink("../../closed", filepath.Join(dir, "keys/link")), os.Chmod(filepath.Join(dir, "keys/x"), 0)))
	chmod := func(modes map[string]fs.FileMode) {
		for _, name := range slices.Backward(slices.Sorted(maps.Keys(modes))) { // a folder before the one that it is in
			must(t, os.Chmod(filepath.Join(dir, name), modes[name]))
		}
	}
	chmod(want)
	must(t, os.Chmod(filepath.Join(outer, "closed"), 0o500))
	t.Cleanup(func() { exec.Command("chmod", "-R", "u+rwX", outer).Run() })
	defer syscall.Umask(syscall.Umask(0o077))
	check := func(step string) {
		t.Helper()
		for name, mode := range want {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode|fs.ModeDir {
				t.Errorf("%s: %s: %v, %v; want %v", step, name, info, err, mode)
			}
		}
		if info, err := os.Lstat(filepath.Join(dir, "keys/x")); err != nil || info.Mode() != 0 {
			t.Errorf("%s: keys/x: %v, %v", step, info, err)
		}
		if info, err := os.Stat(filepath.Join(outer, "closed")); err != nil || info.Mode().Perm() != 0o500 {
			t.Errorf("%s: the target of a link: %v, %v", step, info, err)
		}
		checkHidden(t, dir)
	}
	for i := range 3 {
		mustPublish(t, dir, disk.With(first, tree{"index.html": fmt.Sprint(i)}))
		check(fmt.Sprint("publish ", i))
	}
	rollback(t, dir)
	check("rollback")

	chmod(map[string]fs.FileMode{"keys": 0o700, "spor": 0o755})
	disk.Write(t, dir, "keys/new", "new")
	must(t, errors.Join(os.Remove(filepath.Join(dir, "keys/link")), os.Remove(filepath.Join(dir, "spor/x"))))
	chmod(map[string]fs.FileMode{"keys": 0o500, "spor": 0o555})
	p := mustOpen(t, dir)
	published, err := p.Tree(swap.Published)
	must(t, err)
	defer published.Close()
	previous, err := p.Tree(swap.Previous)
	must(t, err)
	defer previous.Close()
	_, err = swap.UpdateForeign(published, previous, func(file string) bool { return first[file] != "" })
	must(t, err)
	must(t, errors.Join(p.Publish(swap.Previous, ""), p.Close()))
	check("rollback after changes")
	for name, there := range map[string]bool{"keys/new": true, "keys/link": false, "spor/x": false, "spor/mine/x": true} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil != there {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInTheWay: a file of the owner's where the site needs a folder is
// neither removed nor left behind. Where the site has a file of that name, the
// owner's goes.
func TestInTheWay(t *testing.T) {
	for name, foreign := range map[string]string{"a file for a folder": "spor", "a folder for a file": "index.html/mine"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			disk.Write(t, dir, foreign, "mine")
			if err := publish(t, dir, first); err == nil || !strings.Contains(err.Error(), foreign) || !strings.Contains(err.Error(), "move it away") {
				t.Errorf("error %v", err)
			}
			check(t, dir, tree{foreign: "mine"})
		})
	}
	dir := filepath.Join(t.TempDir(), "public")
	disk.Write(t, dir, "index.html", "mine")
	mustPublish(t, dir, first)
	check(t, dir, first)
}
