package archive

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
)

// SheafRows is how many rows that follow each other have their teasers in one
// sheaf.
const SheafRows = 32

// SheafOf returns the number of the sheaf of a row.
func SheafOf(row int64) int64 { return row / SheafRows }

// Sheaf is the teasers of rows that follow each other, which are also neighbours
// in time and in lists: they are read together, where each record would have to
// be found. It is a cache, and may lack any row. The zero Sheaf lacks all.
type Sheaf struct{ data string }

// sheafForm is the version of what packSheaf writes. It is raised when that changes.
const sheafForm = 1

// A sheaf begins with a checksum and the form; then there is for each row where
// its teaser begins, 0 if it has none.
const (
	sheafHead   = 4 + 1
	sheafStarts = sheafHead + 4*SheafRows
)

// longTeaser is the size of teasers that are in no sheaf, in bytes.
const longTeaser = 1 << 10

// Teaser returns the teaser of a row, which shares the memory of the sheaf.
func (s Sheaf) Teaser(row int64) (t Teaser, ok bool) {
	if s.data == "" {
		return t, false
	}
	start := binary.LittleEndian.Uint32([]byte(s.data[sheafHead+4*(row%SheafRows):][:4]))
	if start == 0 {
		return t, false
	}
	rest := reading(s.data[start:])
	t.Row = row
	t.Title, t.Spot, t.Lead = rest.text(), rest.text(), rest.text()
	t.Media = Media{
		URL: t.Lead, Name: rest.text(), Type: rest.text(),
		Width: int(rest.number()), Height: int(rest.number()), Bytes: int64(rest.number()),
	}
	return t, true
}

// reading is what of a sheaf is still to be read.
type reading string

func (r *reading) number() (n uint64) {
	for shift := 0; ; shift += 7 {
		b := (*r)[0]
		*r = (*r)[1:]
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
}

func (r *reading) text() string {
	n := r.number()
	text := (*r)[:n]
	*r = (*r)[n:]
	return string(text)
}

// packSheaf writes a sheaf.
func packSheaf(number int64, teasers []Teaser) []byte {
	b := make([]byte, sheafStarts)
	b[sheafHead-1] = sheafForm
	for _, t := range teasers {
		texts := []string{t.Title, t.Spot, t.Lead, t.Media.Name, t.Media.Type}
		size := 0
		for _, text := range texts {
			size += len(text)
		}
		if size > longTeaser {
			continue
		}
		binary.LittleEndian.PutUint32(b[sheafHead+4*(t.Row%SheafRows):], uint32(len(b)))
		for _, text := range texts {
			b = append(binary.AppendUvarint(b, uint64(len(text))), text...)
		}
		for _, n := range []uint64{uint64(t.Media.Width), uint64(t.Media.Height), uint64(t.Media.Bytes)} {
			b = binary.AppendUvarint(b, n)
		}
	}
	binary.LittleEndian.PutUint32(b, checksum(number, sheafForm, b[sheafHead-1:]))
	return b
}

// sheafIn returns the sheaf that was kept as data. One that is damaged, or of
// another form, is as good as none.
func sheafIn(number int64, data []byte) Sheaf {
	if len(data) < sheafStarts || data[sheafHead-1] != sheafForm ||
		binary.LittleEndian.Uint32(data) != checksum(number, sheafForm, data[sheafHead-1:]) {
		return Sheaf{}
	}
	return Sheaf{string(data)}
}

// Sheaves reads sheaves and calls take with each that is there, in no order.
func (a *Archive) Sheaves(ctx context.Context, numbers []int64, take func(number int64, s Sheaf)) error {
	for condition, args := range among(numbers) {
		if err := a.sheaves(ctx, `SELECT number, data FROM sheaf WHERE number `+condition, args, take); err != nil {
			return fmt.Errorf("read teasers (a build without -shard brings an older archive up to date): %w", err)
		}
	}
	return nil
}

func (a *Archive) sheaves(ctx context.Context, query string, args []any, take func(number int64, s Sheaf)) error {
	rows, err := a.read.queryNow(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var number int64
	var data sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&number, &data); err != nil {
			return err
		}
		take(number, sheafIn(number, data))
	}
	return rows.Err()
}

// tiedAtOnce is how many sheaves are tied in one transaction.
const tiedAtOnce = 64

// TieSheaves makes those of the sheaves that are not there.
func (a *Archive) TieSheaves(ctx context.Context, numbers []int64) error {
	there, err := a.tied(ctx)
	if err != nil {
		return fmt.Errorf("tie teasers: %w", err)
	}
	missing := slices.DeleteFunc(slices.Clone(numbers), func(number int64) bool { return there[number] })
	for some := range slices.Chunk(missing, tiedAtOnce) {
		if err := a.tie(ctx, some); err != nil {
			return fmt.Errorf("tie teasers: %w", err)
		}
	}
	return nil
}

// tie makes sheaves, while nobody else writes. One with a record that cannot be
// read is not made: that is told where the record is shown.
func (a *Archive) tie(ctx context.Context, numbers []int64) error {
	a.turn.Lock()
	defer a.turn.Unlock()
	made := make(map[int64][]byte, len(numbers))
	for _, number := range numbers {
		first := number * SheafRows
		teasers, err := teasersOf(ctx, a.read, teaserPictures+`WHERE row BETWEEN ? AND ?`, []any{first, first + SheafRows - 1}, true, nil)
		if err == nil {
			made[number] = packSheaf(number, teasers)
		} else if ctx.Err() != nil {
			return err
		}
	}
	return a.updateNow(ctx, func(tx *Tx) error {
		for _, number := range numbers {
			if made[number] == nil {
				continue
			}
			if err := tx.exec(`INSERT INTO sheaf (number, data) VALUES (?1, ?2) ON CONFLICT (number) DO UPDATE SET data = ?2`, number, made[number]); err != nil {
				return err
			}
		}
		return nil
	})
}

// tied returns the numbers of the sheaves that are there, in the form of now.
func (a *Archive) tied(ctx context.Context) (map[int64]bool, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT number FROM sheaf WHERE substr(data, ?, 1) = ?`, sheafHead, []byte{sheafForm})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	there := make(map[int64]bool)
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			return nil, err
		}
		there[number] = true
	}
	return there, rows.Err()
}
