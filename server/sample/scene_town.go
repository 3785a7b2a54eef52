package sample

import "image/color"

func city(c *canvas) {
	horizon := c.h * c.between(0.66, 0.8)
	sx := c.sky(horizon)
	c.ridge(horizon*0.62, 34*c.u, 240*c.u, mix(c.light.far, c.light.skyLow, 0.4), c.light.far)
	for layer := range 3 {
		t := float64(layer) / 2
		for x := c.between(-30, 0); x < c.w; {
			w := c.between(26, 58) * c.u
			h := c.between(60, 150) * c.u * (1.1 - 0.45*t)
			wall := c.one(c.lit(0xe2d3bd), c.lit(0xd9a58a), c.lit(0xf0e6d4), c.lit(0xb9c4c0), c.lit(0xe0c08a))
			c.block(x, horizon, w, h, mix(mix(c.light.far, c.light.skyLow, 0.3), wall, 0.2+0.65*t), t)
			x += w * c.between(0.8, 1.15)
		}
	}
	if c.chance(0.5) {
		c.clockTower(c.w*c.between(0.2, 0.8), horizon, c.between(150, 200)*c.u)
	}
	if c.chance(0.6) {
		c.water(horizon, sx)
		return
	}
	c.wash(horizon, c.h, mix(c.light.land, c.light.skyLow, 0.2), mix(c.light.land, c.light.dark, 0.4))
	for x := c.between(0, 20); x < c.w; x += c.between(26, 56) * c.u {
		c.tree(x, horizon+c.between(8, 40)*c.u, c.between(44, 80)*c.u)
	}
	for range c.some(3, 7) {
		c.anyone(c.w*c.rnd.Float64(), horizon+(c.h-horizon)*c.between(0.55, 0.9), c.between(30, 42)*c.u)
	}
}

// block is a building; near is 0 for the haze and 1 for the front row.
func (c *canvas) block(x, y, w, h float64, wall color.RGBA, near float64) {
	c.rect(wall, x, y-h, w, h)
	c.rect(glaze(c.light.dark, 0.14), x+w*0.75, y-h, w*0.25, h)
	if near > 0.4 && c.chance(0.6) {
		c.poly(mix(c.light.accent, c.light.dark, 0.2), x-2*c.u, y-h, x+w*0.2, y-h-12*c.u, x+w*0.8, y-h-12*c.u, x+w+2*c.u, y-h)
	} else if c.chance(0.4) {
		c.rect(mix(wall, c.light.dark, 0.3), x+w*0.3, y-h-8*c.u, w*0.2, 8*c.u)
	}
	cw, ch := 10*c.u, 14*c.u
	for wy := y - h + 7*c.u; wy < y-10*c.u; wy += ch {
		for wx := x + 4*c.u; wx < x+w-7*c.u; wx += cw {
			c.rect(mix(wall, c.window(), 0.35+0.55*near), wx, wy, 5*c.u, 7.5*c.u)
		}
	}
}

func (c *canvas) clockTower(x, y, s float64) {
	stone := c.lit(0xe9dcc3)
	c.rect(stone, x-s*0.09, y-s*0.8, s*0.18, s*0.8)
	c.rect(glaze(c.light.dark, 0.18), x+s*0.03, y-s*0.8, s*0.06, s*0.8)
	c.rect(mix(stone, c.light.dark, 0.2), x-s*0.11, y-s*0.82, s*0.22, s*0.035)
	c.rect(mix(stone, c.light.dark, 0.2), x-s*0.11, y-s*0.56, s*0.22, s*0.025)
	c.poly(mix(c.light.accent, c.light.dark, 0.15), x-s*0.11, y-s*0.82, x, y-s, x+s*0.11, y-s*0.82)
	c.oval(c.light.dark, x, y-s*0.68, s*0.07, s*0.07)
	c.oval(c.light.pale, x, y-s*0.68, s*0.058, s*0.058)
	c.line(c.light.dark, 1.6*c.u, x, y-s*0.68, x, y-s*0.72)
	c.line(c.light.dark, 1.6*c.u, x, y-s*0.68, x+s*0.028, y-s*0.67)
	for i := range 3 {
		c.rect(c.window(), x-s*0.02, y-s*(0.46-0.14*float64(i)), s*0.04, s*0.07)
	}
}

