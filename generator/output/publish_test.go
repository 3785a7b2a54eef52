package output_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"ayna/generator/output"
)

func TestPublish(t *testing.T) {
	tests := []struct {
		name    string
		next    tree
		want    counts
		touched string // besides the manifest
	}{
		{"nothing changed", small, counts{unchanged: 4}, ""},
		{"a file changed", with(small, tree{"index.html": "HOME"}), counts{written: 1, unchanged: 3}, "index.html"},
		{"a file is new", with(small, tree{"spor/a.html": "a"}), counts{written: 1, unchanged: 4}, "spor/a.html"},
		{"a file goes", with(small, tree{"spor/page/1.html": ""}), counts{unchanged: 3, removed: 1}, ""},
		{"a folder goes", with(small, tree{"spor/page/1.html": "", "spor/index.html": ""}), counts{unchanged: 2, removed: 2}, ""},
		{"all goes", tree{}, counts{removed: 4}, ""},
		{"all is new", tree{"x.html": "x"}, counts{written: 1, removed: 4}, "x.html"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", "public")
			checkCounts(t, publish(t, dir, small), counts{written: 4})
			checkContents(t, dir, small)
			age(t, dir)

			result, err := output.Publish(t.Context(), dir, test.next.files(), output.Options{Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			checkCounts(t, result, test.want)
			checkContents(t, dir, test.next)
			if result.Files() != len(test.next) {
				t.Errorf("%d files, want %d", result.Files(), len(test.next))
			}
			changed := slices.DeleteFunc(touched(t, dir), func(name string) bool { return strings.Contains(name, "manifest") })
			if got := strings.Join(changed, " "); got != test.touched {
				t.Errorf("written: %q, want %q", got, test.touched)
			}
			if maps.Equal(test.next, small) && len(touched(t, dir)) > 0 {
				t.Errorf("nothing has changed, but %v were written", touched(t, dir))
			}
			age(t, dir)
			checkCounts(t, publish(t, dir, test.next), counts{unchanged: len(test.next)})
			if again := touched(t, dir); len(again) > 0 {
				t.Errorf("the same site again wrote %v", again)
			}
		})
	}
}

// What an earlier version wrote beside the manifest goes, also where nothing else changes.
func TestFormerManifest(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	write(t, dir, ".ayna-manifest", "index.html")
	checkCounts(t, publish(t, dir, small), counts{unchanged: 4})
	if _, err := os.Lstat(filepath.Join(dir, ".ayna-manifest")); !os.IsNotExist(err) {
		t.Errorf("it stays: %v", err)
	}
	checkContents(t, dir, small)
}

// TestLostAndDamagedFiles: what someone else took out or cut short comes back.
func TestLostAndDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	if err := os.RemoveAll(filepath.Join(dir, "spor")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "index.html", "hom")
	checkCounts(t, publish(t, dir, small), counts{written: 3, unchanged: 1})
	checkContents(t, dir, small)
}

// TestFileThatVanishes: if a published file that should stay is removed during a
// build, nothing is published.
func TestFileThatVanishes(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	publish(t, dir, small)
	next := with(small, tree{"a.html": "a", "z.html": "z"})
	_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
		for f := range next.files() {
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

func TestFailingFile(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	next := with(small, tree{"index.html": "!home", "new.html": "!new", "spor/index.html": "SPOR"})
	result := publish(t, dir, next)
	checkCounts(t, result, counts{written: 1, unchanged: 2, failed: 2})
	for i, path := range []string{"index.html", "new.html"} {
		if f := result.Failed[i]; f.Path != path || !errors.Is(f.Err, errRender) {
			t.Errorf("failure %d: %+v, want %s", i, f, path)
		}
	}
	checkContents(t, dir, with(small, tree{"spor/index.html": "SPOR"})) // the old version stays
	if manifest := read(t, dir, "manifest.sha256"); !strings.Contains(manifest, "index.html") {
		t.Errorf("the old version is not in the manifest:\n%s", manifest)
	}

	// It is tried again, and once it can be rendered it is written.
	checkCounts(t, publish(t, dir, next), counts{unchanged: 3, failed: 2})
	checkCounts(t, publish(t, dir, small), counts{written: 1, unchanged: 3})
	checkContents(t, dir, small)
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
		checkCounts(t, publish(t, dir, with(small, tree{"new.html": step.page})), step.counts)
		checkContents(t, dir, with(small, tree{"new.html": step.want}))
		if t.Failed() {
			t.Fatalf("step %d: %+v", i, step)
		}
	}

	fresh := t.TempDir()
	result := publish(t, fresh, with(small, tree{"new.html": "?"}))
	checkContents(t, fresh, small)
	if err := result.Failed[0].Err; !errors.Is(err, errRender) || !errors.Is(err, errPlain) {
		t.Errorf("neither could be rendered: %v", err)
	}
}

// TestJobs: any number of jobs gives the same bytes, the manifest included.
func TestJobs(t *testing.T) {
	site := make(tree)
	for i := range 500 {
		site[fmt.Sprintf("d%d/%d.html", i%17, i)] = strings.Repeat(fmt.Sprint(i), i)
	}
	var first string
	for _, jobs := range []int{1, 8, 0} {
		dir := t.TempDir()
		var most atomic.Int64
		_, err := output.Publish(t.Context(), dir, site.files(), output.Options{
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

func TestLongNamesAndFolders(t *testing.T) {
	deep := tree{strings.Repeat("a/", 200) + "x.html": "deep", strings.Repeat("a", 120) + ".html": "long", "-x/--y.html": "hyphens", "a b.html": "blank"}
	dir := t.TempDir()
	publish(t, dir, deep)
	checkContents(t, dir, deep)
	publish(t, dir, tree{"x.html": "x"})
	checkContents(t, dir, tree{"x.html": "x"})
}
