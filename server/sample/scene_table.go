package sample

import (
	"image/color"
	"math"
)

func table(c *canvas) {
	cloth := c.one(rgb(0xe9dcc3), rgb(0x9c6b43), rgb(0x7fa3ad), rgb(0xd9b08c), rgb(0x4f6f6a), rgb(0xf1ead9))
	c.wash(0, c.h, mix(cloth, white, 0.12), mix(cloth, black, 0.12))
	if c.chance(0.5) {
		c.checks(mix(cloth, c.one(rgb(0xb8402f), rgb(0x2f5f7a), rgb(0x4f7a52)), 0.7))
	} else {
		for x := 0.0; x < c.w; x += 74 * c.u {
			c.rect(glaze(black, 0.18), x, 0, 2*c.u, c.h)
			for range 5 {
				y := c.h * c.rnd.Float64()
				c.line(glaze(black, 0.06), 2*c.u, x+c.between(8, 66)*c.u, y, x+c.between(8, 66)*c.u, y+90*c.u)
			}
		}
	}
	food := []func(*canvas, float64, float64, float64){(*canvas).olives, (*canvas).salad, (*canvas).bread, (*canvas).tea, (*canvas).pastry, (*canvas).soup}
	next := c.rnd.IntN(len(food))
	size := 78 * c.u
	if c.chance(0.35) { // seen from closer
		size = 124 * c.u
	}
	cols := max(1, int(c.w/(2.5*size)))
	rows := max(1, int(c.h/(2.4*size)))
	for i := range cols * rows {
		x := c.w * (float64(i%cols) + 0.5) / float64(cols)
		y := c.h * (float64(i/cols) + 0.5) / float64(rows)
		food[(next+i)%len(food)](c, x+c.between(-14, 14)*c.u, y+c.between(-10, 10)*c.u, size*c.between(0.9, 1.1))
	}
}

func (c *canvas) checks(col color.RGBA) {
	for x := 0.0; x < c.w; x += 52 * c.u {
		c.rect(glaze(col, 0.4), x, 0, 26*c.u, c.h)
	}
	for y := 0.0; y < c.h; y += 52 * c.u {
		c.rect(glaze(col, 0.4), 0, y, c.w, 26*c.u)
	}
}

func (c *canvas) plate(x, y, r float64, col color.RGBA) {
	c.oval(glaze(black, 0.22), x+r*0.08, y+r*0.1, r*1.03, r*1.03)
	c.oval(mix(col, black, 0.06), x, y, r, r)
	c.oval(mix(col, white, 0.4), x, y, r*0.94, r*0.94)
	c.ring(c.one(rgb(0x2f6f8f), rgb(0xb8402f), rgb(0x4f7a52), rgb(0xc99a3f)), x, y, r*0.88, r*0.88, r*0.03)
	c.oval(mix(col, black, 0.05), x, y, r*0.72, r*0.72)
	c.oval(col, x, y, r*0.69, r*0.69)
}

// around is a random place within r of the middle.
func (c *canvas) around(x, y, r float64) (float64, float64) {
	i, d := 2*c.rnd.IntN(64), r*math.Sqrt(c.rnd.Float64())
	return x + d*circle[i], y + d*circle[i+1]
}

func (c *canvas) olives(x, y, r float64) {
	c.plate(x, y, r*0.85, rgb(0xf4efe2))
	for range 34 {
		ox, oy := c.around(x, y, r*0.46)
		col := c.one(rgb(0x4f5f2a), rgb(0x6f7f33), rgb(0x3a2f3a), rgb(0x2a2228))
		c.oval(mix(col, black, 0.3), ox+1, oy+1.5, r*0.095, r*0.08)
		c.oval(col, ox, oy, r*0.09, r*0.075)
		c.oval(glaze(white, 0.5), ox-r*0.03, oy-r*0.03, r*0.024, r*0.018)
	}
}

func (c *canvas) salad(x, y, r float64) {
	c.plate(x, y, r, rgb(0xf6f3ea))
	for range 26 {
		ox, oy := c.around(x, y, r*0.5)
		c.oval(mix(rgb(0x6f9f3f), rgb(0x3f6f2f), c.rnd.Float64()), ox, oy, r*c.between(0.1, 0.2), r*c.between(0.07, 0.12))
	}
	for range 9 {
		ox, oy := c.around(x, y, r*0.46)
		c.oval(rgb(0xb8301f), ox, oy, r*0.12, r*0.12)
		c.oval(rgb(0xe2553a), ox-1, oy-1, r*0.1, r*0.1)
		c.oval(rgb(0xf3a07a), ox-r*0.02, oy-r*0.02, r*0.04, r*0.03)
	}
	for range 8 {
		ox, oy := c.around(x, y, r*0.46)
		c.rect(rgb(0xfbf6e6), ox, oy, r*0.13, r*0.12)
	}
}

