package output_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

// TestManifestOrder: the manifest is in the order of the paths, byte by
// byte, which is not that of names in folders.
func TestManifestOrder(t *testing.T) {
	site := make(tree)
	for _, path := range []string{
		"a", "a!", "a-b/c", "a.html", "b/c", "b!", "b-/c", "b.", "b0/x", "b/0/1/2/3", "b/0-1", "b/0.1", "ç/ü", "çü", "ç-ü/ş", "z/ß",
		"Ä/ö", "日本/語.html", "日本.html", "l/" + strings.Repeat("long", 50), strings.Repeat("deep/", 60) + "x", strings.Repeat("deep-", 40), "e é/f  g",
	} {
		site[path] = "content of " + path
	}
	dir := filepath.Join(t.TempDir(), "public")
	for _, next := range []tree{site, disk.With(site, tree{"b!": "", "a.html": "new"}), disk.With(site, tree{"ç/ü": "new", "b/c": "", "b/c/d": "in its place"}), site} {
		publish(t, dir, next)
		checkContents(t, dir, next)
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		var listed []string
		for l, err := range output.Listing(root) {
			if err != nil {
				t.Fatal(err)
			}
			listed = append(listed, l.Path)
		}
		if len(listed) != len(next) || !slices.IsSorted(listed) {
			t.Errorf("%d files, in the order %q", len(listed), listed)
		}
	}
}

// TestFileAndFolderChangePlaces: a name is a folder's, then a file's, and the
// other way round, whatever the trees that take turns have.
func TestFileAndFolderChangePlaces(t *testing.T) {
	folder, file := tree{"x/y/1.html": "1", "x/2.html": "2", "x-3.html": "3"}, tree{"x": "file", "x-3.html": "3"}
	sites := []tree{folder, file, file, folder, folder, folder, file, folder, file, file, file, folder}
	dir := filepath.Join(t.TempDir(), "public")
	for i, site := range sites {
		next := disk.With(site, tree{"index.html": strings.Repeat("home ", i+1)})
		publish(t, dir, next)
		checkContents(t, dir, next)
		checkHidden(t, dir)
		if t.Failed() {
			t.Fatalf("site %d", i)
		}
	}
}
