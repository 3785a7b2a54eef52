package generator_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/server/newsroom"
	"ayna/testrun"
)

func hour(h int) time.Time { return time.Date(2026, 11, 1, h, 0, 0, 0, time.UTC) }

// offline makes the site of what the archive holds now.
func (p *press) offline(t *testing.T, change func(*generator.Options)) {
	t.Helper()
	p.mustBuild(t, func(o *generator.Options) {
		o.Offline = true
		if change != nil {
			change(o)
		}
	})
}

// puts stores records that arrive after the first build.
func (p *press) puts(t *testing.T, records ...*archive.Record) {
	t.Helper()
	p.update(t, func(tx *archive.Tx) error {
		for _, r := range records {
			if r.Listed.IsZero() {
				r.Listed = hour(1)
			}
			if err := newsroom.Store(tx, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestDamagedRow: a part of the database that cannot be read keeps the rest of
// the site from nothing.
func TestDamagedRow(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.mustBuild(t, func(*generator.Options) {})
	first, _ := twoArticles(t, p.config.Archive)
	for i := range 160 { // some pages hold nothing else
		id := fmt.Sprintf("99000%03d", i)
		p.puts(t, newsroom.Fields(archive.Article, id, "Title", "Bozulacak", "Path", first.Path, "CreatedDate", "2025-01-01T00:00:00Z"))
	}
	p.mustBuild(t, func(o *generator.Options) { o.Offline = true })
	p.update(t, func(tx *archive.Tx) error { return tx.MarkGone(archive.Article, first.ID, hour(3)) })
	file, err := os.ReadFile(p.config.Archive)
	if err != nil {
		t.Fatal(err)
	}
	const tableLeaf = 13 // SQLite's file format, section 1.6
	size := int(file[16])<<8 | int(file[17])
	var page []byte // the one with most of them
	for at := 0; at < len(file); at += size {
		next := file[at : at+size]
		if next[0] == tableLeaf && bytes.Contains(next, []byte(`"Title":"Bozulacak`)) && bytes.Count(next, []byte("Bozulacak")) > bytes.Count(page, []byte("Bozulacak")) {
			page = next
		}
	}
	if page == nil {
		t.Fatal("no page holds the records")
	}
	for i := 5; i < 60; i++ {
		page[i] = 0xff
	}
	if err := os.WriteFile(p.config.Archive, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := p.build(t.Context(), func(o *generator.Options) { o.Offline = true }); err != nil {
		t.Errorf("the site is not published: %v", err)
	}
}

// TestLanguageTakesDirectories: a folder that has the name of something fixed
// in another language makes room for it, as does one that is gone.
func TestLanguageTakesDirectories(t *testing.T) {
	t.Parallel()
	p := newPress(t)
	p.config.Content.Include = []string{"/yasam/", "/search/", "/yasam/archive/", "/pages/"}
	p.puts(t, newsroom.Item(archive.Article, "990001", "Title", "Deneme", "Path", "/search/"))
	p.puts(t, newsroom.Item(archive.Article, "990002", "Title", "Deneme", "Path", "/yasam/archive/"))
	p.puts(t, newsroom.Item(archive.Article, "990003", "Title", "Deneme", "Path", "/pages/"))
	p.offline(t, nil)
	p.puts(t, newsroom.Item(archive.Article, "990003", "Title", "Deneme", "Path", "/yasam/"))
	for _, language := range []string{"en", "tr"} {
		p.config.Language = language
		p.offline(t, nil)
		tree := treeOf(t, p.config.Output)
		for _, name := range []string{"search/deneme-990001.html", "yasam/archive/deneme-990002.html", "pages/deneme-990003.html"} {
			if tree[name] == nil {
				t.Errorf("in %s there is no %s", language, name)
			}
		}
	}
}

// TestWriterComesToHaveID: whom items named without an id keeps the page and
// the feeds when there is a record; should both be there again, the record does.
func TestWriterComesToHaveID(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	item := func(id, writer string) *archive.Record {
		return newsroom.Item(archive.Article, id, "Path", "/yasam/", "Writers", []any{map[string]string{"Id": writer, "Fullname": "Zeki Alp"}})
	}
	has := func(when, name string, want bool) {
		t.Helper()
		if _, err := os.Stat(filepath.Join(p.config.Output, "yazar", name, "feed.xml")); (err == nil) != want {
			t.Errorf("%s: yazar/%s is there: %v", when, name, !want)
		}
	}
	p.puts(t, item("990001", ""))
	p.offline(t, nil)
	has("by name", "zeki-alp", true)
	p.puts(t, newsroom.Fields(archive.Writer, "w77", "Fullname", "Zeki Alp"))
	p.offline(t, nil)
	has("by id", "zeki-alp", true)
	has("by id", "zeki-alp-w77", false)
	p.puts(t, newsroom.Fields(archive.Writer, "w78", "Fullname", "Zeki Alp"))
	p.puts(t, item("990002", "w77"))
	p.offline(t, nil)
	p.checkFromNothing(t)
	has("namesakes", "zeki-alp", true)
	has("namesakes", "zeki-alp-w78", true)
}
