package prose

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/atom"
)

// names are those of all elements of HTML, and of what SVG and MathML have
// there.
var names = func() map[string]bool {
	all := make(map[string]bool)
	for name := range elements {
		all[name] = true
	}
	for name := range renamed {
		all[name] = true
	}
	for name := range dropped {
		all[name] = true
	}
	for name := range players {
		all[name] = true
	}
	for name := range strings.FieldsSeq(`
		annotation annotation-xml applet area base basefont bdi bdo bgsound big blink button col colgroup command
		data datalist desc dialog font foreignobject frame frameset image input isindex keygen label link malignmark map
		marquee menuitem meta meter mglyph mi mn mo ms mtext nobr optgroup option output param picture portal progress
		rb rp rt rtc ruby slot source spacer span textarea track wbr`) {
		all[name] = true
	}
	return all
}()

// tags tells the tags of a text from its words between angle brackets.
type tags struct {
	text  string
	ended map[string]bool // names in its end tags, once one was asked for
}

// isTag reports whether "<…" is meant as a tag: an element of HTML, or one of
// another language, whose name has a colon or hyphen, and which has an
// attribute or an end. All else ("5 <6", "<ad soyad>", "<https://haber.example>",
// "<ali-veli>") is words.
func (t *tags) isTag(raw string) bool {
	rest, ok := strings.CutPrefix(raw, "<")
	if !ok {
		return false
	}
	rest, isEnd := strings.CutPrefix(rest, "/")
	name := tagName(rest)
	switch {
	case strings.HasPrefix(rest[len(name):], "@"), strings.HasSuffix(name, ":"): // of mail, of the web
		return false
	case names[asciiLower(name)]:
		return true
	}
	return isForeign(name) && (isEnd || strings.HasSuffix(raw, "/>") || strings.Contains(raw, "=") || t.isEnded(asciiLower(name)))
}

func (t *tags) isEnded(name string) bool {
	if t.ended == nil {
		t.ended = make(map[string]bool)
		_, rest, ok := strings.Cut(t.text, "</")
		for ok {
			if name := tagName(rest); isForeign(name) {
				t.ended[asciiLower(name)] = true
			}
			_, rest, ok = strings.Cut(rest, "</")
		}
	}
	return t.ended[name]
}

func isForeign(name string) bool { return len(name) <= 60 && strings.ContainsAny(name, ":-") }

// tagName returns the name with which a tag goes on after its "<" or "</". That
// of a cut-off tag may be followed by the dots of the cut.
func tagName(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool {
		return r < 0x80 && r != ':' && r != '-' && !isLetterOrDigit(byte(r))
	})
	if end < 0 {
		return s
	}
	return s[:end]
}

// tagOf returns the name of a tag that the tokenizer found, without a copy of it;
// "" if it is no name of HTML, or a long one.
func tagOf(raw []byte) string {
	var room [16]byte
	name := room[:0]
	for _, c := range bytes.TrimPrefix(raw[1:], []byte("/")) {
		if !isLetterOrDigit(c) && c != '-' {
			if bytes.IndexByte([]byte(" \t\n\f\r/>"), c) < 0 {
				return ""
			}
			break
		}
		if len(name) == cap(name) {
			return ""
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		name = append(name, c)
	}
	if !names[string(name)] {
		return ""
	}
	return atom.Lookup(name).String()
}
