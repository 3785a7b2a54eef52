package archive

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Property is what a list can be narrowed and ordered by.
type Property int

// The properties of conditions and orders.
const (
	ByID Property = iota
	ByPath
	ByTitle
	ByWriter    // the first writer's id
	ByModified  // a date
	ByPublished // a date
)

// propertyColumns are their columns. Of those only dates may be NULL.
var propertyColumns = [...]string{ByID: "record.id", ByPath: "path", ByTitle: "title", ByWriter: "writer_id", ByModified: "modified", ByPublished: "published"}

// IsDate reports whether the property is a date. The others are strings.
func (p Property) IsDate() bool { return p == ByModified || p == ByPublished }

// Operator compares a property with a value.
type Operator int

// The operators of comparisons.
const (
	Equal Operator = iota
	NotEqual
	Greater
	AtLeast
	Less
	AtMost
)

var operatorSigns = [...]string{Equal: "=", NotEqual: "<>", Greater: ">", AtLeast: ">=", Less: "<", AtMost: "<="}

// Part is where in a property a text is looked for.
type Part int

// The parts of a property.
const (
	Start Part = iota
	End
	Anywhere
)

// Condition is what has to be true of a record. It is either true or false,
// also of a record that lacks the property: that equals nil, and is neither
// greater nor less than anything.
type Condition interface {
	holds(*properties) bool
	uses(func(Property)) // calls it for every property that the condition reads
}

// properties are those of one record.
type properties struct {
	columns [len(propertyColumns)]any // a string, an int64 or nil; those that no condition reads may be missing
	stored  func(text string) string  // how a column has a text
}

type (
	// And is true if all are; an empty one is true.
	And []Condition
	// Or is true if one is; an empty one is false.
	Or []Condition
	// Not is true if the condition is not.
	Not struct{ Condition Condition }
	// Compare is one comparison. Value is a string, of a date a time.Time,
	// which counts to the millisecond; or nil. Strings are compared byte by
	// byte, and an empty one is as good as none.
	Compare struct {
		Property Property
		Operator Operator
		Value    any
	}
	// Contain is true if a property that is a string holds Text there, byte for
	// byte.
	Contain struct {
		Property Property
		Part     Part
		Text     string
	}
	// Relation compares two texts, byte by byte, or two numbers. As in Compare, an
	// empty text and Null equal themselves, and are neither greater nor less than
	// anything.
	Relation struct {
		Left     Term
		Operator Operator
		Right    Term
	}
	// Match compares two conditions; true is greater than false.
	Match struct {
		Left     Condition
		Operator Operator
		Right    Condition
	}
)

func (a And) holds(p *properties) bool {
	return !slices.ContainsFunc(a, func(c Condition) bool { return !c.holds(p) })
}

func (o Or) holds(p *properties) bool {
	return slices.ContainsFunc(o, func(c Condition) bool { return c.holds(p) })
}

func (n Not) holds(p *properties) bool { return !n.Condition.holds(p) }

func (x Compare) holds(p *properties) bool {
	var value Term
	switch v := x.Value.(type) {
	case string:
		value = Text(v)
	case time.Time:
		value = Number(v.UnixMilli())
	default:
		value = Null{}
		if !x.Property.IsDate() {
			value = Text("")
		}
	}
	return Relation{x.Property, x.Operator, value}.holds(p)
}

func (x Contain) holds(p *properties) bool {
	text, _ := p.columns[x.Property].(string)
	part := p.stored(x.Text)
	switch x.Part {
	case Start:
		return strings.HasPrefix(text, part)
	case End:
		return strings.HasSuffix(text, part)
	}
	return strings.Contains(text, part)
}

func (x Relation) holds(p *properties) bool {
	left, right := x.Left.value(p), x.Right.value(p)
	if x.Operator <= NotEqual {
		return (left == right) == (x.Operator == Equal)
	}
	switch l := left.(type) {
	case string:
		r, _ := right.(string)
		return l != "" && r != "" && x.Operator.holds(strings.Compare(l, r))
	case float64:
		r, known := right.(float64)
		return known && x.Operator.holds(cmp.Compare(l, r))
	}
	return false
}

func (x Match) holds(p *properties) bool {
	number := map[bool]int{true: 1}
	return x.Operator.holds(cmp.Compare(number[x.Left.holds(p)], number[x.Right.holds(p)]))
}

// holds reports whether the operator is true of two values that compare so, as
// [cmp.Compare] does.
func (o Operator) holds(compared int) bool {
	switch o {
	case Equal:
		return compared == 0
	case NotEqual:
		return compared != 0
	case Greater:
		return compared > 0
	case AtLeast:
		return compared >= 0
	case Less:
		return compared < 0
	}
	return compared <= 0
}

func (a And) uses(visit func(Property)) {
	for _, c := range a {
		c.uses(visit)
	}
}

func (o Or) uses(visit func(Property))      { And(o).uses(visit) }
func (n Not) uses(visit func(Property))     { n.Condition.uses(visit) }
func (x Compare) uses(visit func(Property)) { visit(x.Property) }
func (x Contain) uses(visit func(Property)) { visit(x.Property) }
func (x Match) uses(visit func(Property))   { And{x.Left, x.Right}.uses(visit) }

func (x Relation) uses(visit func(Property)) {
	x.Left.uses(visit)
	x.Right.uses(visit)
}

// indexed returns the parts of a condition that an index can find, as SQL: of
// the condition itself, or of an And, comparisons of a text that is equal and of
// dates. complete reports whether they are all of it.
func indexed(e engine, condition Condition) (parts []string, args []any, complete bool) {
	list, isAnd := condition.(And)
	if !isAnd {
		list = And{condition}
	}
	complete = true
	for _, c := range list {
		x, _ := c.(Compare)
		text, isText := x.Value.(string)
		date, isDate := x.Value.(time.Time)
		switch column := propertyColumns[x.Property]; {
		case isText && x.Operator == Equal:
			part, values := e.equals(column, text)
			parts, args = append(parts, part), append(args, values...)
		case isDate && x.Operator != NotEqual:
			parts, args = append(parts, column+" "+operatorSigns[x.Operator]+" ?"), append(args, date.UnixMilli())
		default:
			complete = false
		}
	}
	return parts, args, complete
}
