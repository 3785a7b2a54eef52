package get

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// A KeyGuard finds long API keys in records, which must not be stored then, and hides all
// keys in messages. A nil KeyGuard knows no key.
type KeyGuard struct {
	forms   []string       // of long keys, in a text whose JSON and HTML are decoded
	printed *regexp.Regexp // matches every key in its usual encodings; nil without a key
}

// shortKey is the length in bytes below which a key may be a word of the news: it is hidden
// in messages, but no record is refused for it.
const shortKey = 16

// NewKeyGuard returns a guard for keys; empty ones are left out.
func NewKeyGuard(keys ...string) *KeyGuard {
	g := new(KeyGuard)
	var patterns []string
	for _, key := range keys {
		if key == "" {
			continue
		}
		base := []string{
			strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(key)), "="),
			strings.TrimRight(base64.URLEncoding.EncodeToString([]byte(key)), "="),
		}
		pattern := ""
		for _, char := range key {
			pattern += encodings(char)
		}
		patterns = append(patterns, pattern, regexp.QuoteMeta(base[0])+"=*", regexp.QuoteMeta(base[1])+"=*")
		if len(key) >= shortKey {
			g.forms = append(g.forms, key, base[0], base[1])
			for _, form := range []string{url.QueryEscape(key), url.PathEscape(key)} {
				g.forms = append(g.forms, form, percentEscape.ReplaceAllStringFunc(form, strings.ToLower))
			}
		}
	}
	if patterns != nil {
		g.printed = regexp.MustCompile(strings.Join(patterns, "|"))
	}
	return g
}

var percentEscape = regexp.MustCompile(`%[0-9A-F]{2}`)

// encodings returns a pattern for a character as it is, or encoded for an address, for JSON
// or for HTML.
func encodings(char rune) string {
	percent := ""
	for _, b := range []byte(string(char)) {
		percent += fmt.Sprintf("%%%02x", b)
	}
	named := ""
	if !unicode.IsLetter(char) && !unicode.IsDigit(char) {
		named = `|&[a-z]+;` // any name, so that it may hide more than the key
	}
	return fmt.Sprintf(`(?:\\?%s|(?i:%s|\\u%04x|&#0*%d;?|&#x0*%x;?%s))`, regexp.QuoteMeta(string(char)), percent, char, char, char, named)
}

// Format implements [fmt.Formatter], so that no verb prints a key.
func (g *KeyGuard) Format(s fmt.State, _ rune) { fmt.Fprint(s, "get.KeyGuard") }

// Hide replaces the keys in a text, also where they are encoded for an address, for JSON or
// for HTML, or in base64.
func (g *KeyGuard) Hide(text string) string {
	if g == nil || g.printed == nil {
		return text
	}
	return g.printed.ReplaceAllLiteralString(text, "****")
}

const maxMessage = 200 // runes

// Printable makes text of the service fit for a line of a log. It hides the key after removing
// what cannot be printed, which may stand between its letters, and before shortening.
func (g *KeyGuard) Printable(text string) string {
	text = text[:min(len(text), maxErrorBody)] // bounds the work; far more than is shown
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	runes := []rune(g.Hide(strings.Join(strings.Fields(text), " ")))
	return string(runes[:min(len(runes), maxMessage)])
}

// InText reports whether a plain text has a long key.
func (g *KeyGuard) InText(text string) bool {
	if g == nil {
		return false
	}
	for _, form := range g.forms {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// InJSON reports whether the JSON of a record has a long key, also after its strings are
// decoded and their HTML is read.
func (g *KeyGuard) InJSON(raw []byte) bool {
	if g == nil || g.forms == nil || len(raw) == 0 {
		return false
	}
	text := withoutEscapes(raw)
	if g.InText(text) || g.inHTML(text) {
		return true
	}
	text = withoutTags(text) // and the former one leaves the memory
	return g.inHTML(text)
}

// inHTML is InText of a text whose entities are decoded part by part, since a text may be large.
func (g *KeyGuard) inHTML(text string) bool {
	longest := 0
	for _, form := range g.forms {
		longest = max(longest, len(form))
	}
	for before := ""; text != ""; {
		size := min(len(text), partOfText)
		if end := strings.IndexFunc(text[size:], endsEntity); end >= 0 {
			size += end
		} else {
			size = len(text)
		}
		part := before + html.UnescapeString(text[:size])
		if g.InText(part) {
			return true
		}
		before, text = part[max(0, len(part)-longest):], text[size:]
	}
	return false
}

// partOfText is about the size in bytes of a part of a text whose entities are decoded at once.
const partOfText = 1 << 20

// endsEntity reports whether a character is no part of an entity, or begins the next one.
func endsEntity(r rune) bool {
	return r != '#' && r != ';' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// withoutEscapes resolves the escapes in JSON, and removes control characters that they
// stand for: pages do not show them.
func withoutEscapes(raw []byte) string {
	var text strings.Builder
	text.Grow(len(raw)) // growing it step by step would take twice the memory
	for {
		at := bytes.IndexByte(raw, '\\')
		if at < 0 {
			text.Write(raw)
			return text.String()
		}
		text.Write(raw[:at])
		char, size := UnescapeJSON(raw[at:])
		if char[0] >= ' ' {
			text.Write(char)
		}
		raw = raw[at+size:]
	}
}

// withoutTags removes the tags and comments of HTML.
func withoutTags(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if comment, ok := strings.CutPrefix(rest, "!--"); ok {
			_, text, _ = strings.Cut(comment, "-->")
		} else {
			_, text, _ = strings.Cut(rest, ">")
		}
	}
}
