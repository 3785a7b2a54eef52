package pack

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"ayna/generator/site"
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
		return fmt.Errorf("no list of %s has the title or directory %q; nearest: %s", kind, name, nearest(others, name, s.Language))
	}
	p.rows = rows
	return nil
}

func isNamed(l *site.List, name, language string) bool {
	dir := strings.Trim(name, "/")
	slug := site.Slug(name, language)
	return name == l.Title || dir == l.Dir || dir == path.Base(l.Dir) || slug != "" && slug == site.Slug(l.Title, language)
}

// nearest returns up to three names, those first that share most pairs of letters with
// one, or "none".
func nearest(names []string, name, language string) string {
	name = site.Slug(name, language)
	shared := make(map[string]int)
	for _, other := range names {
		slug := site.Slug(other, language)
		shared[other] = 0
		for i := 2; i <= len(name); i++ {
			if strings.Contains(slug, name[i-2:i]) {
				shared[other]++
			}
		}
	}
	found := slices.SortedFunc(maps.Keys(shared), func(a, b string) int {
		return cmp.Or(shared[b]-shared[a], strings.Compare(a, b))
	})
	return cmp.Or(strings.Join(found[:min(3, len(found))], ", "), "none")
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
			return items, nil, nil, fmt.Errorf("the site has no folder %s; nearest: %s", p.Path, nearest(others, p.Path, s.Language))
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
