package archive

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"
)

// Display is what the page of a record shows of it beside its pictures.
type Display struct {
	ID, Title, Spot, URL, Editor string
	Vanished                     time.Time
	Hash                         [32]byte
	Body                         string // what [Tx.PutBody] kept; "" if there is nothing of that maker
}

// Display reads what the page of the record in a row shows, with what a maker
// made of its text.
func (a *Archive) Display(ctx context.Context, row, maker int64) (*Display, error) {
	var d Display
	var hash, body sql.RawBytes
	var vanished sql.NullInt64
	rows, err := a.read.queryNow(ctx, `SELECT id, title, spot, url, editor, vanished, hash, data
		FROM record LEFT JOIN body ON body.row = record.row AND maker = ? WHERE record.row = ?`, maker, row)
	if err != nil {
		return nil, fmt.Errorf("read row %d of the archive: %w", row, err)
	}
	defer rows.Close()
	if !rows.Next() {
		if err = rows.Err(); err == nil {
			err = ErrNotFound
		}
		return nil, fmt.Errorf("read row %d of the archive: %w", row, err)
	}
	if err := rows.Scan(&d.ID, &d.Title, &d.Spot, &d.URL, &d.Editor, &vanished, &hash, &body); err != nil {
		return nil, fmt.Errorf("read row %d of the archive: %w", row, err)
	}
	d.Vanished = moment(vanished)
	copy(d.Hash[:], hash)
	if len(body) > 0 {
		d.Body = unpack(row, maker, body)
	}
	return &d, nil
}

// PutBody keeps what a maker made of a record's text, until the record changes.
func (t *Tx) PutBody(row, maker int64, data []byte) error {
	err := t.exec(`INSERT INTO body (row, maker, data) VALUES (?1, ?2, ?3)
		ON CONFLICT (row) DO UPDATE SET maker = ?2, data = ?3`, row, maker, pack(row, maker, data))
	if err != nil {
		return fmt.Errorf("keep the text of row %d: %w", row, err)
	}
	return nil
}

// Bodiless returns the rows of records of whose text a maker has kept nothing.
func (a *Archive) Bodiless(ctx context.Context, maker int64) (map[int64]bool, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT row FROM light EXCEPT SELECT row FROM body WHERE maker = ?`, maker)
	if err != nil {
		return nil, fmt.Errorf("read which texts are not kept: %w", err)
	}
	defer rows.Close()
	missing := make(map[int64]bool)
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, fmt.Errorf("read which texts are not kept: %w", err)
		}
		missing[row] = true
	}
	return missing, rows.Err()
}

// Writable reports whether the archive is open for writing.
func (a *Archive) Writable() bool { return a.write != nil }

// maxBody bounds what a damaged row may ask for.
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

// unpacked are buffers for texts as they come out of the archive.
var unpacked = sync.Pool{New: func() any { return new([]byte) }}

// unpack returns what pack was given. A cache that is damaged is as good as
// none.
func unpack(row, maker int64, packed []byte) string {
	const size = 4
	if len(packed) < size || binary.LittleEndian.Uint32(packed) != checksum(row, maker, packed[size:]) {
		return ""
	}
	packed = packed[size:]
	if n, err := s2.DecodedLen(packed); err != nil || n > maxBody {
		return ""
	}
	buffer := unpacked.Get().(*[]byte)
	defer unpacked.Put(buffer)
	data, err := s2.Decode((*buffer)[:cap(*buffer)], packed)
	if err != nil {
		return ""
	}
	if cap(data) <= keptBuffer {
		*buffer = data
	}
	return string(data)
}

// keptBuffer is the size of buffers that are used again.
const keptBuffer = 256 << 10
