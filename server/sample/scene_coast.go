package sample

import "image/color"

func harbour(c *canvas) {
	horizon := c.h * c.between(0.46, 0.56)
	sx := c.sky(horizon)
	c.ridge(horizon-c.between(20, 60)*c.u, 30*c.u, 220*c.u, mix(c.light.far, c.light.skyLow, 0.35), c.light.far)
	if c.chance(0.55) {
		c.town(horizon, 26*c.u)
	}
	c.water(horizon, sx)
	if c.chance(0.6) {
		c.quay(horizon + 16*c.u)
	} else {
		c.breakwater(horizon + 20*c.u)
	}
	n := c.some(2, 4)
	for i := range n {
		x := c.w * (float64(i) + c.between(0.25, 0.75)) / float64(n)
		y := horizon + (c.h-horizon)*c.between(0.3, 0.42) + float64(i%2)*62*c.u
		c.fishingBoat(x, y, c.between(44, 66)*c.u)
	}
}

func sea(c *canvas) {
	if c.seed%4 == 1 {
		underwater(c)
		return
	}
	horizon := c.h * c.between(0.36, 0.56)
	sx := c.sky(horizon)
	if c.chance(0.75) {
		c.ridge(horizon-c.between(6, 26)*c.u, 34*c.u, 260*c.u, mix(c.light.far, c.light.skyLow, 0.3), c.light.far)
	}
	c.water(horizon, sx)
	if c.chance(0.4) {
		c.ferry(c.w*c.between(0.2, 0.8), horizon+10*c.u, 70*c.u)
	}
	c.waves(horizon)
	for range c.some(3, 8) {
		c.gull(c.w*c.rnd.Float64(), horizon*c.between(0.25, 0.85), c.between(5, 11)*c.u)
	}
}

func sailing(c *canvas) {
	horizon := c.h * c.between(0.42, 0.55)
	sx := c.sky(horizon)
	c.ridge(horizon-c.between(8, 40)*c.u, 30*c.u, 200*c.u, mix(c.light.far, c.light.skyLow, 0.3), c.light.far)
	c.water(horizon, sx)
	n := c.some(4, 7)
	for i := range n { // from far to near
		t := float64(i) / float64(n)
		x := c.w * c.between(0.06, 0.94)
		c.sailboat(x, horizon+(4+170*t*t)*c.u, (22+110*t*t)*c.u)
	}
	for range c.some(1, 3) {
		x, y := c.w*c.rnd.Float64(), horizon+(c.h-horizon)*c.between(0.3, 0.9)
		c.poly(c.light.accent, x-7*c.u, y, x-2*c.u, y-18*c.u, x+2*c.u, y-18*c.u, x+7*c.u, y)
		c.oval(glaze(c.light.dark, 0.3), x, y, 10*c.u, 2.4*c.u)
	}
	for range c.some(0, 5) {
		c.gull(c.w*c.rnd.Float64(), horizon*c.between(0.3, 0.9), c.between(5, 10)*c.u)
	}
}

func underwater(c *canvas) {
	deep := mix(rgb(0x0b3c5a), c.light.water, 0.25)
	c.wash(0, c.h, mix(rgb(0x7fd0d0), c.light.skyLow, 0.3), mix(rgb(0x2f93a5), c.light.water, 0.3), deep)
	for range 7 { // rays of light
		x := c.w * c.rnd.Float64()
		c.poly(glaze(white, 0.07), x, 0, x+30*c.u, 0, x+150*c.u, c.h*0.9, x-10*c.u, c.h*0.9)
	}
	for layer := range 3 {
		t := float64(layer) / 2
		sand := c.ridge(c.h*(0.78+0.08*t), 22*c.u, 180*c.u, mix(rgb(0x5aa7a0), rgb(0x8a8f63), t), deep)
		green := mix(rgb(0x3f9483), rgb(0x12493f), t)
		for range 60 {
			x := c.rnd.IntN(len(sand))
			c.blade(mix(green, rgb(0x9ac45c), c.between(0, 0.35)), float64(x), sand[x]+6*c.u, c.between(50, 120)*c.u*(0.6+0.5*t))
		}
		for range c.some(3, 6) {
			c.fish(c.w*c.rnd.Float64(), c.h*c.between(0.15, 0.7), c.between(9, 20)*c.u)
		}
	}
	for range 24 {
		c.oval(glaze(white, 0.3), c.w*c.between(0.3, 0.5), c.h*c.rnd.Float64(), c.between(1, 3)*c.u, c.between(1, 3)*c.u)
	}
}

