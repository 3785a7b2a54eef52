package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"ayna/archive"
	"ayna/client"
)

const (
	// filterOverlap is how far before the last run changes are asked for: it
	// covers clocks that differ and the hour that summer time repeats.
	filterOverlap = 2 * time.Hour
	// filterKnown is how many records at least are asked for that are known to
	// match: the newest alone may be gone by now.
	filterKnown = 3
	// filterAgain is when a filter that did not work is tried again: what it was
	// known to match may all have been gone.
	filterAgain = 24 * time.Hour
	// noFilter stands for a filter in no form that the source understands.
	noFilter = "none"
)

// filterForms are the ways to write a date in $filter, the likeliest first. The
// API document shows none.
var filterForms = []filterForm{
	{"Datetime'…'", func(t time.Time) client.Filter { return client.Since("ModifiedDate", t) }},
	{"datetimeoffset'…'", func(t time.Time) client.Filter {
		return client.Filter("ModifiedDate ge datetimeoffset'" + t.Format(time.RFC3339) + "'")
	}},
	{"bare", func(t time.Time) client.Filter { return client.Filter("ModifiedDate ge " + t.Format(time.RFC3339)) }},
	{"'…'", func(t time.Time) client.Filter {
		return client.Filter("ModifiedDate ge '" + t.Format(time.RFC3339) + "'")
	}},
}

type filterForm struct {
	name  string
	write func(t time.Time) client.Filter
}

// hasModified reports whether list records of a kind tell when they were
// changed, so that the answer to a filter by that date can be checked.
func hasModified(kind archive.Kind) bool {
	return kind == archive.Article || kind == archive.Gallery || kind == archive.Video
}

// changes reads what has changed since the last run, by a filter on the date
// of modification. It reports whether the filter works: each time the answer
// must hold a record that is known to match, and none that does not.
func (s *syncer) changes(ctx context.Context, l listing, st *standing) (bool, error) {
	if !hasModified(l.kind) || st.Complete.IsZero() || st.Head > 0 || (st.Swamped && st.Open) || (st.Filter == noFilter && s.now().Sub(st.Tried) < filterAgain) {
		return false, nil
	}
	since, err := s.since(ctx, l, st)
	if err != nil {
		return false, err
	}
	known, err := s.archive.ModifiedSince(ctx, l.kind, since)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errArchive, err)
	}
	if len(known) == 0 {
		return false, nil
	}
	if st.Filter == "" && s.source.before(dateFilter) == noFilter {
		return false, s.unfiltered(ctx, l, st)
	}
	for _, form := range s.forms(st) {
		verdict, err := s.readChanges(ctx, l, st, form.write(since), since, known)
		switch {
		case err != nil:
			return false, err
		case verdict == unclear || verdict == endless:
			return false, nil
		case verdict == honoured:
			st.Filter = form.name
			s.sawFilter(l, form.name)
			return true, s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
		}
		if verdict == ignored { // in every form, then
			break
		}
	}
	s.sawFilter(l, noFilter)
	return false, s.unfiltered(ctx, l, st)
}

// since returns from when on changes are asked for: what changed before was seen
// by the last run, or by the pass before the first use of a filter. It is far
// enough back for some records that are known to match.
func (s *syncer) since(ctx context.Context, l listing, st *standing) (time.Time, error) {
	latest, err := s.archive.LatestModified(ctx, l.kind, filterKnown, s.now())
	if err != nil {
		return latest, fmt.Errorf("%w: %w", errArchive, err)
	}
	seen := st.Cursor
	if seen.IsZero() {
		seen = st.Complete
	}
	since := seen.Add(-filterOverlap)
	if !latest.IsZero() && latest.Before(since) {
		since = latest
	}
	return since.UTC().Truncate(time.Second), nil
}

// forms returns the forms of a filter that are worth a request: the one that
// works, or all, and first the one that works elsewhere.
func (s *syncer) forms(st *standing) []filterForm {
	if i := formNamed(st.Filter); i >= 0 {
		return filterForms[i : i+1]
	}
	forms := slices.Clone(filterForms)
	if i := formNamed(s.source.before(dateFilter)); i > 0 {
		forms = slices.Insert(slices.Delete(forms, i, i+1), 0, filterForms[i])
	}
	return forms
}

func formNamed(name string) int {
	return slices.IndexFunc(filterForms, func(f filterForm) bool { return f.name == name })
}

