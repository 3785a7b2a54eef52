package ghost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/names"
)

// mostAtOnce is the most posts that one answer lists. An answer of that length may lack some.
const mostAtOnce = 10_000

// List reads a part of a list: folders are tags, writers are authors, and every other group is
// all posts and then the standing pages, as list records. Tags and authors come whole with the
// first part.
func (s *Source) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	if group == source.Paths || group == source.Writers {
		return s.named(ctx, group, q)
	}
	s.listing.Lock()
	defer s.listing.Unlock()
	if err := s.readEntries(ctx); err != nil {
		return source.Batch{}, err
	}
	if s.isPageWise() {
		return s.pageOf(ctx, q)
	}
	entries, posts := s.entries, len(s.entries)-len(s.pages)
	if !q.Since.IsZero() {
		entries, posts = since(entries, q.Since), -1
	}
	batch := batchOf(entries[min(q.Skip, len(entries)):min(q.Skip+max(q.Top, 1), len(entries))], s.date)
	batch.Count, batch.Missing, batch.Last = posts, s.unreadTypes(), q.Skip+max(q.Top, 1) >= len(entries)
	if len(s.entries) == len(s.pages) {
		batch.Empty = append(batch.Empty, typeName(false))
	}
	if len(s.pages) == 0 {
		batch.Empty = append(batch.Empty, typeName(true))
	}
	return batch, nil
}

// since returns the entries that changed at a time or later, and those without an id.
func since(entries []entry, at time.Time) []entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.ID != "" && e.Updated.Before(at) })
}

// batchOf makes list records of entries. One without an id has a position and no record.
func batchOf(entries []entry, date time.Time) source.Batch {
	b := source.Batch{Count: -1, Date: date}
	for _, e := range entries {
		if e.ID == "" {
			b.Skipped++
			continue
		}
		b.Records = append(b.Records, encode.Encode(listRecord(e)))
	}
	return b
}

// readEntries reads all standing pages once, and all posts with one request. If the paper has
// too many posts for one answer, or an older Ghost lacks the list, it leaves entries nil and
// notes that posts are read page by page.
func (s *Source) readEntries(ctx context.Context) error {
	if s.pages == nil {
		if err := s.readPages(ctx); err != nil {
			return err
		}
	}
	if s.entries != nil || s.isPageWise() {
		return nil
	}
	a, err := s.list(ctx, "/search-index/posts/", "posts", nil)
	e := (*get.Error)(nil)
	if errors.As(err, &e) && slices.Contains([]int{http.StatusNotFound, http.StatusNotAcceptable}, e.Status) {
		s.note(listFound, noList)
		return nil
	}
	if err != nil {
		return err
	}
	if len(a.elements) >= mostAtOnce {
		s.note(listFound, pageWise)
		return nil
	}
	posts, err := entriesOf(a.elements, false)
	if err != nil {
		return err
	}
	s.note(listFound, atOnce)
	s.date = a.date
	s.entries = append(posts, s.pages...)
	return nil
}

// tries is how often a list that posts do not need is asked for in a run.
const tries = 3

// readPages reads all standing pages. Posts are listed without them if they cannot be read.
func (s *Source) readPages(ctx context.Context) error {
	pages := []entry{}
	all, err := s.whole(ctx, "pages", url.Values{"fields": {fieldsOfEntries}})
	if err == nil {
		pages, err = entriesOf(all.elements, true)
	}
	if err == nil && len(pages) < all.total {
		err = fmt.Errorf("pages: %w: %d came of the %d that the list counts", get.ErrShape, len(pages), all.total)
	}
	s.pageTries++
	if err != nil && (!isOfList(err) || isFailure(err) && s.pageTries < tries) {
		return err
	}
	if names.IsClosed(err) {
		s.mu.Lock()
		s.closed = append(s.closed, typeName(true))
		s.mu.Unlock()
	}
	s.pages, s.pagesFailed, s.isPage = pages, err, make(map[string]bool)
	for _, e := range pages {
		s.isPage[e.ID] = true
	}
	return nil
}

// isFailure reports whether an error is of a site that may recover at once.
func isFailure(err error) bool {
	e := (*get.Error)(nil)
	return errors.As(err, &e) && (e.Status == 0 || e.Status >= http.StatusInternalServerError)
}

// isOfList reports whether an error is about one list, without which the paper is still read:
// a refused key and another host are about all of them.
func isOfList(err error) bool {
	return names.IsOfList(err) && !errors.Is(err, ErrRefused) && !errors.Is(err, get.ErrRedirect)
}

// unreadTypes returns the types of records that could not be listed.
func (s *Source) unreadTypes() []string {
	if s.pagesFailed != nil {
		return []string{typeName(true)}
	}
	return nil
}

// entriesOf decodes posts or pages. The error is about a list in which none has an id.
func entriesOf(list []json.RawMessage, isPage bool) ([]entry, error) {
	entries, useful := readAll(list, func(e entry) string { return e.ID })
	if useful == 0 && len(list) > 0 {
		return nil, fmt.Errorf("%s: %w: none of %d has an id", typeName(isPage), get.ErrShape, len(list))
	}
	for i := range entries {
		entries[i].isPage = isPage
	}
	return entries, nil
}
