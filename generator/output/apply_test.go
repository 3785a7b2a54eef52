//go:build linux

package output_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

// What the owner has in siteB, and changes before siteC.
var (
	ownersB = tree{"CNAME": "mine", ".well-known/x": "x", "folder1/goes\xff": "y", "folder2/replaced": "1", "alone/z": "z"}
	ownersC = tree{"CNAME": "mine", ".well-known/x": "x", "folder1/comes\n": "y", "folder2/replaced": "2", "alone/": "", "folder3/was.html": "mine"}
)

// own puts the owner's files into a tree, as long ago.
func own(t testing.TB, dir string, before, now tree) {
	t.Helper()
	for name, content := range before {
		if now[name] != content {
			os.Remove(filepath.Join(dir, name))
		}
	}
	for name, content := range now {
		if before[name] != content && !strings.HasSuffix(name, "/") {
			disk.Write(t, dir, name+".new", content)
			if err := os.Rename(filepath.Join(dir, name+".new"), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, files := range []tree{before, now} {
		for name := range files {
			if err := os.Chtimes(filepath.Dir(filepath.Join(dir, name)), past, past); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// prepare makes a target at which siteC can be applied: siteA is the previous tree, siteB the
// published one.
func prepare(t testing.TB, dir string, options ...output.Options) {
	t.Helper()
	publish(t, dir, siteA, options...)
	own(t, dir, nil, ownersB)
	publish(t, dir, siteB, options...)
	own(t, dir, ownersB, ownersC)
}

func withOwners(site, owners tree) tree {
	all := maps.Clone(owners)
	maps.Copy(all, site)
	return all
}

// isApplied publishes a site, and reports whether it changed the previous tree for that.
func isApplied(t testing.TB, dir string, site tree, options ...output.Options) bool {
	t.Helper()
	before, err := os.Stat(previousOf(dir))
	publish(t, dir, site, options...)
	after, err2 := os.Stat(dir)
	return err == nil && err2 == nil && os.SameFile(before, after)
}

func TestApply(t *testing.T) {
	hiddenFile := func(dir, name string) string { return filepath.Join(filepath.Dir(previousOf(dir)), name) }
	flip := func(at int) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			content, err := os.ReadFile(hiddenFile(dir, "delta"))
			if err != nil {
				t.Fatal(err)
			}
			content[(at+len(content))%len(content)] ^= 4
			disk.Write(t, filepath.Dir(previousOf(dir)), "delta", string(content))
		}
	}
	inTheWay := tree{"fresh": "of the owner's"}
	for _, test := range []struct {
		name    string
		change  func(t *testing.T, dir string)
		applied bool
		extra   tree // of the owner's
	}{
		{"as it is", func(*testing.T, string) {}, true, nil},
		{"no delta", func(t *testing.T, dir string) { os.Remove(hiddenFile(dir, "delta")) }, false, nil},
		{"a delta that is cut off", func(t *testing.T, dir string) { os.Truncate(hiddenFile(dir, "delta"), 200) }, false, nil},
		{"another program's delta", func(t *testing.T, dir string) {
			disk.Write(t, filepath.Dir(previousOf(dir)), "delta", "format 2 x\n")
		}, false, nil},
		{"a bit of the head", flip(3), false, nil},
		{"a bit of the digest", flip(20), false, nil},
		{"a bit of the body", flip(-7), false, nil},
		{"a rollback", func(t *testing.T, dir string) { rollback(t, dir) }, false, tree{"folder3/was.html": ""}},
		{"two rollbacks", func(t *testing.T, dir string) { rollback(t, dir); rollback(t, dir) }, false, nil},
		{"no previous tree", func(t *testing.T, dir string) { os.RemoveAll(previousOf(dir)) }, false, nil},
		{"a file of the previous tree is lost", func(t *testing.T, dir string) { os.Remove(filepath.Join(previousOf(dir), "folder4/4.html")) }, false, nil},
		{"a published file is lost", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "folder4/4.html")) }, true, nil},
		{"the owner edits in place", func(t *testing.T, dir string) { disk.Write(t, dir, "CNAME", "edited") }, true, tree{"CNAME": "edited"}},
		{"the owner adds a folder", func(t *testing.T, dir string) { disk.Write(t, dir, "own/x/y", "y") }, false, tree{"own/x/y": "y"}},
		{"the owner removes a folder", func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, ".well-known")) }, false, tree{".well-known/x": ""}},
		{"the owner closes a folder", func(t *testing.T, dir string) {
			t.Cleanup(func() { // for the removal of both trees
				closed, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*", "*", "folder1"))
				for _, folder := range append(closed, filepath.Join(dir, "folder1")) {
					os.Chmod(folder, 0o755)
				}
			})
			os.Chmod(filepath.Join(dir, "folder1"), 0o555)
		}, false, nil},
		{"the owner links a folder", func(t *testing.T, dir string) { os.Symlink("/etc", filepath.Join(dir, "fresh")) }, false, inTheWay},
		{"a file for a folder", func(t *testing.T, dir string) { disk.Write(t, dir, "fresh", "mine") }, false, inTheWay},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			prepare(t, dir)
			test.change(t, dir)
			if test.extra["fresh"] != "" {
				if _, err := output.Publish(t.Context(), dir, files(siteC), output.Options{}); err == nil || !strings.Contains(err.Error(), "move it away") {
					t.Errorf("error %v", err)
				}
				return
			}
			if applied := isApplied(t, dir, siteC); applied != test.applied {
				t.Errorf("the previous tree was changed: %t, want %t", applied, test.applied)
			}
			want := withOwners(siteC, disk.With(ownersC, test.extra))
			checkContents(t, dir, want)
			checkHidden(t, dir)
			publish(t, dir, siteB)
			publish(t, dir, siteA)
			checkContents(t, dir, withOwners(siteA, disk.With(ownersC, test.extra)))
		})
	}
}

