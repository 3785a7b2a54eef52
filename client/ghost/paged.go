package ghost

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"ayna/client"
)

// A part is one page of the list of posts.
type part struct {
	filter  string
	number  int // 0 is none
	entries []entry
	total   int
	date    time.Time
}

// pageOf returns a part of the list of posts of a large paper, which the standing pages
// follow. The caller holds listing.
func (s *Source) pageOf(ctx context.Context, q client.Query) (client.Batch, error) {
	filter, pages := "", s.pages
	if !q.Since.IsZero() {
		// Ghost compares in UTC, although it answers in the zone of the paper.
		filter, pages = "updated_at:>='"+q.Since.UTC().Format(time.DateTime)+"'", since(pages, q.Since)
	}
	top := max(q.Top, 1)
	var entries []entry
	var date time.Time
	total := 0
	for at := q.Skip; len(entries) < top; at = q.Skip + len(entries) {
		p, err := s.page(ctx, filter, at/perPage+1)
		if err != nil {
			return client.Batch{}, err
		}
		total, date = p.total, p.date
		from := min(at%perPage, len(p.entries))
		entries = append(entries, p.entries[from:min(len(p.entries), from+top-len(entries))]...)
		if len(p.entries) < perPage || p.number*perPage >= total {
			break
		}
	}
	if total < mostAtOnce && filter == "" && s.answer(listFound) == pageWise {
		s.note(listFound, "") // the next run tries to list them at once
	}
	if room := top - len(entries); room > 0 {
		at := min(max(0, q.Skip-total), len(pages))
		entries = append(entries, pages[at:min(at+room, len(pages))]...)
	}
	return batchOf(entries, date), nil
}

// page reads one page of the list of posts, or returns the latest one again: a part may
// begin on it. The order is by id, since dates may be equal.
func (s *Source) page(ctx context.Context, filter string, number int) (part, error) {
	if s.latest.number == number && s.latest.filter == filter {
		return s.latest, nil
	}
	query := url.Values{"fields": {fieldsOfEntries}, "order": {"id desc"}, "limit": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(number)}}
	if filter != "" {
		query.Set("filter", filter)
	}
	a, err := s.list(ctx, "/posts/", "posts", query)
	if err != nil {
		return part{}, err
	}
	entries, useful := readAll(a.elements, func(e entry) string { return e.ID })
	if useful == 0 && len(entries) > 0 {
		return part{}, fmt.Errorf("posts: %w: none of %d has an id", client.ErrShape, len(entries))
	}
	if len(entries) > perPage {
		entries = entries[:perPage]
	}
	s.latest = part{filter, number, entries, max(a.total, (number-1)*perPage+len(entries)), a.date}
	if a.total >= 0 {
		s.latest.total = a.total
	}
	return s.latest, nil
}
