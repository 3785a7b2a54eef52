package sample

import "image/color"

// slopes paints n ridges behind each other from y0 down and returns the line
// of the nearest one.
func (c *canvas) slopes(y0 float64, n int) (line []float64) {
	for i := range n {
		t := float64(i) / float64(n)
		top := mix(c.light.far, c.light.land, t)
		if i == 0 {
			top = mix(top, c.light.skyLow, 0.35)
		}
		line = c.ridge(y0+(c.h-y0)*t*0.8, (46-18*t)*c.u, (240-60*t)*c.u, top, mix(top, c.light.skyLow, 0.25-0.2*t))
	}
	return line
}

func hills(c *canvas) {
	y0 := c.h * c.between(0.3, 0.42)
	c.sky(y0 + 60*c.u)
	line := c.slopes(y0, c.some(4, 5))
	if c.chance(0.6) {
		x := c.w * c.between(0.1, 0.7)
		for range c.some(4, 8) {
			x += c.between(10, 24) * c.u
			at := x
			c.house(at, line[min(int(x), len(line)-1)]+4*c.u, 20*c.u, c.between(14, 20)*c.u)
		}
	}
	if c.chance(0.5) {
		c.road(line)
	}
	for row := c.rnd.IntN(3); row < 3; row++ {
		s := (30 + 34*float64(row)) * c.u
		for x := c.between(0, s); x < c.w+s; x += s * c.between(1.1, 2) {
			base := line[min(max(int(x), 0), len(line)-1)]
			y := base + (c.h-base)*(0.18+0.36*float64(row)) + c.between(-8, 8)*c.u
			if row == 0 && c.chance(0.2) {
				c.cypress(x, y, s*1.5)
			} else {
				c.olive(x, y, s)
			}
		}
	}
}

// road winds from the front to the nearest ridge.
func (c *canvas) road(line []float64) {
	x := c.w * c.between(0.3, 0.7)
	top := line[int(x)]
	turn := c.w * c.between(0.2, 0.8)
	middle := top + (c.h-top)*0.4
	earth := mix(c.light.land, c.light.skyLow, 0.6)
	c.curve(earth, 16*c.u, 3*c.u, turn, middle, x+(turn-x)*1.3, top+(middle-top)*0.5, x, top)
	c.curve(earth, 74*c.u, 16*c.u, c.w*c.between(0.2, 0.8), c.h*1.16, turn-(x-turn)*0.7, c.h*0.9, turn, middle)
}

func field(c *canvas) {
	horizon := c.h * c.between(0.36, 0.48)
	c.sky(horizon)
	c.ridge(horizon-16*c.u, 22*c.u, 200*c.u, mix(c.light.far, c.light.skyLow, 0.25), c.light.far)
	for x := c.between(-20, 20); x < c.w; x += c.between(9, 40) * c.u {
		c.tree(x, horizon+3*c.u, c.between(18, 36)*c.u)
	}
	soil := c.one(c.lit(0xb08a4f), c.lit(0xd1ad55), c.lit(0x8f6f4a), c.lit(0x9c9a52))
	crop := c.one(c.lit(0x7fa04a), c.lit(0x5f8c45), c.lit(0xdcc264), c.lit(0xa5b356))
	c.wash(horizon, c.h, mix(soil, c.light.skyLow, 0.3), soil)
	vx, rows := c.w*c.between(0.2, 0.8), 26
	for i := range rows {
		a := (float64(i)/float64(rows)*3 - 1) * c.w
		b := a + 3*c.w/float64(rows)*0.58
		ta, tb := vx+(a-vx)*0.06, vx+(b-vx)*0.06
		col := mix(crop, c.light.dark, 0.12*float64(i%3))
		const parts = 5 // a long slanting shape is cheaper in short pieces
		for k := range parts {
			t, u := float64(k*k)/(parts*parts), float64((k+1)*(k+1))/(parts*parts)
			y0, y1 := horizon+(c.h-horizon)*t, horizon+(c.h-horizon)*u
			c.poly(col, ta+(a-ta)*t, y0, tb+(b-tb)*t, y0, tb+(b-tb)*u, y1, ta+(a-ta)*u, y1)
		}
		for y := horizon + 8*c.u; y < c.h; y += 5*c.u + (y-horizon)*0.15 { // tufts along the row
			t := (y - horizon) / (c.h - horizon)
			x := ta + (a-ta)*t + (b-a)*t*0.5
			c.oval(glaze(mix(crop, c.light.skyLow, 0.35), 0.6), x+c.between(-2, 2), y, (1+9*t)*c.u, (0.6+3.2*t)*c.u)
		}
	}
	switch c.rnd.IntN(3) {
	case 0:
		c.tractor(c.w*c.between(0.25, 0.75), c.h*0.72, 64*c.u)
	case 1:
		for range c.some(3, 6) {
			t := c.between(0.15, 0.75)
			c.bale(c.w*c.between(0.05, 0.95), horizon+(c.h-horizon)*t, (8+30*t)*c.u)
		}
	default:
		for range c.some(2, 4) {
			c.anyone(c.w*c.between(0.1, 0.9), c.h*c.between(0.66, 0.86), c.between(44, 60)*c.u)
		}
	}
}

