package wordpress

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/encode"
)

// List reads a part of a list. Of posts the answer has list records; those with a
// password are hidden. Categories, users and sticky posts are read whole at the first part.
func (s *Source) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	if err := s.readLexicon(ctx); err != nil {
		return source.Batch{}, err
	}
	switch {
	case group == source.Pages:
		return s.stickyPage(ctx, q)
	case group == source.Paths || group == source.Writers:
		return s.part(q, s.named(group)), nil
	case !q.Since.IsZero():
		return s.changed(ctx, q)
	}
	return s.posts(ctx, q)
}

// readLexicon reads categories and users, which the records of posts name, once.
func (s *Source) readLexicon(ctx context.Context) error {
	s.lexiconMu.Lock()
	defer s.lexiconMu.Unlock()
	if s.lexiconRead {
		return nil
	}
	categories, date, err := whole(ctx, s, "/wp/v2/categories", url.Values{"_fields": {termFields}}, func(t term) number { return t.ID })
	if err != nil {
		return err
	}
	// With a password, WordPress would list readers who have an account, too.
	users, _, err := whole(ctx, s, "/wp/v2/users", url.Values{"_fields": {userFields}, "has_published_posts": {"true"}}, func(u user) number { return u.ID })
	if isHidden(err) {
		users = nil
	} else if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usersHidden = users == nil
	s.lexicon.categories, s.lexicon.users, s.lexiconDate, s.lexiconRead = categories, users, date, true
	return nil
}

// named returns the records of all categories or users.
func (s *Source) named(group source.Group) (list []json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if group == source.Writers {
		for _, id := range slices.Sorted(maps.Keys(s.lexicon.users)) {
			list = append(list, writerRecord(s.lexicon.users[id]))
		}
		return list
	}
	for _, id := range slices.Sorted(maps.Keys(s.lexicon.categories)) {
		list = append(list, s.lexicon.folder(s.lexicon.categories[id]))
	}
	return list
}

// part returns a part of a list that is read whole.
func (s *Source) part(q source.Query, list []json.RawMessage) source.Batch {
	if q.Skip > 0 {
		list = nil
	}
	return source.Batch{Records: list, Count: -1, Date: s.lexiconDate}
}

// stickyPage returns the editorial page of sticky posts, none if no post is sticky.
func (s *Source) stickyPage(ctx context.Context, q source.Query) (source.Batch, error) {
	if q.Skip > 0 {
		return source.Batch{Count: -1}, nil
	}
	s.mu.Lock()
	known := source.Batch{Records: s.sticky, Count: -1}
	read := s.stickyRead
	s.mu.Unlock()
	if read {
		return known, nil
	}
	list, a, err := s.records(ctx, "/wp/v2/posts", url.Values{"_fields": {"id,excerpt.protected"}, "sticky": {"true"}, "per_page": {strconv.Itoa(perPage)}})
	if err != nil {
		return source.Batch{}, err
	}
	posts, err := readPosts(list)
	if err != nil {
		return source.Batch{}, err
	}
	posts = slices.DeleteFunc(posts, post.isProtected)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stickyRead = true
	if s.sticky = nil; len(posts) > 0 {
		s.sticky = []json.RawMessage{stickyRecord(s.title, posts)}
	}
	return source.Batch{Records: s.sticky, Count: -1, Date: a.Date()}, nil
}

// whole reads a list of terms or users to its end.
func whole[T any](ctx context.Context, s *Source, path string, query url.Values, id func(T) number) (map[number]T, time.Time, error) {
	all := make(map[number]T)
	for page := 1; ; page++ {
		query.Set("per_page", strconv.Itoa(perPage))
		query.Set("page", strconv.Itoa(page))
		list, a, err := s.records(ctx, path, query)
		if err != nil {
			return nil, time.Time{}, err
		}
		before := len(all)
		for _, raw := range list {
			if value, err := encode.Read[T](raw); err == nil && id(value) > 0 {
				all[id(value)] = value
			}
		}
		if n := total(a); len(list) < perPage || page*perPage >= n && n >= 0 || len(all) == before {
			return all, a.Date(), nil
		}
	}
}
