package archive_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"ayna/archive"
)

// besides names what lies beside an archive, and in the folder above.
func besides(t *testing.T, path string) []string {
	t.Helper()
	var names []string
	for _, dir := range []string{filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
	}
	return names
}

// A check writes the texts down for itself, in no other place than beside the
// archive. Should it be killed while it looks at records, nothing of that is left.
func TestD55L06CheckLeavesNothing(t *testing.T) {
	for _, dir := range []string{"plain", "a#b", "a?b", "a%41b", "it's"} {
		t.Run(dir, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), dir, "archive.db")
			a := openAt(t, path)
			checked(t, a)
			before := besides(t, path)
			looks := 0
			for f, err := range a.Check(ctx, archive.Checking{Derive: draw, Jobs: 2, Progress: func(int) {
				looks++
				if during := besides(t, path); !slices.Equal(during, before) && runtime.GOOS != "windows" { // where no open file can be removed
					t.Errorf("during the check there are %q, want %q", during, before)
				}
			}}) {
				t.Errorf("flaw %v, %v", f, err)
			}
			if after := besides(t, path); looks == 0 || !slices.Equal(after, before) {
				t.Errorf("after %d looks there are %q, want %q", looks, after, before)
			}
		})
	}
}

// What a check was not able to remove is removed by the next writer, and by what
// overwrites what was deleted.
func TestD55LitterOfChecks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a[b]", "archive.db")
	a, err := archive.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	before := besides(t, path)
	litter := func() {
		t.Helper()
		dir := filepath.Join(filepath.Dir(path), ".check-17")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{filepath.Join(dir, "texts.db"), filepath.Join(filepath.Dir(path), ".check-18")} {
			if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	litter()
	if err := a.Scrub(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if after := besides(t, path); !slices.Equal(after, before) {
		t.Errorf("after -forget there are %q, want %q", after, before)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	closed := besides(t, path)
	litter()
	if a, err = archive.Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if after := besides(t, path); !slices.Equal(after, closed) {
		t.Errorf("after a run there are %q, want %q", after, closed)
	}
}
