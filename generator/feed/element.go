package feed

import (
	"bytes"
	"encoding/xml"
	"strings"
	"sync"

	"ayna/generator/site"
)

// element is an entry as it stands in feeds of a format, in pieces: the formats
// in XML share the content, which is most of it.
type element struct {
	format                 site.Format
	before, content, after string
}

// mark stands for what is put in its place when a feed is written: an entry's
// content, a feed's entries. No text of an entry or a feed has it, since XML
// forbids it.
const mark = "\x01"

// indent is what each level of a feed is moved to the right.
const indent = "  "

// render makes of an entry the elements of the site's formats.
func (r *Renderer) render(e *entry) error {
	content := e.content
	e.length = len(content)
	if content != "" {
		e.content = mark
	}
	for _, format := range r.site.Formats {
		var text string
		var err error
		made := element{format: format}
		switch format {
		case site.RSS:
			text, err = r.items.marshal(e.rss())
			made.content = cdata(content)
		case site.Atom:
			text, err = r.posts.marshal(e.atom())
			made.content = cdata(content)
		default:
			text, err = marshalJSON(e.json(r.site.Language), "    ", indent)
			if err == nil && content != "" {
				made.content, err = marshalJSON(content, "", "")
			}
		}
		if err != nil {
			return err
		}
		made.before, made.after, _ = strings.Cut(text, markIn(format))
		e.elements = append(e.elements, made)
	}
	e.content = "" // which stands in the elements
	return nil
}

// in returns the element of a format.
func (e *entry) in(format site.Format) element {
	for _, element := range e.elements {
		if element.format == format {
			return element
		}
	}
	return element{}
}

func (e *entry) size() int {
	n := 1000
	for i, element := range e.elements {
		n += len(element.before) + len(element.after)
		if i == 0 || element.content != e.elements[i-1].content {
			n += len(element.content)
		}
	}
	return n
}

// markIn is how the mark is written in an entry: among a CDATA section's text as
// it is, and as a text of JSON.
func markIn(format site.Format) string {
	if format == site.JSON {
		return `"\u0001"`
	}
	return mark
}

// cdata returns what stands in a CDATA section for a text.
func cdata(text string) string { return strings.ReplaceAll(text, "]]>", "]]]]><![CDATA[>") }

// encoders writes elements of one depth, each as xml.MarshalIndent does. An
// encoder has more room than most elements take, so it is used again.
type encoders struct {
	prefix string
	idle   sync.Pool
}

type encoder struct {
	buffer bytes.Buffer
	*xml.Encoder
}

func (e *encoders) marshal(element any) (string, error) {
	one, ok := e.idle.Get().(*encoder)
	if !ok {
		one = new(encoder)
		one.Encoder = xml.NewEncoder(&one.buffer)
		one.Indent(e.prefix, indent)
	}
	if err := one.Encode(element); err != nil {
		return "", err // and leave the encoder, which stopped anywhere
	}
	text := strings.TrimPrefix(one.buffer.String(), "\n") // after the one before
	one.buffer.Reset()
	e.idle.Put(one)
	return text, nil
}
