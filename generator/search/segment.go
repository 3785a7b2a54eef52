package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"ayna/generator/output"
	"ayna/generator/site"
)

// format is the version of the files of a segment. Raise it when their bytes change for
// any site: files of another format are not taken over.
const format = 4

// maxTerms is the number of different words of an item that are indexed, if they fit.
const maxTerms = 1 << 16

// versionOf returns the version of a segment, given those of its files of items.
func versionOf(files []string) string { return digest([]byte(strings.Join(files, " "))) }

func digest(of []byte) string {
	sum := sha256.Sum256(of)
	return hex.EncodeToString(sum[:6])
}

// making is a segment while its files are written. Those of items come first: so a text
// is read once, for its file and for the terms.
type making struct {
	*Renderer
	number    int
	part      span
	version   string
	unchanged bool   // all of its files are published
	changed   []int  // files of items that are not published
	base      string // version of its published terms, if they are of the published files of items; or ""

	mu       sync.Mutex
	contents contents // being read; or nil
	segment  *segment // made; or nil
	uses     int      // of segments, by files that were written
	alone    bool     // no other segment is in memory
}

// segmentFiles returns the files of a segment: its items, its head and its terms. versions
// are those of its files of items.
func (r *Renderer) segmentFiles(number int, part span, version string, versions []string) []output.File {
	m := &making{Renderer: r, number: number, part: part, version: version}
	head := r.publishedVersion(headName(number))
	m.unchanged = head == published{version, true}
	var files []output.File
	add := func(name string, unchanged bool, arguments func(context.Context) ([]any, error)) {
		file := r.file(name, arguments)
		file.Batch = site.SearchFile(r.words, fileName(headName(number)))
		file.Unchanged = unchanged
		files = append(files, file)
	}
	var before []string
	for i, version := range versions {
		number := part.first/r.items.inFile() + i
		unchanged := m.unchanged
		if !unchanged {
			was := r.publishedVersion(itemsName(number))
			before = append(before, was.version)
			if unchanged = was == (published{version, true}); !unchanged {
				m.changed = append(m.changed, number)
			}
		}
		add(itemsName(number), unchanged, func(ctx context.Context) ([]any, error) {
			rows, unreadable, err := m.rows(ctx, number)
			if err != nil {
				return nil, err
			}
			packed, err := packRows(rows)
			return []any{version, unreadable, packed}, err
		})
	}
	if !m.unchanged && head.version == versionOf(before) {
		m.base = head.version
	}
	add(headName(number), m.unchanged, m.use(func(s *segment) []any {
		return []any{version, s.unreadable, strings.Join(s.firsts, "|"), s.sizes, s.maxTerms}
	}))
	for i := range part.files() {
		add(termsName(number, i), m.unchanged, m.use(func(s *segment) []any {
			entries := s.file(i)
			return []any{version, entries, checksum(entries)}
		}))
	}
	return files
}

// rows returns the items of a file. What a segment that is not made yet needs of them is
// collected in passing.
func (m *making) rows(ctx context.Context, file int) (rows []row, unreadable int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.contents == nil && (m.unchanged || m.uses > 0) {
		return m.items.contents(m.part, nil).rows(ctx, file)
	}
	if err = m.begin(ctx); err == nil {
		rows, unreadable, err = m.contents.rows(ctx, file)
	}
	if err != nil {
		m.end()
	}
	return rows, unreadable, err
}

// use returns the arguments of a file that is made from the segment. The first one makes
// it, and the last one releases its memory.
func (m *making) use(arguments func(*segment) []any) func(context.Context) ([]any, error) {
	return func(ctx context.Context) (made []any, err error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.segment == nil {
			if err = m.begin(ctx); err == nil {
				m.segment, err = m.make(ctx)
			}
			if err != nil || m.unchanged { // few files of an unchanged one are written
				m.end()
			}
			if err != nil {
				return nil, err
			}
		}
		made = arguments(m.segment)
		if m.uses++; m.uses%(1+m.part.files()) == 0 {
			m.segment = nil
			m.end()
		}
		return made, nil
	}
}

// begin waits until no other segment is in memory, and begins to read the contents.
func (m *making) begin(ctx context.Context) error {
	if !m.alone {
		select {
		case m.oneSegment <- struct{}{}:
			m.alone = true
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if m.contents == nil {
		m.contents = m.items.contents(m.part, m.collected(m.base != ""))
	}
	return nil
}

// end lets another segment begin.
func (m *making) end() {
	m.contents = nil
	if m.alone {
		<-m.oneSegment
	}
	m.alone = false
}

// collected returns the files of items whose terms are collected: all, or those that changed.
func (m *making) collected(update bool) (files []int) {
	if update {
		return m.changed
	}
	for first := m.part.first; first < m.part.last; first += m.items.inFile() {
		files = append(files, first/m.items.inFile())
	}
	return files
}

// make makes the segment of as many words of each item as fit: all of them, except for
// texts that were made to fill it. The terms of filters always fit.
func (m *making) make(ctx context.Context) (*segment, error) {
	update := m.base != ""
	for most := maxTerms; ; {
		c, unreadable, err := m.contents.collect(ctx, most)
		if err != nil {
			return nil, err
		}
		whole := !update || m.takeOver(c) == nil
		if s := divide(c, m.part.files()); whole && s != nil {
			s.unreadable, s.maxTerms = unreadable, most
			return s, nil
		}
		if !update {
			most /= 4
		}
		update = false
		m.contents = m.items.contents(m.part, m.collected(false))
	}
}

// takeOver adds the published terms of the items that have not changed. After an error the
// segment has to be made of all texts.
func (m *making) takeOver(c *collector) error {
	var version, firsts, sizes string
	var unreadable, most int
	if err := readFile(m.published, m.words.SearchDir, headName(m.number), &version, &unreadable, &firsts, &sizes, &most); err != nil {
		return err
	}
	if most != maxTerms {
		return damaged(m.words.SearchDir, headName(m.number))
	}
	again := make([]bool, c.items)
	for _, file := range m.changed {
		items := fileSpan(m.items, file)
		for i := items.first; i < items.last; i++ {
			again[i-m.part.first] = true
		}
	}
	for file := range m.part.files() {
		name := termsName(m.number, file)
		entries, err := readTerms(m.published, m.words.SearchDir, name, m.base)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !c.takeOver(e, again) {
				return damaged(m.words.SearchDir, name)
			}
		}
	}
	return nil
}
