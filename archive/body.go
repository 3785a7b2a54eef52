package archive

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/klauspost/compress/s2"
)

// Display is what the page of a record shows of it beside its pictures.
type Display struct {
	ID, Title, Spot, URL, Editor string
	Related                      []Reference
	Vanished                     time.Time
	Hash                         [32]byte
	Body                         []byte // what [Tx.PutBody] kept; nil if there is nothing of that maker
}

// Display reads what the page of the record in a row shows, with what a maker
// made of its text.
func (a *Archive) Display(ctx context.Context, row, maker int64) (*Display, error) {
	var d Display
	var related, hash, body sql.RawBytes
	var vanished sql.NullInt64
	rows, err := a.read.queryNow(ctx, `SELECT id, title, spot, url, editor, related, vanished, hash, data
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
	if err := rows.Scan(&d.ID, &d.Title, &d.Spot, &d.URL, &d.Editor, &related, &vanished, &hash, &body); err != nil {
		return nil, fmt.Errorf("read row %d of the archive: %w", row, err)
	}
	d.Vanished = moment(vanished)
	copy(d.Hash[:], hash)
	if len(related) > len("[]") {
		if err := json.Unmarshal(related, &d.Related); err != nil {
			return nil, fmt.Errorf("read row %d of the archive: damaged metadata: %w", row, err)
		}
	}
	if len(body) > 0 {
		d.Body = unpack(body)
	}
	return &d, nil
}

// PutBody keeps what a maker made of a record's text, until the record changes.
func (t *Tx) PutBody(row, maker int64, data []byte) error {
	err := t.exec(`INSERT INTO body (row, maker, data) VALUES (?1, ?2, ?3)
		ON CONFLICT (row) DO UPDATE SET maker = ?2, data = ?3`, row, maker, s2.EncodeBetter(nil, data))
	if err != nil {
		return fmt.Errorf("keep the text of row %d: %w", row, err)
	}
	return nil
}

// Bodiless returns the rows of items of whose text a maker has kept nothing.
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

func unpack(packed []byte) []byte {
	if n, err := s2.DecodedLen(packed); err != nil || n > maxBody {
		return nil
	}
	data, err := s2.Decode(nil, packed)
	if err != nil {
		return nil // a cache that is damaged is as good as none
	}
	return data
}
