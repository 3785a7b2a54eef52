package sample

import "image/color"

func stage(c *canvas) {
	mood := c.one(rgb(0x4a2f6b), rgb(0x7a2f3f), rgb(0x1f4f6b), rgb(0x8a5a2a), rgb(0x2f5f4f))
	floor := c.h * 0.68
	c.wash(0, floor, mix(mood, black, 0.55), mix(mood, rgb(0xf0c890), 0.25))
	for range c.some(3, 5) {
		x, to := c.w*c.between(0.1, 0.9), c.w*c.between(0.15, 0.85)
		col := glaze(c.one(rgb(0xffe9b8), rgb(0xf7b9c4), rgb(0xa9d8f0), rgb(0xf7d070)), 0.16)
		c.poly(col, x-6*c.u, 0, x+6*c.u, 0, to+66*c.u, floor+14*c.u, to-66*c.u, floor+14*c.u)
		c.oval(col, to, floor+14*c.u, 66*c.u, 12*c.u)
	}
	boards := mix(rgb(0x8a5a3a), mood, 0.35)
	c.wash(floor, c.h, boards, mix(boards, black, 0.6))
	for i := range 5 {
		c.line(glaze(black, 0.22), 1.4*c.u, 0, floor+float64(i*i)*3*c.u, c.w, floor+float64(i*i)*3*c.u)
	}
	n := c.some(2, 5)
	for i := range n {
		c.performer(c.w*(0.2+0.6*(float64(i)+0.5)/float64(n)), floor+c.between(12, 30)*c.u, 120*c.u)
	}
	c.curtain(mix(rgb(0x9c2a2f), mood, 0.3))
	for row := range 2 { // the audience from behind
		dark := mix(mix(mood, black, 0.82), mood, 0.12*float64(1-row))
		for x := c.between(-10, 10); x < c.w+20; x += c.between(32, 42) * c.u {
			y := c.h - (30-26*float64(row))*c.u + c.between(-5, 5)*c.u
			c.oval(dark, x, y, 11*c.u, 13*c.u)
			c.oval(dark, x, y+28*c.u, 21*c.u, 20*c.u)
		}
	}
}

func (c *canvas) performer(x, y, s float64) {
	c.person(c.one(rgb(0xf0e6d4), rgb(0xd8503a), rgb(0xe3b04b), rgb(0x86b3c8)), c.one(rgb(0x1f2430), rgb(0x43352f)), x, y, s)
	brass, wood := rgb(0xe0b04a), rgb(0x9c5a2c)
	switch c.rnd.IntN(4) {
	case 0: // a microphone
		c.line(rgb(0x22262c), s*0.02, x+s*0.2, y, x+s*0.16, y-s*0.78)
		c.oval(rgb(0x3a4048), x+s*0.15, y-s*0.8, s*0.035, s*0.045)
	case 1: // a double bass
		c.oval(wood, x+s*0.26, y-s*0.2, s*0.17, s*0.2)
		c.oval(wood, x+s*0.26, y-s*0.46, s*0.12, s*0.15)
		c.line(rgb(0x3a2418), s*0.03, x+s*0.26, y-s*0.1, x+s*0.26, y-s*0.98)
	case 2: // a lute
		c.oval(wood, x+s*0.03, y-s*0.56, s*0.15, s*0.12)
		c.oval(rgb(0x3a2418), x+s*0.03, y-s*0.56, s*0.04, s*0.035)
		c.line(rgb(0x3a2418), s*0.03, x+s*0.1, y-s*0.6, x+s*0.38, y-s*0.76)
	case 3: // a horn
		c.line(brass, s*0.03, x, y-s*0.84, x+s*0.26, y-s*0.8)
		c.poly(brass, x+s*0.22, y-s*0.81, x+s*0.38, y-s*0.9, x+s*0.38, y-s*0.68)
	}
}

func (c *canvas) curtain(col color.RGBA) {
	for _, side := range []float64{0, 1} {
		for i := range 7 {
			w := c.w * 0.018
			x := side*c.w + (1-2*side)*w*float64(i)
			x2 := x + (1-2*side)*w
			c.poly(mix(col, black, 0.14+0.3*float64(i%2)), x, 0, x2, 0, x2+(1-2*side)*4*c.u, c.h*0.8, x, c.h*0.8)
		}
	}
	for i := range 12 {
		w := c.w / 12
		c.oval(mix(col, black, 0.1+0.22*float64(i%2)), w*(float64(i)+0.5), 0, w*0.6, 40*c.u)
	}
	c.rect(rgb(0xd9ac4f), 0, 0, c.w, 6*c.u)
}

