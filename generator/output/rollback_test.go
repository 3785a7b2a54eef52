package output_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

func rollback(t testing.TB, dir string) {
	t.Helper()
	if err := output.Rollback(dir); err != nil {
		t.Fatal(err)
	}
}

func TestRollback(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	if err := output.Rollback(dir); !errors.Is(err, output.ErrNoPrevious) {
		t.Errorf("nothing was published: error %v", err)
	}
	first, second := small, disk.With(small, tree{"index.html": "2", "media/a.jpg": "", "new.html": "new"})
	publish(t, dir, first)
	if err := output.Rollback(dir); !errors.Is(err, output.ErrNoPrevious) {
		t.Errorf("one site was published: error %v", err)
	}
	publish(t, dir, second)
	disk.Write(t, dir, "CNAME", "mine")
	for range 3 { // back and forth
		rollback(t, dir)
		checkContents(t, dir, disk.With(first, tree{"CNAME": "mine"}))
		rollback(t, dir)
		checkContents(t, dir, disk.With(second, tree{"CNAME": "mine"}))
	}
	checkHidden(t, dir)
}

// TestBuildAfterRollback: the next build goes on from what is published, and
// the site before it is the one that was gone back to.
func TestBuildAfterRollback(t *testing.T) {
	site := func(n string) tree { return disk.With(small, tree{"index.html": n, n + ".html": n}) }
	dir := filepath.Join(t.TempDir(), "public")
	for _, n := range []string{"1", "2", "bad"} {
		publish(t, dir, site(n))
	}
	rollback(t, dir)
	checkContents(t, dir, site("2"))
	checkCounts(t, publish(t, dir, site("2")), counts{unchanged: 5})
	publish(t, dir, site("4"))
	checkContents(t, dir, site("4"))
	rollback(t, dir)
	checkContents(t, dir, site("2"))
	publish(t, dir, site("5"))
	checkContents(t, dir, site("5"))
}

// TestDatesNeverGoBack: a file whose bytes change, be it back to what they
// were, has a later second on its time stamp; the others keep theirs.
func TestDatesNeverGoBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	stamp := func(name string) int64 {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime().Unix()
	}
	publish(t, dir, small)
	still := stamp("media/a.jpg")
	last := stamp("index.html")
	content := read(t, dir, "index.html")
	for i, step := range []func(){
		func() { publish(t, dir, disk.With(small, tree{"index.html": "b"})) },
		func() { publish(t, dir, small) },
		func() { publish(t, dir, disk.With(small, tree{"z.html": "z"})) },
		func() { publish(t, dir, disk.With(small, tree{"index.html": "b"})) },
		func() { publish(t, dir, disk.With(small, tree{"index.html": "c"})) },
		func() { rollback(t, dir) },
		func() { rollback(t, dir) },
		func() { publish(t, dir, disk.With(small, tree{"index.html": "b"})) },
		func() { publish(t, dir, small) },
		func() { publish(t, dir, disk.With(small, tree{"x.html": "x"})) },
		func() { publish(t, dir, disk.With(small, tree{"y.html": "x"})) },
	} {
		step()
		now, next := stamp("index.html"), read(t, dir, "index.html")
		if changed := next != content; changed && now <= last || !changed && now != last {
			t.Errorf("step %d: changed %t, second %d after %d", i, changed, now, last)
		}
		last, content = now, next
		if stamp("media/a.jpg") != still {
			t.Errorf("step %d: the picture has a new date", i)
		}
	}
}

// TestForgotten: earlier sites go when something else was taken out than the
// last time, and only then; nothing of them stays anywhere.
func TestForgotten(t *testing.T) {
	outer, before := t.TempDir(), ""
	dir := filepath.Join(outer, "public")
	for i, step := range []struct {
		forgotten string
		back      error
	}{
		{"", output.ErrNoPrevious}, // the first site
		{"", nil},
		{"1", output.ErrNoPrevious},
		{"1", nil},
		{"1", nil},
		{"2", output.ErrNoPrevious},
		{"2", nil},
		{"", output.ErrNoPrevious},
	} {
		site := disk.With(small, tree{"index.html": fmt.Sprint("site ", i)})
		publish(t, dir, site, output.Options{Inputs: output.Inputs{Forgotten: step.forgotten}})
		for name, content := range disk.Read(t, outer) {
			gone := strings.HasPrefix(content, "site ") && content != site["index.html"]
			if gone && step.forgotten != before {
				t.Errorf("step %d: %s stays", i, name)
			}
		}
		before = step.forgotten
		err := output.Rollback(dir)
		if !errors.Is(err, step.back) {
			t.Errorf("step %d: error %v, want %v", i, err, step.back)
		}
		if err == nil {
			rollback(t, dir)
		}
		checkContents(t, dir, site)
	}
}

// TestOldSites: of the sites that were, two stay, and share what is the same.
func TestOldSites(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "public")
	for _, n := range []string{"1", "2", "3", "4", "5", "6"} {
		publish(t, dir, disk.With(small, tree{"index.html": n}))
	}
	checkHidden(t, dir)
	picture, err := os.Stat(filepath.Join(dir, "media/a.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	for name, info := range all(t, outer) {
		if filepath.Base(name) == "a.jpg" && !os.SameFile(info, picture) {
			t.Errorf("%s is a copy", name)
		}
	}
}
