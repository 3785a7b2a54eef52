package picture_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"strings"
	"testing"

	"ayna/picture"
	"ayna/testrun"
)

func TestShrink(t *testing.T) {
	var animation bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 40, 20), color.Palette{color.Black, color.White})
	if err := gif.EncodeAll(&animation, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		content []byte
		width   int
		format  string // "" is an error
		want    image.Point
	}{
		{"narrower", jpegOf(t, quarters(80, 40, 255)), 20, "jpeg", image.Pt(20, 10)},
		{"never wider", jpegOf(t, quarters(80, 40, 255)), 200, "jpeg", image.Pt(80, 40)},
		{"turned", oriented(jpegOf(t, quarters(80, 40, 255)), 6, binary.BigEndian), 20, "jpeg", image.Pt(20, 40)},
		{"a flat one", pngOf(t, quarters(400, 1, 255)), 20, "jpeg", image.Pt(20, 1)},
		{"transparent", pngOf(t, quarters(80, 40, 100)), 20, "png", image.Pt(20, 10)},
		{"WebP", webp(80, 40, corners[0], 0), 20, "jpeg", image.Pt(20, 10)},
		{"an animation", animation.Bytes(), 20, "jpeg", image.Pt(20, 10)},
		{"a giant", pngHeader(50_000, 50_000, 8), 20, "", image.Point{}},
		{"no picture", []byte("<svg/>"), 20, "", image.Point{}},
		{"cut off", jpegOf(t, quarters(80, 40, 255))[:300], 20, "", image.Point{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			small, extension, err := picture.Shrink(test.content, test.width)
			if (err == nil) != (test.format != "") {
				t.Fatalf("%v", err)
			}
			if err != nil {
				return
			}
			info, err := picture.ReadInfo(bytes.NewReader(small))
			if err != nil || info != (picture.Info{Format: test.format, Width: test.want.X, Height: test.want.Y}) || extension != map[string]string{"jpeg": ".jpg", "png": ".png"}[test.format] {
				t.Errorf("%+v as %s: %v", info, extension, err)
			}
		})
	}
}

// TestPNG: the icon of a site is a PNG, whatever it was.
func TestPNG(t *testing.T) {
	for name, test := range map[string]struct {
		content []byte
		want    image.Point
	}{
		"JPEG": {jpegOf(t, quarters(80, 80, 255)), image.Pt(40, 40)}, "PNG": {pngOf(t, quarters(20, 20, 100)), image.Pt(20, 20)},
		"WebP": {webp(80, 40, corners[0], 0), image.Pt(40, 20)}, "a giant": {content: pngHeader(50_000, 50_000, 8)}, "SVG": {content: []byte("<svg/>")},
	} {
		icon, err := picture.PNG(test.content, 40)
		info, _ := picture.ReadInfo(bytes.NewReader(icon))
		if (err != nil) != (test.want == image.Point{}) || err == nil && info != (picture.Info{Format: "png", Width: test.want.X, Height: test.want.Y}) {
			t.Errorf("%s: %+v, %v", name, info, err)
		}
	}
}

// TestCover: whatever a title is, the cover has it, or else does without it.
func TestCover(t *testing.T) {
	testrun.NotShort(t)
	blank, err := picture.Cover("", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		title string
		shown bool
	}{
		{"Akçaliman Postası Aynası", true}, {"Iğdır'ın şöleni", true}, {strings.Repeat("uzun", 40), true}, {strings.Repeat("uzun başlık ", 40), true},
		{"مرآة", false}, {"鏡", false}, {" ", false},
	} {
		cover, err := picture.Cover(test.title, "")
		again, _ := picture.Cover(test.title, "")
		if err != nil || bytes.Equal(cover, blank) == test.shown || !bytes.Equal(cover, again) {
			t.Errorf("%q: %d bytes of %d, %v", test.title, len(cover), len(blank), err)
		}
		if info, err := picture.ReadInfo(bytes.NewReader(cover)); err != nil || info.Width != 1200 || info.Height != 1800 {
			t.Errorf("%q: %+v, %v", test.title, info, err)
		}
	}
}
