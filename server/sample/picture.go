package sample

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// shape is a picture's width and height in pixels.
type shape struct{ width, height int }

var (
	usual       = shape{640, 400}
	fourToThree = shape{640, 480}
	upright     = shape{400, 560}
	square      = shape{480, 480}
)

// suffix is what the address says of a shape: nothing of the usual one.
func (s shape) suffix() string {
	if s == usual {
		return ""
	}
	return fmt.Sprintf("-%dx%d", s.width, s.height)
}

// Pictures answers GET /resim/<scene>/<seed>[-<width>x<height>][.jpg] with a
// JPEG of a drawn scene, at most 640 pixels wide and always the same bytes for
// the same address. An unknown scene, seed or shape is 404.
func Pictures() http.Handler {
	return &gallery{drawn: map[string][]byte{}}
}

// gallery keeps the latest pictures it drew: a reader of a page asks for the
// same few again and again.
type gallery struct {
	mu    sync.Mutex
	drawn map[string][]byte
	order []string // of drawing, oldest first
}

const kept = 64 // pictures, about 2 MB

func (g *gallery) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "pictures are only read", http.StatusMethodNotAllowed)
		return
	}
	name, ok := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, ".jpg"), "/resim/")
	scene, seed, s, known := parsePicture(name)
	if !ok || !known {
		http.NotFound(w, r)
		return
	}
	b, err := g.picture(name, scene, seed, s)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "image/jpeg")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	h.Set("Cache-Control", "public, max-age=86400")
	if r.Method == http.MethodGet {
		w.Write(b)
	}
}

// parsePicture accepts only the form that Records writes, so that a picture
// has one address with its extension and one without.
func parsePicture(name string) (scene string, seed int, s shape, ok bool) {
	scene, rest, _ := strings.Cut(name, "/")
	if _, ok := scenes[scene]; !ok {
		return "", 0, s, false
	}
	digits, _, _ := strings.Cut(rest, "-")
	seed, err := strconv.Atoi(digits)
	if err != nil || seed < 0 {
		return "", 0, s, false
	}
	for _, s := range []shape{usual, fourToThree, upright, square} {
		if rest == strconv.Itoa(seed)+s.suffix() {
			return scene, seed, s, true
		}
	}
	return "", 0, s, false
}

func (g *gallery) picture(name, scene string, seed int, s shape) ([]byte, error) {
	g.mu.Lock()
	b := g.drawn[name]
	g.mu.Unlock()
	if b != nil {
		return b, nil
	}
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, Draw(scene, seed, s.width, s.height), &jpeg.Options{Quality: 82}); err != nil {
		return nil, fmt.Errorf("encoding picture %s: %w", name, err)
	}
	g.keep(name, buf.Bytes())
	return buf.Bytes(), nil
}

func (g *gallery) keep(name string, b []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.drawn[name] != nil {
		return
	}
	g.drawn[name] = b
	g.order = append(g.order, name)
	if len(g.order) > kept {
		delete(g.drawn, g.order[0])
		g.order = g.order[1:]
	}
}
