package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Change is the effect of storing a record.
type Change int

// The changes, from least to most.
const (
	Unchanged Change = iota
	Changed
	New
)

// Tx is a transaction that writes.
type Tx struct {
	ctx context.Context
	tx  *statements
}

// Update runs fn in a transaction. It commits if fn returns nil, and rolls back
// otherwise.
func (a *Archive) Update(ctx context.Context, fn func(*Tx) error) error {
	a.turn.Lock()
	defer a.turn.Unlock()
	if a.write == nil {
		return errors.New("the archive is open for reading only")
	}
	begin, commit := a.engine.transaction()
	if _, err := a.write.ExecContext(ctx, begin); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	committed := false
	defer func() {
		if !committed {
			// SQLite has rolled back already if the disk is full.
			a.write.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	if err := fn(&Tx{ctx, a.write}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	if _, err := a.writer.ExecContext(context.WithoutCancel(ctx), commit); err != nil {
		return fmt.Errorf("write to the archive: %w", err)
	}
	committed = true
	return nil
}

// Get returns a record with its JSON, or [ErrNotFound].
func (t *Tx) Get(kind Kind, id string) (*Record, error) {
	return fullRecord(t.ctx, t.tx, fmt.Sprintf("read %s %s", kind, id), `kind = $1 AND record.id = $2`, kind, id)
}

// Has reports whether the archive has a record.
func (t *Tx) Has(kind Kind, id string) (has bool, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT EXISTS (SELECT 1 FROM record WHERE kind = $1 AND id = $2)`, kind, id).Scan(&has)
	return has, wrap(err, "look for %s %s", kind, id)
}

// Put stores r under its kind and id, and the JSON that it replaces as revisions. now
// is the time of the answer. Put sets Row, Seen, Changed, Address and Hash of r. A
// record that was gone is no longer.
func (t *Tx) Put(r *Record, now time.Time) (Change, error) {
	change, err := t.put(r, now)
	if err != nil {
		return 0, fmt.Errorf("store %s %s: %w", r.Kind, r.ID, err)
	}
	return change, nil
}

func (t *Tx) put(r *Record, now time.Time) (Change, error) {
	r.SetHash()
	old, err := t.Get(r.Kind, r.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		r.Seen = now
		if err := t.insert(r); err != nil {
			return 0, err
		}
		return New, errors.Join(t.addURLs(r, ""), t.refreshDerived(r))
	case err != nil:
		return 0, err
	}
	r.Row, r.Seen, r.Address, r.Changed = old.Row, old.Seen, old.Address, old.Changed
	if old.Hash == r.Hash && !old.Damaged {
		return Unchanged, t.Touch(r)
	}
	if err := t.revise(old, r, now); err != nil {
		return 0, err
	}
	if err := t.update(r); err != nil {
		return 0, err
	}
	return Changed, errors.Join(t.addURLs(r, old.URL), t.refreshDerived(r))
}

// addURLs stores the addresses of a record beside its present one: the one before, and
// those of other parts of its JSON.
func (t *Tx) addURLs(r *Record, before string) error {
	for _, url := range append(r.URLs, before) {
		if url == "" || url == r.URL {
			continue
		}
		if err := t.exec(`INSERT INTO former_url (row, url) VALUES ($1, $2) ON CONFLICT DO NOTHING`, r.Row, url); err != nil {
			return err
		}
	}
	return nil
}

// Touch stores the synchronisation state of a record whose JSON has not changed,
// and clears gone_at and aside.
func (t *Tx) Touch(r *Record) error {
	if err := t.set(r.Row, syncColumns, r.sync()); err != nil {
		return err
	}
	// In a statement of its own, which rarely writes: most indexes hold this column.
	return t.exec(`UPDATE record SET gone_at = NULL, aside = 0 WHERE row = $1 AND gone_at IS NOT NULL`, r.Row)
}

// revise stores the parts of old that r replaces as revisions. The first arrival of a
// part is no change.
func (t *Tx) revise(old, r *Record, now time.Time) error {
	parts := []struct {
		name     string
		old, new []byte
	}{{"list", old.List, r.List}, {"single", old.Single, r.Single}}
	for _, part := range parts {
		if part.old == nil || bytes.Equal(part.old, part.new) {
			continue
		}
		r.Changed = now
		if err := t.addRevision(r.Row, part.name, part.old, now); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) insert(r *Record) error {
	names, values, err := r.columns()
	if err != nil {
		return err
	}
	names, values = append(names, "kind", "id", "seen"), append(values, r.Kind, r.ID, millis(r.Seen))
	err = t.tx.QueryRowContext(t.ctx, `INSERT INTO record (`+strings.Join(names, ", ")+`)
		VALUES (`+numbered(make([]string, len(names)))+`) RETURNING row`, values...).Scan(&r.Row)
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO raw (row, list, single) VALUES ($1, $2, $3)`, r.Row, text(r.List), text(r.Single))
}

func (t *Tx) update(r *Record) error {
	names, values, err := r.columns()
	if err != nil {
		return err
	}
	if err := t.set(r.Row, append(names, "gone_at", "aside"), append(values, nil, 0)); err != nil {
		return err
	}
	return t.exec(`UPDATE raw SET list = $1, single = $2 WHERE row = $3`, text(r.List), text(r.Single), r.Row)
}

// set sets columns of a record.
func (t *Tx) set(row int64, names []string, values []any) error {
	set := make([]string, len(names))
	for i, name := range names {
		set[i] = name + " = "
	}
	return t.exec(`UPDATE record SET `+numbered(set)+fmt.Sprintf(` WHERE row = $%d`, len(names)+1), append(values, row)...)
}

// The columns of a record that are derived from its JSON, and those that hold the
// state of its synchronisation.
var (
	derivedColumns = []string{"type", "path", "title", "spot", "url", "editor", "writer_id", "lead", "published", "modified",
		"tags", "writers", "related", "links", "paths", "parent", "ordinal"}
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
	if r.Standing {
		return append(values, r.Parent, r.Ordinal), nil
	}
	return append(values, "", nil), nil
}

// sync returns the values of syncColumns.
func (r *Record) sync() []any {
	return []any{r.FetchDue, r.Recheck, r.Attempts, millis(r.RetryAt), r.Pass, millis(r.Listed), millis(r.Fetched)}
}

// refreshDerived brings the full-text index and the list of pictures up to date, and
// drops the cleaned text.
func (t *Tx) refreshDerived(r *Record) error {
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

func (t *Tx) exec(query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return err
}

// updateOrInsert runs insert if update finds no row. Both take the same
// parameters.
func (t *Tx) updateOrInsert(update, insert string, args ...any) error {
	result, err := t.tx.ExecContext(t.ctx, update, args...)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return t.exec(insert, args...)
}

// millis returns a time as the archive stores it.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// text returns JSON as the archive stores it.
func text(json []byte) any {
	if json == nil {
		return nil
	}
	return rawJSON(json)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
