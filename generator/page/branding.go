package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"ayna/generator/site"
)

// Branding is what the owner puts around every page.
type Branding struct {
	Logo    Asset  // a picture instead of the site's name; its name is "logo" with an extension, "" for none
	Icon    Asset  // icon.png, in place of both built-in icons; its name is "" for none
	Accent  string // a colour, "#96181d"; "" is that of the style sheet
	Footer  template.HTML
	Note    string // of feeds, in place of @note@ in feed.css
	Menu    []MenuLink
	Sources site.Sources // what Head, Article and Foot load

	// HTML that pages hold as it is: in their heads, below items, and at their ends.
	Head, Article, Foot template.HTML
}

// MenuLink is a link in the masthead. Its URL is full, or relative to the root of the site.
type MenuLink struct{ Title, URL string }

// menu returns the links of the menu. Those to items at the source lead to their pages here.
func (f *Branding) menu(s *site.Site, href func(string) string) []link {
	var links []link
	for _, item := range f.Menu {
		to := item.URL
		if own := s.ByURL(to); own.Exists() {
			to = own.Address()
		}
		if !strings.Contains(to, ":") {
			address, anchor, _ := strings.Cut(strings.TrimLeft(to, "/"), "#")
			if address == "" || strings.HasSuffix(address, "/") {
				address += "index.html" // a page opened from a disk needs the file's name
			}
			if to = href(address); anchor != "" {
				to += "#" + anchor
			}
		}
		links = append(links, link{Href: to, Text: item.Title})
	}
	return links
}

// The backgrounds of the built-in style sheet on which the accent colour is hardest to
// read, and the contrast that WCAG 2.2 asks of small text.
const (
	lightGround = "#f2efe8"
	darkGround  = "#2c2925"
	minContrast = 4.5
)

// accentRule returns the CSS rule that sets the accent colour of both looks. A colour that
// is hard to read is made darker for the light look and lighter for the dark one.
func accentRule(accent string) string {
	c := parseColour(accent)
	return fmt.Sprintf("\n:root { --light-accent: %s; --dark-accent: %s; }\n",
		c.readable(parseColour(lightGround), colour{}), c.readable(parseColour(darkGround), colour{255, 255, 255}))
}

// inCSS escapes a text for a string of CSS.
var inCSS = strings.NewReplacer(`\`, `\5c `, `"`, `\22 `, "\n", `\a `, "<", `\3c `)

// colour has red, green and blue from 0 to 255.
type colour [3]float64

// parseColour reads "#96181d" or "#fff"; another text is black.
func parseColour(text string) (c colour) {
	digits := strings.TrimPrefix(text, "#")
	width := max(1, len(digits)/len(c))
	for i := range c {
		part := digits[min(i*width, len(digits)):min((i+1)*width, len(digits))]
		value, _ := strconv.ParseUint(part+part[:len(part)*(2-width)], 16, 8)
		c[i] = float64(value)
	}
	return c
}

func (c colour) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(c[0])), int(math.Round(c[1])), int(math.Round(c[2])))
}

// readable mixes a colour with another one until its contrast to the ground suffices.
func (c colour) readable(ground, with colour) colour {
	const steps = 64
	mixed := c
	for step := 1; step <= steps && mixed.contrast(ground) < minContrast; step++ {
		for i := range mixed {
			mixed[i] = math.Round(c[i] + (with[i]-c[i])*float64(step)/steps)
		}
	}
	return mixed
}

// contrast returns the contrast ratio of WCAG 2.2, from 1 to 21.
func (c colour) contrast(other colour) float64 {
	a, b := c.luminance(), other.luminance()
	return (math.Max(a, b) + 0.05) / (math.Min(a, b) + 0.05)
}

func (c colour) luminance() float64 {
	linear := func(v float64) float64 {
		if v /= 255; v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}

// logo returns a link to the logo, or "".
func (r *Renderer) logo(href func(string) string) string {
	return r.asset(cmp.Or(r.options.Branding.Logo.Name, "-"), href)
}