func library(c *canvas) {
	wood := c.one(rgb(0x6b4429), rgb(0x8a5f3a), rgb(0x5a4a3c), rgb(0x74503a))
	c.wash(0, c.h, mix(wood, black, 0.45), mix(wood, black, 0.3))
	shelf := c.between(86, 112) * c.u
	for y := shelf; y < c.h+shelf; y += shelf {
		for x := 4 * c.u; x < c.w; {
			x += c.book(x, y-6*c.u, shelf*c.between(0.6, 0.82))
		}
		c.rect(mix(wood, white, 0.14), 0, y-6*c.u, c.w, 7*c.u)
		c.rect(glaze(black, 0.35), 0, y+1*c.u, c.w, 5*c.u)
	}
	for x := c.between(60, 140) * c.u; x < c.w; x += 190 * c.u {
		c.rect(mix(wood, white, 0.06), x, 0, 9*c.u, c.h)
		c.rect(glaze(black, 0.3), x+9*c.u, 0, 4*c.u, c.h)
	}
	if c.chance(0.6) {
		c.readers(wood)
	} else {
		c.ladder(c.w*c.between(0.3, 0.7), mix(wood, rgb(0xe0b070), 0.5))
	}
}

// book stands on y and returns the room it takes.
func (c *canvas) book(x, y, h float64) float64 {
	w := c.between(12, 26) * c.u
	if c.chance(0.05) {
		return w * 1.5
	}
	col := mix(c.one(rgb(0xb8402f), rgb(0x2f5f7a), rgb(0xd9a63f), rgb(0x4f7a52), rgb(0xe9dcc0), rgb(0x7a3f5a), rgb(0x2f3a4f), rgb(0xc77a4a), rgb(0x8fa8a0)), black, c.between(0, 0.2))
	lean := 0.0
	if c.chance(0.06) {
		lean = c.between(4, 9) * c.u
	}
	c.poly(col, x+lean, y-h, x+lean+w-1, y-h, x+w-1, y, x, y)
	if lean == 0 {
		band := mix(col, rgb(0xf5e6bd), 0.6)
		c.rect(glaze(band, 0.8), x+w*0.3, y-h*0.66, w*0.3, h*0.3)
		c.rect(band, x+1, y-h*0.16, w-3, h*0.035)
		c.rect(glaze(black, 0.16), x+w*0.72, y-h, w*0.28-1, h)
	}
	return w + lean
}

func (c *canvas) readers(wood color.RGBA) {
	y := c.h * 0.86
	for i := range c.some(2, 3) {
		x := c.w * (0.14 + 0.26*float64(i) + c.between(-0.04, 0.04))
		shirt := c.one(rgb(0xd8503a), rgb(0x2f6f8f), rgb(0xe3b04b), rgb(0x5f8f6a), rgb(0xefe7d8))
		c.oval(shirt, x, y, 38*c.u, 54*c.u)
		c.rect(rgb(0xcf9a72), x-7*c.u, y-66*c.u, 14*c.u, 18*c.u)
		c.oval(c.hair(), x, y-82*c.u, 21*c.u, 23*c.u)
		c.oval(c.skin(), x, y-74*c.u, 17*c.u, 20*c.u)
		c.line(rgb(0x33241c), 2*c.u, x-9*c.u, y-74*c.u, x-4*c.u, y-73*c.u)
		c.line(rgb(0x33241c), 2*c.u, x+9*c.u, y-74*c.u, x+4*c.u, y-73*c.u)
		c.poly(rgb(0xf7f1e2), x-34*c.u, y-6*c.u, x, y+2*c.u, x+34*c.u, y-6*c.u, x+30*c.u, y-34*c.u, x, y-28*c.u, x-30*c.u, y-34*c.u)
		c.line(glaze(black, 0.35), 1.5*c.u, x, y-28*c.u, x, y+2*c.u)
	}
	c.rect(mix(wood, rgb(0xe0b070), 0.55), 0, y, c.w, c.h-y)
	c.rect(mix(wood, rgb(0xf0cf98), 0.7), 0, y, c.w, 6*c.u)
	x := c.w * 0.86
	c.poly(glaze(rgb(0xffe2a0), 0.25), x-18*c.u, y-60*c.u, x+18*c.u, y-60*c.u, x+66*c.u, y, x-66*c.u, y)
	c.line(rgb(0xc9a04a), 4*c.u, x, y, x, y-64*c.u)
	c.poly(rgb(0x2f6f5a), x-26*c.u, y-58*c.u, x-16*c.u, y-80*c.u, x+16*c.u, y-80*c.u, x+26*c.u, y-58*c.u)
}

func (c *canvas) ladder(x float64, wood color.RGBA) {
	for _, dx := range []float64{0, 56} {
		c.line(wood, 7*c.u, x+dx*c.u, c.h, x+(dx+50)*c.u, 20*c.u)
	}
	for y := 50 * c.u; y < c.h; y += 42 * c.u {
		t := (c.h - y) / (c.h - 20*c.u) * 50 * c.u
		c.line(mix(wood, black, 0.2), 5*c.u, x+t, y, x+t+56*c.u, y)
	}
}
