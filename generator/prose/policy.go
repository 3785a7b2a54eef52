package prose

import (
	"sync"

	"github.com/microcosm-cc/bluemonday"
)

// policy is the sanitizer's view of the allow-list in elements.go, plus the
// addresses of links and pictures, which straighten checks once more.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowURLSchemes("http", "https")
	allowElements(p)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src", "alt").OnElements("img")
	return p
})

// pagePolicy is for what goldmark makes of the owner's own pages: there
// relative addresses, mail addresses, anchors and task lists are at home.
var pagePolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	allowElements(p)
	p.AllowAttrs("href", "title").OnElements("a")
	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowAttrs("id").OnElements("h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("class").Matching(bluemonday.SpaceSeparatedTokens).OnElements("code")
	p.AllowAttrs("align").Matching(bluemonday.CellAlign).OnElements("td", "th")
	p.AllowAttrs("type", "checked", "disabled").OnElements("input")
	return p
})

func allowElements(p *bluemonday.Policy) {
	p.RequireParseableURLs(true)
	for tag, e := range elements {
		p.AllowElements(tag)
		for name := range e.attributes {
			p.AllowAttrs(name).OnElements(tag)
		}
	}
}
