package archive

import (
	"encoding/json"
	"time"
)

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

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
