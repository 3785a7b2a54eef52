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

	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
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

// readTags reads the names of the tags of posts that are not known yet: the most frequent
// ones first, which are all of them in most papers.
func (s *Source) readTags(ctx context.Context, posts []post) error {
	if len(s.unknownTags(posts)) == 0 {
		return nil
	}
	s.tagsMu.Lock()
	defer s.tagsMu.Unlock()
	if !s.frequentRead {
		list, _, err := s.records(ctx, "/wp/v2/tags", url.Values{"_fields": {termFields}, "per_page": {strconv.Itoa(perPage)}, "orderby": {"count"}, "order": {"desc"}})
		if err != nil {
			return err
		}
		s.addTags(list)
		s.frequentRead = true
	}
	unknown := s.unknownTags(posts)
	list, err := s.included(ctx, "/wp/v2/tags", termFields, unknown)
	if err != nil {
		return err
	}
	s.addTags(list)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range unknown {
		if _, ok := s.lexicon.tags[id]; !ok {
			s.lexicon.tags[id] = term{} // it is gone, and has no name
		}
	}
	return nil
}

func (s *Source) unknownTags(posts []post) (unknown []number) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range posts {
		if p.isProtected() {
			continue
		}
		for _, id := range p.Tags {
			if _, known := s.lexicon.tags[id]; id > 0 && !known && !slices.Contains(unknown, id) {
				unknown = append(unknown, id)
			}
		}
	}
	return unknown
}

func (s *Source) addTags(list []json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, raw := range list {
		if t, err := encode.Read[term](raw); err == nil && t.ID > 0 {
			s.lexicon.tags[t.ID] = t
		}
	}
}

// readRecords returns single records by their ids: posts in the order of the ids, others in the
// order of their list. Records that are gone or not public are missing.
func (s *Source) readRecords(ctx context.Context, group source.Group, ids []string) ([]json.RawMessage, error) {
	if err := s.readLexicon(ctx); err != nil {
		return nil, err
	}
	switch group {
	case source.Writers, source.Paths:
		return pick(s.named(group), ids), nil
	case source.Pages:
		batch, err := s.stickyPage(ctx, source.Query{})
		return pick(batch.Records, ids), err
	}
	var missing []number
	for _, id := range ids {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("record %q: %w", id, get.ErrID)
		}
		missing = append(missing, number(n))
	}
	taxonomies, err := s.taxonomyFields(ctx)
	if err != nil {
		return nil, err
	}
	fields := strings.Join(append([]string{singleFields}, taxonomies...), ",")
	found := make(map[number]post)
	for _, name := range s.types {
		list, err := s.included(ctx, pathOf(name), fields, missing)
		if err != nil {
			return nil, err
		}
		posts, err := readPosts(list, taxonomies...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range posts {
			if p.rest = name; !p.isProtected() {
				found[p.ID] = p
			}
		}
		missing = slices.DeleteFunc(missing, func(id number) bool { _, ok := found[id]; return ok })
		if len(missing) == 0 {
			break
		}
	}
	return s.singles(ctx, slices.Collect(maps.Values(found)), ids)
}

// pick returns the records with the ids.
func pick(records []json.RawMessage, ids []string) (list []json.RawMessage) {
	for _, raw := range records {
		if id, err := record.ID(raw); err == nil && slices.Contains(ids, id) {
			list = append(list, raw)
		}
	}
	return list
}

// singles returns the records of posts with their pictures.
func (s *Source) singles(ctx context.Context, posts []post, ids []string) ([]json.RawMessage, error) {
	if err := s.readTags(ctx, posts); err != nil {
		return nil, err
	}
	var pictures []number
	for _, p := range posts {
		pictures = append(pictures, attachments(p.Content.Text)...)
		if p.Picture > 0 {
			pictures = append(pictures, p.Picture)
		}
	}
	slices.Sort(pictures)
	list, err := s.included(ctx, "/wp/v2/media", mediaFields, slices.Compact(pictures))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lexicon
	l.media = make(map[number]media)
	for _, raw := range list {
		if m, err := encode.Read[media](raw); err == nil && m.ID > 0 {
			l.media[m.ID] = m
		}
	}
	records := make(map[string]json.RawMessage)
	for _, p := range posts {
		records[p.ID.String()] = encode.Encode(l.single(p))
	}
	var all []json.RawMessage
	for _, id := range ids {
		if r := records[id]; r != nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// SearchBatch returns the ids of posts that hold a keyword, the newest first. WordPress
// looks for a part of a word.
func (s *Source) SearchBatch(ctx context.Context, keyword string, q source.Query) (source.Batch, error) {
	size := min(max(q.Top, 1), perPage)
	list, a, err := s.records(ctx, "/wp/v2/posts", url.Values{
		"_fields": {"id,excerpt.protected"}, "search": {keyword}, "per_page": {strconv.Itoa(size)}, "offset": {strconv.Itoa(q.Skip)},
	})
	if err != nil {
		return source.Batch{}, err
	}
	posts, err := readPosts(list)
	if err != nil {
		return source.Batch{}, err
	}
	batch := source.Batch{Count: total(a), Date: a.Date(), Skipped: len(list) - len(posts)}
	for _, p := range posts {
		if batch.Records = append(batch.Records, reference(p)); p.isProtected() {
			batch.Hidden = append(batch.Hidden, p.ID.String())
		}
	}
	return batch, nil
}
