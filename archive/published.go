package archive

import (
	"context"
	"fmt"
)

// PublishedList is a list of the site as it was published: a folder, a tag, the
// list of all items. It is kept when the list becomes empty, for its addresses
// to stay.
type PublishedList struct {
	Dir     string // in the published tree; "" is the list of all items
	Title   string
	Pages   int    // highest number of its pages
	Volumes string // of its history, the names with blanks between them: "2026-11 2026-10"
}

// PublishedLists returns the lists that were published, by directory.
func (a *Archive) PublishedLists(ctx context.Context) (map[string]PublishedList, error) {
	rows, err := a.read.QueryContext(ctx, `SELECT dir, title, pages, volumes FROM published_list`)
	if err != nil {
		return nil, fmt.Errorf("read the published lists: %w", err)
	}
	defer rows.Close()
	lists := make(map[string]PublishedList)
	for rows.Next() {
		var l PublishedList
		if err := rows.Scan(&l.Dir, &l.Title, &l.Pages, &l.Volumes); err != nil {
			return nil, fmt.Errorf("read the published lists: %w", err)
		}
		lists[l.Dir] = l
	}
	return lists, rows.Err()
}

// SetPublishedList keeps a list that is published.
func (t *Tx) SetPublishedList(l PublishedList) error {
	err := t.exec(`INSERT INTO published_list (dir, title, pages, volumes) VALUES (?, ?, ?, ?) ON CONFLICT (dir) DO UPDATE SET
		title = excluded.title, pages = excluded.pages, volumes = excluded.volumes`, l.Dir, l.Title, l.Pages, l.Volumes)
	if err != nil {
		return fmt.Errorf("keep the published list %q: %w", l.Dir, err)
	}
	return nil
}

// RemovePublishedList removes a list that is published no more, not even empty.
func (t *Tx) RemovePublishedList(dir string) error {
	if err := t.exec(`DELETE FROM published_list WHERE dir = ?`, dir); err != nil {
		return fmt.Errorf("remove the published list %q: %w", dir, err)
	}
	return nil
}

// RemoveDirectory removes the directory given to name in a space, and the list
// that was published there.
func (t *Tx) RemoveDirectory(space, name string) error {
	named, args := t.tx.engine.equals("name", name)
	args = append([]any{space}, args...)
	err := t.exec(`DELETE FROM published_list WHERE dir IN (SELECT dir FROM directory WHERE space = ? AND `+named+`)`, args...)
	if err == nil {
		err = t.exec(`DELETE FROM directory WHERE space = ? AND `+named, args...)
	}
	if err != nil {
		return fmt.Errorf("remove the directory of %s %q: %w", space, name, err)
	}
	return nil
}
