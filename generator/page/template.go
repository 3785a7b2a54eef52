package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"ayna/generator/press"
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
// made of, and the parts of it that are rendered by themselves.
type tmpl struct {
	*press.Plate
	digest string
	parts  map[string]*press.Plate
}

// parts are the templates that are executed by themselves: as which view has
// them, and what they are given.
var parts = map[string]struct {
	view  string
	given any
}{
	"head": {"home", chromeView{}}, "top": {"home", chromeView{}}, "bottom": {"home", chromeView{}},
	"feeds": {"home", []feed(nil)}, "trail": {"home", frame{}},
	"tag": {"article", link{}}, "teaser": {"list", teaser{}},
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
		if err := try(t, empty(views[view], &words)); err != nil {
			return nil, fmt.Errorf("%s with an empty view: %w", view+".html", err)
		}
		plate := press.Of(t, reflect.TypeOf(views[view]))
		// What the frames ask of a view may be for another one.
		if none := new(press.NoFieldError); errors.As(plate.Fallback(), &none) && strings.HasPrefix(none.Where, view+".html:") {
			return nil, none
		}
		pieces, err := parseParts(t, view, &words)
		if err != nil {
			return nil, err
		}
		own := sha256.Sum256(bytes.Join([][]byte{sum.Sum(nil), text}, nil))
		templates[view] = tmpl{plate, hex.EncodeToString(own[:8]), pieces}
	}
	return templates, nil
}

// parseParts tries the parts that are taken from a view's template.
func parseParts(t *template.Template, view string, words *site.Words) (map[string]*press.Plate, error) {
	pieces := make(map[string]*press.Plate)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if parts[name].view != view {
			continue
		}
		part := t.Lookup(name)
		if part == nil {
			return nil, fmt.Errorf("%s: no template %q is defined", strings.Join(frames, ", "), name)
		}
		if err := try(part, empty(parts[name].given, words)); err != nil {
			return nil, fmt.Errorf("template %q with an empty view: %w", name, err)
		}
		pieces[name] = press.Of(part, reflect.TypeOf(parts[name].given))
	}
	return pieces, nil
}

// try executes a template: what cannot be escaped only shows then, and names
// that are no field show where nothing keeps them from being used. What fails
// for want of a value, as an element of a list, need not with another view.
func try(t *template.Template, view any) error {
	err := t.Execute(io.Discard, view)
	if err != nil && wantsValue.MatchString(err.Error()) {
		return nil
	}
	return err
}

var wantsValue = regexp.MustCompile(`: executing ".*(?:: error calling |: nil pointer evaluating )`)

// empty returns an empty view with the site's words, which none is without.
func empty(view any, words *site.Words) any {
	v := reflect.New(reflect.TypeOf(view)).Elem()
	if v.Kind() == reflect.Struct {
		if field := v.FieldByName("Words"); field.IsValid() {
			field.Set(reflect.ValueOf(words))
		}
	}
	return v.Interface()
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
