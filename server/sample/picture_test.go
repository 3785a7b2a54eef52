package sample

import (
	"bytes"
	"image"
	"image/jpeg"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
)

func get(h http.Handler, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

// Every picture that a record names is there, in a size a reader expects.
func TestPicturesOfRecords(t *testing.T) {
	h, seen := Pictures(), map[string]bool{}
	shapes := map[image.Point]bool{}
	for _, r := range mustRecords(t) {
		for _, f := range decode(t, r.Single).Files {
			u, err := url.Parse(f.FileURL)
			if err != nil {
				t.Fatal(err)
			}
			scene, _, s, ok := parsePicture(u.Path[len("/resim/") : len(u.Path)-len(".jpg")])
			if !ok {
				t.Errorf("%s names the picture %s", r.ID, f.FileURL)
				continue
			}
			// One of each scene and shape is drawn: all of them would take seconds.
			if kind := scene + s.suffix(); !seen[kind] {
				seen[kind] = true
				shapes[checkJPEG(t, h, u.Path, s)] = true
			}
		}
	}
	if len(shapes) < 4 {
		t.Errorf("pictures of %d shapes, want 4", len(shapes))
	}
}

func checkJPEG(t *testing.T, h http.Handler, path string, s shape) image.Point {
	t.Helper()
	w := get(h, "GET", path)
	if w.Code != 200 || w.Header().Get("Content-Type") != "image/jpeg" {
		t.Errorf("%s answers %d %s", path, w.Code, w.Header().Get("Content-Type"))
		return image.Point{}
	}
	if n := w.Body.Len(); n < 8<<10 || n > 64<<10 {
		t.Errorf("%s has %d bytes", path, n)
	}
	img, err := jpeg.Decode(w.Body)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return image.Point{}
	}
	if size := img.Bounds().Size(); size != image.Pt(s.width, s.height) {
		t.Errorf("%s is %v, want %v", path, size, s)
	}
	return img.Bounds().Size()
}

func TestPicturesAnswers(t *testing.T) {
	h := Pictures()
	tests := []struct {
		method, path string
		want         int
	}{
		{"GET", "/resim/sea/12.jpg", 200},
		{"GET", "/resim/sea/12", 200},
		{"HEAD", "/resim/sea/12.jpg", 200},
		{"GET", "/resim/sea/12-400x560.jpg", 200},
		{"POST", "/resim/sea/12.jpg", 405},
		{"GET", "/resim/volcano/12.jpg", 404},
		{"GET", "/resim/sea/", 404},
		{"GET", "/resim/sea/x.jpg", 404},
		{"GET", "/resim/sea/-1.jpg", 404},
		{"GET", "/resim/sea/+1.jpg", 404},
		{"GET", "/resim/sea/012.jpg", 404},
		{"GET", "/resim/sea/12.png", 404},
		{"GET", "/resim/sea/12.jpg.jpg", 404},
		{"GET", "/resim/sea/12-640x400.jpg", 404},
		{"GET", "/resim/sea/12-9999x9999.jpg", 404},
		{"GET", "/resim/sea/99999999999999999999.jpg", 404},
		{"GET", "/resim/sea/12/3.jpg", 404},
		{"GET", "/sea/12.jpg", 404},
	}
	for _, test := range tests {
		w := get(h, test.method, test.path)
		if w.Code != test.want {
			t.Errorf("%s %s answers %d, want %d", test.method, test.path, w.Code, test.want)
		}
		if test.method == "HEAD" && (w.Body.Len() != 0 || w.Header().Get("Content-Length") == "") {
			t.Errorf("HEAD answers %d bytes and Content-Length %q", w.Body.Len(), w.Header().Get("Content-Length"))
		}
	}
}

// The same address gives the same bytes from the cache, from another handler
// and when many ask at once; with or without its extension.
func TestSamePicture(t *testing.T) {
	h := Pictures()
	want := get(h, "GET", "/resim/harbour/7.jpg").Body.Bytes()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, h := range []http.Handler{h, Pictures()} {
				if !bytes.Equal(get(h, "GET", "/resim/harbour/7").Body.Bytes(), want) {
					t.Error("another picture at the same address")
				}
			}
		})
	}
	wg.Wait()
	if bytes.Equal(get(h, "GET", "/resim/harbour/8.jpg").Body.Bytes(), want) {
		t.Error("the same picture for another seed")
	}
}

func TestCacheForgets(t *testing.T) {
	g := &gallery{drawn: map[string][]byte{}}
	for i := range 3 * kept {
		g.keep(string(rune('a'+i)), []byte("x"))
	}
	if len(g.drawn) != kept || len(g.order) != kept {
		t.Errorf("%d pictures kept in %d places, want %d", len(g.drawn), len(g.order), kept)
	}
}

func TestDraw(t *testing.T) {
	for _, scene := range slices.Sorted(maps.Keys(scenes)) {
		t.Run(scene, func(t *testing.T) {
			for _, s := range []shape{usual, upright, {120, 75}} {
				img := Draw(scene, 5, s.width, s.height)
				if size := img.Bounds().Size(); size != image.Pt(s.width, s.height) {
					t.Fatalf("size %v, want %v", size, s)
				}
				if n := colours(img); n < 200 {
					t.Errorf("%v has %d colours, which is no painting", s, n)
				}
			}
			once, again := Draw(scene, 3, 320, 200), Draw(scene, 3, 320, 200)
			if !bytes.Equal(once.(*image.RGBA).Pix, again.(*image.RGBA).Pix) {
				t.Error("the same seed gives another picture")
			}
		})
	}
}

// Draw is exported, so it must bear what the handler never asks for.
func TestDrawOddArguments(t *testing.T) {
	for _, scene := range append(slices.Collect(maps.Keys(scenes)), "volcano", "") {
		for _, size := range []image.Point{{0, 0}, {10, 0}, {-3, 5}} {
			if got := Draw(scene, 1, size.X, size.Y).Bounds(); !got.Empty() {
				t.Errorf("%s of size %v has the bounds %v", scene, size, got)
			}
		}
		for _, seed := range []int{-1, math.MinInt, math.MaxInt} {
			if got := Draw(scene, seed, 12, 9).Bounds().Size(); got != image.Pt(12, 9) {
				t.Errorf("%s with seed %d has the size %v", scene, seed, got)
			}
		}
	}
}

func colours(img image.Image) int {
	seen := map[any]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 3 {
		for x := b.Min.X; x < b.Max.X; x += 3 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

func BenchmarkPicture(b *testing.B) {
	brushwork()
	for _, scene := range slices.Sorted(maps.Keys(scenes)) {
		b.Run(scene, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				var buf bytes.Buffer
				if err := jpeg.Encode(&buf, Draw(scene, i%16, 640, 400), &jpeg.Options{Quality: 82}); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(buf.Len()), "bytes")
			}
		})
	}
}
