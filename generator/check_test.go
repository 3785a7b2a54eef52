package generator_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/server"
	"ayna/server/newsroom"
	"ayna/testrun"
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

// A check by another program than the one that built the site finds damage, too,
// before anything is written anew.
func TestDamageUnderAnotherProgram(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.mustBuild(t, func(o *generator.Options) {})
	site := treeOf(t, p.config.Output)
	verify := func(o *generator.Options) { o.Offline, o.Check, o.Version = true, true, "2" }
	name := filepath.Join(p.config.Output, "index.html")
	if err := errors.Join(os.Remove(name), os.WriteFile(name, flip(site["index.html"], 800), 0o644)); err != nil {
		t.Fatal(err)
	}
	report, err := p.build(t.Context(), verify)
	if !errors.Is(err, generator.ErrCheck) || len(report.Check.Site) != 1 || !strings.HasPrefix(report.Check.Site[0], "index.html: its bytes") {
		t.Fatalf("%v, %+v, want the damaged page", err, report.Check)
	}
	p.mustBuild(t, verify)
	if now, err := os.ReadFile(name); err != nil || !bytes.Equal(now, site["index.html"]) {
		t.Errorf("the page was not mended: %v", err)
	}
}

// What the check finds is named, is not published, and is had again from the
// source.
func TestDamageIsMended(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	p := newPress(t)
	p.config.Media = "mirror"
	if report := p.mustBuild(t, func(o *generator.Options) {}); report.Sizes != nil {
		t.Errorf("sizes of no widths: %+v", report.Sizes)
	}
	site := treeOf(t, p.config.Output)
	spoilJSON(t, p.config.Archive)
	pictures, err := filepath.Glob(filepath.Join(filepath.Dir(p.config.Archive), "media", "*.jpg"))
	if err != nil || len(pictures) < 2 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	content, err := os.ReadFile(pictures[0])
	if err := errors.Join(err, os.Remove(pictures[0]), os.WriteFile(pictures[0], flip(content, 8*len(content)/2), 0o644), os.Remove(pictures[1])); err != nil {
		t.Fatal(err)
	}
	report, err := p.build(t.Context(), func(o *generator.Options) { o.Offline, o.Check = true, true })
	found := strings.Join(report.Check.Archive, "\n")
	for _, text := range []string{"its JSON is not what arrived", "its bytes do not have the digest in its name", "the file is missing"} {
		if !errors.Is(err, generator.ErrCheck) || !strings.Contains(found, text) {
			t.Fatalf("%v, %s, want something with %q", err, found, text)
		}
	}
	sameFiles(t, "after the check", site, treeOf(t, p.config.Output))
	p.mustBuild(t, func(o *generator.Options) { o.Full = true })
	p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Check = true, true })
	now := treeOf(t, p.config.Output)
	for name, content := range site {
		if strings.HasSuffix(name, ".html") && !bytes.Equal(content, now[name]) {
			t.Errorf("%s is another than before", name)
		}
	}
}

// spoilJSON changes one letter of a record's text behind the archive's back.
func spoilJSON(t *testing.T, path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.Exec(`UPDATE raw SET single = replace(single, ' ve ', ' va ') WHERE row =
		(SELECT row FROM raw JOIN record USING (row) WHERE kind = 'article' AND single LIKE '% ve %' ORDER BY row LIMIT 1)`)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("%d records spoilt, %v", n, err)
	}
}

// flip returns a copy of content with one bit flipped.
func flip(content []byte, bit int) []byte {
	damaged := bytes.Clone(content)
	damaged[bit/8] ^= 1 << (bit % 8)
	return damaged
}

func treeOf(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	tree := make(map[string][]byte)
	fsys := os.DirFS(dir)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		tree[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// answersOf asks the Read API over an archive all sorts of things.
func answersOf(t *testing.T, path string) map[string][]byte {
	t.Helper()
	a := newsroom.Read(t, path)
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

// sameFiles compares what has the same names.
func sameFiles(t *testing.T, what string, a, b map[string][]byte) {
	t.Helper()
	if len(a) < 50 {
		t.Fatalf("%s: only %d files", what, len(a))
	}
	for name, content := range a {
		if other, ok := b[name]; !ok || !bytes.Equal(content, other) {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s: %s is new", what, name)
		}
	}
}
