package sample

import "image/color"

// sky paints the sky down to the horizon, with the sun or the moon and clouds,
// and returns where the sun stands, for its light on the water.
func (c *canvas) sky(horizon float64) (sunX float64) {
	p := c.light
	c.wash(0, horizon+2, p.skyTop, p.skyMid, p.skyLow)
	if p.night {
		for range 90 {
			c.star(c.w*c.rnd.Float64(), horizon*0.75*c.rnd.Float64())
		}
	}
	sunX = c.w * c.between(0.15, 0.85)
	y, r := horizon*c.between(0.25, 0.8), c.between(17, 34)*c.u
	for i := range 9 {
		c.oval(glaze(p.sun, 0.05), sunX, y, r*(3.1-0.24*float64(i)), r*(3.1-0.24*float64(i)))
	}
	c.oval(p.sun, sunX, y, r, r)
	if !p.night || c.chance(0.4) {
		c.clouds(horizon)
	}
	return sunX
}

func (c *canvas) clouds(horizon float64) {
	for range c.some(1, 5) {
		x, y, s := c.w*c.rnd.Float64(), horizon*c.between(0.1, 0.75), c.between(40, 110)*c.u
		col := glaze(mix(c.light.skyLow, white, c.between(0, 0.45)), c.between(0.35, 0.65))
		for range c.some(4, 7) {
			rx := s * c.between(0.25, 0.6)
			c.oval(col, x+c.between(-0.8, 0.8)*s, y+c.between(-0.08, 0.1)*s, rx, rx*c.between(0.16, 0.3))
		}
	}
}

func (c *canvas) star(x, y float64) {
	r := c.between(0.5, 1.5) * c.u
	c.oval(glaze(white, c.between(0.35, 0.95)), x, y, r, r)
}

// water paints the surface from y down, with the light of the sun on it.
func (c *canvas) water(y, sunX float64) {
	p := c.light
	c.wash(y, c.h, mix(p.water, p.skyLow, 0.55), p.water, mix(p.water, p.dark, 0.45))
	for i := range 110 {
		t := c.rnd.Float64()
		depth := t * t
		at := y + depth*(c.h-y)
		l := (6 + 50*depth) * c.u * c.between(0.6, 1.4)
		col := glaze(mix(p.water, p.dark, 0.5), 0.28)
		if i%2 == 0 {
			col = glaze(mix(p.water, p.skyLow, 0.7), 0.35)
		}
		c.oval(col, c.w*c.rnd.Float64(), at, l, (0.7+2.2*depth)*c.u)
	}
	for range 46 {
		depth := c.rnd.Float64()
		at := y + depth*(c.h-y)
		x := sunX + c.between(-1, 1)*(8+34*depth)*c.u
		c.oval(glaze(p.sun, 0.6), x, at, c.between(4, 16)*c.u*(0.5+depth), (0.7+1.3*depth)*c.u)
	}
}

// window is the colour of a window in this light.
func (c *canvas) window() color.RGBA {
	if c.light.night && c.chance(0.7) {
		return mix(c.light.pale, rgb(0xffb84d), c.between(0, 0.5))
	}
	return mix(c.light.dark, c.light.skyMid, c.between(0.1, 0.35))
}

// town is a row of small houses on the line y.
func (c *canvas) town(y, s float64) {
	for x := -s; x < c.w+s; x += s * c.between(0.5, 0.9) {
		if c.chance(0.12) {
			continue
		}
		c.house(x, y, s*c.between(0.6, 1), s*c.between(0.5, 1.1))
	}
}

func (c *canvas) house(x, y, w, h float64) {
	wall := c.one(c.lit(0xf3ead7), c.lit(0xe8d3b0), c.lit(0xd9c2a8), c.lit(0xf6f1e8), c.lit(0xe5b99a))
	c.rect(wall, x, y-h, w, h)
	c.rect(mix(wall, c.light.dark, 0.25), x+w*0.72, y-h, w*0.28, h)
	c.poly(mix(c.light.accent, c.light.dark, c.between(0.05, 0.3)), x-w*0.08, y-h, x+w*0.22, y-h*1.32, x+w*0.8, y-h*1.32, x+w*1.08, y-h)
	for i := range 2 {
		c.rect(c.window(), x+w*(0.16+0.3*float64(i)), y-h*0.72, w*0.14, h*0.26)
	}
	if h > 24*c.u {
		c.rect(mix(c.light.dark, c.light.accent, 0.3), x+w*0.3, y-h*0.34, w*0.16, h*0.34)
	}
}

// crown is the leaves of a tree: dark blobs below, lighter ones above.
func (c *canvas) crown(col color.RGBA, x, y, rx, ry float64) {
	for i := range 13 {
		t := float64(i) / 12
		col := mix(mix(col, c.light.dark, 0.42), mix(col, c.light.skyLow, 0.28), t)
		r := c.between(0.28, 0.5)
		c.oval(col, x+rx*(c.between(-0.7, 0.7)-0.12*t), y+ry*(0.5-t+c.between(-0.25, 0.25)), rx*r, ry*r)
	}
}

