package swap_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/generator/swap"
	"ayna/testrun/disk"
)

type tree = disk.Tree

var (
	first  = tree{"index.html": "1", "spor/index.html": "spor", "a.html": "a"}
	second = tree{"index.html": "2", "spor/index.html": "spor", "b.html": "b"}
	third  = tree{"index.html": "3", "new/deep/index.html": "new"}
)

// stage makes a tree of the hidden directory, with the owner's files of the
// published one. Its identity lists the paths.
func stage(t testing.TB, p *swap.Target, name string, tr tree) error {
	t.Helper()
	to, err := p.NewTree(name)
	if err != nil {
		return err
	}
	defer to.Close()
	files, err := swap.NewCreator(to)
	if err != nil {
		return err
	}
	defer files.Close()
	var identity strings.Builder
	for _, file := range slices.Sorted(maps.Keys(tr)) {
		fmt.Fprintf(&identity, "%q  %s\n", tr[file], file)
		if err := files.Create(file, []byte(tr[file])); err != nil {
			return err
		}
	}
	if err := files.Create(swap.Identity, []byte(identity.String())); err != nil {
		return err
	}
	published, err := p.Tree(swap.Published)
	if err != nil {
		return err
	}
	if published != nil {
		defer published.Close()
		before, _ := published.ReadFile(swap.Identity)
		_, err := swap.CopyForeign(published, to, func(file string) bool {
			_, next := tr[file]
			return next || strings.Contains(string(before), "  "+file+"\n")
		})
		if err != nil {
			return err
		}
	}
	return swap.SyncTree(to)
}

func publish(t testing.TB, dir string, tr tree) error {
	t.Helper()
	p, err := swap.Open(dir)
	if err != nil {
		return err
	}
	if err = stage(t, p, swap.Stage, tr); err == nil {
		err = p.Publish(swap.Stage, "")
	}
	return errors.Join(err, p.Close())
}

func mustPublish(t testing.TB, dir string, trees ...tree) {
	t.Helper()
	for _, tr := range trees {
		must(t, publish(t, dir, tr))
	}
}

// mustOpen opens a target until the end of the test.
func mustOpen(t testing.TB, dir string) *swap.Target {
	t.Helper()
	p, err := swap.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, p.Close()) })
	return p
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// contents returns what is at dir, but for the identity.
func contents(t testing.TB, dir string) tree {
	t.Helper()
	found := disk.Read(t, dir)
	delete(found, swap.Identity)
	return found
}

func check(t testing.TB, dir string, want tree) {
	t.Helper()
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("%s holds %q, want %q", filepath.Base(dir), got, want)
	}
}

func hidden(dir string) string {
	return filepath.Join(filepath.Dir(dir), swap.HiddenName(filepath.Base(dir)))
}

func root(t *testing.T, dir string) *os.Root {
	t.Helper()
	r, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

// TestPostdate: new bytes are of a later second than those they replace.
func TestPostdate(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	now := time.Now()
	for _, test := range []struct {
		name             string
		before           time.Duration // of the replaced file, from now
		least, most      time.Duration
		replacesNothing  bool
		stampBeforehand  time.Time
		keepsItsOwnStamp bool
	}{
		{name: "older", before: -time.Hour, keepsItsOwnStamp: true, stampBeforehand: now},
		{name: "of the same second", before: 0, least: time.Millisecond, most: 3 * time.Second, stampBeforehand: now},
		{name: "of the future", before: time.Hour, least: time.Hour + time.Millisecond, most: time.Hour + 3*time.Second, stampBeforehand: now},
		{name: "an older file comes back", before: -time.Hour, least: -time.Second, most: time.Minute, stampBeforehand: now.Add(-2 * time.Hour)},
		{name: "nothing is replaced", replacesNothing: true, keepsItsOwnStamp: true, stampBeforehand: now.Add(-2 * time.Hour)},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := strings.ReplaceAll(test.name, " ", "-")
			disk.Write(t, to, file, "new")
			must(t, os.Chtimes(filepath.Join(to, file), test.stampBeforehand, test.stampBeforehand))
			if !test.replacesNothing {
				disk.Write(t, from, file, "old")
				must(t, os.Chtimes(filepath.Join(from, file), now.Add(test.before), now.Add(test.before)))
			}
			must(t, swap.Postdate(root(t, from), root(t, to), file, test.stampBeforehand))
			info, err := os.Stat(filepath.Join(to, file))
			must(t, err)
			got := info.ModTime()
			if test.keepsItsOwnStamp {
				if !got.Equal(test.stampBeforehand) {
					t.Errorf("its time stamp is %v", got)
				}
				return
			}
			if d := got.Sub(now); d < test.least || d > test.most || got.Unix() <= now.Add(test.before).Unix() {
				t.Errorf("%v from now", d)
			}
		})
	}
}

// TestCreateStaysInTree: a link on the way to a new file leads to no other place.
func TestCreateStaysInTree(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(dir, "spor")))
	files, err := swap.NewCreator(root(t, dir))
	must(t, err)
	defer files.Close()
	if err := files.Create("spor/index.html", []byte("spor")); err == nil {
		t.Error("a file was created behind a link")
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) > 0 {
		t.Errorf("outside: %v %v", entries, err)
	}
}
