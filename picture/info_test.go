package picture_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"strings"
	"testing"

	"ayna/picture"
)

func TestReadInfo(t *testing.T) {
	var moving bytes.Buffer
	if err := gif.Encode(&moving, image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.Black}), nil); err != nil {
		t.Fatal(err)
	}
	photo := jpegOf(t, quarters(30, 20, 255))
	type test struct {
		name    string
		content []byte
		want    picture.Info
	}
	tests := []test{
		{"JPEG", photo, picture.Info{Format: "jpeg", Width: 30, Height: 20}},
		{"PNG", pngOf(t, quarters(30, 20, 255)), picture.Info{Format: "png", Width: 30, Height: 20}},
		{"GIF", moving.Bytes(), picture.Info{Format: "gif", Width: 30, Height: 20}},
		{"WebP", webp(30, 20, color.NRGBA{A: 255}, 0), picture.Info{Format: "webp", Width: 30, Height: 20}},
		{"no such orientation", oriented(photo, 9, binary.BigEndian), picture.Info{Format: "jpeg", Width: 30, Height: 20}},
		{"Exif that ends early", bytes.Join([][]byte{photo[:2], []byte("\xff\xe1\x00\x0aExif\x00\x00MM"), photo[2:]}, nil), picture.Info{Format: "jpeg", Width: 30, Height: 20}},
		{"another segment first", bytes.Join([][]byte{photo[:2], []byte("\xff\xe1\x00\x05abc\xff"), oriented(photo, 6, binary.BigEndian)[2:]}, nil), picture.Info{Format: "jpeg", Width: 20, Height: 30}},
	}
	for way := range uint16(9) {
		shape := picture.Info{Format: "jpeg", Width: 30, Height: 20}
		if way >= 5 {
			shape.Width, shape.Height = 20, 30
		}
		tests = append(tests, test{fmt.Sprintf("orientation %d", way), oriented(photo, way, binary.LittleEndian), shape})
	}
	for _, test := range tests {
		if got, err := picture.ReadInfo(bytes.NewReader(test.content)); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, err, test.want)
		}
	}
	for _, content := range []string{"", "<svg/>", "\xff\xd8", "\xff\xd8\xff\xe1\x00\x00", string(photo[:40])} {
		if got, err := picture.ReadInfo(strings.NewReader(content)); err == nil {
			t.Errorf("%q: %+v", content, got)
		}
	}
}
