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
	// relistEvery is how long after a pass over a whole list the next one
	// begins. It finds what is gone, and edits that no date tells of.
	relistEvery = 24 * time.Hour
	// relistShare is the part of a run's requests that later passes may take:
	// one in so many.
	relistShare = 5
)

// standing is where the reading of a list stands. It is kept with every page,
// so a run that ends early, however it ends, is gone on with.
type standing struct {
	Pass     int       `json:"pass"`               // number of the latest pass over the whole list
	Open     bool      `json:"open,omitempty"`     // it has not come to the end
	Began    time.Time `json:"began,omitzero"`     // the latest pass
	Skip     int       `json:"skip,omitempty"`     // how far the open pass has come
	Head     int       `json:"head,omitempty"`     // how far the reading of new records has come that was cut short
	Complete time.Time `json:"complete,omitzero"`  // when the latest pass began that came to the end
	Withheld bool      `json:"withheld,omitempty"` // it found more missing than may go at once
	Page     int       `json:"page,omitempty"`     // most records seen on one page
	Filter   string    `json:"filter,omitempty"`   // form of a date filter that works, or noFilter
	Tried    time.Time `json:"tried,omitzero"`     // when no form worked
	Cursor   time.Time `json:"cursor,omitzero"`    // by the source's clock: changes before are known
}

func (s *syncer) standing(ctx context.Context, l listing) (standing, error) {
	var st standing
	text, err := s.archive.State(ctx, l.state)
	if err != nil {
		return st, fmt.Errorf("%w: %w", errArchive, err)
	}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &st); err != nil {
			return st, fmt.Errorf("%w: state %q: %w", errArchive, l.state, err)
		}
	}
	return st, nil
}

func (st standing) save(tx *archive.Tx, l listing) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return tx.SetState(l.state, string(text))
}

// read brings a list up to date: its head, until a whole page holds nothing
// new, and as much as is due of a pass over all of it. The first time that is
// everything.
func (s *syncer) read(ctx context.Context, l listing) error {
	st, err := s.standing(ctx, l)
	if err != nil {
		return err
	}
	if st.Pass > 0 && !s.Full {
		known, err := s.changes(ctx, l, &st)
		if err == nil && !known {
			err = s.head(ctx, l, &st)
		}
		if err != nil {
			return err
		}
	}
	if !st.Open && st.Withheld {
		if err := s.missing(ctx, l, &st); err != nil {
			return err
		}
	}
	due := l.kind != "" && s.now().Sub(st.Began) >= relistEvery
	if !st.Open && (st.Pass == 0 || s.Full || due) {
		st.Open, st.Began, st.Skip = true, s.now().UTC(), 0
		st.Pass++
	}
	if !st.Open {
		return nil
	}
	return s.pass(ctx, l, &st)
}

// fetchPage asks for one page of a list.
func (s *syncer) fetchPage(ctx context.Context, l listing, skip int) (client.Batch, error) {
	batch, err := call(ctx, s, func(ctx context.Context) (client.Batch, error) {
		return l.fetch(ctx, client.Query{Top: s.PageSize, Skip: skip})
	})
	if err == nil && batch.Skipped > len(batch.Records) {
		err = fmt.Errorf("most of a page are no records: %w", client.ErrShape)
	}
	if errors.Is(err, client.ErrShape) {
		err = fmt.Errorf("%w: %w", ErrShape, err)
	}
	if err != nil {
		return batch, fmt.Errorf("list %s from %d: %w", l.operation, skip, err)
	}
	return batch, nil
}

