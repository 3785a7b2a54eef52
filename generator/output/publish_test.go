package output_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

func TestPublish(t *testing.T) {
	tests := []struct {
		name    string
		next    tree
		want    counts
		touched string // besides the manifest
	}{
		{"nothing changed", small, counts{unchanged: 4}, ""},
		{"a file changed", disk.With(small, tree{"index.html": "HOME"}), counts{written: 1, unchanged: 3}, "index.html"},
		{"a file is new", disk.With(small, tree{"spor/a.html": "a"}), counts{written: 1, unchanged: 4}, "spor/a.html"},
		{"a file goes", disk.With(small, tree{"spor/page/1.html": ""}), counts{unchanged: 3, removed: 1}, ""},
		{"a folder goes", disk.With(small, tree{"spor/page/1.html": "", "spor/index.html": ""}), counts{unchanged: 2, removed: 2}, ""},
		{"all goes", tree{}, counts{removed: 4}, ""},
		{"all is new", tree{"x.html": "x"}, counts{written: 1, removed: 4}, "x.html"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "deep", "public")
			checkCounts(t, publish(t, dir, small), counts{written: 4})
			checkContents(t, dir, small)
			age(t, dir)

			result := publish(t, dir, test.next, output.Options{Jobs: 2})
			checkCounts(t, result, test.want)
			checkContents(t, dir, test.next)
			if result.Files() != len(test.next) {
				t.Errorf("%d files, want %d", result.Files(), len(test.next))
			}
			changed := slices.DeleteFunc(touched(t, dir), func(name string) bool { return strings.Contains(name, "manifest") })
			if got := strings.Join(changed, " "); got != test.touched {
				t.Errorf("written: %q, want %q", got, test.touched)
			}
			folder, err1 := os.Stat(dir)
			age(t, outer)
			checkCounts(t, publish(t, dir, test.next), counts{unchanged: len(test.next)})
			if again := touched(t, outer); len(again) > 0 {
				t.Errorf("the same site again wrote %v", again)
			}
			if now, err2 := os.Stat(dir); err1 != nil || err2 != nil || !os.SameFile(folder, now) || !now.ModTime().Equal(folder.ModTime()) {
				t.Error("the tree was exchanged though nothing changed")
			}
			checkHidden(t, dir)
		})
	}
}

// TestLostAndDamagedFiles: what someone else took out or cut short comes back.
func TestLostAndDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	if err := os.RemoveAll(filepath.Join(dir, "spor")); err != nil {
		t.Fatal(err)
	}
	disk.Write(t, dir, "index.html", "hom")
	checkCounts(t, publish(t, dir, small), counts{written: 3, unchanged: 1})
	checkContents(t, dir, small)
}

// TestFileThatVanishes: if a published file that should stay is removed during a
// build, nothing is published.
func TestFileThatVanishes(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	publish(t, dir, small)
	next := disk.With(small, tree{"a.html": "a", "z.html": "z"})
	_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
		for f := range files(next) {
			if f.Path == "z.html" {
				f.Write = func(context.Context, io.Writer) error { return os.Remove(filepath.Join(dir, "spor/index.html")) }
			}
			yield(f, nil)
		}
	}, output.Options{Jobs: 1})
	if err == nil || !strings.Contains(err.Error(), "run again") {
		t.Errorf("error %v", err)
	}
	publish(t, dir, next)
	checkContents(t, dir, next)
	checkHidden(t, dir)
}

// TestStandIn: what cannot be rendered has a plainer file in its place, until it
// can; a version that was rendered as it should be stays.
func TestStandIn(t *testing.T) {
	dir := t.TempDir()
	for i, step := range []struct {
		page, want string
		counts     counts
	}{
		{"?a", "plain a", counts{written: 5, failed: 1}},
		{"?a", "plain a", counts{unchanged: 4, failed: 1}},
		{"?b", "plain a", counts{unchanged: 4, failed: 1}},
		{"?", "plain a", counts{unchanged: 4, failed: 1}}, // it fails too
		{"c", "c", counts{written: 1, unchanged: 4}},
		{"?d", "c", counts{unchanged: 4, failed: 1}},
		{"!d", "c", counts{unchanged: 4, failed: 1}},
		{"c", "c", counts{unchanged: 5}},
	} {
		result := publish(t, dir, disk.With(small, tree{"new.html": step.page, "never.html": "!"}))
		if f := result.Failed; len(f) == 0 || f[0].Path != "never.html" || !errors.Is(f[0].Err, errRender) || len(f) == 2 && f[1].Path != "new.html" {
			t.Errorf("step %d: failed: %v", i, f)
		}
		step.counts.failed++
		checkCounts(t, result, step.counts)
		checkContents(t, dir, disk.With(small, tree{"new.html": step.want}))
		if t.Failed() {
			t.Fatalf("step %d: %+v", i, step)
		}
	}

	fresh := t.TempDir()
	result := publish(t, fresh, disk.With(small, tree{"new.html": "?"}))
	checkContents(t, fresh, small)
	if err := result.Failed[0].Err; !errors.Is(err, errRender) || !errors.Is(err, errPlain) {
		t.Errorf("neither could be rendered: %v", err)
	}
}

