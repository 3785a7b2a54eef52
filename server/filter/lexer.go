package filter

import (
	"strings"
	"unicode/utf8"
)

// sort is what a token is.
type sort int

const (
	end    sort = iota
	open        // (
	shut        // )
	comma       // ,
	word        // a name, a number, a bare date
	quoted      // a string
)

// token is a part of an expression.
type token struct {
	sort sort
	at   int    // byte where it begins
	text string // the word; of a string its content
	kind string // the word before a string's first quote, in lower case
}

// is reports whether the token is that word.
func (t token) is(name string) bool { return t.sort == word && strings.EqualFold(t.text, name) }

// lexer cuts an expression into tokens.
type lexer struct {
	text string
	at   int
}

func (l *lexer) errorAt(at int, message string) error {
	return &Error{utf8.RuneCountInString(l.text[:at]) + 1, message}
}

func (l *lexer) next() (token, error) {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	t := token{at: l.at}
	if l.at == len(l.text) {
		return t, nil
	}
	switch l.text[l.at] {
	case '(':
		t.sort = open
	case ')':
		t.sort = shut
	case ',':
		t.sort = comma
	default:
		return l.wordOrString(t)
	}
	l.at++
	return t, nil
}

func (l *lexer) wordOrString(t token) (token, error) {
	for l.at < len(l.text) && inWord(l.text[l.at]) {
		l.at++
	}
	t.sort, t.text = word, l.text[t.at:l.at]
	if l.at < len(l.text) && l.text[l.at] == '\'' {
		t.sort, t.kind = quoted, strings.ToLower(t.text)
		return l.content(t)
	}
	if t.text == "" {
		return t, l.errorAt(l.at, "unexpected character; strings stand in single quotes")
	}
	return t, nil
}

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_-+.:/$@", c) >= 0
}

// content reads a string up to its last quote. A doubled one stands for itself.
func (l *lexer) content(t token) (token, error) {
	var b strings.Builder
	start := l.at
	for l.at++; l.at < len(l.text); l.at++ {
		if l.text[l.at] == '\'' {
			if l.at++; l.at == len(l.text) || l.text[l.at] != '\'' {
				t.text = b.String()
				if !utf8.ValidString(t.text) {
					return t, l.errorAt(start, "this string is not UTF-8")
				}
				return t, nil
			}
		}
		b.WriteByte(l.text[l.at])
	}
	return t, l.errorAt(start, "this quote is not closed; a quote in a string is doubled")
}
