// Package filter reads the expressions of $filter: OData's comparisons (eq, ne,
// gt, ge, lt, le, in), and, or, not, parentheses, aliases (@p), and functions of
// texts and dates. Values are strings in single quotes, a quote in them doubled;
// numbers; null, true and false; and dates as Datetime'2014-10-10T10:41:31Z',
// datetimeoffset'…', or in ISO 8601 without quotes. Names and words may be in any
// case.
//
// The API document (section 4) shows the first of these forms only and leaves
// the rest open. The grammar is that of OData 2 and 4.01 without arithmetic,
// collections and types, for which the properties have no use.
package filter

import (
	"fmt"
	"time"

	"ayna/archive"
)

// The limits of an expression. They keep it cheap to read and to answer.
const (
	MaxBytes = 2048
	MaxNodes = 100 // comparisons, functions, and, or, not
	MaxDepth = 16  // parentheses and not inside each other
)

// Property is one that an expression may name.
type Property struct {
	Name    string // as in records: ModifiedDate
	Archive archive.Property
}

// Error says what is wrong with an expression.
type Error struct {
	Position int // the character, counted from 1
	Message  string
}

func (e *Error) Error() string { return fmt.Sprintf("at character %d: %s", e.Position, e.Message) }

// Parse reads an expression in which only the allowed properties may occur. An
// error is an [*Error]. zone is that of dates without an offset. aliases are the
// expressions that @p and the like stand for, by their names in lower case. An
// expression without a word is true of everything.
func Parse(text string, allowed []Property, zone *time.Location, aliases map[string]string) (archive.Condition, error) {
	if len(text) > MaxBytes {
		return nil, &Error{1, fmt.Sprintf("longer than %d bytes", MaxBytes)}
	}
	p := &parser{lexer: lexer{text: text}, allowed: allowed, aliases: aliases, zone: zone}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.token.sort == end {
		return archive.And{}, nil
	}
	whole, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.token.sort != end {
		return nil, p.errorf(p.token, "expected and, or, or the end")
	}
	return p.condition(whole)
}
