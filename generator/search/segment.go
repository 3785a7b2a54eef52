package search

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ayna/generator/lru"
	"ayna/generator/output"
	"ayna/generator/site"
)

// Filters are terms too. They begin with a sign that no word contains.
const (
	filterSign = '='
	folderTerm = "=f"
	kindTerm   = "=k"
	yearTerm   = "=y"
)

// maxTerms is the number of different words of an item that are indexed, if there
// is room for them.
const maxTerms = 250

// filterLevels is the depth of the folders that the search page offers as filters.
const filterLevels = 2

// versionedSpan is a span, with the version of its segment once that was made.
type versionedSpan struct {
	span
	version atomic.Pointer[string]
}

// segmentFiles returns the files of a segment: its head, then its terms. One worker
// writes them, and makes the segment once.
func (r *Renderer) segmentFiles(number int, part *versionedSpan) []output.File {
	var files []output.File
	shared := lru.NewShared(1+part.files(), func(ctx context.Context) (*segment, error) {
		s, err := r.segment(ctx, part.span)
		if err == nil {
			part.version.Store(&s.version)
		}
		return s, err
	})
	add := func(name string, arguments func(*segment) []any) {
		file := r.file(name, func(ctx context.Context) ([]any, error) {
			s, err := shared.Get(ctx)
			if err != nil {
				return nil, err
			}
			return arguments(s), nil
		})
		file.Batch = site.SearchFile(r.site.Words, fileName(headName(number)))
		files = append(files, file)
	}
	add(headName(number), func(s *segment) []any { return []any{s.version, strings.Join(s.firsts, "|"), s.sizes} })
	for i := range part.files() {
		add(termsName(number, i), func(s *segment) []any { return []any{s.version, s.files[i]} })
	}
	return files
}

// versionOf returns a segment's version. It makes the segment if another shard writes
// its files.
func (r *Renderer) versionOf(ctx context.Context, part *versionedSpan) (string, error) {
	if version := part.version.Load(); version != nil {
		return *version, nil
	}
	s, err := r.segment(ctx, part.span)
	if err != nil {
		return "", err
	}
	return s.version, nil
}

// segment indexes as many words of each item as fit: all of them, except for texts that
// were made to fill the segment. The terms of filters always fit.
func (r *Renderer) segment(ctx context.Context, part span) (*segment, error) {
	for most := maxTerms; ; most /= 2 {
		h := sha256.New()
		entries, err := r.collectTerms(ctx, part, most, h)
		if err != nil {
			return nil, err
		}
		if s, fits := divide(encodeTerms(entries, part.last-part.first), part.files()); fits {
			for _, text := range slices.Concat(s.firsts, s.files) {
				h.Write(strconv.AppendQuote(nil, text))
			}
			s.version = hex.EncodeToString(h.Sum(nil)[:6])
			return s, nil
		}
	}
}

// chunkItems is the number of items whose texts are read at once.
const chunkItems = 200

// collectTerms collects the terms of a span's items. It writes their rows to rows: a
// segment's version covers the files of rows too.
func (r *Renderer) collectTerms(ctx context.Context, part span, most int, rows io.Writer) (map[string]*termPostings, error) {
	c := newCollector(most)
	var line []byte
	for items := range slices.Chunk(r.items(part), chunkItems) {
		teasers, err := r.teasers(ctx, items)
		if err != nil {
			return nil, err
		}
		for _, teaser := range teasers {
			c.addText(teaser.Title, true)
			c.addNames(teaser.Item)
			c.addText(teaser.Spot, false)
			r.addFilters(c, teaser.Item)
			c.next()
			row := r.row(&teaser)
			line = strconv.AppendQuote(line[:0], row.address)
			line = strconv.AppendQuote(line, row.title)
			line = strconv.AppendInt(line, int64(row.date), 10)
			line = strconv.AppendInt(append(line, ' '), int64(row.kind), 10)
			line = strconv.AppendQuote(line, folderTitle(teaser.Item))
			rows.Write(line)
		}
	}
	return c.terms, nil
}

// addNames adds the names of an item's writers, tags and folders.
func (c *collector) addNames(item site.Item) {
	for _, writer := range item.Writers() {
		c.addText(writer.Title, false)
	}
	for tag := range item.Tags() {
		c.addText(tag.Title, false)
	}
	for f := item.Folder(); f != nil; f = f.Parent {
		c.addText(f.Title, false)
	}
}

// addFilters adds the terms of an item's filters.
func (r *Renderer) addFilters(c *collector, item site.Item) {
	c.addFilter(kindTerm, string(item.Kind()))
	for f := item.Folder(); f != nil; f = f.Parent {
		if isFilter(f) {
			key, known := c.folderKeys[f]
			if !known {
				key = folderKey(f)
				c.folderKeys[f] = key
			}
			c.addFilter(folderTerm, key)
		}
	}
	if item.Published() != 0 {
		c.addFilter(yearTerm, strconv.Itoa(r.date(item).Year()))
	}
}

// isFilter reports whether the search page offers a folder as a filter.
func isFilter(f *site.Folder) bool { return f.Dir != "" && strings.Count(f.Dir, "/") < filterLevels }

// folderKey returns a short key of a folder: a digest of its directory.
func folderKey(f *site.Folder) string {
	sum := sha256.Sum256([]byte(f.Dir))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

func (r *Renderer) date(item site.Item) time.Time {
	return time.UnixMilli(item.Published()).In(r.site.Location)
}
