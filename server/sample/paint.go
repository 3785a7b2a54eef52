package sample

import (
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"

	"golang.org/x/image/vector"
)

// scenes are the paintings by name.
var scenes = map[string]func(*canvas){
	"harbour": harbour, "sea": sea, "sailing": sailing,
	"hills": hills, "field": field, "forest": forest, "garden": garden, "snow": snow, "nightsky": nightsky,
	"city": city, "street": street, "train": train,
	"stadium": stadium, "court": court, "stage": stage,
	"workshop": workshop, "table": table, "library": library, "portrait": portrait,
}

// Draw paints a scene, which must be one of those that the content may name;
// of any other it leaves the paper blank. The same arguments give the same
// pixels; another seed gives another time of day and other details. Without a
// width or a height the picture is empty.
func Draw(scene string, seed int, width, height int) image.Image {
	if width <= 0 || height <= 0 {
		return image.NewRGBA(image.Rectangle{})
	}
	c := newCanvas(scene, seed, width, height)
	if paint, ok := scenes[scene]; ok {
		paint(c)
	}
	c.finish()
	return c.RGBA
}

// canvas is a picture in the making. Coordinates are pixels; u is the size of
// a detail that should be 1 pixel in a picture whose shorter side has 400.
type canvas struct {
	*image.RGBA
	w, h, u float64
	seed    int
	light   palette
	rnd     *rand.Rand
	pen     *vector.Rasterizer
	mask    []uint8 // what the pen covers
}

func newCanvas(scene string, seed, width, height int) *canvas {
	name := fnv.New64a()
	name.Write([]byte(scene))
	sum := name.Sum64()
	return &canvas{
		RGBA:  image.NewRGBA(image.Rect(0, 0, width, height)),
		w:     float64(width),
		h:     float64(height),
		u:     float64(min(width, height)) / 400,
		seed:  seed & math.MaxInt, // scenes take remainders of it
		light: palettes[(uint64(seed)*3+sum)%uint64(len(palettes))],
		rnd:   rand.New(rand.NewPCG(sum, uint64(seed))),
		pen:   vector.NewRasterizer(width, height),
		mask:  make([]uint8, width*height),
	}
}

// between is a random number, chance a random yes, some a random count.
func (c *canvas) between(lo, hi float64) float64 { return lo + c.rnd.Float64()*(hi-lo) }
func (c *canvas) chance(p float64) bool          { return c.rnd.Float64() < p }
func (c *canvas) some(lo, hi int) int            { return lo + c.rnd.IntN(hi-lo+1) }
func (c *canvas) one(of ...color.RGBA) color.RGBA {
	return of[c.rnd.IntN(len(of))]
}

// poly fills the polygon of the points x0, y0, x1, y1 …
func (c *canvas) poly(col color.RGBA, xy ...float64) {
	x0, y0, x1, y1 := xy[0], xy[1], xy[0], xy[1]
	for i := 2; i < len(xy); i += 2 {
		x0, x1 = min(x0, xy[i]), max(x1, xy[i])
		y0, y1 = min(y0, xy[i+1]), max(y1, xy[i+1])
	}
	box := image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1)), int(math.Ceil(y1))).Intersect(c.Rect)
	if box.Empty() {
		return
	}
	// Only the rasterizer's box costs time, so it is as small as the shape.
	c.pen.Reset(box.Dx(), box.Dy())
	c.pen.DrawOp = draw.Src
	at := func(i int) (x, y float32) {
		return float32(xy[i] - float64(box.Min.X)), float32(xy[i+1] - float64(box.Min.Y))
	}
	c.pen.MoveTo(at(0))
	for i := 2; i < len(xy); i += 2 {
		c.pen.LineTo(at(i))
	}
	c.pen.ClosePath()
	mask := &image.Alpha{Pix: c.mask[:box.Dx()*box.Dy()], Stride: box.Dx(), Rect: image.Rect(0, 0, box.Dx(), box.Dy())}
	c.pen.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	for y := range box.Dy() {
		c.blend(col, c.PixOffset(box.Min.X, box.Min.Y+y), mask.Pix[y*mask.Stride:(y+1)*mask.Stride])
	}
}

// blend lays a colour over the pixels from offset i on, as far as each is
// covered. Most pixels are covered wholly or not at all.
func (c *canvas) blend(col color.RGBA, i int, cover []uint8) {
	for k, a := range cover {
		if a == 0 {
			continue
		}
		p := c.Pix[i+4*k : i+4*k+3 : i+4*k+3]
		if a == 255 && col.A == 255 {
			p[0], p[1], p[2] = col.R, col.G, col.B
			continue
		}
		in := uint32(a) + uint32(a)>>7 // 0 to 256
		out := 256 - (uint32(col.A)*in+127)/255
		p[0] = uint8(min((uint32(col.R)*in+uint32(p[0])*out+128)>>8, 255))
		p[1] = uint8(min((uint32(col.G)*in+uint32(p[1])*out+128)>>8, 255))
		p[2] = uint8(min((uint32(col.B)*in+uint32(p[2])*out+128)>>8, 255))
	}
}

func (c *canvas) rect(col color.RGBA, x, y, w, h float64) {
	c.poly(col, x, y, x+w, y, x+w, y+h, x, y+h)
}

// circle holds 64 points of the unit circle, x and y in turn.
var circle = func() (xy [128]float64) {
	for i := range 64 {
		xy[2*i+1], xy[2*i] = math.Sincos(float64(i) * math.Pi / 32)
	}
	return xy
}()

