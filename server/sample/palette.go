package sample

import "image/color"

// palette is the light of a time of day.
type palette struct {
	skyTop, skyMid, skyLow color.RGBA
	sun                    color.RGBA
	far, land, dark        color.RGBA // from the haze to the silhouettes in front
	pale                   color.RGBA // walls, sails, foam; lamp light when it is dark
	accent                 color.RGBA // roofs, hulls, flags
	water                  color.RGBA
	night                  bool // windows are lit and stars are out
}

var palettes = []palette{
	// morning
	{rgb(0x6fa8c2), rgb(0xb9d6d4), rgb(0xf7e3bf), rgb(0xfff4d2), rgb(0x9db8b9), rgb(0x527d66), rgb(0x23413f), rgb(0xfbf3df), rgb(0xd9593d), rgb(0x5f9da9), false},
	// the blue hour
	{rgb(0x22355e), rgb(0x56719d), rgb(0xe9b596), rgb(0xfbeccb), rgb(0x62769c), rgb(0x33496a), rgb(0x152139), rgb(0xffdf9c), rgb(0xe8744a), rgb(0x3f5a87), true},
	// noon
	{rgb(0x3b8cc2), rgb(0x86c0df), rgb(0xdff0ee), rgb(0xfffbe6), rgb(0x8db4c6), rgb(0x64964f), rgb(0x1f4152), rgb(0xfffdf4), rgb(0xe24a30), rgb(0x2b83a6), false},
	// late afternoon
	{rgb(0xe39a55), rgb(0xf3c47c), rgb(0xfbe8ba), rgb(0xfffae2), rgb(0xcb9c78), rgb(0x8f7043), rgb(0x45302a), rgb(0xfff1d2), rgb(0xb83f2d), rgb(0xcd9a62), false},
	// overcast
	{rgb(0x93a7ad), rgb(0xbfcbca), rgb(0xe9e6d8), rgb(0xf6f2e2), rgb(0xa0b0b1), rgb(0x6a8275), rgb(0x2f4148), rgb(0xf5f1e5), rgb(0xc9503a), rgb(0x7d9799), false},
	// sunset
	{rgb(0x47386b), rgb(0xb2557a), rgb(0xf8a56b), rgb(0xffe3a6), rgb(0x8d5679), rgb(0x4d3757), rgb(0x231a35), rgb(0xffdcae), rgb(0xf2673f), rgb(0x9c587a), false},
	// spring
	{rgb(0x93bfe0), rgb(0xd8d6e6), rgb(0xfce4d4), rgb(0xfff6e4), rgb(0xadb8cd), rgb(0x7ba270), rgb(0x35495a), rgb(0xfff8ee), rgb(0xea6f5d), rgb(0x7fb2c9), false},
	// night
	{rgb(0x0d1832), rgb(0x1d3557), rgb(0x49688a), rgb(0xf5f0d9), rgb(0x2f4a6b), rgb(0x1b3049), rgb(0x0a1425), rgb(0xffd583), rgb(0xdf683f), rgb(0x1f3d60), true},
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

var (
	white = rgb(0xffffff)
	black = rgb(0x101418)
)

// mix goes from a (t = 0) to b (t = 1); both are opaque.
func mix(a, b color.RGBA, t float64) color.RGBA {
	k := int(256 * min(max(t, 0), 1))
	part := func(a, b uint8) uint8 { return uint8((int(a)*(256-k) + int(b)*k) >> 8) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// glaze makes a colour see-through: 0 is nothing, 1 is opaque.
func glaze(c color.RGBA, alpha float64) color.RGBA {
	k := int(255 * alpha)
	part := func(v uint8) uint8 { return uint8(int(v) * k / 255) }
	return color.RGBA{part(c.R), part(c.G), part(c.B), uint8(k)}
}

// lit is a colour of its own as it looks in the canvas's light.
func (c *canvas) lit(hex uint32) color.RGBA {
	if c.light.night {
		return mix(rgb(hex), c.light.land, 0.62)
	}
	return mix(rgb(hex), c.light.skyLow, 0.12)
}
