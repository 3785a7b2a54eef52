package archive

import (
	"encoding/json"
	"slices"
)

// The columns of a record that are derived from its JSON, and those that hold the
// state of its synchronisation.
var (
	derivedColumns = []string{"type", "path", "title", "spot", "url", "editor", "writer_id", "lead", "published", "modified",
		"tags", "writers", "related", "links", "paths", "access", "parent", "ordinal"}
	syncColumns = []string{"fetch_due", "recheck", "attempts", "retry_at", "pass", "listed", "fetched"}
)

// columns returns the columns that insert and update share, and their values.
func (r *Record) columns() (names []string, values []any, err error) {
	derived, err := r.derived()
	return slices.Concat(derivedColumns, syncColumns, []string{"hash", "changed"}),
		slices.Concat(derived, r.sync(), []any{r.Hash[:], millis(r.Changed)}), err
}

// derived returns the values of derivedColumns.
func (r *Record) derived() ([]any, error) {
	writerID := ""
	if len(r.Writers) > 0 {
		writerID = r.Writers[0].ID
	}
	values := []any{r.Type, r.Path, r.Title, r.Spot, r.URL, r.Editor, writerID, r.Lead, millis(r.Published), millis(r.Modified)}
	for _, list := range []any{orEmpty(r.Tags), orEmpty(r.Writers), orEmpty(r.Related), orEmpty(r.Links), orEmpty(r.Paths)} {
		encoded, err := json.Marshal(list)
		if err != nil {
			return nil, err
		}
		values = append(values, string(encoded))
	}
	values = append(values, r.Access)
	if r.Standing {
		return append(values, r.Parent, r.Ordinal), nil
	}
	return append(values, "", nil), nil // without an ordinal it is no standing page
}

// sync returns the values of syncColumns.
func (r *Record) sync() []any {
	return []any{r.FetchDue, r.Recheck, r.Attempts, millis(r.RetryAt), r.Pass, millis(r.Listed), millis(r.Fetched)}
}

// refreshTables replaces the rows of a record in the full-text index and in the list of its
// pictures, and drops its cleaned text.
func (t *Tx) refreshTables(r *Record) error {
	for _, statement := range []string{`DELETE FROM body WHERE row = $1`, `DELETE FROM image WHERE row = $1`} {
		if err := t.exec(statement, r.Row); err != nil {
			return err
		}
	}
	for i, url := range r.Images {
		if err := t.exec(`INSERT INTO image (row, position, url) VALUES ($1, $2, $3)`, r.Row, i, url); err != nil {
			return err
		}
	}
	if !searched(r.Kind) {
		return nil
	}
	if err := t.exec(`DELETE FROM search WHERE rowid = $1`, r.Row); err != nil {
		return err
	}
	return t.indexWords(r)
}

// indexWords enters the words of a record in the full-text index.
func (t *Tx) indexWords(r *Record) error {
	statement, args := t.tx.engine.index(r.Row, r.indexedWords())
	return t.exec(statement, args...)
}

// searched reports whether a search looks for records of a kind.
func searched(kind Kind) bool { return kind != Page && kind != Writer && kind != Folder }