func street(c *canvas) {
	ground := c.h * 0.8
	c.sky(c.h * 0.5)
	for x := c.between(-40, -5) * c.u; x < c.w; {
		w := c.between(86, 128) * c.u
		c.facade(x, ground, w, c.between(190, 260)*c.u)
		x += w
	}
	paving := mix(c.light.far, c.light.pale, 0.35)
	c.wash(ground, c.h, mix(paving, c.light.dark, 0.15), paving)
	for i := range 5 {
		y := ground + (c.h-ground)*float64(i*i)/25
		c.line(glaze(c.light.dark, 0.16), 1.2*c.u, 0, y, c.w, y)
		for x := c.between(0, 40) * c.u; x < c.w; x += (24 + 14*float64(i)) * c.u {
			c.line(glaze(c.light.dark, 0.12), 1.2*c.u, x, y, x+(x-c.w/2)*0.05, y+(c.h-ground)*float64(2*i+1)/25)
		}
	}
	if c.chance(0.6) {
		c.tree(c.w*c.between(0.1, 0.9), ground+12*c.u, c.between(150, 190)*c.u)
	}
	c.lamp(c.w*c.between(0.1, 0.9), ground+14*c.u, 150*c.u)
	for range c.some(3, 7) {
		c.anyone(c.w*c.between(0.04, 0.96), ground+c.between(10, 50)*c.u, c.between(62, 78)*c.u)
	}
	if c.chance(0.5) {
		c.bicycle(c.w*c.between(0.15, 0.85), ground+58*c.u, 40*c.u)
	}
}

func (c *canvas) facade(x, y, w, h float64) {
	wall := c.one(c.lit(0xe8c9a0), c.lit(0xd98f73), c.lit(0xf0e2c6), c.lit(0x9fb8a8), c.lit(0xc9d3d6), c.lit(0xe5b8a8), c.lit(0xb9a0b0))
	trim := mix(wall, white, 0.5)
	if c.light.night {
		trim = mix(wall, c.light.skyLow, 0.3)
	}
	c.rect(wall, x, y-h, w, h)
	c.poly(mix(c.light.accent, c.light.dark, 0.25), x-3*c.u, y-h, x+w*0.1, y-h-22*c.u, x+w*0.9, y-h-22*c.u, x+w+3*c.u, y-h)
	c.rect(trim, x, y-h, w, 5*c.u)
	shutter := c.one(c.lit(0x4f7f86), c.lit(0x6b8a4f), c.lit(0x8f4a3a), c.lit(0x3f5a78))
	for wy := y - h + 20*c.u; wy < y-104*c.u; wy += 54 * c.u {
		for i := range 2 {
			wx := x + w*(0.17+0.42*float64(i))
			c.rect(trim, wx-2*c.u, wy-2*c.u, w*0.2+4*c.u, 36*c.u)
			c.rect(c.window(), wx, wy, w*0.2, 32*c.u)
			c.rect(shutter, wx-w*0.09, wy-1*c.u, w*0.08, 34*c.u)
			c.rect(shutter, wx+w*0.21, wy-1*c.u, w*0.08, 34*c.u)
			c.line(trim, 1.4*c.u, wx+w*0.1, wy, wx+w*0.1, wy+32*c.u)
			if c.chance(0.3) {
				c.crown(c.lit(0x6f9a55), wx+w*0.1, wy+34*c.u, w*0.12, 8*c.u)
			}
		}
	}
	c.shop(x, y, w)
}

