package archive

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"

	"github.com/klauspost/compress/s2"
)

// Body returns the text that [Tx.PutBody] stored for a row, or "".
// maker is the version of the rules that made it.
func (a *Archive) Body(ctx context.Context, row, maker int64) (string, error) {
	var found string
	err := a.bodies(ctx, kept+`row = ?`, maker, []any{maker, row}, func(_ int64, body string) { found = body })
	if err != nil {
		return "", fmt.Errorf("read row %d of the archive: %w", row, err)
	}
	return found, nil
}

// MaxBodies is how many rows [Archive.Bodies] reads at once.
const MaxBodies = 32

// largeBody is the size of texts that are read one by one only.
const largeBody = 64 << 10

const kept = `SELECT row, data FROM body WHERE +maker = ? AND `

// Bodies is [Archive.Body] for at most [MaxBodies] rows, in their order. Large
// texts are left out.
func (a *Archive) Bodies(ctx context.Context, rows []int64, maker int64) ([]string, error) {
	condition, args := inRows(rows)
	found := make([]string, len(rows))
	err := a.bodies(ctx, kept+condition+fmt.Sprintf(` AND length(data) < %d`, largeBody), maker, append([]any{maker}, args...), func(row int64, body string) { found[slices.Index(rows, row)] = body })
	if err != nil {
		return nil, fmt.Errorf("read %d rows of the archive: %w", len(rows), err)
	}
	return found, nil
}

func (a *Archive) bodies(ctx context.Context, query string, maker int64, args []any, take func(row int64, body string)) error {
	var packed sql.RawBytes
	for row, err := range each(ctx, a.read.brief(), "read texts", func(s scanner) (row int64, err error) {
		err = s.Scan(&row, &packed)
		return row, err
	}, query, args...) {
		if err != nil {
			return err
		}
		take(row, unpack(row, maker, packed))
	}
	return nil
}

// PutBody stores a text made of a record, until the record's JSON changes.
func (t *Tx) PutBody(row, maker int64, data []byte) error {
	err := t.exec(`INSERT INTO body (row, maker, data) VALUES (?1, ?2, ?3)
		ON CONFLICT (row) DO UPDATE SET maker = ?2, data = ?3`, row, maker, pack(row, maker, data))
	return wrap(err, "keep the text of row %d", row)
}

// MissingBodies yields the rows of records without a text of that maker. It is a
// join because SQLite answers EXCEPT from the table itself, where a damaged
// row would end it.
func (a *Archive) MissingBodies(ctx context.Context, maker int64) iter.Seq2[int64, error] {
	return each(ctx, a.read, "read which texts are not kept", column[int64],
		`SELECT record.row FROM record LEFT JOIN body ON body.row = record.row AND body.maker = ? WHERE body.row IS NULL`, maker)
}

// Writable reports whether the archive is open for writing.
func (a *Archive) Writable() bool { return a.write != nil }

// maxBody limits the memory that a damaged row can claim.
const maxBody = 256 << 20

// pack compresses what is kept of a row, after a checksum of it.
func pack(row, maker int64, data []byte) []byte {
	packed := s2.EncodeBetter(nil, data)
	return append(binary.LittleEndian.AppendUint32(nil, checksum(row, maker, packed)), packed...)
}

func checksum(row, maker int64, packed []byte) uint32 {
	place := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(row)), uint64(maker))
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(place, castagnoli), castagnoli, packed)
}

// unpack reverses pack. It returns "" for damaged data: this is a cache.
func unpack(row, maker int64, packed []byte) string {
	const size = 4
	if len(packed) < size || binary.LittleEndian.Uint32(packed) != checksum(row, maker, packed[size:]) {
		return ""
	}
	packed = packed[size:]
	if n, err := s2.DecodedLen(packed); err != nil || n > maxBody {
		return ""
	}
	data, err := s2.Decode(nil, packed)
	if err != nil {
		return ""
	}
	return string(data)
}
