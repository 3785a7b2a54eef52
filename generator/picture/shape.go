package picture

import (
	"errors"
	"image"
	_ "image/gif"  // read a GIF
	_ "image/jpeg" // read a JPEG
	_ "image/png"  // read a PNG
	"io"

	_ "golang.org/x/image/webp" // read a WebP
)

// Shape is what the first bytes of a picture say of it.
type Shape struct {
	Format        string // "jpeg", "png", "gif" or "webp"
	Width, Height int    // pixels, as shown: a JPEG may be turned by its Exif orientation
}

// ShapeOf reads the shape of a picture from its beginning, whatever its address
// or its host say of it.
func ShapeOf(r io.ReadSeeker) (Shape, error) {
	stored, format, err := image.DecodeConfig(r)
	if err != nil {
		return Shape{}, errors.New("no JPEG, PNG, GIF or WebP picture")
	}
	way := upright
	if format == "jpeg" {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return Shape{}, err
		}
		way = orientationOf(r)
	}
	shown := way.size(image.Pt(stored.Width, stored.Height))
	return Shape{format, shown.X, shown.Y}, nil
}
