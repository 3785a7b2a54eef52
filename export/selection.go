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
	Path     string    // folder with its sub-folders, like "/ekonomi/"; "" and "/" are all
	From, To time.Time // published at From or later, and before To; zero is no limit

	rows   map[int64]bool // of the items of a writer or a saved search; nil is all
	titles []string       // of these
}

// ParseSelection parses a folder's path, and the first and the last period of publication, each a
// year, a month or a day of the zone, like 2026, 2026-09 or 2026-09-30. Each may be empty.
func ParseSelection(folder, first, last string, zone *time.Location) (s Selection, err error) {
	s.Path = path.Clean("/" + folder)
	if s.Path != "/" {
		s.Path += "/"
	}
	if first != "" {
		if s.From, _, err = parsePeriod(first, zone); err != nil {
			return s, err
		}
	}
	if last != "" {
		if _, s.To, err = parsePeriod(last, zone); err != nil {
			return s, err
		}
	}
	if first != "" && last != "" && !s.From.Before(s.To) {
		return s, fmt.Errorf("%s is after %s: exchange them", first, last)
	}
	return s, nil
}

// parsePeriod returns the first moment of a year, a month or a day, and that of the next one.
func parsePeriod(text string, zone *time.Location) (start, end time.Time, err error) {
	for _, form := range []struct {
		layout              string
		years, months, days int
	}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {"2006-01-02", 0, 0, 1}} {
		if start, err = time.ParseInLocation(form.layout, text, zone); err == nil {
			return start, start.AddDate(form.years, form.months, form.days), nil
		}
	}
	return start, end, fmt.Errorf("%q is no year, month or day: write 2026, 2026-09 or 2026-09-30", text)
}

// dir is the directory of the selection in the published tree, "" for the root.
func (s Selection) dir() string { return strings.Trim(s.Path, "/") }

// holdsTime reports whether a time of publication is within the selection. A record without one
// is only where no time is asked for.
func (s Selection) holdsTime(t time.Time) bool {
	if s.From.IsZero() && s.To.IsZero() {
		return true
	}
	return !t.IsZero() && !t.Before(s.From) && (s.To.IsZero() || t.Before(s.To))
}

// holds reports whether a record belongs to the selection.
func (s Selection) holds(r *archive.Record) bool {
	return (s.dir() == "" || strings.HasPrefix(strings.TrimSuffix(r.Path, "/")+"/", s.Path)) && s.holdsTime(r.Published) &&
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
		if s.holdsTime(item.PublishedTime()) && (s.rows == nil || s.rows[item.Row()]) {
			items.Append(item)
		}
	}
	if items.Len() == 0 {
		err = errors.New("the site has no item of this selection")
	}
	return items, folder, titles, err
}
