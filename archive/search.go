package archive

import (
	"context"
	"fmt"
	"slices"
)

// Hits is what a search found.
type Hits struct {
	Count int        // of all hits
	List  []Document // those that were asked for: single records, else as a search or a list showed them; damaged ones beside them
}

// MostWords is how many different words a search may have: each is looked up in
// every record that holds those before it.
const MostWords = 32

// Search finds the records that hold all words of text, the last one also as
// the beginning of a word, newest first or oldest first. Of too many words it is
// [ErrWords].
func (a *Archive) Search(ctx context.Context, text string, oldest bool, limit, skip int) (h Hits, err error) {
	err = a.Snapshot(ctx, func(r *Reader) error {
		rows, err := r.Search(ctx, text, nil)
		if err != nil {
			return err
		}
		if h.Count = len(rows); oldest {
			slices.Reverse(rows)
		}
		h.List, err = Whole(rows[min(skip, len(rows)):], limit, func(rows []int64) ([]Document, error) { return r.Hits(ctx, rows) })
		return err
	})
	return h, err
}

// Newest returns the rows of all records that are searched and not gone, newest
// first.
func (r *Reader) Newest(ctx context.Context) ([]int64, error) {
	// The plus has SQLite sort what one index holds, rather than look up every record.
	rows, err := scanRows(r.kept.QueryContext(ctx, `SELECT row FROM record
		WHERE kind IN ('article', 'column', 'gallery', 'video') AND vanished IS NULL ORDER BY +published DESC NULLS LAST, record.id DESC`))
	if err != nil {
		return nil, fmt.Errorf("read the order of hits: %w", err)
	}
	return rows, nil
}

// Search returns the rows of the hits of [Archive.Search], newest first. newest
// is what [Reader.Newest] returned of the same state; nil reads it.
func (r *Reader) Search(ctx context.Context, text string, newest []int64) ([]int64, error) {
	list, beginning := terms(text)
	switch {
	case len(list) == 0:
		return nil, nil
	case len(list) > MostWords:
		return nil, fmt.Errorf("search for %d words: %w", len(list), ErrWords)
	}
	if newest == nil {
		var err error
		if newest, err = r.Newest(ctx); err != nil || len(newest) == 0 {
			return nil, err
		}
	}
	set, err := r.found(ctx, list, beginning, slices.Max(newest))
	if err != nil {
		return nil, fmt.Errorf("search %q: %w", text, err)
	}
	var rows []int64
	for _, row := range newest {
		if set.has(row) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}
