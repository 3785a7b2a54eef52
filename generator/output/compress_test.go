package output_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

func TestCompress(t *testing.T) {
	site := disk.With(small, tree{"index.html": strings.Repeat("home ", 1000), "site.css": "p{}", "feed.xml": "<rss/>"})
	both := output.Options{Jobs: 2, Compress: []string{"gzip", "zstd"}}
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, site, both)
	checkCompressed(t, dir, site, ".gz", ".zst")
	manifest := read(t, dir, "manifest.sha256")
	if !strings.Contains(manifest, "  index.html.gz\n") || !strings.Contains(manifest, "  index.html.zst\n") {
		t.Error("compressed files are not in the manifest")
	}
	age(t, dir)
	publish(t, dir, site, both)
	if again := touched(t, dir); len(again) > 0 {
		t.Errorf("the same site wrote %v", again)
	}
	next := disk.With(site, tree{"site.css": "a{}"})
	publish(t, dir, next, both)
	checkCompressed(t, dir, next, ".gz", ".zst")
	publish(t, dir, next, output.Options{Compress: []string{"gzip"}})
	checkCompressed(t, dir, next, ".gz")
	publish(t, dir, next, both)
	checkCompressed(t, dir, next, ".gz", ".zst")
	publish(t, dir, next, output.Options{})
	checkContents(t, dir, next)
}

// checkCompressed compares a tree with a site, every text of which has
// compressed forms.
func checkCompressed(t *testing.T, dir string, site tree, suffixes ...string) {
	t.Helper()
	got := contents(t, dir)
	for name, content := range site {
		if got[name] != content {
			t.Errorf("%s differs", name)
		}
		delete(got, name)
		for _, suffix := range suffixes {
			if filepath.Ext(name) == ".jpg" {
				continue
			}
			if unpacked := unpack(t, suffix, got[name+suffix]); unpacked != content {
				t.Errorf("%s holds %q", name+suffix, unpacked)
			}
			delete(got, name+suffix)
		}
	}
	for name := range got {
		t.Errorf("%s should not be there", name)
	}
}

func unpack(t *testing.T, suffix, packed string) string {
	var r io.Reader
	var err error
	switch suffix {
	case ".gz":
		r, err = gzip.NewReader(strings.NewReader(packed))
	case ".zst":
		r, err = zstd.NewReader(strings.NewReader(packed))
	}
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestCompressedNameTaken: a site that has a file of that name itself is
// refused.
func TestCompressedNameTaken(t *testing.T) {
	_, err := output.Publish(t.Context(), filepath.Join(t.TempDir(), "public"), files(tree{"a.html": "a", "a.html.gz": "b"}), output.Options{Compress: []string{"gzip"}})
	if err == nil || !strings.Contains(err.Error(), "a.html.gz") {
		t.Errorf("error %v", err)
	}
}
