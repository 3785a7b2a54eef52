package archive_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ayna/archive"
)

func TestD55SizesGoWithTheirPicture(t *testing.T) {
	a, err := archive.Open(t.Context(), filepath.Join(t.TempDir(), "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for dir, names := range map[string][]string{
		a.MediaDir(): {"aa.jpg", "ab.jpg"},
		a.SizesDir(): {"aa-320.jpg", "aa-640.jpg", "ab-320.jpg"},
	} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Scrub(t.Context(), []string{"aa.jpg"}); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, dir := range []string{a.MediaDir(), a.SizesDir()} {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			left = append(left, filepath.Base(file))
		}
	}
	if want := []string{"ab.jpg", "ab-320.jpg"}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}
