package archive

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/klauspost/compress/zstd"

	"ayna/archive/database"
	"ayna/archive/runstate"
	"ayna/record"
)

// Original is the JSON of an object as a living source sent it. Records are made of some
// originals; those of terms, for example, only give others their names.
type Original struct {
	Type      string      // the source's name of the list, such as users
	ID        string      // the source's id
	Part      string      // list or single; the latter of a record that has a text
	Kind      record.Kind // of the record that was made of it, "" if none was
	Record    string      // id of that record
	Operation string      // of the request that brought it
	Reader    string      // which reader has made the record of it, see [ayna/source.Reader]
	Notes     string      // what that reader has not understood, see [ayna/source/note.Set]
	Fetched   time.Time   // when these bytes first came
	Replaced  time.Time   // when others took their place; zero of those that hold
	Data      []byte      // as received; at most 64 MiB
}

// Originals reads what living sources sent. It leaves out damaged originals, which the next
// run stores again.
type Originals struct{ read *database.Statements }

// OriginalsTx writes what [Originals] reads.
type OriginalsTx struct{ transaction }

// MaxOriginal is the size of the largest original. It limits the memory that a damaged row can
// claim.
const MaxOriginal = 64 << 20

const selectOriginal = `SELECT type, id, part, kind, record, operation, reader, notes, fetched, nullif(replaced, 0), data FROM original`

// scanOriginal reads a row of selectOriginal. Data is still compressed.
func scanOriginal(row database.Row) (o Original, err error) {
	err = row.Scan(&o.Type, &o.ID, &o.Part, &o.Kind, &o.Record, &o.Operation, &o.Reader, &o.Notes, database.Time(&o.Fetched), database.Time(&o.Replaced), &o.Data)
	return o, err
}

// unpacked is scanOriginal with Data decompressed, nil if it is damaged.
func unpacked(row database.Row) (o Original, err error) {
	if o, err = scanOriginal(row); err == nil {
		o.Data = o.unpack()
	}
	return o, err
}

// Get returns those of a type and part that have one of some ids, by id, without earlier versions.
func (o Originals) Get(ctx context.Context, typ, part string, ids []string) (map[string]Original, error) {
	found := make(map[string]Original)
	for _, id := range ids { // one by one: for several at once, PostgreSQL may read the whole type
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		original, err := storedOriginal(ctx, o.read.Brief(), typ, id, part)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("read the original %s %s: %w", typ, id, err)
		}
		if original.Data != nil {
			original.ID = id
			found[id] = original
		}
	}
	return found, nil
}

// storedOriginal returns the original of a key, without Data if it is damaged, or
// [sql.ErrNoRows].
func storedOriginal(ctx context.Context, q *database.Statements, typ, id, part string) (Original, error) {
	return unpacked(q.QueryRowContext(ctx, selectOriginal+` WHERE `+originalKey(q), typ, id, part, 0))
}

// originalKey is the condition that an original has the type, id, part and time of replacement in
// the first parameters.
func originalKey(e database.Dialect) string {
	return e.Equals("type", "$1") + ` AND ` + e.Equals("id", "$2") + ` AND part = $3 AND replaced = $4`
}

// key returns the parameters of [originalKey].
func (o Original) key() []any { return []any{o.Type, o.ID, o.Part, replacedAt(o.Replaced)} }

