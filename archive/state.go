package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// State returns what [Tx.SetState] kept under name, "" if nothing.
func (a *Archive) State(ctx context.Context, name string) (string, error) {
	var value string
	err := a.read.QueryRowContext(ctx, `SELECT value FROM state WHERE name = ?`, name).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read state %s: %w", name, err)
	}
	return value, nil
}

// Edition names what a site shows of the archive: as long as it stays the same,
// so does every page.
func (a *Archive) Edition(ctx context.Context) (string, error) { return a.State(ctx, "edition") }

// originState is the name of the origin in the table state.
const originState = "origin"

// Origin names the service that the archive was filled from, "" if that was not
// noted yet.
func (a *Archive) Origin(ctx context.Context) (string, error) { return a.State(ctx, originState) }

// SetOrigin notes the service that the archive is filled from.
func (t *Tx) SetOrigin(origin string) error { return t.SetState(originState, origin) }

// SetState keeps a value under a name.
func (t *Tx) SetState(name, value string) error {
	if err := t.exec(`INSERT INTO state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name, value); err != nil {
		return fmt.Errorf("keep state %s: %w", name, err)
	}
	return nil
}

// AddHits adds to the ids that the source found for a saved search, and
// reports how many of them are new.
func (t *Tx) AddHits(query string, ids []string) (int, error) {
	added := 0
	for _, id := range ids {
		result, err := t.tx.ExecContext(t.ctx, `INSERT INTO hit (query, id) VALUES (?, ?) ON CONFLICT DO NOTHING`, query, id)
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

// Hits returns the rows of the records that answer a saved search: what the
// source found, and what the archive's own index finds.
func (a *Archive) Hits(ctx context.Context, query string) ([]int64, error) {
	saved, args := a.engine.equals("hit.query", query)
	found := `SELECT record.row FROM hit JOIN record ON record.id = hit.id
		WHERE ` + saved + ` AND record.kind IN ('article', 'column', 'gallery', 'video')`
	sqlQuery := found + ` ORDER BY 1`
	if list, beginning := terms(query); len(list) > 0 {
		condition, arg := a.engine.holds(list, beginning)
		sqlQuery, args = found+` UNION SELECT rowid FROM search WHERE `+condition+` ORDER BY 1`, append(args, arg)
	}
	rows, err := a.read.QueryContext(ctx, sqlQuery, args...)
	if err != nil {
		return nil, fmt.Errorf("read hits for %q: %w", query, err)
	}
	defer rows.Close()
	var list []int64
	for rows.Next() {
		var row int64
		if err := rows.Scan(&row); err != nil {
			return nil, fmt.Errorf("read hits for %q: %w", query, err)
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

// Directories returns the directories given out in a space ("folder", "tag",
// …), by the name they were given to.
func (a *Archive) Directories(ctx context.Context, space string) (map[string]string, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT name, dir FROM directory WHERE space = ?`, space)
	if err != nil {
		return nil, fmt.Errorf("read %s directories: %w", space, err)
	}
	defer rows.Close()
	dirs := make(map[string]string)
	for rows.Next() {
		var name, dir string
		if err := rows.Scan(&name, &dir); err != nil {
			return nil, fmt.Errorf("read %s directories: %w", space, err)
		}
		dirs[name] = dir
	}
	return dirs, rows.Err()
}

// SetDirectory keeps the directory given to name in a space, in place of the one
// before it.
func (t *Tx) SetDirectory(space, name, dir string) error {
	named, args := t.tx.engine.equals("name", name)
	err := t.exec(`DELETE FROM directory WHERE space = ? AND `+named, append([]any{space}, args...)...)
	if err == nil {
		err = t.exec(`INSERT INTO directory (space, name, dir) VALUES (?, ?, ?)`, space, name, dir)
	}
	if err != nil {
		return fmt.Errorf("keep directory of %s %q: %w", space, name, err)
	}
	return nil
}

// SetAddress keeps the address of a record's page.
func (t *Tx) SetAddress(row int64, address string) error {
	if err := t.exec(`UPDATE record SET address = ? WHERE row = ?`, address, row); err != nil {
		return fmt.Errorf("keep address %s: %w", address, err)
	}
	return nil
}

// Sent returns the times of requests after since, oldest first.
func (a *Archive) Sent(ctx context.Context, since time.Time) ([]time.Time, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT sent FROM request WHERE sent > ? ORDER BY sent`, since.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("read the request ledger: %w", err)
	}
	defer rows.Close()
	var times []time.Time
	for rows.Next() {
		var ms int64
		if err := rows.Scan(&ms); err != nil {
			return nil, fmt.Errorf("read the request ledger: %w", err)
		}
		times = append(times, time.UnixMilli(ms))
	}
	return times, rows.Err()
}

// AddSent enters a request about to be sent, and drops what no limit asks for
// any more.
func (a *Archive) AddSent(ctx context.Context, now time.Time) error {
	return a.Update(ctx, func(t *Tx) error {
		if err := t.exec(`DELETE FROM request WHERE sent < ?`, now.Add(-2*time.Hour).UnixMilli()); err != nil {
			return fmt.Errorf("keep the request ledger: %w", err)
		}
		if err := t.exec(`INSERT INTO request (sent) VALUES (?)`, now.UnixMilli()); err != nil {
			return fmt.Errorf("keep the request ledger: %w", err)
		}
		return nil
	})
}
