package sample

import (
	"image/color"
	"math"
)

func nightsky(c *canvas) {
	c.light = palettes[len(palettes)-1]
	deep := []color.RGBA{rgb(0x081026), rgb(0x0b1a2c), rgb(0x14102e), rgb(0x061a28)}[c.seed%4]
	glow := []color.RGBA{rgb(0x3d5b86), rgb(0x2f7080), rgb(0x7a4a7c), rgb(0xb06a52)}[(c.seed/4)%4]
	c.wash(0, c.h, deep, mix(deep, glow, 0.3), mix(deep, glow, 0.95))
	c.milkyWay(mix(glow, white, 0.5))
	for range 320 {
		c.star(c.w*c.rnd.Float64(), c.h*0.85*c.rnd.Float64())
	}
	for range 12 {
		x, y, r := c.w*c.rnd.Float64(), c.h*0.6*c.rnd.Float64(), c.between(1.4, 2.2)*c.u
		c.oval(glaze(white, 0.12), x, y, r*4, r*4)
		c.oval(c.one(white, rgb(0xffe2b0), rgb(0xcfe3ff)), x, y, r, r)
	}
	switch c.rnd.IntN(3) {
	case 0:
		x, y := c.w*c.between(0.1, 0.6), c.h*c.between(0.1, 0.3)
		c.curve(glaze(white, 0.85), 0.4, 2.6*c.u, x, y, x+60*c.u, y+16*c.u, x+130*c.u, y+44*c.u)
	case 1:
		x, y, r := c.w*c.between(0.15, 0.85), c.h*c.between(0.15, 0.35), 26*c.u
		c.oval(rgb(0xf5f0d9), x, y, r, r)
		c.oval(mix(deep, glow, 0.6*y/c.h), x+r*0.42, y-r*0.12, r*0.86, r*0.9)
		for i := range 8 {
			c.oval(glaze(rgb(0xf5f0d9), 0.02), x, y, r*(2.4-0.2*float64(i)), r*(2.4-0.2*float64(i)))
		}
	}
	c.ridge(c.h*0.74, 38*c.u, 210*c.u, mix(deep, glow, 0.35), mix(deep, glow, 0.2))
	front := mix(deep, black, 0.45)
	line := c.ridge(c.h*0.87, 24*c.u, 170*c.u, front, front)
	for range 14 {
		x := c.w * c.rnd.Float64()
		c.pine(front, x, line[min(int(x), len(line)-1)]+8*c.u, c.between(28, 70)*c.u)
	}
	if c.chance(0.65) {
		x := c.w * c.between(0.2, 0.8)
		c.observatory(x, line[int(x)]+14*c.u, c.between(60, 90)*c.u, mix(glow, black, 0.55))
	}
}

func (c *canvas) milkyWay(col color.RGBA) {
	x0, slope := c.w*c.between(0.1, 0.5), c.between(0.4, 0.9)
	for range 520 {
		t := c.rnd.Float64()
		spread := (c.rnd.NormFloat64()) * 30 * c.u
		r := c.between(0.4, 1.1) * c.u
		if c.chance(0.16) {
			r = c.between(14, 34) * c.u
			c.oval(glaze(col, 0.035), x0+t*slope*c.w+spread*0.6, c.h*0.85*t, r*1.6, r)
			continue
		}
		c.oval(glaze(col, c.between(0.3, 0.8)), x0+t*slope*c.w+spread, c.h*0.85*t, r, r)
	}
}

func (c *canvas) observatory(x, y, s float64, col color.RGBA) {
	c.rect(col, x-s*0.5, y-s*0.5, s, s*0.6)
	var dome []float64
	for i := 0; i <= 32; i++ {
		sin, cos := math.Sincos(math.Pi * float64(i) / 32)
		dome = append(dome, x-s*0.55*cos, y-s*0.5-s*0.55*sin)
	}
	c.poly(mix(col, white, 0.22), dome...)
	c.poly(black, x+s*0.02, y-s*0.5, x+s*0.12, y-s*1.04, x+s*0.26, y-s*0.99, x+s*0.2, y-s*0.5)
	c.line(mix(col, white, 0.4), s*0.07, x+s*0.14, y-s*0.75, x+s*0.3, y-s*1.1)
	c.rect(rgb(0xffcf70), x-s*0.3, y-s*0.3, s*0.12, s*0.16)
	c.rect(mix(col, white, 0.12), x-s*0.58, y-s*0.54, s*1.16, s*0.07)
}
