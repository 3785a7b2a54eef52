package archive

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"sync/atomic"
)

// Document is the JSON of a record, byte for byte as it was received.
type Document struct {
	Row     int64
	Kind    Kind // of a whole record in a list, and its ID, if [Archive.List] read it
	ID      string
	JSON    []byte
	Listed  []byte // the list record of a hit, whichever JSON is
	Hash    []byte // of the record; of single records only
	Found   bool   // as a search showed the record
	Damaged bool   // what is kept is not what was received; it is not given out
}

// MostDocuments is how many documents are read at once.
const MostDocuments = 50

// few is how many documents a statement for less than [MostDocuments] reads.
const few = 10

// byRows returns a condition for rows and its parameters. There are two forms of
// it, so that statements can be kept: for few rows, and for [MostDocuments]. The
// last row fills the places that are left.
func byRows(rows []int64) (condition string, args []any) {
	n := MostDocuments
	if len(rows) <= few {
		n = few
	}
	args = make([]any, n)
	for i := range args {
		args[i] = rows[min(i, len(rows)-1)]
	}
	return `row IN (?` + strings.Repeat(`, ?`, n-1) + `)`, args
}

// Lists returns the records of at most [MostDocuments] rows as lists show them,
// in that order. Rows that are gone are left out. A record is damaged if it is
// no JSON: that other bytes are those received is for the check to find, which
// reads the single record, too.
func (r *Reader) Lists(ctx context.Context, rows []int64) ([]Document, error) {
	return r.documents(ctx, rows, `SELECT row, list FROM raw WHERE list IS NOT NULL AND `, func(rows *sql.Rows) (row int64, d Document, err error) {
		err = rows.Scan(&row, &d.JSON)
		d.Damaged = err == nil && !r.valid.known(func() bool { return json.Valid(d.JSON) }, d.JSON)
		return row, d, err
	})
}

// Hits is [Reader.Lists] for records as searches show them: the single record,
// else what a search or a list showed. Their hash is of all their JSON.
func (r *Reader) Hits(ctx context.Context, rows []int64) ([]Document, error) {
	return r.documents(ctx, rows, `SELECT row, `+documentColumns+` FROM record `+withRaw+` WHERE `, func(rows *sql.Rows) (row int64, d Document, err error) {
		d, err = r.valid.scanDocument(rows, asHit, &row)
		return row, d, err
	})
}

// documents reads the documents of rows in their order. The query lacks the
// condition for them.
func (r *Reader) documents(ctx context.Context, rows []int64, query string, scan func(*sql.Rows) (int64, Document, error)) ([]Document, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	condition, args := byRows(rows)
	err := ctx.Err()
	var found *sql.Rows
	if err == nil {
		// As in [statements.queryNow].
		found, err = r.kept.QueryContext(context.WithoutCancel(ctx), query+condition, args...)
	}
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	defer found.Close()
	list := make([]Document, len(rows))
	var damaged []int
	for found.Next() {
		row, d, err := scan(found)
		if err != nil {
			return nil, fmt.Errorf("read the archive: %w", err)
		}
		i := slices.Index(rows, row)
		if d.Row = row; d.Damaged {
			d.JSON, damaged = nil, append(damaged, i)
		}
		list[i] = d
	}
	if err := errors.Join(found.Err(), found.Close()); err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	for _, i := range damaged {
		if err := r.identify(ctx, &list[i]); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(d Document) bool { return d.Row == 0 }), nil
}

// identify sets the kind and id of a document.
func (r *Reader) identify(ctx context.Context, d *Document) error {
	if err := r.kept.QueryRowContext(ctx, `SELECT kind, id FROM record WHERE row = ?`, d.Row).Scan(&d.Kind, &d.ID); err != nil {
		return fmt.Errorf("read row %d of the archive: %w", d.Row, err)
	}
	return nil
}

// documentColumns are what a document is made of; withRaw brings them.
const documentColumns = `kind, record.id, hash, list, single, found.json`

func asHit(r *Record) []byte {
	switch {
	case r.Single != nil:
		return r.Single
	case r.Found != nil:
		return r.Found
	}
	return r.List
}

// scanDocument reads documentColumns after those of before. The hash is of all
// JSON of a record, so that all is read whichever part is shown.
func (v *validity) scanDocument(row interface{ Scan(...any) error }, show func(*Record) []byte, before ...any) (Document, error) {
	var r Record
	var hash []byte
	if err := row.Scan(append(before, &r.Kind, &r.ID, &hash, &r.List, &r.Single, &r.Found)...); err != nil {
		return Document{}, err
	}
	copy(r.Hash[:], hash)
	if r.Single == nil || !v.known(func() bool { return r.Hash == r.hash() }, hash, r.List, r.Single) {
		r.dropDamaged()
	}
	return Document{
		Kind: r.Kind, ID: r.ID, JSON: show(&r), Listed: r.List, Hash: hash, Damaged: r.Damaged,
		Found: r.Single == nil && r.Found != nil,
	}, nil
}

// Single returns a record as its own operation shows it; no JSON if that has
// not arrived, or is damaged. It is [ErrNotFound] if there is no such record or
// it is gone.
func (a *Archive) Single(ctx context.Context, kind Kind, id string) (d Document, err error) {
	rows, err := a.read.queryNow(ctx, `SELECT `+documentColumns+` FROM record `+withRaw+`
		WHERE kind = ? AND record.id = ? AND vanished IS NULL`, kind, id)
	if err == nil {
		defer rows.Close()
		if !rows.Next() {
			err = errors.Join(rows.Err(), ErrNotFound)
			if rows.Err() != nil {
				err = rows.Err()
			}
		} else {
			d, err = a.validity().scanDocument(rows, func(r *Record) []byte { return r.Single })
		}
	}
	if err != nil {
		return d, fmt.Errorf("read %s %s: %w", kind, id, err)
	}
	return d, nil
}

// validity remembers which JSON was found to be valid, or to have its record's
// hash, by a digest, which takes a thirtieth of the time: reading the JSON was a third of
// a list's. What has changed since, on the disk as well, has another digest.
type validity struct {
	seed    maphash.Seed
	digests [1 << 18]atomic.Uint64 // 2 MiB
}

func newValidity() *validity { return &validity{seed: maphash.MakeSeed()} }

// known reports whether the texts were found to be good, which good finds out.
func (v *validity) known(good func() bool, texts ...[]byte) bool {
	var h maphash.Hash
	h.SetSeed(v.seed)
	for i, text := range texts {
		maphash.WriteComparable(&h, [2]int{i, len(text)})
		h.Write(text)
	}
	digest := h.Sum64() | 1 // none is 0
	known := &v.digests[digest>>1%uint64(len(v.digests))]
	if known.Load() == digest {
		return true
	}
	if !good() {
		return false
	}
	known.Store(digest)
	return true
}
