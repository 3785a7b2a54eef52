package archive

import (
	"context"
	"fmt"
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

// teaserQueries are what reads teasers, by how many it reads at most: many
// statements would each have to be prepared and kept.
var teaserQueries = func() (queries []teaserQuery) {
	const (
		words    = `SELECT row, title, spot, lead`
		pictures = `, coalesce(media.name, ''), coalesce(media.type, ''), coalesce(width, 0), coalesce(height, 0), coalesce(bytes, 0)`
		joined   = ` LEFT JOIN media ON media.url = record.lead AND lead <> ''`
	)
	for _, most := range []int{1, 8, 64, 200} {
		where := ` WHERE row IN (?` + strings.Repeat(", ?", most-1) + `)`
		queries = append(queries, teaserQuery{most, words + ` FROM record` + where, words + pictures + ` FROM record` + joined + where})
	}
	return queries
}()

type teaserQuery struct {
	most            int
	plain, mirrored string
}

// Teasers reads the teasers of the records of these rows, in no order. Those
// that are not there are left out, and so is Media unless it is asked for.
func (a *Archive) Teasers(ctx context.Context, rows []int64, media bool) ([]Teaser, error) {
	teasers := make([]Teaser, 0, len(rows))
	largest := teaserQueries[len(teaserQueries)-1]
	for chunk := range slices.Chunk(rows, largest.most) {
		var err error
		if teasers, err = a.teasers(ctx, chunk, media, teasers); err != nil {
			return nil, fmt.Errorf("read teasers: %w", err)
		}
	}
	return teasers, nil
}

func (a *Archive) teasers(ctx context.Context, rows []int64, media bool, into []Teaser) ([]Teaser, error) {
	i := slices.IndexFunc(teaserQueries, func(q teaserQuery) bool { return q.most >= len(rows) })
	query, args := teaserQueries[i].plain, make([]any, teaserQueries[i].most)
	if media {
		query = teaserQueries[i].mirrored
	}
	for i := range args {
		args[i] = rows[min(i, len(rows)-1)]
	}
	result, err := a.read.queryNow(ctx, query, args...)
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
