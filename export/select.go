package export

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"ayna/generator/site"
	"ayna/slug"
)

// Narrow limits the part to the items of a writer or a saved search of the site, by the
// title or the directory of its list. The name "" limits nothing.
func (p *Part) Narrow(s *site.Site, kind site.ListKind, name string) error {
	if name == "" {
		return nil
	}
	rows, titles := make(map[int64]bool), len(p.titles)
	var others []string
	for l := range s.Lists() {
		if l.Kind != kind {
			continue
		}
		if !isNamed(l, name, s.Language) {
			others = append(others, l.Title)
			continue
		}
		p.titles = append(p.titles, l.Title)
		for item := range l.Items.All() {
			if p.rows == nil || p.rows[item.Row()] {
				rows[item.Row()] = true
			}
		}
	}
	if len(p.titles) == titles {
		return fmt.Errorf("no list of %s has the title or directory %q; nearest: %s", kind, name, slug.Nearest(others, name, s.Language))
	}
	p.rows = rows
	return nil
}

func isNamed(l *site.List, name, language string) bool {
	dir := strings.Trim(name, "/")
	named := slug.Of(name, language)
	return name == l.Title || dir == l.Dir || dir == path.Base(l.Dir) || named != "" && named == slug.Of(l.Title, language)
}

// Items returns the items of the part, newest first, its folder, and the titles of the
// folder, the writers and the searches that select them.
func (p Part) Items(s *site.Site) (items site.Items, folder *site.Folder, titles []string, err error) {
	folder = s.Root
	if p.dir() != "" {
		folder = nil
		var others []string
		for _, f := range s.Folders {
			if f.Path == p.Path || f.Dir == p.dir() {
				folder = f
			}
			others = append(others, f.Path)
		}
		if folder == nil {
			return items, nil, nil, fmt.Errorf("the site has no folder %s; nearest: %s", p.Path, slug.Nearest(others, p.Path, s.Language))
		}
		titles = append(titles, folder.Title)
	}
	titles = append(titles, p.titles...)
	for item := range folder.Items.All() {
		if p.inMonth(item.PublishedTime()) && (p.rows == nil || p.rows[item.Row()]) {
			items.Append(item)
		}
	}
	if items.Len() == 0 {
		err = errors.New("the site has no item of this selection")
	}
	return items, folder, titles, err
}