func (c *canvas) tractor(x, y, s float64) {
	c.oval(glaze(c.light.dark, 0.3), x, y+s*0.02, s*0.8, s*0.09)
	c.rect(c.light.dark, x+s*0.42, y-s*0.85, s*0.05, s*0.35)
	c.rect(c.light.accent, x-s*0.1, y-s*0.56, s*0.72, s*0.3)
	c.rect(mix(c.light.accent, c.light.dark, 0.4), x-s*0.1, y-s*0.32, s*0.72, s*0.08)
	c.rect(mix(c.light.skyMid, white, 0.3), x-s*0.42, y-s*0.95, s*0.42, s*0.5)
	c.rect(c.light.dark, x-s*0.48, y-s*1, s*0.54, s*0.06)
	c.line(c.light.dark, s*0.04, x-s*0.42, y-s*0.95, x-s*0.42, y-s*0.4)
	c.line(c.light.dark, s*0.04, x, y-s*0.95, x, y-s*0.4)
	c.wheel(x-s*0.26, y-s*0.3, s*0.34)
	c.wheel(x+s*0.5, y-s*0.18, s*0.2)
}

func (c *canvas) wheel(x, y, r float64) {
	c.oval(c.light.dark, x, y, r, r)
	c.oval(mix(c.light.pale, c.lit(0xe0a63a), 0.5), x, y, r*0.5, r*0.5)
	c.oval(c.light.dark, x, y, r*0.16, r*0.16)
}

func (c *canvas) bale(x, y, s float64) {
	straw := c.lit(0xe0bd62)
	c.oval(glaze(c.light.dark, 0.25), x+s*0.3, y+s*0.5, s, s*0.16)
	c.oval(mix(straw, c.light.dark, 0.3), x+s*0.45, y, s*0.55, s*0.55)
	c.oval(straw, x, y, s*0.55, s*0.55)
	c.oval(mix(straw, c.light.dark, 0.18), x, y, s*0.36, s*0.36)
	c.oval(straw, x, y, s*0.25, s*0.25)
}

func forest(c *canvas) {
	c.wash(0, c.h, mix(c.light.skyTop, c.light.skyLow, 0.4), mix(c.light.skyLow, white, 0.2), c.light.skyLow)
	for layer := range 4 {
		t := float64(layer) / 3
		col := mix(mix(c.light.far, c.light.skyLow, 0.45), mix(c.light.land, c.light.dark, 0.45), t)
		base := c.h * (0.56 + 0.1*t)
		line := c.ridge(base, 14*c.u, 160*c.u, mix(col, c.light.skyLow, 0.15), mix(col, c.light.skyLow, 0.3*(1-t)))
		s := (110 + 110*t) * c.u
		for x := c.between(-20, 20); x < c.w+20; x += s * c.between(0.2, 0.42) {
			c.pine(mix(col, c.light.dark, c.between(0, 0.15)), x, line[min(max(int(x), 0), len(line)-1)]+8*c.u, s*c.between(0.7, 1.2))
		}
	}
	c.clearing()
	if c.chance(0.5) {
		for range c.some(1, 3) {
			c.anyone(c.w*c.between(0.3, 0.7), c.h*c.between(0.86, 0.95), c.between(42, 56)*c.u)
		}
	}
	for _, x := range []float64{c.between(0.02, 0.2), c.between(0.8, 0.98)} {
		bark := mix(c.light.dark, c.lit(0x7a4f38), 0.4)
		w := c.between(16, 30) * c.u
		c.poly(bark, x*c.w-w*0.4, 0, x*c.w+w*0.4, 0, x*c.w+w*0.6, c.h*0.9, x*c.w+w, c.h, x*c.w-w, c.h, x*c.w-w*0.6, c.h*0.9)
		for range 14 {
			y := c.h * c.rnd.Float64()
			c.line(glaze(c.light.accent, 0.28), 2*c.u, x*c.w+c.between(-0.4, 0.2)*w, y, x*c.w+c.between(-0.4, 0.3)*w, y+26*c.u)
		}
	}
}

