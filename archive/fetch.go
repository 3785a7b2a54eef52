package archive

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"
)

// Due is a record whose single record has to be fetched.
type Due struct {
	Row   int64
	Kind  Kind
	ID    string
	Paths []string // its folders, the main one first

	Fetched time.Time // zero if the single record has not arrived
	Pass    int       // number of the pass over its kind's list that last saw it
}

const dueColumns = `SELECT record.row, kind, record.id, path, paths, fetched, pass FROM record `

// Due yields the records whose single record must be fetched and may be tried at
// the time now, most valuable first: editorial pages, records without a text,
// records with a text from a search, and rechecks, each newest first; then writers
// and folders, whose lists already hold all that a site shows. A retry time later
// than now plus most comes from a clock that was ahead, and is ignored.
func (a *Archive) Due(ctx context.Context, now time.Time, most time.Duration) iter.Seq2[Due, error] {
	return a.due(ctx, dueColumns+`LEFT JOIN hit_json ON hit_json.id = record.id
		WHERE (fetch_due = 1 OR recheck = 1) AND gone_at IS NULL AND (retry_at IS NULL OR retry_at <= $1 OR retry_at > $2)
		ORDER BY kind IN ('writer', 'folder'), kind <> 'page', fetch_due = 0, fetched IS NULL AND hit_json.id IS NOT NULL,
			published DESC NULLS LAST, record.id DESC`, now.UnixMilli(), now.Add(most).UnixMilli())
}

// Unfetched yields the records of a kind whose single record must be fetched, and
// was neither fetched nor tried since a time.
func (a *Archive) Unfetched(ctx context.Context, kind Kind, since time.Time) iter.Seq2[Due, error] {
	return a.due(ctx, dueColumns+`WHERE kind = $1 AND (fetch_due = 1 OR recheck = 1) AND attempts = 0 AND gone_at IS NULL
		AND (fetched IS NULL OR fetched < $2)`, kind, since.UnixMilli())
}

// Unseen yields the records of a kind that the pass of that number over its
// list has not seen, and that are not known to be gone.
func (a *Archive) Unseen(ctx context.Context, kind Kind, pass int) iter.Seq2[Due, error] {
	return a.due(ctx, dueColumns+`WHERE kind = $1 AND pass < $2 AND gone_at IS NULL ORDER BY row`, kind, pass)
}

// DueAt returns what [Archive.Due] yields of a row, or [ErrNotFound].
func (a *Archive) DueAt(ctx context.Context, row int64) (Due, error) {
	for w, err := range a.due(ctx, dueColumns+`WHERE record.row = $1`, row) {
		return w, err
	}
	return Due{}, fmt.Errorf("row %d of the archive: %w", row, ErrNotFound)
}

func (a *Archive) due(ctx context.Context, query string, args ...any) iter.Seq2[Due, error] {
	return each(ctx, a.read, "read what is to be fetched", func(row scanner) (w Due, err error) {
		var path string
		err = row.Scan(&w.Row, &w.Kind, &w.ID, &path, encoded{&w.Paths}, instant{&w.Fetched}, &w.Pass)
		w.Paths = foldersOf(path, w.Paths)
		return w, err
	}, query, args...)
}

const day = 24 * time.Hour

// Intervals are the times after which a single record is due to be fetched
// again. Which one applies depends on the age that the record had when it was
// fetched last: less than a day, a week, thirty days, or more.
var Intervals = []time.Duration{6 * time.Hour, day, 4 * day, 30 * day}

const overdue = dueColumns + `WHERE fetch_due = 0 AND recheck = 0 AND gone_at IS NULL AND kind NOT IN ('page', 'folder')
	AND recheck_after = $1 AND fetched > $2 AND fetched <= $3 ORDER BY fetched`

// Overdue yields the records of one of the [Intervals] whose interval has passed,
// longest overdue first. Records that were fetched after now, by a clock that was
// ahead, come before all others. It leaves out editorial pages, folders, and the
// records that [Archive.Due] yields.
func (a *Archive) Overdue(ctx context.Context, every time.Duration, now time.Time) iter.Seq2[Due, error] {
	return func(yield func(Due, error) bool) {
		for _, fetched := range [][2]int64{{now.UnixMilli(), math.MaxInt64}, {math.MinInt64, now.Add(-every).UnixMilli()}} {
			for w, err := range a.due(ctx, overdue, every.Milliseconds(), fetched[0], fetched[1]) {
				if err != nil {
					err = fmt.Errorf("records to be rechecked: %w", err)
				}
				if !yield(w, err) || err != nil {
					return
				}
			}
		}
	}
}

// Recheck marks editorial pages to be fetched again. A page is due when a third of
// the age that it had when it was fetched has passed since, but not before least and
// not after most; and if it was fetched after now.
func (t *Tx) Recheck(now time.Time, least, most time.Duration) error {
	err := t.exec(`UPDATE record SET recheck = 1 WHERE kind = $1 AND fetched IS NOT NULL AND fetch_due = 0 AND recheck = 0
		AND gone_at IS NULL AND (fetched > $2 OR $2 - fetched >= $4 OR ($2 - fetched >= $3 AND $2 - fetched >= (fetched - coalesce(published, 0)) / 3))`,
		Page, now.UnixMilli(), least.Milliseconds(), most.Milliseconds())
	return wrap(err, "mark pages to be fetched again")
}

// RecheckIn marks the items of a folder to be fetched again.
func (t *Tx) RecheckIn(folder string) error {
	name, err := json.Marshal(folder)
	if err == nil {
		err = t.exec(`UPDATE record SET recheck = 1 WHERE fetched IS NOT NULL AND gone_at IS NULL AND kind NOT IN ($1, $2)
			AND (path = $3 OR paths LIKE $4)`, Folder, Writer, folder, "%"+string(name)+"%")
	}
	return wrap(err, "mark the items of %s to be fetched again", folder)
}

