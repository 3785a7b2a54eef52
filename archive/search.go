package archive

import (
	"context"
	"database/sql"
	"fmt"
)

// Hits is what a search found.
type Hits struct {
	Count int        // of all hits
	List  []Document // those that were asked for: single records, else as a search or a list showed them
}

// fewHits is up to how many hits are looked up and sorted; of more, the newest
// are found by going through all records from the newest on.
const fewHits = 4000

// Search finds the records that hold all words of text, the last one also as
// the beginning of a word, newest first or oldest first.
func (a *Archive) Search(ctx context.Context, text string, oldest bool, limit, skip int) (Hits, error) {
	condition, arg := match(a.engine, text)
	if condition == "" {
		return Hits{}, nil
	}
	hits, err := a.search(ctx, condition, arg, oldest, limit, skip)
	if err != nil {
		return Hits{}, fmt.Errorf("search %q: %w", text, err)
	}
	return hits, nil
}

func (a *Archive) search(ctx context.Context, condition string, arg any, oldest bool, limit, skip int) (h Hits, err error) {
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
	order := "page.published" + direction + unknown + ", page.id" + direction
	if h.Count > fewHits {
		column = "+row" // no index by it then
	}
	documents(ctx, reader, func(d Document, failure error) bool {
		h.List, err = append(h.List, d), failure
		return err == nil
	}, `SELECT page.id, coalesce(single, json, list), single IS NULL AND json IS NOT NULL
		FROM (SELECT row, id, published FROM record AS page WHERE `+column+` IN (SELECT rowid `+found+`) ORDER BY `+order+` LIMIT ? OFFSET ?) AS page
		JOIN raw USING (row) LEFT JOIN found ON found.id = page.id ORDER BY `+order, arg, limit, skip)
	return h, err
}
