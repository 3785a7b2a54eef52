package archive

import (
	"context"
	"fmt"
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
