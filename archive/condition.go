package archive

import (
	"fmt"
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

// Term is a value that a condition computes from a record: a text or a number.
type Term interface{ write(*clause) }

type (
	// Text is a term that is the same for all records.
	Text string
	// Number is one, too. A date is its milliseconds since 1970.
	Number float64
	// Null is a number or a date that is missing.
	Null struct{}
	// Call is a function of terms.
	Call struct {
		Function Function
		Of       []Term
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

// Function makes a term of others.
type Function int

// Functions of texts that are texts.
const (
	Lower     Function = iota // A to Z and the letters of Turkish; I and İ become i
	Upper                     // i and ı become I
	Trim                      // without white space at both ends
	Concat                    // two texts
	Substring                 // of a text, from a character counted from 0, so many characters; -1 is all
	Suffix                    // of a text, as many last characters as another text has
	verbatim                  // a text that is a parameter
)

// Functions that are numbers.
const (
	Length  Function = iota + 100 // of a text, in characters
	IndexOf                       // of the second text in the first one, in characters from 0; -1 if it is not there
	Year                          // of a date, in UTC, like those that follow
	Month
	Day
	Hour
	Minute
	Second
	Midnight // the date at which the day of a date begins
)

// isText reports whether a term is a text.
func isText(t Term) bool {
	switch t := t.(type) {
	case Text:
		return true
	case Property:
		return !t.IsDate()
	case Call:
		return t.Function < Length
	}
	return false
}

func (p Property) write(c *clause) { c.add(propertyColumns[p]) }
func (t Text) write(c *clause)     { c.add(c.engine.call(verbatim, "CAST(? AS text)"), string(t)) }
func (n Number) write(c *clause)   { c.add("CAST(? AS double precision)", float64(n)) }
func (Null) write(c *clause)       { c.add("NULL") }

func (f Call) write(c *clause) { c.add(c.engine.call(f.Function, c.expressions(f.Of)...)) }

// commonCalls are the functions that both engines write alike, for
// [fmt.Sprintf].
var commonCalls = map[Function]string{
	Trim:     "trim(%s, '" + whiteSpace + "')",
	Concat:   "(%s || %s)",
	IndexOf:  "(instr(%s, %s) - 1)",
	Midnight: "(floor(%s / 86400000.0) * 86400000)",
}

// whiteSpace are the characters that Unicode calls so.
const whiteSpace = "\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000"

// The letters beyond A to Z that Lower and Upper change.
const (
	capitals   = "ÇĞİÖŞÜÂÎÛ"
	fromSmall  = "çğıöşüâîû"
	toCapitals = "ÇĞIÖŞÜÂÎÛ"
	toSmall    = "çğiöşüâîû"
)

func (x Relation) write(c *clause) {
	sign := operatorSigns[x.Operator]
	switch {
	case isText(x.Left) && x.Operator <= NotEqual:
		c.addTerms("(%s "+sign+" %s)", x.Left, x.Right)
	case isText(x.Left):
		c.addTerms("(%s <> '' AND %s <> '' AND %s "+sign+" %s)", x.Left, x.Right, x.Left, x.Right)
	case x.Operator == Equal:
		c.addTerms("(%s IS NOT DISTINCT FROM %s)", x.Left, x.Right)
	case x.Operator == NotEqual:
		c.addTerms("(%s IS DISTINCT FROM %s)", x.Left, x.Right)
	default:
		c.addTerms("coalesce(%s "+sign+" %s, FALSE)", x.Left, x.Right)
	}
}

// addTerms adds an expression with terms in it.
func (c *clause) addTerms(format string, terms ...Term) {
	fmt.Fprintf(&c.sql, format, c.expressions(terms)...)
}

// expressions returns terms as SQL, and adds their parameters.
func (c *clause) expressions(terms []Term) []any {
	var list []any
	for _, term := range terms {
		sub := clause{engine: c.engine}
		term.write(&sub)
		list = append(list, sub.sql.String())
		c.args = append(c.args, sub.args...)
	}
	return list
}

func (x Match) write(c *clause) {
	c.add("((")
	x.Left.write(c)
	c.add(") " + operatorSigns[x.Operator] + " (")
	x.Right.write(c)
	c.add("))")
}
