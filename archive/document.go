package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// Document is the JSON of a record, byte for byte as it was received.
type Document struct {
	Row        int64
	Kind       Kind // of a whole record in a list, and its ID, if [Archive.List] read it
	ID         string
	JSON       []byte
	Listed     []byte // the list record of a hit, whichever JSON is
	Hash       []byte // of the record; of single records only
	FromSearch bool   // as a search showed the record
	Damaged    bool   // what is kept is not what was received; it is not given out
}

// MostDocuments is how many documents are read at once.
const MostDocuments = 50

// Lists returns the records of at most [MostDocuments] rows as lists show them,
// in that order. Rows that are gone are left out. A record is damaged if it is
// no JSON: that other bytes are those received is for the check to find, which
// reads the single record, too.
func (r *Reader) Lists(ctx context.Context, rows []int64) ([]Document, error) {
	return r.documents(ctx, rows, `SELECT row, list FROM raw WHERE list IS NOT NULL AND `, func(row scanner) (d Document, err error) {
		err = row.Scan(&d.Row, &d.JSON)
		d.Damaged = err == nil && !r.valid.known(func() bool { return json.Valid(d.JSON) }, d.JSON)
		return d, err
	})
}

// Hits is [Reader.Lists] for records as searches show them: the single record,
// else what a search or a list showed. Their hash is of all their JSON.
func (r *Reader) Hits(ctx context.Context, rows []int64) ([]Document, error) {
	return r.documents(ctx, rows, rawRecords, func(s scanner) (Document, error) {
		record, err := scanRaw(s, r.valid)
		if err != nil {
			return Document{}, err
		}
		d := record.document(record.List)
		switch {
		case record.Single != nil:
			d.JSON = record.Single
		case record.Hit != nil:
			d.JSON, d.FromSearch = record.Hit, true
		}
		return d, nil
	})
}

// document returns a part of the JSON of a record.
func (r *Record) document(json []byte) Document {
	return Document{Row: r.Row, Kind: r.Kind, ID: r.ID, JSON: json, Listed: r.List, Hash: r.Hash[:], Damaged: r.Damaged}
}

// documents reads the documents of rows in their order. The query lacks the
// condition for them.
func (r *Reader) documents(ctx context.Context, rows []int64, query string, scan func(scanner) (Document, error)) ([]Document, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	condition, args := inRows(rows)
	list := make([]Document, len(rows))
	var damaged []int
	for d, err := range each(ctx, r.kept.brief(), "read the archive", scan, query+condition, args...) {
		if err != nil {
			return nil, err
		}
		i := slices.Index(rows, d.Row)
		if d.Damaged {
			d.JSON, damaged = nil, append(damaged, i)
		}
		list[i] = d
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
	err := r.kept.QueryRowContext(ctx, `SELECT kind, id FROM record WHERE row = ?`, d.Row).Scan(&d.Kind, &d.ID)
	return wrap(err, "read row %d of the archive", d.Row)
}

// Single returns a record as its own operation shows it; no JSON if that has
// not arrived, or is damaged. It is [ErrNotFound] if there is no such record or
// it is gone.
func (a *Archive) Single(ctx context.Context, kind Kind, id string) (Document, error) {
	for r, err := range each(ctx, a.read.brief(), "read the archive", func(row scanner) (*Record, error) {
		return scanRaw(row, a.validity())
	}, rawRecords+`kind = ? AND record.id = ? AND gone_at IS NULL`, kind, id) {
		if err != nil {
			return Document{}, err
		}
		return r.document(r.Single), nil
	}
	return Document{}, fmt.Errorf("read %s %s: %w", kind, id, ErrNotFound)
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
// A nil validity remembers nothing.
func (v *validity) known(good func() bool, texts ...[]byte) bool {
	if v == nil {
		return good()
	}
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
