package output_test

import (
	"errors"
	"path/filepath"
	"testing"

	"ayna/generator/output"
)

// TestB18Fits: a build asks with the size of the next tree whether it fits, and
// publishes nothing if it does not.
func TestB18Fits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	next := tree{"index.html": "home", "a/1.html": "1", "a/2.html": "22", "a/b/3.html": "333"}
	tooLarge := errors.New("too large")
	var got output.Size
	result, err := output.Publish(t.Context(), dir, next.files(), output.Options{
		Jobs: 2, Changes: true, Fits: func(s output.Size) error { got = s; return tooLarge },
	})
	if !errors.Is(err, tooLarge) || result.Changes != nil {
		t.Errorf("error %v, changes %v", err, result.Changes)
	}
	checkContents(t, dir, small)
	want := output.Size{Files: 5, Bytes: 10, Largest: "index.html", LargestBytes: 4, Fullest: "a", FilesInOneDir: 2}
	if got != want {
		t.Errorf("size %+v, want %+v", got, want)
	}
}
