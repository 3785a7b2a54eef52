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

	"ayna/archive/database"
)

// Texts are the cleaned texts of records. They can be made again at any time.
type Texts struct{ read *database.Statements }

// Get returns the text that [Tx.PutText] stored for a row, or "".
// version is that of the program and the settings that made it.
func (t Texts) Get(ctx context.Context, row, version int64) (string, error) {
	found, err := t.get(ctx, []int64{row}, version, "")
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// MaxTexts is how many rows [Texts.GetMany] reads at once.
const MaxTexts = 32

// largeBody is the size of texts that are read one by one only.
const largeBody = 64 << 10

// GetMany is [Texts.Get] for at most [MaxTexts] rows, in their order. It returns "" for
// large texts.
func (t Texts) GetMany(ctx context.Context, rows []int64, version int64) ([]string, error) {
	return t.get(ctx, rows, version, fmt.Sprintf(` AND length(data) < %d`, largeBody))
}

func (t Texts) get(ctx context.Context, rows []int64, version int64, and string) ([]string, error) {
	condition, among := t.read.Among(rows, "$2")
	found := make([]string, len(rows))
	var packed sql.RawBytes
	var plain []byte
	for row, err := range database.Each(ctx, t.read.Brief(), "read kept texts", func(s database.Row) (row int64, err error) {
		err = s.Scan(&row, &packed)
		return row, err
	}, `SELECT row, data FROM body WHERE +maker = $1 AND `+condition+and, version, among) {
		if err != nil {
			return nil, err
		}
		plain = unpack(plain, row, version, packed)
		found[slices.Index(rows, row)] = string(plain)
	}
	return found, nil
}

// PutText stores a text made from a record. It is deleted when the record's JSON
// changes.
func (t *Tx) PutText(row, version int64, data []byte) error {
	err := t.exec(`INSERT INTO body (row, maker, data) VALUES ($1, $2, $3)
		ON CONFLICT (row) DO UPDATE SET maker = $2, data = $3`, row, version, pack(row, version, data))
	return database.Wrap(err, "keep the text of row %d", row)
}

// Missing yields the rows of records, or those among some rows unless rows is nil, without a text
// of a version. It reads indexes only: with EXCEPT, SQLite would read the table, and stop at a
// damaged row.
func (t Texts) Missing(ctx context.Context, version int64, rows []int64) iter.Seq2[int64, error] {
	condition, args := ofRows(t.read, ` AND record.`, rows, "$2")
	return database.Each(ctx, t.read, "read which texts are not kept", database.Column[int64],
		`SELECT record.row FROM record LEFT JOIN body ON body.row = record.row AND body.maker = $1 WHERE body.row IS NULL`+condition, append([]any{version}, args...)...)
}

// maxBody limits the memory that a damaged row can claim.
const maxBody = 256 << 20

// pack compresses a text of a row and puts a checksum before it.
func pack(row, version int64, data []byte) []byte {
	packed := s2.EncodeBetter(nil, data)
	return append(binary.LittleEndian.AppendUint32(nil, checksum(row, version, packed)), packed...)
}

func checksum(row, version int64, packed []byte) uint32 {
	key := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(row)), uint64(version))
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, packed)
}

// unpack reverses pack, into plain if that is large enough. It returns nil for damaged
// data, since the text can be made again.
func unpack(plain []byte, row, version int64, packed []byte) []byte {
	const size = 4
	if len(packed) < size || binary.LittleEndian.Uint32(packed) != checksum(row, version, packed[size:]) {
		return nil
	}
	packed = packed[size:]
	if n, err := s2.DecodedLen(packed); err != nil || n > maxBody {
		return nil
	}
	plain, err := s2.Decode(plain, packed)
	if err != nil {
		return nil
	}
	return plain
}
