package output_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ayna/generator/output"
)

// inPlace makes a tree as earlier versions of ayna wrote it, in place: the
// files and the manifests, and nothing beside them.
func inPlace(t *testing.T, site tree) string {
	t.Helper()
	elsewhere, dir := filepath.Join(t.TempDir(), "public"), filepath.Join(t.TempDir(), "public")
	publish(t, elsewhere, site)
	if err := os.CopyFS(dir, os.DirFS(elsewhere)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTreeWrittenInPlace(t *testing.T) {
	next := with(small, tree{"index.html": "HOME", "media/a.jpg": ""})
	for _, test := range []struct {
		name     string
		make     func(t *testing.T) string
		rendered int64
		counts   [4]int
	}{
		{"whole", func(t *testing.T) string { return inPlace(t, small) }, 1, [4]int{1, 2, 1, 0}},
		{"interrupted", func(t *testing.T) string {
			// Some files are new, and the last line of the journal is cut off.
			dir := inPlace(t, small)
			write(t, dir, "index.html", "HOM")
			write(t, dir, "new.html", "new")
			journal := read(t, dir, ".ayna-manifest") + "\n" + strings.Repeat("0", 32) + " " + strings.Repeat("0", 64) + " -1 new.html\n000"
			write(t, dir, ".ayna-manifest.dirty", journal)
			if err := os.Remove(filepath.Join(dir, ".ayna-manifest")); err != nil {
				t.Fatal(err)
			}
			write(t, dir, ".ayna-tmp-1", "half")
			return dir
		}, 3, [4]int{1, 2, 2, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := test.make(t)
			write(t, dir, "CNAME", "mine")
			age(t, dir)
			var rendered atomic.Int64
			result, err := output.Publish(t.Context(), dir, next.files(&rendered), output.Options{Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			checkCounts(t, result, test.counts)
			if rendered.Load() != test.rendered {
				t.Errorf("%d files rendered, want %d", rendered.Load(), test.rendered)
			}
			checkContents(t, dir, with(next, tree{"CNAME": "mine"}))
			if got := fmt.Sprint(touched(t, dir)); got != "[.ayna-manifest index.html manifest.sha256]" {
				t.Errorf("written: %v", got)
			}
			checkCounts(t, publish(t, dir, next), [4]int{0, 3, 0, 0})
		})
	}
}

// TestInterruptedInPlaceThenFailingFile: what the manifest says of a file that
// an interrupted run may have written is what is there.
func TestInterruptedInPlaceThenFailingFile(t *testing.T) {
	dir := inPlace(t, small)
	if err := os.Rename(filepath.Join(dir, ".ayna-manifest"), filepath.Join(dir, ".ayna-manifest.dirty")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "index.html", "HOME")
	checkCounts(t, publish(t, dir, with(small, tree{"index.html": "!home"})), [4]int{0, 3, 0, 1})
	checkContents(t, dir, with(small, tree{"index.html": "HOME"}))
}
