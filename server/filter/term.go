package filter

import (
	"strconv"
	"time"

	"ayna/archive"
)

// is reports whether the operand is a value of that sort.
func (o operand) is(s valueSort) bool { return o.value != nil && o.value.sort == s }

// isCondition reports whether the operand is true or false.
func (o operand) isCondition() bool { return o.condition != nil || o.is(boolean) }

// kindOf returns what an operand is; for a value that fits several, the first.
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

// term makes a term of an operand, if it can be one of that kind. A number
// stands for its digits where a string is wanted: ids are strings.
func (p *parser) term(o operand, want kind) (archive.Term, error) {
	switch {
	case o.term != nil && o.kind == want:
		return o.term, nil
	case o.property != nil && (want == date) == o.property.Archive.IsDate() && want != number:
		return o.property.Archive, nil
	case o.value != nil && want == text && (o.is(str) || o.is(digits)):
		return archive.Text(o.value.text), nil
	case want == text && o.is(null):
		return archive.Text(""), nil
	case o.is(null):
		return archive.Null{}, nil
	case want == number && o.is(digits):
		if n, err := strconv.ParseFloat(o.value.text, 64); err == nil {
			return archive.Number(n), nil
		}
	case want == date && o.is(instant):
		return archive.Number(o.value.time.UnixMilli()), nil
	case want == date && o.is(str):
		if t, ok := parseDate(o.value.text, p.zone); ok {
			return archive.Number(t.UnixMilli()), nil
		}
	}
	return nil, p.errorf(o.from, "expected %s", kindNames[want])
}

// compare makes a comparison of two operands.
func (p *parser) compare(at token, left operand, operator archive.Operator, right operand) (archive.Condition, error) {
	if left.value != nil && right.value == nil {
		left, right, operator = right, left, mirrored[operator]
	}
	switch {
	case left.is(null) && right.is(null):
		return truth(operator == archive.Equal), nil
	case left.isCondition():
		return p.match(left, operator, right)
	case left.property != nil && right.value != nil:
		v, err := p.convert(left.property, right)
		return archive.Compare{Property: left.property.Archive, Operator: operator, Value: v}, err
	}
	want := left.kindOf()
	switch other := right.kindOf(); {
	case left.is(null), left.is(str) && other == date, left.is(digits) && right.is(str):
		want = other // two values: what one leaves open, the other says
	}
	if left.day || right.day {
		left, right = left.inUTC(), right.inUTC()
	}
	one, err := p.term(left, want)
	if err != nil {
		return nil, err
	}
	other, err := p.term(right, want)
	return archive.Relation{Left: one, Operator: operator, Right: other}, err
}

// inUTC reads a date without an offset as one in UTC: days are compared there.
func (o operand) inUTC() operand {
	if o.is(instant) || o.is(str) {
		if t, ok := parseDate(o.value.text, time.UTC); ok {
			o.value = &value{sort: instant, time: t, text: o.value.text}
		}
	}
	return o
}

// match compares a condition with another one, with true, false or null.
func (p *parser) match(left operand, operator archive.Operator, right operand) (archive.Condition, error) {
	if right.is(null) {
		return truth(operator == archive.NotEqual), nil
	}
	one, err := p.condition(left)
	if err != nil {
		return nil, err
	}
	if !right.isCondition() {
		return nil, p.errorf(right.from, "a condition is compared with true, false or another condition")
	}
	other, err := p.condition(right)
	if err != nil {
		return nil, err
	}
	if right.is(boolean) && operator <= archive.NotEqual { // as it stands, so that an index serves it
		if right.value.yes == (operator == archive.Equal) {
			return one, nil
		}
		return archive.Not{Condition: one}, nil
	}
	return archive.Match{Left: one, Operator: operator, Right: other}, nil
}
