package search

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ayna/generator/site"
	"ayna/generator/story"
)

// Filters are terms too. They begin with a sign that no word contains.
const (
	filterSign = '='
	folderTerm = "=f"
	kindTerm   = "=k"
	yearTerm   = "=y"
)

// filterLevels is the depth of the folders that the search page offers as filters.
const filterLevels = 2

// chunkFiles is the number of files of items whose texts are read at once.
const chunkFiles = 32

// siteItems are the items of an arranged site.
type siteItems struct {
	site    *site.Site
	stemmer *stemmer

	teasers func(context.Context, []site.Item) ([]story.Teaser, error)
	// texts is nil if texts are not indexed; digests returns digests of them.
	texts   func(context.Context, []site.Item) (texts []string, unreadable int, err error)
	digests func(context.Context, []site.Item) ([]string, error)
}

func (s *siteItems) len() int { return s.site.Home.Items.Len() }

func (s *siteItems) inFile() int {
	if s.texts == nil {
		return itemsAlone
	}
	return itemsWithTexts
}

// span returns the items of a span, oldest first.
func (s *siteItems) span(part span) []site.Item {
	all := s.site.Home.Items
	return slices.Collect(all.Slice(all.Len()-part.last, all.Len()-part.first).Backward())
}

// versions returns the versions of the files of items of a span: digests of everything that
// they and their terms are made of, which is named here and nowhere else. The texts are in
// them by the digests of their records.
func (s *siteItems) versions(ctx context.Context, part span) (versions []string, err error) {
	var content []byte
	add := func(texts ...string) {
		for _, text := range texts {
			content = append(strconv.AppendInt(content, int64(len(text)), 10), ' ')
			content = append(content, text...)
		}
	}
	for items := range slices.Chunk(s.span(part), chunkFiles*s.inFile()) {
		teasers, err := s.teasers(ctx, items)
		if err != nil {
			return nil, err
		}
		texts := make([]string, len(items))
		if s.texts != nil {
			if texts, err = s.digests(ctx, items); err != nil {
				return nil, err
			}
		}
		for first := 0; first < len(items); first += s.inFile() {
			last := min(first+s.inFile(), len(items))
			content = fmt.Appendln(content[:0], format, last-first, s.inFile(), s.stemmer.table)
			for i := first; i < last; i++ {
				shown := s.shown(&teasers[i])
				content = fmt.Append(content, shown.date, shown.kind)
				add(shown.address, shown.title, shown.folder, shown.picture, shown.names, shown.spot)
				for f := items[i].Folder(); f != nil; f = f.Parent {
					add(f.Dir)
				}
				add(texts[i])
			}
			versions = append(versions, digest(content))
		}
	}
	return versions, nil
}

// chunk is the items of some files as they were read.
type chunk struct {
	items      []site.Item
	teasers    []story.Teaser
	texts      []string // "" for those that cannot be read
	unreadable int
}

// readFiles reads the items of some files.
func (s *siteItems) readFiles(ctx context.Context, files ...int) (c chunk, err error) {
	for _, file := range files {
		c.items = append(c.items, s.span(fileSpan(s, file))...)
	}
	if c.teasers, err = s.teasers(ctx, c.items); err != nil {
		return chunk{}, err
	}
	if c.texts = make([]string, len(c.items)); s.texts != nil {
		c.texts, c.unreadable, err = s.texts(ctx, c.items)
	}
	return c, err
}

// pass reads the items of a segment in chunks, once for their files and for the terms.
type pass struct {
	*siteItems
	part  span
	files []int // those of items whose terms are collected

	read       int // number of files that were read
	unreadable int // of their texts
	collector  *collector
	collecting sync.WaitGroup // of the terms of the last chunk
	last       chunk
	lastFirst  int // index of its first file
}

func (s *siteItems) contents(part span, files []int) contents {
	return &pass{siteItems: s, part: part, files: files}
}

// next reads the next chunk, and begins to collect its terms.
func (p *pass) next(ctx context.Context, most int) error {
	if p.collector == nil {
		p.collector = newCollector(p.part, most, p.stemmer)
	}
	files := p.files[p.read:min(p.read+chunkFiles, len(p.files))]
	read, err := p.readFiles(ctx, files...)
	if err != nil {
		return err
	}
	p.last, p.lastFirst = read, p.read
	p.read += len(files)
	p.unreadable += read.unreadable
	p.collecting.Wait()
	p.collecting.Go(func() {
		for i, item := range read.items {
			inFile := p.inFile()
			p.collector.begin(files[i/inFile]*inFile + i%inFile - p.part.first)
			p.addItem(p.collector, item, &read.teasers[i], read.texts[i])
		}
	})
	return nil
}

// collect collects the terms that were not yet.
func (p *pass) collect(ctx context.Context, most int) (*collector, int, error) {
	if p.collector != nil && p.collector.maxTerms != most {
		p.collector, p.read, p.unreadable = nil, 0, 0
	}
	for p.read < len(p.files) {
		if err := p.next(ctx, most); err != nil {
			return nil, 0, err
		}
	}
	p.collecting.Wait()
	p.collector.finish()
	return p.collector, p.unreadable, nil
}

// rows returns the items of a file: of the last chunk, or else of the next ones up to it if
// it is in one of these, or else read alone.
func (p *pass) rows(ctx context.Context, file int) (rows []row, unreadable int, err error) {
	i, found := slices.BinarySearch(p.files, file)
	for found && p.read <= i {
		if err := p.next(ctx, maxTerms); err != nil {
			return nil, 0, err
		}
	}
	c, first := p.last, (i-p.lastFirst)*p.inFile()
	if !found || first < 0 || c.unreadable > 0 {
		if c, err = p.readFiles(ctx, file); err != nil {
			return nil, 0, err
		}
		first = 0
	}
	for i := first; i < min(first+p.inFile(), len(c.items)); i++ {
		shown := p.shown(&c.teasers[i])
		rows = append(rows, row{shown, strings.TrimSpace(shown.spot + "\n" + c.texts[i]), true})
	}
	return rows, c.unreadable, nil
}

// addItem adds the terms of an item.
func (s *siteItems) addItem(c *collector, item site.Item, teaser *story.Teaser, text string) {
	c.addText(teaser.Title, inTitle)
	for _, name := range names(item) {
		c.addText(name, inSpot)
	}
	c.addText(teaser.Spot, inSpot)
	c.addText(text, inText)
	c.addFilter(kindTerm, string(item.Kind()))
	for f := item.Folder(); f != nil; f = f.Parent {
		if isFilter(f) {
			c.addFilter(folderTerm, folderKey(f))
		}
	}
	if item.Published() != 0 {
		c.addFilter(yearTerm, strconv.Itoa(s.date(item).Year()))
	}
}

// isFilter reports whether the search page offers a folder as a filter.
func isFilter(f *site.Folder) bool { return f.Dir != "" && strings.Count(f.Dir, "/") < filterLevels }

// folderKey returns a short key of a folder: a digest of its directory.
func folderKey(f *site.Folder) string {
	sum := sha256.Sum256([]byte(f.Dir))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

func (s *siteItems) date(item site.Item) time.Time {
	return time.UnixMilli(item.Published()).In(s.site.Location)
}
