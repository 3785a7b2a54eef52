package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sync/semaphore"

	"ayna/durable"
)

// A picture that exceeds these limits is not decoded, and has no smaller sizes.
const (
	maxBytes  = 15 << 20
	maxPixels = 50_000_000
	maxScans  = 100 // of a JPEG: each costs few bytes, but the time of a whole picture
)

// maxMemory bounds the memory of all pictures that a resizer works on at the same
// time. A picture that needs more than that alone has no smaller sizes.
const maxMemory = 320 << 20

// The memory of a picture that takes more than muchMemory is collected at once.
const muchMemory = 64 << 20

// interlaceMethod is the place of that byte in a PNG (PNG, section 11.2.1).
const interlaceMethod = 28

// maxScratch bounds the scratch memory of the better scaler, in pixels of
// scratchBytes each.
const (
	maxScratch   = 2 << 20
	scratchBytes = 32
)

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
// another. It is safe for concurrent use, and bounds the memory that this takes.
type Resizer struct {
	from, to string
	memory   *semaphore.Weighted
}

// NewResizer returns a resizer, and creates the folder for the sizes.
func NewResizer(from, to string) (*Resizer, error) {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return nil, fmt.Errorf("folder of smaller pictures: %w", err)
	}
	return &Resizer{from, to, semaphore.NewWeighted(maxMemory)}, nil
}

// Result is the result of [Resizer.Make].
type Result struct {
	Made    int    // files that were made now
	Skipped []Size // sizes that cannot be made, or would have more bytes than the picture
}

// Make makes the sizes of a picture that are missing. sizes are in ascending
// order, as [Sizes] returns them. A file .none marks a size that cannot be made, so it is
// not tried again. If the picture itself is lost, nothing is made.
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

// existing returns the result of sizes that are all made or marked, or [fs.ErrNotExist].
func (r *Resizer) existing(sizes []Size) (made Result, err error) {
	for _, size := range sizes {
		name := filepath.Join(r.to, size.Name)
		if err := hasBytes(name); err == nil {
			continue
		}
		if err := hasBytes(name + none); err != nil {
			return Result{}, err
		}
		made.Skipped = append(made.Skipped, size)
	}
	return made, nil
}

// none ends the name of a file that marks a size.
const none = ".none"

var noneText = []byte("No smaller version of this width is made of the picture.\n")

// hasBytes returns [fs.ErrNotExist] for what is not a regular file, and for an empty one: a
// power cut may leave it.
func hasBytes(name string) error {
	info, err := os.Lstat(name)
	if err == nil && (!info.Mode().IsRegular() || info.Size() == 0) {
		err = fs.ErrNotExist
	}
	return err
}

// read reads at most one byte more than maxBytes.
func (r *Resizer) read(name string) ([]byte, error) {
	f, err := Open(filepath.Join(r.from, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err == nil && len(content) == 0 { // of a power cut
		err = fs.ErrNotExist
	}
	return content, err
}

func (r *Resizer) make(ctx context.Context, content []byte, sizes []Size) (made Result, err error) {
	var files map[int][]byte
	if memory := memoryOf(content, sizes[len(sizes)-1].Width); memory > 0 && memory <= maxMemory {
		if err := r.memory.Acquire(ctx, memory); err != nil {
			return Result{}, err
		}
		defer r.memory.Release(memory)
		if files, err = resize(ctx, content, sizes); err != nil {
			return Result{}, err
		}
		if memory > muchMemory {
			runtime.GC() // before the next one begins
		}
	}
	for _, size := range sizes {
		file, name := files[size.Width], filepath.Join(r.to, size.Name)
		if len(file) == 0 {
			file, name = noneText, name+none
			made.Skipped = append(made.Skipped, size)
		}
		if err := durable.WriteFile(name, file); err != nil {
			return Result{}, err
		}
		made.Made++
	}
	return made, nil
}

// memoryOf checks a picture's header against the limits, and returns how many bytes
// of memory resizing it takes at most, with widest as the largest width; 0 if it must
// not be decoded.
func memoryOf(content []byte, widest int) int64 {
	if len(content) > maxBytes {
		return 0
	}
	head, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil || head.Width <= 0 || head.Height <= 0 || head.Width > maxPixels/head.Height {
		return 0
	}
	perPixel := int64(0)
	switch format {
	case "jpeg":
		if bytes.Count(content, []byte{0xff, 0xda}) > maxScans {
			return 0
		}
		coefficients := int64(12) // of four bytes, for three components
		perPixel = 3
		if head.ColorModel == color.CMYKModel || head.ColorModel == color.RGBAModel { // it is converted
			perPixel, coefficients = 8, 16
		}
		if bytes.Contains(content, []byte{0xff, 0xc2}) { // progressive: all of them before the first pixel
			perPixel += coefficients
		}
	case "png": // an animated one has acTL before its first picture
		if before, _, _ := bytes.Cut(content, []byte("IDAT")); bytes.Contains(before, []byte("acTL")) {
			return 0
		}
		perPixel = 4
		if head.ColorModel == color.RGBA64Model || head.ColorModel == color.NRGBA64Model {
			perPixel = 8
		}
		if content[interlaceMethod] != 0 { // it is decoded in parts
			perPixel *= 2
		}
	case "webp":
		perPixel = 8
	}
	const halved = 1 // a quarter of the pixels, of four bytes
	pixels := int64(head.Width) * int64(head.Height)
	scratch := min(int64(widest)*int64(max(head.Width, head.Height)), maxScratch) * scratchBytes
	return pixels*(perPixel+halved) + scratch
}
