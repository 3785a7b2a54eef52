package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"ayna/generator/site"
)

// views names each view and shows what its template is given.
var views = map[string]any{
	"home":    homeView{},
	"list":    listView{},
	"index":   indexView{},
	"search":  searchView{},
	"article": articleView{},
	"column":  columnView{},
	"gallery": galleryView{},
	"video":   videoView{},
	"text":    textView{},

	"corrections": correctionsView{},
	"subscribe":   subscribeView{},
	"moved":       movedView{},
	"notfound":    notFoundView{},
}

// frames are the templates that every view is made with.
var frames = []string{"layout.html", "parts.html", "item.html"}

// tmpl is the template of a view, with a digest of the text of all files it is
// made of.
type tmpl struct {
	*template.Template
	digest string
}

func parseAll(fsys fs.FS, words site.Words) (map[string]tmpl, error) {
	if err := checkNames(fsys); err != nil {
		return nil, err
	}
	layout, sum := template.New(frames[0]), sha256.New()
	for _, name := range frames {
		text, err := parseFile(layout, fsys, name)
		if err != nil {
			return nil, err
		}
		sum.Write(text)
	}
	templates := make(map[string]tmpl, len(views))
	for _, view := range slices.Sorted(maps.Keys(views)) {
		t, err := layout.Clone()
		if err != nil {
			return nil, err
		}
		text, err := parseFile(t, fsys, view+".html")
		if err != nil {
			return nil, err
		}
		fold(t, words)
		// What cannot be escaped, and names that are no field of the view, only
		// show when a template is used.
		if err := t.Execute(io.Discard, views[view]); err != nil {
			return nil, fmt.Errorf("%s with an empty view: %w", view+".html", err)
		}
		for _, piece := range []string{"head", "top", "bottom"} {
			if part := t.Lookup(piece); part == nil {
				return nil, fmt.Errorf("%s: it defines no template %q", frames[0], piece)
			} else if err := part.Execute(io.Discard, chromeView{}); err != nil {
				return nil, fmt.Errorf("%s with an empty view: %w", frames[0], err)
			}
		}
		own := sha256.Sum256(bytes.Join([][]byte{sum.Sum(nil), text}, nil))
		templates[view] = tmpl{t, hex.EncodeToString(own[:8])}
	}
	return templates, nil
}

// checkNames refuses a template that no view would use: its name is a mistake.
func checkNames(fsys fs.FS) error {
	names, err := fs.Glob(fsys, "*.html")
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := views[strings.TrimSuffix(name, ".html")]; !ok && !slices.Contains(frames, name) {
			return fmt.Errorf("%s: no page uses a template of that name; rename or remove it", name)
		}
	}
	return nil
}

// parseFile adds a file to t and returns its text. The first file of t is t
// itself, others only define parts of it.
func parseFile(t *template.Template, fsys fs.FS, name string) ([]byte, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	if t.Name() != name {
		t = t.New(name)
	}
	if _, err := t.Parse(string(text)); err != nil {
		return nil, err
	}
	return text, nil
}
