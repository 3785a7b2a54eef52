package archive

import (
	"context"
	"encoding/json"
	"hash/maphash"
	"slices"
	"sync/atomic"

	"ayna/archive/database"
	"ayna/record"
)

// Reader reads records for lists, single records and hits. Each call sees one
// state of the archive, and several calls see the same one within
// [Archive.Snapshot].
type Reader struct {
	valid  *validity
	recurs *database.Statements // for statements that recur: they are prepared once, except in a snapshot
	once   *database.Statements // for all others
}

// Reader returns a Reader whose calls each see the newest state.
func (a *Archive) Reader() *Reader {
	return &Reader{a.validity(), a.read, a.db.Once()}
}

// Snapshot calls read with a Reader whose calls all see the same state.
func (a *Archive) Snapshot(ctx context.Context, read func(*Reader) error) error {
	return a.db.Snapshot(ctx, func(once *database.Statements) error { return read(&Reader{a.validity(), once, once}) })
}

// batch is how many records with JSON are read at once.
const batch = 50

// Lists reads the list JSON of rows, in their order, until limit undamaged ones are read, since
// clients take a short page for the end. Damaged records are among them, with Kind and ID. It
// leaves out rows that do not exist any more. A record counts as damaged if its JSON is invalid;
// hashes are left to [Archive.Check], which reads the single JSON too.
func (r *Reader) Lists(ctx context.Context, rows []int64, limit int) ([]*Record, error) {
	return r.records(ctx, rows, limit, `SELECT row, list FROM raw WHERE list IS NOT NULL AND `, func(row database.Row) (*Record, error) {
		stored := new(Record)
		if err := row.Scan(&stored.Row, &stored.List); err != nil {
			return nil, err
		}
		if !r.valid.known(func() bool { return json.Valid(stored.List) }, stored.List) {
			stored.List, stored.Damaged = nil, true
		}
		return stored, nil
	})
}

// Hits is [Reader.Lists] for the records that searches show: as [Reader.Single]
// returns them.
func (r *Reader) Hits(ctx context.Context, rows []int64, limit int) ([]*Record, error) {
	return r.records(ctx, rows, limit, rawRecords, func(row database.Row) (*Record, error) { return scanRaw(row, r.valid) })
}

// records reads the records of rows, batch by batch. The query ends where the condition on
// rows belongs.
func (r *Reader) records(ctx context.Context, rows []int64, limit int, query string, scan func(database.Row) (*Record, error)) (list []*Record, err error) {
	for limit > 0 && len(rows) > 0 {
		some := rows[:min(limit, len(rows), batch)]
		rows = rows[len(some):]
		condition, among := r.recurs.Among(some, "$1")
		found := make([]*Record, len(some))
		for stored, err := range database.Each(ctx, r.recurs.Brief(), "read the archive", scan, query+condition, among) {
			if err != nil {
				return nil, err
			}
			found[slices.Index(some, stored.Row)] = stored
		}
		for _, stored := range found {
			switch {
			case stored == nil:
				continue
			case !stored.Damaged:
				limit--
			default:
				if err := r.identify(ctx, stored); err != nil {
					return nil, err
				}
			}
			list = append(list, stored)
		}
	}
	return list, nil
}

// identify sets the kind and id of a record.
func (r *Reader) identify(ctx context.Context, stored *Record) error {
	err := r.recurs.QueryRowContext(ctx, `SELECT kind, id FROM record WHERE row = $1`, stored.Row).Scan(&stored.Kind, &stored.ID)
	return database.Wrap(err, "read row %d of the archive", stored.Row)
}

// Single returns a record that is not gone, with its JSON, but of its metadata only kind, id,
// address at the source and FetchDue. Without such a record the error is [database.ErrNotFound].
func (r *Reader) Single(ctx context.Context, kind record.Kind, id string) (*Record, error) {
	stored, err := scanRaw(r.recurs.Brief().QueryRowContext(ctx, rawRecords+`kind = $1 AND record.id = $2 AND gone_at IS NULL`, kind, id), r.valid)
	return stored, database.Wrap(err, "read %s %s", kind, id)
}

// validity is a cache of digests: of JSON that was valid, and of records whose JSON had its
// hash. Checking took a third of the time of a list; computing the digest takes a thirtieth of
// that. JSON that has changed, also on the disk, has another digest.
type validity struct {
	seed    maphash.Seed
	digests [1 << 18]atomic.Uint64 // 2 MiB
}

func newValidity() *validity { return &validity{seed: maphash.MakeSeed()} }

// known reports whether the texts are good: it calls good unless the cache has their digest.
// A nil validity caches nothing.
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
	digest := h.Sum64() | 1 // 0 stands for an empty place in the cache
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
