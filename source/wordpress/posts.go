package wordpress

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/names"
)

// An extent is what the answers of this run have shown of the list of a type. What the site
// says of its own length is a claim: caches repeat old ones, and plug-ins leave it out.
type extent struct {
	claim   int      // records that the latest answer counts; -1 if none does, or fewer than came
	isLow   bool     // an answer has counted fewer than came
	end     int      // where an answer has shown that it ends; -1 if none has
	reached int      // the farthest end of an answer that had records
	first   []number // ids of the answer at its beginning
}

// extent returns that of a type. The caller holds the lock.
func (s *Source) extent(name string) *extent {
	e := s.lists[name]
	if e == nil {
		e = &extent{claim: -1, end: -1}
		s.lists[name] = e
	}
	return e
}

// posts returns a part of the list of posts, which those of custom types follow. The order
// is by id, since dates may be equal.
func (s *Source) posts(ctx context.Context, q source.Query) (source.Batch, error) {
	batch := source.Batch{Count: -1, Last: true}
	if q.Begins {
		s.isSweep.Store(true)
	}
	size, at := min(max(q.Top, 1), perPage), q.Skip // at counts from the first record of the type
	var posts []post
	for _, name := range s.types {
		room := size - len(posts) - batch.Skipped
		if _, lacks := s.lacking(name); lacks {
			continue
		}
		if room <= 0 {
			batch.Last = false
			break
		}
		some, end, err := s.postsFrom(ctx, name, at, room)
		if e := s.reached(name); err == nil && name == standing {
			if err = names.CheckEnd(e.reached, e.claim, 0); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		if err != nil && (name == string(Posts) || !names.IsOfList(err)) {
			return source.Batch{}, s.refused(err)
		}
		if err != nil {
			s.lack(name, err)
			continue
		}
		if at == 0 && end == 0 {
			batch.Empty = append(batch.Empty, name)
		}
		batch.Last = batch.Last && at+some.received >= end
		posts = append(posts, some.posts...)
		if !some.date.IsZero() {
			batch.Date = some.date
		}
		if batch.Skipped += some.received - len(some.posts); end < 0 {
			batch.Last = false // the list may go on
			break
		}
		at = max(0, at-end)
	}
	if q.Skip > 0 {
		batch.Skipped = min(batch.Skipped, len(posts)) // what is odd at the end is no part of the list
	}
	s.count(&batch)
	return batch, s.fill(ctx, &batch, posts, true)
}

// postsFrom returns records of a type from a place on, and where the list ends, -1 if it may go
// on after them. A part that has odd elements alone is skipped, unless it is the first one.
func (s *Source) postsFrom(ctx context.Context, name string, at, room int) (some postPage, end int, err error) {
	for ctx.Err() == nil {
		if end := s.endOf(name); end >= 0 && at >= end {
			return postPage{}, end, nil
		}
		some, err = s.postsAt(ctx, name, url.Values{"orderby": {"id"}, "order": {"desc"}, "offset": {strconv.Itoa(at)}}, room)
		if err != nil {
			return postPage{}, -1, err
		}
		end, isKnown := s.look(name, at, some)
		switch {
		case !isKnown: // the place is beyond the end
			end, err := s.endBefore(ctx, name, at)
			return postPage{}, end, err
		case len(some.posts) > 0 || some.received == 0:
			return some, end, nil
		case end >= 0:
			return postPage{}, end, nil
		}
		at += some.received
	}
	return postPage{}, -1, context.Cause(ctx)
}

// reached returns what is known of a list.
func (s *Source) reached(name string) extent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.extent(name)
}

func (s *Source) endOf(name string) int { return s.reached(name).end }

// look compares an answer with what is known of a list. It returns where the list ends, -1 if it
// may go on; that is not known if nothing came from a place beyond all that has come.
func (s *Source) look(name string, at int, some postPage) (end int, isKnown bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.extent(name)
	last := at + some.received
	if at == 0 {
		e.first = some.ids()
	} else if e.repeats(some) {
		return -1, true // the site ignores the place; the caller sees the same records again
	}
	if some.received == 0 {
		if at == 0 && !e.isLow {
			e.claim = some.total
		}
		if at > e.reached {
			return -1, false
		}
		e.end = at
		return e.end, true
	}
	e.reached = max(e.reached, last)
	if last > e.end { // it has grown
		e.end = -1
	}
	switch {
	case some.total < last:
		e.isLow, e.claim = e.isLow || some.total >= 0, -1
	case !e.isLow:
		e.claim = some.total
	}
	if e.claim == last && some.received < some.asked {
		e.end = last
	}
	return e.end, true
}

// repeats reports whether a later part of a list is the first one again.
func (e *extent) repeats(some postPage) bool {
	ids := some.ids()
	n := min(len(ids), len(e.first))
	return n > 1 && slices.Equal(ids[:n], e.first[:n])
}

// endBefore returns where a list ends that has nothing at a place: where the site says, if
// nothing is there either.
func (s *Source) endBefore(ctx context.Context, name string, at int) (end int, err error) {
	first, err := s.postsAt(ctx, name, url.Values{}, 1)
	if err != nil {
		return -1, err
	}
	if end = at; first.total >= first.received && first.total < at {
		next, err := s.postsAt(ctx, name, url.Values{"orderby": {"id"}, "order": {"desc"}, "offset": {strconv.Itoa(first.total)}}, 1)
		if err != nil {
			return -1, err
		}
		if next.received == 0 {
			end = first.total
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.extent(name).end = end
	return end, nil
}

// count sets how many records the whole list has, and how many of them are posts.
func (s *Source) count(batch *source.Batch) {
	missing := s.missing()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.types {
		if slices.Contains(missing, name) {
			continue
		}
		claim := s.extent(name).claim
		if name == string(Posts) {
			batch.Count = claim
		}
		if claim < 0 {
			batch.Total = 0
			return
		}
		batch.Total += claim
	}
}

// A postPage is an answer with posts.
type postPage struct {
	posts    []post
	received int // posts, and elements that are none
	asked    int
	total    int // of all answers, -1 if unknown
	date     time.Time
}

func (p postPage) ids() []number {
	ids := make([]number, len(p.posts))
	for i, post := range p.posts {
		ids[i] = post.ID
	}
	return ids
}

func (s *Source) postsAt(ctx context.Context, name string, query url.Values, most int) (postPage, error) {
	query.Set("_fields", listFields)
	list, a, asked, err := s.part(ctx, pathOf(name), query, most)
	if err != nil {
		return postPage{}, err
	}
	p := postPage{received: len(list), asked: asked, total: total(a), date: a.Date()}
	isFirst := query.Get("offset") == "" || query.Get("offset") == "0"
	if p.posts, err = readPosts(list); err != nil && isFirst {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	for i := range p.posts {
		p.posts[i].rest = name
	}
	return p, nil
}

// pathOf returns the address of a type by its REST name.
func pathOf(name string) string { return "/wp/v2/" + url.PathEscape(name) }
