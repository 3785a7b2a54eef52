package search

import (
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"ayna/archive/analysis"
)

// collector collects the terms of a segment's items.
type collector struct {
	items int // of the segment

	terms     map[string]*term
	spellings []spelled // what is known of some words, by a hash of their spelling
	seed      maphash.Seed
	pairs     []byte // bits for each list of pairs

	words   analysis.Reader
	stemmer stemmer

	// Of the current item:
	position int
	field    int
	current  []*term
	written  []*form
	before   uint32 // hash of the word before in the line, or 0
	buffer   []byte // of a filter
}

// spelled is what is known of a spelling: its form, and the hash of that.
type spelled struct {
	spelling string
	form     *form
	hash     uint32
}

// maxSpellings is the number of spellings that a collector remembers at most.
const maxSpellings = 1 << 15

func newCollector(items int, s stemmer) *collector {
	c := &collector{
		items: items, stemmer: s, terms: make(map[string]*term), pairs: make([]byte, pairLists*((items+7)/8)),
		spellings: make([]spelled, maxSpellings), seed: maphash.MakeSeed(),
	}
	c.words.Emit = c.addWord
	return c
}

// pairsOf returns the bits of a list of pairs, one for each item.
func (c *collector) pairsOf(list uint32) []byte {
	size := (c.items + 7) / 8
	return c.pairs[int(list)*size:][:size]
}

// begin goes on to another item.
func (c *collector) begin(position int) {
	c.end()
	c.position = position
}

// end finishes the current item.
func (c *collector) end() {
	for _, t := range c.current {
		t.add(c.position, int(t.best)-1)
		t.compact(c.items)
		t.best = 0
	}
	for _, f := range c.written {
		f.add()
		f.list.compact(c.items)
		f.here = false
	}
	c.current, c.written = c.current[:0], c.written[:0]
}

// addText adds the words of a text of the item.
func (c *collector) addText(text string, field int) {
	c.field = field
	c.words.Read(text)
}

func (c *collector) addWord(word analysis.Word) {
	if word.Unspaced { // these pairs of letters do for phrases
		c.before = 0
		c.mark(c.term(word.Text), c.field)
		return
	}
	if word.Text == nil {
		c.before = 0
		return
	}
	known := &c.spellings[maphash.String(c.seed, word.Spelling)%maxSpellings]
	if known.form == nil || known.spelling != word.Spelling {
		*known = spelled{strings.Clone(word.Spelling), c.form(word), hashOf(word.Text)} // a clone, so that the text is not kept
	}
	if c.before != 0 {
		c.pairsOf(pairOf(c.before, known.hash))[c.position/8] |= 1 << (c.position % 8)
	}
	c.before = known.hash
	c.mark(known.form.group, c.field)
	if !known.form.here {
		known.form.here = true
		c.written = append(c.written, known.form)
	}
}

// form returns the form of a word.
func (c *collector) form(word analysis.Word) *form {
	text := string(word.Text)
	group := c.term([]byte(c.stemmer(text, word.Spelling)))
	for _, f := range group.forms { // they are few
		if f.text == text {
			return f
		}
	}
	if text == group.text {
		text = group.text // one string
	}
	f := &form{text: text, group: group}
	group.forms = append(group.forms, f)
	return f
}

// addFilter adds the term of a filter.
func (c *collector) addFilter(sort, value string) {
	c.buffer = append(append(c.buffer[:0], sort...), value...)
	c.mark(c.term(c.buffer), inTitle)
}

func (c *collector) term(text []byte) *term {
	t := c.terms[string(text)]
	if t == nil {
		t = &term{text: string(text)}
		c.terms[t.text] = t
	}
	return t
}

// mark records that the current item has a term.
func (c *collector) mark(t *term, field int) {
	if t.best == 0 {
		c.current = append(c.current, t)
	}
	if t.best == 0 || int(t.best) > field+1 {
		t.best = int8(field + 1)
	}
}

// finish makes the pairs terms, after the last item.
func (c *collector) finish() {
	c.end()
	for number := range uint32(pairLists) {
		pair := &postings{text: c.pairsOf(number), size: 1}
		if pair.each(pair.add); pair.next > 0 {
			pair.size--
			c.term([]byte(pairName(number))).lists[inTitle] = pair
		}
	}
	c.spellings = nil
}

// Neighbouring words of a line are terms too, so that few items have all words of a
// phrase, but not the phrase. To save room, many pairs share a term.
const (
	pairTerm  = "=p"
	pairLists = 1 << 11
)

// pairOf returns the number of the list of a pair of words.
func pairOf(first, second uint32) uint32 {
	hash := first*31 + second
	return (hash ^ hash>>16) % pairLists
}

// pairName returns the term of a list of pairs.
func pairName(list uint32) string {
	return pairTerm + string(digits[list>>6]) + string(digits[list&63])
}

// hashOf returns the FNV-1a hash of a word in UTF-16 units; never 0.
func hashOf(word []byte) uint32 {
	hash := uint32(2166136261)
	add := func(unit rune) { hash = (hash ^ uint32(unit)) * 16777619 }
	for i := 0; i < len(word); {
		if word[i] < utf8.RuneSelf {
			add(rune(word[i]))
			i++
			continue
		}
		r, size := utf8.DecodeRune(word[i:])
		i += size
		if r < 0x10000 {
			add(r)
		} else {
			add(0xD800 + (r-0x10000)>>10)
			add(0xDC00 + (r-0x10000)&0x3FF)
		}
	}
	return max(1, hash)
}
