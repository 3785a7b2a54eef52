package sample

import "image/color"

func stadium(c *canvas) {
	c.sky(c.h * 0.4)
	stand := c.h * 0.2
	steel := mix(c.light.far, c.light.dark, 0.45)
	for _, x := range []float64{0.08, 0.92} {
		c.line(steel, 5*c.u, c.w*x, c.h*0.4, c.w*x, c.h*0.04)
		c.rect(steel, c.w*x-26*c.u, c.h*0.03, 52*c.u, 22*c.u)
		for i := range 8 {
			c.oval(mix(c.light.sun, white, 0.5), c.w*x-20*c.u+float64(i%4)*13*c.u, c.h*0.03+(6+10*float64(i/4))*c.u, 4*c.u, 4*c.u)
		}
	}
	c.poly(steel, -10, stand+14*c.u, c.w*0.5, stand-14*c.u, c.w+10, stand+14*c.u, c.w+10, stand+26*c.u, c.w*0.5, stand, -10, stand+26*c.u)
	c.wash(stand+22*c.u, c.h*0.47, mix(steel, c.light.far, 0.3), mix(steel, c.light.dark, 0.3))
	c.crowd(0, stand+30*c.u, c.w, c.h*0.47-stand-36*c.u, 11*c.u, white, rgb(0x1f3a68), rgb(0x27477d), rgb(0xe9edf3), c.light.accent)
	for x := 0.0; x < c.w; x += 60 * c.u {
		c.rect(c.one(rgb(0x1f3a68), rgb(0xf3efe4), c.light.accent, rgb(0xe3b04b), rgb(0x3f7f6a)), x, c.h*0.47-10*c.u, 58*c.u, 12*c.u)
	}
	c.pitch(c.h * 0.47)
	for i := range c.some(8, 12) {
		t := c.between(0.06, 0.9)
		shirt, shorts := rgb(0xf4f5f7), rgb(0x1f3a68)
		if i%2 == 1 {
			shirt, shorts = c.one(rgb(0xd8503a), rgb(0xe9b23f)), rgb(0x2a2a30)
		}
		c.player(shirt, shorts, c.w*c.between(0.06, 0.94), c.h*(0.48+0.5*t), (24+44*t)*c.u)
	}
	c.oval(white, c.w*c.between(0.3, 0.7), c.h*c.between(0.6, 0.85), 3.6*c.u, 3.6*c.u)
}

// pitch is the grass from y down, mown in stripes, with its lines.
func (c *canvas) pitch(y float64) {
	grass := mix(rgb(0x4f9a4a), c.light.land, 0.25)
	for i := range 12 {
		a, b := float64(i)/12, float64(i+1)/12
		col := mix(grass, white, 0.09*float64(i%2))
		far := func(t float64) float64 { return c.w * (0.5 + (t-0.5)*1.1) }
		near := func(t float64) float64 { return c.w * (0.5 + (t-0.5)*2.3) }
		c.poly(col, far(a), y, far(b)+1, y, near(b)+1, c.h, near(a), c.h)
	}
	chalk := glaze(white, 0.8)
	c.line(chalk, 2*c.u, 0, y+7*c.u, c.w, y+7*c.u)
	c.line(chalk, 2.6*c.u, c.w*0.5, y+7*c.u, c.w*0.5, c.h)
	c.ring(chalk, c.w*0.5, y+(c.h-y)*0.42, 92*c.u, 40*c.u, 2.4*c.u)
	for _, side := range []float64{-1, 1} {
		x := c.w*0.5 + side*c.w*0.46
		c.line(chalk, 2.2*c.u, x-side*60*c.u, y+(c.h-y)*0.18, x+side*80*c.u, y+(c.h-y)*0.18)
		c.line(chalk, 2.2*c.u, x-side*60*c.u, y+(c.h-y)*0.18, x-side*30*c.u, y+(c.h-y)*0.66)
		c.line(chalk, 2.2*c.u, x-side*30*c.u, y+(c.h-y)*0.66, x+side*80*c.u, y+(c.h-y)*0.66)
	}
}

