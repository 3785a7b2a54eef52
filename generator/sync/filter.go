package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/client"
)

const (
	// filterOverlap is how far before the last run changes are asked for: it
	// covers clocks that differ and the hour that summer time repeats.
	filterOverlap = 2 * time.Hour
	// filterAgain is when a filter that did not work is tried again.
	filterAgain = 30 * 24 * time.Hour
	// noFilter stands for a filter in no form that the source understands.
	noFilter = "none"
)

// filterForms are the ways to write a date in $filter, the likeliest first. The
// API document shows none.
var filterForms = []struct {
	name  string
	write func(t time.Time) client.Filter
}{
	{"Datetime'…'", func(t time.Time) client.Filter { return client.Since("ModifiedDate", t) }},
	{"datetimeoffset'…'", func(t time.Time) client.Filter {
		return client.Filter("ModifiedDate ge datetimeoffset'" + t.Format(time.RFC3339) + "'")
	}},
	{"bare", func(t time.Time) client.Filter { return client.Filter("ModifiedDate ge " + t.Format(time.RFC3339)) }},
	{"'…'", func(t time.Time) client.Filter {
		return client.Filter("ModifiedDate ge '" + t.Format(time.RFC3339) + "'")
	}},
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
	if !hasModified(l.kind) || st.Complete.IsZero() || st.Head > 0 || (st.Filter == noFilter && s.now().Sub(st.Tried) < filterAgain) {
		return false, nil
	}
	newest, id, err := s.archive.LastModified(ctx, l.kind)
	if err != nil {
		return false, fmt.Errorf("%w: %w", errArchive, err)
	}
	if id == "" {
		return false, nil
	}
	since := newest
	if cursor := st.Cursor.Add(-filterOverlap); !st.Cursor.IsZero() && cursor.Before(since) {
		since = cursor
	}
	since = since.UTC().Truncate(time.Second)
	for _, form := range filterForms {
		if st.Filter != "" && st.Filter != noFilter && st.Filter != form.name {
			continue
		}
		verdict, err := s.readChanges(ctx, l, st, form.write(since), since, id)
		switch {
		case err != nil:
			return false, err
		case verdict == honoured:
			st.Filter = form.name
			return true, s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
		}
		if verdict == ignored { // in every form, then
			break
		}
	}
	st.Filter, st.Tried = noFilter, s.now().UTC()
	return false, s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// verdict is what an answer says of a filter.
type verdict int

const (
	refused  verdict = iota // an error, or nothing at all: another form may work
	ignored                 // records that do not match
	honoured                // what matches, and nothing else
)

// mostChanges is how many pages of changes are taken. A source that has more
// is listed instead.
const mostChanges = 40

// readChanges reads the answer to a filter, page by page. known is the id of a
// record that matches: it must be in the answer. Nothing is kept before the
// whole answer has proved right: part of it would pass for the head of the list.
func (s *syncer) readChanges(ctx context.Context, l listing, st *standing, filter client.Filter, since time.Time, known string) (verdict, error) {
	var batches []client.Batch
	found, ids := false, make(map[string]bool)
	for skip := 0; len(batches) < mostChanges; {
		batch, err := l.fetch(ctx, client.Query{Top: s.PageSize, Skip: skip, Filter: filter})
		if err != nil {
			err = s.judge(ctx, err)
			if spent(err) && len(batches) > 0 {
				// So much at once is not for a budget like this. The head of the
				// list can be read in parts: that is for the next run.
				st.begin()
				st.Head = 1
				return refused, errors.Join(err, s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) }))
			}
			if fatal(err) || spent(err) {
				return refused, err
			}
			return refused, nil
		}
		holds, matches, fresh := compare(batch, since, known, ids)
		if !matches {
			return ignored, nil
		}
		found = found || holds
		batches = append(batches, batch)
		received := len(batch.Records) + batch.Skipped
		if fresh == 0 || received < st.Page {
			if !found {
				return refused, nil
			}
			return honoured, s.keepChanges(ctx, l, st, batches)
		}
		skip += received
	}
	return refused, nil
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
		if st.Cursor = batches[0].Date.UTC(); batches[0].Date.IsZero() {
			st.Cursor = s.now().UTC()
		}
		st.Skip += sum.added
		return st.save(tx, l)
	})
	if err != nil {
		return err
	}
	s.count(l.kind, sum.added, sum.changed, sum.same)
	return nil
}

// compare holds a page of an answer against what was asked for: whether the
// known record is on it, whether each record was changed since then, and how
// many of them are not among ids yet, to which they are added.
func compare(batch client.Batch, since time.Time, known string, ids map[string]bool) (holds, matches bool, fresh int) {
	for _, raw := range batch.Records {
		var r client.Article
		if err := json.Unmarshal(raw, &r); err != nil {
			continue
		}
		if changed := r.ModifiedDate; !changed.IsZero() && !changed.Floating && changed.Before(since) {
			return false, false, 0
		}
		holds = holds || r.ID == known
		if !ids[r.ID] {
			ids[r.ID] = true
			fresh++
		}
	}
	return holds, true, fresh
}
