package sample

func workshop(c *canvas) {
	wall := c.one(rgb(0xd9b98c), rgb(0x9fb0a5), rgb(0xc7a08a), rgb(0x8fa3ad), rgb(0xb7a58c))
	bench := c.h * 0.7
	c.wash(0, bench, mix(wall, white, 0.2), mix(wall, black, 0.12))
	for x := 0.0; x < c.w; x += 46 * c.u {
		c.rect(glaze(black, 0.07), x, 0, 2*c.u, bench)
	}
	c.workshopWindow(c.w*c.between(0.06, 0.2), c.h*0.12)
	c.tools(c.w*0.5, c.h*0.16)
	x := c.w * c.between(0.42, 0.58)
	c.line(rgb(0x2a2a2e), 2*c.u, x, 0, x, c.h*0.16)
	c.poly(glaze(rgb(0xffedb8), 0.22), x-20*c.u, c.h*0.2, x+20*c.u, c.h*0.2, x+190*c.u, bench, x-190*c.u, bench)
	c.poly(rgb(0x33504c), x-34*c.u, c.h*0.21, x-12*c.u, c.h*0.14, x+12*c.u, c.h*0.14, x+34*c.u, c.h*0.21)
	c.oval(rgb(0xfff3cf), x, c.h*0.212, 16*c.u, 6*c.u)
	for range c.some(1, 2) {
		c.anyone(c.w*c.between(0.2, 0.8), bench+40*c.u, 190*c.u)
	}
	wood := c.one(rgb(0xa8743f), rgb(0x8a5a34), rgb(0xbd8a55))
	c.wash(bench, c.h, mix(wood, white, 0.08), mix(wood, black, 0.35))
	c.rect(mix(wood, white, 0.3), 0, bench, c.w, 9*c.u)
	c.rect(glaze(black, 0.25), 0, bench+9*c.u, c.w, 5*c.u)
	switch c.rnd.IntN(3) {
	case 0:
		c.boatFrame(c.w*c.between(0.4, 0.6), bench, 190*c.u)
	case 1:
		for i := range c.some(4, 6) {
			c.vase(c.w*(0.14+0.15*float64(i)), bench+2*c.u, c.between(52, 92)*c.u)
		}
	default:
		for i := range c.some(5, 8) {
			c.jar(c.w*(0.1+0.11*float64(i)), bench+2*c.u, c.between(34, 54)*c.u)
		}
	}
	for range 30 { // shavings
		x, y := c.w*c.rnd.Float64(), c.h*c.between(0.76, 0.98)
		c.curve(mix(wood, rgb(0xf5dcae), 0.7), 2*c.u, 1*c.u, x, y, x+6*c.u, y-7*c.u, x+c.between(8, 14)*c.u, y+2*c.u)
	}
}

func (c *canvas) workshopWindow(x, y float64) {
	w, h := 130*c.u, 120*c.u
	c.rect(rgb(0x5a4030), x-6*c.u, y-6*c.u, w+12*c.u, h+12*c.u)
	c.rect(c.light.skyMid, x, y, w, h)
	c.rect(c.light.skyLow, x, y+h*0.4, w, h*0.3)
	c.rect(c.light.water, x, y+h*0.68, w, h*0.32)
	c.oval(c.light.sun, x+w*0.7, y+h*0.3, 11*c.u, 11*c.u)
	c.line(rgb(0x5a4030), 5*c.u, x+w/2, y, x+w/2, y+h)
	c.line(rgb(0x5a4030), 5*c.u, x, y+h/2, x+w, y+h/2)
}

