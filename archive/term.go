package archive

import "fmt"

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
