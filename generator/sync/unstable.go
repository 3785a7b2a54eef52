package sync

import (
	"context"
	"fmt"
)

// A list whose order changes between requests (replicas that sort differently, SQL
// without ORDER BY) shows some records twice in a pass and others not at all. Such
// a list is read again until [EnoughPasses] passes in a row have found nothing new.
// A record counts as missing only if none of these passes has seen it. A pass that
// shows a stable order, and nothing new, ends all that.
const (
	// EnoughPasses is how many passes in a row settle an unstable list.
	EnoughPasses = 3
	// mostPasses is how many passes over an unstable list a run makes at most. The
	// next run goes on.
	mostPasses = 12
)

// agree ends a pass: it agrees with the one before it if it has found nothing new.
func (st *standing) agree() {
	switch {
	case st.Brought:
		st.Agreed = nil
	case !st.Mixed:
		st.Unstable, st.Agreed = false, nil
	default:
		st.Agreed = append(st.Agreed, st.Pass)
		st.Agreed = st.Agreed[max(0, len(st.Agreed)-EnoughPasses):]
	}
}

// unsettled reports whether records of an unstable list may still be unknown.
func (st *standing) unsettled() bool { return st.Unstable && len(st.Agreed) < EnoughPasses }

// seenFrom returns the number of the first pass that counts: a record that it or a
// later pass has seen is not missing.
func (st *standing) seenFrom() int {
	if len(st.Agreed) > 0 {
		return st.Agreed[0]
	}
	return st.Pass
}

// passes goes on with the open pass over a list, and makes more of them while the
// list is unsettled and the limits allow it.
func (s *syncer) passes(ctx context.Context, l listing, st *standing) error {
	for range mostPasses {
		if !st.Open && st.unsettled() {
			st.open(s.now())
		}
		if !st.Open {
			return nil
		}
		if err := s.pass(ctx, l, st); err != nil || st.Open {
			return err
		}
	}
	return nil
}

// reportUnsettled reports a list of which records may be unknown, or kept aside.
func (s *syncer) reportUnsettled(l listing, st standing) {
	if err := st.endless(); err != nil {
		s.fail(Failure{Operation: l.operation}, err)
	}
	if st.unsettled() {
		s.fail(Failure{Operation: l.operation}, fmt.Errorf("the order of the list changes between requests, so records may be missing; "+
			"%d of %d passes in a row have found nothing new; later runs go on", len(st.Agreed), EnoughPasses))
	}
}
