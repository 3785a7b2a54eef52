package ghost

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"ayna/source"
	"ayna/source/get"
)

// A part is one page of the list of posts.
type part struct {
	filter  string
	number  int // 0 is none
	entries []entry
	answers map[string]source.Answer // with the records of the same, by their ids; nil if it has none
	total   int                      // of the list as the answer says it, -1 if it does not
	date    time.Time
}

// pageOf returns a part of the list of posts that is read page by page, which the standing pages
// follow. The caller holds listing.
func (s *Source) pageOf(ctx context.Context, q source.Query) (source.Batch, error) {
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
		p, err := s.page(ctx, filter, at/perPage+1, q.Texts)
		if err != nil {
			return source.Batch{}, err
		}
		total, date = p.end(), p.date
		from := min(at%perPage, len(p.entries))
		entries = append(entries, p.entries[from:min(len(p.entries), from+top-len(entries))]...)
		if len(p.entries) < perPage || p.number*perPage == p.total {
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
	batch := batchOf(entries, date)
	batch.Count, batch.Missing = total, s.unreadTypes()
	if filter == "" {
		batch.Total = total + len(pages)
		if total == 0 {
			batch.Empty = append(batch.Empty, typeName(false))
		}
		if len(pages) == 0 {
			batch.Empty = append(batch.Empty, typeName(true))
		}
	}
	return batch, nil
}

// end returns the number of posts as far as a page shows it: a total that is below what has
// come is none, and so is a missing one.
func (p part) end() int { return max(p.total, (p.number-1)*perPage+len(p.entries)) }

// page reads one page of the list of posts, or returns the latest one again: a part may
// begin on it. The order is by id, since dates may be equal.
func (s *Source) page(ctx context.Context, filter string, number int, texts bool) (part, error) {
	if s.latest.number == number && s.latest.filter == filter && (s.latest.answers != nil || !texts) {
		return s.latest, nil
	}
	query := url.Values{"order": {"id desc"}, "limit": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(number)}}
	if texts {
		query.Set("include", withNames)
	} else {
		query.Set("fields", fieldsOfEntries)
	}
	if filter != "" {
		query.Set("filter", filter)
	}
	a, err := s.list(ctx, "/posts/", "posts", query)
	if err != nil {
		return part{}, err
	}
	posts, useful := readAll(a.elements, func(p post) string { return p.ID })
	if useful == 0 && len(posts) > 0 {
		return part{}, fmt.Errorf("posts: %w: none of %d has an id", get.ErrShape, len(posts))
	}
	posts = posts[:min(len(posts), perPage)]
	p := part{filter: filter, number: number, total: a.total, date: a.date}
	if texts {
		p.answers = make(map[string]source.Answer)
	}
	home := s.home()
	for i, post := range posts {
		if ctx.Err() != nil {
			return part{}, context.Cause(ctx)
		}
		p.entries = append(p.entries, post.entry)
		if texts && post.ID != "" {
			p.answers[post.ID] = s.present(post, a.elements[i], home)
		}
	}
	s.before, s.latest = s.latest, p
	return p, nil
}

// alreadyRead adds the records of posts that the latest two pages of the list had with all
// fields: a hundred ids may lie on both. It says nothing of others.
func (s *Source) alreadyRead(ids []string, found map[string]source.Answer) {
	s.listing.Lock()
	defer s.listing.Unlock()
	for _, id := range ids {
		for _, p := range []part{s.latest, s.before} {
			if answer, has := p.answers[id]; has {
				found[id] = answer
				break
			}
		}
	}
}
