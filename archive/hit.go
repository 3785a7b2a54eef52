package archive

import (
	"database/sql"
	"errors"
	"fmt"

	"ayna/archive/database"
)

// HitsTx stores the hits of the source's own search: which ids each saved search found (Add),
// and the JSON of a hit, which does not depend on the search (Put, Get).
type HitsTx struct{ transaction }

// Add adds ids that the source found for a saved search, and returns how many of
// them are new.
func (t HitsTx) Add(query string, ids []string) (int, error) {
	added := 0
	for _, id := range ids {
		result, err := t.tx.ExecContext(t.ctx, `INSERT INTO hit (query, id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, query, id)
		if err != nil {
			return 0, fmt.Errorf("keep hits for %q: %w", query, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, fmt.Errorf("keep hits for %q: %w", query, err)
		}
		added += int(n)
	}
	return added, nil
}

// Put stores the JSON of a hit as the search showed it.
func (t HitsTx) Put(id string, json []byte) error {
	err := t.tx.UpdateOrInsert(`UPDATE hit_json SET json = $2 WHERE id = $1`, `INSERT INTO hit_json (id, json) VALUES ($1, $2)`, id, text(json))
	return database.Wrap(err, "keep hit %s", id)
}

// Get returns the JSON of a hit as the search showed it, nil if it is not stored.
func (t HitsTx) Get(id string) ([]byte, error) {
	var json []byte
	err := t.tx.QueryRowContext(t.ctx, `SELECT json FROM hit_json WHERE id = $1`, id).Scan(&json)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read hit %s: %w", id, err)
	}
	return json, nil
}
