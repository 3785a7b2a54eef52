package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"ayna/generator/config"
)

func TestCheckPlaces(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, folder := range []string{"real", ".ayna/media"} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".", filepath.Join(dir, "self")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, test := range []struct {
		output string
		ok     bool
	}{
		{"public", true}, {"real", true}, {filepath.Join(dir, "public"), true}, {"real/../public", true}, {"../elsewhere", true},
		{"/", false}, {"//", false}, {".", false}, {"..", false}, {dir, false}, {"file", false}, {"self", false},
		{".ayna", false}, {".ayna/media", false}, {".ayna/media/x", false}, {".ayna/public", true}, {".ayna2", true},
	} {
		c := &config.Config{Output: test.output, Archive: ".ayna/archive.db"}
		if err := c.CheckPlaces("site.yaml"); (err == nil) != test.ok {
			t.Errorf("output %q: %v", test.output, err)
		}
	}
}
