package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
)

// A Place is where the id of a single record stands in its address.
type Place string

// The places of an id.
const (
	InPath  Place = "path"  // /v1/writers/{Id}
	InQuery Place = "query" // /v1/writers?Id={Id}
)

// place is what is known of one group.
type place struct {
	first Place                 // is tried first
	found atomic.Pointer[Place] // is where an answer came from
}

// newPlaces returns the groups of which the API document leaves open where the
// id goes (section 4, rows 12 and 14).
func newPlaces(known map[Group]Place) map[Group]*place {
	places := make(map[Group]*place)
	for _, group := range []Group{Writers, Paths} {
		places[group] = &place{first: InPath}
		if known[group] == InQuery {
			places[group].first = InQuery
		}
	}
	return places
}

// Place returns where the ids of a group go. For writers and paths it is ""
// until a record has been read.
func (c *Client) Place(group Group) Place {
	p := c.places[group]
	switch {
	case p == nil:
		return InPath
	case p.found.Load() == nil:
		return ""
	}
	return *p.found.Load()
}

// Single reads one record, of it only the fields named if any are. Where the id
// of a writer and a path goes is found out: the place of [Config.Places] is
// tried first, or the path, then the other one; what worked is used from then
// on.
func (c *Client) Single(ctx context.Context, group Group, id string, fields ...string) (json.RawMessage, error) {
	switch c.Place(group) {
	case InPath:
		return c.byPath(ctx, group, id, fields)
	case InQuery:
		return c.byQuery(ctx, group, id, fields)
	}
	reads := map[Place]func(context.Context, Group, string, []string) (json.RawMessage, error){InPath: c.byPath, InQuery: c.byQuery}
	p, errs := c.places[group], make(map[Place]error)
	for _, at := range []Place{p.first, p.other()} {
		raw, err := reads[at](ctx, group, id, fields)
		if err == nil {
			p.found.Store(&at)
			return raw, nil
		}
		if errs[at] = err; !misplaced(at, err) {
			return nil, err
		}
	}
	if hasStatus(errs[InQuery], http.StatusNotFound) {
		return nil, errs[InQuery]
	}
	return nil, errs[InPath] // the server does not know the other place
}

func (p *place) other() Place {
	if p.first == InPath {
		return InQuery
	}
	return InPath
}

// misplaced reports whether an error may mean that the id goes elsewhere. A
// server that does not know the query answers with the list.
func misplaced(at Place, err error) bool {
	return at == InQuery && errors.Is(err, ErrShape) ||
		hasStatus(err, http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed)
}
