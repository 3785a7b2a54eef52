package archive

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"ayna/archive/database"
)

// recordColumn is a column of the table record, and the field of a [Record] that it holds: a
// pointer, or a [database.Value].
type recordColumn struct {
	name  string
	field func(*Record) any
}

var (
	// derivedColumns are derived from the JSON of a record.
	derivedColumns = []recordColumn{
		{"type", func(r *Record) any { return &r.Type }},
		{"path", func(r *Record) any { return &r.Path }},
		{"title", func(r *Record) any { return &r.Title }},
		{"spot", func(r *Record) any { return &r.Spot }},
		{"url", func(r *Record) any { return &r.URL }},
		{"editor", func(r *Record) any { return &r.Editor }},
		{"writer_id", func(r *Record) any { return firstWriter{r} }},
		{"lead", func(r *Record) any { return &r.Lead }},
		{"published", func(r *Record) any { return database.Time(&r.Published) }},
		{"modified", func(r *Record) any { return database.Time(&r.Modified) }},
		{"tags", func(r *Record) any { return database.List(&r.Tags) }},
		{"writers", func(r *Record) any { return database.List(&r.Writers) }},
		{"related", func(r *Record) any { return database.List(&r.Related) }},
		{"links", func(r *Record) any { return database.List(&r.Links) }},
		{"paths", func(r *Record) any { return database.List(&r.Paths) }},
		{"access", func(r *Record) any { return &r.Access }},
		{"parent", func(r *Record) any { return &r.Parent }},
		{"ordinal", func(r *Record) any { return ordinal{r} }},
	}
	// textColumns are those of them that follow from how a text is cleaned.
	textColumns = slices.DeleteFunc(slices.Clone(derivedColumns), func(c recordColumn) bool { return c.name != "lead" && c.name != "links" })
	// syncColumns are the state of its synchronisation.
	syncColumns = []recordColumn{
		{"fetch_due", func(r *Record) any { return &r.FetchDue }},
		{"recheck", func(r *Record) any { return &r.Recheck }},
		{"attempts", func(r *Record) any { return &r.Attempts }},
		{"retry_at", func(r *Record) any { return database.Time(&r.RetryAt) }},
		{"pass", func(r *Record) any { return &r.Pass }},
		{"listed", func(r *Record) any { return database.Time(&r.Listed) }},
		{"fetched", func(r *Record) any { return database.Time(&r.Fetched) }},
	}
	// putColumns are those that insert and update write.
	putColumns = slices.Concat(derivedColumns, syncColumns, []recordColumn{
		{"hash", func(r *Record) any { return digest{&r.Hash} }},
		{"changed", func(r *Record) any { return database.Time(&r.Changed) }},
	})
	// recordColumns are all that a query reads of a record without its JSON.
	recordColumns = slices.Concat(putColumns, []recordColumn{
		{"row", func(r *Record) any { return &r.Row }},
		{"kind", func(r *Record) any { return &r.Kind }},
		{"record.id", func(r *Record) any { return &r.ID }},
		{"seen", func(r *Record) any { return database.Time(&r.Seen) }},
		{"gone_at", func(r *Record) any { return database.Time(&r.GoneAt) }},
		{"aside = 1", func(r *Record) any { return &r.Provisional }},
		{"aside = 2", func(r *Record) any { return &r.NoRecord }},
		{"coalesce(address, '')", func(r *Record) any { return &r.Address }},
	})
)

func namesOf(columns []recordColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// valuesOf returns what the archive stores of a record in some columns.
func valuesOf(columns []recordColumn, r *Record) []any {
	values := make([]any, len(columns))
	for i, c := range columns {
		field := c.field(r)
		if s, ok := field.(database.Value); ok {
			values[i] = s.Stored()
		} else {
			values[i] = reflect.ValueOf(field).Elem().Interface()
		}
	}
	return values
}

// digest is the column of the hash.
type digest struct{ into *[sha256.Size]byte }

// Scan implements [sql.Scanner].
func (d digest) Scan(value any) error {
	hash, _ := value.([]byte)
	copy(d.into[:], hash)
	return nil
}

// Stored implements [database.Value].
func (d digest) Stored() any { return d.into[:] }

// ordinal is the column of a standing page's place, NULL for other records.
type ordinal struct{ of *Record }

// Scan implements [sql.Scanner].
func (o ordinal) Scan(value any) error {
	o.of.Ordinal, o.of.Standing = value.(int64)
	return nil
}

// Stored implements [database.Value].
func (o ordinal) Stored() any {
	if !o.of.Standing {
		return nil
	}
	return o.of.Ordinal
}

// firstWriter is the column with the id of the first writer, which filters compare.
type firstWriter struct{ of *Record }

// Scan implements [sql.Scanner]. Writers has it too.
func (firstWriter) Scan(any) error { return nil }

// Stored implements [database.Value].
func (w firstWriter) Stored() any {
	if len(w.of.Writers) == 0 {
		return ""
	}
	return w.of.Writers[0].ID
}

// text returns JSON as the archive stores it.
func text(json []byte) any {
	if json == nil {
		return nil
	}
	return database.JSON(json)
}

// numbered returns the parameters of a statement, divided by commas, each behind one of
// some texts.
func numbered(before []string) string {
	var b strings.Builder
	for i, text := range before {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s$%d", text, i+1)
	}
	return b.String()
}
