package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/sync/semaphore"
)

// A picture that exceeds these limits is not decoded, and has no smaller sizes.
const (
	maxBytes  = 15 << 20
	maxPixels = 50_000_000
	maxScans  = 100 // of a JPEG: each costs few bytes, but the time of a whole picture
)

// jpegQuality is the quality of smaller JPEGs, of 100.
const jpegQuality = 80

// maxScratch bounds the memory of the better scaler: pixels of 32 bytes.
const maxScratch = 8 << 20

// Size is a smaller version of a mirrored picture.
type Size struct {
	Width int    // pixels, as shown
	Name  string // of its file
}

// Sizes returns the sizes to make of a mirrored picture: those widths that are
// smaller than its own. name is the picture's file, named by its digest. A GIF
// has no sizes, because it may be animated.
func Sizes(name string, width int, widths []int) []Size {
	stem, extension, _ := strings.Cut(name, ".")
	switch extension {
	case "jpg", "png":
	case "webp": // there is no encoder for it
		extension = "jpg"
	default:
		return nil
	}
	var sizes []Size
	for _, w := range widths {
		if w < width {
			sizes = append(sizes, Size{w, stem + "-" + strconv.Itoa(w) + "." + extension})
		}
	}
	return sizes
}

// Resizer makes the sizes of the pictures in one folder and stores them in
// another. It is safe for concurrent use, and bounds the number of pixels that
// are decoded at the same time.
type Resizer struct {
	from, to string
	pixels   *semaphore.Weighted
}

// NewResizer returns a resizer, and creates the folder for the sizes.
func NewResizer(from, to string) (*Resizer, error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, fmt.Errorf("folder of smaller pictures: %w", err)
	}
	return &Resizer{from, to, semaphore.NewWeighted(maxPixels)}, nil
}

// Result is the result of [Resizer.Make].
type Result struct {
	Made    int    // files that were made now
	Skipped []Size // sizes that cannot be made, or would have more bytes than the picture
}

// Make makes the sizes of a picture that are missing. sizes are in ascending
// order, as [Sizes] returns them. An empty file marks a size that cannot be
// made, so it is not tried again. If the picture itself is lost, nothing is made.
func (r *Resizer) Make(ctx context.Context, name string, sizes []Size) (Result, error) {
	made, err := r.existing(sizes)
	if !errors.Is(err, fs.ErrNotExist) {
		return made, err
	}
	content, err := r.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, nil
	}
	if err == nil {
		made, err = r.make(ctx, content, sizes)
	}
	if err != nil {
		return Result{}, fmt.Errorf("smaller sizes of picture %s: %w", name, err)
	}
	return made, nil
}

// existing returns the result of sizes that all exist, or [fs.ErrNotExist].
func (r *Resizer) existing(sizes []Size) (made Result, err error) {
	for _, size := range sizes {
		info, err := os.Stat(filepath.Join(r.to, size.Name))
		if err != nil {
			return Result{}, err
		}
		if info.Size() == 0 {
			made.Skipped = append(made.Skipped, size)
		}
	}
	return made, nil
}

// read reads at most one byte more than maxBytes.
func (r *Resizer) read(name string) ([]byte, error) {
	f, err := os.Open(filepath.Join(r.from, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

func (r *Resizer) make(ctx context.Context, content []byte, sizes []Size) (made Result, err error) {
	var files map[int][]byte
	if pixels, ok := mayDecode(content); ok {
		if err := r.pixels.Acquire(ctx, int64(pixels)); err != nil {
			return Result{}, err
		}
		defer r.pixels.Release(int64(pixels))
		if files, err = resize(ctx, content, sizes); err != nil {
			return Result{}, err
		}
	}
	for _, size := range sizes {
		file := files[size.Width]
		if len(file) == 0 {
			made.Skipped = append(made.Skipped, size)
		}
		if err := WriteFile(filepath.Join(r.to, size.Name), file); err != nil {
			return Result{}, err
		}
		made.Made++
	}
	return made, nil
}

// mayDecode checks a picture's header against the limits, and returns its number
// of pixels.
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
	case "png": // an animated one has acTL before its first picture
		before, _, _ := bytes.Cut(content, []byte("IDAT"))
		ok = !bytes.Contains(before, []byte("acTL"))
	case "webp":
		ok = true
	}
	return head.Width * head.Height, ok
}

// WriteFile writes a file atomically, with a temporary file beside it.
func WriteFile(path string, content []byte) error {
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

// resize returns the files of a picture's sizes by width, without metadata. It
// leaves out sizes with more pixels or bytes than the picture. It returns none
// for a picture that cannot be decoded, or that JPEG cannot show.
func resize(ctx context.Context, content []byte, sizes []Size) (map[int][]byte, error) {
	files := make(map[int][]byte, len(sizes))
	m, format, err := image.Decode(bytes.NewReader(content))
	if err != nil || format == "webp" && !isOpaque(m) {
		return files, nil
	}
	o := upright
	if format == "jpeg" {
		o = orientationOf(bytes.NewReader(content))
	}
	shown := o.size(m.Bounds().Size())
	for _, size := range slices.Backward(sizes) { // each is scaled from the larger one
		if size.Width >= shown.X {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		target := image.Pt(size.Width, max(1, (shown.Y*size.Width+shown.X/2)/shown.X))
		small := scale(m, o.size(target))
		m = small
		file, err := encode(o.turn(small), path.Ext(size.Name))
		if err != nil {
			return nil, err
		}
		if len(file) < len(content) {
			files[size.Width] = file
		}
	}
	return files, nil
}

func isOpaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// scale first halves a picture while it is at least four times the size: that is
// fast and needs no scratch memory.
func scale(m image.Image, to image.Point) *image.RGBA {
	size := m.Bounds().Size()
	for size.X >= 4*to.X && size.Y >= 4*to.Y {
		size = size.Div(2)
		m = scaleWith(draw.ApproxBiLinear, m, size)
	}
	if to.X*size.Y > maxScratch {
		return scaleWith(draw.ApproxBiLinear, m, to)
	}
	return scaleWith(draw.CatmullRom, m, to)
}

func scaleWith(scaler draw.Scaler, m image.Image, size image.Point) *image.RGBA {
	to := image.NewRGBA(image.Rectangle{Max: size})
	scaler.Scale(to, to.Rect, m, m.Bounds(), draw.Src, nil)
	return to
}

func encode(m image.Image, extension string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if extension == ".png" {
		err = png.Encode(&b, m)
	} else {
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: jpegQuality})
	}
	return b.Bytes(), err
}
