package archive

import (
	"context"
	"fmt"
	"iter"
)

// Document is the JSON of a record, byte for byte as it was received.
type Document struct {
	Kind    Kind
	ID      string
	JSON    []byte
	Listed  []byte // the list record, whichever JSON is
	Found   bool   // as a search showed the record
	Damaged bool   // what is kept is not what was received; it is not given out
}

// documentColumns are what a document is made of; withRaw brings them.
const documentColumns = `kind, record.id, hash, list, single, found.json`

// asListed and asHit choose the JSON of a record for lists and for hits.
func asListed(r *Record) []byte { return r.List }

func asHit(r *Record) []byte {
	switch {
	case r.Single != nil:
		return r.Single
	case r.Found != nil:
		return r.Found
	}
	return r.List
}

// scanDocument reads documentColumns. The hash is of all JSON of a record, so
// that all is read whichever part is shown.
func scanDocument(row interface{ Scan(...any) error }, show func(*Record) []byte) (Document, error) {
	var r Record
	var hash []byte
	if err := row.Scan(&r.Kind, &r.ID, &hash, &r.List, &r.Single, &r.Found); err != nil {
		return Document{}, err
	}
	copy(r.Hash[:], hash)
	r.dropDamaged()
	return Document{
		Kind: r.Kind, ID: r.ID, JSON: show(&r), Listed: r.List, Damaged: r.Damaged,
		Found: r.Single == nil && r.Found != nil,
	}, nil
}

// documents runs a query for documentColumns.
func documents(ctx context.Context, q reader, show func(*Record) []byte, query string, args ...any) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		rows, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(Document{}, fmt.Errorf("read the archive: %w", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			d, err := scanDocument(rows, show)
			if err != nil {
				yield(d, fmt.Errorf("read the archive: %w", err))
				return
			}
			if !yield(d, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Document{}, fmt.Errorf("read the archive: %w", err))
		}
	}
}

// readOn yields a page, and from the next ones as many documents as are damaged
// in it: who reads page by page would take a short one for the end.
func readOn(limit, skip int, page func(limit, skip int) iter.Seq2[Document, error]) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		for whole, size, skip := 0, limit, skip; whole < limit; size, skip = 2*size, skip+size {
			read := 0
			for d, err := range page(size, skip) {
				if !yield(d, err) || err != nil {
					return
				}
				if read++; !d.Damaged {
					whole++
				}
				if whole == limit {
					return
				}
			}
			if read < size {
				return
			}
		}
	}
}
