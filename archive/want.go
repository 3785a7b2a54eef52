package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// LatestModified returns since when the n records of a kind were modified that
// were modified last, of those that are not gone, or all if there are not as many;
// zero if there are none. Dates after now are of no use for that.
func (a *Archive) LatestModified(ctx context.Context, kind Kind, n int, now time.Time) (time.Time, error) {
	var since sql.NullInt64
	err := a.read.QueryRowContext(ctx, `SELECT min(modified) FROM (SELECT modified FROM record WHERE kind = ? AND modified <= ?
		AND vanished IS NULL ORDER BY modified DESC NULLS LAST LIMIT ?) AS latest`, kind, now.UnixMilli(), n).Scan(&since)
	if err != nil {
		return time.Time{}, fmt.Errorf("read the last changes: %w", err)
	}
	return moment(since), nil
}

// ModifiedSince returns the ids of the records of a kind that were modified since
// then, those dated to come among them, and that are not gone.
func (a *Archive) ModifiedSince(ctx context.Context, kind Kind, since time.Time) (map[string]bool, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT id FROM record WHERE kind = ? AND modified >= ? AND vanished IS NULL`, kind, since.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read the last changes: %w", err)
	}
	defer rows.Close()
	ids := make(map[string]bool)
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("read the last changes: %w", err)
		}
		ids[id] = true
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read the last changes: %w", err)
	}
	return ids, nil
}

// Postpone notes that a single record could not be fetched, or not believed, and
// when to try again.
func (t *Tx) Postpone(kind Kind, id string, again time.Time) error {
	if err := t.exec(`UPDATE record SET tries = tries + 1, again = ?, recheck = CASE WHEN wanted = 1 THEN recheck ELSE 1 END
		WHERE kind = ? AND id = ?`, millis(again), kind, id); err != nil {
		return fmt.Errorf("postpone %s %s: %w", kind, id, err)
	}
	return nil
}

// See notes that a record is there although the pass of that number over its
// list has not seen it.
func (t *Tx) See(kind Kind, id string, pass int) error {
	if err := t.exec(`UPDATE record SET pass = ?1 WHERE kind = ?2 AND id = ?3 AND pass < ?1`, pass, kind, id); err != nil {
		return fmt.Errorf("note that %s %s is there: %w", kind, id, err)
	}
	return nil
}

// Vanish notes that a record is gone from the source.
func (t *Tx) Vanish(kind Kind, id string, now time.Time) error {
	if err := t.exec(`UPDATE record SET vanished = ?, wanted = 0, recheck = 0 WHERE kind = ? AND id = ? AND vanished IS NULL`,
		millis(now), kind, id); err != nil {
		return fmt.Errorf("mark %s %s as gone: %w", kind, id, err)
	}
	return nil
}

// KeepFound keeps a hit as a search showed it.
func (t *Tx) KeepFound(id string, json []byte) error {
	err := t.updateOrInsert(`UPDATE found SET json = ?2 WHERE id = ?1`, `INSERT INTO found (id, json) VALUES (?1, ?2)`, id, text(json))
	if err != nil {
		return fmt.Errorf("keep hit %s: %w", id, err)
	}
	return nil
}

// Found returns a hit as a search showed it, nil if none did.
func (t *Tx) Found(id string) ([]byte, error) {
	var json []byte
	err := t.tx.QueryRowContext(t.ctx, `SELECT json FROM found WHERE id = ?`, id).Scan(&json)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read hit %s: %w", id, err)
	}
	return json, nil
}
