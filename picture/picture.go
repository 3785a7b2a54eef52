// Package picture reads the format and size of pictures ([ReadInfo]), and makes smaller
// versions of mirrored pictures for small screens ([Resizer]). It reads the originals
// from one folder and writes each smaller version once into another, named by the
// original's digest and its own width. Begin with resize.go.
package picture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif"  // read a GIF
	_ "image/jpeg" // read a JPEG
	_ "image/png"  // read a PNG
	"io"

	_ "golang.org/x/image/webp" // read a WebP
)

// Info is the format and size of a picture.
type Info struct {
	Format        string // "jpeg", "png", "gif" or "webp"
	Width, Height int    // pixels, as shown: the Exif orientation may turn a JPEG
}

// ReadInfo reads the format and size of a picture from its first bytes. It trusts neither
// file names nor content types.
func ReadInfo(r io.ReadSeeker) (Info, error) {
	stored, format, err := image.DecodeConfig(r)
	if err != nil {
		return Info{}, errors.New("no JPEG, PNG, GIF or WebP picture")
	}
	o := upright
	if format == "jpeg" {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return Info{}, err
		}
		o = orientationOf(r)
	}
	shown := o.size(image.Pt(stored.Width, stored.Height))
	return Info{format, shown.X, shown.Y}, nil
}

// orientation is the Exif tag of that name: how the stored rows and columns are
// shown (TIFF 6.0, section 8; Exif 2.32, section 4.6.4).
type orientation uint16

// upright pictures are shown as they are stored.
const upright orientation = 1

// size converts a stored size to the size as shown, and back.
func (o orientation) size(stored image.Point) image.Point {
	if o >= 5 {
		return image.Pt(stored.Y, stored.X)
	}
	return stored
}

// turn returns a stored picture as it is shown.
func (o orientation) turn(m *image.RGBA) *image.RGBA {
	if o == upright {
		return m
	}
	right, bottom := m.Rect.Dx()-1, m.Rect.Dy()-1
	turned := image.NewRGBA(image.Rectangle{Max: o.size(m.Rect.Size())})
	for y := range turned.Rect.Dy() {
		for x := range turned.Rect.Dx() {
			column, row := x, y
			if o >= 5 {
				column, row = y, x
			}
			if o == 2 || o == 3 || o == 7 || o == 8 {
				column = right - column
			}
			if o == 3 || o == 4 || o == 6 || o == 7 {
				row = bottom - row
			}
			turned.SetRGBA(x, y, m.RGBAAt(column, row))
		}
	}
	return turned
}

// orientationOf reads the orientation of a JPEG from its Exif segment.
func orientationOf(r io.Reader) orientation {
	in := bufio.NewReader(r)
	in.Discard(2)
	for {
		head, err := in.Peek(4)
		if err != nil || head[0] != 0xff || head[1] == 0xda {
			return upright
		}
		kind, size := head[1], 2+int(binary.BigEndian.Uint16(head[2:]))
		if kind == 0xff { // fill byte
			size = 1
		}
		if kind != 0xe1 {
			in.Discard(size)
			continue
		}
		segment := make([]byte, size)
		if _, err := io.ReadFull(in, segment); err != nil {
			return upright
		}
		if exif, ok := bytes.CutPrefix(segment[min(4, size):], []byte("Exif\x00\x00")); ok {
			return tiffOrientation(exif)
		}
	}
}

// tiffOrientation searches the first directory of a TIFF file.
func tiffOrientation(tiff []byte) orientation {
	const tag, header, entry = 0x0112, 8, 12
	if len(tiff) < header {
		return upright
	}
	var order binary.ByteOrder = binary.LittleEndian
	if tiff[0] == 'M' {
		order = binary.BigEndian
	}
	start := uint64(order.Uint32(tiff[4:]))
	if start+2 > uint64(len(tiff)) {
		return upright
	}
	entries := tiff[start+2:]
	for range order.Uint16(tiff[start:]) {
		if len(entries) < entry {
			break
		}
		if o := orientation(order.Uint16(entries[8:])); order.Uint16(entries) == tag && o >= 1 && o <= 8 {
			return o
		}
		entries = entries[entry:]
	}
	return upright
}