// head reads what was added at the top of a list since it was last read, until
// a whole page holds nothing new. What is new there has moved the place that an
// open pass has come to.
func (s *syncer) head(ctx context.Context, l listing, st *standing) error {
	reached := st.Head // by a run that was cut short: below it nothing is known
	for skip := 0; ; {
		batch, err := s.fetchPage(ctx, l, skip)
		if err != nil {
			return err
		}
		var p page
		end := false
		err = s.update(ctx, func(tx *archive.Tx) error {
			if p, err = l.store(tx, batch, st.Pass); err != nil {
				return err
			}
			st.Skip += p.added
			if reached > 0 {
				reached += p.added
			}
			news := p.added+p.changed > 0
			switch next := skip + p.received - overlapOf(p); {
			case p.received == 0, !news && reached == 0:
				end, st.Head = true, 0
			case !news:
				skip, reached = max(next, reached-overlapOf(p)), 0
			default:
				skip = max(next, skip+1)
				st.Head = max(skip, reached)
			}
			return st.save(tx, l)
		})
		if err != nil {
			return err
		}
		s.count(l.kind, p.added, p.changed, p.same)
		if end {
			return nil
		}
	}
}

// overlapOf is how many records of a page the next one repeats. They show that
// no removal meanwhile has moved a record from the next page to this one. Pages
// of very few records have none.
func overlapOf(p page) int { return min(2, p.received/10) }

// pass goes on with reading the whole list. Records may be added and removed
// meanwhile: a page must begin with a record that the pass has seen, else
// removals have opened a gap before it, and it is asked for again from further
// up.
func (s *syncer) pass(ctx context.Context, l listing, st *standing) error {
	w := walk{standing: st, size: s.PageSize}
	for !w.end {
		if !st.Complete.IsZero() && !s.Full && !s.mayRelist() {
			return nil
		}
		batch, err := s.fetchPage(ctx, l, st.Skip)
		if err != nil && st.Skip > 0 && s.isEnd(ctx, l, st.Skip, err) {
			batch, err = client.Batch{}, nil
		}
		if err != nil {
			return err
		}
		var p page
		err = s.update(ctx, func(tx *archive.Tx) error {
			if p, err = l.store(tx, batch, st.Pass); err != nil {
				return err
			}
			w.step(p)
			st.Page = max(st.Page, p.received)
			return st.save(tx, l)
		})
		if err != nil {
			return err
		}
		s.count(l.kind, p.added, p.changed, max(0, p.unseen-p.added-p.changed))
	}
	return s.complete(ctx, l, st, w)
}

// walk decides where a pass reads next.
type walk struct {
	*standing
	size    int  // records asked for in a page
	before  page // the page read last
	repeats int  // pages in a row that were the one before them, and brought nothing
	barren  int  // pages in a row that brought nothing
	back    int  // how far the last step back went
	records int  // that the pass has seen in this run
	end     bool
}

// step takes in the page at Skip, and moves Skip to the next.
func (w *walk) step(p page) {
	const patience = 1000 // pages that bring nothing, of a list that never ends
	w.records += p.unseen
	gap := w.Skip > 0 && p.received >= 10 && !p.joins
	if gap && w.back < 64*w.size {
		w.back = max(2*w.back, 4*overlapOf(p))
		w.Skip = max(0, w.Skip-w.back)
		w.before = page{}
		return
	}
	if p.unseen > 0 {
		w.barren, w.back = 0, 0
	} else {
		w.barren++
	}
	if p.unseen == 0 && slices.Equal(p.ids, w.before.ids) {
		w.repeats++
	} else {
		w.repeats = 0
	}
	tail := p.unseen == 0 && p.received > 0 && p.received <= overlapOf(w.before)
	w.end = p.received == 0 || tail || w.repeats > 1 || w.barren > patience
	w.Skip += max(1, p.received-overlapOf(p))
	w.before = p
}

// isEnd reports whether an error past the first page only says that there is
// no more: some services answer so, and say it again if asked again.
func (s *syncer) isEnd(ctx context.Context, l listing, skip int, err error) bool {
	status := statusOf(err)
	switch status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusInternalServerError:
	default:
		return false
	}
	_, again := s.fetchPage(ctx, l, skip)
	return statusOf(again) == status
}

func statusOf(err error) int {
	if e := (*client.Error)(nil); errors.As(err, &e) {
		return e.Status
	}
	return 0
}
