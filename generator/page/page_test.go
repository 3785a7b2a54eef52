package page_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the whole site of the fixture with testdata/golden, which
// -update rewrites.
func TestGolden(t *testing.T) {
	const golden = "testdata/golden"
	rendered := newWorld(t, "tr").render(t)
	if *update {
		if err := os.RemoveAll(golden); err != nil {
			t.Fatal(err)
		}
		for name, data := range rendered.files {
			if strings.HasPrefix(name, "assets/") {
				continue
			}
			file := filepath.Join(golden, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