// tools hang on a board: saws, hammers, planes' handles, keys.
func (c *canvas) tools(x, y float64) {
	steel, wood := rgb(0x5c666c), rgb(0x7a4f2c)
	c.rect(rgb(0x8f6f4a), x, y-14*c.u, c.w*0.46, 10*c.u)
	for i := range 7 {
		tx := x + (18+36*float64(i))*c.u
		if tx > x+c.w*0.46-16*c.u {
			return
		}
		l := c.between(44, 66) * c.u
		switch c.rnd.IntN(4) {
		case 0:
			c.line(wood, 5*c.u, tx, y, tx, y+l)
			c.rect(steel, tx-12*c.u, y+l-4*c.u, 24*c.u, 11*c.u)
		case 1:
			c.rect(wood, tx-8*c.u, y, 16*c.u, 18*c.u)
			c.poly(steel, tx-9*c.u, y+16*c.u, tx+9*c.u, y+16*c.u, tx+3*c.u, y+l+14*c.u, tx-3*c.u, y+l+14*c.u)
		case 2:
			c.line(steel, 5*c.u, tx, y+4*c.u, tx, y+l)
			c.ring(steel, tx, y+l+5*c.u, 7*c.u, 7*c.u, 4*c.u)
		case 3:
			c.line(rgb(0xb8402f), 8*c.u, tx, y, tx, y+22*c.u)
			c.line(steel, 3*c.u, tx, y+20*c.u, tx, y+l)
		}
	}
}

func (c *canvas) boatFrame(x, y, s float64) {
	plank, rib := rgb(0xc98f52), rgb(0x7a4a26)
	c.curve(rib, 9*c.u, 7*c.u, x-s, y-s*0.5, x-s*0.6, y+s*0.1, x+s*0.3, y-s*0.06)
	c.curve(rib, 7*c.u, 9*c.u, x+s*0.3, y-s*0.06, x+s*0.8, y-s*0.1, x+s*0.95, y-s*0.56)
	for i := range 8 {
		t := float64(i)/7*2 - 1
		h := s * (0.42 + 0.16*t*t)
		c.curve(rib, 5*c.u, 5*c.u, x+t*s*0.85, y-h, x+t*s*0.8, y-s*0.06, x+t*s*0.6, y-s*0.05)
	}
	for i := range 3 {
		d := float64(i) * s * 0.12
		c.curve(plank, 11*c.u, 11*c.u, x-s*(0.93-0.1*float64(i)), y-s*0.48+d, x, y-s*0.2+d, x+s*(0.93-0.1*float64(i)), y-s*0.52+d)
	}
	for _, dx := range []float64{-0.5, 0.45} {
		c.line(rgb(0x5a4030), 7*c.u, x+dx*s, y-s*0.1, x+(dx-0.1)*s, y+4*c.u)
		c.line(rgb(0x5a4030), 7*c.u, x+dx*s, y-s*0.1, x+(dx+0.1)*s, y+4*c.u)
	}
}

func (c *canvas) vase(x, y, s float64) {
	clay := c.one(rgb(0xb8603a), rgb(0x2f7f8c), rgb(0xe9dcc0), rgb(0x4f6f8a), rgb(0xd99a4a))
	c.oval(clay, x, y-s*0.4, s*0.32, s*0.4)
	c.rect(clay, x-s*0.17, y-s*0.1, s*0.34, s*0.1)
	c.rect(clay, x-s*0.12, y-s*0.95, s*0.24, s*0.3)
	c.oval(mix(clay, black, 0.3), x, y-s*0.95, s*0.17, s*0.05)
	c.rect(mix(clay, white, 0.45), x-s*0.31, y-s*0.48, s*0.62, s*0.05)
	c.rect(mix(clay, black, 0.3), x-s*0.32, y-s*0.4, s*0.64, s*0.03)
	c.oval(glaze(white, 0.25), x-s*0.14, y-s*0.5, s*0.06, s*0.2)
}

func (c *canvas) jar(x, y, s float64) {
	fill := c.one(rgb(0xd9962f), rgb(0x7f8a3a), rgb(0xb8402f), rgb(0xe0bd62))
	c.rect(glaze(white, 0.5), x-s*0.36, y-s, s*0.72, s)
	c.rect(fill, x-s*0.32, y-s*0.8, s*0.64, s*0.78)
	c.rect(rgb(0xf3ead7), x-s*0.24, y-s*0.6, s*0.48, s*0.3)
	c.rect(c.one(rgb(0xc9a04a), rgb(0xb8402f), rgb(0x5c666c)), x-s*0.38, y-s*1.14, s*0.76, s*0.18)
	c.rect(glaze(white, 0.35), x-s*0.28, y-s*0.95, s*0.07, s*0.85)
}
