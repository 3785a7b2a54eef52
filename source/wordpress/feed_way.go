package wordpress

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/homepage"
	"ayna/source/names"
)

// Questions of [Source.Found] about the way in which runs read a paper.
const (
	wayFound   = "way"                // viaFeed, or viaREST
	triedFound = "REST API was tried" // when it was closed
	viaFeed    = "feed"
	viaREST    = "REST API"
)

// tryEvery is the time until a run that reads the feed asks for the REST API again.
const tryEvery = 24 * time.Hour

const (
	feedOnly = "this site closes its REST API, so the mirror is made of its feed: it has no featured pictures, formats, standing pages, comments and folders within others but those that it had, and of a post in several pages the first"
	isOpened = "this site has opened its REST API, which the mirror reads from now on"
	isCut    = "this site's feed does not show where it ends, so the mirror may lack older posts"
	nameless = "some entries of this site's feed name no post; they are left out"
)

// errNotInFeed is the error of lists that the feed does not have.
var errNotInFeed = &get.Error{Op: "GET the feed", Status: http.StatusUnauthorized, Err: errRefused}

// Site describes the paper, and decides by which way this run reads it. A paper that closes its
// REST API is read by its feed, if the owner of the mirror wants that. What a feed shows deletes
// nothing by itself, so one refusal is enough. A refused password is an error.
func (s *Source) Site(ctx context.Context) (source.Site, error) {
	switch {
	case !s.mayFeed:
		return s.restSite(ctx)
	case s.isFeed.Load():
		return s.feedSite(ctx)
	case s.triedLately():
		s.isFeed.Store(true)
		site, err := s.feedSite(ctx)
		if err == nil || !names.IsOfList(err) {
			return site, err
		}
		s.isFeed.Store(false) // the REST API may have opened
	}
	site, err := s.openSite(ctx)
	if err == nil {
		s.note(wayFound, viaREST)
		if s.earlier[wayFound] == viaFeed {
			site.Renews = feedRoute
		}
		return site, nil
	}
	if e := (*get.Error)(nil); s.hasKey && errors.As(err, &e) && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden) {
		if !e.WebPage { // a web page comes from a protection
			e.Err = errPassword
		}
		return source.Site{}, err
	}
	if !names.IsClosed(err) && (s.latest(wayFound) != viaFeed || !names.IsOfList(err)) {
		return source.Site{}, err
	}
	s.isFeed.Store(true)
	site, feedErr := s.feedSite(ctx)
	s.isFeed.Store(feedErr == nil)
	switch {
	case errors.Is(feedErr, get.ErrGateway), errors.Is(feedErr, homepage.ErrProtected): // it may have one
		return source.Site{}, feedErr
	case names.IsClosed(feedErr), errors.Is(feedErr, get.ErrNotJSON): // it has none
		return source.Site{}, err
	case feedErr != nil:
		return source.Site{}, feedErr
	}
	s.note(wayFound, viaFeed)
	s.note(triedFound, time.Now().UTC().Format(time.RFC3339))
	return site, nil
}

// triedLately reports whether an earlier run has found the REST API closed, less than a day ago.
// With a password each run asks for it.
func (s *Source) triedLately() bool {
	at, err := time.Parse(time.RFC3339, s.latest(triedFound))
	since := time.Since(at) // negative if the clock was ahead then
	return !s.hasKey && err == nil && s.latest(wayFound) == viaFeed && since >= 0 && since < tryEvery
}

// openSite describes a paper by its REST API, if that has posts as well.
func (s *Source) openSite(ctx context.Context) (source.Site, error) {
	site, err := s.restSite(ctx)
	if err != nil {
		return site, err
	}
	if _, _, _, err = s.part(ctx, pathOf(string(Posts)), url.Values{"_fields": {"id"}}, 1); err != nil {
		return source.Site{}, s.needed(err)
	}
	return site, nil
}

// feedWarnings returns what the way of this run makes the mirror lack.
func (s *Source) feedWarnings() (list []string) {
	if !s.isFeed.Load() {
		if s.latest(wayFound) == viaREST && s.earlier[wayFound] == viaFeed {
			list = append(list, isOpened)
		}
		return list
	}
	s.feedMu.Lock()
	defer s.feedMu.Unlock()
	list = append(list, feedOnly)
	if s.feed.isCut {
		list = append(list, isCut)
	}
	if s.feed.nameless {
		list = append(list, nameless)
	}
	return list
}
