package search

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"ayna/generator/site"
	"ayna/generator/story"
)

// Filters are terms too. They begin with a sign that no word contains.
const (
	filterSign = '='
	folderTerm = "=f"
	kindTerm   = "=k"
	writerTerm = "=w"
)

// filterLevels is the depth of the folders that the search page offers as filters.
const filterLevels = 2

// siteItems are the items of an arranged site.
type siteItems struct {
	site     *site.Site
	stemmer  stemmer
	language string // of the stemmer
	made     string // versions of the sizes of pictures, and of the cleaning of texts

	teasers func(context.Context, []site.Item) ([]story.Teaser, error)
	texts   func(context.Context, []site.Item) ([]string, error) // nil if texts are not indexed
}

func (s *siteItems) len() int { return s.site.All.Len() }

func (s *siteItems) inFile() int {
	if s.texts == nil {
		return itemsAlone
	}
	return itemsWithTexts
}

// span returns the items of a span, oldest first.
func (s *siteItems) span(part span) []site.Item {
	all := s.site.All
	return slices.Collect(all.Slice(all.Len()-part.last, all.Len()-part.first).Backward())
}

// addItem adds the terms of an item.
func (s *siteItems) addItem(c *collector, item site.Item, teaser *story.Teaser, text string) {
	c.addText(teaser.Title, inTitle)
	for _, name := range names(item) {
		c.addText(name, inSpot)
	}
	c.addText(item.ID(), inSpot)
	c.addText(teaser.Spot, inSpot)
	c.addText(text, inText)
	c.addFilter(kindTerm, string(item.Kind()))
	for f := range item.InAndAbove() {
		if isFilter(f) {
			c.addFilter(folderTerm, keyOf(&f.List))
		}
	}
	for _, w := range item.Writers() {
		c.addFilter(writerTerm, keyOf(&w.List))
	}
}

// isFilter reports whether the search page offers a folder as a filter.
func isFilter(f *site.Folder) bool { return f.Dir != "" && strings.Count(f.Dir, "/") < filterLevels }

// keyOf returns a short key of a folder or a writer: a digest of its directory.
func keyOf(list *site.List) string {
	sum := sha256.Sum256([]byte(list.Dir))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

func (s *siteItems) date(item site.Item) time.Time {
	return time.UnixMilli(item.Published()).In(s.site.Location)
}
