package generator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// guard is a piece of the program that keeps something out, what it would be if it
// kept nothing out, and the tests that must then fail.
type guard struct {
	name     string
	file     string // of the module
	old, new string // what stands there once, and what takes its place
	tests    string // the package and the pattern of its tests
	always   bool   // tried at every run, not only under AYNA_LONG
}

// TestGuardsC07 takes guards out, one at a time, and sees that a test fails: no
// guard can go without being missed.
func TestGuardsC07(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range guards {
		t.Run(g.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, g.file))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte(g.old)); n != 1 {
				t.Fatalf("%s has %q %d times; the list of guards must name it as it is now", g.file, g.old, n)
			}
			if !g.always && os.Getenv("AYNA_LONG") == "" {
				return
			}
			without := bytes.Replace(text, []byte(g.old), []byte(g.new), 1)
			if out := g.try(t, root, without); !strings.Contains(out, "--- FAIL: ") {
				t.Errorf("%s with %q in the place of %q: no test of %q fails\n%.2000s", g.file, g.new, g.old, g.tests, out)
			}
		})
	}
}

// try runs the guard's tests with its file replaced, and returns what they say.
func (g guard) try(t *testing.T, root string, without []byte) string {
	t.Helper()
	dir := t.TempDir()
	replaced, overlay := filepath.Join(dir, filepath.Base(g.file)), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, g.file): replaced}})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{replaced: without, overlay: list} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	at, pattern, _ := strings.Cut(g.tests, " ")
	command := exec.CommandContext(ctx, "go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-timeout=4m", "-run", pattern, at)
	command.Dir = root
	out, _ := command.CombinedOutput() // that it fails is what is wanted
	return string(out)
}
