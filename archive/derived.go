package archive

import "ayna/record"

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
	if err := t.exec(`DELETE FROM search WHERE rowid = $1`, r.Row); err != nil {
		return err
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

// indexWords enters the words of a record in the full-text index.
func (t *Tx) indexWords(r *Record) error {
	statement, args := t.tx.IndexWords(r.Row, r.indexedWords())
	return t.exec(statement, args...)
}

// searched reports whether searches find records of a kind: whether they are items, as in
// database.IsItem.
func searched(kind record.Kind) bool {
	return kind != record.Page && kind != record.Writer && kind != record.Folder
}
