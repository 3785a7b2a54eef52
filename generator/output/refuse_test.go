package output_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

func TestPathsThatAreRefused(t *testing.T) {
	for _, path := range []string{
		"", ".", "..", "../x.html", "/etc/passwd", "a/../b.html", "a//b.html", "a/", "./a.html",
		".htaccess", ".ayna-x", ".git/config", "a/.git/config", "a/.x",
		"a\nb.html", "a\x00b.html", "a\r.html", `a\b.html`, "a\xff.html",
		"manifest.sha256", "MANIFEST.SHA256",
	} {
		t.Run(fmt.Sprintf("%q", path), func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			publish(t, dir, small)
			before := contents(t, outer)
			_, err := output.Publish(t.Context(), dir, files(tree{path: "evil"}), output.Options{Jobs: 1})
			if err == nil || path != "" && !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(strings.Trim(fmt.Sprintf("%q", path), `"`))) {
				t.Errorf("error %v", err)
			}
			if after := contents(t, outer); !maps.Equal(before, after) {
				t.Errorf("the tree changed: %q", after)
			}
		})
	}
}

func TestTwoFilesOfOneAddress(t *testing.T) {
	for _, pair := range [][2]string{{"a.html", "a.html"}, {"A.html", "a.html"}, {"a.html", "A.html"}, {"Spor/a.html", "spor/a.html"}} {
		dir := t.TempDir()
		_, err := output.Publish(t.Context(), dir, output.Join(files(tree{pair[0]: "1"}), files(tree{pair[1]: "2"})), output.Options{Jobs: 1})
		if err == nil || !strings.Contains(err.Error(), "two files claim the address "+pair[1]) {
			t.Errorf("%v: error %v", pair, err)
		}
	}
}

// TestLinksInTheTree: a link planted in the tree is replaced or refused,
// and what it points to is not touched.
func TestLinksInTheTree(t *testing.T) {
	tests := map[string]struct {
		name   string // of the link
		target string // of the link, beside the tree
		hard   bool
		fails  bool
	}{
		"link in place of a file":          {name: "index.html", target: "victim/file"},
		"link to nowhere":                  {name: "index.html", target: "nowhere"},
		"hard link in place of a file":     {name: "index.html", target: "victim/file", hard: true},
		"link in place of the manifest":    {name: "manifest.sha256", target: "victim/file", fails: true},
		"link like a temporary file":       {name: ".ayna-tmp-1", target: "victim/file"},
		"link in place of a folder":        {name: "spor", target: "victim", fails: true},
		"link in place of a reserved name": {name: ".ayna-x", target: "victim/file"},
		"link to nowhere for the manifest": {name: "manifest.sha256", target: "nowhere", fails: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			disk.Write(t, outer, "victim/file", "untouched")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			link := os.Symlink
			if test.hard {
				link = os.Link
			}
			if err := link(filepath.Join(outer, test.target), filepath.Join(dir, test.name)); err != nil {
				t.Fatal(err)
			}
			_, err := output.Publish(t.Context(), dir, files(small), output.Options{Jobs: 2})
			if (err != nil) != test.fails {
				t.Errorf("error %v", err)
			}
			if err == nil {
				checkContents(t, dir, small)
			}
			if got := contents(t, filepath.Join(outer, "victim")); !maps.Equal(got, tree{"file": "untouched"}) {
				t.Errorf("beside the tree: %q", got)
			}
			if _, err := os.Lstat(filepath.Join(outer, "nowhere")); err == nil {
				t.Error("a file was made outside of the tree")
			}
		})
	}
}

// TestLinksForTheState: a link planted in place of the state is replaced or
// refused, too.
func TestLinksForTheState(t *testing.T) {
	for _, name := range []string{"state", ".ayna-state"} {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			disk.Write(t, outer, "victim/file", "untouched")
			publish(t, dir, small)
			link := filepath.Join(outer, ".public.ayna", name)
			if err := errors.Join(os.RemoveAll(link), os.Symlink("../victim/file", link)); err != nil {
				t.Fatal(err)
			}
			_, err := output.Publish(t.Context(), dir, files(disk.With(small, tree{"index.html": "HOME"})), output.Options{Jobs: 2})
			t.Logf("published: %v", err)
			if got := contents(t, filepath.Join(outer, "victim")); !maps.Equal(got, tree{"file": "untouched"}) {
				t.Errorf("beside the tree: %q", got)
			}
		})
	}
}

