package press

import (
	"fmt"
	"html/template"
	"reflect"
)

// HTML is the type of what a view shows as HTML: nil, a [template.HTML] or a
// [Markup].
type HTML any

// Markup is HTML that a plate has append itself to the page, so that no string
// is made of what is as long as the page.
type Markup interface {
	AppendHTML(out []byte) []byte
	// HTML is the same for html/template, which knows nothing else as safe.
	HTML() template.HTML
}

// written is HTML as it is appended.
type written []byte

var (
	anyHTML     = reflect.TypeFor[HTML]()
	writtenHTML = reflect.TypeFor[written]()
)

// written compiles a value that is HTML.
func (v value) written() value {
	return value{writtenHTML, func(r *run, dot reflect.Value) (reflect.Value, error) {
		html, err := v.get(r, dot)
		if err != nil {
			return html, err
		}
		start := len(r.html)
		switch h := html.Interface().(type) {
		case nil:
		case template.HTML:
			r.html = append(r.html, h...)
		case Markup:
			r.html = h.AppendHTML(r.html)
		default:
			return html, fmt.Errorf("a %T stands where HTML has to", h)
		}
		return reflect.ValueOf(written(r.html[start:])), nil
	}}
}

// markups returns the fields of a view that may hold a Markup.
func markups(view reflect.Type) [][]int {
	var fields [][]int
	if view.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(view) {
			if f.Type == anyHTML && f.IsExported() && !throughPointer(view, f.Index) {
				fields = append(fields, f.Index)
			}
		}
	}
	return fields
}

// plain returns a view, of the plate's type or a pointer to it, as html/template
// can show it.
func (p *Plate) plain(view any) any {
	v := reflect.ValueOf(view)
	pointer := v.Kind() == reflect.Pointer && !v.IsNil()
	if pointer {
		v = v.Elem()
	}
	if !v.IsValid() || v.Type() != p.view {
		return view
	}
	shown := reflect.New(p.view)
	shown.Elem().Set(v)
	for _, index := range p.markups {
		field := shown.Elem().FieldByIndex(index)
		if m, ok := field.Interface().(Markup); ok {
			field.Set(reflect.ValueOf(m.HTML()))
		}
	}
	if pointer {
		return shown.Interface()
	}
	return shown.Elem().Interface()
}
