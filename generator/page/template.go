package page

import (
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

	"ayna/generator/compiled"
	"ayna/generator/site"
)

// views has an example of each view, by the name of its template.
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
	"numbers":     numbersView{},
	"subscribe":   subscribeView{},
	"moved":       movedView{},
	"notfound":    notFoundView{},
}

// viewNames has the name of each view's template, by the type of the view.
var viewNames = func() map[reflect.Type]string {
	names := make(map[reflect.Type]string, len(views))
	for name, view := range views {
		names[reflect.TypeOf(view)] = name
	}
	return names
}()

// sharedFiles are the templates that every view uses.
var sharedFiles = []string{"layout.html", "parts.html", "item.html"}

// viewTemplate is the template of a view, with those of its templates that are executed
// by themselves.
type viewTemplate struct {
	*compiled.Template
	subtemplates map[string]*compiled.Template
}

// subtemplates are the templates that are executed by themselves: the view whose template
// defines them, and an example of what they are given.
var subtemplates = map[string]struct {
	view  string
	given any
}{
	"head": {"home", layoutView{}}, "top": {"home", layoutView{}}, "bottom": {"home", layoutView{}},
	"feeds": {"home", []feed(nil)}, "trail": {"home", pageView{}},
	"tag": {"article", link{}}, "teaser": {"list", teaser{}},
}

func parseAll(fsys fs.FS, words site.Words) (Templates, error) {
	if err := checkNames(fsys); err != nil {
		return nil, err
	}
	layout, err := template.New(sharedFiles[0]).ParseFS(fsys, sharedFiles...)
	if err != nil {
		return nil, err
	}
	templates := make(Templates, len(views))
	for _, view := range slices.Sorted(maps.Keys(views)) {
		t, err := layout.Clone()
		if err != nil {
			return nil, err
		}
		if _, err := t.ParseFS(fsys, view+".html"); err != nil {
			return nil, err
		}
		if err := tryExecute(t, emptyView(views[view], &words)); err != nil {
			return nil, fmt.Errorf("%s with an empty view: %w", view+".html", err)
		}
		fast := compiled.Compile(t, reflect.TypeOf(views[view]))
		// What the shared templates use may be for another view.
		if none := new(compiled.NoFieldError); errors.As(fast.NotCompiled(), &none) && strings.HasPrefix(none.Where, view+".html:") {
			return nil, none
		}
		pieces, err := parseSubtemplates(t, view, &words)
		if err != nil {
			return nil, err
		}
		templates[view] = viewTemplate{fast, pieces}
	}
	return templates, nil
}

// parseSubtemplates returns the subtemplates that a view's template defines.
func parseSubtemplates(t *template.Template, view string, words *site.Words) (map[string]*compiled.Template, error) {
	pieces := make(map[string]*compiled.Template)
	for _, name := range slices.Sorted(maps.Keys(subtemplates)) {
		if subtemplates[name].view != view {
			continue
		}
		part := t.Lookup(name)
		if part == nil {
			return nil, fmt.Errorf("%s: no template %q is defined", strings.Join(sharedFiles, ", "), name)
		}
		if err := tryExecute(part, emptyView(subtemplates[name].given, words)); err != nil {
			return nil, fmt.Errorf("template %q with an empty view: %w", name, err)
		}
		pieces[name] = compiled.Compile(part, reflect.TypeOf(subtemplates[name].given))
	}
	return pieces, nil
}

// tryExecute executes a template with an empty view: this finds what cannot be escaped,
// and unknown fields outside of conditions. It ignores failures for lack of a
// value, such as the first element of a list: another view may have it.
func tryExecute(t *template.Template, view any) error {
	err := t.Execute(io.Discard, view)
	if err != nil && missingValue.MatchString(err.Error()) {
		return nil
	}
	return err
}

var missingValue = regexp.MustCompile(`: executing ".*(?:: error calling |: nil pointer evaluating )`)

// emptyView returns an empty view with the site's words, which every view has.
func emptyView(view any, words *site.Words) any {
	v := reflect.New(reflect.TypeOf(view)).Elem()
	if v.Kind() == reflect.Struct {
		if field := v.FieldByName("Words"); field.IsValid() {
			field.Set(reflect.ValueOf(words))
		}
	}
	return v.Interface()
}

// checkNames rejects a template that no view uses, whose name must be a mistake.
func checkNames(fsys fs.FS) error {
	names, err := fs.Glob(fsys, "*.html")
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := views[strings.TrimSuffix(name, ".html")]; !ok && !slices.Contains(sharedFiles, name) {
			return fmt.Errorf("%s: no page uses a template of that name; rename or remove it", name)
		}
	}
	return nil
}
