package sample

import "image/color"

// portrait is a bust. An even seed has long hair, an odd one short.
func portrait(c *canvas) {
	ground := []color.RGBA{rgb(0xd9b08c), rgb(0x8fb0ad), rgb(0xc98f7a), rgb(0xa3a88a), rgb(0x9aa7c0), rgb(0xdcc48a)}[c.seed%6]
	c.wash(0, c.h, mix(ground, white, 0.25), ground)
	x, s := c.w*0.5, min(c.w, c.h)
	y := c.h - s*0.5 // of the mouth's height, so that every shape shows the shoulders
	c.oval(glaze(mix(ground, white, 0.6), 0.5), x, y-s*0.08, s*0.43, s*0.43)
	skin := c.one(rgb(0xe3b48f), rgb(0xd39f77), rgb(0xefc7a4), rgb(0xc68e66))
	hair := []color.RGBA{rgb(0x2b211d), rgb(0x5a3a26), rgb(0x8f8b86), rgb(0x3a2a2a), rgb(0xc9c4bb), rgb(0x7a4a2c)}[(c.seed/2)%6]
	coat := c.one(rgb(0x2f4f6b), rgb(0x7a3f3a), rgb(0x3f5f4f), rgb(0x4a4658), rgb(0xb8772f), rgb(0x2a2f3a))
	long := c.seed%2 == 0
	if long {
		c.oval(hair, x, y-s*0.08, s*0.23, s*0.25)
		c.poly(hair, x-s*0.23, y-s*0.1, x+s*0.23, y-s*0.1, x+s*0.25, y+s*0.2, x-s*0.25, y+s*0.2)
	}
	c.shoulders(coat, skin, x, y, s)
	c.face(skin, hair, x, y, s)
	if long {
		c.curve(hair, s*0.13, s*0.04, x+s*0.04, y-s*0.27, x-s*0.2, y-s*0.24, x-s*0.19, y+s*0.02)
		c.curve(hair, s*0.13, s*0.04, x-s*0.02, y-s*0.27, x+s*0.2, y-s*0.24, x+s*0.19, y+s*0.02)
		c.oval(hair, x, y-s*0.27, s*0.1, s*0.055)
	} else {
		c.curve(hair, s*0.05, s*0.06, x-s*0.165, y-s*0.05, x-s*0.19, y-s*0.26, x, y-s*0.27)
		c.curve(hair, s*0.06, s*0.05, x, y-s*0.27, x+s*0.19, y-s*0.26, x+s*0.165, y-s*0.05)
		c.oval(hair, x, y-s*0.235, s*0.14, s*0.06)
	}
}

func (c *canvas) shoulders(coat, skin color.RGBA, x, y, s float64) {
	c.rect(mix(skin, rgb(0x7a4a34), 0.22), x-s*0.075, y+s*0.05, s*0.15, s*0.2)
	c.oval(coat, x, y+s*0.5, s*0.42, s*0.31)
	shirt := c.one(rgb(0xf3efe6), rgb(0xdfe6ea), rgb(0xe9d3b0))
	c.poly(shirt, x-s*0.09, y+s*0.17, x, y+s*0.34, x+s*0.09, y+s*0.17, x+s*0.14, y+s*0.24, x, y+s*0.52, x-s*0.14, y+s*0.24)
	c.poly(mix(skin, rgb(0x7a4a34), 0.1), x-s*0.075, y+s*0.16, x+s*0.075, y+s*0.16, x, y+s*0.3)
	c.poly(mix(coat, black, 0.25), x-s*0.14, y+s*0.2, x-s*0.2, y+s*0.27, x-s*0.02, y+s*0.52)
	c.poly(mix(coat, black, 0.25), x+s*0.14, y+s*0.2, x+s*0.2, y+s*0.27, x+s*0.02, y+s*0.52)
}

func (c *canvas) face(skin, hair color.RGBA, x, y, s float64) {
	shade := mix(skin, rgb(0x8a4a34), 0.28)
	c.oval(shade, x-s*0.165, y-s*0.06, s*0.03, s*0.045)
	c.oval(shade, x+s*0.165, y-s*0.06, s*0.03, s*0.045)
	c.oval(skin, x, y-s*0.07, s*0.165, s*0.205)
	c.oval(glaze(rgb(0xd9745a), 0.2), x-s*0.09, y-s*0.02, s*0.04, s*0.03)
	c.oval(glaze(rgb(0xd9745a), 0.2), x+s*0.09, y-s*0.02, s*0.04, s*0.03)
	for _, side := range []float64{-1, 1} {
		ex := x + side*s*0.068
		c.oval(rgb(0xfaf6ef), ex, y-s*0.085, s*0.026, s*0.016)
		c.oval(rgb(0x33241c), ex, y-s*0.085, s*0.014, s*0.016)
		c.curve(mix(hair, rgb(0x33241c), 0.5), s*0.012, s*0.008, ex-side*s*0.035, y-s*0.125, ex, y-s*0.145, ex+side*s*0.04, y-s*0.122)
	}
	c.curve(shade, s*0.008, s*0.014, x+s*0.004, y-s*0.08, x+s*0.03, y-s*0.03, x-s*0.004, y-s*0.022)
	c.curve(rgb(0xa8503f), s*0.008, s*0.008, x-s*0.05, y+s*0.038, x, y+s*0.07, x+s*0.05, y+s*0.038)
	if c.seed%2 == 1 && c.chance(0.45) {
		c.curve(hair, s*0.012, s*0.012, x-s*0.07, y+s*0.03, x, y+s*0.002, x+s*0.07, y+s*0.03)
		c.curve(hair, s*0.02, s*0.02, x-s*0.05, y+s*0.022, x, y+s*0.006, x+s*0.05, y+s*0.022)
	}
	if c.chance(0.4) {
		frame := rgb(0x2a2a30)
		for _, side := range []float64{-1, 1} {
			c.ring(frame, x+side*s*0.068, y-s*0.083, s*0.048, s*0.042, s*0.009)
		}
		c.line(frame, s*0.009, x-s*0.02, y-s*0.09, x+s*0.02, y-s*0.09)
	}
}
