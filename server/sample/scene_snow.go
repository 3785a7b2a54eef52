package sample

func snow(c *canvas) {
	horizon := c.h * 0.55
	c.sky(horizon)
	c.ridge(c.h*0.36, 62*c.u, 230*c.u, mix(c.light.far, white, 0.45), mix(c.light.far, c.light.skyLow, 0.5))
	for layer := range 3 {
		t := float64(layer) / 2
		cold := mix(c.light.skyTop, white, 0.72)
		line := c.ridge(c.h*(0.54+0.16*t), 20*c.u, 220*c.u, mix(mix(c.light.skyLow, white, 0.75), c.light.far, 0.3*(1-t)), cold)
		if layer == 2 && c.chance(0.6) {
			x := c.w * c.between(0.25, 0.7)
			c.cabin(x, line[int(x)]+5*c.u, c.between(66, 96)*c.u)
		}
		for range 10 - 3*layer {
			x := c.w * c.rnd.Float64()
			c.snowyPine(x, line[min(int(x), len(line)-1)]+6*c.u, (48+74*t)*c.u*c.between(0.8, 1.25))
		}
	}
	for range c.rnd.IntN(3) {
		c.anyone(c.w*c.between(0.1, 0.9), c.h*c.between(0.86, 0.95), c.between(54, 66)*c.u)
	}
	for range 150 {
		r := c.between(0.8, 2.4) * c.u
		c.oval(glaze(white, c.between(0.5, 0.9)), c.w*c.rnd.Float64(), c.h*c.rnd.Float64(), r, r)
	}
}

func (c *canvas) snowyPine(x, y, s float64) {
	green := mix(c.light.dark, c.light.land, 0.4)
	c.pine(green, x, y, s)
	for i := range 4 {
		t := float64(i)
		top, w := y-s*(0.52+0.16*t), s*(0.25-0.05*t)
		c.poly(mix(white, c.light.far, 0.1), x, top, x+w*0.75, top+s*0.26, x+w*0.25, top+s*0.22, x-w*0.1, top+s*0.3, x-w*0.55, top+s*0.21)
	}
}

func (c *canvas) cabin(x, y, s float64) {
	wood := mix(c.light.dark, c.lit(0x9c6b43), 0.6)
	for i := range 6 {
		t := float64(i)
		c.oval(glaze(mix(c.light.skyLow, white, 0.5), 0.3), x+s*(0.3+0.05*t*t*0.6), y-s*(1.12+0.16*t), s*(0.06+0.025*t), s*(0.06+0.02*t))
	}
	c.rect(mix(wood, c.light.dark, 0.3), x+s*0.24, y-s*1.05, s*0.14, s*0.35)
	c.rect(wood, x-s*0.6, y-s*0.55, s*1.2, s*0.55)
	for i := range 5 {
		c.rect(glaze(c.light.dark, 0.25), x-s*0.6, y-s*0.11*float64(i+1), s*1.2, s*0.02)
	}
	glow := rgb(0xffcf70)
	c.rect(glow, x-s*0.42, y-s*0.42, s*0.22, s*0.22)
	c.rect(glow, x+s*0.2, y-s*0.42, s*0.22, s*0.22)
	c.rect(c.light.dark, x-s*0.1, y-s*0.42, s*0.2, s*0.42)
	c.poly(mix(white, c.light.skyTop, 0.12), x-s*0.75, y-s*0.5, x-s*0.45, y-s*0.95, x+s*0.45, y-s*0.95, x+s*0.75, y-s*0.5)
}
