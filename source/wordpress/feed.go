package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/homepage"
)

// Errors of a feed that cannot be mirrored.
var (
	errSummaries = fmt.Errorf("this site closes its REST API, and %w: %w", source.ErrSummaries, get.ErrShape)
	errUndated   = fmt.Errorf("this site closes its REST API, and its feed has no dates: %w", get.ErrShape)
)

// feedRoute is where the feed is with any permalinks.
const feedRoute = "/?feed=atom"

// maxHeld is the most bytes of posts of the feed that a run holds until they are requested. Of each
// post that it has read it holds a hash beside its id: 33 bytes, measured with 50,000.
const maxHeld = 32 << 20

// A feed is what this run has read of the feed of a paper. The lock of feedMu guards it.
type feed struct {
	home      *url.URL
	unchanged time.Time  // nothing has changed after it, which an answer said; zero if that is unknown
	asked     time.Time  // the date of that answer
	pages     []feedPart // the latest ones
	size      int        // entries of a full page
	end       int        // number of the page at which the list of posts ends; 0 if unknown
	isCut     bool       // it ends in another way than by 404, so that it may lack some
	nameless  bool       // some entries name no post
	changes   feedChanges
	posts     map[number]json.RawMessage // originals of those that have come
	order     []number                   // of posts, the oldest first
	bytes     int                        // of posts
	folders   map[string]string          // names by paths
	links     map[number]uint64          // hashes of the keys of their entries, see identify
	names     map[string][]number        // ids of categories
	named     int                        // categories among names
}

// A feedQuery selects the posts of pages of a feed: those with a keyword, or all in an order.
type feedQuery struct{ orderBy, keyword string }

// The orders of posts, the newest first.
var (
	byID       = feedQuery{orderBy: "ID"}
	byModified = feedQuery{orderBy: "modified"}
	byDate     = feedQuery{orderBy: "date"}
)

// A feedPart is what came of one page.
type feedPart struct {
	of      feedQuery
	n       int      // from 1
	posts   []post   // in their places, without texts; those of entries that name no post have no id
	entries []string // their digests
	date    time.Time
}

// ask reads an address of the feed.
func (s *Source) ask(ctx context.Context, route string, query url.Values, condition http.Header) (page feedPage, a get.Answer, err error) {
	header := condition.Clone()
	if header == nil {
		header = make(http.Header)
	}
	header.Set("Accept", "application/atom+xml, application/xml;q=0.9")
	if a, err = s.getter.GetText(ctx, route, query, header); err != nil {
		e := (*get.Error)(nil)
		if errors.As(err, &e) && e.Status == http.StatusUnauthorized && !errors.Is(err, get.ErrGateway) {
			e.Err = errRefused
		}
		if e != nil && e.WebPage && (e.Status == http.StatusForbidden || e.Status == http.StatusServiceUnavailable) {
			e.Err = homepage.ErrProtected
		}
		return page, a, err
	}
	if page, err = readFeed(a.Body); err != nil {
		err = s.getter.Refuse(route, a, err)
	}
	return page, a, err
}

// Questions of [Source.Found] for the validators of the latest answer.
const (
	etagFound     = "feed: entity tag"
	modifiedFound = "feed: last change"
)

// feedSite describes the paper by the page of its feed with the latest changes. It is all that a
// run requests of a feed that is unchanged.
func (s *Source) feedSite(ctx context.Context) (source.Site, error) {
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	condition := make(http.Header)
	for name, question := range map[string]string{"If-None-Match": etagFound, "If-Modified-Since": modifiedFound} {
		if value := s.latest(question); value != "" {
			condition.Set(name, value)
		}
	}
	page, a, err := s.ask(ctx, feedRoute, url.Values{"paged": {"1"}, "orderby": {byModified.orderBy}}, condition)
	if e := (*get.Error)(nil); errors.As(err, &e) && e.Status == http.StatusNotModified {
		s.feed.unchanged, _ = http.ParseTime(s.latest(modifiedFound))
		s.feed.asked = a.Date()
		return source.Site{Date: a.Date()}, nil
	}
	if err != nil {
		return source.Site{}, err
	}
	none := func(has func(entry) bool) bool {
		return len(page.entries) > 0 && !slices.ContainsFunc(page.entries, has)
	}
	switch {
	case none(func(e entry) bool { return e.Content != nil }):
		return source.Site{}, errSummaries
	case none(func(e entry) bool { return e.Updated != nil && e.Published != nil }):
		return source.Site{}, errUndated
	}
	part, err := s.feedPart(ctx, byModified, 1, page, a)
	if err != nil {
		return source.Site{}, err
	}
	s.feed.unchanged, s.feed.pages = time.Time{}, []feedPart{part}
	s.note(etagFound, a.Header.Get("ETag"))
	s.note(modifiedFound, a.Header.Get("Last-Modified"))
	return source.Site{Title: page.title, Language: page.language, Date: a.Date()}, nil
}

