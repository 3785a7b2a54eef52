package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The size of a cover in pixels. Below the water line it mirrors what is above.
const (
	coverWidth, coverHeight = 1200, 1800
	coverMargin             = 100
	waterLine               = 1140
)

var (
	paper = color.RGBA{0xff, 0xf8, 0xe7, 0xff}
	water = color.RGBA{0xc3, 0xd5, 0xe8, 0xff}
	ink   = color.RGBA{0x1b, 0x36, 0x5d, 0xff}
)

// Cover draws the cover of a book as a PNG: lines at the top, a title that water
// mirrors, and a note at the bottom. It leaves out texts whose letters the built-in typeface
// lacks.
func Cover(title, note string, lines ...string) ([]byte, error) {
	letters, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, err
	}
	m := image.NewRGBA(image.Rect(0, 0, coverWidth, coverHeight))
	draw.Draw(m, m.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	y := 2 * coverMargin
	for _, line := range lines {
		y += layOut(letters, line, 52).draw(m, y)
	}
	t := layOut(letters, title, 190)
	t.draw(m, waterLine-t.size/3-(len(t.rows)-1)*t.leading())
	mirror(m)
	layOut(letters, note, 52).draw(m, coverHeight-coverMargin)
	var b bytes.Buffer
	err = png.Encode(&b, m)
	return b.Bytes(), err
}

// mirror fills the water with what is above it, paler with the depth.
func mirror(m *image.RGBA) {
	const depth = coverHeight - waterLine
	for y := range depth {
		draw.Draw(m, image.Rect(0, waterLine+y, coverWidth, waterLine+y+1), image.NewUniform(water), image.Point{}, draw.Src)
		mask := image.NewUniform(color.Alpha{uint8(max(0, 90-180*y/depth))})
		for x := range coverWidth {
			if above := m.RGBAAt(x, waterLine-1-y); above != paper {
				draw.DrawMask(m, image.Rect(x, waterLine+y, x+1, waterLine+y+1), image.NewUniform(above), image.Point{}, mask, image.Point{}, draw.Over)
			}
		}
	}
}

// layout is a text in rows.
type layout struct {
	face font.Face
	size int
	rows []string
}

func (l layout) leading() int { return l.size * 6 / 5 }

// layOut breaks a text into rows, in letters of at most that size: smaller ones if it takes
// more than three rows, or if a word is too long for one.
func layOut(f *opentype.Font, text string, size int) layout {
	for _, r := range text {
		if glyph, err := f.GlyphIndex(nil, r); glyph == 0 || err != nil {
			return layout{size: size}
		}
	}
	const rows, least = 3, 40
	for ; ; size = size * 9 / 10 {
		face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: float64(size), DPI: 72})
		if err != nil {
			return layout{size: size}
		}
		l, fits := layout{face, size, nil}, true
		for word := range strings.FieldsSeq(text) {
			last := len(l.rows) - 1
			if last >= 0 && l.width(l.rows[last]+" "+word) <= coverWidth-2*coverMargin {
				l.rows[last] += " " + word
				continue
			}
			l.rows = append(l.rows, word)
			fits = fits && l.width(word) <= coverWidth-2*coverMargin
		}
		if fits && len(l.rows) <= rows || size < least {
			return l
		}
	}
}

func (l layout) width(row string) int { return font.MeasureString(l.face, row).Ceil() }

// draw writes the rows, the first at height y, and returns how high they are.
func (l layout) draw(m *image.RGBA, y int) (height int) {
	for i, row := range l.rows {
		d := font.Drawer{Dst: m, Src: image.NewUniform(ink), Face: l.face, Dot: fixed.P(coverMargin, y+i*l.leading())}
		d.DrawString(row)
	}
	return len(l.rows) * l.leading()
}
