package page_test

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ayna/archive"
	"ayna/assets"
	"ayna/generator/arrange"
	"ayna/generator/page"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// fakeAssets keep the golden files as they are when the style changes.
var fakeAssets = fstest.MapFS{
	"site.css":    {Data: []byte("p { margin: 0 }\n")},
	"icon.svg":    {Data: []byte("<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n")},
	"print.css":   {Data: []byte("nav { display: none }\n")},
	"serif.woff2": {Data: []byte("wOF2")},
	"site.js":     {Data: []byte("\"use strict\";\n")},
	"NOTES":       {Data: []byte("linked by no page\n")},
}

func ownPage(name, title string) page.OwnPage { return page.OwnPage{Name: name, Title: title} }

// try makes a renderer of the world's templates and own pages for a site
// without records.
func (w world) try(t *testing.T) (*page.Renderer, error) {
	t.Helper()
	a, err := archive.Memory(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	s, err := arrange.Arrange(ctx, a, arrange.Options{Settings: w.settings})
	if err != nil {
		t.Fatal(err)
	}
	return page.New(story.New(a, s, true), page.Options{Templates: w.templates, Own: w.own})
}

// TestTemplateMistakes lays a file over the built-in templates.
func TestTemplateMistakes(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"syntax", "article.html", "{{define \"main\"}}\n\n{{if}}", "article.html:3"},
		{"in the frame", "layout.html", "{{.Title", "layout.html:1"},
		{"no such field", "article.html", "{{define \"main\"}}\n{{.Headlin}}{{end}}", "article.html:2"},
		{"no such field in the frame", "layout.html", "{{.Titel}}{{template \"main\" .}}", "layout.html:1"},
		{"no such field of a list's elements", "gallery.html", "{{define \"main\"}}\n\n{{range .Pictures}}{{.Nope}}{{end}}{{end}}", "gallery.html:3"},
		{"no such field of what may be missing", "video.html", "{{define \"main\"}}{{with .Published}}\n{{.Nope}}{{end}}{{end}}", "video.html:2"},
		{"no such field of a variable", "video.html", "{{define \"main\"}}{{range $p := .Pictures}}\n{{$p.Nope}}{{end}}{{end}}", "video.html:2"},
		{"no such field beyond a field", "article.html", "{{define \"main\"}}{{if .Pictures}}\n{{.Headline.Nope}}{{end}}{{end}}", "article.html:2"},
		{"no main", "video.html", "<p>video</p>", `"main"`},
		{"cannot be escaped", "text.html", "{{define \"main\"}}<a href=\"{{if .Heading}}x{{end}}{{end}}", "text.html"},
		{"name of no view", "artcle.html", "{{define \"main\"}}{{end}}", "artcle.html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "tr")
			fsys := builtin()
			fsys[c.file] = &fstest.MapFile{Data: []byte(c.text)}
			w.templates = fsys
			if _, err := w.try(t); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("New: %v; want an error with %s", err, c.want)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		w := newWorld(t, "tr")
		fsys := builtin()
		delete(fsys, "home.html")
		w.templates = fsys
		if _, err := w.try(t); err == nil || !strings.Contains(err.Error(), "home.html") {
			t.Errorf("New: %v; want an error that names home.html", err)
		}
	})
}

