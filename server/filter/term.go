package filter

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"ayna/archive"
)

// valueSort is the sort of a value.
type valueSort int

const (
	str valueSort = iota
	digits
	instant
	boolean
	null
)

type value struct {
	sort valueSort
	text string    // of strings, numbers and dates, as it was written
	time time.Time // of dates
	yes  bool      // of booleans
}

var (
	numeric  = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	dateLike = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	// lostPlus is a + that a query string turned into a blank.
	lostPlus = regexp.MustCompile(` ([0-9]{2}:?[0-9]{2})$`)
)

const dateForm = "write a date as Datetime'2014-10-10T10:41:31Z'"

// wordValue reads a word as a value. It is nil if the word is a name.
func (p *parser) wordValue(from token) *value {
	switch {
	case from.is("null"):
		return &value{sort: null}
	case from.is("true"), from.is("false"):
		return &value{sort: boolean, yes: from.is("true")}
	case numeric.MatchString(from.text):
		return &value{sort: digits, text: from.text}
	case dateLike.MatchString(from.text):
		return p.date(from)
	}
	return nil
}

// quotedValue reads a string, or a date with the name of its type before it.
func (p *parser) quotedValue(from token) *value {
	switch from.kind {
	case "":
		return &value{sort: str, text: from.text}
	case "datetime", "datetimeoffset":
		return p.date(from)
	}
	p.fail(from, "no such type of value; %s", dateForm)
	return nil
}

func (p *parser) date(from token) *value {
	t, ok := parseDate(from.text, p.zone)
	if !ok {
		p.fail(from, "no date; %s", dateForm)
	}
	return &value{sort: instant, time: t, text: from.text}
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

// is reports whether the operand is a value of that sort.
func (o operand) is(s valueSort) bool { return o.value != nil && o.value.sort == s }

// isCondition reports whether the operand is true or false.
func (o operand) isCondition() bool { return o.condition != nil || o.is(boolean) }

// kindOf returns the kind of an operand; for a value that fits several, the first.
func (o operand) kindOf() kind {
	switch {
	case o.term != nil:
		return o.kind
	case o.property != nil && o.property.Archive.IsDate(), o.is(instant):
		return date
	case o.is(digits):
		return number
	}
	return text
}

// term returns the operand as a term of that kind. A number counts as a string
// where one is wanted: ids are strings.
func (p *parser) term(o operand, want kind) archive.Term {
	switch {
	case o.term != nil && o.kind == want:
		return o.term
	case o.property != nil && (want == date) == o.property.Archive.IsDate() && want != number:
		return o.property.Archive
	case want == text && (o.is(str) || o.is(digits)):
		return archive.Text(o.value.text)
	case want == text && o.is(null):
		return archive.Text("")
	case o.is(null):
		return archive.Null{}
	case want == number && o.is(digits):
		if n, err := strconv.ParseFloat(o.value.text, 64); err == nil {
			return archive.Number(n)
		}
	case want == date && o.is(instant):
		return archive.Number(o.value.time.UnixMilli())
	case want == date && o.is(str):
		if t, ok := parseDate(o.value.text, p.zone); ok {
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
	if left.value != nil && right.value == nil {
		left, right, operator = right, left, mirrored[operator]
	}
	switch {
	case left.is(null) && right.is(null):
		return truth(operator == archive.Equal)
	case left.isCondition():
		return p.match(left, operator, right)
	case left.property != nil && right.value != nil:
		return archive.Compare{Property: left.property.Archive, Operator: operator, Value: p.convert(left.property, right)}
	}
	want := left.kindOf()
	switch other := right.kindOf(); {
	case left.is(null), left.is(str) && other == date, left.is(digits) && right.is(str):
		want = other // of two values, the right one may decide the kind
	}
	if left.day || right.day {
		left, right = left.inUTC(), right.inUTC()
	}
	return archive.Relation{Left: p.term(left, want), Operator: operator, Right: p.term(right, want)}
}

// convert returns the value that a property is compared with. A number counts as
// a string: ids are strings.
func (p *parser) convert(property *Property, o operand) any {
	isDate := property.Archive.IsDate()
	switch {
	case o.is(null):
		return nil
	case isDate && o.is(instant):
		return o.value.time
	case isDate:
		if t, ok := parseDate(o.value.text, p.zone); ok && o.is(str) {
			return t
		}
		p.fail(o.from, "%s is a date; %s", property.Name, dateForm)
	case !o.is(str) && !o.is(digits):
		p.fail(o.from, "%s is a string; write it in single quotes", property.Name)
	}
	return o.value.text
}

// inUTC reads a date without an offset in UTC: days are compared there.
func (o operand) inUTC() operand {
	if o.is(instant) || o.is(str) {
		if t, ok := parseDate(o.value.text, time.UTC); ok {
			o.value = &value{sort: instant, time: t, text: o.value.text}
		}
	}
	return o
}

// match compares a condition with another one, or with true, false or null.
func (p *parser) match(left operand, operator archive.Operator, right operand) archive.Condition {
	if right.is(null) {
		return truth(operator == archive.NotEqual)
	}
	one := p.condition(left)
	if !right.isCondition() {
		p.fail(right.from, "a condition is compared with true, false or another condition")
	}
	if right.is(boolean) && operator <= archive.NotEqual { // the plain condition can use an index
		if right.value.yes == (operator == archive.Equal) {
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

const functionNames = "startswith, endswith, contains, substringof, tolower, toupper, trim, concat, substring, length, indexof, year, month, day, hour, minute, second, date"

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
		both := []archive.Term{in, of}
		switch part {
		case archive.Start:
			return archive.Relation{Left: archive.Call{Function: archive.IndexOf, Of: both}, Operator: archive.Equal, Right: archive.Number(0)}
		case archive.End:
			return archive.Relation{Left: archive.Call{Function: archive.Suffix, Of: both}, Operator: archive.Equal, Right: of}
		}
		return archive.Relation{Left: archive.Call{Function: archive.IndexOf, Of: both}, Operator: archive.AtLeast, Right: archive.Number(0)}
	}
}

// function reads the arguments of a function.
func (p *parser) function(name token) operand {
	f, ok := functions[strings.ToLower(name.text)]
	if !ok {
		p.fail(name, "no such function; there are %s", functionNames)
	}
	p.node(name)
	p.advance() // the parenthesis
	var of []archive.Term
	for i, takes := range f.takes {
		if i > 0 {
			if i >= len(f.takes)-f.optional && p.token.sort == shut {
				break
			}
			p.expect(comma, ", and another argument")
		}
		of = append(of, p.argument(p.deeper(name, p.operand), takes))
	}
	p.expect(shut, ")")
	if f.condition != nil {
		return operand{from: name, condition: f.condition(of)}
	}
	if f.call == archive.Substring && len(of) == 2 {
		of = append(of, archive.Number(-1))
	}
	return operand{from: name, term: archive.Call{Function: f.call, Of: of}, kind: f.result, day: f.call == archive.Midnight}
}

// argument returns the operand as an argument of a function.
func (p *parser) argument(o operand, takes kind) archive.Term {
	const largest = 1_000_000
	switch {
	case o.is(null) || o.is(boolean):
	case takes != whole:
		return p.term(o, takes)
	case o.is(digits):
		if n, err := strconv.ParseUint(o.value.text, 10, 31); err == nil && n <= largest {
			return archive.Number(n)
		}
	}
	p.fail(o.from, "expected %s", kindNames[takes])
	return nil
}