func (c *canvas) blade(col color.RGBA, x, y, l float64) {
	lean := c.between(-0.4, 0.5) * l
	c.curve(col, 5*c.u, 1*c.u, x, y, x-lean*0.3, y-l*0.6, x+lean, y-l)
}

func (c *canvas) fish(x, y, s float64) {
	col := c.one(rgb(0xf2b35c), rgb(0xe8e3cf), rgb(0xe0735a), rgb(0xbfd8dc))
	c.oval(col, x, y, s, s*0.45)
	c.poly(col, x-s*0.8, y, x-s*1.5, y-s*0.45, x-s*1.5, y+s*0.45)
	c.oval(black, x+s*0.6, y-s*0.08, s*0.09+0.5, s*0.09+0.5)
}

// waves lays bands of swell with light crests, wider towards the viewer.
func (c *canvas) waves(y0 float64) {
	for y, step := y0+14*c.u, 12*c.u; y < c.h+20*c.u; y, step = y+step, step*1.35 {
		t := (y - y0) / (c.h - y0)
		top := mix(mix(c.light.water, c.light.skyLow, 0.4-0.3*t), c.light.dark, 0.25*t)
		line := c.ridge(y, step*0.35, step*3.2, top, mix(c.light.water, c.light.dark, 0.2+0.3*t))
		for range 16 {
			x := c.rnd.IntN(len(line))
			l := c.between(1, 3.5) * step
			c.oval(glaze(c.light.pale, 0.5), float64(x), line[x]+1.5*c.u, l*0.5, max(0.8, step*0.045))
		}
	}
}

func (c *canvas) gull(x, y, s float64) {
	col := mix(c.light.pale, c.light.dark, 0.25)
	c.curve(col, 1*c.u, 2.2*c.u, x-s, y-s*0.3, x-s*0.4, y-s*0.5, x, y)
	c.curve(col, 2.2*c.u, 1*c.u, x, y, x+s*0.4, y-s*0.5, x+s, y-s*0.3)
}

func (c *canvas) sailboat(x, y, s float64) {
	hull := c.one(c.light.pale, c.light.accent, c.light.dark, c.lit(0x27527a))
	sail := c.one(c.light.pale, c.light.pale, mix(c.light.pale, c.light.accent, 0.5), c.light.accent, c.lit(0xf2c14e))
	c.oval(glaze(c.light.dark, 0.25), x, y+s*0.12, s*0.45, s*0.05)
	c.poly(glaze(sail, 0.25), x, y+s*0.1, x+s*0.35, y+s*0.12, x+s*0.05, y+s*0.7)
	c.line(c.light.dark, max(1, s*0.018), x, y, x, y-s*1.16)
	c.poly(sail, x+s*0.03, y-s*1.12, x+s*0.25, y-s*0.6, x+s*0.42, y-s*0.1, x+s*0.03, y-s*0.1)
	c.poly(mix(sail, c.light.far, 0.35), x-s*0.03, y-s*0.98, x-s*0.2, y-s*0.45, x-s*0.38, y-s*0.08, x-s*0.03, y-s*0.12)
	if s > 50*c.u {
		c.line(glaze(c.light.dark, 0.25), s*0.01, x+s*0.03, y-s*0.75, x+s*0.19, y-s*0.75)
		c.line(glaze(c.light.dark, 0.25), s*0.01, x+s*0.03, y-s*0.42, x+s*0.31, y-s*0.42)
		c.oval(c.light.dark, x-s*0.28, y-s*0.05, s*0.035, s*0.045)
		c.oval(c.light.accent, x-s*0.28, y+s*0.02, s*0.045, s*0.05)
	}
	c.poly(hull, x-s*0.5, y-s*0.02, x+s*0.52, y-s*0.05, x+s*0.4, y+s*0.12, x-s*0.4, y+s*0.12)
}

