package sync

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"ayna/archive"
	"ayna/client"
)

const (
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

// filtered asks for a page of the answer to a filter. If there is none, it says what
// that means for the filter, or returns an error that ends the reading.
func (s *syncer) filtered(ctx context.Context, l listing, filter client.Filter, skip int) (client.Batch, verdict, error) {
	batch, err := l.fetch(ctx, client.Query{Top: s.PageSize, Skip: skip, Filter: filter})
	if err == nil {
		return batch, honoured, nil
	}
	err = s.judge(ctx, err)
	switch status := statusOf(err); {
	case fatal(err) || spent(err):
		return batch, refused, err
	case status == 0 || status > http.StatusInternalServerError:
		return batch, unclear, nil
	}
	return batch, refused, nil
}

// try asks for little before a filter that has not proved right is asked for
// much: one that is ignored would answer with page after page of what matches.
func (s *syncer) try(ctx context.Context, l listing, form filterForm, latest time.Time) (verdict, error) {
	batch, verdict, err := s.filtered(ctx, l, form.write(latest), 0)
	if verdict != honoured || err != nil {
		return verdict, err
	}
	switch answer, _, matches := compare(batch, latest, nil, new(walk)); {
	case !matches:
		return ignored, nil
	case answer.received == 0:
		return refused, nil
	}
	return honoured, nil
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
