package filter

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/archive"
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

// wordLiteral reads a word as a literal. The literal is none if the word is a name.
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

// parseDate reads a date of ISO 8601, cut to the millisecond like the dates of
// the service.
func parseDate(text string, zone *time.Location) (time.Time, bool) {
	text = strings.ToUpper(lostPlus.ReplaceAllString(strings.TrimSpace(text), "+$1")) // t and z may be small
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		time.DateOnly, "2006-01-02T15:04:05Z0700"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.Truncate(time.Millisecond), true
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
	whole // a literal number, 0 or more
)

var kindNames = map[kind]string{
	text:   "a string: one in single quotes, a property that is no date, or a function such as tolower",
	number: "a number",
	date:   "a date: a property such as ModifiedDate, or one written as Datetime'2014-10-10T10:41:31Z'",
	whole:  "a whole number, 0 or more",
}

// isCondition reports whether the operand is true or false.
func (o operand) isCondition() bool { return o.condition != nil || o.literal == boolean }

// kindOf returns the kind of an operand; of a literal that fits several, the first.
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

// as returns the operand as a term of that kind. A number counts as a string
// where one is wanted: ids are strings.
func (p *parser) as(want kind, o operand) archive.Term {
	switch {
	case o.term != nil && o.kind == want:
		return o.term
	case want == text && (o.literal == str || o.literal == digits):
		return archive.Text(o.text)
	case want == text && o.literal == null:
		return archive.Text("")
	case o.literal == null:
		return archive.Null{}
	case want == number && o.literal == digits:
		if n, err := strconv.ParseFloat(o.text, 64); err == nil {
			return archive.Number(n)
		}
	case want == date && (o.literal == instant || o.literal == str):
		if t, ok := parseDate(o.text, p.zone); ok {
			return archive.Number(t.UnixMilli())
		}
	}
	p.fail(o.from, "expected %s", kindNames[want])
	return nil
}

var mirrored = map[archive.Operator]archive.Operator{
	archive.Equal: archive.Equal, archive.NotEqual: archive.NotEqual,
	archive.Greater: archive.Less, archive.AtLeast: archive.AtMost, archive.Less: archive.Greater, archive.AtMost: archive.AtLeast,
}

// compare makes a comparison of two operands.
func (p *parser) compare(left operand, operator archive.Operator, right operand) archive.Condition {
	if left.literal != none && right.literal == none {
		left, right, operator = right, left, mirrored[operator]
	}
	switch {
	case left.literal == null && right.literal == null:
		return truth(operator == archive.Equal)
	case left.isCondition():
		return p.match(left, operator, right)
	}
	want := left.kindOf()
	switch other := right.kindOf(); {
	case left.literal == null, left.literal == str && other == date, left.literal == digits && right.literal == str:
		want = other // of two literals, the right one may decide the kind
	}
	if isDay(left) || isDay(right) { // days are compared in UTC
		defer func(zone *time.Location) { p.zone = zone }(p.zone)
		p.zone = time.UTC
	}
	one, other := p.as(want, left), p.as(want, right)
	if property, ok := one.(archive.Property); ok && right.literal != none {
		return archive.Compare{Property: property, Operator: operator, Value: valueOf(other)}
	}
	return archive.Relation{Left: one, Operator: operator, Right: other}
}

func isDay(o operand) bool {
	call, ok := o.term.(archive.Call)
	return ok && call.Function == archive.Midnight
}

// valueOf returns a literal as [archive.Compare], which can use an index, has it.
func valueOf(literal archive.Term) any {
	switch v := literal.(type) {
	case archive.Text:
		return string(v)
	case archive.Number:
		return time.UnixMilli(int64(v))
	}
	return nil
}

// match compares a condition with another one, or with true, false or null.
func (p *parser) match(left operand, operator archive.Operator, right operand) archive.Condition {
	if right.literal == null {
		return truth(operator == archive.NotEqual)
	}
	one := p.condition(left)
	if !right.isCondition() {
		p.fail(right.from, "a condition is compared with true, false or another condition")
	}
	if right.literal == boolean && operator <= archive.NotEqual { // the plain condition can use an index
		if (right.text == "true") == (operator == archive.Equal) {
			return one
		}
		return archive.Not{Condition: one}
	}
	return archive.Match{Left: one, Operator: operator, Right: p.condition(right)}
}

