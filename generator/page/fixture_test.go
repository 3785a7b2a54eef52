package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator/arrange"
	"ayna/generator/page"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/server/newsroom"
	"ayna/templates"
)

var (
	ctx  = context.Background()
	noon = time.Date(2026, 9, 14, 12, 0, 0, 0, time.UTC)
)

// fixture is what testdata/site.json holds: records as the service would send
// them, and the pictures that were mirrored.
type fixture struct {
	Records []record `json:"records"`
	Media   []struct {
		URL     string `json:"url"`
		Name    string `json:"name"`
		Type    string `json:"type"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		Problem string `json:"problem"`
	} `json:"media"`
}

// record has what the service sends of a record.
type record struct {
	Kind    archive.Kind      `json:"kind"`
	Earlier []json.RawMessage `json:"earlier"` // what its own operation answered before
	List    json.RawMessage   `json:"list"`
	Single  json.RawMessage   `json:"single"`
	Gone    bool              `json:"gone"`
}

// stored returns the record for an archive.
func (r record) stored() *archive.Record {
	stored := newsroom.Raw(r.Kind, null(r.List), null(r.Single))
	stored.Listed = noon
	return stored
}

func readFixture(t testing.TB) fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/site.json")
	if err != nil {
		t.Fatal(err)
	}
	var f fixture
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// store puts the fixture into a new archive.
func (f fixture) store(t testing.TB) *archive.Archive {
	t.Helper()
	a := newsroom.Open(t, filepath.Join(t.TempDir(), "archive.db"))
	newsroom.Update(t, a, func(tx *archive.Tx) error {
		for _, r := range f.Records {
			for _, earlier := range r.Earlier {
				if err := newsroom.Store(tx, record{Kind: r.Kind, Single: earlier}.stored()); err != nil {
					return err
				}
			}
			stored := r.stored()
			if err := newsroom.Store(tx, stored); err != nil {
				return err
			}
			if r.Gone {
				if err := tx.MarkGone(r.Kind, stored.ID, noon); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for _, m := range f.Media {
		newsroom.Mirror(t, a, archive.Media{
			URL: m.URL, Name: m.Name, Type: m.Type, Width: m.Width, Height: m.Height, Bytes: 1000, Fetched: noon, Problem: m.Problem,
		})
	}
	return a
}

func null(raw json.RawMessage) string {
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

// world is a fixture with all that may be different about the site made of it.
type world struct {
	prepared bool // texts are kept ready in the archive
	fixture
	settings    site.Settings
	linked      bool // pictures are linked, not mirrored
	searches    []arrange.Search
	customLists []arrange.CustomList
	templates   fs.FS
	assets      fs.FS
	own         []page.OwnPage
}

func newWorld(t testing.TB, language string) world {
	t.Helper()
	words, err := site.WordsFor(language)
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("Europe/Istanbul")
	if err != nil {
		t.Fatal(err)
	}
	imprint, err := prose.RenderMarkdown([]byte("---\ntitle: Künye & İletişim\ndescription: Kim yapar\n---\n\n## Adres\n\nKörfez <b>1</b>, *Liman*.\n"), "Tablo")
	if err != nil {
		t.Fatal(err)
	}
	return world{
		fixture: readFixture(t),
		settings: site.Settings{
			Title: "Körfez & Ayna", Description: "Körfezin haberleri, \"aynada\".",
			BaseURL: "https://ayna.example/haber/", Language: language, Words: words, Location: zone,
			SourceName: "Körfez Haber", SourceHome: "http://www.haber.example/", Canonical: "source", Robots: "allow",
			Formats: []site.Format{site.RSS, site.Atom, site.JSON}, Markdown: true,
		},
		templates: templates.FS, assets: assets.FS,
		searches:    []arrange.Search{{Title: "Liman", Query: "liman"}, {Title: "Boş arama", Query: "hiçbiryerdeyok"}},
		customLists: []arrange.CustomList{{Title: "Kıyı ve spor", Include: []string{"/spor/", "tag:liman"}}},
		own:         []page.OwnPage{{Name: "kunye", Title: imprint.Title, Description: imprint.Description, HTML: imprint.HTML}},
	}
}

// renderer arranges the world and returns what renders it.
func (w world) renderer(t testing.TB) (*page.Renderer, *site.Site) {
	t.Helper()
	a := w.store(t)
	newsroom.Update(t, a, func(tx *archive.Tx) error {
		_, err := tx.AddHits("liman", []string{"41000011", "41000010", "41000201"})
		return err
	})
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: w.settings, Searches: w.searches, CustomLists: w.customLists})
	if err != nil {
		t.Fatal(err)
	}
	shared, err := page.Assets(w.assets)
	if err != nil {
		t.Fatal(err)
	}
	reader := story.New(a, s, !w.linked)
	if w.prepared {
		if err := reader.Prepare(ctx, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	r, err := page.New(reader,
		page.Options{Templates: w.templates, Assets: shared, Own: w.own})
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}

// tree is a rendered site: the bytes of its files by path.
type tree struct {
	files map[string][]byte
}

func (w world) render(t testing.TB) tree {
	t.Helper()
	r, _ := w.renderer(t)
	return renderAll(t, r)
}

func renderAll(t testing.TB, r *page.Renderer) tree {
	t.Helper()
	rendered := tree{make(map[string][]byte)}
	for file, err := range r.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := rendered.files[file.Path]; twice {
			t.Fatalf("two files want %s", file.Path)
		}
		var b bytes.Buffer
		if err := file.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		rendered.files[file.Path] = b.Bytes()
	}
	return rendered
}

// articles returns n articles, the first one the oldest.
func articles(n int) []record {
	var records []record
	for i := range n {
		single := fmt.Sprintf(`{"Id":"5%07d","ContentType":"Article","Title":"Haber %d","Path":"/spor/","CreatedDate":"2026-01-01T%02d:%02d:00Z","Text":"<p>x</p>"}`,
			i, i, i/60, i%60)
		records = append(records, record{Kind: archive.Article, Single: json.RawMessage(single)})
	}
	return records
}

func exampleSettings() site.Settings {
	words, err := site.WordsFor("en")
	if err != nil {
		panic(err)
	}
	return site.Settings{Title: "Example", BaseURL: "https://ayna.example/", Language: "en", Words: words, Location: time.UTC}
}
