package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ayna/archive/database"
	"ayna/record"
	"ayna/source/note"
)

// A Note is what the readers of some records have not understood.
type Note struct {
	Kind    note.Kind `json:"kind"`
	Records int       `json:"records"` // that the source still has
	Example Example   `json:"example"` // the record that arrived last
}

// An Example is a record with its address at the source, "" if it has none.
type Example struct {
	Kind record.Kind `json:"kind"`
	ID   string      `json:"id"`
	URL  string      `json:"url,omitempty"`

	row int64
}

// Notes returns what readers have not understood, by kind, those with the most records first.
func (o Originals) Notes(ctx context.Context) (list []Note, err error) {
	type noted struct {
		names string
		n     int
		row   int64
	}
	for found, err := range database.Each(ctx, o.read, "count notes of readers", func(row database.Row) (f noted, err error) {
		err = row.Scan(&f.names, &f.n, &f.row)
		return f, err
	}, `SELECT notes, count(*), max(record.row) FROM original AS made JOIN record ON record.kind = made.kind AND record.id = made.record
		WHERE notes <> '' AND replaced = 0 AND gone_at IS NULL GROUP BY notes`) {
		if err != nil {
			return nil, err
		}
		for kind := range note.Parse(found.names) {
			at := slices.IndexFunc(list, func(n Note) bool { return n.Kind == kind })
			if at < 0 {
				at, list = len(list), append(list, Note{Kind: kind})
			}
			list[at].Records += found.n
			list[at].Example.row = max(list[at].Example.row, found.row)
		}
	}
	for i := range list {
		e := &list[i].Example
		if err := o.read.QueryRowContext(ctx, `SELECT kind, id, url FROM record WHERE row = $1`, e.row).Scan(&e.Kind, &e.ID, &e.URL); err != nil {
			return nil, fmt.Errorf("read row %d of the archive: %w", e.row, err)
		}
	}
	slices.SortFunc(list, func(a, b Note) int {
		if a.Records != b.Records {
			return b.Records - a.Records
		}
		return strings.Compare(string(a.Kind), string(b.Kind))
	})
	return list, nil
}