// latest returns the answer to a question, of this run or else of an earlier one.
func (s *Source) latest(question string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer, has := s.found[question]; has {
		return answer
	}
	return s.earlier[question]
}

// page returns a page of the feed, an empty one beyond its end.
func (s *Source) page(ctx context.Context, of feedQuery, n int) (feedPart, error) {
	if i := slices.IndexFunc(s.feed.pages, func(p feedPart) bool { return p.of == of && p.n == n }); i >= 0 {
		return s.feed.pages[i], nil
	}
	if of == byID && s.feed.end > 0 && n >= s.feed.end {
		return feedPart{}, nil
	}
	query := url.Values{"paged": {strconv.Itoa(n)}}
	if of.keyword != "" {
		query.Set("s", of.keyword)
	} else {
		query.Set("orderby", of.orderBy)
		query.Set("order", "desc")
	}
	content, a, err := s.ask(ctx, feedRoute, query, nil)
	isEnd := n > 1 && isNotFound(err)
	if isEnd { // one answer proves nothing
		content, a, err = s.ask(ctx, feedRoute, query, nil)
		isEnd = isNotFound(err)
	}
	if err != nil && !isEnd {
		return feedPart{}, fmt.Errorf("page %d of the feed: %w", n, err)
	}
	part, err := s.feedPart(ctx, of, n, content, a)
	if err != nil {
		return feedPart{}, err
	}
	isCut := !isEnd && n > 1 && (len(part.posts) == 0 || s.repeats(part))
	if of == byID && (isEnd || isCut) {
		s.feed.end, s.feed.isCut = n, isCut
	}
	if isEnd || isCut {
		return feedPart{}, nil
	}
	s.feed.pages = append(s.feed.pages, part)
	s.feed.pages = s.feed.pages[max(0, len(s.feed.pages)-heldPages):]
	return part, nil
}

// heldPages is the number of pages that a run holds: lists are read with overlaps.
const heldPages = 3

func isNotFound(err error) bool {
	e := (*get.Error)(nil)
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// repeats reports whether a page has no other entries than the one before it.
func (s *Source) repeats(part feedPart) bool {
	for _, p := range s.feed.pages {
		if p.of == part.of && p.n == part.n-1 {
			return !slices.ContainsFunc(part.entries, func(digest string) bool { return !slices.Contains(p.entries, digest) })
		}
	}
	return false
}

// feedPart makes posts of a page, and holds them with their texts.
func (s *Source) feedPart(ctx context.Context, of feedQuery, n int, page feedPage, a get.Answer) (feedPart, error) {
	part := feedPart{of: of, n: n, date: a.Date()}
	if of.keyword == "" {
		s.feed.size = max(s.feed.size, len(page.entries))
	}
	ids, err := s.identify(ctx, page.entries)
	if err != nil {
		return part, err
	}
	for i, e := range page.entries {
		part.entries = append(part.entries, digestOf(e.ID, e.link()))
		if ids[i] == 0 {
			s.feed.nameless = true
			part.posts = append(part.posts, post{})
			continue
		}
		p, err := s.postOf(ctx, ids[i], e)
		if err != nil {
			return part, err
		}
		part.posts = append(part.posts, p.withoutTexts())
	}
	return part, nil
}
