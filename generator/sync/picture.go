package sync

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ayna/archive"
	"ayna/generator/picture"
)

// maxPixels bounds a picture that a reader's browser has to unpack.
const maxPixels = 100_000_000

// keepPicture stores a picture under the digest of its bytes. Its type is what
// its bytes say, whatever its address or its host say; what is no JPEG, PNG,
// GIF or WebP is refused.
func keepPicture(dir string, content []byte) (archive.Media, error) {
	shape, err := picture.ShapeOf(bytes.NewReader(content))
	if err != nil {
		return archive.Media{}, fmt.Errorf("the answer is %w", err)
	}
	if shape.Width <= 0 || shape.Height <= 0 || shape.Width > maxPixels/shape.Height {
		return archive.Media{}, fmt.Errorf("the picture has %d × %d pixels", shape.Width, shape.Height)
	}
	sum := sha256.Sum256(content)
	name := hex.EncodeToString(sum[:16]) + "." + extension(shape.Format)
	if err := keepFile(filepath.Join(dir, name), content); err != nil {
		return archive.Media{}, fmt.Errorf("%w: %w", errArchive, err)
	}
	return archive.Media{
		Name: name, Type: "image/" + shape.Format, Width: shape.Width, Height: shape.Height, Bytes: int64(len(content)),
	}, nil
}

func extension(format string) string {
	if format == "jpeg" {
		return "jpg"
	}
	return format
}

// keepFile writes a file in one step, unless it is there.
func keepFile(path string, content []byte) error {
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(content)) {
		return nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return picture.Keep(path, content)
}
