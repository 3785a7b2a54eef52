package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/semaphore"
)

// Limits of what is decoded. What exceeds them has no smaller sizes.
const (
	maxBytes  = 15 << 20
	maxPixels = 50_000_000
	maxScans  = 100 // of a JPEG: each costs few bytes, and the time of a whole picture
)

// Resizer makes smaller pictures of those in one folder and puts them into
// another. It may be used from many goroutines: the pictures that it has
// decoded at a time have no more pixels than one may have.
type Resizer struct {
	from, to string
	pixels   *semaphore.Weighted
}

// NewResizer returns a resizer from a folder of mirrored pictures to one of
// sizes, which it makes.
func NewResizer(from, to string) (*Resizer, error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, fmt.Errorf("folder of smaller pictures: %w", err)
	}
	return &Resizer{from, to, semaphore.NewWeighted(maxPixels)}, nil
}

// Made says what became of the sizes of a picture.
type Made struct {
	New  int    // files that were made now
	None []Size // sizes that there are not: the picture cannot or should not be made smaller
}

// Make sees to it that the sizes of a picture are there, in ascending order as
// [Sizes] returns them. An empty file stands for a size that there is not, so
// that it is not tried again. If the picture itself is lost, nothing is made.
func (r *Resizer) Make(ctx context.Context, name string, sizes []Size) (Made, error) {
	made, err := r.look(sizes)
	if !errors.Is(err, fs.ErrNotExist) {
		return made, err
	}
	content, err := r.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Made{}, nil
	}
	if err == nil {
		made, err = r.make(ctx, content, sizes)
	}
	if err != nil {
		return Made{}, fmt.Errorf("smaller sizes of picture %s: %w", name, err)
	}
	return made, nil
}

// look finds which sizes are none. It fails if any has not been made.
func (r *Resizer) look(sizes []Size) (made Made, err error) {
	for _, size := range sizes {
		info, err := os.Stat(filepath.Join(r.to, size.Name))
		if err != nil {
			return Made{}, err
		}
		if info.Size() == 0 {
			made.None = append(made.None, size)
		}
	}
	return made, nil
}

// read reads a picture; one that is too long is cut, and over the limit.
func (r *Resizer) read(name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(r.from, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

func (r *Resizer) make(ctx context.Context, content []byte, sizes []Size) (made Made, err error) {
	files := make(map[int][]byte, len(sizes))
	if pixels, ok := mayDecode(content); ok {
		if err := r.pixels.Acquire(ctx, int64(pixels)); err != nil {
			return Made{}, err
		}
		defer r.pixels.Release(int64(pixels))
		if files, err = resize(ctx, content, sizes); err != nil {
			return Made{}, err
		}
	}
	for _, size := range sizes {
		file := files[size.Width]
		if len(file) == 0 {
			made.None = append(made.None, size)
		}
		if err := Keep(filepath.Join(r.to, size.Name), file); err != nil {
			return Made{}, err
		}
		made.New++
	}
	return made, nil
}

// mayDecode looks at a picture's header, and returns how many pixels it has.
func mayDecode(content []byte) (pixels int, ok bool) {
	if len(content) > maxBytes {
		return 0, false
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || head.Width <= 0 || head.Height <= 0 || head.Width > maxPixels/head.Height {
		return 0, false
	}
	switch format {
	case "jpeg":
		ok = bytes.Count(content, []byte{0xff, 0xda}) <= maxScans
	case "png": // one that moves says so before its first picture
		before, _, _ := bytes.Cut(content, []byte("IDAT"))
		ok = !bytes.Contains(before, []byte("acTL"))
	case "webp":
		ok = true
	}
	return head.Width * head.Height, ok
}

// Keep writes a file in one step, so that none is ever seen half.
func Keep(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".tmp-")
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
