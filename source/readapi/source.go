// Package readapi reads a service of the Read API for a mirror: it maps the answers of
// package client to the types of package source.
package readapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"ayna/client"
	"ayna/source"
	"ayna/source/get"
)

// A Source reads one service. It is safe for use by several goroutines.
type Source struct {
	client *client.Client
	most   atomic.Int64 // records in one answer of a list that the service has not refused; 0 is unknown
}

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
	s := &Source{client: c}
	most, _ := strconv.ParseInt(with.Found[mostFound], 10, 64) // none is 0
	s.most.Store(most)
	return s, nil
}

// detected are the groups whose location of the id is found by requests, see [client.Client.IDLocation].
var detected = []client.Group{client.Writers, client.Paths}

const (
	locationFound = "place of the id in " // and the group; the archive holds this key
	mostFound     = "most records in an answer"
)

// Found returns the locations of ids that the answers so far have shown.
func (s *Source) Found() map[string]string {
	found := make(map[string]string)
	for _, group := range detected {
		if location := s.client.IDLocation(group); location != "" {
			found[locationFound+string(group)] = string(location)
		}
	}
	if most := s.most.Load(); most > 0 {
		found[mostFound] = strconv.FormatInt(most, 10)
	}
	return found
}

// Facts returns the facts of the Read API: a list for each group, of which articles,
// galleries and videos may have a filter by date.
func (s *Source) Facts() source.Facts {
	t := source.Facts{Sweep: 24 * time.Hour, Bulk: 1}
	for _, group := range []source.Group{source.Articles, source.Columns, source.Galleries, source.Videos, source.Pages, source.Writers, source.Paths} {
		dated := group == source.Articles || group == source.Galleries || group == source.Videos
		t.Lists = append(t.Lists, source.List{Group: group, Holds: []source.Group{group}, Dated: dated})
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

// fewest is the number of records in an answer below which a service that refuses is not asked.
const fewest = 10

// List reads a part of a list. A service that answers 400 to the first part is asked for half
// as many records from then on.
func (s *Source) List(ctx context.Context, group source.Group, q source.Query) (source.Batch, error) {
	for {
		if most := int(s.most.Load()); most > 0 {
			q.Top = min(q.Top, most)
		}
		batch, err := batchOf(s.client.List(ctx, client.Group(group), queryOf(q)))
		e := (*get.Error)(nil)
		if !errors.As(err, &e) || e.Status != http.StatusBadRequest || q.Skip > 0 || !q.Since.IsZero() || q.Top <= fewest {
			return batch, err
		}
		s.most.Store(int64(max(fewest, q.Top/2)))
	}
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
