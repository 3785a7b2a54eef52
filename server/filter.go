package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"ayna/archive"
)

var properties = map[string]archive.Property{
	"Id":           archive.ByID,
	"Path":         archive.ByPath,
	"WriterId":     archive.ByWriter,
	"ModifiedDate": archive.ByModified,
}

var operators = map[string]archive.Operator{"eq": archive.Equal, "ge": archive.AtLeast, "le": archive.AtMost}

// parseFilter reads a $filter: comparisons by eq, ge and le, joined by and.
func parseFilter(text string, allowed []string) ([]archive.Condition, error) {
	const longest = 2048
	if len(text) > longest {
		return nil, refuse(http.StatusBadRequest, "$filter is longer than %d bytes", longest)
	}
	p := &filterParser{text: text, allowed: allowed}
	var where []archive.Condition
	for p.skipBlanks(); p.at < len(text); p.skipBlanks() {
		if len(where) > 0 && p.word() != "and" {
			return nil, p.errorf("comparisons are joined by and")
		}
		condition, err := p.comparison()
		if err != nil {
			return nil, err
		}
		where = append(where, condition)
	}
	return where, nil
}

type filterParser struct {
	text    string
	at      int // byte
	allowed []string
}

func (p *filterParser) errorf(message string) error {
	return refuse(http.StatusBadRequest, "$filter, at character %d: %s", p.at+1, message)
}

func (p *filterParser) skipBlanks() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

// word reads up to the next blank or quote.
func (p *filterParser) word() string {
	p.skipBlanks()
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != ' ' && p.text[p.at] != '\'' {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *filterParser) comparison() (archive.Condition, error) {
	var c archive.Condition
	name := p.word()
	if !slices.Contains(p.allowed, name) {
		return c, p.errorf("allowed properties are " + strings.Join(p.allowed, ", "))
	}
	c.Property = properties[name]
	operator, ok := operators[p.word()]
	if !ok {
		return c, p.errorf("allowed operators are eq, ge, le")
	}
	c.Operator = operator
	value, err := p.value()
	if err != nil {
		return c, err
	}
	c.Value = value
	if c.Property == archive.ByModified {
		t, err := parseDate(value)
		if err != nil {
			return c, p.errorf("write a date as Datetime'2014-10-10T10:41:31Z'")
		}
		c.Value = t
	}
	return c, nil
}

// value reads a string in quotes, doubled inside, with or without the name of
// a type before it, or a bare word.
func (p *filterParser) value() (string, error) {
	prefix := p.word()
	if p.at == len(p.text) || p.text[p.at] != '\'' {
		if prefix == "" {
			return "", p.errorf("a value is missing")
		}
		return prefix, nil
	}
	switch strings.ToLower(prefix) {
	case "", "datetime", "datetimeoffset":
	default:
		return "", p.errorf("unknown type of value")
	}
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		if p.text[p.at] != '\'' {
			b.WriteByte(p.text[p.at])
			continue
		}
		if p.at++; p.at == len(p.text) || p.text[p.at] != '\'' {
			return b.String(), nil
		}
		b.WriteByte('\'')
	}
	return "", p.errorf("a quote is not closed")
}

func parseDate(text string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, refuse(http.StatusBadRequest, "no date")
}
