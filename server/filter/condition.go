package filter

import (
	"cmp"
	"strings"

	"ayna/archive"
)

// term computes a value from a record: a string, a float64, which may be a date in
// milliseconds since 1970, or nil for a date or number that is unknown.
type term func(*archive.Values) any

// constant is a term that is the same for all records: a text as the archive stores it.
func constant(value any) term {
	text, isText := value.(string)
	return func(v *archive.Values) any {
		if isText {
			return v.Stored(text)
		}
		return value
	}
}

// operator compares two values.
type operator struct {
	archive  archive.Operator
	mirrored string               // the operator with its sides exchanged
	holds    func(order int) bool // order is that of the values, as [cmp.Compare] returns it
}

var operators = map[string]operator{
	"eq": {archive.Equal, "eq", func(order int) bool { return order == 0 }},
	"ne": {archive.NotEqual, "ne", func(order int) bool { return order != 0 }},
	"gt": {archive.Greater, "lt", func(order int) bool { return order > 0 }},
	"ge": {archive.AtLeast, "le", func(order int) bool { return order >= 0 }},
	"lt": {archive.Less, "gt", func(order int) bool { return order < 0 }},
	"le": {archive.AtMost, "ge", func(order int) bool { return order <= 0 }},
}

// isEquality reports whether the operator is eq or ne.
func (o operator) isEquality() bool {
	return o.archive == archive.Equal || o.archive == archive.NotEqual
}

// relation compares two terms of the same kind, texts byte by byte. An empty text
// and an unknown value equal themselves, and are neither greater nor less than
// anything.
func relation(left term, o operator, right term) *archive.Condition {
	return &archive.Condition{Holds: func(v *archive.Values) bool {
		left, right := left(v), right(v)
		if o.isEquality() {
			return (left == right) == (o.archive == archive.Equal)
		}
		switch l := left.(type) {
		case string:
			r, _ := right.(string)
			return l != "" && r != "" && o.holds(strings.Compare(l, r))
		case float64:
			r, known := right.(float64)
			return known && o.holds(cmp.Compare(l, r))
		}
		return false
	}}
}

// truth is a condition that is true of all records, or of none.
func truth(yes bool) *archive.Condition {
	return &archive.Condition{Exact: yes, Holds: func(*archive.Values) bool { return yes }}
}

// and is true if all conditions are.
func and(list []*archive.Condition) *archive.Condition {
	joined := archive.Condition{Exact: true}
	for _, c := range list {
		joined.Bounds, joined.Exact = append(joined.Bounds, c.Bounds...), joined.Exact && c.Exact
	}
	joined.Holds = func(v *archive.Values) bool {
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
func or(list []*archive.Condition) *archive.Condition {
	return &archive.Condition{Holds: func(v *archive.Values) bool {
		for _, c := range list {
			if c.Holds(v) {
				return true
			}
		}
		return false
	}}
}

// not is true if the condition is false.
func not(c *archive.Condition) *archive.Condition {
	return &archive.Condition{Holds: func(v *archive.Values) bool { return !c.Holds(v) }}
}

// numberOf returns a condition as a term: 1 for true, 0 for false.
func numberOf(c *archive.Condition) term {
	return func(v *archive.Values) any {
		if c.Holds(v) {
			return 1.
		}
		return 0.
	}
}
