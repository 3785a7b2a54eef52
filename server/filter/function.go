package filter

import (
	"strconv"
	"strings"

	"ayna/archive"
)

// kind is what an operand is.
type kind int

const (
	text kind = iota
	number
	date
	whole // a number from 0 on that is written as such
)

var kindNames = map[kind]string{
	text:   "a string: one in single quotes, a property that is no date, or a function such as tolower",
	number: "a number",
	date:   "a date: a property such as ModifiedDate, or one written as Datetime'2014-10-10T10:41:31Z'",
	whole:  "a whole number, 0 or more",
}

// function is a function of expressions. It makes a condition or a term.
type function struct {
	takes    []kind
	optional int // arguments at the end that may be left out
	holds    func(of []archive.Term) archive.Condition
	gives    kind
	call     archive.Function
}

var functions = map[string]function{
	"startswith":  {takes: []kind{text, text}, holds: func(of []archive.Term) archive.Condition { return contain(of[0], archive.Start, of[1]) }},
	"endswith":    {takes: []kind{text, text}, holds: func(of []archive.Term) archive.Condition { return contain(of[0], archive.End, of[1]) }},
	"contains":    {takes: []kind{text, text}, holds: func(of []archive.Term) archive.Condition { return contain(of[0], archive.Anywhere, of[1]) }},
	"substringof": {takes: []kind{text, text}, holds: func(of []archive.Term) archive.Condition { return contain(of[1], archive.Anywhere, of[0]) }},
	"tolower":     {takes: []kind{text}, gives: text, call: archive.Lower},
	"toupper":     {takes: []kind{text}, gives: text, call: archive.Upper},
	"trim":        {takes: []kind{text}, gives: text, call: archive.Trim},
	"concat":      {takes: []kind{text, text}, gives: text, call: archive.Concat},
	"substring":   {takes: []kind{text, whole, whole}, optional: 1, gives: text, call: archive.Substring},
	"length":      {takes: []kind{text}, gives: number, call: archive.Length},
	"indexof":     {takes: []kind{text, text}, gives: number, call: archive.IndexOf},
	"year":        {takes: []kind{date}, gives: number, call: archive.Year},
	"month":       {takes: []kind{date}, gives: number, call: archive.Month},
	"day":         {takes: []kind{date}, gives: number, call: archive.Day},
	"hour":        {takes: []kind{date}, gives: number, call: archive.Hour},
	"minute":      {takes: []kind{date}, gives: number, call: archive.Minute},
	"second":      {takes: []kind{date}, gives: number, call: archive.Second},
	"date":        {takes: []kind{date}, gives: date, call: archive.Midnight},
}

const functionNames = "startswith, endswith, contains, substringof, tolower, toupper, trim, concat, substring, length, indexof, year, month, day, hour, minute, second, date"

// contain is true of a text that holds another one.
func contain(in archive.Term, part archive.Part, of archive.Term) archive.Condition {
	property, isProperty := in.(archive.Property)
	value, isText := of.(archive.Text)
	switch {
	case isProperty && isText:
		return archive.Contain{Property: property, Part: part, Text: string(value)}
	case part == archive.End:
		return archive.Relation{Left: archive.Call{Function: archive.Suffix, Of: []archive.Term{in, of}}, Operator: archive.Equal, Right: of}
	}
	at := archive.Relation{Left: archive.Call{Function: archive.IndexOf, Of: []archive.Term{in, of}}, Operator: archive.AtLeast, Right: archive.Number(0)}
	if part == archive.Start {
		at.Operator = archive.Equal
	}
	return at
}

// function reads the arguments of a function.
func (p *parser) function(name token) (operand, error) {
	f, ok := functions[strings.ToLower(name.text)]
	if !ok {
		return operand{}, p.errorf(name, "no such function; there are %s", functionNames)
	}
	if err := p.node(name); err != nil {
		return operand{}, err
	}
	if err := p.advance(); err != nil { // the parenthesis
		return operand{}, err
	}
	var of []archive.Term
	for i, takes := range f.takes {
		if i > 0 {
			if i >= len(f.takes)-f.optional && p.token.sort == shut {
				break
			}
			if err := p.expect(comma, ", and another argument"); err != nil {
				return operand{}, err
			}
		}
		argument, err := p.deeper(name, p.operand)
		if err != nil {
			return operand{}, err
		}
		term, err := p.argument(argument, takes)
		if err != nil {
			return operand{}, err
		}
		of = append(of, term)
	}
	if err := p.expect(shut, ")"); err != nil {
		return operand{}, err
	}
	if f.holds != nil {
		return operand{from: name, condition: f.holds(of)}, nil
	}
	if f.call == archive.Substring && len(of) == 2 {
		of = append(of, archive.Number(-1))
	}
	return operand{from: name, term: archive.Call{Function: f.call, Of: of}, kind: f.gives, day: f.call == archive.Midnight}, nil
}

// argument makes the term that a function takes.
func (p *parser) argument(o operand, takes kind) (archive.Term, error) {
	if o.value != nil && (o.value.sort == null || o.value.sort == boolean) {
		return nil, p.errorf(o.from, "expected %s", kindNames[takes])
	}
	if takes == whole {
		const most = 1_000_000
		if o.value != nil && o.value.sort == digits {
			if n, err := strconv.ParseUint(o.value.text, 10, 31); err == nil && n <= most {
				return archive.Number(n), nil
			}
		}
		return nil, p.errorf(o.from, "expected %s", kindNames[takes])
	}
	return p.term(o, takes)
}
