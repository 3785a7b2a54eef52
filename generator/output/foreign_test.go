package output_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

// TestForeignFilesWhileVerified: what the owner does to the published tree while
// the next one is being looked at is kept, too.
func TestForeignFilesWhileVerified(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	disk.Write(t, dir, "CNAME", "a")
	disk.Write(t, dir, "goes/y", "y")
	next := disk.With(small, tree{"index.html": "next"})
	publish(t, dir, next, output.Options{Verify: func(string) error {
		disk.Write(t, dir, ".well-known/acme/t22", "token")
		return os.RemoveAll(filepath.Join(dir, "goes"))
	}})
	checkContents(t, dir, disk.With(next, tree{".well-known/acme/t22": "token", "CNAME": "a"}))
	if manifest := read(t, dir, "manifest.sha256"); strings.Contains(manifest, "CNAME") {
		t.Errorf("a foreign file is in the manifest:\n%s", manifest)
	}
}
