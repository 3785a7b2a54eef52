package archive

import (
	"context"
	"fmt"
)

// Version returns a number that is another one after every change of the
// archive, by whichever process. It is of use only as long as the archive is
// open.
func (a *Archive) Version(ctx context.Context) (int64, error) {
	version, err := a.engine.changes(ctx, a.readers)
	if err != nil {
		return 0, fmt.Errorf("watch the archive: %w", Explain(err))
	}
	return version, nil
}

// Outdated reports whether an archive that is read where this process may not
// write has been written to by another one since it was opened. It is opened
// anew then: what it gives may be neither what was nor what is.
func (a *Archive) Outdated() bool { return a.engine.outdated() }
