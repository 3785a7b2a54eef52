//go:build !linux

package output

import (
	"errors"
	"os"
)

// create makes a file that is not there.
func (to *folder) create(name string, content []byte, chmod bool) error {
	f, err := to.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && chmod {
		err = f.Chmod(0o644)
	}
	return errors.Join(err, f.Close())
}
