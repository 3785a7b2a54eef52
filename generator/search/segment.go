package search

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"iter"
	"slices"
	"strconv"
	"strings"
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

// entry is where a term is found: in titles, and elsewhere only.
type entry struct{ title, other positions }

// terms yields the files of a segment: its head, then its terms.
func (r *Renderer) terms(number int, part span, version string, key output.Key) iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		head := r.file(headName(number), key, func(ctx context.Context) ([]any, error) {
			s, err := r.segment(ctx, number, part)
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
				s, err := r.segment(ctx, number, part)
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

// segment makes a segment, unless it was made lately.
func (r *Renderer) segment(ctx context.Context, number int, part span) (*segment, error) {
	r.building.Lock()
	defer r.building.Unlock()
	if s, ok := r.built.Get(number); ok {
		return s, nil
	}
	s, err := r.make(ctx, part)
	if err != nil {
		return nil, err
	}
	r.built.Put(number, s)
	return s, nil
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
	entries := make(map[string]*entry)
	found := make(map[string]bool) // the terms of an item, and whether its title has them
	position := 0
	for items := range slices.Chunk(r.items(part), chunk) {
		teasers, err := r.teasers(ctx, items)
		if err != nil {
			return nil, err
		}
		for _, teaser := range teasers {
			clear(found)
			addTerms(found, most, true, teaser.Title)
			addTerms(found, most, false, subjects(teaser.Item))
			addTerms(found, most, false, teaser.Spot)
			for _, term := range r.filters(teaser.Item) {
				found[term] = true
			}
			for term, title := range found {
				e := entries[term]
				if e == nil {
					e = new(entry)
					entries[strings.Clone(term)] = e
				}
				list := &e.other
				if title {
					list = &e.title
				}
				list.add(position)
			}
			position++
		}
	}
	return entries, nil
}

func addTerms(found map[string]bool, most int, title bool, text string) {
	for _, term := range Terms(text) {
		if len(found) >= most {
			return
		}
		found[term] = found[term] || title
	}
}

// subjects are the names under which an item stands.
func subjects(item *site.Item) string {
	var names []string
	for _, writer := range item.Writers {
		names = append(names, writer.Title)
	}
	for _, tag := range item.Tags {
		names = append(names, tag.Title)
	}
	for f := item.Folder; f != nil; f = f.Parent {
		names = append(names, f.Title)
	}
	return strings.Join(names, " ")
}

func (r *Renderer) filters(item *site.Item) []string {
	terms := []string{kindTerm + string(item.Kind)}
	for f := item.Folder; f != nil; f = f.Parent {
		if offered(f) {
			terms = append(terms, folderTerm+folderKey(f))
		}
	}
	if item.Published != 0 {
		terms = append(terms, yearTerm+strconv.Itoa(r.date(item).Year()))
	}
	return terms
}

// offered tells whether one may filter by a folder.
func offered(f *site.Folder) bool { return f.Dir != "" && strings.Count(f.Dir, "/") < levels }

// folderKey is short, however long the directory is.
func folderKey(f *site.Folder) string {
	sum := sha256.Sum256([]byte(f.Dir))
	return base64.RawURLEncoding.EncodeToString(sum[:6])
}

func (r *Renderer) date(item *site.Item) time.Time {
	return time.UnixMilli(item.Published).In(r.site.Location)
}
