package prose

import (
	"encoding/json"
	"html/template"
	"strconv"
	"unicode/utf8"

	"ayna/generator/press"
)

// Described is something that tells machines what it is.
type Described interface {
	Describe(o *Object)
}

// Object is a JSON object that is being written. The names in it are those of
// the program, and written as they are.
type Object struct {
	out   []byte
	comma bool // something stands before what is added next
}

// Linked returns what a thing says of itself as a block of JSON-LD. Browsers
// take it for data and run nothing of it: no "<", ">" or "&" stands in it, so
// that no text can end the block.
func Linked(thing Described) press.Markup { return linked{thing} }

type linked struct{ thing Described }

func (l linked) AppendHTML(out []byte) []byte {
	o := Object{out: append(out, `<script type="application/ld+json">`...)}
	o.thing(l.thing)
	return append(o.out, "</script>"...)
}

func (l linked) HTML() template.HTML { return template.HTML(l.AppendHTML(nil)) }

func (o *Object) thing(thing Described) {
	o.out, o.comma = append(o.out, '{'), false
	thing.Describe(o)
	o.out, o.comma = append(o.out, '}'), true
}

// Text adds a text, unless it is empty.
func (o *Object) Text(name, text string) {
	if text != "" {
		o.name(name)
		o.out = quoted(o.out, text)
	}
}

// Number adds a number, unless it is 0.
func (o *Object) Number(name string, n int) {
	if n != 0 {
		o.name(name)
		o.out = strconv.AppendInt(o.out, int64(n), 10)
	}
}

// Texts adds a list of texts, unless there are none.
func (o *Object) Texts(name string, texts []string) {
	o.list(name, len(texts), func(i int) { o.out = quoted(o.out, texts[i]) })
}

// Thing adds an object.
func (o *Object) Thing(name string, thing Described) {
	o.name(name)
	o.thing(thing)
}

// Things adds a list of n objects, unless n is 0.
func (o *Object) Things(name string, n int, thing func(i int) Described) {
	o.list(name, n, func(i int) { o.thing(thing(i)) })
}

func (o *Object) list(name string, n int, add func(i int)) {
	if n == 0 {
		return
	}
	o.name(name)
	for i := range n {
		o.out = append(o.out, "[,"[min(i, 1)])
		add(i)
	}
	o.out = append(o.out, ']')
}

func (o *Object) name(name string) {
	if o.comma {
		o.out = append(o.out, ',')
	}
	o.comma = true
	o.out = append(append(append(o.out, '"'), name...), `":`...)
}

// quoted appends a text as encoding/json writes it for HTML.
func quoted(out []byte, text string) []byte {
	if plainJSON(text) {
		return append(append(append(out, '"'), text...), '"')
	}
	data, _ := json.Marshal(text) // no text fails
	return append(out, data...)
}

// plainJSON reports whether nothing in a text has to be written otherwise: no
// control character, no line separator of Unicode, nothing that means something
// to JSON or HTML.
func plainJSON(text string) bool {
	for i := range len(text) {
		switch b := text[i]; {
		case b < ' ', b == '"', b == '\\', b == '<', b == '>', b == '&':
			return false
		case b == 0xE2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xA8:
			return false
		}
	}
	return utf8.ValidString(text)
}
