package wordpress

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/markup"
	"ayna/source/names"
)

// feedFacts are those of a paper that is read by its feed. A sweep costs a request for each page.
func feedFacts() source.Facts {
	return source.Facts{
		Lists: []source.List{
			{Group: Posts, Holds: []source.Group{source.Articles, source.Columns, source.Galleries, source.Videos}, Dated: true},
			{Group: source.Paths, Holds: []source.Group{source.Paths}, MayBeEmpty: true},
		},
		Sweep: 24 * time.Hour, EditsShow: true, SinceIsWhole: true, Describes: true, NamesEachRun: true, NamesLast: true, ProvesAlone: true, Bulk: 10,
	}
}

// mostPages are the pages of a part of the list: several, if most of their entries name no post.
const mostPages = 10

// feedPosts returns a part of the list of posts, at least a page of them if it has so many.
func (s *Source) feedPosts(ctx context.Context, q source.Query) (source.Batch, error) {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	if q.Begins {
		s.feed.end, s.feed.isCut = 0, false
		s.feed.pages = slices.DeleteFunc(s.feed.pages, func(p feedPart) bool { return p.of == byID })
	}
	batch := source.Batch{Count: -1}
	if q.Skip > 0 && s.feed.size == 0 { // an earlier run has come so far
		if _, err := s.page(ctx, byID, 1); err != nil {
			return batch, err
		}
	}
	n, at := 1+q.Skip/max(1, s.feed.size), q.Skip%max(1, s.feed.size)
	var posts []post
	for range mostPages {
		part, err := s.page(ctx, byID, n)
		if err != nil {
			return batch, err
		}
		for _, p := range part.posts[min(at, len(part.posts)):] {
			if p.ID == 0 {
				batch.Skipped++
			} else {
				posts = append(posts, p)
			}
		}
		if !part.date.IsZero() {
			batch.Date = part.date
		}
		if len(part.posts) == 0 { // no later place depends on how many are skipped here
			batch.Last = s.feed.end > 0
			if q.Skip > 0 {
				batch.Skipped = min(batch.Skipped, len(posts))
			}
			break
		}
		if len(posts)+batch.Skipped >= s.feed.size && batch.Skipped <= len(posts) {
			break
		}
		n, at = n+1, 0
	}
	err := s.fill(ctx, &batch, posts, true)
	if s.feed.isCut {
		batch.Missing = append(batch.Missing, string(Posts))
	}
	return batch, err
}

// feedChanges are the posts of the feed that changed at a time or later, as far as they have been
// read. A scheduled post that has gone live shows in its date alone.
type feedChanges struct {
	posts []post
	seen  map[number]bool
	left  []feedQuery // that are not read to their end
	n     int         // the next page of the first one
}

// settled is the time after which all pages of the feed show a change.
const settled = time.Minute

// feedChanged returns a part of the posts that changed.
func (s *Source) feedChanged(ctx context.Context, q source.Query) (source.Batch, error) {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	c := &s.feed.changes
	if q.Skip == 0 {
		*c = feedChanges{seen: make(map[number]bool), left: []feedQuery{byModified, byDate}, n: 1}
	}
	batch := source.Batch{Count: -1}
	if last := s.feed.unchanged; !last.IsZero() && !s.feed.asked.IsZero() && last.Add(settled).Before(q.Known) {
		c.left, batch.Date = nil, s.feed.asked
	}
	for len(c.posts) < q.Skip+q.Top && len(c.left) > 0 {
		part, err := s.page(ctx, c.left[0], c.n)
		if err != nil {
			return batch, err
		}
		if batch.Date.IsZero() {
			batch.Date = part.date
		}
		isNew := false
		for _, p := range part.posts {
			if p.ID > 0 && !c.seen[p.ID] && (!p.Modified.Before(q.Since) || !p.Date.Before(q.Since)) {
				c.seen[p.ID], isNew = true, true
				c.posts = append(c.posts, p)
			}
		}
		if c.n++; !isNew {
			c.left, c.n = c.left[1:], 1
		}
	}
	batch.Last = len(c.left) == 0 && q.Skip+q.Top >= len(c.posts)
	return batch, s.fill(ctx, &batch, c.posts[min(q.Skip, len(c.posts)):min(q.Skip+q.Top, len(c.posts))], false)
}

// feedFolders adds to the folders that the archive knows those that posts of this run name.
func (s *Source) feedFolders(batch source.Batch) source.Batch {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	known := make(map[string]bool)
	for id := range s.lexicon.categories {
		known[s.lexicon.categories.path(id)] = true
	}
	for _, path := range slices.Sorted(maps.Keys(s.feed.folders)) {
		if !known[path] {
			batch.Records = append(batch.Records, encode.Encode(encode.Folder{
				ID: "term-feed-" + strings.Trim(path, "/"), Path: path, Title: markup.Escape(s.feed.folders[path]),
			}))
		}
	}
	return batch
}

// feedSearch returns a page of the posts that hold a keyword.
func (s *Source) feedSearch(ctx context.Context, keyword string, q source.Query) (source.Batch, error) {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	batch, of := source.Batch{Count: -1}, feedQuery{keyword: keyword}
	n, at := 1, 0
	if q.Skip > 0 && s.feed.size > 0 {
		n, at = 1+q.Skip/s.feed.size, q.Skip%s.feed.size
	}
	part, err := s.page(ctx, of, n)
	for _, p := range part.posts[min(at, len(part.posts)):] {
		if p.ID == 0 {
			batch.Skipped++
			continue
		}
		if batch.Records = append(batch.Records, reference(p)); p.isProtected() {
			batch.Hidden = append(batch.Hidden, p.ID.String())
		}
	}
	batch.Date = part.date
	return batch, err
}

// heldPosts returns posts by their ids: those that have come, and others from their own addresses.
// failed are the errors of those that have none.
func (s *Source) heldPosts(ctx context.Context, ids []number) (found map[number]post, failed map[number]error) {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	found, failed = make(map[number]post), make(map[number]error)
	var down error // what no other address can be asked after
	for _, id := range ids {
		if raw, has := s.feed.posts[id]; has {
			if p, err := s.readFeedPost(raw); err == nil {
				found[id] = p
				continue
			}
		}
		if failed[id] = down; down != nil {
			continue
		}
		p, state, err := s.own(ctx, id)
		if state == source.Present {
			found[id] = p
		}
		if failed[id] = err; !names.IsOfList(err) {
			down = err
		}
	}
	return found, failed
}

// own asks for a post at its own address. It is present, or not found, which proves nothing.
func (s *Source) own(ctx context.Context, id number) (post, source.State, error) {
	page, a, err := s.ask(ctx, feedRoute, map[string][]string{"p": {id.String()}, "withoutcomments": {"1"}}, nil)
	switch {
	case err != nil: // also 404, with which WordPress never answers a feed of one post
		return post{}, "", err
	case len(page.entries) == 0:
		return post{}, source.NotFound, nil
	}
	one := page.entries[0]
	isThat := idInHeader(a.Header) == id || s.idIn(one.ID) == id || s.idIn(one.link()) == id
	if len(page.entries) > 1 || !isThat {
		return post{}, "", s.getter.Refuse(feedRoute, a, errors.Join(errAnother, get.ErrShape))
	}
	p, err := s.postOf(ctx, id, one)
	return p, source.Present, err
}

var errAnother = errors.New("it is not that post")

// feedState returns what the own address of a post says of it.
func (s *Source) feedState(ctx context.Context, id number) (source.State, error) {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	p, state, err := s.own(ctx, id)
	if state == source.Present && p.isProtected() {
		state = source.Gone
	}
	return state, err
}
