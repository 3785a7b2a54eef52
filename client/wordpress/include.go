package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayna/client"
)

// included reads what has the ids, a hundred at a time. What is gone or not public is
// missing from the answer.
func (s *Source) included(ctx context.Context, path, fields string, ids []number) ([]json.RawMessage, error) {
	var all []json.RawMessage
	for some := range slices.Chunk(ids, perPage) {
		texts := make([]string, len(some))
		for i, id := range some {
			texts[i] = id.String()
		}
		list, _, err := s.records(ctx, path, url.Values{"_fields": {fields}, "per_page": {strconv.Itoa(perPage)}, "include": {strings.Join(texts, ",")}})
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// readTags reads the names of the tags of posts that are not known yet.
func (s *Source) readTags(ctx context.Context, posts []post) error {
	var unknown []number
	s.mu.Lock()
	for _, p := range posts {
		for _, id := range p.Tags {
			if id > 0 && !s.asked[id] {
				s.asked[id] = true
				unknown = append(unknown, id)
			}
		}
	}
	s.mu.Unlock()
	list, err := s.included(ctx, "/wp/v2/tags", termFields, unknown)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		for _, id := range unknown { // they are asked for again
			delete(s.asked, id)
		}
		return err
	}
	for _, raw := range list {
		if t, err := read[term](raw); err == nil && t.ID > 0 {
			s.lexicon.tags[t.ID] = t
		}
	}
	return nil
}

// Records returns the single records of posts, pages and custom types by their ids, in the
// order of the ids. What is not there any more is missing.
func (s *Source) Records(ctx context.Context, group client.Group, ids []string) ([]json.RawMessage, error) {
	var missing []number
	for _, id := range ids {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("record %q: %w", id, client.ErrID)
		}
		missing = append(missing, number(n))
	}
	found := make(map[number]post)
	for _, path := range s.places(group) {
		list, err := s.included(ctx, path, singleFields, missing)
		if err != nil {
			return nil, err
		}
		posts, err := readPosts(list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, p := range posts {
			found[p.ID] = p
		}
		missing = slices.DeleteFunc(missing, func(id number) bool { _, ok := found[id]; return ok })
		if len(missing) == 0 {
			break
		}
	}
	return s.singles(ctx, slices.Collect(maps.Values(found)), ids)
}

// places returns the addresses that may have a record, the one of its group first.
func (s *Source) places(group client.Group) []string {
	first := rest(group)
	all := []string{first}
	for _, name := range append(slices.Clone(s.types), string(Standing)) {
		if path := rest(client.Group(name)); path != first {
			all = append(all, path)
		}
	}
	return all
}

// singles returns the records of posts with their pictures.
func (s *Source) singles(ctx context.Context, posts []post, ids []string) ([]json.RawMessage, error) {
	if err := s.readTags(ctx, posts); err != nil {
		return nil, err
	}
	var pictures []number
	for _, p := range posts {
		if p.Picture > 0 && !slices.Contains(pictures, p.Picture) {
			pictures = append(pictures, p.Picture)
		}
	}
	slices.Sort(pictures)
	list, err := s.included(ctx, "/wp/v2/media", mediaFields, pictures)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lexicon
	l.media = make(map[number]media)
	for _, raw := range list {
		if m, err := read[media](raw); err == nil && m.ID > 0 {
			l.media[m.ID] = m
		}
	}
	records := make(map[string]json.RawMessage)
	for _, p := range posts {
		records[p.ID.String()] = encode(l.single(p))
	}
	var all []json.RawMessage
	for _, id := range ids {
		if r := records[id]; r != nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// Single returns one single record. The error is [client.ErrNotFound] if it is not there
// any more.
func (s *Source) Single(ctx context.Context, group client.Group, id string) (json.RawMessage, error) {
	list, err := s.Records(ctx, group, []string{id})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s/%s: %w", rest(group), id, client.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// Changed returns the list records of posts, pages or a custom type that changed at t or
// later, in no order, and nothing older. WordPress compares local dates, so that an hour is
// repeated or missing when summer time changes; the caller asks for some hours more. A
// scheduled post that has gone live shows in its date alone.
func (s *Source) Changed(ctx context.Context, group client.Group, t time.Time) ([]json.RawMessage, error) {
	t = t.UTC().Truncate(time.Second)
	found := make(map[number]post)
	for _, parameter := range []string{"modified_after", "after"} {
		for offset := 0; ; offset += perPage {
			// The dates of WordPress are exclusive.
			list, a, err := s.records(ctx, rest(group), url.Values{
				"_fields": {listFields}, "per_page": {strconv.Itoa(perPage)}, "offset": {strconv.Itoa(offset)},
				parameter: {t.Add(-time.Second).Format("2006-01-02T15:04:05Z")},
			})
			if err != nil {
				return nil, err
			}
			posts, err := readPosts(list)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rest(group), err)
			}
			for _, p := range posts {
				if !p.Modified.Before(t) || !p.Date.Before(t) {
					found[p.ID] = p
				}
			}
			if n := total(a); len(list) < perPage || offset+len(list) >= n && n >= 0 {
				break
			}
		}
	}
	posts := make([]post, 0, len(found))
	for _, id := range slices.Sorted(maps.Keys(found)) {
		posts = append(posts, found[id])
	}
	if err := s.readTags(ctx, posts); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []json.RawMessage
	for _, p := range posts {
		all = append(all, encode(s.lexicon.list(p)))
	}
	return all, nil
}
