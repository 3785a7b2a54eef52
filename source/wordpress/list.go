package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
)

// List reads a part of a list. Of posts the answer has list records; those with a
// password are hidden. Categories, users and sticky posts are read whole at the first part.
// Posts are read without those that are closed or fail.
func (s *Source) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	isFeed := s.isFeed.Load()
	again := ""
	switch group {
	case source.Paths:
		again = categoryOf
	case source.Writers:
		again = users
	}
	asked := again
	if q.Glance {
		asked = ""
	}
	if err := s.readLexicon(ctx, asked); err != nil {
		return source.Batch{}, err
	}
	switch {
	case group == source.Pages:
		return s.stickyPage(ctx, q)
	case again != "":
		batch, err := s.namesList(ctx, s.named[again], q)
		if isFeed && err == nil && group == source.Paths && q.Skip == 0 {
			batch = s.feedFolders(batch)
		}
		return batch, err
	case isFeed && !q.Since.IsZero():
		return s.feedChanged(ctx, q)
	case isFeed:
		return s.feedPosts(ctx, q)
	case !q.Since.IsZero():
		return s.changed(ctx, q)
	}
	return s.posts(ctx, q)
}

// readLexicon reads categories and users, which the records of posts name, once; the one that
// is asked for also again if it has failed.
func (s *Source) readLexicon(ctx context.Context, again string) error {
	for _, name := range []string{categoryOf, users} {
		if err := s.readWhole(ctx, s.named[name], name == again); err != nil {
			return err
		}
	}
	return nil
}

// namesList returns the folders or writers that a list shows. A closed one shows those that
// are known.
func (s *Source) namesList(ctx context.Context, n *named, q source.Query) (source.Batch, error) {
	if err := s.tell(n); err != nil {
		return source.Batch{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := source.Batch{Count: -1, Last: true, Date: n.date}
	if q.Skip > 0 {
		return batch, nil
	}
	for _, id := range n.listed(s.lexicon) {
		if ctx.Err() != nil {
			return batch, context.Cause(ctx)
		}
		batch.Records = append(batch.Records, s.lexicon.named(n, id))
	}
	return batch, nil
}

// tell returns the error of a list that was not read.
func (s *Source) tell(n *named) error {
	err, _ := s.lacking(n.name)
	if err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n.isTold = true
	return fmt.Errorf("list of %s: %w", n.name, err)
}

// named returns the record of a category or user.
func (l *lexicon) named(n *named, id number) json.RawMessage {
	if n.name == users {
		return writerRecord(l.users[id])
	}
	return l.folder(l.categories[id])
}

// listed returns the ids of the elements that the list shows, as far as it was read.
func (n *named) listed(l lexicon) []number {
	var ids []number
	switch {
	case n.isRead:
	case n.name == users:
		return slices.Sorted(maps.Keys(l.users))
	default:
		return slices.Sorted(maps.Keys(l.categories))
	}
	for id := range n.known {
		if at, ok := readNumber([]byte(id)); ok && !n.gone[id] {
			ids = append(ids, at)
		}
	}
	slices.Sort(ids)
	return ids
}

// fill makes list records of posts. Those that a whole list shows have the names of now.
func (s *Source) fill(ctx context.Context, batch *source.Batch, posts []post, isWhole bool) error {
	if err := s.nameAll(ctx, posts, isWhole); err != nil {
		return err
	}
	batch.Missing = s.missing()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range posts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		id := p.ID.String()
		if p.isProtected() {
			batch.Hidden = append(batch.Hidden, id)
			batch.Records = append(batch.Records, reference(p))
			continue
		}
		batch.Records = append(batch.Records, encode.Encode(s.lexicon.list(p)))
		if unread := append(p.unread(false), s.lexicon.unnamed(p, s.isBroken)...); len(unread) > 0 {
			if batch.Unread == nil {
				batch.Unread = make(map[string][]string)
			}
			batch.Unread[id] = unread
		}
	}
	return nil
}

// readPosts decodes posts with the terms of taxonomies, without those that have no id. The
// error is about a list in which none is a post.
func readPosts(list []json.RawMessage, taxonomies ...string) ([]post, error) {
	var posts []post
	for _, raw := range list {
		if p, err := readPost(raw); err == nil {
			p.terms = termsIn(raw, taxonomies)
			posts = append(posts, p)
		}
	}
	if len(posts) == 0 && len(list) > 0 {
		return nil, fmt.Errorf("%w: none of %d is a post", get.ErrShape, len(list))
	}
	return posts, nil
}

// SearchBatch returns the ids of posts that hold a keyword, the newest first. WordPress
// looks for a part of a word.
func (s *Source) SearchBatch(ctx context.Context, keyword string, q source.Query) (source.Batch, error) {
	if s.isFeed.Load() {
		return s.feedSearch(ctx, keyword, q)
	}
	list, a, _, err := s.part(ctx, pathOf(string(Posts)), map[string][]string{
		"_fields": {"id,excerpt.protected"}, "search": {keyword}, "offset": {strconv.Itoa(q.Skip)},
	}, min(max(q.Top, 1), perPage))
	if err != nil {
		return source.Batch{}, s.needed(err)
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
