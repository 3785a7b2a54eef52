package output_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ayna/generator/output"
	"ayna/generator/release"
)

func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	foreign := tree{"CNAME": "ayna.example", ".well-known/security.txt": "x", "spor/mine.txt": "y", "alone/z": "z"}
	for name, content := range foreign {
		write(t, dir, name, content)
	}
	publish(t, dir, small)
	checkContents(t, dir, with(small, foreign)) // L20
	publish(t, dir, tree{"index.html": "home"})
	checkContents(t, dir, with(foreign, tree{"index.html": "home"}))
	if manifest := read(t, dir, "manifest.sha256"); strings.Contains(manifest, "CNAME") {
		t.Errorf("a foreign file is in the manifest:\n%s", manifest)
	}
}

// TestTreeIsALink is L20: the tree itself may be a symbolic link.
func TestTreeIsALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "public")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o755), os.Symlink("real", link)); err != nil {
		t.Fatal(err)
	}
	publish(t, link, small)
	checkContents(t, filepath.Join(dir, "real"), small)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

// TestForeignFilesChange: what the owner does to the published tree between
// builds is kept as it is, however many trees take turns.
func TestForeignFilesChange(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	site := small
	for i, step := range []struct {
		write  tree
		remove string
		want   tree
	}{
		{tree{"CNAME": "a"}, "", tree{"CNAME": "a"}},
		{tree{".well-known/x/y": "b"}, "", tree{"CNAME": "a", ".well-known/x/y": "b"}},
		{tree{"CNAME": "aa"}, "", tree{"CNAME": "aa", ".well-known/x/y": "b"}},
		{nil, "CNAME", tree{".well-known/x/y": "b"}},
		{nil, "", tree{".well-known/x/y": "b"}},
		{nil, ".well-known", tree{}},
		{nil, "", tree{}},
		{nil, "", tree{}},
	} {
		for name, content := range step.write {
			write(t, dir, name, content)
		}
		if step.remove != "" {
			if err := os.RemoveAll(filepath.Join(dir, step.remove)); err != nil {
				t.Fatal(err)
			}
		}
		site = with(site, tree{"index.html": strings.Repeat("x", i+1)})
		publish(t, dir, site)
		checkContents(t, dir, with(site, step.want))
	}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "empty"), 0o755), os.Symlink("index.html", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	site = with(site, tree{"index.html": "last"})
	publish(t, dir, site)
	if err := os.Chmod(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	publish(t, dir, with(site, tree{"index.html": "before"}))
	publish(t, dir, site)
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the tree's own mode is lost: %v, %v", info.Mode(), err)
	}
	want := with(site, tree{"link": "index.html"})
	want["empty/"] = ""
	checkContents(t, dir, want)
}

// TestL20ForeignFilesWhileVerified: what the owner does to the published tree while
// the next one is being looked at is kept, too.
func TestL20ForeignFilesWhileVerified(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	for name, content := range map[string]string{"CNAME": "a", "stays/x": "x", "goes/y": "y", "half/1": "1", "half/2": "2", "spor/mine.txt": "m"} {
		write(t, dir, name, content)
	}
	next := with(small, tree{"index.html": "next", "new/index.html": "new"})
	_, err := output.Publish(t.Context(), dir, next.files(), output.Options{Verify: func(string) error {
		write(t, dir, ".well-known/acme/t22", "token")
		write(t, dir, "new/index.html", "the site's by now")
		write(t, dir, "renewed", "b")
		return errors.Join(os.Rename(filepath.Join(dir, "renewed"), filepath.Join(dir, "CNAME")),
			os.RemoveAll(filepath.Join(dir, "goes")), os.Remove(filepath.Join(dir, "half/1")), os.Remove(filepath.Join(dir, "spor/mine.txt")),
			os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := with(next, tree{".well-known/acme/t22": "token", "CNAME": "b", "stays/x": "x", "half/2": "2"})
	want["empty/"] = ""
	checkContents(t, dir, want)
}

// TestL20L21ForeignFolderModes: the owner's folders keep their modes, whatever tree is
// published and whatever the process masks. The builder may always write there.
func TestL20L21ForeignFolderModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	want := map[string]fs.FileMode{
		"private": 0o700, "private/deep/er": 0o711, ".well-known": 0o775 | fs.ModeSetgid, "empty": 0o750, "open": 0o777 | fs.ModeSticky,
		"spor/mine": 0o700, "spor": 0o755,
	}
	for name := range want {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if name != "empty" {
			write(t, dir, name+"/x", "x")
		}
	}
	for name, mode := range want {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	want["private/deep"] = 0o755
	defer syscall.Umask(syscall.Umask(0o077))
	check := func(step string) {
		t.Helper()
		for name, mode := range want {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != mode|fs.ModeDir {
				t.Errorf("%s: %s: mode %v, %v; want %v", step, name, info.Mode(), err, mode)
			}
		}
	}
	for i := range 4 {
		publish(t, dir, with(small, tree{"index.html": fmt.Sprint(i)}))
		check(fmt.Sprint("build ", i))
	}
	rollback(t, dir)
	check("rollback")
	for _, name := range []string{"private", "private/deep/er"} {
		want[name] = 0o755 // of 0555
		if err := os.Chmod(filepath.Join(dir, name), 0o555); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		publish(t, dir, with(small, tree{"index.html": fmt.Sprint("again ", i)}))
		check(fmt.Sprint("read-only, build ", i))
	}
}

// TestForeignFileInTheWay: a file of the owner's whose name a folder of the
// site needs is neither removed nor left behind.
func TestForeignFileInTheWay(t *testing.T) {
	for name, foreign := range map[string]string{"a file for a folder": "spor", "a folder for a file": "index.html/mine"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			write(t, dir, foreign, "mine")
			_, err := output.Publish(t.Context(), dir, small.files(), output.Options{Jobs: 1})
			if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(foreign, "/mine")) {
				t.Errorf("error %v", err)
			}
			if got := contents(t, dir); !maps.Equal(got, tree{foreign: "mine"}) {
				t.Errorf("the tree holds %q", got)
			}
		})
	}
}

// TestSiteTakesForeignName: where a build wants a name, the owner's file goes.
func TestSiteTakesForeignName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	write(t, dir, "index.html", "mine")
	publish(t, dir, small)
	checkContents(t, dir, small)
}

// TestL20MountPoint: a mount point cannot be exchanged, and is refused before
// anything is done.
func TestL20MountPoint(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	mount(t, dir, "1m")
	for _, err := range []error{release.Check(dir), func() error {
		_, err := output.Publish(t.Context(), dir, small.files(), output.Options{Jobs: 1})
		return err
	}()} {
		if !errors.Is(err, release.ErrPlace) || !strings.Contains(err.Error(), "a folder in it") {
			t.Errorf("error %v", err)
		}
	}
	inner := filepath.Join(dir, "site")
	publish(t, inner, small)
	checkContents(t, inner, small)
}

// mount makes dir a file system in memory of some size.
func mount(t testing.TB, dir, size string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "ayna-test", dir).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
}
