package search

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// What an item can be filtered by is found like a word: its term begins with a
// sign that no word has.
const (
	filterSign = '='
	folderTerm = "=f"
	kindTerm   = "=k"
	yearTerm   = "=y"
)

// mostTerms is how many different words of an item are indexed, if there is
// room for them.
const mostTerms = 250

// levels is how deep folders are that one may filter by.
const levels = 2

// terms yields the files of a segment: its head, then its terms.
func (r *Renderer) terms(number int, part span, version string, key output.Key) iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		shared := &making{make: func(ctx context.Context) (*segment, error) { return r.make(ctx, part) }}
		head := r.file(headName(number), key, func(ctx context.Context) ([]any, error) {
			s, err := shared.segment(ctx)
			if err != nil {
				return nil, err
			}
			return []any{version, strings.Join(s.firsts, "|"), s.sizes}, nil
		})
		head.Batch = head.Path
		if !yield(head) {
			return
		}
		for i := range part.files() {
			file := r.file(termsName(number, i), key, func(ctx context.Context) ([]any, error) {
				s, err := shared.segment(ctx)
				if err != nil {
					return nil, err
				}
				return []any{version, s.files[i]}, nil
			})
			file.Batch = head.Path
			if !yield(file) {
				return
			}
		}
	}
}

// making is a segment while its files are written, which hold it: the first one
// has it made.
type making struct {
	make func(context.Context) (*segment, error)

	mu   sync.Mutex
	made *segment
}

func (m *making) segment(ctx context.Context) (s *segment, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.made == nil {
		m.made, err = m.make(ctx)
	}
	return m.made, err
}

// make indexes as many words of each item as the segment has room for: all but
// of texts that are made to fill it. What items are filtered by always fits.
func (r *Renderer) make(ctx context.Context, part span) (*segment, error) {
	for most := mostTerms; ; most /= 2 {
		entries, err := r.index(ctx, part, most)
		if err != nil {
			return nil, err
		}
		if s, fits := divide(lines(entries, part.last-part.first), part.files()); fits {
			return s, nil
		}
	}
}

// chunk is how many items' texts are read at once.
const chunk = 200

func (r *Renderer) index(ctx context.Context, part span, most int) (map[string]*entry, error) {
	c := newCollector(most)
	for items := range slices.Chunk(r.items(part), chunk) {
		teasers, err := r.teasers(ctx, items)
		if err != nil {
			return nil, err
		}
		for _, teaser := range teasers {
			c.text(teaser.Title, true)
			for name := range subjects(teaser.Item) {
				c.name(name)
			}
			c.text(teaser.Spot, false)
			r.filters(c, teaser.Item)
			c.next()
		}
	}
	return c.entries, nil
}

// subjects yields the names under which an item stands.
func subjects(item site.Item) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, writer := range item.Writers() {
			if !yield(writer.Title) {
				return
			}
		}
		for tag := range item.Tags() {
			if !yield(tag.Title) {
				return
			}
		}
		for f := item.Folder(); f != nil; f = f.Parent {
			if !yield(f.Title) {
				return
			}
		}
	}
}

// filters adds what an item can be filtered by.
func (r *Renderer) filters(c *collector, item site.Item) {
	c.filter(kindTerm, string(item.Kind()))
	for f := item.Folder(); f != nil; f = f.Parent {
		if offered(f) {
			key, known := c.keys[f]
			if !known {
				key = folderKey(f)
				c.keys[f] = key
			}
			c.filter(folderTerm, key)
		}
	}
	if item.Published() != 0 {
		c.filter(yearTerm, strconv.Itoa(r.date(item).Year()))
	}
}

// offered tells whether one may filter by a folder.
func offered(f *site.Folder) bool { return f.Dir != "" && strings.Count(f.Dir, "/") < levels }

// folderKey is short, however long the directory is.
func folderKey(f *site.Folder) string {
	sum := sha256.Sum256([]byte(f.Dir))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

func (r *Renderer) date(item site.Item) time.Time {
	return time.UnixMilli(item.Published()).In(r.site.Location)
}
