package schedule

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// GonePart is the absence of a record, which is doubted as its parts are: [record.ListPart] and
// [record.SinglePart].
const GonePart = "gone"

// Doubt counts the answers that contradict a part of a record.
type Doubt struct {
	Times   int       // how often such an answer was counted
	Last    time.Time // when it was counted last
	Counted bool      // the latest answer was counted
	New     bool      // it is the first one, or the first with this contradiction
}

// Doubt counts an answer that contradicts the stored part of a record. claim is the
// contradiction; a new claim starts a new count. An answer within gap of the one
// counted last is not counted. A clock that was ahead or behind once adds or removes
// one gap at most.
func (t Tx) Doubt(row int64, part, claim string, now time.Time, gap time.Duration) (Doubt, error) {
	d, known, err := t.doubt(row, part)
	if err != nil {
		return d, fmt.Errorf("read the doubt about row %d: %w", row, err)
	}
	switch since := now.Sub(d.Last); {
	case known != claim:
		d = Doubt{Times: 1, Last: now, Counted: true, New: true}
	case since >= gap:
		d = Doubt{Times: d.Times + 1, Last: now, Counted: true}
	case since < 0: // the clock was ahead at the last count
		d.Last = now
	default:
		return d, nil
	}
	t.doubted.isKnown, t.doubted.something = true, true
	if err := t.tx.UpdateOrInsert(`UPDATE doubt SET claim = $3, times = $4, last = $5 WHERE row = $1 AND part = $2`,
		`INSERT INTO doubt (row, part, claim, times, last) VALUES ($1, $2, $3, $4, $5)`, row, part, claim, d.Times, database.Millis(d.Last)); err != nil {
		return d, fmt.Errorf("store the doubt about row %d: %w", row, err)
	}
	return d, nil
}

func (t Tx) doubt(row int64, part string) (d Doubt, claim string, err error) {
	err = t.tx.QueryRow(`SELECT claim, times, last FROM doubt WHERE row = $1 AND part = $2`, row, part).Scan(&claim, &d.Times, database.Time(&d.Last))
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, claim, err
}

// doubted caches for a transaction whether the table doubt has a row: in most archives it has none,
// and a list has thousands of records.
type doubted struct{ isKnown, something bool }

func (t Tx) isDoubted() (bool, error) {
	if t.doubted.isKnown {
		return t.doubted.something, nil
	}
	err := t.tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM doubt)`).Scan(&t.doubted.something)
	t.doubted.isKnown = err == nil
	return t.doubted.something, database.Wrap(err, "look for doubts")
}

// ClearDoubt removes the doubt about a part of a record, and reports whether there
// was one.
func (t Tx) ClearDoubt(row int64, part string) (doubted bool, err error) {
	if some, err := t.isDoubted(); !some {
		return false, err
	}
	n, err := t.tx.Count(`DELETE FROM doubt WHERE row = $1 AND part = $2`, row, part)
	return n > 0, database.Wrap(err, "end the doubt about row %d", row)
}

// ClearAbsence removes the doubts about the absence of a kind's records that the pass of that
// number, or a later one, has seen, and of those that are gone.
func (t Tx) ClearAbsence(kind record.Kind, pass int) error {
	err := t.tx.Exec(`DELETE FROM doubt WHERE part = $1 AND row IN (SELECT row FROM record WHERE kind = $2 AND (pass >= $3 OR gone_at IS NOT NULL))`,
		GonePart, kind, pass)
	return database.Wrap(err, "end the doubts about absent %ss", kind)
}

// Doubted yields the records that have a doubted answer and are not gone. Those that only
// their absence is doubted of are left out.
func (s Schedule) Doubted(ctx context.Context) iter.Seq2[Due, error] {
	return s.due(ctx, dueColumns+`WHERE row IN (SELECT row FROM doubt WHERE part <> $1) AND gone_at IS NULL`, GonePart)
}

// Doubtful is a part of a record of which an answer is doubted.
type Doubtful struct {
	Kind  record.Kind `json:"kind"`
	ID    string      `json:"id"`
	Part  string      `json:"part"`
	Claim string      `json:"claim"` // in what the answer contradicts the archive
	Times int         `json:"times"` // how often such an answer was counted
	Last  time.Time   `json:"last"`
}

// Doubts yields what is doubted of records that are not gone, the latest doubt first.
func (s Schedule) Doubts(ctx context.Context) iter.Seq2[Doubtful, error] {
	return database.Each(ctx, s.read, "read the doubts", func(row database.Row) (d Doubtful, err error) {
		err = row.Scan(&d.Kind, &d.ID, &d.Part, &d.Claim, &d.Times, database.Time(&d.Last))
		return d, err
	}, `SELECT kind, id, part, claim, times, last FROM doubt JOIN record USING (row) WHERE gone_at IS NULL ORDER BY last DESC, kind, id, part`)
}
