package prose

import (
	"html"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
)

// Plain turns a title, spot or caption into one line of plain text. It removes
// tags (but not the sign of " x < y ", nor a tag without an end), characters that
// XML forbids, byte order marks and direction overrides, decodes entities exactly
// once and collapses white space.
func Plain(text string) string {
	if strings.IndexByte(text, '<') < 0 {
		text = html.UnescapeString(text)
	} else {
		l := newLexer(text)
		l.plain = true
		text = strings.Join(slices.Collect(paragraphs(l)), " ")
	}
	words := StripInvalidXML(text)
	if hasBidiControls(words) {
		words = strings.Map(dropBidiControls, words)
	}
	return collapse(words)
}

// StripInvalidXML removes what XML 1.0 forbids or discourages (section 2.2, Char):
// control characters but tab, line feed and carriage return, and noncharacters. U+0085
// becomes a blank, each stretch of invalid UTF-8 becomes U+FFFD.
func StripInvalidXML(s string) string {
	if isSurelyValidXML(s) {
		return s
	}
	return strings.Map(allowedInXML, strings.ToValidUTF8(s, "\uFFFD"))
}

// isSurelyValidXML reports whether a look at the bytes suffices to see that
// StripInvalidXML changes nothing. It is false for some valid texts.
func isSurelyValidXML(s string) bool {
	for i := range len(s) {
		if suspect[s[i]] {
			return false
		}
	}
	return utf8.ValidString(s)
}

// suspect reports for each byte whether a character that StripInvalidXML changes may
// begin with it.
var suspect = func() (is [256]bool) {
	for c := range is {
		is[c] = c < 0x20 && !strings.ContainsRune("\t\n\r", rune(c)) || c == 0x7F || c == 0xC2 || c >= 0xEF
	}
	return is
}()

func allowedInXML(r rune) rune {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return r
	case r == 0x85:
		return ' '
	case r >= 0x7F && r <= 0x9F, r >= 0xFDD0 && r <= 0xFDEF,
		r < 0x20,
		r&0xFFFE == 0xFFFE:
		return -1
	}
	return r
}

// collapse makes one blank of each stretch of blanks, and none at the ends.
func collapse(s string) string {
	if !strings.Contains(s, "  ") && strings.TrimSpace(s) == s && !hasOtherBlank(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// hasOtherBlank reports whether a text has white space beside the blank. Beyond ASCII, white
// space begins with the bytes C2 and E1 to E3.
func hasOtherBlank(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '\t' && c <= '\r':
			return true
		case c == 0xC2 || c >= 0xE1 && c <= 0xE3:
			if r, _ := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
				return true
			}
		}
	}
	return false
}

// Visible reports whether a text shows something: a letter, digit or sign, and
// not only white space and invisible characters.
func Visible(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsOneOf([]*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S}, r) &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
	})
}

// paragraphs yields the words of a lexer's HTML, decoded once, block by block. What
// looks like a tag but is no element of HTML is words.
func paragraphs(l *lexer) iter.Seq[string] {
	return func(yield func(string) bool) {
		l.bare = true
		var b strings.Builder
		inScript := false // or a style sheet
		for t, ok := l.next(); ok; t, ok = l.next() {
			if t.kind == xhtml.TextToken {
				if !inScript {
					b.WriteString(t.text)
				}
				continue
			}
			if t.kind == xhtml.SelfClosingTagToken {
				l.z.NextIsNotRawText()
			}
			inScript = t.kind == xhtml.StartTagToken && (t.tag == "script" || t.tag == "style")
			switch {
			case t.text != "":
				b.WriteString(t.text)
			case t.tag == "td" || t.tag == "th" || t.tag == "img":
				b.WriteByte(' ')
			case isBlock(t.tag):
				if p := collapse(b.String()); p != "" && !yield(p) {
					return
				}
				b.Reset()
			}
		}
		if p := collapse(b.String()); p != "" {
			yield(p)
		}
	}
}

// Shorten cuts s to at most the given number of runes, between words where it
// can, and marks the cut with "…". It never cuts inside of what a reader sees as
// one character.
func Shorten(s string, runes int) string {
	if utf8.RuneCountInString(s) <= runes {
		return s
	}
	if runes < 1 {
		return ""
	}
	rs := make([]rune, 0, 256)
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
	return strings.TrimRightFunc(string(rs[:end]), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:.–—-…", r) // which look odd before an ellipsis
	}) + "…"
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

// dropBidiControls removes byte order marks and the embeddings, overrides and
// isolates (UAX 9) with which a title would reverse the list that shows it.
func dropBidiControls(r rune) rune {
	if isBidiControlOrBOM(r) {
		return -1
	}
	return r
}

// hasBidiControls reports whether s holds a character that dropBidiControls removes. It
// first looks for the first bytes of these characters, which few texts contain.
func hasBidiControls(s string) bool {
	return (strings.IndexByte(s, 0xE2) >= 0 || strings.IndexByte(s, 0xEF) >= 0) && strings.ContainsFunc(s, isBidiControlOrBOM)
}

// isBidiControlOrBOM reports whether r begins or ends an embedding, override or isolate
// (UAX 9), or is a byte order mark. It is false for U+200E, U+200F and U+061C, which order
// only the characters beside them.
func isBidiControlOrBOM(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0xFEFF
}

// balanceDirections removes what XML forbids and keeps bidi controls from reaching
// beyond a text: it closes those that are open at the end and drops those that
// close nothing (UAX 9).
func balanceDirections(s string) string {
	s = StripInvalidXML(s)
	if !hasBidiControls(s) {
		return s
	}
	const popDirection, popIsolate = 0x202C, 0x2069
	var b strings.Builder
	var due []rune
	for _, r := range s {
		switch {
		case r == 0xFEFF:
			continue
		case r == popDirection || r == popIsolate:
			if len(due) == 0 || due[len(due)-1] != r {
				continue
			}
			due = due[:len(due)-1]
		case isBidiControlOrBOM(r) && r >= 0x2066:
			due = append(due, popIsolate)
		case isBidiControlOrBOM(r):
			due = append(due, popDirection)
		}
		b.WriteRune(r)
	}
	slices.Reverse(due)
	return b.String() + string(due)
}
