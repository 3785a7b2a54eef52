// Package filter reads the expressions of $filter: OData's comparisons (eq, ne,
// gt, ge, lt, le, in), and, or, not, parentheses, aliases (@p), and functions of
// texts and dates. Values are strings in single quotes, a quote in them doubled;
// numbers; null, true and false; and dates as Datetime'2014-10-10T10:41:31Z',
// datetimeoffset'…', or in ISO 8601 without quotes. Names and words may be in any
// case.
//
// The API document (section 4) shows only the first of these forms and leaves
// the rest open. The grammar is that of OData 2 and 4.01 without arithmetic,
// collections and types, for which the properties have no use.
package filter

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ayna/archive"
)

// The limits of an expression. They keep it cheap to read and to answer.
const (
	MaxBytes = 2048
	MaxNodes = 100 // comparisons, functions, and, or, not
	MaxDepth = 16  // parentheses and not inside each other
)

// Property is a property that an expression may name.
type Property struct {
	Name    string // as in records: ModifiedDate
	Archive archive.Property
}

// Error describes a mistake in an expression.
type Error struct {
	Position int // the character, counted from 1
	Message  string
}

func (e *Error) Error() string { return fmt.Sprintf("at character %d: %s", e.Position, e.Message) }

// Parse reads an expression that may name the allowed properties only. An error
// is an [*Error]. Dates without an offset are in zone. aliases holds the
// expressions of @p and so on by name in lower case. An expression without a word
// is true of everything.
func Parse(text string, allowed []Property, zone *time.Location, aliases map[string]string) (condition archive.Condition, err error) {
	if len(text) > MaxBytes {
		return nil, &Error{1, fmt.Sprintf("longer than %d bytes", MaxBytes)}
	}
	p := &parser{lexer: lexer{text: text}, allowed: allowed, aliases: aliases, zone: zone}
	defer p.catch(func(e *Error) { condition, err = nil, e })
	p.advance()
	if p.token.sort == end {
		return archive.And{}, nil
	}
	whole := p.or()
	if p.token.sort != end {
		p.fail(p.token, "expected and, or, or the end")
	}
	return p.condition(whole), nil
}

// sort is the sort of a token.
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
	at   int    // offset in bytes
	text string // the word, or the content of a string
	kind string // the word before a string's first quote, in lower case
}

// is reports whether the token is that word.
func (t token) is(name string) bool { return t.sort == word && strings.EqualFold(t.text, name) }

// lexer splits an expression into tokens.
type lexer struct {
	text string
	at   int
}

// fail ends the parsing with an error at a token. [parser.catch] receives it.
func (l *lexer) fail(at token, format string, args ...any) {
	panic(&Error{utf8.RuneCountInString(l.text[:at.at]) + 1, fmt.Sprintf(format, args...)})
}

// catch, deferred, calls handle with the error of fail, if there is one.
func (l *lexer) catch(handle func(*Error)) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		handle(e)
	default:
		panic(e)
	}
}

func (l *lexer) next() token {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	t := token{at: l.at}
	if l.at == len(l.text) {
		return t
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
	return t
}

func (l *lexer) wordOrString(t token) token {
	for l.at < len(l.text) && inWord(l.text[l.at]) {
		l.at++
	}
	t.sort, t.text = word, l.text[t.at:l.at]
	switch {
	case l.at < len(l.text) && l.text[l.at] == '\'':
		t.sort, t.kind = quoted, strings.ToLower(t.text)
		t.text = l.quotedText()
	case t.text == "":
		l.fail(t, "unexpected character; strings stand in single quotes")
	}
	return t
}

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("_-+.:/$@", c) >= 0
}

// quotedText reads a string up to its last quote. A doubled one is a quote in it.
func (l *lexer) quotedText() string {
	start := token{at: l.at}
	var b strings.Builder
	for {
		text, rest, closed := strings.Cut(l.text[l.at+1:], "'")
		if !closed {
			l.fail(start, "this quote is not closed; a quote in a string is doubled")
		}
		b.WriteString(text)
		l.at = len(l.text) - len(rest)
		if !strings.HasPrefix(rest, "'") {
			break
		}
		b.WriteByte('\'')
	}
	if !utf8.ValidString(b.String()) {
		l.fail(start, "this string is not UTF-8")
	}
	return b.String()
}
