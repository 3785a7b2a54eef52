// Package query describes lists of an archive: a [Condition] and an [Order] go into a [Query],
// which package archive turns into SQL. Package filter makes conditions. Begin with [Query].
package query

import "ayna/record"

// Query selects records of a kind that lists show and that are not gone.
type Query struct {
	Kind  record.Kind
	Where *Condition // nil selects all of them
	Order Order
	Limit int // the largest number of records, or [All]
	Skip  int // the number of records to leave out before
}

// All as a limit means no limit.
const All = -1

// Property is a column by which lists are narrowed and ordered. Only dates may be
// NULL.
type Property string

// The properties of conditions and orders.
const (
	ByID        Property = "record.id"
	ByPath      Property = "path"
	ByTitle     Property = "title"
	ByWriter    Property = "writer_id" // the first writer's id
	ByModified  Property = "modified"  // a date
	ByPublished Property = "published" // a date
)

// IsDate reports whether the property is a date. The others are strings.
func (p Property) IsDate() bool { return p == ByModified || p == ByPublished }

// Condition selects records.
type Condition struct {
	// Bounds are necessary for the condition, and found by an index.
	Bounds []Bound
	// Exact is set if Bounds are also sufficient. Holds is not called then.
	Exact bool
	// Uses lists the properties that Holds reads.
	Uses []Property
	// Holds reports whether the condition is true of a record.
	Holds func(Values) bool
}

// Bound compares a property with a value.
type Bound struct {
	Property Property
	Operator Operator // of a string [Equal] only, of a date any but [NotEqual]
	Value    any      // a string, or of a date an int64: milliseconds since 1970
}

// Operator is a comparison, as SQL writes it.
type Operator string

// The operators.
const (
	Equal    Operator = "="
	NotEqual Operator = "<>"
	Greater  Operator = ">"
	AtLeast  Operator = ">="
	Less     Operator = "<"
	AtMost   Operator = "<="
)

// Values are the properties of one record that a condition uses.
type Values interface {
	// Of returns the value of a property: a string; of a date a float64, the
	// milliseconds since 1970, or nil if it is unknown.
	Of(Property) any
	// Stored returns a text as the archive stores it, for comparisons with values:
	// PostgreSQL cannot store every text unchanged.
	Stored(text string) string
}

// Order is how a list is sorted. Records that are equal in it come newest
// first. The zero Order is that of the service: newest first, folders by title
// as it was received.
type Order struct {
	By   []Property
	Down []bool // beside each of By: greatest first
}
