package generator

import (
	"context"

	"ayna/archive"
)

// KeepForTest keeps a run that ends with an error.
func KeepForTest(ctx context.Context, o Options, a *archive.Archive, failure error) error {
	end, err := beginRun(ctx, o, a, &Report{Started: o.now()})
	if err != nil {
		return err
	}
	return end(failure)
}

// KillForTest keeps a run that never ends.
func KillForTest(ctx context.Context, o Options, a *archive.Archive) {
	_, _ = beginRun(ctx, o, a, &Report{Started: o.now()})
}
