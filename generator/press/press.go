// Package press executes the templates of pages and of their parts quickly.
//
// A [Plate] is a template of html/template, which has parsed it and decided how
// each value is escaped for the place where it stands. What its documentation
// calls "the underlying template's parse tree, updated to be HTML-safe" is
// compiled for the one type of view that the template is given: fields are
// looked up once, by their types, and not again on each page. The plate writes
// what html/template would write, byte for byte; a template with something in
// it that is not known here, or is not certain before it runs, html/template
// executes itself.
package press

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"reflect"
	"sync"
)

// Plate is a template made ready for one type of view. Any number of goroutines
// may execute it at once.
type Plate struct {
	source *template.Template
	view   reflect.Type
	body   step // nil if html/template has to execute it
	why    error
	slots  int

	markups [][]int // fields of the view
}

// Of returns the plate of a template for views of a type, or pointers to them. The
// template must not be changed any more.
func Of(source *template.Template, view reflect.Type) *Plate {
	p := &Plate{source: source, view: view, markups: markups(view)}
	// The tree is HTML-safe once the template was executed, with whatever view.
	source.Execute(io.Discard, nil)
	c := &compiler{set: source, contexts: contexts(), parts: make(map[part]*step)}
	if p.body, p.why = c.template(source, view); p.why == nil {
		p.slots = c.slots
	}
	return p
}

// Fallback says why html/template has to execute the template; nil if it has
// not.
func (p *Plate) Fallback() error { return p.why }

// run is one execution of a plate.
type run struct {
	out  []byte
	html []byte // what Markup is on its way there
	vars []reflect.Value
}

var (
	runs    = sync.Pool{New: func() any { return new(run) }}
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

// mostKept is the size of buffers that are used again.
const mostKept = 1 << 20

// Execute writes what the template makes of a view, without a copy if w is a
// [bytes.Buffer]. After an error nothing is written, or less than all if
// html/template executes it.
func (p *Plate) Execute(w io.Writer, view any) error {
	dot := reflect.ValueOf(view)
	if dot.Kind() == reflect.Pointer && dot.Type() != p.view && !dot.IsNil() {
		dot = dot.Elem()
	}
	if p.why != nil || !dot.IsValid() || dot.Type() != p.view {
		if len(p.markups) > 0 {
			view = p.plain(view)
		}
		return p.source.Execute(w, view)
	}
	if b, ok := w.(*bytes.Buffer); ok {
		return p.append(b, dot)
	}
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		if b.Reset(); b.Cap() <= mostKept {
			buffers.Put(b)
		}
	}()
	if err := p.append(b, dot); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (p *Plate) append(b *bytes.Buffer, dot reflect.Value) error {
	r := runs.Get().(*run)
	defer r.free()
	r.out, r.html, r.vars = b.AvailableBuffer(), r.html[:0], append(r.vars[:0], make([]reflect.Value, p.slots)...)
	if err := p.body(r, dot); err != nil {
		return fmt.Errorf("template %s: %w", p.source.Name(), err)
	}
	b.Write(r.out)
	return nil
}

func (r *run) free() {
	r.out = nil
	if cap(r.html) > mostKept {
		r.html = nil
	}
	clear(r.vars)
	runs.Put(r)
}
