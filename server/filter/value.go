package filter

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"ayna/archive/query"
	"ayna/client"
)

// operand is one side of a comparison: a property or a literal.
type operand struct {
	from     token
	property query.Property // "" for a literal
	literal  literalType    // if there is no property
}

// literalType is the type of a literal.
type literalType int

const (
	str literalType = iota // in quotes; may be read as a date
	digits
	instant
)

var (
	numeric  = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	dateLike = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	// lostPlus is a + that a query string turned into a blank.
	lostPlus = regexp.MustCompile(` ([0-9]{2}:?[0-9]{2})$`)
)

const dateForm = "write a date as Datetime'2014-10-10T10:41:31Z'"

// literal reads a token as a literal. ok is false for a name.
func (p *parser) literal(from token) (o operand, ok bool) {
	o.from = from
	switch {
	case from.kind == word && numeric.MatchString(from.text):
		o.literal = digits
	case from.kind == word && dateLike.MatchString(from.text), from.typeName == "datetime", from.typeName == "datetimeoffset":
		if _, ok := parseDate(from.text, p.zone); !ok {
			p.fail(from, "no date; %s", dateForm)
		}
		o.literal = instant
	case from.typeName != "":
		p.fail(from, "no such type of value; %s", dateForm)
	case from.kind == word:
		return o, false
	}
	return o, true
}

// parseDate parses a date of ISO 8601 and truncates it to milliseconds, like the dates
// of the service.
func parseDate(text string, zone *time.Location) (time.Time, bool) {
	text = strings.ToUpper(lostPlus.ReplaceAllString(strings.TrimSpace(text), "+$1")) // t and z may be lower case
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		time.DateOnly, "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			d := client.Date{Time: t, Floating: !strings.Contains(layout, "Z07")}
			return d.At(zone).Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}

// operator compares two values.
type operator struct {
	archive  query.Operator
	mirrored string               // the operator with its sides exchanged
	holds    func(order int) bool // order is that of the values, as [cmp.Compare] returns it
}

var operators = map[string]operator{
	"eq": {query.Equal, "eq", func(order int) bool { return order == 0 }},
	"ne": {query.NotEqual, "ne", func(order int) bool { return order != 0 }},
	"gt": {query.Greater, "lt", func(order int) bool { return order > 0 }},
	"ge": {query.AtLeast, "le", func(order int) bool { return order >= 0 }},
	"lt": {query.Less, "gt", func(order int) bool { return order < 0 }},
	"le": {query.AtMost, "ge", func(order int) bool { return order <= 0 }},
}

// compare makes a comparison of a property with a literal. A number counts as a string: ids
// are strings.
func (p *parser) compare(property query.Property, o operator, value operand) *query.Condition {
	if property.IsDate() {
		t, ok := parseDate(value.from.text, p.zone)
		if !ok || value.literal == digits {
			p.fail(value.from, "expected a date; %s", dateForm)
		}
		return compareDate(property, o, t.UnixMilli())
	}
	if value.literal == instant {
		p.fail(value.from, "expected a string in single quotes")
	}
	return compareText(property, o, value.from.text)
}

// compareDate compares a date with milliseconds since 1970. An unknown date differs from
// every other one, and is neither before nor after it.
func compareDate(property query.Property, o operator, value int64) *query.Condition {
	c := &query.Condition{Holds: func(v query.Values) bool {
		date, known := v.Of(property).(float64)
		return known && o.holds(cmp.Compare(date, float64(value))) || !known && o.archive == query.NotEqual
	}}
	if o.archive != query.NotEqual { // an index finds the others
		c.Bounds, c.Exact = []query.Bound{{Property: property, Operator: o.archive, Value: value}}, true
	}
	return c
}

// compareText compares texts byte by byte. An empty text equals itself, and is neither less
// nor greater than anything.
func compareText(property query.Property, o operator, value string) *query.Condition {
	isEquality := o.archive == query.Equal || o.archive == query.NotEqual
	c := &query.Condition{Holds: func(v query.Values) bool {
		text, value := v.Of(property).(string), v.Stored(value)
		return (isEquality || text != "" && value != "") && o.holds(strings.Compare(text, value))
	}}
	if o.archive == query.Equal {
		c.Bounds, c.Exact = []query.Bound{{Property: property, Operator: o.archive, Value: value}}, true
	}
	return c
}

// and is true if all conditions are.
func and(list []*query.Condition) *query.Condition {
	joined := query.Condition{Exact: true}
	for _, c := range list {
		joined.Bounds, joined.Exact = append(joined.Bounds, c.Bounds...), joined.Exact && c.Exact
	}
	joined.Holds = func(v query.Values) bool {
		for _, c := range list {
			if !c.Holds(v) {
				return false
			}
		}
		return true
	}
	return &joined
}

// or is true if one condition is.
func or(list []*query.Condition) *query.Condition {
	return &query.Condition{Holds: func(v query.Values) bool {
		for _, c := range list {
			if c.Holds(v) {
				return true
			}
		}
		return false
	}}
}

// not is true if the condition is false.
func not(c *query.Condition) *query.Condition {
	return &query.Condition{Holds: func(v query.Values) bool { return !c.Holds(v) }}
}
