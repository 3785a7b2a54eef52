package wordpress

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/names"
)

// maxDry is the number of answers to a filter, one after another, that may hold no change.
const maxDry = 10

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
	dry    int          // its latest answers without a change
	first  number       // post of its latest answer
	date   time.Time    // of the first answer
}

// changed returns a part of the posts that changed. Records come in no order.
func (s *Source) changed(ctx context.Context, q source.Query) (source.Batch, error) {
	s.changesMu.Lock()
	defer s.changesMu.Unlock()
	since := q.Since.UTC().Truncate(time.Second)
	if s.changes == nil || q.Skip == 0 {
		s.changes = s.changesSince(since)
	}
	c := s.changes
	for len(c.posts) < q.Skip+q.Top && len(c.left) > 0 {
		name := c.names[0]
		if _, lacks := s.lacking(name); lacks {
			c.next()
			continue
		}
		query := maps.Clone(c.left[0])
		query.Set("offset", strconv.Itoa(c.offset))
		some, err := s.postsAt(ctx, name, query, perPage)
		switch {
		case err == nil:
		case name != string(Posts) && names.IsOfList(err):
			s.lack(name, err)
			continue
		default:
			return source.Batch{}, s.refused(err)
		}
		if err := c.add(some, since); err != nil {
			return source.Batch{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	batch := source.Batch{Count: -1, Date: c.date, Last: len(c.left) == 0 && q.Skip+q.Top >= len(c.posts)}
	return batch, s.fill(ctx, &batch, c.posts[min(q.Skip, len(c.posts)):min(q.Skip+q.Top, len(c.posts))], false)
}

func (s *Source) changesSince(since time.Time) *changes {
	c := &changes{seen: make(map[number]bool)}
	for _, name := range s.types {
		for _, parameter := range []string{"modified_after", "after"} { // both are exclusive
			if name != string(Posts) && parameter == "after" {
				continue // others are rarely scheduled, and the next sweep finds them
			}
			c.left = append(c.left, url.Values{parameter: {since.Add(-time.Second).Format("2006-01-02T15:04:05Z")}})
			c.names = append(c.names, name)
		}
	}
	return c
}

// next goes on to the next query.
func (c *changes) next() {
	c.left, c.names, c.offset, c.dry, c.first = c.left[1:], c.names[1:], 0, 0, 0
}

// add adds the changes in an answer. The error is about a site that answers with posts of any
// date, without an end.
func (c *changes) add(some postPage, since time.Time) error {
	before := len(c.posts)
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
	isWhole := some.received < some.asked && some.total == c.offset
	if some.received == 0 || isWhole || len(some.posts) > 0 && some.posts[0].ID == c.first { // the last ignores the offset
		c.next()
		return nil
	}
	if c.dry++; len(c.posts) > before {
		c.dry = 0
	}
	if c.dry > maxDry {
		return fmt.Errorf("%w: %d answers to a filter by date hold no post that it asks for", get.ErrShape, maxDry)
	}
	if c.first = 0; len(some.posts) > 0 {
		c.first = some.posts[0].ID
	}
	return nil
}
