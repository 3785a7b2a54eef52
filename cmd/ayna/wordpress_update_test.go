package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A WordPress that is updated from 6.1 to 6.5 gives the same records: the mirror writes no
// file and keeps no earlier version.
func TestWordPressUpdate(t *testing.T) {
	openWordPress(t) // so that it is skipped where the other tests of WordPress are
	w := &wordPress{dir: t.TempDir()}
	script := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(filepath.Join("..", "..", ".ci", "wordpress", name), append([]string{w.dir}, args...)...)
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	script("start", "/%category%/%postname%/", "6.1")
	defer script("stop")
	address, err := os.ReadFile(filepath.Join(w.dir, "address"))
	if err != nil {
		t.Fatal(err)
	}
	w.address = strings.TrimSpace(string(address))
	p := w.mirror(t)
	w.build(t, p)
	w.checkPosts(t, p)
	before := p.tree(t, "public")
	if out := script("update"); !strings.Contains(out, "6.5") {
		t.Fatalf("the update ended with %s", out)
	}
	for _, arg := range []string{"--quiet", "--full"} {
		w.build(t, p, arg)
		if after := p.tree(t, "public"); !maps.Equal(before, after) || p.revisions(t) > 0 {
			t.Errorf("%s: the site has changed, and there are %d earlier versions", arg, p.revisions(t))
			compareTrees(t, after, before)
		}
	}
}
