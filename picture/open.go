package picture

import (
	"fmt"
	"io/fs"
	"os"
)

// Open opens the file of a picture. What a build did not write is missing ([fs.ErrNotExist]):
// a link may lead out of the archive, and a pipe would hold the build for good.
func Open(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: %w", name, fs.ErrNotExist)
	}
	return os.Open(name)
}
