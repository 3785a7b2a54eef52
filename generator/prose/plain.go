package prose

import (
	"html"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
)

// Plain turns a title, spot or caption into one line of plain text: tags are
// taken out (but not the sign of " x < y "), entities decoded exactly once,
// blanks of every kind collapsed, and what XML forbids, byte order marks and
// the characters that turn the direction of writing removed.
func Plain(text string) string {
	words := ""
	if strings.IndexByte(text, '<') < 0 {
		words = html.UnescapeString(text)
	} else {
		var b strings.Builder
		b.Grow(len(text))
		strip(text, func(s string) { b.WriteString(s) }, func() bool { return b.WriteByte(' ') == nil })
		words = b.String()
	}
	words = XML(words)
	if mayHaveDirections(words) {
		words = strings.Map(dropDirections, words)
	}
	return collapse(words)
}

// XML removes what XML 1.0 forbids or discourages (section 2.2, Char): control
// characters but tab, line feed and carriage return, and noncharacters. U+0085
// becomes a blank, each stretch of invalid UTF-8 becomes U+FFFD.
func XML(s string) string {
	if plainXML(s) {
		return s
	}
	return strings.Map(allowedInXML, strings.ToValidUTF8(s, "\uFFFD"))
}

// plainXML reports whether a glance shows that a text holds nothing to remove:
// most texts are valid, and of all forbidden characters U+0080 and above the
// first bytes are few.
func plainXML(s string) bool {
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7F, c == '\n', c == '\t', c == '\r':
			i++
		case c > 0xC2 && c < 0xE0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80: // U+00C0 to U+07FF
			i += 2
		case c >= 0xE0 && c < 0xEF:
			_, size := utf8.DecodeRuneInString(s[i:])
			if size == 1 {
				return false
			}
			i += size
		default:
			return false
		}
	}
	return true
}

func allowedInXML(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return r
	case r == 0x85:
		return ' '
	case r < 0x20, r >= 0x7F && r <= 0x9F, r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return -1
	}
	return r
}

// collapse makes one blank of each stretch of blanks, and none at the ends.
func collapse(s string) string {
	if collapsed(s, unicode.IsSpace) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for word := range strings.FieldsSeq(s) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String()
}

// collapsed reports whether the words of a text, which is most often so, are
// divided by one blank each already.
func collapsed(s string, isBlank func(rune) bool) bool {
	after := true // a blank, or the beginning
	for _, r := range s {
		if isBlank(r) {
			if after || r != ' ' {
				return false
			}
			after = true
			continue
		}
		after = false
	}
	return !after || s == ""
}

// Visible reports whether there is something to see of a text: a letter, digit
// or sign, and not only blanks and characters that show nothing.
func Visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S}, r) &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// paragraphs yields the words of a piece of HTML, block by block.
func paragraphs(markup string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var b strings.Builder
		flush := func() bool {
			p := collapse(b.String())
			b.Reset()
			return p == "" || yield(p)
		}
		if strip(markup, func(s string) { b.WriteString(s) }, flush) {
			flush()
		}
	}
}

// strip reads HTML and hands on its words, decoded once, and where a block
// begins or ends, until block is false, and reports whether it came to the end.
// What looks like a tag but is no element of HTML are words.
func strip(markup string, words func(string), block func() bool) bool {
	tags := tags{text: markup}
	z := xhtml.NewTokenizer(strings.NewReader(markup))
	skip := false // inside of a script or style sheet
	for {
		kind := z.Next()
		switch kind {
		case xhtml.ErrorToken:
			if raw := string(z.Raw()); !tags.isTag(raw) {
				words(html.UnescapeString(raw))
			}
			return true
		case xhtml.TextToken:
			if !skip {
				words(html.UnescapeString(string(z.Raw())))
			}
		case xhtml.StartTagToken, xhtml.EndTagToken, xhtml.SelfClosingTagToken:
			raw, tag := "", tagOf(z.Raw())
			if tag == "" {
				raw = string(z.Raw())
				name, _ := z.TagName()
				tag = string(name)
			}
			skip = kind == xhtml.StartTagToken && (tag == "script" || tag == "style")
			if !skip {
				z.NextIsNotRawText()
			}
			switch {
			case raw != "" && !tags.isTag(raw):
				words(html.UnescapeString(raw))
			case tag == "td" || tag == "th" || tag == "img":
				words(" ")
			case isBlock(tag) && !block():
				return false
			}
		}
	}
}

// Shorten cuts s to at most the given number of runes, at the border of a word
// where there is one, and says so with "…". It never cuts inside of what a
// reader sees as one character.
func Shorten(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	if runes < 1 {
		return ""
	}
	rs := make([]rune, 0, 256) // what would not stay is not looked at
	for _, r := range s {
		if rs = append(rs, r); len(rs) == runes {
			break
		}
	}
	end := runes - 1
	for end > 0 && !isBorder(rs, end) {
		end--
	}
	for i := end; i > end/2; i-- {
		if unicode.IsSpace(rs[i]) {
			end = i
			break
		}
	}
	return strings.TrimRightFunc(string(rs[:end]), endsNoSentence) + "…"
}

// endsNoSentence reports what looks odd before an ellipsis.
func endsNoSentence(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune(",;:.–—-…", r)
}

// isBorder reports whether rs may be cut before rs[i]: an approximation of
// UAX 29 that joins at least what the standard joins for letters and emoji.
func isBorder(rs []rune, i int) bool {
	const joiner = 0x200D
	before, after := rs[i-1], rs[i]
	switch {
	case unicode.In(after, unicode.M), after == joiner, before == joiner:
		return false
	case after >= 0x1F3FB && after <= 0x1F3FF, after >= 0xE0020 && after <= 0xE007F: // skin tones, tags of flags
		return false
	case unicode.In(after, unicode.Hangul) && after < 0x1200: // a syllable written in parts
		return false
	case before == '\r' && after == '\n':
		return false
	}
	return !unicode.Is(unicode.Regional_Indicator, after) || flagsBefore(rs, i)%2 == 0
}

// flagsBefore counts the halves of flags that stand before rs[i].
func flagsBefore(rs []rune, i int) int {
	n := 0
	for n < i && unicode.Is(unicode.Regional_Indicator, rs[i-1-n]) {
		n++
	}
	return n
}
