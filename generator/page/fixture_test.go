package page_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator/arrange"
	"ayna/generator/page"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun/fakepaper"
)

var (
	ctx  = context.Background()
	noon = time.Date(2026, 9, 14, 12, 0, 0, 0, time.UTC)
)

// fixture is what testdata/site.json holds: records as the service would send
// them, and the pictures that were mirrored.
type fixture struct {
	records []*archive.Record
	earlier map[string][]*archive.Record // earlier versions, by id
	gone    map[string]bool
	media   []archive.Media

	comments []archive.Comment
}

func readFixture(t testing.TB) fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/site.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Records []struct {
			Kind         record.Kind
			Earlier      []json.RawMessage // what its own operation answered before
			List, Single *json.RawMessage
			Gone         bool
		}
		Media []archive.Media
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	text := func(raw *json.RawMessage) string {
		if raw == nil {
			return ""
		}
		return string(*raw)
	}
	f := fixture{earlier: make(map[string][]*archive.Record), gone: make(map[string]bool), media: file.Media, comments: thread}
	for _, r := range file.Records {
		added := fakepaper.Raw(r.Kind, text(r.List), text(r.Single))
		f.records, f.gone[added.ID] = append(f.records, added), r.Gone
		for _, earlier := range r.Earlier {
			f.earlier[added.ID] = append(f.earlier[added.ID], fakepaper.Raw(r.Kind, "", string(earlier)))
		}
	}
	return f
}

// store puts the fixture into a new archive.
func (f fixture) store(t testing.TB) *archive.Archive {
	t.Helper()
	return f.fill(t, fakepaper.Archive(t))
}

func (f fixture) fill(t testing.TB, a *archive.Archive) *archive.Archive {
	t.Helper()
	var versions []*archive.Record
	for _, r := range f.records {
		versions = append(append(versions, f.earlier[r.ID]...), r)
	}
	put(t, a, versions)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for _, r := range f.records {
			if !f.gone[r.ID] {
				continue
			}
			if err := tx.MarkGone(r.Kind, r.ID, noon); err != nil {
				return err
			}
		}
		for _, c := range f.comments {
			if _, err := tx.Comments.Put(c); err != nil {
				return err
			}
		}
		return nil
	})
	for _, m := range f.media {
		m.Bytes, m.Fetched = 1000, noon
		fakepaper.Mirror(t, a, m)
	}
	return a
}

// put stores records that arrive at noon.
func put(t testing.TB, a *archive.Archive, records []*archive.Record) {
	t.Helper()
	for _, r := range records {
		r.Listed = noon
	}
	fakepaper.Put(t, a, records...)
}

// world is a fixture with all that may be different about the site made of it.
type world struct {
	prepared bool // texts are kept ready in the archive
	branding page.Branding
	fixture
	settings  site.Settings
	linked    bool // pictures are linked, not mirrored
	searches  []arrange.Search
	mixes     []arrange.Mix
	sections  []string // of the navigation
	templates fs.FS
	assets    fs.FS
	own       []page.OwnPage
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
	imprint, err := prose.RenderMarkdown([]byte("---\ntitle: Künye & İletişim\ndescription: Kim yapar\n---\n\n## Adres\n\nKörfez <b>1</b>, *Liman*.\n"), "Tablo", "tr")
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
		searches: []arrange.Search{{Title: "Liman", Query: "liman"}, {Title: "Boş arama", Query: "hiçbiryerdeyok"}},
		mixes:    []arrange.Mix{{Title: "Kıyı ve spor", Include: []string{"/spor/", "tag:liman"}}},
		own:      []page.OwnPage{{Name: "kunye", Title: imprint.Title, Description: imprint.Description, HTML: imprint.HTML}},
	}
}

// renderer arranges the world and returns what renders it.
func (w world) renderer(t testing.TB) (*page.Renderer, *site.Site) {
	t.Helper()
	a := w.store(t)
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		_, err := tx.Hits.Add("liman", []string{"41000011", "41000010", "41000201"})
		return err
	})
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: w.settings, Searches: w.searches, Mixes: w.mixes, Navigation: w.sections, Mirror: !w.linked, Comments: true})
	if err != nil {
		t.Fatal(err)
	}
	shared, err := page.Assets(w.assets, w.branding)
	if err != nil {
		t.Fatal(err)
	}
	reader := story.New(a, s, !w.linked)
	if w.prepared {
		if err := reader.Prepare(ctx, 1, nil); err != nil {
			t.Fatal(err)
		}
	}
	r, err := page.New(reader, page.Options{Templates: w.templates, Parsed: w.parsed(t), Assets: shared, Own: w.own, Branding: w.branding})
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}

// builtIn has the built-in templates, parsed once for each language.
var builtIn = make(map[string]page.Templates)

// parsed returns the world's templates if they are the built-in ones.
func (w world) parsed(t testing.TB) page.Templates {
	t.Helper()
	language := w.settings.Language
	if w.templates != fs.FS(templates.FS) {
		return nil
	}
	if builtIn[language] == nil {
		parsed, err := page.Parse(templates.FS, w.settings.Words)
		if err != nil {
			t.Fatal(err)
		}
		builtIn[language] = parsed
	}
	return builtIn[language]
}

// tree is a rendered site: the bytes of its files by path, and their keys.
type tree struct {
	files map[string][]byte
	keys  map[string]site.Digest
}

// checkKeys reports files whose bytes differ from those in another site, and whose keys do
// not: they would not be rendered again.
func (t tree) checkKeys(test *testing.T, before tree) {
	test.Helper()
	for name, key := range t.keys {
		if key != (site.Digest{}) && key == before.keys[name] && !bytes.Equal(t.files[name], before.files[name]) {
			test.Errorf("%s changed, but its key did not", name)
		}
	}
}

func (w world) render(t testing.TB) tree {
	t.Helper()
	r, _ := w.renderer(t)
	return renderAll(t, r)
}

func renderAll(t testing.TB, r *page.Renderer) tree {
	t.Helper()
	return renderIn(t, r, "")
}

// renderIn renders the files of a folder; the others are empty.
func renderIn(t testing.TB, r *page.Renderer, dir string) tree {
	t.Helper()
	rendered := tree{make(map[string][]byte), make(map[string]site.Digest)}
	for file, err := range r.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := rendered.files[file.Path]; twice {
			t.Fatalf("two files want %s", file.Path)
		}
		b := bytes.NewBuffer([]byte{})
		if strings.HasPrefix(file.Path, dir) {
			if err := file.Write(ctx, b); err != nil {
				t.Fatal(err)
			}
		}
		rendered.files[file.Path] = b.Bytes()
		if file.Key != nil {
			rendered.keys[file.Path] = file.Key()
		}
	}
	return rendered
}

// articles returns n articles, the first one the oldest.
func articles(n int) []*archive.Record {
	return fakepaper.Articles(n, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Minute, "Path", "/spor/", "Tags", nil)
}

func exampleSettings() site.Settings {
	words, err := site.WordsFor("en")
	if err != nil {
		panic(err)
	}
	return site.Settings{Title: "Example", BaseURL: "https://ayna.example/", Language: "en", Words: words, Location: time.UTC}
}
