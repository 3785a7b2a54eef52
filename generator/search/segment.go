package search

import (
	"context"
	"iter"
	"maps"
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
	folderTerm = "=f"
	kindTerm   = "=k"
	yearTerm   = "=y"
)

// mostTerms is how many different words of an item are indexed.
const mostTerms = 250

// segment holds the terms of some items, divided into files.
type segment struct {
	firsts []string // the first term of each file that has any
	files  []string // entries "term title other" joined by "|"
}

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
			return []any{version, s.firsts}, nil
		})
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
	entries, err := r.index(ctx, part)
	if err != nil {
		return nil, err
	}
	s := divide(entries, part.files())
	r.built.Put(number, s)
	return s, nil
}

// chunk is how many items' texts are read at once.
const chunk = 200

func (r *Renderer) index(ctx context.Context, part span) (map[string]*entry, error) {
	entries := make(map[string]*entry)
	found := make(map[string]bool) // the terms of an item, and whether its title has them
	position := 0
	for items := range slices.Chunk(r.items(part), chunk) {
		teasers, err := r.reader.Teasers(ctx, items)
		if err != nil {
			return nil, err
		}
		for _, teaser := range teasers {
			clear(found)
			addTerms(found, true, teaser.Title)
			addTerms(found, false, teaser.Spot)
			addTerms(found, false, subjects(teaser.Item))
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

func addTerms(found map[string]bool, title bool, text string) {
	for _, term := range Terms(text) {
		if len(found) == mostTerms {
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
	for f := item.Folder; f != nil && f.Dir != ""; f = f.Parent {
		terms = append(terms, folderTerm+f.Dir)
	}
	if item.Published != 0 {
		terms = append(terms, yearTerm+strconv.Itoa(r.date(item).Year()))
	}
	return terms
}

func (r *Renderer) date(item *site.Item) time.Time {
	return time.UnixMilli(item.Published).In(r.site.Location)
}

// divide writes entries in the order of their terms into so many files of about
// the same size.
func divide(entries map[string]*entry, files int) *segment {
	terms := slices.SortedFunc(maps.Keys(entries), before)
	written := make([]string, len(terms))
	total := 0
	for i, term := range terms {
		e := entries[term]
		written[i] = strings.TrimSuffix(term+" "+e.title.String()+" "+e.other.String(), " ")
		total += len(written[i])
	}
	s := &segment{files: make([]string, files)}
	size := 0
	for start := 0; start < len(terms); {
		end, share := start, total*(len(s.firsts)+1)/files
		for end < len(terms) && (end == start || size+len(written[end])/2 <= share) {
			size += len(written[end])
			end++
		}
		if len(s.firsts) == files-1 {
			end = len(terms)
		}
		s.files[len(s.firsts)] = strings.Join(written[start:end], "|")
		s.firsts = append(s.firsts, terms[start])
		start = end
	}
	return s
}
