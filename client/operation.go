package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"ayna/source/get"
)

// List reads one page of a group's list operation (API document, section 4).
func (c *Client) List(ctx context.Context, group Group, q Query) (Batch, error) {
	values, err := q.values(false)
	if err != nil {
		return Batch{}, c.getter.Fail(groupPath(group), err)
	}
	return c.batch(ctx, groupPath(group), values)
}

// SearchBatch reads one page of the hits of a keyword, in the order of the service. The
// error is [ErrKeyword] if no address can hold the keyword.
func (c *Client) SearchBatch(ctx context.Context, keyword string, q Query) (Batch, error) {
	values, err := q.values(true)
	if err != nil {
		return Batch{}, c.getter.Fail("/v1/search", err)
	}
	word, err := segment(keyword, ErrKeyword)
	if err != nil || strings.TrimSpace(keyword) == "" {
		return Batch{}, c.getter.Fail("/v1/search", ErrKeyword)
	}
	return c.batch(ctx, "/v1/search/"+word, values)
}

func (c *Client) batch(ctx context.Context, path string, values url.Values) (Batch, error) {
	a, err := c.getter.Get(ctx, path, values)
	if err != nil {
		return Batch{}, err
	}
	b, err := readBatch(a, c.KeyGuard())
	if err != nil {
		return Batch{}, c.getter.Refuse(path, a, err)
	}
	return b, nil
}

func groupPath(group Group) string { return "/v1/" + url.PathEscape(string(group)) }

// singleAt reads one record whose id is at a location in the address.
func (c *Client) singleAt(ctx context.Context, at IDLocation, group Group, id string, fields []string) (json.RawMessage, error) {
	word, err := segment(id, ErrID)
	if err != nil {
		return nil, c.getter.Fail(groupPath(group), err)
	}
	path := groupPath(group) + "/" + word
	if at == InQuery {
		path = groupPath(group) + "?Id=" + url.QueryEscape(id)
	}
	raw, err := c.record(ctx, path, id, singleValues(fields))
	if err != nil || at == InPath {
		return raw, err
	}
	// A server that ignores ?Id= and has just one record returns that.
	if got, err := ReadID(raw); err != nil || (got != "" && got != id) {
		return nil, c.getter.Fail(path, fmt.Errorf("%w: it is not the requested record", ErrShape))
	}
	return raw, nil
}

func (c *Client) record(ctx context.Context, path, id string, values url.Values) (json.RawMessage, error) {
	a, err := c.getter.Get(ctx, path, values)
	if e := (*Error)(nil); errors.Is(err, get.ErrEmpty) && errors.As(err, &e) {
		e.Err = fmt.Errorf("%w: %w", ErrNoRecord, e.Err)
	}
	if err != nil {
		return nil, err
	}
	raw, err := readRecord(a, id, values.Has("$select"), c.KeyGuard())
	if err != nil {
		return nil, c.getter.Refuse(path, a, err)
	}
	return raw, nil
}

// Date reads the service's clock: from the Date header if the body holds no date, or
// one more than a day off.
func (c *Client) Date(ctx context.Context) (time.Time, error) {
	const path = "/v1/date"
	a, err := c.getter.Get(ctx, path, nil)
	if err != nil {
		return time.Time{}, err
	}
	body := bodyDate(a.Body)
	header := a.Date()
	if header.IsZero() {
		header = body
	}
	if body.IsZero() || body.Sub(header).Abs() > 24*time.Hour {
		body = header
	}
	if body.IsZero() {
		return time.Time{}, c.getter.Refuse(path, a, fmt.Errorf("%w: no date in body or header", ErrShape))
	}
	return body, nil
}

// bodyDate reads an object with a Date, an array of one, or the bare text,
// quoted or not. Without a zone it is UTC.
func bodyDate(body []byte) time.Time {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		body = get.Field(object, "Date")
	}
	var text string
	if json.Unmarshal(body, &text) != nil {
		text = string(bytes.TrimSpace(body))
	}
	return ParseDate(text, "", nil).Time
}

// Articles iterates over the list records of articles, page by page.
func (c *Client) Articles(ctx context.Context, q Query) iter.Seq2[Article, error] {
	return each[Article](ctx, c.lister(Articles), q)
}

// Columns iterates over the list records of columns, page by page.
func (c *Client) Columns(ctx context.Context, q Query) iter.Seq2[Column, error] {
	return each[Column](ctx, c.lister(Columns), q)
}

// Galleries iterates over the list records of photo galleries, page by page.
func (c *Client) Galleries(ctx context.Context, q Query) iter.Seq2[Gallery, error] {
	return each[Gallery](ctx, c.lister(Galleries), q)
}

// Videos iterates over the list records of videos, page by page.
func (c *Client) Videos(ctx context.Context, q Query) iter.Seq2[Video, error] {
	return each[Video](ctx, c.lister(Videos), q)
}

// Pages iterates over the list records of editorial pages, page by page.
func (c *Client) Pages(ctx context.Context, q Query) iter.Seq2[Page, error] {
	return each[Page](ctx, c.lister(Pages), q)
}

