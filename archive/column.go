package archive

import (
	"crypto/sha256"
	"encoding/json"
	"reflect"
	"slices"
	"time"
)

// recordColumn is a column of the table record, and the field of a [Record] that it holds: a
// pointer, or a value with a method Scan that is a storer.
type recordColumn struct {
	name  string
	field func(*Record) any
}

// storer is a field whose stored form differs from its value.
type storer interface{ stored() any }

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
		{"published", func(r *Record) any { return instant{&r.Published} }},
		{"modified", func(r *Record) any { return instant{&r.Modified} }},
		{"tags", func(r *Record) any { return encoded{&r.Tags} }},
		{"writers", func(r *Record) any { return encoded{&r.Writers} }},
		{"related", func(r *Record) any { return encoded{&r.Related} }},
		{"links", func(r *Record) any { return encoded{&r.Links} }},
		{"paths", func(r *Record) any { return encoded{&r.Paths} }},
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
		{"retry_at", func(r *Record) any { return instant{&r.RetryAt} }},
		{"pass", func(r *Record) any { return &r.Pass }},
		{"listed", func(r *Record) any { return instant{&r.Listed} }},
		{"fetched", func(r *Record) any { return instant{&r.Fetched} }},
	}
	// putColumns are those that insert and update write.
	putColumns = slices.Concat(derivedColumns, syncColumns, []recordColumn{
		{"hash", func(r *Record) any { return digest{&r.Hash} }},
		{"changed", func(r *Record) any { return instant{&r.Changed} }},
	})
	// recordColumns are all that a query reads of a record without its JSON.
	recordColumns = slices.Concat(putColumns, []recordColumn{
		{"row", func(r *Record) any { return &r.Row }},
		{"kind", func(r *Record) any { return &r.Kind }},
		{"record.id", func(r *Record) any { return &r.ID }},
		{"seen", func(r *Record) any { return instant{&r.Seen} }},
		{"gone_at", func(r *Record) any { return instant{&r.GoneAt} }},
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
		if s, ok := field.(storer); ok {
			values[i] = s.stored()
		} else {
			values[i] = reflect.ValueOf(field).Elem().Interface()
		}
	}
	return values
}

// instant is a column with a time in milliseconds. NULL is the zero time.
type instant struct{ into *time.Time }

// Scan implements [sql.Scanner].
func (i instant) Scan(value any) error {
	*i.into = time.Time{}
	if ms, known := value.(int64); known {
		*i.into = time.UnixMilli(ms).UTC()
	}
	return nil
}

func (i instant) stored() any { return millis(*i.into) }

// encoded is a column with a list in JSON.
type encoded struct{ into any }

// Scan implements [sql.Scanner].
func (e encoded) Scan(value any) error {
	list, _ := value.(string)
	if len(list) <= len("[]") {
		return nil
	}
	return json.Unmarshal([]byte(list), e.into)
}

func (e encoded) stored() any {
	list, _ := json.Marshal(e.into) // fails for no list of texts
	if string(list) == "null" {
		return "[]"
	}
	return string(list)
}

// digest is the column of the hash.
type digest struct{ into *[sha256.Size]byte }

// Scan implements [sql.Scanner].
func (d digest) Scan(value any) error {
	hash, _ := value.([]byte)
	copy(d.into[:], hash)
	return nil
}

func (d digest) stored() any { return d.into[:] }

// ordinal is the column of a standing page's place, NULL for other records.
type ordinal struct{ of *Record }

// Scan implements [sql.Scanner].
func (o ordinal) Scan(value any) error {
	o.of.Ordinal, o.of.Standing = value.(int64)
	return nil
}

func (o ordinal) stored() any {
	if !o.of.Standing {
		return nil
	}
	return o.of.Ordinal
}

// firstWriter is the column with the id of the first writer, which filters compare.
type firstWriter struct{ of *Record }

// Scan implements [sql.Scanner]. Writers has it too.
func (firstWriter) Scan(any) error { return nil }

func (w firstWriter) stored() any {
	if len(w.of.Writers) == 0 {
		return ""
	}
	return w.of.Writers[0].ID
}

// millis returns a time as the archive stores it.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// text returns JSON as the archive stores it.
func text(json []byte) any {
	if json == nil {
		return nil
	}
	return rawJSON(json)
}
