package archive

import (
	"time"

	"ayna/record"
)

// Records of a list that did not end are provisional: they are stored, but neither
// shown nor fetched nor counted until a list shows them again.
const notProvisional = `aside = 0`

// MarkProvisional makes the records of a kind provisional that were first seen after a
// time (zero: all) and have no page yet.
func (t ScheduleTx) MarkProvisional(kind record.Kind, after time.Time) error {
	from := int64(0)
	if !after.IsZero() {
		from = after.UnixMilli()
	}
	err := t.exec(`UPDATE record SET aside = 1, gone_at = seen WHERE kind = $1 AND seen > $2 AND address IS NULL AND gone_at IS NULL`, kind, from)
	return wrap(err, "make %ss provisional", kind)
}
