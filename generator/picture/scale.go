package picture

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"path"
	"slices"

	"golang.org/x/image/draw"
)

// quality is that of a JPEG, of 100.
const quality = 80

// maxScratch bounds what the better scaler needs beside the two pictures, 32
// bytes each.
const maxScratch = 8 << 20

// resize returns the files of a picture's sizes by their widths. Those are left
// out that would be larger than the picture, in pixels or in bytes; so are all
// of a picture that cannot be decoded, or that a JPEG cannot show. Metadata is
// not taken over.
func resize(ctx context.Context, content []byte, sizes []Size) (map[int][]byte, error) {
	files := make(map[int][]byte, len(sizes))
	whole, format, err := image.Decode(bytes.NewReader(content))
	if err != nil || format == "webp" && !opaque(whole) {
		return files, nil
	}
	way := upright
	if format == "jpeg" {
		way = orientationOf(bytes.NewReader(content))
	}
	shown := way.size(whole.Bounds().Size())
	for _, size := range slices.Backward(sizes) { // each of the one above
		if size.Width >= shown.X {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		target := image.Pt(size.Width, max(1, (shown.Y*size.Width+shown.X/2)/shown.X))
		small := scale(whole, way.size(target))
		whole = small
		file, err := encode(way.turn(small), path.Ext(size.Name))
		if err != nil {
			return nil, err
		}
		if len(file) < len(content) {
			files[size.Width] = file
		}
	}
	return files, nil
}

func opaque(m image.Image) bool {
	o, ok := m.(interface{ Opaque() bool })
	return ok && o.Opaque()
}

// scale makes a picture smaller. It is halved first as often as that leaves it
// twice the size, which is quick and needs no scratch space.
func scale(m image.Image, to image.Point) *image.RGBA {
	size := m.Bounds().Size()
	for size.X >= 4*to.X && size.Y >= 4*to.Y {
		size = size.Div(2)
		m = drawn(m, size, draw.ApproxBiLinear)
	}
	if to.X*size.Y > maxScratch {
		return drawn(m, to, draw.ApproxBiLinear)
	}
	return drawn(m, to, draw.CatmullRom)
}

func drawn(m image.Image, size image.Point, scaler draw.Scaler) *image.RGBA {
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
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	}
	return b.Bytes(), err
}
