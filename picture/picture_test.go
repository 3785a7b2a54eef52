package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"ayna/picture"
)

var widths = []int{40, 80, 160}

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		want  []picture.Size
	}{
		{"ab.jpg", 161, []picture.Size{{40, "ab-40.jpg"}, {80, "ab-80.jpg"}, {160, "ab-160.jpg"}}},
		{"ab.png", 160, []picture.Size{{40, "ab-40.png"}, {80, "ab-80.png"}}},
		{"ab.webp", 50, []picture.Size{{40, "ab-40.jpg"}}},
		{"ab.jpg", 40, nil},
		{"ab.gif", 500, nil},
	} {
		if got := picture.Sizes(test.name, test.width, widths); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s of %d: %v, want %v", test.name, test.width, got, test.want)
		}
	}
}

// made makes the sizes of one picture in a folder of its own, and returns those
// that there are as they were decoded, by width.
func made(t *testing.T, name string, width int, content []byte) (pictures map[int]image.Image, result picture.Result) {
	t.Helper()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "sizes")
	if err := os.WriteFile(filepath.Join(from, name), content, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := picture.NewResizer(from, to)
	if err != nil {
		t.Fatal(err)
	}
	sizes := picture.Sizes(name, width, widths)
	if result, err = r.Make(t.Context(), name, sizes); err != nil {
		t.Fatal(err)
	}
	pictures = make(map[int]image.Image)
	for _, size := range sizes {
		file, err := os.ReadFile(filepath.Join(to, size.Name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(file, []byte("Exif")) || len(file) >= len(content) {
			t.Errorf("%s: metadata, or more bytes than the picture itself", size.Name)
		}
		m, format, err := image.Decode(bytes.NewReader(file))
		if err != nil || "."+strings.Replace(format, "jpeg", "jpg", 1) != filepath.Ext(size.Name) || m.Bounds().Dx() != size.Width {
			t.Fatalf("%s: %s, %v, %v", size.Name, format, m.Bounds(), err)
		}
		pictures[size.Width] = m
	}
	again, err := r.Make(t.Context(), name, sizes)
	if err != nil || again.Made != 0 || !reflect.DeepEqual(again.Skipped, result.Skipped) {
		t.Errorf("a second time: %+v, %v; the first time %+v", again, err, result)
	}
	return pictures, result
}

func near(a color.Color, b color.NRGBA, tolerance int) bool {
	c := color.NRGBAModel.Convert(a).(color.NRGBA)
	for _, d := range []int{int(c.R) - int(b.R), int(c.G) - int(b.G), int(c.B) - int(b.B), int(c.A) - int(b.A)} {
		if max(d, -d) > tolerance {
			return false
		}
	}
	return true
}

func TestMake(t *testing.T) {
	wide := jpegOf(t, quarters(400, 300, 255))
	for _, test := range []struct {
		name, file string
		width      int // as the archive has it: stored, not shown
		content    []byte
		want       string      // widths and heights that there are
		order      string      // of the corners, clockwise from the upper left; "" for one colour
		corner     color.NRGBA // that colour
		alpha      uint8
	}{
		{name: "JPEG", file: "a.jpg", width: 400, content: wide, want: "40x30 80x60 160x120", order: "0123", alpha: 255},
		{name: "JPEG narrower than some widths", file: "a.jpg", width: 90, content: jpegOf(t, quarters(90, 90, 255)), want: "40x40 80x80", order: "0123", alpha: 255},
		{name: "PNG with alpha", file: "a.png", width: 200, content: pngOf(t, quarters(200, 100, 128)), want: "40x20 80x40 160x80", order: "0123", alpha: 128},
		{name: "WebP", file: "a.webp", width: 200, content: webp(200, 100, color.NRGBA{200, 100, 50, 255}, 9000), want: "40x20 80x40 160x80", corner: color.NRGBA{200, 100, 50, 255}},
		{name: "lossy WebP", file: "a.webp", width: 200, content: lossyWebP(9000), want: "40x20 80x40 160x80", corner: color.NRGBA{30, 60, 20, 255}},
		{name: "WebP with alpha", file: "a.webp", width: 200, content: webp(200, 100, color.NRGBA{200, 100, 50, 128}, 9000)},
		{name: "orientation 2", file: "a.jpg", width: 400, content: oriented(wide, 2, binary.BigEndian), want: "40x30 80x60 160x120", order: "1032", alpha: 255},
		{name: "orientation 3", file: "a.jpg", width: 400, content: oriented(wide, 3, binary.LittleEndian), want: "40x30 80x60 160x120", order: "2301", alpha: 255},
		{name: "orientation 4", file: "a.jpg", width: 400, content: oriented(wide, 4, binary.BigEndian), want: "40x30 80x60 160x120", order: "3210", alpha: 255},
		{name: "orientation 5", file: "a.jpg", width: 400, content: oriented(wide, 5, binary.BigEndian), want: "40x53 80x107 160x213", order: "0321", alpha: 255},
		{name: "orientation 6", file: "a.jpg", width: 400, content: oriented(wide, 6, binary.BigEndian), want: "40x53 80x107 160x213", order: "3012", alpha: 255},
		{name: "orientation 7", file: "a.jpg", width: 400, content: oriented(wide, 7, binary.LittleEndian), want: "40x53 80x107 160x213", order: "2103", alpha: 255},
		{name: "orientation 8", file: "a.jpg", width: 400, content: oriented(wide, 8, binary.LittleEndian), want: "40x53 80x107 160x213", order: "1230", alpha: 255},
		{name: "no such orientation", file: "a.jpg", width: 400, content: oriented(wide, 9, binary.LittleEndian), want: "40x30 80x60 160x120", order: "0123", alpha: 255},
		{name: "turned, never enlarged", file: "a.jpg", width: 400, content: oriented(jpegOf(t, quarters(400, 100, 255)), 6, binary.BigEndian), want: "40x160 80x320", order: "3012", alpha: 255},
		{name: "very flat", file: "a.jpg", width: 900, content: jpegOf(t, quarters(900, 2, 255)), want: "40x1 80x1 160x1", alpha: 255},
		{name: "PNG that moves", file: "a.png", width: 200, content: withChunk(pngOf(t, quarters(200, 100, 255)), "acTL", make([]byte, 8))},
		{name: "bomb", file: "a.png", width: 50_000, content: pngHeader(50_000, 50_000, 8)},
		{name: "bomb of scans", file: "a.jpg", width: 400, content: append(wide[:len(wide):len(wide)], bytes.Repeat([]byte{0xff, 0xda}, 200)...)},
		{name: "too many bytes", file: "a.jpg", width: 400, content: append(wide[:len(wide):len(wide)], make([]byte, 15<<20)...)},
		{name: "cut off", file: "a.jpg", width: 400, content: wide[:len(wide)/2]},
		{name: "header alone", file: "a.png", width: 400, content: pngHeader(400, 300, 8)},
		{name: "HTML", file: "a.jpg", width: 400, content: []byte("<!DOCTYPE html><title>404</title>")},
	} {
		t.Run(test.name, func(t *testing.T) {
			pictures, result := made(t, test.file, test.width, test.content)
			var got []string
			for _, width := range widths {
				m := pictures[width]
				if m == nil {
					continue
				}
				got = append(got, fmt.Sprintf("%dx%d", m.Bounds().Dx(), m.Bounds().Dy()))
				if test.corner.A > 0 && !near(m.At(width/2, 3), test.corner, 4) {
					t.Errorf("%d: colour %v", width, m.At(width/2, 3))
				}
				right, bottom := m.Bounds().Dx()*3/4, m.Bounds().Dy()*3/4
				left, top := m.Bounds().Dx()/4, m.Bounds().Dy()/4
				for i, digit := range test.order {
					at := [4]image.Point{{left, top}, {right, top}, {right, bottom}, {left, bottom}}[i]
					want := corners[digit-'0']
					want.A = test.alpha
					if !near(m.At(at.X, at.Y), want, 40) {
						t.Errorf("%d: corner %d is %v, want %v", width, i, m.At(at.X, at.Y), want)
					}
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			all := picture.Sizes(test.file, test.width, widths)
			if result.Made != len(all) || len(result.Skipped) != len(all)-len(got) {
				t.Errorf("%d new, %v missing, %d wanted", result.Made, result.Skipped, len(all))
			}
		})
	}
}

// A picture of few colours has more of them, and more bytes, when it is smaller.
func TestNotLargerInBytes(t *testing.T) {
	dots := image.NewPaletted(image.Rect(0, 0, 170, 100), color.Palette{color.White, color.Black})
	for i, noise := 0, uint32(1); i < len(dots.Pix); i++ {
		noise = noise*1664525 + 1013904223
		dots.Pix[i] = uint8(noise >> 31)
	}
	pictures, result := made(t, "a.png", 170, pngOf(t, dots))
	if pictures[160] != nil || len(result.Skipped) == 0 {
		t.Errorf("%v, %+v", pictures, result)
	}
}

// A picture takes a bounded part of the memory, however many pixels it has.
func TestMemory(t *testing.T) {
	for _, test := range []struct {
		name, file string
		content    []byte
		most       uint64 // MiB
	}{
		{"progressive JPEG that needs much memory", "a.jpg", jpegHeader(0xc2, 3, 8000, 6000), 20},
		{"progressive JPEG", "a.jpg", jpegHeader(0xc2, 3, 2000, 1500), 100},
		{"CMYK JPEG that needs much memory", "a.jpg", jpegHeader(0xc0, 4, 8000, 6000), 20},
		{"CMYK JPEG", "a.jpg", jpegHeader(0xc0, 4, 2000, 1500), 100},
		{"PNG that needs much memory", "a.png", pngHeader(12_000, 9_000, 8), 20},
		{"PNG of 16 bits that needs much memory", "a.png", pngHeader(8000, 6000, 16), 20},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		made(t, test.file, 8000, test.content)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > test.most {
			t.Errorf("%s: %d MiB, more than %d", test.name, took, test.most)
		}
	}
}

// A power cut may leave empty files: they are made anew, also those that mark a size.
func TestEmptySizes(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for name, content := range map[string][]byte{"a.jpg": jpegOf(t, quarters(400, 300, 255)), "b.jpg": []byte("<html>")} {
		if err := os.WriteFile(filepath.Join(from, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := picture.NewResizer(from, to)
	if err != nil {
		t.Fatal(err)
	}
	for name, none := range map[string]int{"a.jpg": 0, "b.jpg": len(widths)} {
		sizes := picture.Sizes(name, 400, widths)
		empty := func(suffix string) {
			for _, size := range sizes {
				if err := os.WriteFile(filepath.Join(to, size.Name+suffix), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, suffix := range []string{"", ".none"} {
			empty(suffix)
			result, err := r.Make(t.Context(), name, sizes)
			if want := len(sizes); err != nil || len(result.Skipped) != none || suffix == "" && result.Made != want {
				t.Errorf("%s%s: %+v, %v", name, suffix, result, err)
			}
			again, err := r.Make(t.Context(), name, sizes)
			if err != nil || again.Made != 0 || len(again.Skipped) != none {
				t.Errorf("%s%s, a second time: %+v, %v", name, suffix, again, err)
			}
		}
	}
}

func TestLostPicture(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	r, err := picture.NewResizer(from, to)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "empty.jpg"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.jpg", "empty.jpg"} {
		result, err := r.Make(t.Context(), name, picture.Sizes(name, 400, widths))
		if err != nil || result.Made != 0 || result.Skipped != nil {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	if entries, err := os.ReadDir(to); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
}