func (c *canvas) fishingBoat(x, y, s float64) {
	hull := c.one(c.light.accent, c.lit(0x2c6e91), c.lit(0xf0ead6), c.lit(0x3f8f7b), c.lit(0xe3a93c))
	wood := mix(c.light.dark, c.light.accent, 0.2)
	c.poly(glaze(mix(hull, c.light.dark, 0.4), 0.5), x-s*0.9, y, x+s*0.95, y, x+s*0.6, y+s*0.5, x-s*0.6, y+s*0.45)
	c.line(wood, s*0.05, x+s*0.1, y, x+s*0.1, y-s*1.5)
	c.line(glaze(wood, 0.8), s*0.02, x+s*0.1, y-s*1.45, x+s*0.95, y-s*0.35)
	c.line(glaze(wood, 0.8), s*0.02, x+s*0.1, y-s*1.45, x-s*0.9, y-s*0.3)
	c.poly(c.light.accent, x+s*0.12, y-s*1.5, x+s*0.42, y-s*1.42, x+s*0.12, y-s*1.32)
	c.rect(mix(c.light.pale, c.light.far, 0.12), x-s*0.55, y-s*0.72, s*0.5, s*0.5)
	c.rect(wood, x-s*0.6, y-s*0.78, s*0.6, s*0.08)
	c.rect(c.window(), x-s*0.46, y-s*0.62, s*0.14, s*0.17)
	c.rect(c.window(), x-s*0.26, y-s*0.62, s*0.14, s*0.17)
	c.poly(hull, x-s*0.95, y-s*0.28, x, y-s*0.2, x+s*1.1, y-s*0.42, x+s*0.75, y+s*0.14, x-s*0.75, y+s*0.14)
	c.poly(c.light.pale, x-s*0.95, y-s*0.28, x, y-s*0.2, x+s*1.1, y-s*0.42, x+s*1.06, y-s*0.34, x, y-s*0.12, x-s*0.92, y-s*0.2)
	c.rect(mix(hull, c.light.dark, 0.55), x-s*0.76, y+s*0.08, s*1.52, s*0.07)
}

func (c *canvas) ferry(x, y, s float64) {
	c.rect(mix(c.light.pale, c.light.far, 0.2), x-s*0.6, y-s*0.42, s*1.1, s*0.22)
	c.rect(c.light.pale, x-s*0.4, y-s*0.6, s*0.75, s*0.2)
	c.rect(c.light.accent, x, y-s*0.82, s*0.16, s*0.24)
	for i := range 9 {
		c.rect(c.window(), x-s*0.54+float64(i)*s*0.115, y-s*0.36, s*0.06, s*0.07)
	}
	c.poly(mix(c.light.dark, c.light.water, 0.2), x-s*0.8, y-s*0.22, x+s*0.85, y-s*0.22, x+s*0.7, y+s*0.05, x-s*0.7, y+s*0.05)
}

// quay is the freight side: a wall with cranes, containers and a ship.
func (c *canvas) quay(y float64) {
	steel := mix(c.light.dark, c.light.accent, 0.35)
	for range c.some(1, 3) {
		c.crane(steel, c.w*c.between(0.1, 0.9), y-4*c.u, c.between(110, 150)*c.u)
	}
	for x := c.w * c.between(0, 0.2); x < c.w*0.95; x += 31 * c.u {
		for level := range c.some(0, 3) {
			col := c.one(c.light.accent, c.lit(0x2f6f8f), c.lit(0xe0a63a), c.lit(0x4f8f6a), c.lit(0xb9b3a4))
			c.rect(col, x, y-float64(level+1)*13*c.u, 29*c.u, 12*c.u)
			c.line(glaze(c.light.dark, 0.3), 1, x+10*c.u, y-float64(level+1)*13*c.u, x+10*c.u, y-float64(level)*13*c.u)
			c.line(glaze(c.light.dark, 0.3), 1, x+20*c.u, y-float64(level+1)*13*c.u, x+20*c.u, y-float64(level)*13*c.u)
		}
	}
	c.rect(mix(c.light.far, c.light.dark, 0.35), 0, y, c.w, 9*c.u)
	c.rect(mix(c.light.water, c.light.dark, 0.5), 0, y+9*c.u, c.w, 6*c.u)
	c.freighter(c.w*c.between(0.3, 0.7), y+20*c.u, 120*c.u)
}

