//go:build unix

package export_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pack ends at a published file that has become a pipe or a link.
func TestPacksRegularFiles(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(string) error{
		"a pipe": func(name string) error { return syscall.Mkfifo(name, 0o600) },
		"a link": func(name string) error { return os.Symlink("index.html", name) },
	} {
		c := fewRecords(t)
		page := filepath.Join(c.Output, "404.html")
		if err := os.Remove(page); err != nil {
			t.Fatal(err)
		}
		if err := put(page); err != nil {
			t.Fatal(err)
		}
		if err := siteOf(c).Zip(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "404.html: it is not a regular file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
