package wordpress

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"

	"ayna/source"
	"ayna/source/names"
)

// stickyOf is the name of the page of sticky posts, and of their list.
const stickyOf = "sticky"

// stickyPage returns the editorial page of sticky posts, none if no post is sticky.
func (s *Source) stickyPage(ctx context.Context, q source.Query) (source.Batch, error) {
	batch := source.Batch{Count: -1, Last: true}
	if q.Skip > 0 {
		return batch, nil
	}
	s.mu.Lock()
	batch.Records = s.sticky
	isRead := s.stickyRead
	s.mu.Unlock()
	if isRead {
		return batch, nil
	}
	err := s.readSticky(ctx)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		batch.Records = s.sticky
		return batch, nil
	}
	if !names.IsOfList(err) {
		return batch, err
	}
	s.lack(stickyOf, err)
	batch.Missing = []string{stickyOf}
	return batch, nil
}

// readSticky reads the sticky posts.
func (s *Source) readSticky(ctx context.Context) error {
	query := url.Values{"_fields": {"id,excerpt.protected,content.protected"}, "sticky": {"true"}}
	list, _, _, err := s.part(ctx, pathOf(string(Posts)), query, perPage)
	if isFailure(err) {
		list, _, _, err = s.part(ctx, pathOf(string(Posts)), query, perPage)
	}
	if err != nil {
		return err
	}
	posts, err := readPosts(list)
	if err != nil {
		return err
	}
	posts = slices.DeleteFunc(posts, post.isProtected)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stickyRead = true
	if s.sticky = nil; len(posts) > 0 {
		s.sticky = []json.RawMessage{stickyRecord(s.title, posts)}
	}
	return nil
}