// replacedAt is a time as the key has it: NULL cannot be a part of a key.
func replacedAt(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// All yields those of a type and part in the order of their ids as texts, without earlier versions.
func (o Originals) All(ctx context.Context, typ, part string) iter.Seq2[Original, error] {
	query := selectOriginal + ` WHERE ` + o.read.Equals("type", "$1") + ` AND part = $2 AND replaced = 0 ORDER BY id`
	return func(yield func(Original, error) bool) {
		for original, err := range database.Each(ctx, o.read, "read originals", unpacked, query, typ, part) {
			if err == nil && original.Data == nil {
				continue
			}
			if !yield(original, err) {
				return
			}
		}
	}
}

// Put stores an original, and reports whether it wrote something: it does not if the same
// bytes, and the same record that the same reader made of them, are stored. Remove mentions of forgotten records
// first, and refuse the API key, as in a record's JSON.
func (t OriginalsTx) Put(o Original) (changed bool, err error) {
	if changed, err = t.put(o); err != nil {
		return false, fmt.Errorf("store the original %s %s: %w", o.Type, o.ID, err)
	}
	return changed, nil
}

func (t OriginalsTx) put(o Original) (changed bool, err error) {
	switch {
	case len(o.Data) > MaxOriginal:
		return false, fmt.Errorf("it has %d bytes, and at most %d are allowed", len(o.Data), MaxOriginal)
	case !json.Valid(o.Data):
		return false, errors.New("it is not JSON")
	}
	statement := `UPDATE original SET kind = $5, record = $6, operation = $7, reader = $8, notes = $9, fetched = $10, data = $11 WHERE ` + originalKey(t.tx)
	stored, err := t.stored(o)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		statement = `INSERT INTO original (type, id, part, replaced, kind, record, operation, reader, notes, fetched, data) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
	case err != nil:
		return false, err
	case bytes.Equal(stored.Data, o.Data) && stored.Reader == o.Reader && stored.Notes == o.Notes && stored.Kind == o.Kind && t.tx.Values([]any{o.Record})[0] == stored.Record:
		return false, nil
	}
	return true, t.exec(statement, append(o.key(), o.Kind, o.Record, o.Operation, o.Reader, o.Notes, database.Millis(o.Fetched), packOriginal(o.Data))...)
}

// stored returns what is stored under the key of an original, as [storedOriginal] does.
func (t OriginalsTx) stored(o Original) (Original, error) {
	return unpacked(t.tx.QueryRowContext(t.ctx, selectOriginal+` WHERE `+originalKey(t.tx), o.key()...))
}

// Delete deletes both parts of an original with their earlier versions, if it is there.
func (t OriginalsTx) Delete(typ, id string) error {
	err := t.exec(`DELETE FROM original WHERE `+t.tx.Equals("type", "$1")+` AND `+t.tx.Equals("id", "$2"), typ, id)
	return database.Wrap(err, "delete the original %s %s", typ, id)
}

// remove deletes one version of one part.
func (t OriginalsTx) remove(o Original) error {
	return t.exec(`DELETE FROM original WHERE `+originalKey(t.tx), o.key()...)
}

// lose removes an original that is damaged. A record without one is fetched again.
func (t OriginalsTx) lose(o Original) error {
	err := t.remove(o)
	if err == nil {
		err = runstate.Within(t.tx).Set(OriginalsState, "")
	}
	return err
}

// redact removes mentions of forgotten records from all originals, and damaged ones, which may
// hold some.
func (t OriginalsTx) redact(mentions record.Redactor) error {
	keys, err := t.mentioning(mentions)
	if err != nil {
		return err
	}
	for _, key := range keys {
		stored, err := t.stored(key)
		if err != nil {
			return err
		}
		kept, err := mentions.Apply(stored.Data)
		switch {
		case stored.Data == nil || err != nil:
			err = t.lose(key)
		case !bytes.Equal(kept, stored.Data):
			err = t.exec(`UPDATE original SET data = $5 WHERE `+originalKey(t.tx), append(key.key(), packOriginal(kept))...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mentioning returns the originals that may mention a forgotten record, without their data.
func (t OriginalsTx) mentioning(mentions record.Redactor) (keys []Original, err error) {
	for o, err := range database.Each(t.ctx, t.tx.Statements, "look for mentions of forgotten records", unpacked, selectOriginal) {
		if err != nil {
			return nil, err
		}
		if o.Data == nil || mentions.Mentions(o.Data) {
			keys = append(keys, Original{Type: o.Type, ID: o.ID, Part: o.Part, Replaced: o.Replaced})
		}
	}
	return keys, nil
}

// originals checks that each original is whole JSON.
func (c *check) originals(ctx context.Context) error {
	stored := database.Each(ctx, c.read, "read originals", scanOriginal, selectOriginal+` ORDER BY type, id, part, replaced`)
	return examine(ctx, c, stored, func(o Original) int { return len(o.Data) }, func(o Original) []Flaw {
		if json.Valid(o.unpack()) {
			return nil
		}
		return []Flaw{{
			Kind: o.Kind, ID: o.Record,
			What: fmt.Sprintf("the original %s %s (%s) is damaged; it is removed, and the next run brings it again", o.Type, o.ID, o.Part),
			mend: func(tx *Tx) error { return tx.Originals.lose(o) },
		}}
	}, func(int) {})
}

// They are made when the program starts: what a test in virtual time makes, no other may use.
var (
	originalEncoder = newOriginalEncoder()
	originalDecoder = newOriginalDecoder()
)

func newOriginalEncoder() *zstd.Encoder {
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true)) // no option is invalid
	z.EncodeAll(nil, nil)
	return z
}

func newOriginalDecoder() *zstd.Decoder {
	z, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(MaxOriginal))
	return z
}

func packOriginal(data []byte) []byte { return originalEncoder.EncodeAll(data, nil) }

// unpack returns the data of a packed original, nil if it is damaged: zstd has a checksum.
func (o Original) unpack() []byte {
	data, err := originalDecoder.DecodeAll(o.Data, nil)
	if err != nil || len(data) == 0 {
		return nil
	}
	return data
}