func (c *canvas) olive(x, y, s float64) {
	trunk := mix(c.light.dark, c.lit(0x8a7358), 0.45)
	lean := c.between(-0.2, 0.2) * s
	c.curve(trunk, s*0.2, s*0.09, x, y, x-lean, y-s*0.25, x+lean, y-s*0.55)
	c.curve(trunk, s*0.12, s*0.05, x, y-s*0.2, x-s*0.1, y-s*0.35, x-s*0.3, y-s*0.5)
	c.oval(glaze(c.light.dark, 0.22), x, y, s*0.5, s*0.07)
	c.crown(mix(c.lit(0x8fa07a), c.light.land, 0.35), x+lean*0.5, y-s*0.72, s*0.58, s*0.36)
}

func (c *canvas) tree(x, y, s float64) {
	c.rect(mix(c.light.dark, c.lit(0x7a5a3c), 0.4), x-s*0.04, y-s*0.5, s*0.08, s*0.5)
	c.crown(mix(c.lit(0x5f8f4a), c.light.land, 0.5), x, y-s*0.68, s*0.36, s*0.38)
}

func (c *canvas) cypress(x, y, s float64) {
	col := mix(c.light.dark, c.light.land, 0.4)
	c.oval(col, x, y-s*0.5, s*0.13, s*0.52)
	c.oval(mix(col, c.light.land, 0.5), x-s*0.03, y-s*0.52, s*0.06, s*0.42)
}

func (c *canvas) pine(col color.RGBA, x, y, s float64) {
	c.rect(mix(col, c.light.dark, 0.5), x-s*0.03, y-s*0.15, s*0.06, s*0.17)
	for i := range 4 {
		t := float64(i)
		top, w := y-s*(0.52+0.16*t), s*(0.25-0.05*t)
		col := mix(col, c.light.skyLow, 0.05*t)
		c.poly(col, x, top, x+w, top+s*0.4, x+w*0.4, top+s*0.37, x, top+s*0.42, x-w*0.4, top+s*0.37, x-w, top+s*0.4)
	}
}

// person stands with the feet at x, y and is s high.
func (c *canvas) person(shirt, legs color.RGBA, x, y, s float64) {
	c.figure(shirt, legs, legs, x, y, s)
}

// player is a person in shorts.
func (c *canvas) player(shirt, shorts color.RGBA, x, y, s float64) {
	c.figure(shirt, shorts, c.skin(), x, y, s)
}

func (c *canvas) skin() color.RGBA {
	tone := c.one(rgb(0xd9a47c), rgb(0xe6b892), rgb(0xc98f68))
	if c.light.night {
		return mix(tone, c.light.land, 0.14)
	}
	return tone
}

func (c *canvas) figure(shirt, thighs, shins color.RGBA, x, y, s float64) {
	skin := c.skin()
	step := s * c.between(0.03, 0.14)
	c.oval(glaze(c.light.dark, 0.2), x, y, s*0.2, s*0.03)
	for _, side := range []float64{-1, 1} {
		hip, knee := x+side*s*0.04, x+side*(s*0.02+step*0.5)
		c.line(shins, s*0.08, knee, y-s*0.27, x+side*step, y-s*0.02)
		c.line(thighs, s*0.11, hip, y-s*0.46, knee, y-s*0.22)
		c.oval(c.light.dark, x+side*(step+s*0.012), y-s*0.01, s*0.055, s*0.025)
	}
	arm := s * c.between(0.1, 0.26)
	c.line(shirt, s*0.07, x-s*0.09, y-s*0.78, x-arm, y-s*c.between(0.45, 0.6))
	c.line(shirt, s*0.07, x+s*0.09, y-s*0.78, x+arm, y-s*c.between(0.45, 0.6))
	c.poly(shirt, x-s*0.13, y-s*0.82, x+s*0.13, y-s*0.82, x+s*0.1, y-s*0.43, x-s*0.1, y-s*0.43)
	c.rect(mix(skin, c.light.dark, 0.2), x-s*0.03, y-s*0.87, s*0.06, s*0.06)
	c.oval(c.hair(), x-s*0.012, y-s*0.93, s*0.082, s*0.085)
	c.oval(skin, x+s*0.012, y-s*0.908, s*0.066, s*0.076)
}

func (c *canvas) hair() color.RGBA {
	return c.one(rgb(0x2c2420), rgb(0x4a3426), rgb(0x6b4a2f), rgb(0x8d8a84))
}

// anyone is a person in everyday clothes.
func (c *canvas) anyone(x, y, s float64) {
	c.person(
		c.one(c.light.accent, c.lit(0x2f6f8f), c.lit(0xe0b04a), c.lit(0xf1ece0), c.lit(0x5f8f6a), c.lit(0x8a4f6b)),
		c.one(c.lit(0x2b3a4f), c.lit(0x4a4038), c.lit(0x6b6f73)), x, y, s)
}

// crowd fills a box with heads and shoulders in rows.
func (c *canvas) crowd(x, y, w, h, s float64, shirts ...color.RGBA) {
	for row := y; row < y+h; row += s * 1.25 {
		for at := x + c.between(0, s); at < x+w; at += s * c.between(0.95, 1.5) {
			c.oval(c.one(shirts...), at, row+s*0.5, s*0.52, s*0.5)
			c.oval(c.one(rgb(0xd9a47c), rgb(0xc28a64), rgb(0xe8bd96), rgb(0x4a3426)), at, row, s*0.28, s*0.32)
		}
	}
}
