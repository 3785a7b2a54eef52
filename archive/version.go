package archive

import (
	"context"
	"fmt"
)

// Version returns a number that is another one after every change of the
// archive, by whichever process. It is of use only as long as the archive is
// open.
func (a *Archive) Version(ctx context.Context) (int64, error) {
	a.watching.Lock()
	defer a.watching.Unlock()
	if a.watcher == nil {
		c, err := a.readers.Conn(context.WithoutCancel(ctx))
		if err != nil {
			return 0, fmt.Errorf("watch the archive: %w", Explain(err))
		}
		a.watcher = c
	}
	version, err := a.engine.changes(ctx, a.watcher)
	if err != nil {
		return 0, fmt.Errorf("watch the archive: %w", Explain(err))
	}
	return version, nil
}
