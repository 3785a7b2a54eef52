package compiled

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

// context is an escaping context: html/template escapes the values in it with the same
// functions.
type context struct {
	probe         *template.Template // makes html/template escape a value in the context
	before, after int                // bytes of the probe around the value
	html          bool               // safe HTML is written as it is
	fastEscape    func(out []byte, s string) ([]byte, bool)
}

// probes are templates with one value each, one for each context. fastEscape escapes like
// html/template in the context, or returns false if it does not support a text.
var probes = []struct {
	probe      string
	html       bool
	fastEscape func(out []byte, s string) ([]byte, bool)
}{
	{`<p>{{.}}</p>`, true, appendText},
	{`<title>{{.}}</title>`, false, appendText},
	{`<p title="{{.}}"></p>`, false, appendText},
	{`<meta content="{{.}}">`, false, nil},
	{`<a href="{{.}}"></a>`, false, appendAddress},
	{`<a href="#{{.}}"></a>`, false, appendFragment},
	{`<a href="feed:{{.}}"></a>`, false, appendAddress},
	{`<img srcset="{{.}}">`, false, nil},
}

// contexts returns the contexts by the names of the escaping functions.
var contexts = sync.OnceValue(func() map[string]context {
	known := make(map[string]context)
	for _, p := range probes {
		t := template.Must(template.New("probe").Parse(p.probe))
		if err := t.Execute(new(bytes.Buffer), ""); err != nil {
			continue
		}
		nodes := t.Tree.Root.Nodes
		escapers, ok := escapersOf(nodes[1].(*parse.ActionNode).Pipe.Cmds[1:])
		if _, twice := known[escapers]; ok && !twice {
			before, after := nodes[0].(*parse.TextNode).Text, nodes[2].(*parse.TextNode).Text
			known[escapers] = context{t, len(before), len(after), p.html, p.fastEscape}
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
		return nil, fmt.Errorf("escaped by %q: %w", escapers, errUnsupported)
	}
	v, err := c.command(pipe.Cmds[0], s)
	if err != nil {
		return nil, err
	}
	write, err := at.writer(v.typ)
	if err != nil {
		return nil, err
	}
	return func(r *execution, dot reflect.Value) error {
		value, err := v.get(r, dot)
		if err != nil {
			return err
		}
		r.out, err = write(r.out, value)
		return err
	}, nil
}

type writer func(out []byte, v reflect.Value) ([]byte, error)

// writer returns what writes values of a type into the context.
func (c context) writer(typ reflect.Type) (writer, error) {
	if typ == nil {
		return nil, errUnsupported
	}
	for _, printer := range []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[error]()} {
		if reflect.PointerTo(typ).Implements(printer) {
			return nil, errUnsupported
		}
	}
	switch {
	case typ == bufferedHTMLType && c.html:
		return func(out []byte, v reflect.Value) ([]byte, error) { return append(out, v.Bytes()...), nil }, nil
	case typ == reflect.TypeFor[template.HTML]() && c.html:
		return func(out []byte, v reflect.Value) ([]byte, error) { return append(out, v.String()...), nil }, nil
	case typ.Kind() == reflect.String && (typ.PkgPath() == "html/template" || c.fastEscape == nil):
		return c.escape, nil
	case typ.Kind() == reflect.String:
		return func(out []byte, v reflect.Value) ([]byte, error) {
			if escaped, ok := c.fastEscape(out, v.String()); ok {
				return escaped, nil
			}
			return c.escape(out, v)
		}, nil
	case typ.Kind() == reflect.Int && c.fastEscape != nil:
		return func(out []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(out, v.Int(), 10), nil }, nil
	}
	return nil, errUnsupported
}

// escape makes html/template escape a value.
func (c context) escape(out []byte, v reflect.Value) ([]byte, error) {
	var b bytes.Buffer
	if err := c.probe.Execute(&b, v.Interface()); err != nil {
		return out, err
	}
	if b.Len() < c.before+c.after {
		return out, errors.New("html/template has shortened a text")
	}
	return append(out, b.Bytes()[c.before:b.Len()-c.after]...), nil
}

// escapes maps bytes to their escaped forms.
var escapes = [256]string{
	0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '>': "&gt;",
	'<': "&lt;",
}

// appendText escapes like html/template in text and in quoted attributes.
func appendText(out []byte, s string) ([]byte, bool) {
	done := 0
	for i := range len(s) {
		if escaped := escapes[s[i]]; escaped != "" {
			out = append(append(out, s[done:i]...), escaped...)
			done = i + 1
		}
	}
	return append(out, s[done:]...), true
}

const lettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Bytes that need no escaping in an address, in its fragment, and as a digit after '%'.
var (
	plainAddress  = setOf(lettersAndDigits + "/.-_#?=,")
	plainFragment = setOf(lettersAndDigits + "-._~")
	hexDigits     = setOf("0123456789abcdefABCDEF")
)

func setOf(bytes string) (is [256]bool) {
	for _, b := range []byte(bytes) {
		is[b] = true
	}
	return is
}

// appendAddress writes addresses of the web and relative ones that need no
// escaping.
func appendAddress(out []byte, s string) ([]byte, bool) {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	for i := range len(rest) {
		isEscape := rest[i] == '%' && i+2 < len(rest) && hexDigits[rest[i+1]] && hexDigits[rest[i+2]]
		if !plainAddress[rest[i]] && !isEscape {
			return out, false
		}
	}
	return append(out, s...), true
}

// appendFragment writes names of a place in a page that need no escaping.
func appendFragment(out []byte, s string) ([]byte, bool) {
	for i := range len(s) {
		if !plainFragment[s[i]] {
			return out, false
		}
	}
	return append(out, s...), true
}