// LatestModified returns the n-th latest date of modification of a kind's records
// that are not gone: the earliest if there are fewer, zero if there are none. It
// ignores dates after now.
func (a *Archive) LatestModified(ctx context.Context, kind Kind, n int, now time.Time) (since time.Time, err error) {
	err = a.read.QueryRowContext(ctx, `SELECT min(modified) FROM (SELECT modified FROM record WHERE kind = $1 AND modified <= $2
		AND gone_at IS NULL ORDER BY modified DESC NULLS LAST LIMIT $3) AS latest`, kind, now.UnixMilli(), n).Scan(instant{&since})
	return since, wrap(err, "read the last changes")
}

// ModifiedSince returns the ids of a kind's records that are not gone and were
// modified at since or later, dates in the future included.
func (a *Archive) ModifiedSince(ctx context.Context, kind Kind, since time.Time) (map[string]bool, error) {
	ids := make(map[string]bool)
	for id, err := range each(ctx, a.read, "read the last changes", column[string],
		`SELECT id FROM record WHERE kind = $1 AND modified >= $2 AND gone_at IS NULL`, kind, since.UnixMilli()) {
		if err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, nil
}

// Postpone schedules a retry of a single record that could not be fetched or was
// implausible.
func (t *Tx) Postpone(kind Kind, id string, again time.Time) error {
	err := t.exec(`UPDATE record SET attempts = attempts + 1, retry_at = $1, recheck = CASE WHEN fetch_due = 1 THEN recheck ELSE 1 END
		WHERE kind = $2 AND id = $3`, millis(again), kind, id)
	return wrap(err, "postpone %s %s", kind, id)
}

// MarkSeen marks a record as seen by a pass whose list did not show it.
func (t *Tx) MarkSeen(kind Kind, id string, pass int) error {
	err := t.exec(`UPDATE record SET pass = $1 WHERE kind = $2 AND id = $3 AND pass < $1`, pass, kind, id)
	return wrap(err, "mark %s %s as seen", kind, id)
}

// MarkGone notes that a record is gone from the source. What was due to be fetched of it is
// due again once a list shows it.
func (t *Tx) MarkGone(kind Kind, id string, now time.Time) error {
	err := t.exec(`UPDATE record SET gone_at = $1 WHERE kind = $2 AND id = $3 AND gone_at IS NULL`,
		millis(now), kind, id)
	return wrap(err, "mark %s %s as gone", kind, id)
}

// Records of a list that did not end are kept aside: they are stored, but neither
// shown nor fetched nor counted until a list shows them again.
const notAside = `aside = 0`

// SetAside keeps aside the records of a kind that were first seen after a time
// (zero: all) and have no page yet.
func (t *Tx) SetAside(kind Kind, after time.Time) error {
	from := int64(0)
	if !after.IsZero() {
		from = after.UnixMilli()
	}
	err := t.exec(`UPDATE record SET aside = 1, gone_at = seen WHERE kind = $1 AND seen > $2 AND address IS NULL AND gone_at IS NULL`, kind, from)
	return wrap(err, "keep %ss aside", kind)
}

// The parts of a record that come in answers of their own.
const (
	ListPart   = "list"
	SinglePart = "single"
)

// Doubt counts the answers that contradict a part of a record.
type Doubt struct {
	Times   int       // how often such an answer was counted
	Last    time.Time // when it was counted last
	Counted bool      // the latest answer was counted
}

// Doubt counts an answer that contradicts the stored part of a record. claim is the
// contradiction; a new claim starts a new count. An answer within gap of the one
// counted last is not counted. A clock that was ahead or behind once adds or removes
// one gap at most.
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
	case since < 0: // the clock was ahead at the last count
		d.Last = now
	default:
		return d, nil
	}
	if err := t.updateOrInsert(`UPDATE doubt SET claim = $3, times = $4, last = $5 WHERE row = $1 AND part = $2`,
		`INSERT INTO doubt (row, part, claim, times, last) VALUES ($1, $2, $3, $4, $5)`, row, part, claim, d.Times, millis(d.Last)); err != nil {
		return d, fmt.Errorf("store the doubt about row %d: %w", row, err)
	}
	return d, nil
}

func (t *Tx) doubt(row int64, part string) (d Doubt, claim string, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT claim, times, last FROM doubt WHERE row = $1 AND part = $2`, row, part).Scan(&claim, &d.Times, instant{&d.Last})
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, claim, err
}

// ClearDoubt removes the doubt about a part of a record, and reports whether there
// was one.
func (t *Tx) ClearDoubt(row int64, part string) (doubted bool, err error) {
	result, err := t.tx.ExecContext(t.ctx, `DELETE FROM doubt WHERE row = $1 AND part = $2`, row, part)
	if err != nil {
		return false, fmt.Errorf("end the doubt about row %d: %w", row, err)
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Doubted yields the records that have a doubted answer and are not gone.
func (a *Archive) Doubted(ctx context.Context) iter.Seq2[Due, error] {
	return a.due(ctx, dueColumns+`WHERE row IN (SELECT row FROM doubt) AND gone_at IS NULL`)
}

// HadVersion reports whether an earlier version of a part of a record was this JSON.
func (t *Tx) HadVersion(row int64, part string, json []byte) (had bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM revision WHERE row = $1 AND part = $2 AND json = $3)`, row, part, text(json)).Scan(&had)
	return had, wrap(err, "look for an earlier version of row %d", row)
}
