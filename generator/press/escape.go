package press

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"text/template/parse"
)

// context is where in a page a value stands, as the functions say that
// html/template escapes it with. probe is a template with a place of that
// kind: what is not certain, it escapes itself.
type context struct {
	probe         *template.Template
	before, after int  // bytes of the probe around the value
	html          bool // it shows HTML that is safe as it is
	quick         func(out []byte, s string) ([]byte, bool)
}

// places are templates that html/template is asked about, and what does for
// them what it would do. quick returns false for texts that it does not know.
var places = []struct {
	probe string
	html  bool
	quick func(out []byte, s string) ([]byte, bool)
}{
	{`<p>{{.}}</p>`, true, appendText},
	{`<title>{{.}}</title>`, false, appendText},
	{`<p title="{{.}}"></p>`, false, appendText},
	{`<meta content="{{.}}">`, false, nil},
	{`<a href="{{.}}"></a>`, false, appendAddress},
	{`<a href="#{{.}}"></a>`, false, nil},
	{`<img srcset="{{.}}">`, false, nil},
}

// contexts knows the contexts by the names of those functions.
var contexts = sync.OnceValue(func() map[string]context {
	known := make(map[string]context)
	for _, place := range places {
		t := template.Must(template.New("place").Parse(place.probe))
		if err := t.Execute(new(bytes.Buffer), ""); err != nil {
			continue
		}
		nodes := t.Tree.Root.Nodes
		escapers, ok := escapersOf(nodes[1].(*parse.ActionNode).Pipe.Cmds[1:])
		if _, twice := known[escapers]; ok && !twice {
			before, after := nodes[0].(*parse.TextNode).Text, nodes[2].(*parse.TextNode).Text
			known[escapers] = context{t, len(before), len(after), place.html, place.quick}
		}
	}
	return known
})

// escapersOf returns the names of escaping functions at the end of a pipeline.
func escapersOf(commands []*parse.CommandNode) (string, bool) {
	var names strings.Builder
	for _, command := range commands {
		function, ok := command.Args[0].(*parse.IdentifierNode)
		if !ok || len(command.Args) > 1 || !strings.HasPrefix(function.Ident, "_html_template_") {
			return "", false
		}
		names.WriteString(function.Ident + " ")
	}
	return names.String(), names.Len() > 0
}

// print compiles an action that writes a value.
func (c *compiler) print(pipe *parse.PipeNode, s scope) (step, error) {
	escapers, ok := escapersOf(pipe.Cmds[1:])
	at, known := c.contexts[escapers]
	if !ok || !known {
		return nil, fmt.Errorf("escaped by %q: %w", escapers, errUnknown)
	}
	v, err := c.command(pipe.Cmds[0], s)
	if err != nil {
		return nil, err
	}
	write, err := at.writer(v.typ)
	if err != nil {
		return nil, err
	}
	return func(r *run, dot reflect.Value) error {
		value, err := v.get(r, dot)
		if err != nil {
			return err
		}
		r.out, err = write(r.out, value)
		return err
	}, nil
}

type writer func(out []byte, v reflect.Value) ([]byte, error)

var (
	stringer = reflect.TypeFor[fmt.Stringer]()
	failure  = reflect.TypeFor[error]()
	safeHTML = reflect.TypeFor[template.HTML]()
)

// writer returns what writes values of a type into the context.
func (c context) writer(typ reflect.Type) (writer, error) {
	if typ == nil || reflect.PointerTo(typ).Implements(stringer) || reflect.PointerTo(typ).Implements(failure) {
		return nil, errUnknown
	}
	switch {
	case typ == writtenHTML && c.html:
		return func(out []byte, v reflect.Value) ([]byte, error) { return append(out, v.Bytes()...), nil }, nil
	case typ == safeHTML && c.html:
		return func(out []byte, v reflect.Value) ([]byte, error) { return append(out, v.String()...), nil }, nil
	case typ.Kind() == reflect.String && (typ.PkgPath() == "html/template" || c.quick == nil):
		return c.ask, nil
	case typ.Kind() == reflect.String:
		return func(out []byte, v reflect.Value) ([]byte, error) {
			if quick, ok := c.quick(out, v.String()); ok {
				return quick, nil
			}
			return c.ask(out, v)
		}, nil
	case typ.Kind() == reflect.Int && c.quick != nil:
		return func(out []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(out, v.Int(), 10), nil }, nil
	}
	return nil, errUnknown
}

// ask has html/template write a value.
func (c context) ask(out []byte, v reflect.Value) ([]byte, error) {
	var b bytes.Buffer
	if err := c.probe.Execute(&b, v.Interface()); err != nil {
		return out, err
	}
	if b.Len() < c.before+c.after {
		return out, errors.New("html/template has shortened a text")
	}
	return append(out, b.Bytes()[c.before:b.Len()-c.after]...), nil
}

// special are the bytes that a text cannot hold as they are, ordinary those that
// an address can.
var (
	special  = [256]bool{0: true, '"': true, '&': true, '\'': true, '+': true, '<': true, '>': true}
	ordinary = func() (is [256]bool) {
		for _, b := range []byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/.-_#?=,") {
			is[b] = true
		}
		return is
	}()
)

// appendText escapes a text as html/template does in text and in quoted
// attributes.
func appendText(out []byte, s string) ([]byte, bool) {
	done := 0
	for i := range len(s) {
		if !special[s[i]] {
			continue
		}
		var escaped string
		switch s[i] {
		case 0:
			escaped = "\uFFFD"
		case '"':
			escaped = "&#34;"
		case '&':
			escaped = "&amp;"
		case '\'':
			escaped = "&#39;"
		case '+':
			escaped = "&#43;"
		case '<':
			escaped = "&lt;"
		case '>':
			escaped = "&gt;"
		}
		out = append(append(out, s[done:i]...), escaped...)
		done = i + 1
	}
	return append(out, s[done:]...), true
}

// appendAddress writes an address that is as it should be: one of the web, or
// relative, in letters that need no escaping.
func appendAddress(out []byte, s string) ([]byte, bool) {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	for i := range len(rest) {
		if !ordinary[rest[i]] {
			return out, false
		}
	}
	return append(out, s...), true
}
