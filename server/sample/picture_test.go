package sample

import (
	"bytes"
	"image"
	"image/jpeg"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func get(h http.Handler, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

// Every picture of the records is served, in a size that readers expect, and
// every file in pictures/ is used.
func TestPictures(t *testing.T) {
	h, used, shapes := Pictures(), map[string]bool{}, map[image.Point]bool{}
	for _, r := range mustRecords(t) {
		single := decode(t, r.Single)
		for _, part := range strings.Split(single.Text, base+"/resim/")[1:] {
			name, _, _ := strings.Cut(part, `"`)
			used[name] = true
		}
		for _, f := range single.Files {
			used[strings.TrimSuffix(strings.TrimPrefix(f.FileURL, base+"/resim/"), ".jpg")] = true
		}
	}
	total := 0
	for name := range used {
		w := get(h, "GET", "/resim/"+name+".jpg")
		if w.Code != 200 || w.Header().Get("Content-Type") != "image/jpeg" {
			t.Fatalf("%s answers %d %s", name, w.Code, w.Header().Get("Content-Type"))
		}
		if !bytes.Equal(get(h, "GET", "/resim/"+name).Body.Bytes(), w.Body.Bytes()) {
			t.Errorf("%s is another picture without its extension", name)
		}
		total += w.Body.Len()
		img, err := jpeg.DecodeConfig(w.Body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		shapes[image.Pt(img.Width, img.Height)] = true
	}
	for _, s := range []image.Point{{X: 1600, Y: 1000}, {X: 1600, Y: 1200}, {X: 1000, Y: 1400}, {X: 480, Y: 480}} {
		if !shapes[s] {
			t.Errorf("no picture has the size %v", s)
		}
		delete(shapes, s)
	}
	if len(shapes) > 0 {
		t.Errorf("pictures have the sizes %v, too", shapes)
	}
	if total > 10_000_000 {
		t.Errorf("the pictures have %d bytes, more than 10 MB", total)
	}
	files, err := fs.Glob(pictureFiles, "pictures/*")
	if err != nil || len(files) != len(used) {
		t.Errorf("%d pictures are there, %d are used: %v", len(files), len(used), err)
	}
}

// A gallery does not show the same picture twice.
func TestGalleriesAreVaried(t *testing.T) {
	for _, r := range mustRecords(t) {
		seen := map[string]bool{}
		for _, f := range decode(t, r.Single).Files {
			if seen[f.FileURL] {
				t.Errorf("%s %s has %s twice", r.Group, r.ID, f.FileURL)
			}
			seen[f.FileURL] = true
		}
	}
}

func TestPictureAnswers(t *testing.T) {
	h := Pictures()
	tests := []struct {
		method, path string
		want         int
	}{
		{"GET", "/resim/sea-noon.jpg", 200},
		{"GET", "/resim/sea-noon", 200},
		{"HEAD", "/resim/sea-noon.jpg", 200},
		{"POST", "/resim/sea-noon.jpg", 405},
		{"GET", "/resim/volcano.jpg", 404},
		{"GET", "/resim/", 404},
		{"GET", "/resim/sea-noon.png", 404},
		{"GET", "/resim/sea-noon.jpg.jpg", 404},
		{"GET", "/resim/sea-noon/3.jpg", 404},
		{"GET", "/resim/..%2Fcontent%2Fwriters.yaml", 400},
		{"GET", "/resim/..%2fpictures%2fsea-noon.jpg", 400},
		{"GET", "/sea-noon.jpg", 404},
	}
	for _, test := range tests {
		w := get(h, test.method, test.path)
		if w.Code != test.want {
			t.Errorf("%s %s answers %d, want %d", test.method, test.path, w.Code, test.want)
		}
		if test.method == "HEAD" && (w.Body.Len() != 0 || w.Header().Get("Content-Length") == "") {
			t.Errorf("HEAD answers %d bytes and Content-Length %q", w.Body.Len(), w.Header().Get("Content-Length"))
		}
		if cached := w.Header().Get("Cache-Control") != ""; cached != (w.Code == 200) {
			t.Errorf("%s %s has Cache-Control %q", test.method, test.path, w.Header().Get("Cache-Control"))
		}
	}
}
