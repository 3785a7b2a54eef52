package fakepaper

import (
	"bytes"
	"hash/fnv"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"net/http"
)

// picture answers with a picture of one color, which depends on its name.
func (s *Service) picture(_ *http.Request, call Call) (int, []byte) {
	sum := fnv.New32a()
	sum.Write([]byte(call.ID))
	n := sum.Sum32()
	return http.StatusOK, encodePNG(image.NewPaletted(image.Rect(0, 0, 8, 6), color.Palette{color.RGBA{uint8(n), uint8(n >> 8), uint8(n >> 16), 255}}))
}

// PNG returns a black picture.
func PNG(width, height int) []byte { return encodePNG(image.NewGray(image.Rect(0, 0, width, height))) }

// Noise returns a PNG that does not compress: it takes three bytes for each pixel.
func Noise(width, height int) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	random := rand.New(rand.NewPCG(1, 3))
	for i := range m.Pix {
		if m.Pix[i] = 255; i%4 < 3 {
			m.Pix[i] = byte(random.Uint32())
		}
	}
	return encodePNG(m)
}

func encodePNG(m image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// TurnedJPEG returns a black JPEG of this size whose Exif orientation turns it on its side.
func TurnedJPEG(width, height int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, width, height)), nil); err != nil {
		panic(err) // a buffer takes everything
	}
	return Turned(b.Bytes())
}

// Turned adds an Exif orientation to a JPEG that turns it on its side (6, as of a camera held
// upright).
func Turned(content []byte) []byte {
	const exif = "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	return bytes.Join([][]byte{content[:2], []byte(exif), content[2:]}, nil)
}