// function is a function of expressions. It makes a condition or a term.
type function struct {
	takes     []kind
	optional  int // arguments at the end that may be left out
	condition func(of []archive.Term) archive.Condition
	result    kind
	call      archive.Function
}

var functions = map[string]function{
	"startswith":  {takes: []kind{text, text}, condition: contains(archive.Start, 0, 1)},
	"endswith":    {takes: []kind{text, text}, condition: contains(archive.End, 0, 1)},
	"contains":    {takes: []kind{text, text}, condition: contains(archive.Anywhere, 0, 1)},
	"substringof": {takes: []kind{text, text}, condition: contains(archive.Anywhere, 1, 0)},
	"tolower":     {takes: []kind{text}, result: text, call: archive.Lower},
	"toupper":     {takes: []kind{text}, result: text, call: archive.Upper},
	"trim":        {takes: []kind{text}, result: text, call: archive.Trim},
	"concat":      {takes: []kind{text, text}, result: text, call: archive.Concat},
	"substring":   {takes: []kind{text, whole, whole}, optional: 1, result: text, call: archive.Substring},
	"length":      {takes: []kind{text}, result: number, call: archive.Length},
	"indexof":     {takes: []kind{text, text}, result: number, call: archive.IndexOf},
	"year":        {takes: []kind{date}, result: number, call: archive.Year},
	"month":       {takes: []kind{date}, result: number, call: archive.Month},
	"day":         {takes: []kind{date}, result: number, call: archive.Day},
	"hour":        {takes: []kind{date}, result: number, call: archive.Hour},
	"minute":      {takes: []kind{date}, result: number, call: archive.Minute},
	"second":      {takes: []kind{date}, result: number, call: archive.Second},
	"date":        {takes: []kind{date}, result: date, call: archive.Midnight},
}

// contains makes the condition that the argument numbered in contains the one
// numbered of.
func contains(part archive.Part, in, of int) func([]archive.Term) archive.Condition {
	return func(arguments []archive.Term) archive.Condition {
		in, of := arguments[in], arguments[of]
		property, isProperty := in.(archive.Property)
		value, isText := of.(archive.Text)
		if isProperty && isText {
			return archive.Contain{Property: property, Part: part, Text: string(value)}
		}
		index := archive.Call{Function: archive.IndexOf, Of: []archive.Term{in, of}}
		switch part {
		case archive.Start:
			return archive.Relation{Left: index, Operator: archive.Equal, Right: archive.Number(0)}
		case archive.End:
			return archive.Relation{Left: archive.Call{Function: archive.Suffix, Of: index.Of}, Operator: archive.Equal, Right: of}
		}
		return archive.Relation{Left: index, Operator: archive.AtLeast, Right: archive.Number(0)}
	}
}

// function reads the arguments of a function.
func (p *parser) function(name token) operand {
	f, ok := functions[strings.ToLower(name.text)]
	if !ok {
		p.fail(name, "no such function; there are %s", strings.Join(slices.Sorted(maps.Keys(functions)), ", "))
	}
	p.node(name)
	p.advance() // the parenthesis
	var of []archive.Term
	for i, takes := range f.takes {
		if i > 0 {
			if i >= len(f.takes)-f.optional && p.token.kind == closing {
				break
			}
			p.expect(comma, ", and another argument")
		}
		of = append(of, p.argument(p.deeper(name, p.operand), takes))
	}
	p.expect(closing, ")")
	if f.condition != nil {
		return operand{from: name, condition: f.condition(of)}
	}
	if f.call == archive.Substring && len(of) == 2 {
		of = append(of, archive.Number(-1))
	}
	return operand{from: name, term: archive.Call{Function: f.call, Of: of}, kind: f.result}
}

// argument returns the operand as an argument of a function.
func (p *parser) argument(o operand, takes kind) archive.Term {
	const largest = 1_000_000
	switch {
	case o.literal == null || o.literal == boolean:
	case takes != whole:
		return p.as(takes, o)
	case o.literal == digits:
		if n, err := strconv.ParseUint(o.text, 10, 31); err == nil && n <= largest {
			return archive.Number(n)
		}
	}
	p.fail(o.from, "expected %s", kindNames[takes])
	return nil
}
