package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"
)

// The parts of a record that answers bring.
const (
	ListPart   = "list"
	SinglePart = "single"
)

// A Doubt is what is known of answers that contradict a part of a record.
type Doubt struct {
	Times   int       // how often such an answer was counted
	Last    time.Time // when it was counted last
	Counted bool      // the latest answer was counted
}

// Doubt notes an answer that contradicts what is kept of a part of a record.
// claim says in what; another claim than before begins a new count. Answers
// that come within gap of the one counted last are not counted. The count
// never depends on a single reading of the clock: a clock that was ahead or
// behind adds or takes one gap at most.
func (t *Tx) Doubt(row int64, part, claim string, now time.Time, gap time.Duration) (Doubt, error) {
	d, known, err := t.doubt(row, part)
	if err != nil {
		return d, fmt.Errorf("read the doubt about row %d: %w", row, err)
	}
	switch since := now.Sub(d.Last); {
	case known != claim:
		d = Doubt{Times: 1, Last: now, Counted: true}
	case since >= gap:
		d = Doubt{Times: d.Times + 1, Last: now, Counted: true}
	case since < 0: // the clock was ahead then
		d.Last = now
	default:
		return d, nil
	}
	if err := t.updateOrInsert(`UPDATE doubt SET claim = ?3, times = ?4, last = ?5 WHERE row = ?1 AND part = ?2`,
		`INSERT INTO doubt (row, part, claim, times, last) VALUES (?1, ?2, ?3, ?4, ?5)`, row, part, claim, d.Times, millis(d.Last)); err != nil {
		return d, fmt.Errorf("note the doubt about row %d: %w", row, err)
	}
	return d, nil
}

func (t *Tx) doubt(row int64, part string) (d Doubt, claim string, err error) {
	var last sql.NullInt64
	err = t.tx.QueryRowContext(t.ctx, `SELECT claim, times, last FROM doubt WHERE row = ? AND part = ?`, row, part).Scan(&claim, &d.Times, &last)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	d.Last = moment(last)
	return d, claim, err
}

// Trust ends the doubt about a part of a record, and reports whether there was one.
func (t *Tx) Trust(row int64, part string) (doubted bool, err error) {
	result, err := t.tx.ExecContext(t.ctx, `DELETE FROM doubt WHERE row = ? AND part = ?`, row, part)
	if err != nil {
		return false, fmt.Errorf("end the doubt about row %d: %w", row, err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Doubted yields the records that have a doubted answer and are not gone.
func (a *Archive) Doubted(ctx context.Context) iter.Seq2[Wanted, error] {
	return a.wanted(ctx, wantedColumns+`WHERE row IN (SELECT row FROM doubt) AND vanished IS NULL`)
}

const hadVersion = `SELECT EXISTS (SELECT 1 FROM revision WHERE row = ? AND part = ? AND json = ?)`

// HadVersion reports whether a part of a record was this JSON before it became
// what is kept now.
func (a *Archive) HadVersion(ctx context.Context, row int64, part string, json []byte) (had bool, err error) {
	if err = a.read.QueryRowContext(ctx, hadVersion, row, part, text(json)).Scan(&had); err != nil {
		err = fmt.Errorf("look for an earlier version of row %d: %w", row, err)
	}
	return had, err
}

// HadVersion is [Archive.HadVersion] within the transaction.
func (t *Tx) HadVersion(row int64, part string, json []byte) (had bool, err error) {
	if err = t.tx.QueryRowContext(t.ctx, hadVersion, row, part, text(json)).Scan(&had); err != nil {
		err = fmt.Errorf("look for an earlier version of row %d: %w", row, err)
	}
	return had, err
}
