package archive

import (
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

// Of the columns only dates may be NULL.
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
type Condition interface{ write(*clause) }

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
)

// clause is an expression of SQL with its parameters.
type clause struct {
	engine engine
	sql    strings.Builder
	args   []any
}

func (c *clause) add(sql string, args ...any) {
	c.sql.WriteString(sql)
	c.args = append(c.args, args...)
}

func (c *clause) join(list []Condition, with, empty string) {
	if len(list) == 0 {
		c.add(empty)
		return
	}
	c.add("(")
	for i, condition := range list {
		if i > 0 {
			c.add(with)
		}
		condition.write(c)
	}
	c.add(")")
}

func (a And) write(c *clause) { c.join(a, " AND ", "TRUE") }
func (o Or) write(c *clause)  { c.join(o, " OR ", "FALSE") }

func (n Not) write(c *clause) {
	c.add("NOT (")
	n.Condition.write(c)
	c.add(")")
}

func (x Compare) write(c *clause) {
	if x.Property.IsDate() {
		x.writeDate(c)
		return
	}
	column := propertyColumns[x.Property]
	text, _ := x.Value.(string) // none is as good as an empty one
	switch {
	case x.Operator == Equal:
		condition, args := c.engine.equals(column, text)
		c.add(condition, args...)
	case x.Operator == NotEqual:
		c.add(column+" <> ?", text)
	case text == "":
		c.add("FALSE")
	default:
		c.add("("+column+" <> '' AND "+column+" "+operatorSigns[x.Operator]+" ?)", text)
	}
}

func (x Compare) writeDate(c *clause) {
	column := propertyColumns[x.Property]
	t, known := x.Value.(time.Time)
	switch {
	case !known && x.Operator == Equal:
		c.add(column + " IS NULL")
	case !known && x.Operator == NotEqual:
		c.add(column + " IS NOT NULL")
	case !known:
		c.add("FALSE")
	case x.Operator == NotEqual:
		c.add("("+column+" IS NULL OR "+column+" <> ?)", t.UnixMilli())
	default:
		c.add("("+column+" IS NOT NULL AND "+column+" "+operatorSigns[x.Operator]+" ?)", t.UnixMilli())
	}
}

func (x Contain) write(c *clause) {
	column := propertyColumns[x.Property]
	switch {
	case x.Text == "":
		c.add("TRUE")
	case x.Part == Start:
		c.add("instr("+column+", ?) = 1", x.Text)
	case x.Part == Anywhere:
		c.add("instr("+column+", ?) > 0", x.Text)
	default:
		condition, args := c.engine.ends(column, x.Text)
		c.add(condition, args...)
	}
}
