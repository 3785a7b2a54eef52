package archive

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Revision is an earlier version of one part of a record.
type Revision struct {
	Part string    // "list" or "single"; "damaged" is what a check set aside
	JSON []byte    // as it was received
	Seen time.Time // when the version that followed it was first seen
}

// Revised returns the rows of records that earlier versions are kept of, up to
// most of them, the last changed first.
func (a *Archive) Revised(ctx context.Context, most int) ([]int64, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT row FROM revision GROUP BY row ORDER BY max(seen) DESC, row DESC LIMIT ?`, most)
	if err != nil {
		return nil, fmt.Errorf("read what was revised: %w", err)
	}
	defer rows.Close()
	var revised []int64
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, fmt.Errorf("read what was revised: %w", err)
		}
		revised = append(revised, row)
	}
	return revised, rows.Err()
}

// Versions returns how many earlier versions are kept of the records that have
// some, by row.
func (a *Archive) Versions(ctx context.Context) (map[int64]int, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT row, count(*) FROM revision GROUP BY row`)
	if err != nil {
		return nil, fmt.Errorf("count earlier versions: %w", err)
	}
	defer rows.Close()
	versions := make(map[int64]int)
	for rows.Next() {
		var row int64
		var n int
		if err := rows.Scan(&row, &n); err != nil {
			return nil, fmt.Errorf("count earlier versions: %w", err)
		}
		versions[row] = n
	}
	return versions, rows.Err()
}

// Revisions returns the earlier versions of a record, oldest first.
func (a *Archive) Revisions(ctx context.Context, row int64) ([]Revision, error) {
	var revisions []Revision
	for r, err := range a.Earlier(ctx, row) {
		if err != nil {
			return nil, err
		}
		revisions = append(revisions, r)
	}
	slices.Reverse(revisions)
	return revisions, nil
}

// Earlier yields the earlier versions of a record, the last one first. It holds
// one at a time: a record may have any number of them.
func (a *Archive) Earlier(ctx context.Context, row int64) iter.Seq2[Revision, error] {
	return func(yield func(Revision, error) bool) {
		rows, err := a.read.QueryContext(ctx, `SELECT part, json, seen FROM revision WHERE row = ? ORDER BY seen DESC, rowid DESC`, row)
		if err != nil {
			yield(Revision{}, fmt.Errorf("read revisions of row %d: %w", row, err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var r Revision
			var seen int64
			if err := rows.Scan(&r.Part, &r.JSON, &seen); err != nil {
				yield(Revision{}, fmt.Errorf("read revisions of row %d: %w", row, err))
				return
			}
			r.Seen = time.UnixMilli(seen).UTC()
			if !yield(r, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Revision{}, fmt.Errorf("read revisions of row %d: %w", row, err))
		}
	}
}
