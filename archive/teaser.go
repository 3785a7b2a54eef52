package archive

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// keepTeaser keeps by which hash lists know a record, if its JSON was replaced
// and they show the same of it as before.
func (t *Tx) keepTeaser(old, r *Record, replaced bool) error {
	if replaced && old.Title == r.Title && old.Spot == r.Spot && old.Lead == r.Lead {
		return t.exec(`INSERT INTO teaser (row, hash) VALUES (?, ?) ON CONFLICT (row) DO NOTHING`, r.Row, old.Hash[:])
	}
	return t.exec(`DELETE FROM teaser WHERE row = ?`, r.Row)
}

// TeaserHash is the beginning of a hash that a record had, as long as that of
// [Light].
type TeaserHash [12]byte

// TeaserHashes returns, by row, the hash that a record had when its title, spot
// or lead picture last changed, of those records that have another one now.
func (a *Archive) TeaserHashes(ctx context.Context) (map[int64]TeaserHash, error) {
	failed := func(err error) error {
		return fmt.Errorf("read what lists show of records (a build without -shard brings an older archive up to date): %w", err)
	}
	rows, err := a.read.QueryContext(ctx, `SELECT row, hash FROM teaser`)
	if err != nil {
		return nil, failed(err)
	}
	defer rows.Close()
	hashes := make(map[int64]TeaserHash)
	for rows.Next() {
		var row int64
		var stored []byte
		if err := rows.Scan(&row, &stored); err != nil {
			return nil, failed(err)
		}
		var hash TeaserHash
		copy(hash[:], stored)
		hashes[row] = hash
	}
	if err := rows.Err(); err != nil {
		return nil, failed(err)
	}
	return hashes, nil
}

// Teaser is what a list shows of a record.
type Teaser struct {
	Row         int64
	Title, Spot string
	Lead        string // address of the lead picture at the source, "" if it has none
	Media       Media  // the lead picture, if it is mirrored
}

// The columns of a teaser without its picture, and with it.
const (
	teaserWords    = `SELECT row, title, spot, lead FROM record `
	teaserPictures = `SELECT row, title, spot, lead, coalesce(media.name, ''), coalesce(media.type, ''),
		coalesce(width, 0), coalesce(height, 0), coalesce(bytes, 0)
		FROM record LEFT JOIN media ON media.url = record.lead AND lead <> '' `
)

// Teasers reads the teasers of the records of these rows, in no order. Those
// that are not there are left out, and so is Media unless it is asked for.
func (a *Archive) Teasers(ctx context.Context, rows []int64, media bool) ([]Teaser, error) {
	teasers := make([]Teaser, 0, len(rows))
	columns := teaserWords
	if media {
		columns = teaserPictures
	}
	for condition, args := range among(rows) {
		var err error
		if teasers, err = teasersOf(ctx, a.read, columns+`WHERE row `+condition, args, media, teasers); err != nil {
			return nil, fmt.Errorf("read teasers: %w", err)
		}
	}
	return teasers, nil
}

func teasersOf(ctx context.Context, from *statements, query string, args []any, media bool, into []Teaser) ([]Teaser, error) {
	result, err := from.queryNow(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer result.Close()
	var t Teaser
	targets := []any{&t.Row, &t.Title, &t.Spot, &t.Lead}
	if media {
		targets = append(targets, &t.Media.Name, &t.Media.Type, &t.Media.Width, &t.Media.Height, &t.Media.Bytes)
	}
	for result.Next() {
		if err := result.Scan(targets...); err != nil {
			return nil, err
		}
		t.Media.URL = t.Lead
		into = append(into, t)
	}
	return into, result.Err()
}

// conditions are that a column is one of so many numbers at most. There are few
// of them: many statements would each have to be prepared and kept.
var conditions = func() (list []condition) {
	for _, most := range []int{1, 8, 64, 200} {
		list = append(list, condition{most, `IN (?` + strings.Repeat(", ?", most-1) + `)`})
	}
	return list
}()

type condition struct {
	most int
	text string
}

// among yields conditions that together say that a column is one of these
// numbers, and the parameters of each.
func among(numbers []int64) iter.Seq2[string, []any] {
	return func(yield func(string, []any) bool) {
		for chunk := range slices.Chunk(numbers, conditions[len(conditions)-1].most) {
			c := conditions[slices.IndexFunc(conditions, func(c condition) bool { return c.most >= len(chunk) })]
			args := make([]any, c.most)
			for i := range args {
				args[i] = chunk[min(i, len(chunk)-1)]
			}
			if !yield(c.text, args) {
				return
			}
		}
	}
}
