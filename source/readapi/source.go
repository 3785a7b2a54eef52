// Package readapi reads a service of the Read API for a mirror: it maps the answers of
// package client to the types of package source.
package readapi

import (
	"context"
	"time"

	"ayna/client"
	"ayna/source"
	"ayna/source/get"
)

// A Source reads one service. It is safe for use by several goroutines.
type Source struct{ client *client.Client }

// New returns the source at an address. Its errors are those of [client.New].
func New(baseURL, key string, with source.Connection) (*Source, error) {
	locations := make(map[client.Group]client.IDLocation)
	for _, group := range detected {
		locations[group] = client.IDLocation(with.Found[locationFound+string(group)])
	}
	c, err := client.New(client.Config{
		BaseURL: baseURL, APIKey: key, IDLocations: locations,
		Timeout: with.Timeout, UserAgent: with.UserAgent, Transport: with.Transport, Gate: with.Gate,
	})
	if err != nil {
		return nil, err
	}
	return &Source{c}, nil
}

// detected are the groups whose location of the id is found by requests, see [client.Client.IDLocation].
var detected = []client.Group{client.Writers, client.Paths}

const locationFound = "place of the id in " // and the group; the archive holds this key

// Found returns the locations of ids that the answers so far have shown.
func (s *Source) Found() map[string]string {
	found := make(map[string]string)
	for _, group := range detected {
		if location := s.client.IDLocation(group); location != "" {
			found[locationFound+string(group)] = string(location)
		}
	}
	return found
}

// Facts returns the facts of the Read API: a list for each group, of which articles,
// galleries and videos may have a filter by date.
func (s *Source) Facts() source.Facts {
	t := source.Facts{Sweep: 24 * time.Hour, Bulk: 1}
	for _, group := range []source.Group{source.Articles, source.Columns, source.Galleries, source.Videos, source.Pages, source.Writers, source.Paths} {
		dated := group == source.Articles || group == source.Galleries || group == source.Videos
		t.Listings = append(t.Listings, source.Listing{Group: group, Holds: []source.Group{group}, Dated: dated})
	}
	return t
}

// KeyGuard returns the guard of the API key.
func (s *Source) KeyGuard() *get.KeyGuard { return s.client.KeyGuard() }

// Site reads the service's clock.
func (s *Source) Site(ctx context.Context) (source.Site, error) {
	date, err := s.client.Date(ctx)
	return source.Site{Date: date}, err
}

// List reads a part of a list.
func (s *Source) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	return batchOf(s.client.List(ctx, client.Group(group), queryOf(q)))
}

// SearchBatch reads a part of the hits of a keyword, in the order of the service.
func (s *Source) SearchBatch(ctx context.Context, keyword string, q source.Query) (source.Batch, error) {
	return batchOf(s.client.SearchBatch(ctx, keyword, queryOf(q)))
}

func queryOf(q source.Query) client.Query {
	request := client.Query{Top: q.Top, Skip: q.Skip}
	if !q.Since.IsZero() {
		request.Filter = client.Since("ModifiedDate", q.Since)
	}
	return request
}

func batchOf(b client.Batch, err error) (source.Batch, error) {
	return source.Batch{Records: b.Records, Skipped: b.Skipped, Count: b.Count, Envelope: b.Envelope, Date: b.Date}, err
}
