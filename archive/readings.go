package archive

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"iter"
	"time"

	"ayna/archive/database"
	"ayna/record"
)

// Keep stores the original of a record's single part, and makes the one that it replaces an
// earlier version, also if that was of another type. Where the record is the same, it keeps the
// stored one: bytes that make no difference to a reader differ in each answer.
func (t OriginalsTx) Keep(o Original, isSame bool) error {
	o.Part = record.SinglePart
	before, err := t.holding(o.Kind, o.Record)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return database.Wrap(err, "read the original of %s %s", o.Kind, o.Record)
	case before.Data == nil:
		err = t.remove(before)
	case isSame && before.Type == o.Type && before.ID == t.tx.Values([]any{o.ID})[0]:
		if before.Reader == o.Reader && before.Notes == o.Notes {
			return nil
		}
	default:
		earlier := before
		earlier.Replaced = o.Fetched
		if err = t.remove(earlier); err == nil { // of the same moment
			err = t.exec(`UPDATE original SET replaced = $5 WHERE `+originalKey(t.tx), append(before.key(), replacedAt(o.Fetched))...)
		}
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return database.Wrap(err, "keep the original of %s %s", o.Kind, o.Record)
	}
	_, err = t.Put(o)
	return err
}

// holding returns the original that a record's single part was made of, without Data if it is
// damaged, or [sql.ErrNoRows].
func (t OriginalsTx) holding(kind record.Kind, id string) (Original, error) {
	return unpacked(t.tx.QueryRowContext(t.ctx, selectOriginal+` WHERE `+t.tx.Equals("record", "$1")+
		` AND kind = $2 AND record <> '' AND part = 'single' AND replaced = 0`, id, kind))
}

// Outdated returns some of the originals that hold and have records in the archive made by another
// reader, without their data: at most the number most. Mark them as read to get others.
func (o Originals) Outdated(ctx context.Context, reader string, most int) ([]Original, error) {
	const by = `SELECT type, id, part, kind, record FROM original WHERE kind <> 'comment' AND record <> '' AND replaced = 0 AND reader `
	return database.All(ctx, o.read, "look for records of another reader", func(row database.Row) (o Original, err error) {
		err = row.Scan(&o.Type, &o.ID, &o.Part, &o.Kind, &o.Record)
		return o, err
	}, `SELECT made.type, made.id, part, made.kind, made.record FROM (`+by+`< $1 UNION ALL `+by+`> $2) AS made
		JOIN record ON record.kind = made.kind AND record.id = made.record LIMIT $3`, reader, Unreadable(reader), most)
}

// CountOutdated returns the number of originals that hold and of which another reader has made
// records, also of those that the archive lacks.
func (o Originals) CountOutdated(ctx context.Context, reader string) (n int, err error) {
	const by = `(SELECT count(*) FROM original WHERE kind <> 'comment' AND record <> '' AND replaced = 0 AND reader `
	err = o.read.QueryRowContext(ctx, `SELECT `+by+`< $1) + `+by+`> $2)`, reader, Unreadable(reader)).Scan(&n)
	return n, database.Wrap(err, "count the records of another reader")
}

// Unreadable is the mark of originals that a reader could not read. [Originals.Outdated] leaves
// them out.
func Unreadable(reader string) string { return reader + "!" }

// Earlier yields the earlier versions of the original of a record's single part, the latest
// first.
func (o Originals) Earlier(ctx context.Context, kind record.Kind, id string) iter.Seq2[Original, error] {
	query := selectOriginal + ` WHERE ` + o.read.Equals("record", "$1") + ` AND kind = $2 AND record <> '' AND part = 'single' AND replaced > 0 ORDER BY replaced DESC`
	return func(yield func(Original, error) bool) {
		for original, err := range database.Each(ctx, o.read, "read earlier originals", unpacked, query, id, kind) {
			if err == nil && original.Data == nil {
				continue
			}
			if !yield(original, err) {
				return
			}
		}
	}
}

// A MadeOriginal is an original with the hash of the record that was made of it, nil if none was.
type MadeOriginal struct {
	Original
	Hash []byte
}

