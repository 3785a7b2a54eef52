// Package schedule plans the fetching of an archive's records: what was fetched, seen and doubted
// goes in, the records to fetch come out, the most valuable first, and the requests sent so far.
//
// Begin with [Schedule], which reads, and [Tx], which writes the same in a transaction of the
// archive. The records are stored by package archive.
package schedule

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// Schedule has the records to fetch, and those that changed last.
type Schedule struct{ read *database.Statements }

// Of returns the schedule of a database.
func Of(db *database.DB) Schedule { return Schedule{db.Read} }

// Due is a record whose single record has to be fetched.
type Due struct {
	Row   int64
	Kind  record.Kind
	ID    string
	Paths []string // its folders, the main one first

	Fetched time.Time // zero if the single record has not arrived
	Pass    int       // number of the latest pass that saw it, over its list or the head of it
}

const dueColumns = `SELECT record.row, kind, record.id, path, paths, fetched, pass FROM record `

// Due yields the records whose single record must be fetched and may be tried at
// the time now, most valuable first: editorial pages, records without a text,
// records with a text from a search, and rechecks, each newest first; then writers
// and folders, whose lists already hold all that a site shows. A retry time later
// than now plus most comes from a clock that was ahead, and is ignored.
func (s Schedule) Due(ctx context.Context, now time.Time, most time.Duration) iter.Seq2[Due, error] {
	return s.due(ctx, dueColumns+`LEFT JOIN hit_json ON hit_json.id = record.id
		WHERE (fetch_due = 1 OR recheck = 1) AND (gone_at IS NULL OR aside = 2) AND (retry_at IS NULL OR retry_at <= $1 OR retry_at > $2)
		ORDER BY kind IN ('writer', 'folder'), kind <> 'page', fetch_due = 0, fetched IS NULL AND hit_json.id IS NOT NULL,
			published DESC NULLS LAST, record.id DESC`, now.UnixMilli(), now.Add(most).UnixMilli())
}

// Unfetched yields the records of a kind whose single record must be fetched, and
// was neither fetched nor tried since a time.
func (s Schedule) Unfetched(ctx context.Context, kind record.Kind, since time.Time) iter.Seq2[Due, error] {
	return s.due(ctx, dueColumns+`WHERE kind = $1 AND (fetch_due = 1 OR recheck = 1) AND attempts = 0 AND gone_at IS NULL
		AND (fetched IS NULL OR fetched < $2)`, kind, since.UnixMilli())
}

// Unseen yields the records of a kind that the pass of that number over its
// list has not seen, and that are not known to be gone.
func (s Schedule) Unseen(ctx context.Context, kind record.Kind, pass int) iter.Seq2[Due, error] {
	return s.due(ctx, dueColumns+`WHERE kind = $1 AND pass < $2 AND gone_at IS NULL ORDER BY row`, kind, pass)
}

// At returns what [Schedule.Due] yields of a row, or [database.ErrNotFound].
func (s Schedule) At(ctx context.Context, row int64) (Due, error) {
	for w, err := range s.due(ctx, dueColumns+`WHERE record.row = $1`, row) {
		return w, err
	}
	return Due{}, fmt.Errorf("row %d of the archive: %w", row, database.ErrNotFound)
}

