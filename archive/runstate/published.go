package runstate

import (
	"context"

	"ayna/archive/database"
)

// PublishedList is a published list of the site, such as a folder, a tag or the list
// of all items. It remains when the list becomes empty, so that its addresses stay.
type PublishedList struct {
	Dir    string // in the published tree; "" is the list of all items
	Title  string
	Pages  int      // highest number of its pages
	Feeds  string   // none: a tag without feeds, or a list whose months have none; one: a tag with one format; else ""
	Months []string // names of the months of its history, 2026-11, 2026-10-1, or of its years, 2026, 2025-p1
}

// PublishedLists returns the lists that were published, by directory.
func (s State) PublishedLists(ctx context.Context) (map[string]PublishedList, error) {
	lists := make(map[string]PublishedList)
	for l, err := range database.Each(ctx, s.read, "read the published lists", func(row database.Row) (l PublishedList, err error) {
		err = row.Scan(&l.Dir, &l.Title, &l.Pages, &l.Feeds, database.List(&l.Months))
		return l, err
	}, `SELECT dir, title, pages, feeds, months FROM published_list`) {
		if err != nil {
			return nil, err
		}
		lists[l.Dir] = l
	}
	return lists, nil
}

// SetPublishedList stores a list that is published.
func (t Tx) SetPublishedList(l PublishedList) error {
	err := t.tx.Exec(`INSERT INTO published_list (dir, title, pages, feeds, months) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (dir) DO UPDATE SET
		title = excluded.title, pages = excluded.pages, feeds = excluded.feeds, months = excluded.months`,
		l.Dir, l.Title, l.Pages, l.Feeds, database.List(&l.Months).Stored())
	return database.Wrap(err, "keep the published list %q", l.Dir)
}

// RemovePublishedList removes a list that is no longer published.
func (t Tx) RemovePublishedList(dir string) error {
	err := t.tx.Exec(`DELETE FROM published_list WHERE dir = $1`, dir)
	return database.Wrap(err, "remove the published list %q", dir)
}

// Directories returns the directories of a space ("folder", "tag", …) by name.
func (s State) Directories(ctx context.Context, space string) (map[string]string, error) {
	dirs := make(map[string]string)
	for pair, err := range database.Each(ctx, s.read, "read "+space+" directories", func(row database.Row) (pair [2]string, err error) {
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
func (t Tx) SetDirectory(space, name, dir string) error {
	err := t.tx.Exec(`DELETE FROM directory WHERE space = $1 AND `+t.tx.Equals("name", "$2"), space, name)
	if err == nil {
		err = t.tx.Exec(`INSERT INTO directory (space, name, dir) VALUES ($1, $2, $3)`, space, name, dir)
	}
	return database.Wrap(err, "keep directory of %s %q", space, name)
}

// RemoveDirectory removes the directory of a name in a space, and the list published
// there.
func (t Tx) RemoveDirectory(space, name string) error {
	named := t.tx.Equals("name", "$2")
	err := t.tx.Exec(`DELETE FROM published_list WHERE dir IN (SELECT dir FROM directory WHERE space = $1 AND `+named+`)`, space, name)
	if err == nil {
		err = t.tx.Exec(`DELETE FROM directory WHERE space = $1 AND `+named, space, name)
	}
	return database.Wrap(err, "remove the directory of %s %q", space, name)
}
