package search

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
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

// filterLevels is the depth of the folders that the search page offers as filters.
const filterLevels = 2

// chunkItems is the number of items whose texts are read at once.
const chunkItems = 160

// format is the version of the files of a segment. Raise it when their bytes change for
// any site: files of another format are not taken over.
const format = 3

// version returns the digest of everything that the files of some items are made of, which
// is named here and nowhere else. The texts are in it by the digests of their records.
func (s *siteItems) version(ctx context.Context, part span) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, format, part.last-part.first, s.inFile(), s.stemmer.table)
	var line []byte
	for items := range slices.Chunk(s.span(part), chunkItems) {
		teasers, err := s.teasers(ctx, items)
		if err != nil {
			return "", err
		}
		var texts []string
		if s.texts != nil {
			if texts, err = s.versions(ctx, items); err != nil {
				return "", err
			}
		}
		for i := range teasers {
			shown := s.shown(&teasers[i])
			line = strconv.AppendInt(strconv.AppendInt(line[:0], int64(shown.date), 10), int64(shown.kind), 10)
			for _, text := range []string{shown.address, shown.title, shown.folder, shown.picture, shown.names, shown.spot} {
				line = strconv.AppendQuote(line, text)
			}
			for f := items[i].Folder(); f != nil; f = f.Parent {
				line = strconv.AppendQuote(line, f.Dir)
			}
			if s.texts != nil {
				line = strconv.AppendQuote(line, texts[i])
			}
			h.Write(line)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// publishedFile returns a file of the published index if it is of a version and was made
// of all texts; otherwise nil.
func (r *Renderer) publishedFile(name, version string) []byte {
	if r.published == nil {
		return nil
	}
	file, err := fs.ReadFile(r.published, site.SearchFile(r.words, fileName(name)))
	if err != nil || !bytes.HasPrefix(file, fmt.Appendf(nil, "ayna(%q,%q,0,", name, version)) {
		return nil
	}
	return file
}

// segmentFiles returns the files of a segment: its head, its terms and its items. One
// worker writes head and terms, and makes the segment once.
func (r *Renderer) segmentFiles(number int, part span, version string) []output.File {
	var files []output.File
	unchanged := r.publishedFile(headName(number), version) != nil
	shared := lru.NewShared(1+part.files(), func(ctx context.Context) (*segment, error) {
		r.oneSegment.Lock() // memory has room for one
		defer r.oneSegment.Unlock()
		return r.segment(ctx, part)
	})
	add := func(name string, arguments func(*segment) []any) {
		file := r.file(name, func(ctx context.Context) ([]any, error) {
			s, err := shared.Get(ctx)
			if err != nil {
				return nil, err
			}
			return arguments(s), nil
		})
		file.Batch = site.SearchFile(r.words, fileName(headName(number)))
		file.Unchanged = unchanged
		files = append(files, file)
	}
	add(headName(number), func(s *segment) []any { return []any{version, s.unreadable, strings.Join(s.firsts, "|"), s.sizes} })
	for i := range part.files() {
		add(termsName(number, i), func(s *segment) []any { return []any{version, s.file(i)} })
	}
	for first := part.first; first < part.last; first += r.items.inFile() {
		items := span{first, min(first+r.items.inFile(), part.last)}
		file := r.itemsFile(itemsName(first/r.items.inFile()), items)
		file.Unchanged = unchanged
		files = append(files, file)
	}
	return files
}

// segment indexes as many words of each item as fit: all of them, except for texts that
// were made to fill the segment. The terms of filters always fit.
func (r *Renderer) segment(ctx context.Context, part span) (*segment, error) {
	for maxTerms := 1 << 16; ; maxTerms /= 4 {
		c := newCollector(maxTerms)
		unreadable, err := r.items.collect(ctx, part, c)
		if err != nil {
			return nil, err
		}
		if s, fits := divide(c.encodeTerms(part.last-part.first), part.files()); fits {
			s.unreadable = unreadable
			return s, nil
		}
	}
}

// collect collects the terms of a span's items.
func (s *siteItems) collect(ctx context.Context, part span, c *collector) (unreadable int, err error) {
	c.stemmer = s.stemmer
	for items := range slices.Chunk(s.span(part), chunkItems) {
		teasers, err := s.teasers(ctx, items)
		if err != nil {
			return 0, err
		}
		texts, missing, err := s.textsOf(ctx, items)
		if err != nil {
			return 0, err
		}
		unreadable += missing
		for i := range teasers {
			c.addText(teasers[i].Title, inTitle)
			for _, name := range names(items[i]) {
				c.addText(name, inSpot)
			}
			c.addText(teasers[i].Spot, inSpot)
			c.addText(texts[i], inText)
			s.addFilters(c, items[i])
			c.next()
		}
	}
	return unreadable, nil
}

// textsOf returns the texts of items, "" for those that cannot be read.
func (s *siteItems) textsOf(ctx context.Context, items []site.Item) (texts []string, unreadable int, err error) {
	if s.texts == nil {
		return make([]string, len(items)), 0, nil
	}
	return s.texts(ctx, items)
}

// addFilters adds the terms of an item's filters.
func (s *siteItems) addFilters(c *collector, item site.Item) {
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
