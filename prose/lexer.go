package prose

import (
	"bytes"
	"html"
	"strings"

	xhtml "golang.org/x/net/html"
)

// A token is a tag or a text of the source.
type token struct {
	kind xhtml.TokenType
	tag  string
	attr []xhtml.Attribute
	text string // decoded; of an end tag: the tag itself, if it is no element's
	end  int    // of a start tag: the index of its end tag in the list of tokens, or 0
}

// A lexer reads the source's tags and texts. It leaves out comments and doctypes.
// What only looks like a start tag is text.
type lexer struct {
	plain  bool // a tag without an end is words, unless the source has cut the text there
	bare   bool // tags have no attributes, of which one may have millions
	source string
	at     int // the place in the source behind the latest token
	z      *xhtml.Tokenizer
	script string          // the name of the script or style sheet that is open, or ""
	closed map[string]bool // foreign names in its end tags, once they are needed
}

// maxToken is the size in bytes at which the tokenizer gives up a tag, text or comment. Only a
// text that is read for its words is that long. The tokenizer remembers each attribute of a tag.
const maxToken = maxText + 1

func newLexer(source string) *lexer {
	l := &lexer{source: source}
	l.begin()
	return l
}

// begin has the tokenizer read what is left of the source.
func (l *lexer) begin() {
	l.z = xhtml.NewTokenizer(strings.NewReader(l.source[l.at:]))
	l.z.SetMaxBuf(maxToken)
}

// leap goes on behind a token that is too long to be read whole. It returns what was read of a
// text; a tag, a comment or a script is left out to its end.
func (l *lexer) leap(kind xhtml.TokenType, raw []byte) (words string) {
	begin, rest := l.at-len(raw), l.source[l.at:]
	switch {
	case l.script != "":
		end := strings.Index(asciiLower(rest), "</"+l.script)
		if end < 0 {
			end = len(rest)
		}
		l.at += end
	case kind == xhtml.TextToken:
		if end := bytes.LastIndexAny(raw, " \n<&"); end > 0 {
			l.at = begin + end
		}
		words = html.UnescapeString(l.source[begin:l.at])
	default:
		end := ">"
		if bytes.HasPrefix(raw, []byte("<!--")) {
			end = "-->"
		}
		_, rest, _ = strings.Cut(rest, end)
		l.at = len(l.source) - len(rest)
	}
	l.begin()
	return words
}

func (l *lexer) next() (t token, ok bool) {
	for {
		kind := l.z.Next()
		raw := l.z.Raw()
		if l.at += len(raw); len(raw) >= maxToken {
			return token{kind: xhtml.TextToken, text: l.leap(kind, raw)}, true
		}
		switch kind {
		case xhtml.TextToken:
			return token{kind: kind, text: string(l.z.Text())}, true
		case xhtml.ErrorToken: // the end, perhaps in the middle of a tag
			isWords := len(raw) > 0 && (!l.isTag(raw) || l.plain && !isCutOff(raw))
			return token{kind: xhtml.TextToken, text: html.UnescapeString(string(raw))}, isWords
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken, xhtml.EndTagToken:
			words := ""
			if !l.isTag(raw) {
				words = html.UnescapeString(string(raw))
			}
			t := l.tag() // overwrites raw
			if t.Data != "script" && t.Data != "style" {
				// An <iframe> without an end must not swallow the article.
				l.z.NextIsNotRawText()
			}
			if l.script = ""; kind == xhtml.StartTagToken && (t.Data == "script" || t.Data == "style") {
				l.script = t.Data
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

// tag returns the tag at which the lexer is.
func (l *lexer) tag() xhtml.Token {
	if l.bare {
		name, _ := l.z.TagName()
		return xhtml.Token{Data: string(name)}
	}
	return l.z.Token()
}

// isTag reports whether "<…" is a tag of an element of HTML; or of a foreign one,
// whose name has a colon or hyphen, with an attribute or an end tag. All else
// ("5 <6", "<ad soyad>", "<https://haber.example>", "<ali-veli>") is words.
func (l *lexer) isTag(raw []byte) bool {
	rest, ok := bytes.CutPrefix(raw, []byte("<"))
	if !ok {
		return false
	}
	rest, isEnd := bytes.CutPrefix(rest, []byte("/"))
	name := tagName(rest)
	switch {
	case bytes.HasPrefix(rest[len(name):], []byte("@")), bytes.HasSuffix(name, []byte(":")): // of mail, of the web
		return false
	case names[string(name)], names[asciiLower(string(name))]:
		return true
	}
	return isForeign(name) && (isEnd || bytes.HasSuffix(raw, []byte("/>")) || bytes.IndexByte(raw, '=') >= 0 || l.isClosed(string(name)))
}

// isCutOff reports whether a tag without an end is where the source has cut a text: an end
// tag, or one with an attribute's value. A quote that was left open may hold a ">".
func isCutOff(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("</")) || bytes.IndexByte(raw, '=') >= 0 && bytes.IndexByte(raw, '>') < 0
}

// isClosed reports whether an end tag of the source has a foreign name.
func (l *lexer) isClosed(name string) bool {
	if l.closed == nil {
		l.closed = make(map[string]bool)
		_, rest, _ := strings.Cut(l.source, "</")
		for end := range strings.SplitSeq(rest, "</") {
			if name := tagName(end); isForeign(name) {
				l.closed[asciiLower(name)] = true
			}
		}
	}
	return l.closed[asciiLower(name)]
}

func isForeign[T stringOrBytes](name T) bool {
	return len(name) <= 60 && strings.ContainsAny(string(name), ":-")
}

type stringOrBytes interface{ string | []byte }

// tagName returns the name at the start of s, which is a tag without its "<" or "</".
// Dots of a cut may follow the name of a cut-off tag.
func tagName[T stringOrBytes](s T) T {
	for i := range len(s) {
		if c := s[i]; c < 0x80 && c != ':' && c != '-' && !isLetterOrDigit(c) {
			return s[:i]
		}
	}
	return s
}