func court(c *canvas) {
	wall := c.one(rgb(0x27405e), rgb(0x5b3f58), rgb(0x2f5a57), rgb(0x6b4a3a))
	floor := c.h * 0.52
	c.wash(0, floor, mix(wall, black, 0.5), wall)
	for i := range 6 { // lamps under the roof
		x := c.w * (float64(i) + 0.5) / 6
		c.poly(glaze(rgb(0xfff3cf), 0.07), x-8*c.u, 12*c.u, x+8*c.u, 12*c.u, x+74*c.u, floor, x-74*c.u, floor)
		c.rect(rgb(0xfff3cf), x-16*c.u, 8*c.u, 32*c.u, 6*c.u)
	}
	dim := func(hex uint32) color.RGBA { return mix(rgb(hex), mix(wall, black, 0.4), 0.55) }
	c.crowd(0, c.h*0.24, c.w, floor-c.h*0.24-24*c.u, 14*c.u, dim(0xe9e2d2), dim(0xc9503a), dim(0x2f6f8f), dim(0xe0a63a), dim(0x6a7f8a), mix(wall, black, 0.3))
	c.rect(mix(wall, white, 0.75), 0, floor-16*c.u, c.w, 16*c.u)
	for x := c.between(0, 40); x < c.w; x += c.between(70, 120) * c.u {
		c.rect(c.one(rgb(0xc9503a), rgb(0x2f6f8f), rgb(0xe0a63a), rgb(0x3f7a5f)), x, floor-13*c.u, c.between(30, 60)*c.u, 10*c.u)
	}
	wood := c.one(rgb(0xd9a566), rgb(0xcf9350), rgb(0xe0b57c))
	c.wash(floor, c.h, mix(wood, white, 0.12), mix(wood, rgb(0x6b3f1f), 0.35))
	for i := range 30 {
		x := c.w * (float64(i)/15 - 0.5)
		c.line(glaze(rgb(0x6b3f1f), 0.14), 1*c.u, c.w*0.5+(x-c.w*0.5)*0.55, floor, x, c.h)
	}
	paint := mix(wall, rgb(0xc9503a), c.between(0, 0.8))
	c.poly(glaze(paint, 0.85), c.w*0.62, floor+8*c.u, c.w*0.97, floor+8*c.u, c.w*1.02, c.h*0.8, c.w*0.58, c.h*0.8)
	c.ring(glaze(white, 0.85), c.w*0.8, c.h*0.8, 96*c.u, 26*c.u, 2.4*c.u)
	c.line(glaze(white, 0.85), 2.4*c.u, 0, floor+8*c.u, c.w, floor+8*c.u)
	c.ring(glaze(white, 0.85), c.w*0.12, c.h*0.78, 90*c.u, 40*c.u, 2.4*c.u)
	c.hoop(c.w*0.8, floor+14*c.u, 190*c.u)
	c.ballPlayers(floor)
}

func (c *canvas) hoop(x, y, s float64) {
	c.line(rgb(0x3a4048), s*0.05, x+s*0.1, y, x+s*0.1, y-s*0.75)
	c.rect(rgb(0x2f3a44), x, y-s*0.08, s*0.22, s*0.1)
	c.rect(rgb(0xf3f1ea), x-s*0.24, y-s, s*0.48, s*0.32)
	for _, r := range [][4]float64{{0.24, 1, 0.48, 0.015}, {0.24, 0.695, 0.48, 0.015}, {0.1, 0.86, 0.2, 0.012}} {
		c.rect(rgb(0xc9402e), x-s*r[0], y-s*r[1], s*r[2], s*r[3])
	}
	c.line(rgb(0xc9402e), s*0.012, x-s*0.1, y-s*0.86, x-s*0.1, y-s*0.74)
	c.line(rgb(0xc9402e), s*0.012, x+s*0.1, y-s*0.86, x+s*0.1, y-s*0.74)
	for i := range 7 {
		t := float64(i)/6*2 - 1
		c.line(glaze(white, 0.85), 1.3*c.u, x+t*s*0.1, y-s*0.7, x+t*s*0.06+s*0.02, y-s*0.54)
		c.line(glaze(white, 0.85), 1.3*c.u, x+t*s*0.1, y-s*0.7, x+t*s*0.06-s*0.02, y-s*0.54)
	}
	c.ring(rgb(0xe5602f), x, y-s*0.7, s*0.11, s*0.025, s*0.018)
}

func (c *canvas) ballPlayers(floor float64) {
	home, away := c.one(rgb(0xf2f2f0), rgb(0x1f3a68)), c.one(rgb(0xd8503a), rgb(0xe3a93c), rgb(0x3f7a5f))
	n := c.some(5, 8)
	for i := range n {
		x := c.w * (0.06 + 0.88*(float64(i)+c.between(0.2, 0.8))/float64(n))
		y := floor + (c.h-floor)*c.between(0.3, 0.9)
		shirt := home
		if i%2 == 1 {
			shirt = away
		}
		s := (66 + 40*(y-floor)/(c.h-floor)) * c.u
		c.player(shirt, mix(shirt, black, 0.35), x, y, s)
		if i == n/2 {
			c.oval(rgb(0xe07a34), x+s*0.25, y-s*1.1, s*0.1, s*0.1)
			c.line(rgb(0x5a2c14), s*0.012, x+s*0.16, y-s*1.13, x+s*0.34, y-s*1.07)
		}
	}
}
