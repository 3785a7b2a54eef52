package archive

import (
	"context"
	"fmt"
)

// SetVersionForTest marks the archive as one of another schema version.
func (a *Archive) SetVersionForTest(version int) error {
	_, err := a.writer.ExecContext(context.Background(), fmt.Sprintf("PRAGMA user_version = %d", version))
	return err
}
