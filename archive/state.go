package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// State returns the value that [Tx.SetState] stored under a name, or "".
func (a *Archive) State(ctx context.Context, name string) (string, error) {
	var value string
	err := a.read.QueryRowContext(ctx, `SELECT value FROM state WHERE name = $1`, name).Scan(&value)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("read state %s: %w", name, err)
	}
	return value, nil
}

// Generation returns a change counter: while it stays the same, so does every page of
// a site.
func (a *Archive) Generation(ctx context.Context) (string, error) { return a.State(ctx, "generation") }

// originState is the name of the origin in the table state.
const originState = "origin"

// Origin returns the origin of the service that filled the archive, "" if unknown.
func (a *Archive) Origin(ctx context.Context) (string, error) { return a.State(ctx, originState) }

// SetOrigin stores the origin of the service that fills the archive.
func (t *Tx) SetOrigin(origin string) error { return t.SetState(originState, origin) }

// SetState stores a value under a name.
func (t *Tx) SetState(name, value string) error {
	err := t.exec(`INSERT INTO state (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name, value)
	return wrap(err, "keep state %s", name)
}

// AddHits adds ids that the source found for a saved search, and returns how many of
// them are new.
func (t *Tx) AddHits(query string, ids []string) (int, error) {
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

// PutHit stores a hit as a search showed it.
func (t *Tx) PutHit(id string, json []byte) error {
	err := t.updateOrInsert(`UPDATE hit_json SET json = $2 WHERE id = $1`, `INSERT INTO hit_json (id, json) VALUES ($1, $2)`, id, text(json))
	return wrap(err, "keep hit %s", id)
}

// Hit returns a hit as a search showed it, nil if none did.
func (t *Tx) Hit(id string) ([]byte, error) {
	var json []byte
	err := t.tx.QueryRowContext(t.ctx, `SELECT json FROM hit_json WHERE id = $1`, id).Scan(&json)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read hit %s: %w", id, err)
	}
	return json, nil
}

// Directories returns the directories of a space ("folder", "tag", …) by name.
func (a *Archive) Directories(ctx context.Context, space string) (map[string]string, error) {
	dirs := make(map[string]string)
	for pair, err := range each(ctx, a.read, "read "+space+" directories", func(row scanner) (pair [2]string, err error) {
		err = row.Scan(&pair[0], &pair[1])
		return pair, err
	}, `SELECT name, dir FROM directory WHERE space = $1`, space) {
		if err != nil {
			return nil, err
		}
		dirs[pair[0]] = pair[1]
	}
	return dirs, nil
}

// SetDirectory stores the directory of a name in a space. It replaces an earlier one.
func (t *Tx) SetDirectory(space, name, dir string) error {
	err := t.exec(`DELETE FROM directory WHERE space = $1 AND `+t.tx.engine.equals("name", "$2"), space, name)
	if err == nil {
		err = t.exec(`INSERT INTO directory (space, name, dir) VALUES ($1, $2, $3)`, space, name, dir)
	}
	return wrap(err, "keep directory of %s %q", space, name)
}

// PublishedList is a published list of the site, such as a folder, a tag or the list
// of all items. It remains when the list becomes empty, so that its addresses stay.
type PublishedList struct {
	Dir    string // in the published tree; "" is the list of all items
	Title  string
	Pages  int    // highest number of its pages
	Months string // a note on its feeds, and the months of its history: "none 2026-11 2026-10"
}

// PublishedLists returns the lists that were published, by directory.
func (a *Archive) PublishedLists(ctx context.Context) (map[string]PublishedList, error) {
	lists := make(map[string]PublishedList)
	for l, err := range each(ctx, a.read, "read the published lists", func(row scanner) (l PublishedList, err error) {
		err = row.Scan(&l.Dir, &l.Title, &l.Pages, &l.Months)
		return l, err
	}, `SELECT dir, title, pages, months FROM published_list`) {
		if err != nil {
			return nil, err
		}
		lists[l.Dir] = l
	}
	return lists, nil
}

// SetPublishedList stores a list that is published.
func (t *Tx) SetPublishedList(l PublishedList) error {
	err := t.exec(`INSERT INTO published_list (dir, title, pages, months) VALUES ($1, $2, $3, $4) ON CONFLICT (dir) DO UPDATE SET
		title = excluded.title, pages = excluded.pages, months = excluded.months`, l.Dir, l.Title, l.Pages, l.Months)
	return wrap(err, "keep the published list %q", l.Dir)
}

// RemovePublishedList removes a list that is no longer published.
func (t *Tx) RemovePublishedList(dir string) error {
	err := t.exec(`DELETE FROM published_list WHERE dir = $1`, dir)
	return wrap(err, "remove the published list %q", dir)
}

// RemoveDirectory removes the directory of a name in a space, and the list published
// there.
func (t *Tx) RemoveDirectory(space, name string) error {
	named := t.tx.engine.equals("name", "$2")
	err := t.exec(`DELETE FROM published_list WHERE dir IN (SELECT dir FROM directory WHERE space = $1 AND `+named+`)`, space, name)
	if err == nil {
		err = t.exec(`DELETE FROM directory WHERE space = $1 AND `+named, space, name)
	}
	return wrap(err, "remove the directory of %s %q", space, name)
}

// SetAddress stores the address of a record's page.
func (t *Tx) SetAddress(row int64, address string) error {
	err := t.exec(`UPDATE record SET address = $1 WHERE row = $2`, address, row)
	return wrap(err, "keep address %s", address)
}

// Sent returns the times of requests after since, oldest first.
func (a *Archive) Sent(ctx context.Context, since time.Time) ([]time.Time, error) {
	return all(ctx, a.read, "read the request ledger", func(row scanner) (sent time.Time, err error) {
		err = row.Scan(instant{&sent})
		return sent, err
	}, `SELECT sent FROM request WHERE sent > $1 ORDER BY sent`, since.UnixMilli())
}

// AddSent stores the time of a request that is about to be sent. It deletes times that
// no limit needs any more.
func (a *Archive) AddSent(ctx context.Context, now time.Time) error {
	return a.Update(ctx, func(t *Tx) error {
		if err := t.exec(`DELETE FROM request WHERE sent < $1`, now.Add(-2*time.Hour).UnixMilli()); err != nil {
			return fmt.Errorf("keep the request ledger: %w", err)
		}
		err := t.exec(`INSERT INTO request (sent) VALUES ($1)`, now.UnixMilli())
		return wrap(err, "keep the request ledger")
	})
}

// ClampSent sets the times of requests after now to now: the clock was put back.
func (a *Archive) ClampSent(ctx context.Context, now time.Time) error {
	return a.Update(ctx, func(t *Tx) error {
		err := t.exec(`UPDATE request SET sent = $1 WHERE sent > $1`, now.UnixMilli())
		return wrap(err, "keep the request ledger")
	})
}

// Version returns a number that changes with every change of the archive by any
// process. It is only comparable while the archive is open.
func (a *Archive) Version(ctx context.Context) (int64, error) {
	version, err := a.engine.changes(ctx, a.readers)
	if err != nil {
		return 0, fmt.Errorf("watch the archive: %w", Explain(err))
	}
	return version, nil
}

// Outdated reports whether another process changed an archive in a read-only folder
// since it was opened. Reads may be inconsistent then: open it again.
func (a *Archive) Outdated() bool { return a.engine.outdated() }
