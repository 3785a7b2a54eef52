package archive

import (
	"maps"
	"slices"

	"ayna/record"
)

// refreshTables replaces the rows of a record in the full-text index and in the table of its
// files, and drops its cleaned text.
func (t *Tx) refreshTables(r *Record) error {
	if err := t.exec(`DELETE FROM body WHERE row = $1`, r.Row); err != nil {
		return err
	}
	if err := t.refreshFiles(r); err != nil {
		return err
	}
	if !searched(r.Kind) {
		return nil
	}
	return t.indexWords(r)
}

// refreshFiles replaces the rows of a record in the table of pictures and attachments.
func (t *Tx) refreshFiles(r *Record) error {
	if err := t.exec(`DELETE FROM image WHERE row = $1`, r.Row); err != nil {
		return err
	}
	const insert = `INSERT INTO image (row, position, url, attached) VALUES ($1, $2, $3, $4)`
	for i, url := range r.Images {
		if err := t.exec(insert, r.Row, i, url, ""); err != nil {
			return err
		}
	}
	for i, a := range r.Attachments {
		if err := t.exec(insert, r.Row, len(r.Images)+i, a.URL, string(a.Kind)); err != nil {
			return err
		}
	}
	return nil
}

// waiting are words that enter the full-text index together, by row: other statements in
// between would have SQLite write each record's words on their own, which takes a quarter
// of the processor time of storing records.
type waiting struct {
	words map[int64][]string
	bytes int
}

// mostWaiting is how many bytes of words wait at most.
const mostWaiting = 1 << 20

// indexWords replaces the words of a record in the full-text index, at the latest when the
// transaction ends.
func (t *Tx) indexWords(r *Record) error {
	words := r.indexedWords()
	t.waiting.words[r.Row] = words
	for _, word := range words {
		t.waiting.bytes += len(word)
	}
	if t.waiting.bytes < mostWaiting {
		return nil
	}
	return t.enterWords()
}

// enterWords enters the words that wait.
func (t *Tx) enterWords() error {
	rows := slices.Sorted(maps.Keys(t.waiting.words))
	for _, row := range rows {
		if err := t.exec(`DELETE FROM search WHERE rowid = $1`, row); err != nil {
			return err
		}
	}
	for _, row := range rows {
		statement, args := t.tx.IndexWords(row, t.waiting.words[row])
		if err := t.exec(statement, args...); err != nil {
			return err
		}
	}
	clear(t.waiting.words)
	t.waiting.bytes = 0
	return nil
}

// searched reports whether searches find records of a kind: whether they are items, as in
// database.IsItem.
func searched(kind record.Kind) bool {
	return kind != record.Page && kind != record.Writer && kind != record.Folder
}
