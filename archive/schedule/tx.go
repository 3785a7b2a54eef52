package schedule

import (
	"encoding/json"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// Tx writes what [Schedule] reads.
type Tx struct {
	tx      database.Tx
	doubted *doubted
}

// Within returns a Tx that writes in a transaction.
func Within(tx database.Tx) Tx { return Tx{tx, new(doubted)} }

// Postpone schedules a retry of a single record that could not be fetched or was
// implausible.
func (t Tx) Postpone(kind record.Kind, id string, again time.Time) error {
	err := t.tx.Exec(`UPDATE record SET attempts = attempts + 1, retry_at = $1, recheck = CASE WHEN fetch_due = 1 THEN recheck ELSE 1 END
		WHERE kind = $2 AND id = $3`, database.Millis(again), kind, id)
	return database.Wrap(err, "postpone %s %s", kind, id)
}

// Recheck marks editorial pages to be fetched again. A page is due when a third of
// the age that it had when it was fetched has passed since, but not before least and
// not after most; and if it was fetched after now.
func (t Tx) Recheck(now time.Time, least, most time.Duration) error {
	err := t.tx.Exec(`UPDATE record SET recheck = 1 WHERE kind = $1 AND fetched IS NOT NULL AND fetch_due = 0 AND recheck = 0
		AND gone_at IS NULL AND (fetched > $2 OR $2 - fetched >= $4 OR ($2 - fetched >= $3 AND $2 - fetched >= (fetched - coalesce(published, 0)) / 3))`,
		record.Page, now.UnixMilli(), least.Milliseconds(), most.Milliseconds())
	return database.Wrap(err, "mark pages to be fetched again")
}

// RecheckIn marks the items of a folder to be fetched again.
func (t Tx) RecheckIn(folder string) error {
	name, err := json.Marshal(folder)
	if err == nil {
		err = t.tx.Exec(`UPDATE record SET recheck = 1 WHERE fetched IS NOT NULL AND gone_at IS NULL AND kind NOT IN ($1, $2)
			AND (path = $3 OR replace(paths, $4, '') <> paths OR replace(paths, $5, '') <> paths)`,
			record.Folder, record.Writer, folder, "["+string(name), ","+string(name)) // a quote within a name has a backslash before it
	}
	return database.Wrap(err, "mark the items of %s to be fetched again", folder)
}

// MarkSeen marks a record as seen by a pass whose list did not show it.
func (t Tx) MarkSeen(kind record.Kind, id string, pass int) error {
	err := t.tx.Exec(`UPDATE record SET pass = $1 WHERE kind = $2 AND id = $3 AND pass < $1`, pass, kind, id)
	return database.Wrap(err, "mark %s %s as seen", kind, id)
}
