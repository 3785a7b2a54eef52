package fetch

import (
	"context"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// sideBySide calls do for up to size items at once, in their order, with Concurrency calls
// at a time, until an error or until goOn returns false.
func sideBySide[T any](ctx context.Context, s *syncer, stage Stage, items []T, size int, goOn func() bool, do func(context.Context, []T) error) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	var done atomic.Int64
	for some := range slices.Chunk(items, max(1, size)) {
		if inner.Err() != nil || !goOn() {
			break
		}
		group.Go(func() error {
			if !goOn() {
				return nil
			}
			err := do(inner, some)
			s.progress(stage, int(done.Add(int64(len(some)))), len(items))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
