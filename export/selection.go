package export

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/slug"
)

// Selection selects records of an archive or items of a site. The zero Selection selects all.
type Selection struct {
	Path  string         // folder with its sub-folders, like "/ekonomi/"; "" and "/" are all
	Month time.Time      // any moment of the month of publication; zero is all
	Zone  *time.Location // in which months begin

	rows   map[int64]bool // of the items of a writer or a saved search; nil is all
	titles []string       // of these
}

// ParseSelection parses a folder's path and a month like 2026-09. Either may be empty.
func ParseSelection(folder, month string, zone *time.Location) (Selection, error) {
	s := Selection{Path: path.Clean("/" + folder), Zone: zone}
	if s.Path != "/" {
		s.Path += "/"
	}
	var err error
	if month != "" {
		if s.Month, err = time.ParseInLocation("2006-01", month, zone); err != nil {
			err = fmt.Errorf("month %q: write it as 2026-09", month)
		}
	}
	return s, err
}

// dir is the directory of the selection in the published tree, "" for the root.
func (s Selection) dir() string { return strings.Trim(s.Path, "/") }

func (s Selection) inMonth(t time.Time) bool {
	if s.Month.IsZero() {
		return true
	}
	t = t.In(s.Zone)
	return t.Year() == s.Month.Year() && t.Month() == s.Month.Month()
}

// holds reports whether a record belongs to the selection.
func (s Selection) holds(r *archive.Record) bool {
	return (s.dir() == "" || strings.HasPrefix(strings.TrimSuffix(r.Path, "/")+"/", s.Path)) && s.inMonth(r.Published) &&
		(s.rows == nil || s.rows[r.Row])
}

// Narrow limits the selection to the items of a writer or a saved search of the site, by the
// title or the directory of its list. The name "" limits nothing.
func (s *Selection) Narrow(from *site.Site, kind site.ListKind, name string) error {
	if name == "" {
		return nil
	}
	rows, titles := make(map[int64]bool), len(s.titles)
	var others []string
	for l := range from.Lists() {
		if l.Kind != kind {
			continue
		}
		if !isNamed(l, name, from.Language) {
			others = append(others, l.Title)
			continue
		}
		s.titles = append(s.titles, l.Title)
		for item := range l.Items.All() {
			if s.rows == nil || s.rows[item.Row()] {
				rows[item.Row()] = true
			}
		}
	}
	if len(s.titles) == titles {
		return fmt.Errorf("no list of %s has the title or directory %q; nearest: %s", kind, name, slug.Nearest(others, name, from.Language))
	}
	s.rows = rows
	return nil
}

func isNamed(l *site.List, name, language string) bool {
	dir := strings.Trim(name, "/")
	named := slug.Of(name, language)
	return name == l.Title || dir == l.Dir || dir == path.Base(l.Dir) || named != "" && named == slug.Of(l.Title, language)
}

// Items returns the items of the selection, newest first, its folder, and the titles of the
// folder, the writers and the searches that select them.
func (s Selection) Items(from *site.Site) (items site.Items, folder *site.Folder, titles []string, err error) {
	folder = from.Root
	if s.dir() != "" {
		folder = nil
		var others []string
		for _, f := range from.Folders {
			if f.Path == s.Path || f.Dir == s.dir() {
				folder = f
			}
			others = append(others, f.Path)
		}
		if folder == nil {
			return items, nil, nil, fmt.Errorf("the site has no folder %s; nearest: %s", s.Path, slug.Nearest(others, s.Path, from.Language))
		}
		titles = append(titles, folder.Title)
	}
	titles = append(titles, s.titles...)
	for item := range folder.Items.All() {
		if s.inMonth(item.PublishedTime()) && (s.rows == nil || s.rows[item.Row()]) {
			items.Append(item)
		}
	}
	if items.Len() == 0 {
		err = errors.New("the site has no item of this selection")
	}
	return items, folder, titles, err
}
