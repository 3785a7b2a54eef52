package filter

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
)

// literal is the type of a literal.
type literal int

const (
	none literal = iota // not a literal
	str
	digits
	instant
	boolean
	null
)

var (
	numeric  = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	dateLike = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	// lostPlus is a + that a query string turned into a blank.
	lostPlus = regexp.MustCompile(` ([0-9]{2}:?[0-9]{2})$`)
)

const dateForm = "write a date as Datetime'2014-10-10T10:41:31Z'"

// wordLiteral reads a word as a literal. A name has the literal none.
func (p *parser) wordLiteral(from token) operand {
	o := operand{from: from, text: strings.ToLower(from.text)}
	switch {
	case from.is("null"):
		o.literal = null
	case from.is("true"), from.is("false"):
		o.literal = boolean
	case numeric.MatchString(from.text):
		o.literal = digits
	case dateLike.MatchString(from.text):
		return p.date(from)
	}
	return o
}

// quoted reads a string, or a date with the name of its type before it.
func (p *parser) quoted(from token) operand {
	switch from.typeName {
	case "":
		return operand{from: from, literal: str, text: from.text}
	case "datetime", "datetimeoffset":
		return p.date(from)
	}
	p.fail(from, "no such type of value; %s", dateForm)
	return operand{}
}

func (p *parser) date(from token) operand {
	if _, ok := parseDate(from.text, p.zone); !ok {
		p.fail(from, "no date; %s", dateForm)
	}
	return operand{from: from, literal: instant, text: from.text}
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

// kind is the type of a term.
type kind int

const (
	text kind = iota
	number
	date
	whole      // a literal number, 0 or more
	truthValue // true or false
)

var kindNames = map[kind]string{
	text:   "a string: one in single quotes, a property that is no date, or a function such as tolower",
	number: "a number",
	date:   "a date: a property such as ModifiedDate, or one written as Datetime'2014-10-10T10:41:31Z'",
	whole:  "a whole number, 0 or more",
}

// isCondition reports whether the operand is true or false.
func (o operand) isCondition() bool { return o.condition != nil || o.literal == boolean }

// kindOf returns the kind of an operand: text for null, and for a string, which may also be
// read as a date. A number may also be read as text.
func (o operand) kindOf() kind {
	switch {
	case o.term != nil:
		return o.kind
	case o.literal == instant:
		return date
	case o.literal == digits:
		return number
	}
	return text
}

// as returns the operand as a term of that kind.
func (p *parser) as(want kind, o operand) term {
	if o.term != nil && o.kind == want {
		return o.term
	}
	if o.term == nil {
		if value, ok := p.value(want, o); ok {
			return constant(value)
		}
	}
	p.fail(o.from, "expected %s", kindNames[want])
	return nil
}

// value returns a literal as a value of that kind, as a [term] returns it. A number
// counts as a string where one is wanted: ids are strings.
func (p *parser) value(want kind, o operand) (value any, ok bool) {
	switch {
	case want == text && (o.literal == str || o.literal == digits):
		return o.text, true
	case want == text && o.literal == null:
		return "", true
	case o.literal == null:
		return nil, true
	case want == number && o.literal == digits:
		n, err := strconv.ParseFloat(o.text, 64)
		return n, err == nil
	case want == date && (o.literal == instant || o.literal == str):
		t, ok := parseDate(o.text, p.zone)
		return float64(t.UnixMilli()), ok
	}
	return nil, false
}

// compare makes a comparison of two operands.
func (p *parser) compare(left operand, o operator, right operand) *archive.Condition {
	if left.literal != none && right.literal == none {
		left, right, o = right, left, operators[o.mirrored]
	}
	switch {
	case left.literal == null && right.literal == null:
		return truth(o.archive == archive.Equal)
	case left.isCondition():
		return p.compareConditions(left, o, right)
	}
	want := left.kindOf()
	switch other := right.kindOf(); {
	case left.literal == null, left.literal == str && other == date, left.literal == digits && right.literal == str:
		want = other // of two literals, the right one may decide the kind
	}
	if left.isDay || right.isDay { // days are compared in UTC
		defer func(zone *time.Location) { p.zone = zone }(p.zone)
		p.zone = time.UTC
	}
	condition := relation(p.as(want, left), o, p.as(want, right))
	if left.property != "" && right.literal != none {
		value, _ := p.value(want, right)
		condition.Bounds = bounds(left.property, o.archive, value)
		condition.Exact = condition.Bounds != nil
	}
	return condition
}

// bounds returns the comparison of a property with a value for an index, nil if no index
// can find it.
func bounds(property archive.Property, operator archive.Operator, value any) []archive.Bound {
	switch value := value.(type) {
	case string:
		if operator == archive.Equal {
			return []archive.Bound{{Property: property, Operator: operator, Value: value}}
		}
	case float64: // a date in milliseconds: other properties are strings
		if operator != archive.NotEqual {
			return []archive.Bound{{Property: property, Operator: operator, Value: int64(value)}}
		}
	}
	return nil
}

// compareConditions compares a condition with another one, or with true, false or null.
func (p *parser) compareConditions(left operand, o operator, right operand) *archive.Condition {
	if right.literal == null {
		return truth(o.archive == archive.NotEqual)
	}
	one := p.condition(left)
	if !right.isCondition() {
		p.fail(right.from, "a condition is compared with true, false or another condition")
	}
	if right.literal == boolean && o.isEquality() { // the plain condition can use an index
		if (right.text == "true") == (o.archive == archive.Equal) {
			return one
		}
		return not(one)
	}
	return relation(numberOf(one), o, numberOf(p.condition(right)))
}

// function reads the arguments of a function and returns its call.
func (p *parser) function(name token) operand {
	f, ok := functions[strings.ToLower(name.text)]
	if !ok {
		p.fail(name, "no such function; there are %s", strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
	}
	p.node(name)
	p.advance() // the parenthesis
	var arguments []term
	for i, takes := range f.takes {
		if i > 0 {
			if i >= len(f.takes)-f.optional && p.token.kind == closing {
				break
			}
			p.expect(comma, ", and another argument")
		}
		arguments = append(arguments, p.argument(p.deeper(name, p.operand), takes))
	}
	p.expect(closing, ")")
	call := func(v *archive.Values) any {
		of := make([]any, len(arguments))
		for i, argument := range arguments {
			of[i] = argument(v)
		}
		return f.call(of)
	}
	if f.result == truthValue {
		return operand{from: name, condition: &archive.Condition{Holds: func(v *archive.Values) bool { return call(v).(bool) }}}
	}
	return operand{from: name, term: call, kind: f.result, isDay: name.is("date")}
}

// argument returns the operand as an argument of a function.
func (p *parser) argument(o operand, takes kind) term {
	const largest = 1_000_000
	switch {
	case o.literal == null || o.literal == boolean:
	case takes != whole:
		return p.as(takes, o)
	case o.literal == digits:
		if n, err := strconv.ParseUint(o.text, 10, 31); err == nil && n <= largest {
			return constant(float64(n))
		}
	}
	p.fail(o.from, "expected %s", kindNames[takes])
	return nil
}
