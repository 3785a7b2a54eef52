package archive

import (
	"context"
	"fmt"
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

// Revisions returns the earlier versions of a record, oldest first.
func (a *Archive) Revisions(ctx context.Context, row int64) ([]Revision, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT part, json, seen FROM revision WHERE row = ? ORDER BY seen, rowid`, row)
	if err != nil {
		return nil, fmt.Errorf("read revisions of row %d: %w", row, err)
	}
	defer rows.Close()
	var revisions []Revision
	for rows.Next() {
		var r Revision
		var json string
		var seen int64
		if err := rows.Scan(&r.Part, &json, &seen); err != nil {
			return nil, fmt.Errorf("read revisions of row %d: %w", row, err)
		}
		r.JSON, r.Seen = []byte(json), time.UnixMilli(seen).UTC()
		revisions = append(revisions, r)
	}
	return revisions, rows.Err()
}
