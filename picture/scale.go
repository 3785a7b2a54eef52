package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"path"
	"slices"

	"golang.org/x/image/draw"
)

// jpegQuality is the quality of smaller JPEGs, of 100.
const jpegQuality = 75

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
	m, opaque, err := shrink(content, width)
	if err != nil {
		return nil, "", err
	}
	extension = ".png"
	if opaque {
		extension = ".jpg"
	}
	small, err = encode(m, extension)
	return small, extension, err
}

// PNG returns a picture at most so many pixels wide, as a PNG without metadata. Of an
// animation the first picture remains.
func PNG(content []byte, width int) ([]byte, error) {
	m, _, err := shrink(content, width)
	if err != nil {
		return nil, err
	}
	return encode(m, ".png")
}

// shrink decodes a picture and scales it to at most so many pixels of width.
func shrink(content []byte, width int) (small image.Image, opaque bool, err error) {
	if memory := memoryOf(content, width); memory == 0 || memory > muchMemory {
		return nil, false, errors.New("too large, animated or no picture")
	}
	m, format, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, false, err
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
	return o.turn(scale(m, o.size(target))), isOpaque(m), nil
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
