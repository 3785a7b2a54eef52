package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
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

// maxMemory bounds the memory of all pictures that a resizer works on at the same
// time. A picture that needs more than that alone has no smaller sizes.
const maxMemory = 320 << 20

// The memory of a picture that takes more than muchMemory is collected at once.
const muchMemory = 64 << 20

// jpegQuality is the quality of smaller JPEGs, of 100.
const jpegQuality = 75

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
		info, err := os.Lstat(filepath.Join(r.to, size.Name))
		if err != nil {
			return Result{}, err
		}
		if !info.Mode().IsRegular() {
			return Result{}, fs.ErrNotExist // it is replaced
		}
		if info.Size() == 0 {
			made.Skipped = append(made.Skipped, size)
		}
	}
	return made, nil
}

// read reads at most one byte more than maxBytes.
func (r *Resizer) read(name string) ([]byte, error) {
	f, err := Open(filepath.Join(r.from, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
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

// WriteFile writes a file atomically, with a temporary file beside it. A power cut leaves
// none that is empty: that would count as a size that cannot be made.
func WriteFile(path string, content []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".tmp-")
	if err != nil {
		return err
	}
	_, err = temp.Write(content)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err == nil {
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
	switch format {
	case "jpeg":
		o = orientationOf(bytes.NewReader(content))
	case "webp":
		expand(m)
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

// Shrink returns a picture at most so many pixels wide, as a JPEG, or as a PNG if one can
// see through it, and the extension of its file. Of an animation the first picture remains.
func Shrink(content []byte, width int) (small []byte, extension string, err error) {
	if memory := memoryOf(content, width); memory == 0 || memory > muchMemory {
		return nil, "", errors.New("too large, animated or no picture")
	}
	m, format, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, "", err
	}
	o := upright
	switch format {
	case "jpeg":
		o = orientationOf(bytes.NewReader(content))
	case "webp":
		expand(m)
	}
	shown := o.size(m.Bounds().Size())
	width = min(width, shown.X)
	target := image.Pt(width, max(1, (shown.Y*width+shown.X/2)/shown.X))
	extension = ".png"
	if isOpaque(m) {
		extension = ".jpg"
	}
	small, err = encode(o.turn(scale(m, o.size(target))), extension)
	return small, extension, err
}

// expand converts the samples of a lossy WebP to the full range of [color.YCbCr]. The
// decoder leaves them as they are stored: 16 to 235, and 16 to 240 for colours (RFC 6386,
// section 9.2; ITU-R BT.601).
func expand(m image.Image) {
	planes := image.YCbCr{}
	switch m := m.(type) {
	case *image.YCbCr:
		planes = *m
	case *image.NYCbCrA:
		planes = m.YCbCr
	}
	stretch := func(samples []uint8, black, scale, middle int) {
		var table [256]uint8
		for i := range table {
			table[i] = uint8(min(max((i-black)*255/scale+middle, 0), 255))
		}
		for i, sample := range samples {
			samples[i] = table[sample]
		}
	}
	stretch(planes.Y, 16, 219, 0)
	stretch(planes.Cb, 128, 224, 128)
	stretch(planes.Cr, 128, 224, 128)
}

func isOpaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// scale first halves a picture while it is more than twice the size: that is fast and
// needs no scratch memory.
func scale(m image.Image, to image.Point) *image.RGBA {
	size := m.Bounds().Size()
	for size.X > 2*to.X && size.Y > 2*to.Y {
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
