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

// Fetch asks for single records by their ids: posts and pages with all their fields, tags and
// authors in their lists.
func (s *Source) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	found := make(map[string]source.Answer)
	var err error
	if group == source.Writers || group == source.Paths {
		err = s.fetchNamed(ctx, group, found)
	} else {
		err = s.fetchPosts(ctx, ids, found)
	}
	if err != nil {
		return nil, err
	}
	answers := make([]source.Answer, len(ids))
	for i, id := range ids {
		var known bool
		if answers[i], known = found[id]; !known {
			answers[i] = source.Answer{ID: id, State: source.LeftOut}
		}
	}
	return answers, nil
}

func (s *Source) fetchNamed(ctx context.Context, group source.Group, found map[string]source.Answer) error {
	batch, err := s.List(ctx, group, source.Query{})
	for _, raw := range batch.Records {
		if id, err := record.ID(raw); err == nil {
			found[id] = source.Answer{ID: id, State: source.Present, Record: raw}
		}
	}
	return err
}

// fetchPosts adds posts and pages to found. What the list of one type leaves out is asked for
// in the other: a post may have become a page.
func (s *Source) fetchPosts(ctx context.Context, ids []string, found map[string]source.Answer) error {
	for _, id := range ids {
		if !isID(id) {
			return fmt.Errorf("record %q: %w", id, get.ErrID)
		}
	}
	s.alreadyRead(ids, found)
	posts, pages := s.likelyTypes(ids)
	for _, of := range []struct {
		isPage bool
		ids    []string
	}{{false, posts}, {true, pages}, {true, posts}, {false, pages}} {
		left := slices.DeleteFunc(slices.Clone(of.ids), func(id string) bool { _, has := found[id]; return has })
		for some := range slices.Chunk(left, perPage) {
			if err := s.fetchType(ctx, of.isPage, some, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// likelyTypes divides ids into those of posts and those of pages, as the lists that this source
// has read say: it is only the order in which they are asked for.
func (s *Source) likelyTypes(ids []string) (posts, pages []string) {
	s.listing.Lock()
	defer s.listing.Unlock()
	for _, id := range ids {
		if s.isPage[id] {
			pages = append(pages, id)
		} else {
			posts = append(posts, id)
		}
	}
	return posts, pages
}

// fetchType adds the posts or pages with the ids, at most perPage, to found. It asks again for
// those that an answer leaves out, as long as answers bring some: a cache may cut them short.
func (s *Source) fetchType(ctx context.Context, isPage bool, ids []string, found map[string]source.Answer) error {
	for len(ids) > 0 {
		before := len(found)
		if err := s.fetchOnce(ctx, isPage, ids, found); err != nil || len(found) == before {
			return err
		}
		ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { _, has := found[id]; return has })
	}
	return nil
}

func (s *Source) fetchOnce(ctx context.Context, isPage bool, ids []string, found map[string]source.Answer) error {
	name := typeName(isPage)
	a, err := s.list(ctx, "/"+name+"/", name, url.Values{
		"filter": {"id:[" + strings.Join(ids, ",") + "]"}, "include": {withNames}, "limit": {strconv.Itoa(perPage)},
	})
	if err != nil {
		return err
	}
	posts, useful := readAll(a.elements, func(p post) string { return p.ID })
	if useful == 0 && len(posts) > 0 {
		return fmt.Errorf("%s: %w: none of %d has an id", name, get.ErrShape, len(posts))
	}
	home := s.home()
	for i, p := range posts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.ID != "" && slices.Contains(ids, p.ID) {
			p.isPage = isPage
			found[p.ID] = s.present(p, a.elements[i], home)
		}
	}
	return nil
}

// present returns the answer with the record of a post.
func (s *Source) present(p post, raw json.RawMessage, home string) source.Answer {
	name, kept := typeName(p.isPage), s.kept(raw)
	single, notes := singleRecord(p, kept, home)
	return source.Answer{
		ID: p.ID, State: source.Present, Record: encode.Encode(single), List: encode.Encode(listRecord(p.entry)), Unread: unread(raw), Lacking: lacking(raw), Notes: notes,
		Original: source.Original{Type: name, ID: p.ID, Operation: pathOf(name), Data: kept},
	}
}

// typeName returns the name of a list.
func typeName(isPage bool) string {
	if isPage {
		return "pages"
	}
	return "posts"
}

// home returns the paper's host, which Ghost adds to links to other sites (?ref=HOST).
func (s *Source) home() string { return s.answer(hostFound) }
