package archive

import (
	"context"
	"fmt"
	"iter"
	"time"

	"ayna/archive/database"
)

// Revision is an earlier version of one part of a record.
type Revision struct {
	Part       string    // "list" or "single"; "damaged" is what [Archive.Mend] replaced
	JSON       []byte    // as it was received
	ReplacedAt time.Time // when the next version was first seen
}

// RevisedRow is a record with earlier versions.
type RevisedRow struct{ Row, Versions, Last int64 } // Last is when one was last replaced, in Unix milliseconds

// RevisedRows yields all records that have earlier versions, or those of some rows unless rows is nil.
func (c Catalog) RevisedRows(ctx context.Context, rows []int64) iter.Seq2[RevisedRow, error] {
	condition, args := ofRows(c.read, ` WHERE `, rows, "$1")
	return database.Each(ctx, c.read, "read what was revised", func(row database.Row) (r RevisedRow, err error) {
		err = row.Scan(&r.Row, &r.Versions, &r.Last)
		return r, err
	}, `SELECT row, count(*), max(seen) FROM revision`+condition+` GROUP BY row`, args...)
}

// Earlier yields the earlier versions of a record, newest first. It holds only one in
// memory, since a record may have any number of them.
func (s Records) Earlier(ctx context.Context, row int64) iter.Seq2[Revision, error] {
	return database.Each(ctx, s.read, fmt.Sprintf("read revisions of row %d", row), func(row database.Row) (r Revision, err error) {
		err = row.Scan(&r.Part, &r.JSON, database.Time(&r.ReplacedAt))
		return r, err
	}, `SELECT part, json, seen FROM revision WHERE row = $1 ORDER BY seen DESC, rowid DESC`, row)
}

func (t *Tx) addRevision(row int64, part string, json []byte, replacedAt time.Time) error {
	return t.exec(`INSERT INTO revision (row, part, json, seen) VALUES ($1, $2, $3, $4)`, row, part, text(json), database.Millis(replacedAt))
}

// HadVersion reports whether an earlier version of a part of a record was this JSON.
func (t *Tx) HadVersion(row int64, part string, json []byte) (had bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM revision WHERE row = $1 AND part = $2 AND json = $3)`, row, part, text(json)).Scan(&had)
	return had, database.Wrap(err, "look for an earlier version of row %d", row)
}