// TestJobs: any number of jobs gives the same bytes, the manifest included.
func TestJobs(t *testing.T) {
	site := make(tree)
	for i := range 200 {
		site[fmt.Sprintf("d%d/%d.html", i%17, i)] = strings.Repeat(fmt.Sprint(i), i)
	}
	var first string
	for _, jobs := range []int{1, 8, 0} {
		dir := t.TempDir()
		var most atomic.Int64
		_, err := output.Publish(t.Context(), dir, files(site), output.Options{
			Jobs: jobs, Progress: func(done int) { most.Store(max(most.Load(), int64(done))) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if most.Load() != int64(len(site)) {
			t.Errorf("%d jobs: progress ended at %d", jobs, most.Load())
		}
		checkContents(t, dir, site)
		manifest := read(t, dir, "manifest.sha256")
		if first == "" {
			first = manifest
		} else if first != manifest {
			t.Errorf("%d jobs: another manifest", jobs)
		}
	}
}

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

func TestCompress(t *testing.T) {
	site := disk.With(small, tree{"index.html": strings.Repeat("home ", 1000), "site.css": "p{}", "feed.xml": "<rss/>"})
	both := output.Options{Jobs: 2, Compress: []string{"gzip", "zstd"}}
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, site, both)
	checkCompressed(t, dir, site, ".gz", ".zst")
	manifest := read(t, dir, "manifest.sha256")
	if !strings.Contains(manifest, "  index.html.gz\n") || !strings.Contains(manifest, "  index.html.zst\n") {
		t.Error("compressed files are not in the manifest")
	}
	age(t, dir)
	publish(t, dir, site, both)
	if again := touched(t, dir); len(again) > 0 {
		t.Errorf("the same site wrote %v", again)
	}
	next := disk.With(site, tree{"site.css": "a{}"})
	publish(t, dir, next, both)
	checkCompressed(t, dir, next, ".gz", ".zst")
	publish(t, dir, next, output.Options{Compress: []string{"gzip"}})
	checkCompressed(t, dir, next, ".gz")
	publish(t, dir, next, both)
	checkCompressed(t, dir, next, ".gz", ".zst")
	publish(t, dir, next, output.Options{})
	checkContents(t, dir, next)
}

// checkCompressed compares a tree with a site, every text of which has
// compressed variants.
func checkCompressed(t *testing.T, dir string, site tree, suffixes ...string) {
	t.Helper()
	got := contents(t, dir)
	for name, content := range site {
		if got[name] != content {
			t.Errorf("%s differs", name)
		}
		delete(got, name)
		for _, suffix := range suffixes {
			if filepath.Ext(name) == ".jpg" {
				continue
			}
			if unpacked := unpack(t, suffix, got[name+suffix]); unpacked != content {
				t.Errorf("%s holds %q", name+suffix, unpacked)
			}
			delete(got, name+suffix)
		}
	}
	for name := range got {
		t.Errorf("%s should not be there", name)
	}
}

func unpack(t *testing.T, suffix, packed string) string {
	var r io.Reader
	var err error
	switch suffix {
	case ".gz":
		r, err = gzip.NewReader(strings.NewReader(packed))
	case ".zst":
		r, err = zstd.NewReader(strings.NewReader(packed))
	}
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCompressedNameTaken: a site that has a file of that name itself is
// refused.
func TestCompressedNameTaken(t *testing.T) {
	_, err := output.Publish(t.Context(), filepath.Join(t.TempDir(), "public"), files(tree{"a.html": "a", "a.html.gz": "b"}), output.Options{Compress: []string{"gzip"}})
	if err == nil || !strings.Contains(err.Error(), "a.html.gz") {
		t.Errorf("error %v", err)
	}
}
