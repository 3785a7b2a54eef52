package generator_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator"
	"ayna/server/newsroom"
	"ayna/testrun"
)

// TestEmptiedLists: lists that the source empties stay at their addresses as
// empty ones, with the same ids, and come back as they were. Nothing leads to
// them meanwhile.
func TestEmptiedLists(t *testing.T) {
	t.Parallel()
	p := newPress(t)
	p.config.Media, p.config.Content.Removed = "link", "drop"
	const path = "/yasam/gelip-gecici/"
	var records []*archive.Record
	put := func(kind archive.Kind, id string, fields ...any) {
		records = append(records, newsroom.With(newsroom.Item(kind, id, "Path", "/yasam/", "Tags", []string{}, "CreatedDate", "2025-01-01T00:00:00Z"), fields...))
	}
	before := func() {
		records = nil
		for _, id := range []string{"99000001", "99000005", "99000006"} { // as many as a tag with feeds has
			put(archive.Article, id, "Tags", []string{"Gelip Geçici"})
		}
		put(archive.Article, "99000002", "Path", path)
		put(archive.Column, "99000003", "CreatedDate", "2019-05-01T00:00:00Z", "Fullname", "Gelip Geçici")
		put(archive.Page, "99000004", "Title", "Gelip Geçici")
		for i := range 31 { // more than a feed holds
			put(archive.Article, fmt.Sprint(99002000+i), "Path", path)
		}
		for i := range 120 { // two pages of a tag, and a third in part
			put(archive.Article, fmt.Sprint(99001000+i), "Tags", []string{"Uzun"})
		}
		p.puts(t, records...)
	}
	before()
	p.offline(t, nil)
	first := treeOf(t, p.config.Output)
	lists := []string{
		"etiket/gelip-gecici/index.html", "etiket/gelip-gecici/feed.xml",
		"yasam/gelip-gecici/index.html", "yasam/gelip-gecici/feed.xml", "yasam/gelip-gecici/atom.xml", "yasam/gelip-gecici/arsiv/index.html",
		"yasam/gelip-gecici/arsiv/2025-01.html", "yasam/gelip-gecici/arsiv/2025-01.atom.xml",
		"yazar/gelip-gecici/index.html", "yazar/gelip-gecici/feed.json", "sayfa/gelip-gecici-99000004/index.html", "sayfa/gelip-gecici-99000004/atom.xml",
		"yasam/arsiv/2019-05.html", "yasam/arsiv/2019-05.atom.xml", "arsiv/2019-05.html", "arsiv/2019-05.atom.xml", "etiket/uzun/page/1.html",
	}
	for _, name := range lists {
		if first[name] == nil {
			t.Fatalf("%s is not there at first: %q", name, slices.DeleteFunc(sortedNames(first), func(n string) bool { return !strings.Contains(n, "gelip") }))
		}
	}
	empty := func() {
		records = nil
		for _, id := range []string{"99000001", "99000005", "99000006"} {
			put(archive.Article, id)
		}
		p.puts(t, records...)
		p.update(t, func(tx *archive.Tx) error {
			for _, gone := range []struct {
				kind archive.Kind
				id   string
			}{{archive.Article, "99000002"}, {archive.Column, "99000003"}, {archive.Page, "99000004"}} {
				if err := tx.MarkGone(gone.kind, gone.id, hour(3)); err != nil {
					return err
				}
			}
			for i := range 31 {
				if err := tx.MarkGone(archive.Article, fmt.Sprint(99002000+i), hour(3)); err != nil {
					return err
				}
			}
			for i := 60; i < 120; i++ {
				if err := tx.MarkGone(archive.Article, fmt.Sprint(99001000+i), hour(3)); err != nil {
					return err
				}
			}
			return nil
		})
		p.offline(t, func(o *generator.Options) { o.AllowDelete, o.Check = 100, true })
	}
	for round := range (testrun.Counts{Plain: 1, Long: 2}).Now() {
		empty()
		now := treeOf(t, p.config.Output)
		for _, name := range lists {
			text, there := now[name]
			if !there {
				t.Errorf("round %d: %s is gone", round, name)
				continue
			}
			if strings.HasSuffix(name, ".html") && !bytes.Contains(text, []byte("Şu anda burada gösterilecek bir şey yok.")) {
				t.Errorf("round %d: %s is not empty", round, name)
			}
			if was, is := feedIDs(first[name]), feedIDs(text); len(was) > 1 && !strings.HasSuffix(name, "feed.xml") && (len(is) != 1 || is[0] != was[0]) {
				t.Errorf("round %d: ids of %s are %q, were %q", round, name, is, was)
			}
		}
		for name, text := range now {
			if bytes.Contains(text, []byte("gelip-gecici")) && !strings.Contains(name, "gelip-gecici") && !strings.HasPrefix(name, "manifest") && !strings.HasPrefix(name, ".ayna") {
				t.Errorf("round %d: %s names an empty list", round, name)
			}
		}
		for _, name := range []string{"arsiv/index.html", "sitemap.xml", "arsiv/2025-01.html"} {
			if bytes.Contains(now[name], []byte("2019-05")) {
				t.Errorf("round %d: %s names an empty month", round, name)
			}
		}

		before()
		p.offline(t, func(o *generator.Options) { o.Check = true })
		now = treeOf(t, p.config.Output)
		if was, is := slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(now)); !slices.Equal(was, is) {
			t.Errorf("round %d: %d files after all came back, were %d", round, len(is), len(was))
		}
		for _, name := range lists {
			if was, is := feedIDs(first[name]), feedIDs(now[name]); !slices.Equal(was, is) {
				t.Errorf("round %d: ids of %s are %q, were %q", round, name, is, was)
			}
		}
	}
}

var anyID = regexp.MustCompile(`tag:ayna\.example,[0-9-]+:[^<"]+`)

// feedIDs returns the ids in a feed; RSS has none of its own.
func feedIDs(text []byte) []string { return anyID.FindAllString(string(text), -1) }

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
			p.config.Media = "link"
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
