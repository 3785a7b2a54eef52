package archive

import (
	"fmt"
	"time"
)

// Records of a list that did not end are kept aside: they are stored, but neither
// shown nor fetched nor counted. A record returns when a list shows it again, as
// one does that was gone. The column vanished marks it: it holds asideMark, the
// first millisecond of 1970, at which no record can have gone.
const (
	asideMark = 1
	notAside  = `(vanished IS NULL OR vanished > 1)`
)

// Aside reports whether the record is kept aside.
func (r *Record) Aside() bool { return r.Vanished.Equal(time.UnixMilli(asideMark)) }

// SetAside keeps those records of a kind aside that were first seen after a time,
// which may be zero, and that have no page yet.
func (t *Tx) SetAside(kind Kind, after time.Time) error {
	from := int64(0)
	if !after.IsZero() {
		from = after.UnixMilli()
	}
	err := t.exec(`UPDATE record SET vanished = ? WHERE kind = ? AND seen > ? AND address IS NULL AND vanished IS NULL`, asideMark, kind, from)
	if err != nil {
		return fmt.Errorf("keep %ss aside: %w", kind, err)
	}
	return nil
}
