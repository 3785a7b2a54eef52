package page_test

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/arrange"
	"ayna/generator/page"
	"ayna/generator/story"
	"ayna/testrun/fakepaper"
)

// TestFallback: an item has a plain page also where its text cannot be read.
func TestFallback(t *testing.T) {
	for _, c := range []struct{ name, damage, has, lacks string }{
		{"whole", `SELECT ?`, "<title>Köprü onarımı bitti – Körfez &amp; Ayna</title>", "<strong"},
		{"text", `SELECT ?`, "<p>Ayrıntılar önceki haberde, raporda.</p>", "<a href=\"balik"},
		{"damaged", `UPDATE raw SET single = '{}' WHERE row = (SELECT row FROM record WHERE id = ?)`, `<h1 dir="auto">Köprü onarımı bitti</h1>`, `class="text"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "tr")
			a := w.fill(t, fakepaper.Open(t, filepath.Join(t.TempDir(), "archive.db")))
			s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: w.settings})
			if err != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", a.Name())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(c.damage, bridgeID); err != nil {
				t.Fatal(err)
			}
			r, err := page.New(story.New(a, s, true), page.Options{Templates: w.templates, Parsed: w.parsed(t)})
			if err != nil {
				t.Fatal(err)
			}
			for file := range r.Files(ctx) {
				if file.Path != bridgePage {
					continue
				}
				var b bytes.Buffer
				if err := file.Fallback(ctx, &b); err != nil {
					t.Fatal(err)
				}
				if text := b.String(); !strings.Contains(text, c.has) || strings.Contains(text, c.lacks) {
					t.Errorf("it lacks %s, or has %s:\n%s", c.has, c.lacks, text)
				}
			}
		})
	}
}
