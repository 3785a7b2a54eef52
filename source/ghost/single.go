package ghost

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
)

// readRecords returns single records by their ids: posts and pages in the order of the ids,
// others in the order of their list. Records that are gone or not public are missing.
func (s *Source) readRecords(ctx context.Context, group source.Group, ids []string) ([]json.RawMessage, error) {
	if group == source.Writers || group == source.Paths {
		batch, err := s.List(ctx, group, source.Query{})
		return slices.DeleteFunc(slices.Clone(batch.Records), func(raw json.RawMessage) bool {
			id, err := record.ID(raw)
			return err != nil || !slices.Contains(ids, id)
		}), err
	}
	for _, id := range ids {
		if !isID(id) {
			return nil, fmt.Errorf("record %q: %w", id, get.ErrID)
		}
	}
	found := make(map[string]json.RawMessage)
	s.alreadyRead(ids, found)
	for _, of := range []struct {
		name   string
		isPage bool
	}{{"posts", false}, {"pages", true}} {
		var missing []string
		for _, id := range ids {
			if found[id] == nil && s.mayBe(id, of.isPage) {
				missing = append(missing, id)
			}
		}
		for some := range slices.Chunk(missing, perPage) {
			if err := s.readByID(ctx, of.name, of.isPage, some, found); err != nil {
				return nil, err
			}
		}
	}
	var list []json.RawMessage
	for _, id := range ids {
		if r := found[id]; r != nil {
			list = append(list, r)
		}
	}
	return list, nil
}

// mayBe reports whether an id may be that of a post, or of a page. It sends no request: it
// looks in the lists that this source has read whole.
func (s *Source) mayBe(id string, isPage bool) bool {
	s.listing.Lock()
	defer s.listing.Unlock()
	if s.entries != nil {
		of, known := s.isPage[id]
		return known && of == isPage
	}
	return s.pages == nil || isPage == slices.ContainsFunc(s.pages, func(e entry) bool { return e.ID == id })
}

// readByID adds the posts or pages with the ids, at most perPage, to found.
func (s *Source) readByID(ctx context.Context, name string, isPage bool, ids []string, found map[string]json.RawMessage) error {
	a, err := s.list(ctx, "/"+name+"/", name, url.Values{
		"filter": {"id:[" + strings.Join(ids, ",") + "]"}, "include": {withNames}, "limit": {strconv.Itoa(perPage)},
	})
	if err != nil {
		return err
	}
	home := s.home()
	posts, useful := readAll(a.elements, func(p post) string { return p.ID })
	if useful == 0 && len(posts) > 0 {
		return fmt.Errorf("%s: %w: none of %d has an id", name, get.ErrShape, len(posts))
	}
	for _, p := range posts {
		if p.ID != "" {
			p.isPage = isPage
			found[p.ID] = encode.Encode(singleRecord(p, home))
		}
	}
	return nil
}

// home returns the paper's host, which Ghost adds to links to other sites (?ref=HOST).
func (s *Source) home() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.host
}

// SearchBatch returns the ids of posts whose title or text has a keyword, as a part of a
// word too, the newest first.
func (s *Source) SearchBatch(ctx context.Context, keyword string, q source.Query) (source.Batch, error) {
	if strings.TrimSpace(keyword) == "" {
		return source.Batch{}, get.ErrKeyword
	}
	quoted := "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(keyword) + "'"
	size := min(max(q.Top, 1), perPage)
	if q.Skip%size != 0 {
		q.Skip -= q.Skip % size // Ghost has pages and no offsets; what comes again is known
	}
	a, err := s.list(ctx, "/posts/", "posts", url.Values{
		"fields": {"id"}, "filter": {"title:~" + quoted + ",html:~" + quoted}, "limit": {strconv.Itoa(size)}, "page": {strconv.Itoa(q.Skip/size + 1)},
	})
	if err != nil {
		return source.Batch{}, err
	}
	b := source.Batch{Count: a.total, Date: a.date}
	for _, raw := range a.elements {
		e, err := encode.Read[entry](raw)
		if err != nil || !isID(e.ID) {
			b.Skipped++
			continue
		}
		b.Records = append(b.Records, encode.Encode(encode.Reference{ID: e.ID}))
	}
	return b, nil
}
