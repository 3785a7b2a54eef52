package sample

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

var (
	itemID   = regexp.MustCompile(`^[0-9]{8}$`)
	recordID = regexp.MustCompile(`^[0-9a-f]{24}$`)
	datePart = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$`)
	pathForm = regexp.MustCompile(`^/([a-z0-9-]+/)+$`)
)

// check fills in the look-ups and dates while it holds the content to its
// rules. It stops at the first fault and names the file.
func (n *newspaper) check() error {
	ids := taken{}
	for _, it := range n.items {
		if err := ids.take(it.file(), it.ID, itemID); err != nil {
			return err
		}
		n.byID[it.ID] = it
	}
	folders, err := n.checkFolders(ids)
	if err != nil {
		return err
	}
	if err := n.checkWriters(ids); err != nil {
		return err
	}
	if err := n.checkPages(ids); err != nil {
		return err
	}
	return n.checkItems(folders)
}

// taken is every id of the sample, with the file that uses it.
type taken map[string]string

func (ids taken) take(file, id string, form *regexp.Regexp) error {
	if !form.MatchString(id) {
		return fmt.Errorf("sample content %s: id %q must match %s", file, id, form)
	}
	if other, ok := ids[id]; ok {
		return fmt.Errorf("sample content %s: id %s is already used in %s", file, id, other)
	}
	ids[id] = file
	return nil
}

func (n *newspaper) checkFolders(ids taken) (paths map[string]bool, err error) {
	paths = map[string]bool{}
	for _, f := range n.folders {
		if err := ids.take("folders.yaml", f.ID, recordID); err != nil {
			return nil, err
		}
		if !pathForm.MatchString(f.Path) || f.Title == "" || paths[f.Path] {
			return nil, fmt.Errorf("sample content folders.yaml: folder %s (%s) needs a title and a path of its own like /a/b/", f.ID, f.Path)
		}
		paths[f.Path] = true
	}
	return paths, nil
}

func (n *newspaper) checkWriters(ids taken) error {
	for _, w := range n.writers {
		if err := ids.take("writers.yaml", w.ID, recordID); err != nil {
			return err
		}
		if err := w.check(); err != nil {
			return fmt.Errorf("sample content writers.yaml: writer %s: %w", w.Slug, err)
		}
		if n.bySlug[w.Slug] != nil {
			return fmt.Errorf("sample content writers.yaml: the slug %s is used twice", w.Slug)
		}
		n.bySlug[w.Slug] = w
	}
	return nil
}

func (n *newspaper) checkPages(ids taken) error {
	for i := range n.pages {
		p := &n.pages[i]
		if err := ids.take("pages.yaml", p.ID, recordID); err != nil {
			return err
		}
		if err := n.checkPage(p); err != nil {
			return fmt.Errorf("sample content pages.yaml: page %s: %w", p.Title, err)
		}
	}
	return nil
}

func (n *newspaper) checkItems(folders map[string]bool) error {
	starts := map[time.Time]string{}
	for _, it := range n.items {
		if err := n.checkItem(it, folders); err != nil {
			return fmt.Errorf("sample content %s: %w", it.file(), err)
		}
		if other, ok := starts[it.started]; ok {
			return fmt.Errorf("sample content %s: %s starts at the same time", it.file(), other)
		}
		starts[it.started] = it.file()
	}
	return nil
}

func (it *item) file() string { return it.kind + "/" + it.ID + ".html" }

func (w *writer) check() (err error) {
	if w.Slug == "" || w.Name == "" {
		return errors.New("a writer needs a slug and a name")
	}
	if w.created, err = parseDate("created", w.Created); err != nil {
		return err
	}
	if w.Picture != nil {
		return w.Picture.check()
	}
	return nil
}

func (n *newspaper) checkPage(p *page) (err error) {
	if p.Title == "" || !pathForm.MatchString(p.URL) {
		return fmt.Errorf("it needs a title and a url like /a/, not %q", p.URL)
	}
	if p.created, err = parseDate("created", p.Created); err != nil {
		return err
	}
	return n.known("news", p.News)
}

func (n *newspaper) checkItem(it *item, folders map[string]bool) (err error) {
	if strings.TrimSpace(it.Title) == "" {
		return errors.New("it has no title")
	}
	if !folders[it.Path] {
		return fmt.Errorf("path %q is not in folders.yaml", it.Path)
	}
	if _, err = parseDate("created", it.Created); err != nil {
		return err
	}
	if it.started, err = parseDate("start", it.Start); err != nil {
		return err
	}
	for i := range it.Pictures {
		if err := it.Pictures[i].check(); err != nil {
			return err
		}
	}
	if err := n.known("related", it.Related); err != nil {
		return err
	}
	if it.kind == "column" {
		return n.checkColumn(it)
	}
	return n.checkNews(it)
}

func (n *newspaper) checkColumn(it *item) error {
	if n.bySlug[it.Writer] == nil {
		return fmt.Errorf("writer %q is not in writers.yaml", it.Writer)
	}
	if it.Modified != "" || it.Editor != "" || it.Tags != nil || it.Related != nil {
		return errors.New("a column has no modified, editor, tags or related")
	}
	return nil
}

func (n *newspaper) checkNews(it *item) error {
	modified, err := parseDate("modified", it.Modified)
	if err != nil {
		return err
	}
	if modified.Before(it.started) {
		return fmt.Errorf("modified %s is before start %s", it.Modified, it.Start)
	}
	if it.Writer != "" {
		return fmt.Errorf("only a column has a writer, not this %s", it.kind)
	}
	return nil
}

func (p *picture) check() error {
	if _, ok := scenes[p.Scene]; !ok {
		return fmt.Errorf("picture scene %q is unknown", p.Scene)
	}
	if p.Seed < 0 {
		return fmt.Errorf("picture seed %d is negative", p.Seed)
	}
	return nil
}

func (n *newspaper) known(field string, ids []string) error {
	for _, id := range ids {
		if n.byID[id] == nil {
			return fmt.Errorf("%s names the unknown item %q", field, id)
		}
	}
	return nil
}

func parseDate(field, s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !datePart.MatchString(s) {
		return t, fmt.Errorf("%s %q must be a date like 2026-03-14T06:20:11.253Z", field, s)
	}
	return t, nil
}