// Writers iterates over the writers, page by page.
func (c *Client) Writers(ctx context.Context, q Query) iter.Seq2[Writer, error] {
	return each[Writer](ctx, c.lister(Writers), q)
}

// Paths iterates over the folders, page by page.
func (c *Client) Paths(ctx context.Context, q Query) iter.Seq2[Path, error] {
	return each[Path](ctx, c.lister(Paths), q)
}

// Search iterates over the records that hold keyword, page by page.
func (c *Client) Search(ctx context.Context, keyword string, q Query) iter.Seq2[Hit, error] {
	return each[Hit](ctx, func(ctx context.Context, q Query) (Batch, error) {
		return c.SearchBatch(ctx, keyword, q)
	}, q)
}

func (c *Client) lister(group Group) func(context.Context, Query) (Batch, error) {
	return func(ctx context.Context, q Query) (Batch, error) { return c.List(ctx, group, q) }
}

// Article reads one article; see [Client.Single] for fields.
func (c *Client) Article(ctx context.Context, id string, fields ...string) (Article, error) {
	return one[Article](ctx, c, Articles, id, fields)
}

// Column reads one column.
func (c *Client) Column(ctx context.Context, id string, fields ...string) (Column, error) {
	return one[Column](ctx, c, Columns, id, fields)
}

// Gallery reads one photo gallery.
func (c *Client) Gallery(ctx context.Context, id string, fields ...string) (Gallery, error) {
	return one[Gallery](ctx, c, Galleries, id, fields)
}

// Video reads one video.
func (c *Client) Video(ctx context.Context, id string, fields ...string) (Video, error) {
	return one[Video](ctx, c, Videos, id, fields)
}

// Page reads one editorial page with its news.
func (c *Client) Page(ctx context.Context, id string, fields ...string) (Page, error) {
	return one[Page](ctx, c, Pages, id, fields)
}

// Writer reads one writer.
func (c *Client) Writer(ctx context.Context, id string, fields ...string) (Writer, error) {
	return one[Writer](ctx, c, Writers, id, fields)
}

// Path reads one folder.
func (c *Client) Path(ctx context.Context, id string, fields ...string) (Path, error) {
	return one[Path](ctx, c, Paths, id, fields)
}

func one[T any](ctx context.Context, c *Client, group Group, id string, fields []string) (record T, err error) {
	raw, err := c.Single(ctx, group, id, fields...)
	if err != nil {
		return record, err
	}
	err = json.Unmarshal(raw, &record)
	return record, err
}

// An IDLocation is the part of an address that holds the id of a single record.
type IDLocation string

// The locations of an id.
const (
	InPath  IDLocation = "path"  // /v1/writers/{Id}
	InQuery IDLocation = "query" // /v1/writers?Id={Id}
)

// detected is the location of the ids of one group, as requests showed it.
type detected struct {
	first IDLocation                 // tried first
	found atomic.Pointer[IDLocation] // the one that works; nil if unknown
}

// newLocations returns the groups for which the API document does not define the location of
// the id (section 4, rows 12 and 14).
func newLocations(known map[Group]IDLocation) map[Group]*detected {
	locations := make(map[Group]*detected)
	for _, group := range []Group{Writers, Paths} {
		locations[group] = &detected{first: InPath}
		if known[group] == InQuery {
			locations[group].first = InQuery
		}
	}
	return locations
}

// IDLocation returns the location of the ids of a group. For writers and paths it is "" until
// [Client.Single] has read a record.
func (c *Client) IDLocation(group Group) IDLocation {
	p := c.locations[group]
	switch {
	case p == nil:
		return InPath
	case p.found.Load() == nil:
		return ""
	}
	return *p.found.Load()
}

// Single reads one record, or only the named fields of it, and returns its JSON as
// received. For writers and paths it detects the location of the id: it tries the one of
// [Config.IDLocations], or else the path, then the other one, and keeps to the one that works.
func (c *Client) Single(ctx context.Context, group Group, id string, fields ...string) (json.RawMessage, error) {
	if at := c.IDLocation(group); at != "" {
		return c.singleAt(ctx, at, group, id, fields)
	}
	p, errs := c.locations[group], make(map[IDLocation]error)
	locations := []IDLocation{InPath, InQuery}
	if p.first == InQuery {
		slices.Reverse(locations)
	}
	for _, at := range locations {
		raw, err := c.singleAt(ctx, at, group, id, fields)
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
	return nil, errs[InPath]
}

// misplaced reports whether an error may mean that the id belongs to the other location. A
// server that ignores ?Id= answers with the list.
func misplaced(at IDLocation, err error) bool {
	return at == InQuery && errors.Is(err, ErrShape) ||
		hasStatus(err, http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed)
}

// segment escapes text as one segment of a path, byte for byte. It refuses "", "." and "..",
// which would change the path.
func segment(text string, refusal error) (string, error) {
	switch text {
	case "", ".", "..":
		return "", refusal
	}
	return url.PathEscape(text), nil
}

// hasStatus reports whether err is an Error with one of the statuses.
func hasStatus(err error, statuses ...int) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(statuses, e.Status)
}
