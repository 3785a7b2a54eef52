package archive

import (
	"time"

	"ayna/record"
)

// Records of a list that did not end are provisional: they are stored, but neither
// shown nor fetched nor counted until a list shows them again.
//
// Records that the source says to be none are kept aside, too: until their own single record
// arrives, whatever lists show of them.
const notAside = `aside = 0`

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

// MarkNoRecord marks a record as one that the source says to be none. It is due again when
// its list record changes.
func (t ScheduleTx) MarkNoRecord(row int64) error {
	err := t.exec(`UPDATE record SET aside = 2, gone_at = seen, fetch_due = 0, recheck = 0, attempts = 0, retry_at = NULL WHERE row = $1`, row)
	return wrap(err, "mark row %d as no record", row)
}