// shop is the ground floor: a door, a window and an awning.
func (c *canvas) shop(x, y, w float64) {
	c.rect(mix(c.window(), c.light.pale, 0.15), x+w*0.1, y-62*c.u, w*0.48, 50*c.u)
	for i := range 6 {
		c.rect(glaze(c.one(c.light.accent, c.lit(0xe3b04b), c.lit(0x7a9a5a), c.lit(0xf0e6d0)), 0.85), x+w*(0.13+0.07*float64(i)), y-c.between(22, 34)*c.u, w*0.05, 12*c.u)
	}
	c.rect(mix(c.light.dark, c.light.accent, 0.2), x+w*0.66, y-64*c.u, w*0.22, 64*c.u)
	c.rect(c.window(), x+w*0.69, y-58*c.u, w*0.16, 26*c.u)
	stripe := c.one(c.light.accent, c.lit(0x3f7f8c), c.lit(0xe0a63a), c.lit(0x5f8a5a))
	for i := range 8 {
		col := stripe
		if i%2 == 1 {
			col = c.lit(0xf6f0e2)
		}
		a, b := x+w*(0.06+0.11*float64(i)), x+w*(0.06+0.11*float64(i+1))
		c.poly(col, a+1, y-84*c.u, b, y-84*c.u, b+(b-x-w/2)*0.05, y-66*c.u, a+(a-x-w/2)*0.05, y-66*c.u)
		c.oval(col, (a+b)/2+((a+b)/2-x-w/2)*0.05, y-66*c.u, w*0.056, 5*c.u)
	}
}

func (c *canvas) lamp(x, y, s float64) {
	c.line(c.light.dark, s*0.03, x, y, x, y-s)
	c.rect(c.light.dark, x-s*0.05, y-s*0.06, s*0.1, s*0.06)
	if c.light.night {
		for i := range 4 {
			c.oval(glaze(c.light.pale, 0.1), x, y-s*1.04, s*0.3*float64(i+1)*0.5, s*0.3*float64(i+1)*0.5)
		}
	}
	c.oval(mix(c.light.pale, rgb(0xffe2a0), 0.5), x, y-s*1.04, s*0.065, s*0.075)
	c.poly(c.light.dark, x-s*0.08, y-s*1.09, x, y-s*1.17, x+s*0.08, y-s*1.09)
}

func (c *canvas) bicycle(x, y, s float64) {
	frame := c.light.accent
	for _, dx := range []float64{-0.5, 0.5} {
		c.oval(c.light.dark, x+dx*s, y-s*0.3, s*0.32, s*0.32)
		c.oval(mix(c.light.far, c.light.pale, 0.35), x+dx*s, y-s*0.3, s*0.27, s*0.27)
		c.oval(c.light.dark, x+dx*s, y-s*0.3, s*0.04, s*0.04)
	}
	for _, l := range [][4]float64{{-0.5, 0.3, -0.2, 0.78}, {-0.5, 0.3, 0, 0.3}, {0, 0.3, -0.2, 0.78}, {-0.2, 0.74, 0.36, 0.78}, {0, 0.3, 0.36, 0.78}, {0.5, 0.3, 0.33, 0.92}} {
		c.line(frame, s*0.05, x+l[0]*s, y-l[1]*s, x+l[2]*s, y-l[3]*s)
	}
	c.line(c.light.dark, s*0.07, x-s*0.32, y-s*0.82, x-s*0.1, y-s*0.82)
	c.line(c.light.dark, s*0.05, x+s*0.33, y-s*0.94, x+s*0.18, y-s)
}

func train(c *canvas) {
	y0 := c.h * c.between(0.3, 0.4)
	c.sky(y0 + 50*c.u)
	c.slopes(y0, 3)
	rail := c.h * c.between(0.66, 0.72)
	if c.chance(0.5) {
		c.viaduct(rail)
	} else {
		c.embankment(rail)
	}
	body := c.one(c.light.accent, c.lit(0x2f6b86), c.lit(0xf1ead9), c.lit(0x3f7a5f), c.lit(0xe0a63a))
	head := c.w * c.between(0.66, 0.9)
	for i := range 6 {
		c.wagon(body, head-float64(i)*124*c.u, rail, i == 0)
	}
	for x := c.between(0, 100) * c.u; x < c.w; x += 150 * c.u {
		c.line(c.light.dark, 3*c.u, x, rail+4*c.u, x, rail-92*c.u)
		c.line(c.light.dark, 2.4*c.u, x, rail-86*c.u, x+26*c.u, rail-80*c.u)
	}
	c.line(c.light.dark, 1.2*c.u, 0, rail-76*c.u, c.w, rail-76*c.u)
	c.line(c.light.dark, 0.9*c.u, 0, rail-88*c.u, c.w, rail-88*c.u)
}

