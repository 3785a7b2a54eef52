package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCopiesTheTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "to")
	want := map[string]string{"index.html": "home", "spor/index.html": "", "spor/futbol/a.html": "ğ", "spor/futbol/b.html": "b"}
	for name, text := range want {
		name = filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-jobs", "3", from, to}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	written, err := load(to)
	if err != nil {
		t.Fatal(err)
	}
	if len(written.files) != len(want) {
		t.Errorf("%d files, want %d", len(written.files), len(want))
	}
	for _, f := range written.files {
		if text, ok := want[f.name]; !ok || text != string(f.data) {
			t.Errorf("%s holds %q, want %q", f.name, f.data, text)
		}
	}
	if code := run([]string{from, to}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), to) {
		t.Errorf("over a tree that is there: exit code %d, %s; want 1 and its name", code, &stderr)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"one"}, {"one", "two", "three"}, {"-jobs", "0", "one", "two"}, {"-unknown"}} {
		var stdout, stderr bytes.Buffer
		if code := run(args, &stdout, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("%q: exit code %d, want 2 and a word on stderr", args, code)
		}
	}
}
