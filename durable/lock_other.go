//go:build !unix

package durable

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// maxTries is how often a small file is tried that another process writes.
const maxTries = 1000

// openLocked creates a file. Windows does not remove a file that a process has open.
func openLocked(name string, wait bool) (*os.File, error) {
	for tries := 0; ; tries++ {
		err := os.Remove(name)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
			if !errors.Is(err, fs.ErrExist) {
				return f, err
			}
		}
		if !wait || tries == maxTries {
			return nil, ErrLocked
		}
		time.Sleep(10 * time.Millisecond)
	}
}