// wagon is drawn from its right end at x; the leading one has a sloped nose.
func (c *canvas) wagon(body color.RGBA, x, y float64, leads bool) {
	w, h, u := 120*c.u, 46*c.u, c.u
	for _, dx := range []float64{18, 36, 84, 102} {
		c.oval(c.light.dark, x-dx*u, y-5*u, 6*u, 6*u)
	}
	nose := 0.0
	if leads {
		nose = 26 * u
	}
	c.poly(body, x-w, y-h-8*u, x-nose, y-h-8*u, x, y-22*u, x, y-8*u, x-w, y-8*u)
	c.rect(mix(body, c.light.dark, 0.45), x-w, y-13*u, w, 5*u)
	c.rect(mix(body, c.light.pale, 0.6), x-w, y-24*u, w, 4*u)
	c.rect(mix(c.light.far, c.light.dark, 0.3), x-w, y-h-11*u, w-nose, 4*u)
	for i := range 6 {
		c.rect(c.window(), x-w+(9+16*float64(i))*u, y-45*u, 12*u, 16*u)
	}
	if leads {
		c.poly(mix(c.light.dark, c.light.skyMid, 0.4), x-nose+3*u, y-h-4*u, x-8*u, y-28*u, x-24*u, y-28*u, x-24*u, y-h-4*u)
		c.oval(c.light.sun, x-5*u, y-17*u, 3*u, 3*u)
	}
	c.rect(c.light.dark, x-w-4*u, y-40*u, 4*u, 30*u)
}

func (c *canvas) viaduct(y float64) {
	stone := mix(c.lit(0xcbb592), c.light.land, 0.25)
	c.ridge(c.h*0.93, 14*c.u, 170*c.u, c.light.land, mix(c.light.land, c.light.dark, 0.5))
	w := 84 * c.u
	for x := c.between(-w, 0); x < c.w; x += w {
		c.rect(stone, x, y, 20*c.u, c.h-y)
		c.rect(glaze(c.light.dark, 0.2), x+13*c.u, y, 7*c.u, c.h-y)
		arch := []float64{x + 20*c.u, y, x + w, y, x + w, y + 44*c.u}
		for i := 0; i <= 32; i += 2 { // the lower side of the span is a half circle
			arch = append(arch, x+(20+32)*c.u+32*c.u*circle[2*i], y+44*c.u-34*c.u*circle[2*i+1])
		}
		c.poly(stone, append(arch, x+20*c.u, y+44*c.u)...)
	}
	c.rect(mix(stone, c.light.pale, 0.3), 0, y-2*c.u, c.w, 8*c.u)
	c.ridge(c.h*0.97, 8*c.u, 120*c.u, mix(c.light.land, c.light.dark, 0.3), c.light.dark)
}

func (c *canvas) embankment(y float64) {
	c.wash(y+6*c.u, c.h, mix(c.light.land, c.light.skyLow, 0.15), mix(c.light.land, c.light.dark, 0.45))
	c.rect(mix(c.light.far, c.light.dark, 0.3), 0, y+2*c.u, c.w, 9*c.u)
	for x := 0.0; x < c.w; x += 11 * c.u {
		c.rect(c.light.dark, x, y+3*c.u, 6*c.u, 3*c.u)
	}
	c.rect(mix(c.light.pale, c.light.far, 0.4), 0, y, c.w, 2.4*c.u)
	for row := range 3 {
		for x := c.between(0, 30) * c.u; x < c.w; x += c.between(16, 46) * c.u {
			c.crown(mix(c.light.land, c.lit(0x8fa552), 0.4), x, y+(26+30*float64(row))*c.u, c.between(10, 22)*c.u, c.between(8, 14)*c.u)
		}
	}
}
