package output_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

// pages is a site of so many pages, and a home page.
func pages(n int) tree {
	site := tree{"index.html": "home"}
	for i := range n {
		site[fmt.Sprintf("a/%d.html", i)] = fmt.Sprint("page ", i)
	}
	return site
}

func TestGuards(t *testing.T) {
	scopes := []string{"1", "2"}
	withScope := func(i int) output.Options { return output.Options{Inputs: output.Inputs{Scope: scopes[i]}} }
	broken := pages(120)
	for i := range 11 {
		broken[fmt.Sprintf("a/%d.html", i)] = "!broken"
	}
	others := disk.With(pages(10), nil)
	for i := range 120 {
		others[fmt.Sprintf("%d.txt", i)] = "x"
	}
	for _, test := range []struct {
		name    string
		next    tree
		options output.Options
		want    error
	}{
		{"a tenth goes", pages(108), withScope(0), nil},
		{"more than a tenth goes", pages(107), withScope(0), output.ErrFewer},
		{"pages become other files", others, withScope(0), output.ErrFewer},
		{"all goes", tree{}, withScope(0), output.ErrFewer},
		{"of another scope", pages(10), withScope(1), nil},
		{"of another configuration", pages(10), output.Options{Inputs: output.Inputs{Scope: scopes[0], Config: "3"}}, output.ErrFewer},
		{"of another scope, begun anew", pages(10), output.Options{Inputs: output.Inputs{Scope: scopes[1]}, Anew: true}, output.ErrFewer},
		{"begun anew, a tenth goes", pages(108), output.Options{Inputs: output.Inputs{Scope: scopes[0]}, Anew: true}, nil},
		{"allowed", pages(10), output.Options{Inputs: output.Inputs{Scope: scopes[0]}, Fewer: true}, nil},
		{"begun anew, allowed", pages(10), output.Options{Inputs: output.Inputs{Scope: scopes[0]}, Fewer: true, Anew: true}, nil},
		{"home is missing", disk.With(pages(120), tree{"index.html": ""}), output.Options{Required: []string{"index.html"}}, output.ErrIncomplete},
		{"home is empty", disk.With(pages(120), tree{"index.html": "!"}), output.Options{Required: []string{"index.html"}}, nil}, // the old one stays
		{"what was never there is empty", tree{"index.html": "home", "empty.html": ""}, output.Options{Fewer: true, Required: []string{"empty.html"}}, output.ErrIncomplete},
		{"feed was never there", pages(120), output.Options{Required: []string{"index.html", "feed.xml"}}, output.ErrIncomplete},
		{"many pages fail", broken, withScope(0), output.ErrIncomplete},
		{"some pages fail", disk.With(broken, tree{"a/0.html": "fine"}), withScope(0), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			first := withScope(0)
			publish(t, dir, pages(120), first)
			age(t, dir)
			for range 2 {
				_, err := output.Publish(t.Context(), dir, files(test.next), test.options)
				if !errors.Is(err, test.want) {
					t.Fatalf("error %v, want %v", err, test.want)
				}
				if err != nil && len(touched(t, dir)) > 0 {
					t.Error("the published tree changed")
				}
			}
			if test.want != nil {
				checkContents(t, dir, pages(120))
			}
			next := disk.With(pages(120), tree{"index.html": "next"})
			publish(t, dir, next, output.Options{Fewer: true})
			checkContents(t, dir, next)
			checkHidden(t, dir)
		})
	}
}

// TestAssetsLinger: assets stay for one build that changes something, and
// then go; the manifest marks them.
func TestAssetsLinger(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	asset := func(n int) string { return fmt.Sprintf("assets/site.%d.css", n) }
	options := output.Options{Expiring: "assets/"}
	for n := range 5 {
		site := disk.With(small, tree{asset(n): "css", "index.html": fmt.Sprint("home ", n), fmt.Sprintf("%d.html", n): "page"})
		for range 2 { // the second time nothing changes
			publish(t, dir, site, options)
			want := site
			if n > 0 {
				want = disk.With(site, tree{asset(n - 1): "css"})
			}
			checkContents(t, dir, want)
			if manifest := read(t, dir, "manifest.sha256"); n > 0 && !strings.Contains(manifest, " *"+asset(n-1)) || !strings.Contains(manifest, "  "+asset(n)) {
				t.Errorf("the manifest:\n%s", manifest)
			}
		}
	}
	// An asset that comes back is one again.
	site := disk.With(small, tree{asset(3): "css"})
	for range 3 {
		publish(t, dir, site, options)
	}
	checkContents(t, dir, disk.With(site, tree{asset(4): "css"}))
}