// TestApplyIsUsual: builds in turn change the two trees, whatever the order of sites, and a build
// with a check does not.
func TestApplyIsUsual(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, siteA)
	publish(t, dir, siteB)
	verify := output.Options{Verify: func(string) error { return nil }}
	for i, step := range []struct {
		site    tree
		options output.Options
		applied bool
	}{
		{siteC, output.Options{}, true}, {siteA, output.Options{}, true}, {siteB, output.Options{}, true}, {siteC, output.Options{}, true},
		{siteA, verify, false}, {siteC, output.Options{}, true}, {siteC, output.Options{}, false},
		{siteB, output.Options{Expiring: "assets/"}, true}, {siteA, output.Options{Expiring: "assets/"}, true}, {siteB, output.Options{Expiring: "assets/"}, true},
		{siteC, output.Options{Inputs: output.Inputs{Forgotten: "1"}}, true}, {siteA, output.Options{Inputs: output.Inputs{Forgotten: "1"}}, false},
		{siteB, output.Options{Inputs: output.Inputs{Forgotten: "1"}}, true},
	} {
		if applied := isApplied(t, dir, step.site, step.options); applied != step.applied {
			t.Errorf("step %d: applied %t", i, applied)
		}
		want := step.site
		if i == 9 {
			want = disk.With(want, tree{"assets/old.css": "old"}) // expired
		}
		checkContents(t, dir, want)
		if _, err := os.Stat(previousOf(dir)); err == nil {
			checkManifest(t, previousOf(dir))
		} else if _, err := os.Stat(filepath.Join(previousOf(dir), "../delta")); err == nil {
			t.Errorf("step %d: the delta names files of the tree that was removed", i)
		}
	}
}

// TestKnownSizes: after a second build, sizes are looked up where a file has come, gone or been
// replaced, and everywhere when all files are rendered.
func TestKnownSizes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	k := &keyed{tree: tree{"a/1.html": "1", "a/2.html": "2", "b/1.html": "1"}}
	k.publish(t, dir, output.Options{})
	k.tree["b/2.html"] = "2"
	k.publish(t, dir, output.Options{})
	if err := os.Remove(filepath.Join(dir, "a/1.html")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/2.html", "b/1.html"} {
		if err := os.Truncate(filepath.Join(dir, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := k.publish(t, dir, output.Options{}); got != "a/1.html a/2.html" {
		t.Errorf("rendered %s", got)
	}
	k.publish(t, dir, output.Options{All: true})
	checkContents(t, dir, k.tree)
}
