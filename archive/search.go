package archive

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
)

// Hits is what a search found.
type Hits struct {
	Count int        // of all hits
	List  []Document // those that were asked for: single records, else as a search or a list showed them; damaged ones beside them
}

// MostWords is how many different words a search may have: each is looked up in
// every record that holds those before it.
const MostWords = 32

// fewHits is up to how many hits are looked up and sorted; of more, the newest
// are found by going through all records from the newest on.
const fewHits = 4000

// Search finds the records that hold all words of text, the last one also as
// the beginning of a word, newest first or oldest first. Of too many words it is
// [ErrWords].
func (a *Archive) Search(ctx context.Context, text string, oldest bool, limit, skip int) (Hits, error) {
	list, beginning := terms(text)
	switch {
	case len(list) == 0:
		return Hits{}, nil
	case len(list) > MostWords:
		return Hits{}, fmt.Errorf("search for %d words: %w", len(list), ErrWords)
	}
	condition, arg := a.engine.holds(list, beginning)
	hits, err := a.search(ctx, condition, arg, oldest, limit, skip)
	if err != nil {
		return Hits{}, fmt.Errorf("search %q: %w", text, err)
	}
	return hits, nil
}

func (a *Archive) search(ctx context.Context, condition string, arg any, oldest bool, limit, skip int) (Hits, error) {
	var h Hits
	// One snapshot for both queries.
	tx, err := a.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return h, err
	}
	defer tx.Rollback()
	// More than 0 is not NULL, and has SQLite use the index of those that are not.
	found := `FROM search WHERE ` + condition + ` AND rowid NOT IN (SELECT row FROM record WHERE vanished > 0)`
	reader := unkept{tx, a.engine}
	if err := reader.QueryRowContext(ctx, `SELECT count(*) `+found, arg).Scan(&h.Count); err != nil {
		return h, err
	}
	if skip >= h.Count {
		return h, nil
	}
	column, direction, unknown := "row", " DESC", " NULLS LAST"
	if oldest {
		direction, unknown = "", " NULLS FIRST"
	}
	order := "published" + direction + unknown + ", record.id" + direction
	if h.Count > fewHits {
		column = "+row" // no index by it then
	}
	query := `SELECT ` + documentColumns + `
		FROM (SELECT row FROM record WHERE ` + column + ` IN (SELECT rowid ` + found + `) ORDER BY ` + order + ` LIMIT ? OFFSET ?) AS page
		JOIN record USING (row) ` + withRaw + ` ORDER BY ` + order
	for d, err := range readOn(limit, skip, func(limit, skip int) iter.Seq2[Document, error] {
		return documents(ctx, reader, asHit, query, arg, limit, skip)
	}) {
		if err != nil {
			return h, err
		}
		h.List = append(h.List, d)
	}
	return h, nil
}
