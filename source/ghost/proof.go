package ghost

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
)

// TypeOf returns the list in which a record stands: posts or pages.
func (s *Source) TypeOf(r source.Known) string {
	of, _ := encode.Read[struct{ ContentType string }](r.List)
	return typeName(of.ContentType == encode.StandingPage)
}

// dateFields are the fields with which Ghost answers whether posts are public.
const dateFields = "id,updated_at"

// Dates asks for the dates of change of posts or pages.
func (s *Source) Dates(ctx context.Context, _ source.Group, of []source.Known) (map[string]time.Time, error) {
	ids := make([]string, len(of))
	for i, r := range of {
		if ids[i] = r.ID; !isID(r.ID) {
			return nil, fmt.Errorf("record %q: %w", r.ID, get.ErrID)
		}
	}
	dates := make(map[string]time.Time)
	if len(of) == 0 {
		return dates, nil
	}
	name := s.TypeOf(of[0])
	a, err := s.list(ctx, "/"+name+"/", name, url.Values{
		"filter": {"id:[" + strings.Join(ids, ",") + "]"}, "fields": {dateFields}, "limit": {strconv.Itoa(perPage)},
	})
	if err != nil {
		return nil, err
	}
	entries, _ := readAll(a.elements, func(e entry) string { return e.ID })
	for _, e := range entries {
		if e.ID != "" {
			dates[e.ID] = e.Updated.Time
		}
	}
	return dates, nil
}

// Ask asks for one post or page at its own address. Ghost says the same of one that was
// deleted and of one that became a draft.
func (s *Source) Ask(ctx context.Context, _ source.Group, of source.Known) (source.State, error) {
	if !isID(of.ID) {
		return "", fmt.Errorf("record %q: %w", of.ID, get.ErrID)
	}
	name := s.TypeOf(of)
	a, err := s.list(ctx, "/"+name+"/"+of.ID+"/", name, url.Values{"fields": {dateFields}})
	if e := (*get.Error)(nil); errors.As(err, &e) && errors.Is(err, get.ErrNotFound) && e.Code == "NotFoundError" {
		return source.NotFound, nil
	}
	if err != nil {
		return "", err
	}
	entries, _ := readAll(a.elements, func(e entry) string { return e.ID })
	if len(entries) != 1 || entries[0].ID != of.ID {
		return "", fmt.Errorf("%s %s: %w: another record", name, of.ID, get.ErrShape)
	}
	return source.Present, nil
}
