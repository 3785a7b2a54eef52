package output_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
)

func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	foreign := tree{"CNAME": "ayna.example", ".well-known/security.txt": "x", "spor/mine.txt": "y", "alone/z": "z"}
	for name, content := range foreign {
		write(t, dir, name, content)
	}
	publish(t, dir, small)
	checkContents(t, dir, with(small, foreign))
	publish(t, dir, tree{"index.html": "home"})
	checkContents(t, dir, with(foreign, tree{"index.html": "home"}))
	if manifest := read(t, dir, "manifest.sha256"); strings.Contains(manifest, "CNAME") {
		t.Errorf("a foreign file is in the manifest:\n%s", manifest)
	}
}

// TestForeignFilesWhileVerified: what the owner does to the published tree while
// the next one is being looked at is kept, too.
func TestForeignFilesWhileVerified(t *testing.T) {
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