func (c *canvas) oval(col color.RGBA, x, y, rx, ry float64) {
	step := 1
	if r := max(rx, ry); r < 5 {
		step = 4
	} else if r < 30 {
		step = 2
	}
	var xy [128]float64
	n := 0
	for i := 0; i < 64; i += step {
		xy[n], xy[n+1] = x+rx*circle[2*i], y+ry*circle[2*i+1]
		n += 2
	}
	c.poly(col, xy[:n]...)
}

// ring strokes an ellipse.
func (c *canvas) ring(col color.RGBA, x, y, rx, ry, width float64) {
	for i := range 64 {
		a, b := 2*i, 2*((i+1)%64)
		c.line(col, width, x+rx*circle[a], y+ry*circle[a+1], x+rx*circle[b], y+ry*circle[b+1])
	}
}

func (c *canvas) line(col color.RGBA, width, x0, y0, x1, y1 float64) {
	dx, dy := x1-x0, y1-y0
	l := math.Sqrt(dx*dx + dy*dy)
	if l == 0 {
		return
	}
	nx, ny := -dy/l*width/2, dx/l*width/2
	c.poly(col, x0+nx, y0+ny, x1+nx, y1+ny, x1-nx, y1-ny, x0-nx, y0-ny)
}

// curve strokes a quadratic curve, thinning from width at its start to end.
func (c *canvas) curve(col color.RGBA, width, end, x0, y0, cx, cy, x1, y1 float64) {
	const n = 12
	var xy [4 * (n + 1)]float64
	for i := range n + 1 {
		t := float64(i) / n
		a, b, d := (1-t)*(1-t), 2*t*(1-t), t*t
		x, y := a*x0+b*cx+d*x1, a*y0+b*cy+d*y1
		tx, ty := (1-t)*(cx-x0)+t*(x1-cx), (1-t)*(cy-y0)+t*(y1-cy)
		l := max(math.Sqrt(tx*tx+ty*ty), 1e-6)
		r := (width + (end-width)*t) / 2
		xy[2*i], xy[2*i+1] = x-ty/l*r, y+tx/l*r
		xy[len(xy)-2-2*i], xy[len(xy)-1-2*i] = x+ty/l*r, y-tx/l*r
	}
	c.poly(col, xy[:]...)
}

// wash fills the rows from y0 to y1 with a gradient over the colours.
func (c *canvas) wash(y0, y1 float64, cols ...color.RGBA) {
	for y := max(0, int(y0)); y < min(int(c.h), int(math.Ceil(y1))); y++ {
		t := (float64(y) - y0) / (y1 - y0) * float64(len(cols)-1)
		i := min(max(int(t), 0), len(cols)-2)
		c.row(y, 0, int(c.w), mix(cols[i], cols[i+1], t-float64(i)))
	}
}

func (c *canvas) row(y, x0, x1 int, col color.RGBA) {
	p := c.Pix[y*c.Stride+4*x0 : y*c.Stride+4*x1]
	for i := 0; i < len(p); i += 4 {
		p[i], p[i+1], p[i+2], p[i+3] = col.R, col.G, col.B, 255
	}
}

// ridge fills everything below a noisy line: base is its mean height, amp how
// far it strays, length the width of its largest bumps. It returns the line.
func (c *canvas) ridge(base, amp, length float64, top, bottom color.RGBA) []float64 {
	n := newNoise(c.rnd.Uint64())
	line := make([]float64, int(c.w))
	for x := range line {
		line[x] = base + amp*n.hilly(float64(x)/length)
	}
	c.below(line, top, bottom)
	return line
}

// below fills everything under a line with a brushed gradient.
func (c *canvas) below(line []float64, top, bottom color.RGBA) {
	first, tile := c.h, brushwork()
	for _, y := range line {
		first = min(first, y)
	}
	shift := c.rnd.IntN(tileSize * tileSize)
	for y := max(0, int(first)); y < int(c.h); y++ {
		col := mix(top, bottom, (float64(y)-first)/(c.h-first))
		p := c.Pix[y*c.Stride:]
		for x, top := range line {
			cover := float64(y+1) - top
			if cover <= 0 {
				continue
			}
			t := int(tile[(shift+y*tileSize+x%tileSize)%(tileSize*tileSize)]) >> 4
			q := p[4*x : 4*x+3]
			a := int(256 * min(cover, 1))
			q[0] = level((int(q[0])*(256-a) + (int(col.R)+t)*a) >> 8)
			q[1] = level((int(q[1])*(256-a) + (int(col.G)+t)*a) >> 8)
			q[2] = level((int(q[2])*(256-a) + (int(col.B)+t)*a) >> 8)
		}
	}
}

// finish turns half of the pictures round and lays the grain of paper on all.
func (c *canvas) finish() {
	if c.chance(0.5) {
		c.mirror()
	}
	tile, grain := brushwork(), c.rnd.Uint64()|1
	for y := range int(c.h) {
		p := c.Pix[y*c.Stride:]
		for x := range int(c.w) {
			grain ^= grain << 13
			grain ^= grain >> 7
			grain ^= grain << 17
			t := int(tile[(y%tileSize)*tileSize+x%tileSize])>>5 + int(grain&7)>>1 - 2
			q := p[4*x : 4*x+4]
			q[0], q[1], q[2], q[3] = level(int(q[0])+t), level(int(q[1])+t), level(int(q[2])+t), 255
		}
	}
}

func (c *canvas) mirror() {
	for y := range int(c.h) {
		p := c.Pix[y*c.Stride:]
		for a, b := 0, 4*(int(c.w)-1); a < b; a, b = a+4, b-4 {
			for i := range 4 {
				p[a+i], p[b+i] = p[b+i], p[a+i]
			}
		}
	}
}

func level(v int) uint8 { return uint8(min(max(v, 0), 255)) }