// TestTemplateWants: what only some records have may be wanted.
func TestTemplateWants(t *testing.T) {
	for file, text := range map[string]string{
		"gallery.html": `{{define "main"}}{{index .Pictures 0}}{{end}}`,
		"article.html": `{{define "main"}}{{.Published.Machine}}{{slice .Headline 0 1}}{{end}}`,
	} {
		w := newWorld(t, "tr")
		fsys := builtin()
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
		w.templates = fsys
		if _, err := w.try(t); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestOverride replaces one template: pages of that kind change, others stay.
func TestOverride(t *testing.T) {
	w := newWorld(t, "tr")
	before := w.render(t)
	fsys := builtin()
	fsys["video.html"] = &fstest.MapFile{Data: []byte(`{{define "main"}}<h1>Film: {{.Headline}}</h1>{{template "body" .}}{{end}}`)}
	w.templates = fsys
	after := w.render(t)
	for name, data := range after.files {
		film := strings.Contains(string(data), "<h1>Film: Yelken yarışı</h1>")
		if isVideo := name == "spor/yelken-yarisi-41000301.html"; film != isVideo {
			t.Errorf("%s shows the owner's template: %v", name, film)
		} else if !isVideo && string(before.files[name]) != string(data) {
			t.Errorf("%s changed", name)
		}
	}
}

func TestAssets(t *testing.T) {
	list, err := page.Assets(fakeAssets, page.Branding{})
	if err != nil {
		t.Fatal(err)
	}
	for _, asset := range list {
		want := "assets/" + strings.ToLower(strings.TrimSuffix(asset.Name, path.Ext(asset.Name))) + "."
		if !strings.HasPrefix(asset.Address, want) {
			t.Errorf("%s: address %s, want %s…", asset.Name, asset.Address, want)
		}
	}
	w := newWorld(t, "tr")
	w.assets = fakeAssets
	rendered := w.render(t)
	home := string(rendered.files["index.html"])
	for _, asset := range list {
		if string(rendered.files[asset.Address]) != string(asset.Data) {
			t.Errorf("%s is not published", asset.Address)
		}
		if linked := strings.Contains(home, `="`+asset.Address+`"`); linked != (asset.Name != "NOTES") {
			t.Errorf("home links %s: %v", asset.Name, linked)
		}
	}
	changed := fstest.MapFS{"site.css": {Data: []byte("p { margin: 1px }\n")}}
	other, err := page.Assets(changed, page.Branding{})
	if err != nil {
		t.Fatal(err)
	}
	if other[0].Address == list[len(list)-1].Address {
		t.Error("other content at the same address")
	}
}

// A style sheet names other assets as they are called in the folder; an empty file is
// not published.
func TestAssetsInStyles(t *testing.T) {
	shape := func(font string) fstest.MapFS {
		return fstest.MapFS{
			"a.css":      {Data: []byte("p { src: url(text.woff2) format(\"woff2\"); cursor: url(other.png) }\n")},
			"text.woff2": {Data: []byte(font)}, "site.js": {},
		}
	}
	addresses := make(map[string]bool)
	for _, font := range []string{"one", "another"} {
		list, err := page.Assets(shape(font), page.Branding{})
		if err != nil {
			t.Fatal(err)
		}
		style, text := list[0], page.AddressOf(list, "text.woff2")
		if want := "p { src: url(" + path.Base(text) + ") format(\"woff2\"); cursor: url(other.png) }\n"; string(style.Data) != want {
			t.Errorf("%s is %q, want %q", style.Address, style.Data, want)
		}
		if addresses[style.Address] {
			t.Errorf("other content at the same address %s", style.Address)
		}
		addresses[style.Address] = true
		if empty := page.AddressOf(list, "site.js"); empty != "" {
			t.Errorf("an empty file is published as %s", empty)
		}
	}
}

// TestCommentsInStyles: comments on lines of their own are not published, but for their authors'.
func TestCommentsInStyles(t *testing.T) {
	const style = "/* Days: a\n * row */\n  /* Wide */\n/*! By N. N. */\np { margin: 0 } /* none */\nb::after { content: \"/* c */\" }\n"
	list, err := page.Assets(fstest.MapFS{"site.css": {Data: []byte(style)}}, page.Branding{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "/* Days: a\n * row */\n/*! By N. N. */\np { margin: 0 } /* none */\nb::after { content: \"/* c */\" }\n"
	if got := string(list[0].Data); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTypefaces: a page preloads the files of the typeface that its letters need, and those of
// italics if its text has any. The style sheet names no file that a theme has removed.
func TestTypefaces(t *testing.T) {
	preload := regexp.MustCompile(`<link rel="preload"[^>]* href="\.\./assets/(serif[a-z-]*)\.`)
	removed := fstest.MapFS{
		"site.css":    {Data: []byte("@font-face { src: url(serif.woff2) }\n@font-face { src: url(serif-greek.woff2) }\np { margin: 0 }\n")},
		"serif.woff2": {Data: []byte("wOF2")}, "serif-greek.woff2": {},
	}
	for _, test := range []struct {
		language, text string
		assets         fs.FS
		want           []string
	}{
		{"tr", "<p>Liman</p>", assets.FS, []string{"serif"}},
		{"tr", "<p><em>Liman</em></p>", assets.FS, []string{"serif", "serif-italic"}},
		{"ru", "<p>Порт</p>", assets.FS, []string{"serif-cyrillic", "serif"}},
		{"sr-Latn", "<p>Luka</p>", assets.FS, []string{"serif"}},
		{"el", "<blockquote><p>Λιμάνι</p></blockquote>", assets.FS, []string{"serif-greek", "serif", "serif-italic-greek", "serif-italic"}},
		{"el", "<p><i>Λιμάνι</i></p>", removed, []string{"serif"}},
	} {
		w := newWorld(t, test.language)
		w.records, w.assets = []*archive.Record{fakepaper.Item(record.Article, "41000001", "Title", "a", "Path", "/spor/", "Text", test.text)}, test.assets
		var got []string
		for _, m := range preload.FindAllSubmatch(w.render(t).files["spor/a-41000001.html"], -1) {
			got = append(got, string(m[1]))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s, %s: preloads %q, want %q", test.language, test.text, got, test.want)
		}
	}
	list, err := page.Assets(removed, page.Branding{})
	if err != nil {
		t.Fatal(err)
	}
	if style := string(list[1].Data); strings.Count(style, "@font-face") != 1 || !strings.HasSuffix(style, "}\np { margin: 0 }\n") {
		t.Errorf("the style sheet loads what a theme has removed, or nothing: %s", style)
	}
}

// All of the built-in templates are compiled: what html/template executes takes
// ten times as long.
func TestTemplatesAreCompiled(t *testing.T) {
	r, err := newWorld(t, "tr").try(t)
	if err != nil {
		t.Fatal(err)
	}
	for name, why := range r.Fallbacks() {
		if why != nil {
			t.Errorf("%s: %v", name, why)
		}
	}
}
