package generator_test

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/server/newsroom"
)

// TestTakenOutOnPurpose: what the owner takes out goes, and leaves no trace of
// its name.
func TestTakenOutOnPurpose(t *testing.T) {
	t.Parallel()
	put := func(t *testing.T, p *press, tags ...string) {
		p.puts(t, newsroom.Item(archive.Article, "99000001", "Path", "/yasam/ali-veli/", "CreatedDate", "2025-01-01T00:00:00Z", "Tags", tags, "Writers", []any{map[string]string{"Fullname": "Ali Veli"}}))
	}
	for _, test := range []struct {
		name string
		take func(t *testing.T, p *press)
	}{
		{"its folder is excluded", func(t *testing.T, p *press) {
			p.config.Content.Exclude = []string{"/yasam/ali-veli/"}
			p.offline(t, nil)
		}},
		{"its only record is forgotten", func(t *testing.T, p *press) {
			p.mustForget(t, archive.Article, "99000001")
		}},
		{"its record is forgotten after it lost the tag", func(t *testing.T, p *press) {
			put(t, p)
			p.offline(t, nil)
			if _, there := treeOf(t, p.config.Output)["yazar/ali-veli/feed.xml"]; !there {
				t.Error("the feed of the writer is gone before")
			}
			p.mustForget(t, archive.Article, "99000001")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPress(t)
			p.puts(t, newsroom.Item(archive.Article, "99000002", "Path", "/yasam/"))
			put(t, p, "Ali Veli")
			p.offline(t, nil)
			if _, there := treeOf(t, p.config.Output)["yazar/ali-veli/feed.xml"]; !there {
				t.Fatal("the writer has no feed")
			}
			test.take(t, p)
			for name, text := range treeOf(t, p.config.Output) {
				if strings.Contains(name, "ali-veli") || bytes.Contains(text, []byte("ali-veli")) || bytes.Contains(text, []byte("Ali Veli")) {
					t.Errorf("%s names what was taken out", name)
				}
			}
			p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Version = true, "2" })
			if _, there := treeOf(t, p.config.Output)["yazar/ali-veli/feed.xml"]; there {
				t.Error("it comes back")
			}
			if strings.Contains(test.name, "forgotten") {
				noTrace(t, filepath.Dir(p.config.Archive), "ali-veli", "Ali Veli", "ali veli")
			}
		})
	}
}

// noTrace looks for texts in the files of an archive.
func noTrace(t *testing.T, dir string, texts ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		data, err := os.ReadFile(path.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				t.Errorf("%s holds %q", entry.Name(), text)
			}
		}
	}
}