func (s Schedule) due(ctx context.Context, query string, args ...any) iter.Seq2[Due, error] {
	return database.Each(ctx, s.read, "read the records to fetch", func(row database.Row) (w Due, err error) {
		var path string
		err = row.Scan(&w.Row, &w.Kind, &w.ID, &path, database.List(&w.Paths), database.Time(&w.Fetched), &w.Pass)
		w.Paths = record.FoldersOf(path, w.Paths)
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
// records that [Schedule.Due] yields.
func (s Schedule) Overdue(ctx context.Context, every time.Duration, now time.Time) iter.Seq2[Due, error] {
	return func(yield func(Due, error) bool) {
		for _, fetched := range [][2]int64{{now.UnixMilli(), math.MaxInt64}, {math.MinInt64, now.Add(-every).UnixMilli()}} {
			for w, err := range s.due(ctx, overdue, every.Milliseconds(), fetched[0], fetched[1]) {
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

// LatestModified returns the n-th latest date of modification of a kind's records
// that are not gone: the earliest if there are fewer, zero if there are none. It
// ignores dates after now.
func (s Schedule) LatestModified(ctx context.Context, kind record.Kind, n int, now time.Time) (since time.Time, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT min(modified) FROM (SELECT modified FROM record WHERE kind = $1 AND modified <= $2
		AND gone_at IS NULL ORDER BY modified DESC NULLS LAST LIMIT $3) AS latest`, kind, now.UnixMilli(), n).Scan(database.Time(&since))
	return since, database.Wrap(err, "read the last changes")
}

// ModifiedSince returns the ids of a kind's records that are not gone and were
// modified at since or later, dates in the future included.
func (s Schedule) ModifiedSince(ctx context.Context, kind record.Kind, since time.Time) (map[string]bool, error) {
	ids := make(map[string]bool)
	for id, err := range database.Each(ctx, s.read, "read the last changes", database.Column[string],
		`SELECT id FROM record WHERE kind = $1 AND modified >= $2 AND gone_at IS NULL`, kind, since.UnixMilli()) {
		if err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, nil
}

// UnknownReferences reports whether an item that was first seen after since and
// until now refers to a record of a kind, [record.Writer] or [record.Folder], that is missing and
// was not forgotten.
func (s Schedule) UnknownReferences(ctx context.Context, kind record.Kind, since, now time.Time) (bool, error) {
	missing := `NOT EXISTS (SELECT 1 FROM record AS own WHERE own.kind = 'folder' AND own.path = item.path)`
	if kind == record.Writer {
		missing = `item.writer_id <> '' AND NOT EXISTS (SELECT 1 FROM record AS own WHERE own.kind = 'writer' AND own.id = item.writer_id)
			AND NOT EXISTS (SELECT 1 FROM forgotten WHERE kind = 'writer' AND id = item.writer_id)`
	}
	var unknown bool
	err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM record AS item WHERE seen > $1 AND seen <= $2 AND `+database.NotAside+`
		AND `+database.IsItem+` AND `+missing+`)`,
		since.UnixMilli(), now.UnixMilli()).Scan(&unknown)
	return unknown, database.Wrap(err, "look for unknown %ss", kind)
}

// Latest yields n records of a kind that the pass of that number, or a later one, has seen and
// that are not gone, the last modified first, without dates after a time.
func (s Schedule) Latest(ctx context.Context, kind record.Kind, pass int, until time.Time, n int) iter.Seq2[Due, error] {
	return s.due(ctx, dueColumns+`WHERE kind = $1 AND pass >= $2 AND gone_at IS NULL AND modified <= $3
		ORDER BY modified DESC, record.id LIMIT $4`, kind, pass, until.UnixMilli(), n)
}

// IsNamed reports whether an item that is not gone names a writer, or is in a folder that has no
// other record: a source may give a folder another id.
func (s Schedule) IsNamed(ctx context.Context, kind record.Kind, id, path string) (named bool, err error) {
	const items = `SELECT EXISTS (SELECT 1 FROM record WHERE gone_at IS NULL AND ` + database.IsItem
	if kind == record.Writer {
		name, _ := json.Marshal(id) // a text, which is always JSON
		err = s.read.QueryRowContext(ctx, items+` AND (writer_id = $1 OR replace(writers, $2, '') <> writers))`, id, `"id":`+string(name)).Scan(&named)
	} else {
		name, _ := json.Marshal(path)
		err = s.read.QueryRowContext(ctx, items+` AND (path = $1 OR replace(paths, $2, '') <> paths))
			AND NOT EXISTS (SELECT 1 FROM record WHERE kind = $3 AND path = $1 AND id <> $4 AND gone_at IS NULL)`, path, string(name), kind, id).Scan(&named)
	}
	return named, database.Wrap(err, "look for items of %s %s", kind, id)
}
