// Package filter parses the expressions of $filter into conditions for the archive:
// the text goes into [Parse], and a [query.Condition] comes out.
//
// An expression compares properties with values by eq, ne, gt, ge, lt and le, and joins
// comparisons with and, or, not and parentheses. Values are strings in single quotes, a
// quote in them doubled; numbers; and dates as Datetime'2014-10-10T10:41:31Z',
// datetimeoffset'…', or in ISO 8601 with or without quotes. Names and words may be in any
// case. The API document (section 4) shows only some of these forms.
//
// Begin with parser.go, which finds the structure of an expression; value.go reads and
// compares values.
package filter

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"ayna/archive/query"
)

// The limits of an expression. They keep it cheap to read and to answer.
const (
	MaxBytes = 2048
	MaxNodes = 100 // comparisons, and, or, not
	MaxDepth = 16  // parentheses and not inside each other
)

// Property is a property that an expression may name.
type Property struct {
	Name    string // as in records: ModifiedDate
	Archive query.Property
}

// Names joins the names of properties for a message.
func Names(properties []Property) string {
	var names []string
	for _, property := range properties {
		names = append(names, property.Name)
	}
	return strings.Join(names, ", ")
}

// Error is a mistake in an expression.
type Error struct {
	Position int // the character, counted from 1
	Message  string
}

func (e *Error) Error() string { return fmt.Sprintf("at character %d: %s", e.Position, e.Message) }

// Parse parses an expression, which may name the allowed properties only. Its error is
// an [*Error]. Dates without an offset are in zone. An empty expression is true of all
// records.
func Parse(text string, allowed []Property, zone *time.Location) (condition *query.Condition, err error) {
	if len(text) > MaxBytes {
		return nil, &Error{1, fmt.Sprintf("longer than %d bytes", MaxBytes)}
	}
	p := &parser{lexer: lexer{text: text}, allowed: allowed, zone: zone}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *Error:
			condition, err = nil, e
		default:
			panic(e)
		}
	}()
	p.advance()
	if p.token.kind == end {
		return and(nil), nil
	}
	condition = p.or()
	if p.token.kind != end {
		p.fail(p.token, "expected and, or, or the end")
	}
	if !condition.Exact {
		condition.Uses = p.uses
	}
	return condition, nil
}

// token is a part of an expression.
type token struct {
	kind     tokenKind
	at       int    // offset in bytes
	text     string // the word, or the content of a string
	typeName string // the word before a string's first quote, in lower case
}

// tokenKind is the kind of a token.
type tokenKind int

const (
	end     tokenKind = iota
	opening           // (
	closing           // )
	word              // a name, a number, a bare date
	quoted            // a string
)

// is reports whether the token is that word.
func (t token) is(name string) bool { return t.kind == word && strings.EqualFold(t.text, name) }

// lexer splits an expression into tokens.
type lexer struct {
	text string
	at   int
}

// fail ends the parsing with an error at a token. [Parse] receives it.
func (l *lexer) fail(at token, format string, args ...any) {
	panic(&Error{utf8.RuneCountInString(l.text[:at.at]) + 1, fmt.Sprintf(format, args...)})
}

// tokens matches a parenthesis, a string with the word before it, a word, or the empty text.
var tokens = regexp.MustCompile(`^(?:([()])|([-\w+.:/$@]*)'((?:[^']|'')*)'|([-\w+.:/$@]+)|)`)

func (l *lexer) next() token {
	rest := strings.TrimLeft(l.text[l.at:], " \t\r\n")
	t := token{at: len(l.text) - len(rest)}
	if rest == "" {
		return t
	}
	m := tokens.FindStringSubmatch(rest)
	after := rest[len(m[0]):]
	switch {
	case m[1] != "":
		t.kind = opening + tokenKind(strings.Index("()", m[1]))
	case strings.HasPrefix(after, "'"): // a string that is not closed
		l.fail(token{at: t.at + strings.IndexByte(rest, '\'')}, "this quote is not closed; a quote in a string is doubled")
	case m[0] == "":
		l.fail(t, "unexpected character; strings stand in single quotes")
	case m[4] != "":
		t.kind, t.text = word, m[4]
	default:
		t.kind, t.typeName, t.text = quoted, strings.ToLower(m[2]), strings.ReplaceAll(m[3], "''", "'")
		if !utf8.ValidString(t.text) {
			l.fail(token{at: t.at + len(m[2])}, "this string is not UTF-8")
		}
	}
	l.at = t.at + len(m[0])
	return t
}
