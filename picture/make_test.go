package picture_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"
)

// The corners of the pictures that tests make, clockwise from the upper left.
var corners = [4]color.NRGBA{{230, 20, 20, 255}, {20, 230, 20, 255}, {20, 20, 230, 255}, {230, 230, 20, 255}}

// quarters returns a picture of four areas, with so little noise that it takes
// some bytes.
func quarters(width, height int, alpha uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	noise := uint32(1)
	for y := range height {
		for x := range width {
			i := [4]int{0, 1, 3, 2}[2*(2*y/height)+2*x/width]
			noise = noise*1664525 + 1013904223
			c := corners[i]
			c.R, c.A = c.R+uint8(noise>>28), alpha
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func jpegOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// oriented puts an Exif segment into a JPEG, of either byte order.
func oriented(content []byte, orientation uint16, order binary.AppendByteOrder) []byte {
	tiff := []byte("II")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		tiff = []byte("MM")
	}
	tiff = order.AppendUint32(order.AppendUint16(tiff, 42), 8)
	tiff = order.AppendUint16(tiff, 2)                                   // entries
	tiff = append(order.AppendUint16(tiff, 0x010f), make([]byte, 10)...) // the maker's name
	tiff = order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x0112), 3), 1)
	tiff = order.AppendUint16(order.AppendUint16(tiff, orientation), 0)
	exif := append([]byte("Exif\x00\x00"), tiff...)
	segment := append(binary.BigEndian.AppendUint16([]byte{0xff, 0xff, 0xe1}, uint16(len(exif)+2)), exif...)
	return bytes.Join([][]byte{content[:2], segment, content[2:]}, nil)
}

// withChunk puts a chunk behind the header of a PNG.
func withChunk(content []byte, name string, data []byte) []byte {
	const header = 8 + 25
	body := append([]byte(name), data...)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(body))
	return bytes.Join([][]byte{content[:header], chunk, content[header:]}, nil)
}

// pngHeader is a PNG of that size, of pixels of so many bits, that ends where its picture begins.
func pngHeader(width, height uint32, bits byte) []byte {
	data := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	data = append(data, bits, 6, 0, 0, 0)
	b := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), 13)
	b = binary.BigEndian.AppendUint32(append(b, data...), crc32.ChecksumIEEE(data))
	return append(b, "\x00\x00\x00\x64IDAT\x78\x9c"...)
}

// jpegHeader is a JPEG of full planes with a header of that size: progressive if the
// marker is 0xc2. It ends where its first scan begins.
func jpegHeader(marker byte, planes int, width, height uint16) []byte {
	b := []byte{0xff, 0xd8, 0xff, marker, 0, byte(8 + 3*planes), 8}
	b = append(binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, height), width), byte(planes))
	for id := range planes {
		b = append(b, byte(id), 0x11, 0)
	}
	b = append(b, 0xff, 0xda, 0, byte(6+2*planes), byte(planes))
	for id := range planes {
		b = append(b, byte(id), 0)
	}
	last := byte(63) // coefficient of a scan
	if marker == 0xc2 {
		last = 0
	}
	return append(b, 0, last, 0)
}

// webp is a lossless WebP of one colour, with so many bytes of metadata.
func webp(width, height int, c color.NRGBA, metadata int) []byte {
	bits, n := []byte{0x2f}, 8
	put := func(value, count int) {
		for i := range count {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			bits[n/8] |= byte(value>>i&1) << (n % 8)
			n++
		}
	}
	put(width-1, 14)
	put(height-1, 14)
	put(1, 1) // alpha is used
	put(0, 3) // version
	put(0, 3) // no transform, no colour cache, no meta codes
	for _, channel := range []uint8{c.G, c.R, c.B, c.A} {
		put(0b101, 3) // simple code, one symbol of eight bits
		put(int(channel), 8)
	}
	put(0b0001, 4) // distances: a simple code of one symbol of one bit
	if len(bits)%2 == 1 {
		bits = append(bits, 0)
	}
	return riff("VP8L", bits, metadata)
}

// lossyWebP is a lossy WebP of 200×100 pixels of the colour 30, 60, 20.
func lossyWebP(metadata int) []byte {
	const data = "3008009d012ac80064003ed168b0532825a4a2a06801001a09696ee1760103801dd0eaa9364c43aab3d768ebfd19788e5af476a5e5af" +
		"465e2396bd19788e5af465e2396d29d5526c968000feff18cdfa0f8caefa0f8b0405960883ffe2ac13438a0cb0a5d48081e870000000"
	bits, err := hex.DecodeString(data)
	if err != nil {
		panic(err)
	}
	return riff("VP8 ", bits, metadata)
}

// riff is a WebP of a picture, with that number of bytes of metadata.
func riff(name string, picture []byte, metadata int) []byte {
	chunks := append(binary.LittleEndian.AppendUint32([]byte("WEBP"+name), uint32(len(picture))), picture...)
	chunks = append(binary.LittleEndian.AppendUint32(append(chunks, "EXIF"...), uint32(metadata)), make([]byte, metadata)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(chunks))), chunks...)
}