func TestState(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	check := func(want output.State) {
		t.Helper()
		if want.Files > 0 {
			for _, content := range contents(t, dir) {
				want.Bytes += int64(len(content))
			}
		}
		if got, err := output.Published(dir); err != nil || got != want {
			t.Errorf("published: %v, %v, want %v", got, err, want)
		}
	}
	check(output.State{})
	publish(t, dir, small, output.Options{Inputs: output.Inputs{Key: "1", Config: "2", Scope: "5"}})
	check(output.State{Inputs: output.Inputs{Key: "1", Config: "2", Scope: "5"}, Files: 4})
	publish(t, dir, small, output.Options{Inputs: output.Inputs{Key: "3", Config: "2"}}) // nothing changed but the state
	check(output.State{Inputs: output.Inputs{Key: "3", Config: "2"}, Files: 4})
	publish(t, dir, disk.With(small, tree{"index.html": "!x"}), output.Options{Inputs: output.Inputs{Key: "4"}})
	check(output.State{Inputs: output.Inputs{Key: "4"}, Files: 3, Failed: 1})
	publish(t, dir, disk.With(small, tree{"index.html": "x"}), output.Options{Inputs: output.Inputs{Key: "4"}})
	check(output.State{Inputs: output.Inputs{Key: "4"}, Files: 4})
	if err := output.Rollback(dir); err != nil {
		t.Fatal(err)
	}
	check(output.State{Inputs: output.Inputs{Key: "4"}, Files: 3, Failed: 1})
	rollback(t, dir)
	check(output.State{Inputs: output.Inputs{Key: "4"}, Files: 4})
	for n := range byte(5) { // of sites that are gone nothing is kept
		publish(t, dir, disk.With(small, tree{"index.html": fmt.Sprint(n)}), output.Options{Inputs: output.Inputs{Key: fmt.Sprint(10 + n)}})
		if text := read(t, filepath.Dir(dir), ".public.ayna/state"); strings.Count(text, "tree ") > 3 {
			t.Errorf("after %d sites: %s", n, text)
		}
	}
}

// The site of an origin that is superseded may be replaced by one with far
// fewer pages, any other not.
func TestSuperseded(t *testing.T) {
	t.Parallel()
	large := pages(100)
	for _, test := range []struct {
		before, now string
		refused     bool
	}{
		{"sample", "news.example/", false}, {"sample", "sample", true}, {"news.example/", "sample", true}, {"news.example/", "other.example/", true}, {"", "news.example/", true},
	} {
		dir := filepath.Join(t.TempDir(), "public")
		publish(t, dir, large, output.Options{Inputs: output.Inputs{Origin: test.before}})
		if s, err := output.Published(dir); err != nil || s.Origin != test.before {
			t.Errorf("published: %+v, %v", s, err)
		}
		_, err := output.Publish(t.Context(), dir, files(small), output.Options{Inputs: output.Inputs{Origin: test.now}, Supersedes: "sample", Anew: true})
		if errors.Is(err, output.ErrFewer) != test.refused {
			t.Errorf("%q replaced by %q: %v", test.before, test.now, err)
		}
	}
}

// TestScopeAfterRollback: a site may have as few pages after a rollback as it
// might before.
func TestScopeAfterRollback(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	large := pages(100)
	put := func(tr tree, scope string) {
		publish(t, dir, tr, output.Options{Inputs: output.Inputs{Scope: scope, Key: scope}})
	}
	put(large, "1")
	put(small, "2")
	rollback(t, dir)
	put(small, "2")
	rollback(t, dir)
	if _, err := output.Publish(t.Context(), dir, files(small), output.Options{Inputs: output.Inputs{Scope: "1"}}); !errors.Is(err, output.ErrFewer) {
		t.Errorf("error %v", err)
	}
}