// Each yields all originals with their earlier versions, in the order of types and ids.
func (o Originals) Each(ctx context.Context) iter.Seq2[MadeOriginal, error] {
	const query = `SELECT made.type, made.id, part, made.kind, made.record, operation, reader, notes, made.fetched, nullif(replaced, 0), data, hash
		FROM original AS made LEFT JOIN record ON record.kind = made.kind AND record.id = made.record ORDER BY made.type, made.id, part, replaced`
	return func(yield func(MadeOriginal, error) bool) {
		for made, err := range database.Each(ctx, o.read, "read originals", func(row database.Row) (m MadeOriginal, err error) {
			err = row.Scan(&m.Type, &m.ID, &m.Part, &m.Kind, &m.Record, &m.Operation, &m.Reader, &m.Notes, database.Time(&m.Fetched), database.Time(&m.Replaced), &m.Data, &m.Hash)
			m.Data = m.unpack()
			return m, err
		}, query) {
			if err == nil && made.Data == nil {
				continue
			}
			if !yield(made, err) {
				return
			}
		}
	}
}

// Import stores an original of another archive. It returns false and changes nothing if the archive
// has another one of that key, if its record was forgotten, or if a single record is not what was
// made of it.
func (t OriginalsTx) Import(o MadeOriginal) (bool, error) {
	tx := &Tx{transaction: t.transaction}
	if o.Record != "" {
		if forgotten, err := tx.isForgotten(o.Kind, o.Record); err != nil || forgotten {
			return false, err
		}
	}
	if o.Part == record.SinglePart {
		if r, err := tx.Get(o.Kind, o.Record); errors.Is(err, database.ErrNotFound) || err == nil && !bytes.Equal(r.Hash[:], o.Hash) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	if _, err := t.stored(o.Original); !errors.Is(err, sql.ErrNoRows) {
		return false, database.Wrap(err, "read the original %s %s", o.Type, o.ID)
	}
	if o.Kind == record.Comment {
		o.Reader = "" // the next run makes the comment
	}
	return t.Put(o.Original)
}

// OriginalsState is the name of the state that has what is known of records without originals. It
// is emptied when an original is lost, and when records come from elsewhere.
const OriginalsState = "originals"

// WithoutOriginal yields the rows of the items that have a text, but no original
// of it, the newest first. It leaves out those that are gone, or are fetched anyhow.
func (o Originals) WithoutOriginal(ctx context.Context) iter.Seq2[int64, error] {
	return database.Each(ctx, o.read, "look for records without originals", database.Column[int64], `SELECT record.row FROM record
		WHERE fetched IS NOT NULL AND fetch_due = 0 AND recheck = 0 AND gone_at IS NULL AND `+database.IsItem+`
		AND NOT EXISTS (SELECT 1 FROM original WHERE original.kind = record.kind AND `+o.read.Equals("original.record", "record.id")+`
			AND original.record <> '' AND part = 'single' AND replaced = 0)
		ORDER BY published DESC NULLS LAST, record.row DESC`)
}

// Recheck marks the records to be fetched again whose originals a kind of request has brought.
func (t OriginalsTx) Recheck(operation string) error {
	err := t.exec(`UPDATE record SET recheck = 1 WHERE fetched IS NOT NULL AND fetch_due = 0 AND gone_at IS NULL
		AND EXISTS (SELECT 1 FROM original WHERE original.kind = record.kind AND `+t.tx.Equals("original.record", "record.id")+`
			AND original.record <> '' AND part = 'single' AND replaced = 0 AND operation = $1)`, operation)
	return database.Wrap(err, "mark records of %s to be fetched again", operation)
}

// Any reports whether the archive has originals.
func (o Originals) Any(ctx context.Context) (any bool, err error) {
	err = o.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM original)`).Scan(&any)
	return any, database.Wrap(err, "look for originals")
}

// MarkRead stores by which reader the record of an original was made, and its notes.
func (t OriginalsTx) MarkRead(o Original, reader string) error {
	err := t.exec(`UPDATE original SET reader = $5, notes = $6 WHERE `+originalKey(t.tx), append(o.key(), reader, o.Notes)...)
	return database.Wrap(err, "mark the original %s %s as read", o.Type, o.ID)
}

// Replace stores the JSON of a record, and its metadata, instead of those that the archive
// has. It is another reading of the same answer, so it makes no revision, and Changed stays.
func (t *Tx) Replace(r *Record) error { return t.replace(r) }

// ReplaceRevision stores another reading of an earlier version of a part of a record, which was
// replaced at a time.
func (t *Tx) ReplaceRevision(row int64, part string, replacedAt time.Time, json []byte) error {
	err := t.exec(`UPDATE revision SET json = $4 WHERE row = $1 AND part = $2 AND seen = $3`, row, part, database.Millis(replacedAt), text(json))
	if err == nil {
		err = t.exec(`INSERT INTO state (name, value) VALUES ('rereads', '1') ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(state.value AS INTEGER) + 1 AS TEXT)`)
	}
	return database.Wrap(err, "replace an earlier version of row %d", row)
}