func (c *canvas) bread(x, y, r float64) {
	c.poly(glaze(black, 0.2), x-r*0.98, y-r*0.5, x+r*1.06, y-r*0.5, x+r*1.06, y+r*0.7, x-r*0.98, y+r*0.7)
	c.rect(rgb(0xb07c48), x-r, y-r*0.6, r*2, r*1.2)
	c.rect(rgb(0xc48f58), x-r, y-r*0.6, r*2, r*0.1)
	for i := range 4 {
		bx := x - r*0.66 + float64(i)*r*0.42
		c.oval(rgb(0x9c5f2a), bx, y, r*0.32, r*0.42)
		c.oval(rgb(0xf0d6a4), bx-r*0.03, y, r*0.26, r*0.36)
		for range 5 {
			ox, oy := c.around(bx-r*0.03, y, r*0.2)
			c.oval(rgb(0xdcb87f), ox, oy, r*0.035, r*0.03)
		}
	}
}

func (c *canvas) tea(x, y, r float64) {
	c.plate(x, y, r*0.62, rgb(0xf6f3ea))
	c.oval(rgb(0xdfe8ea), x, y, r*0.36, r*0.36)
	c.oval(rgb(0xa8321a), x, y, r*0.31, r*0.31)
	c.oval(rgb(0xc9552a), x-r*0.05, y-r*0.05, r*0.2, r*0.18)
	c.oval(glaze(white, 0.6), x-r*0.12, y-r*0.14, r*0.06, r*0.04)
	c.line(rgb(0xc9ccd0), r*0.05, x+r*0.2, y+r*0.42, x+r*0.62, y+r*0.1)
	c.oval(rgb(0xd9dce0), x+r*0.18, y+r*0.44, r*0.1, r*0.07)
	c.rect(white, x-r*0.46, y+r*0.2, r*0.13, r*0.13)
	c.rect(rgb(0xeeeae2), x-r*0.36, y+r*0.31, r*0.12, r*0.12)
}

func (c *canvas) pastry(x, y, r float64) {
	c.plate(x, y, r*0.92, rgb(0xeef1f0))
	for i := range 7 {
		a := 2 * (i * 9)
		ox, oy := x+r*0.4*circle[a], y+r*0.4*circle[a+1]
		if i == 6 {
			ox, oy = x, y
		}
		c.poly(rgb(0xa8652a), ox, oy-r*0.2, ox+r*0.2, oy, ox, oy+r*0.2, ox-r*0.2, oy)
		c.poly(rgb(0xe0a552), ox, oy-r*0.18, ox+r*0.17, oy-r*0.01, ox, oy+r*0.15, ox-r*0.17, oy-r*0.01)
		c.oval(rgb(0x7f9a3f), ox, oy-r*0.02, r*0.055, r*0.045)
	}
}

func (c *canvas) soup(x, y, r float64) {
	c.plate(x, y, r, rgb(0xf4efe2))
	soup := c.one(rgb(0xe0a23f), rgb(0xc9552f), rgb(0xd9c08a))
	c.oval(mix(soup, black, 0.15), x, y, r*0.63, r*0.63)
	c.oval(soup, x, y+r*0.02, r*0.6, r*0.6)
	for i := range 5 {
		a := 2 * (i*11 + 5)
		c.curve(glaze(rgb(0xfff1d0), 0.7), r*0.05, r*0.02, x, y, x+r*0.3*circle[a], y+r*0.1, x+r*0.42*circle[a], y+r*0.42*circle[a+1])
	}
	for range 14 {
		ox, oy := c.around(x, y, r*0.5)
		c.oval(rgb(0x4f7a3a), ox, oy, r*0.035, r*0.025)
	}
	c.line(rgb(0xb9bcc0), r*0.05, x+r*1.12, y-r*0.4, x+r*1.12, y+r*0.6)
	c.oval(rgb(0xc9ccd0), x+r*1.12, y-r*0.48, r*0.1, r*0.17)
}
