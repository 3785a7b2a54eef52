package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

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
	st.Open, st.Skip, st.Complete = false, 0, st.Began
	if !st.Cursor.IsZero() && st.Began.After(st.Cursor) {
		st.Cursor = st.Began
	}
	save := func(tx *archive.Tx) error { return st.save(tx, l) }
	if l.kind == "" {
		return s.update(ctx, save)
	}
	held, err := s.held(ctx, l.kind)
	if err != nil {
		return err
	}
	unseen, err := s.archive.Unseen(ctx, l.kind, st.Pass)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	switch {
	case len(unseen) > 0 && len(unseen) == held:
		// Nothing at all is left: that is no list, whatever it looks like.
		s.fail(Failure{Kind: l.kind, Operation: l.operation}, fmt.Errorf("the list is suddenly empty: %d records are kept", held))
	case len(unseen) > 0 && w.repeats > 1 && w.before.received >= s.PageSize:
		return fmt.Errorf("%w: %s shows the same page whatever $skip says, and %d records are known that are not on it", ErrShape, l.operation, len(unseen))
	}
	if err := s.update(ctx, save); err != nil || len(unseen) == held {
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

// missing asks for each record that the latest whole pass did not see, unless
// they are too many.
func (s *syncer) missing(ctx context.Context, l listing, st *standing) error {
	unseen, err := s.archive.Unseen(ctx, l.kind, st.Pass)
	if err != nil {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	held, err := s.held(ctx, l.kind)
	if err != nil {
		return err
	}
	st.Withheld = len(unseen) > max(goneAtOnce, held/10, s.AllowDelete)
	if err := s.update(ctx, func(tx *archive.Tx) error { return st.save(tx, l) }); err != nil {
		return err
	}
	if st.Withheld {
		s.withhold(l.kind, len(unseen))
		return nil
	}
	s.withhold(l.kind, 0)
	for _, w := range unseen {
		if err := s.prove(ctx, w, st.Pass); err != nil {
			return err
		}
	}
	return nil
}

// prove asks for a record that the list does not show any more.
func (s *syncer) prove(ctx context.Context, w archive.Wanted, pass int) error {
	group := wire.Groups[w.Kind]
	raw, err := call(ctx, s, func(ctx context.Context) (json.RawMessage, error) {
		return s.client.Single(ctx, group, w.ID)
	})
	switch {
	case errors.Is(err, client.ErrNotFound):
		s.vanished(w.Kind)
		return s.update(ctx, func(tx *archive.Tx) error { return tx.Vanish(w.Kind, w.ID, s.now()) })
	case err == nil:
		// It is there: the list was moving, or does not show everything.
		err = s.storeSingle(ctx, w, raw)
	}
	if err == nil || fatal(err) || spent(err) {
		return err
	}
	s.fail(Failure{Kind: w.Kind, ID: w.ID, Operation: string(group)}, err)
	return nil
}
