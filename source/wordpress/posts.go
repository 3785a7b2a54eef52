package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
)

// posts returns a part of the list of posts, which those of custom types follow. The order
// is by id, since dates may be equal.
func (s *Source) posts(ctx context.Context, q source.Query) (source.Batch, error) {
	batch := source.Batch{Count: -1}
	size, at := min(max(q.Top, 1), perPage), q.Skip // at counts from the first record of the type
	var posts []post
	for _, name := range s.types {
		if n, known := s.total(name); known && at >= n {
			at -= n
			continue
		}
		room := size - len(posts) - batch.Skipped
		if room == 0 {
			break
		}
		some, err := s.postsAt(ctx, name, url.Values{
			"orderby": {"id"}, "order": {"desc"}, "per_page": {strconv.Itoa(room)}, "offset": {strconv.Itoa(at)},
		})
		if err != nil {
			return source.Batch{}, err
		}
		if some.received == 0 && at > 0 { // the total of an answer beyond the end is 0
			if some, err = s.postsAt(ctx, name, url.Values{"per_page": {"1"}}); err != nil {
				return source.Batch{}, err
			}
			if some.total < 0 {
				return source.Batch{}, fmt.Errorf("%s: %w: an answer without X-WP-Total, without which pages are not found; ask the owner of the site to let that header pass", name, get.ErrShape)
			}
			at = max(0, at-some.total)
			continue
		}
		posts, at = append(posts, some.posts...), 0
		batch.Date, batch.Skipped = some.date, batch.Skipped+some.received-len(some.posts)
	}
	if n, known := s.total(string(Posts)); known { // without custom types and pages
		batch.Count = n
	}
	return batch, s.fill(ctx, &batch, posts)
}

// total returns the number of records of a type, if an answer has shown it.
func (s *Source) total(name string) (int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, known := s.totals[name]
	return n, known
}

// A postPage is an answer with posts.
type postPage struct {
	posts    []post
	received int // posts, and elements that are none
	total    int // of all answers, -1 if unknown
	date     time.Time
}

func (s *Source) postsAt(ctx context.Context, name string, query url.Values) (postPage, error) {
	query.Set("_fields", listFields)
	list, a, err := s.records(ctx, pathOf(name), query)
	if err != nil {
		return postPage{}, err
	}
	p := postPage{received: len(list), total: total(a), date: a.Date()}
	if p.posts, err = readPosts(list); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	for i := range p.posts {
		p.posts[i].rest = name
	}
	if whole := !query.Has("modified_after") && !query.Has("after"); whole && p.total >= 0 && (p.total > 0 || !query.Has("offset") || query.Get("offset") == "0") {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.totals[name] = p.total
	}
	return p, nil
}

// pathOf returns the address of a type by its REST name.
func pathOf(name string) string { return "/wp/v2/" + url.PathEscape(name) }

// changes are the posts that changed at a time or later, as far as they have been read.
// WordPress compares local dates, so that an hour is repeated or missing when summer time
// changes; the caller asks for some hours more. A scheduled post that has gone live shows
// in its date alone.
type changes struct {
	posts  []post
	seen   map[number]bool
	left   []url.Values // queries that have not been read to their end
	names  []string     // their types
	offset int          // in the first of left
	first  number       // post of its latest answer
	date   time.Time    // of the first answer
}

// changed returns a part of the posts that changed. Records come in no order.
func (s *Source) changed(ctx context.Context, q source.Query) (source.Batch, error) {
	s.changesMu.Lock()
	defer s.changesMu.Unlock()
	since := q.Since.UTC().Truncate(time.Second)
	c := s.changes
	if c == nil || q.Skip == 0 {
		c = &changes{seen: make(map[number]bool)}
		for _, name := range s.types {
			for _, parameter := range []string{"modified_after", "after"} { // both are exclusive
				if name != string(Posts) && parameter == "after" {
					continue // others are rarely scheduled, and the next sweep finds them
				}
				c.left = append(c.left, url.Values{parameter: {since.Add(-time.Second).Format("2006-01-02T15:04:05Z")}})
				c.names = append(c.names, name)
			}
		}
		s.changes = c
	}
	for len(c.posts) < q.Skip+q.Top && len(c.left) > 0 {
		query := maps.Clone(c.left[0])
		query.Set("per_page", strconv.Itoa(perPage))
		query.Set("offset", strconv.Itoa(c.offset))
		some, err := s.postsAt(ctx, c.names[0], query)
		if err != nil {
			return source.Batch{}, err
		}
		for _, p := range some.posts {
			if !c.seen[p.ID] && (!p.Modified.Before(since) || !p.Date.Before(since)) {
				c.seen[p.ID] = true
				c.posts = append(c.posts, p)
			}
		}
		if c.date.IsZero() {
			c.date = some.date
		}
		c.offset += some.received
		isEnd := some.received < perPage || c.offset >= some.total && some.total >= 0
		if isEnd || some.posts[0].ID == c.first { // the site ignores the offset
			c.left, c.names, c.offset, c.first = c.left[1:], c.names[1:], 0, 0
		} else {
			c.first = some.posts[0].ID
		}
	}
	batch := source.Batch{Count: -1, Date: c.date}
	return batch, s.fill(ctx, &batch, c.posts[min(q.Skip, len(c.posts)):min(q.Skip+q.Top, len(c.posts))])
}

// fill makes list records of posts.
func (s *Source) fill(ctx context.Context, batch *source.Batch, posts []post) error {
	if err := s.readTags(ctx, posts); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range posts {
		if p.isProtected() {
			batch.Hidden = append(batch.Hidden, p.ID.String())
			batch.Records = append(batch.Records, reference(p))
			continue
		}
		batch.Records = append(batch.Records, encode.Encode(s.lexicon.list(p)))
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

// total returns the number of all records of a list, -1 if the answer does not say it.
func total(a get.Answer) int {
	n, err := strconv.Atoi(a.Header.Get("X-WP-Total"))
	if err != nil {
		return -1
	}
	return n
}
