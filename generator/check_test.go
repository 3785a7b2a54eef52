package generator_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/record"
	"ayna/server"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A flipped bit of the archive is found before anything is made of it, or it
// changes nothing that the site shows or the Read API answers.
func TestFlippedBitsInTheArchive(t *testing.T) {
	testrun.NeedsSlow(t, "checks an archive many times")
	t.Parallel()
	flips := testrun.Counts{Slow: 12, Long: 1000}.Now()
	p := newPress(t)
	p.config.Media = "mirror"
	p.mustBuild(t, func(o *generator.Options) {})
	whole, err := os.ReadFile(p.config.Archive)
	if err != nil {
		t.Fatal(err)
	}
	site, answers := treeOf(t, p.config.Output), answersOf(t, p.config.Archive)
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for n := range flips {
		bit := random.IntN(8 * len(whole))
		dir := filepath.Join(p.dir, fmt.Sprint("flip-", n))
		damaged := filepath.Join(dir, "archive.db")
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(damaged, flip(whole, bit), 0o644),
			os.Symlink(filepath.Join(p.dir, "whole", "media"), filepath.Join(dir, "media"))); err != nil {
			t.Fatal(err)
		}
		_, err := p.build(t.Context(), func(o *generator.Options) {
			o.Config.Archive, o.Config.Output = damaged, filepath.Join(dir, "public")
			o.Offline, o.Check = true, true
		})
		if err != nil {
			found++
			if _, err := os.Stat(filepath.Join(dir, "public")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("bit %d: it was found, and yet a site was published: %v", bit, err)
			}
		} else {
			sameFiles(t, fmt.Sprintf("bit %d of the archive was not found", bit), site, treeOf(t, filepath.Join(dir, "public")))
			sameFiles(t, fmt.Sprintf("bit %d of the archive was not found, answers", bit), answers, answersOf(t, damaged))
		}
		os.RemoveAll(dir)
	}
	t.Logf("%d flips, %d found, the others harmless", flips, found)
	if found < flips/4 {
		t.Errorf("only %d of %d flips were found: nothing was tested", found, flips)
	}
}

// TestDamagedRow: a part of the database that cannot be read keeps the rest of
// the site from nothing.
func TestDamagedRow(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.mustBuild(t, func(*generator.Options) {})
	first, _ := twoArticles(t, p.config.Archive)
	update(t, p.config.Archive, func(tx *archive.Tx) error {
		for i := range 160 { // some pages hold nothing else
			id := fmt.Sprintf("99000%03d", i)
			r := fakepaper.Fields(record.Article, id, "Title", "Bozulacak", "Path", first.Path, "CreatedDate", "2025-01-01T00:00:00Z")
			if err := fakepaper.Store(tx, r); err != nil {
				return err
			}
		}
		return nil
	})
	p.offline(t)
	update(t, p.config.Archive, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, first.ID, fakepaper.Noon) })
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

// flip returns a copy of content with one bit flipped.
func flip(content []byte, bit int) []byte {
	damaged := bytes.Clone(content)
	damaged[bit/8] ^= 1 << (bit % 8)
	return damaged
}

// answersOf asks the Read API over an archive all sorts of things.
func answersOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	a := fakepaper.Read(t, path)
	defer a.Close()
	handler := server.New(a, server.Options{Now: func() time.Time { return time.Unix(0, 0) }})
	answers := make(map[string][]byte)
	ask := func(address string) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		answers[address] = fmt.Appendf(nil, "%d %s", w.Code, w.Body)
	}
	for _, group := range []string{"articles", "columns", "newsphotogalleries", "newsvideos", "pages", "writers", "paths"} {
		for skip := 0; skip < 200; skip += 50 {
			ask(fmt.Sprintf("/v1/%s?$skip=%d", group, skip))
		}
	}
	for _, words := range []string{"zeytin", "kar", "be", "yeni%20ka", "istanbul", "liman"} {
		ask("/v1/search/" + words)
	}
	for r, err := range a.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		single, err := a.Reader().Single(t.Context(), r.Kind, r.ID)
		if err != nil {
			single = new(archive.Record)
		}
		answers[string(r.Kind)+"/"+r.ID] = fmt.Appendf(nil, "%s %v", single.Single, err)
	}
	return answers
}
