package archive

import "slices"

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
	Holds func(*Values) bool
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

// sql returns the bound as a condition of SQL, and adds its parameter.
func (b Bound) sql(e engine, args *parameters) string {
	parameter := args.add(b.Value)
	if _, ok := b.Value.(string); ok {
		return e.equals(string(b.Property), parameter)
	}
	return string(b.Property) + " " + string(b.Operator) + " " + parameter
}

// Values are the properties of one record that a condition uses.
type Values struct {
	engine  engine
	uses    []Property
	columns []any // beside uses
}

// Of returns the value of a property: a string; of a date a float64, the
// milliseconds since 1970, or nil if it is unknown.
func (v *Values) Of(p Property) any {
	value := v.columns[slices.Index(v.uses, p)]
	if p.IsDate() {
		if date, known := value.(int64); known {
			return float64(date)
		}
		return nil
	}
	text, _ := value.(string)
	return text
}

// Stored returns a text as the archive stores it, for comparisons with values:
// PostgreSQL cannot store every text unchanged.
func (v *Values) Stored(text string) string { return v.engine.values([]any{text})[0].(string) }