func (c *canvas) crane(col color.RGBA, x, y, s float64) {
	for _, dx := range []float64{-0.18, 0.18} {
		c.line(col, s*0.03, x+dx*s, y, x+dx*s*0.7, y-s*0.7)
	}
	c.line(col, s*0.02, x-s*0.17, y-s*0.1, x+s*0.15, y-s*0.42)
	c.line(col, s*0.02, x+s*0.17, y-s*0.1, x-s*0.15, y-s*0.42)
	c.line(col, s*0.04, x-s*0.45, y-s*0.7, x+s*0.75, y-s*0.74)
	c.line(col, s*0.03, x, y-s*0.7, x, y-s)
	c.line(col, s*0.014, x, y-s, x+s*0.7, y-s*0.74)
	c.line(col, s*0.014, x, y-s, x-s*0.42, y-s*0.7)
	c.line(col, s*0.01, x+s*0.5, y-s*0.73, x+s*0.5, y-s*0.35)
	c.rect(c.light.accent, x-s*0.08, y-s*0.72, s*0.16, s*0.08)
}

func (c *canvas) freighter(x, y, s float64) {
	hull := c.one(c.lit(0x9c3b30), c.lit(0x1f4a63), c.lit(0x2f5d50), c.light.dark)
	c.rect(c.light.pale, x-s*0.9, y-s*0.62, s*0.26, s*0.42)
	c.rect(c.light.accent, x-s*0.84, y-s*0.78, s*0.1, s*0.17)
	for i := range 3 {
		c.rect(c.window(), x-s*0.88+float64(i)*s*0.08, y-s*0.55, s*0.04, s*0.05)
	}
	for i := range 9 {
		top := c.some(1, 2)
		for level := range top {
			col := c.one(c.light.accent, c.lit(0x2f6f8f), c.lit(0xe0a63a), c.lit(0x4f8f6a))
			c.rect(col, x-s*0.58+float64(i)*s*0.15, y-s*0.2-float64(level+1)*s*0.085, s*0.14, s*0.08)
		}
	}
	c.poly(hull, x-s, y-s*0.2, x+s*1.05, y-s*0.24, x+s*0.9, y+s*0.08, x-s*0.95, y+s*0.08)
	c.rect(mix(hull, c.light.accent, 0.5), x-s*0.95, y+s*0.03, s*1.87, s*0.05)
}

// breakwater is the fishermen's side: stones and a lighthouse.
func (c *canvas) breakwater(y float64) {
	end := c.w * c.between(0.45, 0.7)
	for x := -10 * c.u; x < end; x += 9 * c.u {
		col := mix(c.light.far, c.light.dark, c.between(0.3, 0.7))
		c.oval(col, x, y+c.between(-5, 2)*c.u, c.between(8, 14)*c.u, c.between(6, 10)*c.u)
	}
	x, s := end-16*c.u, c.between(95, 125)*c.u
	c.poly(c.light.pale, x-s*0.11, y, x-s*0.07, y-s*0.8, x+s*0.07, y-s*0.8, x+s*0.11, y)
	for i := range 3 {
		t := float64(i) * 0.26
		c.poly(c.light.accent, x-s*(0.105-0.05*t), y-s*(0.1+t), x-s*(0.1-0.05*t), y-s*(0.22+t), x+s*(0.1-0.05*t), y-s*(0.22+t), x+s*(0.105-0.05*t), y-s*(0.1+t))
	}
	c.rect(c.light.dark, x-s*0.1, y-s*0.82, s*0.2, s*0.03)
	c.rect(mix(c.light.sun, rgb(0xffd36a), 0.5), x-s*0.05, y-s*0.92, s*0.1, s*0.1)
	c.poly(c.light.accent, x-s*0.08, y-s*0.92, x, y-s*1.02, x+s*0.08, y-s*0.92)
	if c.light.night {
		c.poly(glaze(c.light.sun, 0.16), x, y-s*0.87, c.w+10, y-s*1.4, c.w+10, y-s*0.7)
	}
}
