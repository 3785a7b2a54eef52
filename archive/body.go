package archive

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"

	"github.com/klauspost/compress/s2"
)

// Body returns the text that [Tx.PutBody] stored for a row, or "".
// maker is the version of the rules that made it.
func (a *Archive) Body(ctx context.Context, row, maker int64) (string, error) {
	var found string
	var packed sql.RawBytes
	scan := func(s scanner) (string, error) {
		err := s.Scan(&packed)
		return unpack(row, maker, packed), err
	}
	for body, err := range each(ctx, a.read.brief(), "read a text", scan, `SELECT data FROM body WHERE +maker = ? AND row = ?`, maker, row) {
		if err != nil {
			return "", fmt.Errorf("read row %d of the archive: %w", row, err)
		}
		found = body
	}
	return found, nil
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
