package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// A record is gone from the source if a pass over the whole list did not see
// it, and its own address answers 404 or 410. More than goneAtOnce records of a
// kind, or a tenth of them if that is more, are not believed to be gone at once.
const goneAtOnce = 10

// complete ends a pass, and looks into what it did not see.
func (s *syncer) complete(ctx context.Context, l listing, st *standing, w walk) error {
	st.Open, st.Full, st.Skip, st.Complete, st.Ended, st.Swamped = false, false, 0, st.Began, s.now().UTC(), false
	if !st.Cursor.IsZero() && st.Began.After(st.Cursor) {
		st.Cursor = st.Began
	}
	st.agree()
	save := func(tx *archive.Tx) error { return st.save(tx, l) }
	if l.kind == "" {
		st.Size, st.Added = st.Size+st.Added, 0
		return s.update(ctx, save)
	}
	held, err := s.held(ctx, l.kind)
	if err != nil {
		return err
	}
	if st.Size, st.Added = held, 0; st.unsettled() {
		return s.update(ctx, save)
	}
	unseen, err := s.unseen(ctx, l.kind, st.seenFrom())
	if err != nil {
		return err
	}
	switch {
	case len(unseen) > 0 && len(unseen) == held:
		// Nothing at all is left: that is no list, whatever it looks like.
		s.fail(Failure{Kind: l.kind, Operation: l.operation}, fmt.Errorf("the list is suddenly empty: %d records are kept", held))
		return s.update(ctx, save)
	case len(unseen) > 0 && w.repeats > 1 && w.before.received >= s.PageSize:
		return fmt.Errorf("%w: %s shows the same page whatever $skip says, and %d records are known that are not on it", ErrShape, l.operation, len(unseen))
	}
	st.Missing = true
	if err := s.update(ctx, save); err != nil {
		return err
	}
	return s.missing(ctx, l, st)
}

// held returns the number of records of a kind that are not gone.
func (s *syncer) held(ctx context.Context, kind archive.Kind) (int, error) {
	n, err := s.archive.Held(ctx, kind)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errArchive, err)
	}
	return n, nil
}

// unseen returns the rows of the records that a pass did not see.
func (s *syncer) unseen(ctx context.Context, kind archive.Kind, pass int) (rows []int64, err error) {
	for w, err := range s.archive.Unseen(ctx, kind, pass) {
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errArchive, err)
		}
		rows = append(rows, w.Row)
	}
	return rows, nil
}

// missing asks for each record that the latest whole pass did not see, unless
// they are too many. What a budget leaves is for the next run: those that were
// asked for are gone by then, or count as seen.
func (s *syncer) missing(ctx context.Context, l listing, st *standing) error {
	unseen, err := s.unseen(ctx, l.kind, st.seenFrom())
	if err != nil {
		return err
	}
	held, err := s.held(ctx, l.kind)
	if err != nil {
		return err
	}
	if len(unseen) > max(goneAtOnce, held/10, s.AllowDelete) {
		s.withhold(l.kind, len(unseen))
		return nil
	}
	s.withhold(l.kind, 0)
	for _, row := range unseen {
		if err := s.prove(ctx, row, st.Pass); err != nil {
			return err
		}
	}
	st.Missing = false
	return s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) })
}

// prove asks for a record that the list does not show any more.
func (s *syncer) prove(ctx context.Context, row int64, pass int) error {
	w, err := s.archive.WantedAt(ctx, row)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	group := wire.Groups[w.Kind]
	raw, err := call(ctx, s, func(ctx context.Context) (json.RawMessage, error) {
		raw, err := s.client.Single(ctx, group, w.ID)
		return raw, s.knowUnknown(err)
	})
	err = s.refusedAgain(err)
	switch {
	case errors.Is(err, client.ErrNotFound):
		s.vanished(w.Kind)
		return s.update(ctx, func(tx *archive.Tx) error { return tx.Vanish(w.Kind, w.ID, s.now()) })
	case err == nil:
		// It is there: the list was moving, or does not show everything.
		if err = s.storeSingle(ctx, w, raw); err == nil || errors.Is(err, errOutdated) || errors.Is(err, errDoubted) {
			return s.update(ctx, func(tx *archive.Tx) error {
				_, err := tx.Trust(w.Row, archive.ListPart)
				return errors.Join(tx.See(w.Kind, w.ID, pass), err)
			})
		}
	}
	if fatal(err) || spent(err) {
		return err
	}
	s.fail(Failure{Kind: w.Kind, ID: w.ID, Operation: string(group)}, err)
	return nil
}

// errUnknown marks an answer that says no more than that the source does not
// know an id. Only 404 and 410 prove that a record is gone; but asking again
// would change nothing.
var errUnknown = errors.New("this is how the source answers for ids that it does not know, but no proof that the record is gone")

// knowUnknown looks at the answer for a record that no list shows any more.
func (s *syncer) knowUnknown(err error) error {
	answer := outcome(err)
	switch {
	case errors.Is(err, client.ErrNotFound):
		if s.source.known(unknownID) != "" && statusOf(err) == http.StatusNotFound {
			s.source.see(unknownID, answer)
		}
	case err != nil && answer != "" && answer == s.source.known(unknownID):
		s.source.see(unknownID, answer)
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
	return err
}