// clearing is the ground in front of the trees, with a path and ferns.
func (c *canvas) clearing() {
	ground := mix(c.light.land, c.lit(0x8b7a4b), 0.35)
	c.ridge(c.h*0.76, 8*c.u, 190*c.u, mix(ground, c.light.skyLow, 0.3), mix(ground, c.light.dark, 0.4))
	path := mix(ground, c.light.skyLow, 0.45)
	c.curve(path, 96*c.u, 8*c.u, c.w*c.between(0.4, 0.6), c.h*1.06, c.w*c.between(0.3, 0.7), c.h*0.86, c.w*c.between(0.4, 0.6), c.h*0.765)
	for range 34 {
		x, y := c.w*c.rnd.Float64(), c.h*c.between(0.84, 1.02)
		col := mix(mix(c.light.land, c.lit(0x86a84e), 0.5), c.light.dark, c.between(0, 0.4))
		for i := range 5 {
			lean := (float64(i) - 2) * 7 * c.u
			c.curve(col, 2.4*c.u, 0.6*c.u, x, y, x+lean*0.5, y-13*c.u, x+lean*1.6, y-c.between(8, 18)*c.u)
		}
	}
}

func garden(c *canvas) {
	c.sky(c.h * 0.5)
	c.ridge(c.h*0.36, 30*c.u, 190*c.u, c.light.far, mix(c.light.far, c.light.skyLow, 0.3))
	for x := c.between(-10, 20); x < c.w; x += c.between(36, 70) * c.u {
		c.tree(x, c.h*0.52, c.between(70, 120)*c.u)
	}
	lawn := mix(c.lit(0x8bb15c), c.light.land, 0.3)
	c.ridge(c.h*0.5, 5*c.u, 200*c.u, mix(lawn, c.light.skyLow, 0.25), mix(lawn, c.light.dark, 0.25))
	if c.chance(0.5) {
		for i := range c.some(3, 6) { // beehives
			x := c.w * (0.12 + 0.15*float64(i))
			c.hive(x, c.h*c.between(0.57, 0.64), 30*c.u)
		}
	} else {
		c.fence(c.h*0.57, 26*c.u)
		c.anyone(c.w*c.between(0.2, 0.8), c.h*0.68, 78*c.u)
	}
	petals := []color.RGBA{c.light.accent, c.lit(0xf3c84b), c.lit(0xf6f0e4), c.lit(0xb56fb0), c.lit(0xe98aa0)}
	for row := range 5 {
		t := float64(row) / 4
		for x := c.between(-5, 10); x < c.w; x += c.between(9, 17) * c.u * (0.8 + t) {
			y := c.h*(0.7+0.09*float64(row)) + c.between(-9, 9)*c.u
			c.flower(c.one(petals...), x, y, (12+20*t)*c.u*c.between(0.8, 1.2))
		}
	}
}

func (c *canvas) hive(x, y, s float64) {
	box := c.one(c.lit(0xf1e6c8), c.lit(0x86b3c8), c.lit(0xe6b04a), c.lit(0xd98a6a))
	c.rect(box, x-s*0.5, y-s, s, s)
	c.rect(mix(box, c.light.dark, 0.25), x-s*0.5, y-s*0.52, s, s*0.06)
	c.rect(mix(c.light.pale, c.light.far, 0.4), x-s*0.58, y-s*1.12, s*1.16, s*0.14)
	c.rect(c.light.dark, x-s*0.22, y-s*0.16, s*0.44, s*0.08)
	for range 5 {
		c.oval(c.light.dark, x+c.between(-1.2, 1.2)*s, y-c.between(0.4, 1.9)*s, 1.4*c.u, 1.1*c.u)
	}
}

func (c *canvas) fence(y, s float64) {
	wood := mix(c.light.pale, c.light.far, 0.15)
	c.rect(wood, 0, y-s*0.8, c.w, s*0.12)
	c.rect(wood, 0, y-s*0.35, c.w, s*0.12)
	for x := 0.0; x < c.w; x += s * 0.5 {
		c.poly(wood, x, y, x, y-s*0.95, x+s*0.11, y-s*1.1, x+s*0.22, y-s*0.95, x+s*0.22, y)
	}
}

func (c *canvas) flower(col color.RGBA, x, y, s float64) {
	stem := mix(c.light.land, c.light.dark, c.between(0.1, 0.5))
	c.curve(stem, s*0.12, s*0.08, x, y+s, x+s*0.15, y+s*0.5, x, y)
	c.curve(stem, s*0.24, s*0.02, x, y+s*0.8, x+s*0.4, y+s*0.6, x+s*0.55, y+s*0.3)
	for i := range 6 {
		a := 2 * (i*64/6 + 3)
		c.oval(mix(col, c.light.dark, 0.1*float64(i%2)), x+s*0.22*circle[a], y+s*0.2*circle[a+1], s*0.19, s*0.17)
	}
	c.oval(c.lit(0xe8b23c), x, y, s*0.13, s*0.12)
}
