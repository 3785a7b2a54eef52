package prose

import (
	"html"
	"strings"

	xhtml "golang.org/x/net/html"
)

// A token is a tag or a text of the source.
type token struct {
	kind xhtml.TokenType
	tag  string
	attr []xhtml.Attribute
	text string // decoded; of an end tag: its letters, if it is no element's
	end  int    // of a start tag in a list: where its end tag stands; 0: nowhere
}

// A lexer reads the source's tags and texts. Comments and doctypes are left
// out, what only looks like a start tag is text.
type lexer struct {
	source string
	z      *xhtml.Tokenizer
	closed map[string]bool // foreign names in its end tags, once they are needed
}

func newLexer(source string) *lexer {
	return &lexer{source: source, z: xhtml.NewTokenizer(strings.NewReader(source))}
}

func (l *lexer) next() (t token, ok bool) {
	for {
		switch kind := l.z.Next(); kind {
		case xhtml.TextToken:
			return token{kind: kind, text: string(l.z.Text())}, true
		case xhtml.ErrorToken: // the end, perhaps in the middle of a tag
			raw := string(l.z.Raw())
			return token{kind: xhtml.TextToken, text: html.UnescapeString(raw)}, raw != "" && !l.isTag(raw)
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken, xhtml.EndTagToken:
			raw := string(l.z.Raw())
			t := l.z.Token()
			if t.Data != "script" && t.Data != "style" {
				// An <iframe> without an end must not swallow the article.
				l.z.NextIsNotRawText()
			}
			words := ""
			if !l.isTag(raw) {
				words = html.UnescapeString(raw)
			}
			switch {
			case kind == xhtml.EndTagToken:
				return token{kind: kind, tag: t.Data, text: words}, true
			case words != "":
				return token{kind: xhtml.TextToken, text: words}, true
			}
			return token{kind: kind, tag: t.Data, attr: t.Attr}, true
		}
	}
}

// isTag reports whether "<…" is meant as a tag: an element of HTML, or one of
// another language, whose name has a colon or hyphen, and which has an
// attribute or an end. All else ("5 <6", "<ad soyad>", "<https://haber.example>",
// "<ali-veli>") is words.
func (l *lexer) isTag(raw string) bool {
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
	return isForeign(name) && (isEnd || strings.HasSuffix(raw, "/>") || strings.Contains(raw, "=") || l.isClosed(asciiLower(name)))
}

func (l *lexer) isClosed(name string) bool {
	if l.closed == nil {
		l.closed = make(map[string]bool)
		_, rest, ok := strings.Cut(l.source, "</")
		for ok {
			if name := tagName(rest); isForeign(name) {
				l.closed[asciiLower(name)] = true
			}
			_, rest, ok = strings.Cut(rest, "</")
		}
	}
	return l.closed[name]
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