// TestLinkPlantedWhileWriting: links are planted in the work tree
// between two steps of a build.
func TestLinkPlantedWhileWriting(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	disk.Write(t, outer, "victim/file", "untouched")
	publish(t, dir, small)
	plant := func(yield func(output.File, error) bool) {
		yield(output.File{Path: "a.html", Write: func(_ context.Context, w io.Writer) error {
			io.WriteString(w, "new")
			work := filepath.Join(outer, ".public.ayna", "stage")
			return errors.Join(os.MkdirAll(work, 0o755),
				os.Symlink("../../victim/file", filepath.Join(work, "a.html")),
				os.Symlink("../../victim", filepath.Join(work, "folder")))
		}}, nil)
		yield(output.File{Path: "folder/b.html", Write: func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, "new")
			return err
		}}, nil)
	}
	if _, err := output.Publish(t.Context(), dir, plant, output.Options{Jobs: 1}); err != nil {
		t.Logf("refused: %v", err)
	}
	if got := contents(t, filepath.Join(outer, "victim")); !maps.Equal(got, tree{"file": "untouched"}) {
		t.Errorf("beside the tree: %q", got)
	}
	publish(t, dir, small)
	checkContents(t, dir, small)
}

// TestDamagedManifest: a build with a damaged manifest writes every file again, and what
// the manifest still lists goes if the site no longer has it.
func TestDamagedManifest(t *testing.T) {
	sum := strings.Repeat("0", 64)
	for name, line := range map[string]string{
		"no line":            "<html>",
		"line cut off":       sum[:7],
		"no path":            sum + "  ",
		"no hexadecimals":    strings.Repeat("g", 64) + "  index.html",
		"upper case":         strings.Repeat("A", 64) + "  index.html",
		"another mark":       sum + " !index.html",
		"outside":            sum + "  ../victim",
		"absolute":           sum + "  /etc/passwd",
		"the owner's":        sum + "  .well-known/x",
		"longer than memory": strings.Repeat("0", 1<<17),
	} {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			disk.Write(t, outer, "victim", "untouched")
			publish(t, dir, small)
			disk.Write(t, dir, "CNAME", "mine")
			disk.Write(t, dir, "manifest.sha256", read(t, dir, "manifest.sha256")+line+"\n")
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			err = nil
			for _, e := range output.Listing(root) {
				err = errors.Join(err, e)
			}
			if !errors.Is(err, output.ErrDamaged) || !strings.Contains(err.Error(), "manifest.sha256") {
				t.Errorf("error %v", err)
			}
			next := disk.With(small, tree{"spor/index.html": ""})
			checkCounts(t, publish(t, dir, next), counts{written: 3, removed: 1})
			checkContents(t, dir, disk.With(next, tree{"CNAME": "mine"}))
			if read(t, outer, "victim") != "untouched" {
				t.Error("a file beside the site has changed")
			}
		})
	}
}

// TestForeignManifest: a manifest that no build made is not ayna's, and the files that it
// lists are the owner's. Nor is a manifest needed to publish.
func TestForeignManifest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	disk.Write(t, dir, "mine.txt", "mine")
	disk.Write(t, dir, "manifest.sha256", strings.Repeat("0", 64)+"  mine.txt\n")
	for range 2 {
		publish(t, dir, small, output.Options{Required: []string{"index.html"}})
		checkContents(t, dir, disk.With(small, tree{"mine.txt": "mine"}))
		if err := os.Remove(filepath.Join(dir, "manifest.sha256")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLostState: without the hidden directory the manifest lists what builds wrote.
func TestLostState(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	publish(t, dir, small)
	disk.Write(t, dir, "CNAME", "mine")
	if err := os.RemoveAll(filepath.Join(outer, ".public.ayna")); err != nil {
		t.Fatal(err)
	}
	next := disk.With(small, tree{"spor/index.html": ""})
	checkCounts(t, publish(t, dir, next, output.Options{Required: []string{"index.html"}}), counts{unchanged: 3, removed: 1})
	checkContents(t, dir, disk.With(next, tree{"CNAME": "mine"}))
}

// TestDistrust: after Distrust all files are written anew, also damaged ones of
// the right size. Whose site it is stays known.
func TestDistrust(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	put := func() output.Result {
		return publish(t, dir, disk.With(small, tree{"spor/index.html": "!fails"}), output.Options{Inputs: output.Inputs{Key: "1", Origin: "news.example/"}})
	}
	publish(t, dir, small)
	put()
	disk.Write(t, dir, "index.html", "hoMe")
	checkCounts(t, put(), counts{unchanged: 3, failed: 1})
	if err := output.Distrust(dir); err != nil {
		t.Fatal(err)
	}
	if s, err := output.Published(dir); err != nil || s.Key != "" || s.Origin != "news.example/" || !s.Distrusted {
		t.Errorf("state %+v, %v", s, err)
	}
	checkCounts(t, put(), counts{written: 3, failed: 1})
	checkContents(t, dir, small)
	if s, err := output.Published(dir); err != nil || s.Key != "1" || s.Distrusted {
		t.Errorf("state %+v, %v", s, err)
	}
	checkCounts(t, put(), counts{unchanged: 3, failed: 1})
}