// unfiltered does without a filter for a while.
func (s *syncer) unfiltered(ctx context.Context, l listing, st *standing) error {
	st.Filter, st.Tried = noFilter, s.now().UTC()
	return s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// sawFilter notes what a list shows of filters. That of articles, which every
// source has, stands for all.
func (s *syncer) sawFilter(l listing, form string) {
	if l.kind == archive.Article {
		s.source.see(dateFilter, form)
	}
}

// verdict is what an answer says of a filter.
type verdict int

const (
	refused  verdict = iota // an error, or nothing at all: another form may work
	unclear                 // no answer, or one of a source in trouble
	ignored                 // records that do not match
	honoured                // what matches, and nothing else
	endless                 // what matches so far, and more of it than is worth it
)

// mostChanges is how many pages of changes are taken. If there are more, a pass
// over the whole list is the better way.
const mostChanges = 40

// readChanges reads the answer to a filter, page by page. known are the ids of
// records that match: one must be in the answer. Nothing is kept before the
// whole answer has proved right: part of it would pass for the head of the list.
func (s *syncer) readChanges(ctx context.Context, l listing, st *standing, filter client.Filter, since time.Time, known map[string]bool) (verdict, error) {
	var batches []client.Batch
	found := false
	w := walk{size: s.PageSize, full: min(st.Page, s.PageSize), uneven: st.Uneven}
	for !w.end {
		if len(batches) == mostChanges {
			return endless, s.swamp(ctx, l, st, batches[0].Date)
		}
		batch, err := l.fetch(ctx, client.Query{Top: s.PageSize, Skip: w.skip, Filter: filter})
		if err != nil {
			err = s.judge(ctx, err)
			if spent(err) && len(batches) > 0 {
				return refused, errors.Join(err, s.swamp(ctx, l, st, batches[0].Date)) // so much is not for a budget like this
			}
			switch status := statusOf(err); {
			case fatal(err) || spent(err):
				return refused, err
			case status == 0 || status > http.StatusInternalServerError:
				return unclear, nil
			}
			return refused, nil
		}
		answer, holds, matches := compare(batch, since, known, &w)
		if !matches {
			return ignored, nil
		}
		// A form that has proved right before may show what has replaced all that is known.
		found = found || holds || (st.Filter != noFilter && st.Filter != "" && answer.received > 0)
		batches = append(batches, batch)
		if w.step(answer) && answer.received < w.full && !w.uneven {
			break
		}
	}
	if !found {
		return refused, nil
	}
	return honoured, s.keepChanges(ctx, l, st, batches)
}

// swamp turns to the list, since more has changed than a filter is worth: to
// its head now, and to all of it as the budget allows. After that the filter is
// asked for what changed from now on, by the source's clock.
func (s *syncer) swamp(ctx context.Context, l listing, st *standing, now time.Time) error {
	if st.Swamped = true; !st.Open {
		st.open(s.now())
	}
	st.Cursor = time.Time{}
	st.advance(now, s.now())
	st.Cursor = st.Cursor.Add(filterOverlap)
	return s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// keepChanges commits an answer that has proved right.
func (s *syncer) keepChanges(ctx context.Context, l listing, st *standing, batches []client.Batch) error {
	var sum page
	err := s.update(ctx, func(tx *archive.Tx) error {
		for _, batch := range batches {
			p, err := l.store(tx, batch, st.Pass)
			if err != nil {
				return err
			}
			sum.added, sum.changed, sum.same = sum.added+p.added, sum.changed+p.changed, sum.same+p.same
		}
		st.advance(batches[0].Date, s.now())
		st.Skip += sum.added
		return st.save(tx, l)
	})
	if err != nil {
		return err
	}
	s.count(l.kind, sum.added, sum.changed, sum.same)
	return nil
}

// advance moves the cursor to the date of an answer, by the clock here if it has
// none. One that a swamped filter has set ahead stays until then.
func (st *standing) advance(date, now time.Time) {
	if date.IsZero() {
		date = now
	}
	if ahead := st.Cursor.Sub(date); ahead <= 0 || ahead > filterOverlap {
		st.Cursor = date.UTC()
	}
}

// compare holds a page of an answer against what was asked for: what it is to the
// walk over the answer, whether a known record is on it, and whether each record
// was changed since then.
func compare(batch client.Batch, since time.Time, known map[string]bool, w *walk) (p page, holds, matches bool) {
	p.received = len(batch.Records) + batch.Skipped
	for _, raw := range batch.Records {
		var r client.Article
		if err := json.Unmarshal(raw, &r); err != nil {
			continue
		}
		if changed := r.ModifiedDate; !changed.IsZero() && !changed.Floating && changed.Before(since) {
			return p, false, false
		}
		holds = holds || known[r.ID]
		if !w.read.has(r.ID) {
			p.unseen++
		}
		p.ids = append(p.ids, r.ID)
	}
	return p, holds, true
}
