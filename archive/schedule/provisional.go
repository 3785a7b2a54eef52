package schedule

import (
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// MarkProvisional makes the records of a kind provisional that were first seen after a
// time (zero: all) and have no page yet.
func (t Tx) MarkProvisional(kind record.Kind, after time.Time) error {
	from := int64(0)
	if !after.IsZero() {
		from = after.UnixMilli()
	}
	err := t.tx.Exec(`UPDATE record SET aside = 1, gone_at = seen WHERE kind = $1 AND seen > $2 AND address IS NULL AND gone_at IS NULL`, kind, from)
	return database.Wrap(err, "make %ss provisional", kind)
}

// MarkNoRecord marks a record of which the source says that it has no content. It is due again when
// its list record changes.
func (t Tx) MarkNoRecord(row int64) error {
	err := t.tx.Exec(`UPDATE record SET aside = 2, gone_at = seen, fetch_due = 0, recheck = 0, attempts = 0, retry_at = NULL WHERE row = $1`, row)
	return database.Wrap(err, "mark row %d as no record", row)
}
