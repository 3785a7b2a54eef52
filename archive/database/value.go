package database

import (
	"database/sql"
	"encoding/json"
	"time"
)

// JSON is JSON as it was received. It is kept byte for byte.
type JSON []byte

// Value is a column whose stored form differs from the value that it is read into.
type Value interface {
	sql.Scanner
	// Stored returns the value as it is stored.
	Stored() any
}

// Time is a column with a time in milliseconds. NULL is the zero time.
func Time(into *time.Time) Value { return instant{into} }

type instant struct{ into *time.Time }

// Scan implements [sql.Scanner].
func (i instant) Scan(value any) error {
	*i.into = time.Time{}
	if ms, known := value.(int64); known {
		*i.into = time.UnixMilli(ms).UTC()
	}
	return nil
}

// Stored implements [Value].
func (i instant) Stored() any { return Millis(*i.into) }

// Millis returns a time as it is stored: in Unix milliseconds, nil for the zero time.
func Millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// List is a column with a list in JSON, which is read into the slice that into points to.
func List(into any) Value { return encoded{into} }

type encoded struct{ into any }

// Scan implements [sql.Scanner].
func (e encoded) Scan(value any) error {
	list, _ := value.(string)
	if len(list) <= len("[]") {
		return nil
	}
	return json.Unmarshal([]byte(list), e.into)
}

// Stored implements [Value].
func (e encoded) Stored() any {
	list, _ := json.Marshal(e.into) // fails for no list of texts
	if string(list) == "null" {
		return "[]"
	}
	return string(list)
}

// Conditions on the table record.
const (
	// NotAside leaves out records that are kept aside: those of a list that did not end, which
	// are provisional, until a list shows them again; and those of which the source says that
	// they have no content, until their single record arrives.
	NotAside = `aside = 0`
	// IsItem selects items. Searches find only those.
	IsItem = `kind IN ('article', 'column', 'gallery', 'video')`
)
