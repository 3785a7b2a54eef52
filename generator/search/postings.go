package search

import (
	"cmp"
	"math/bits"
	"unicode/utf8"
)

// digits are the 64 characters of the numbers in the index.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// bitmap marks a list that is written as one bit for each position, six bits to a
// character.
const bitmap = '!'

// postings is a rising list of item positions in a segment. Each is written as its
// distance from the one before: five bits to a character, the lowest first. The sixth
// bit is set if more characters follow.
type postings struct {
	text []byte // or a bit for each position, if size is set
	size int32  // of the text
	next int32  // the smallest position that may follow
}

func (p *postings) add(position int) {
	gap := position - int(p.next)
	p.next = int32(position) + 1
	if p.size > 0 {
		p.text[position/8] |= 1 << (position % 8)
		p.size += max(1, int32(bits.Len(uint(gap))+4)/5)
		return
	}
	if most := len(p.text) + 4; most > cap(p.text) { // append would double it
		p.text = append(make([]byte, 0, most+most/4), p.text...)
	}
	for gap >= 32 {
		p.text = append(p.text, digits[32|gap&31])
		gap >>= 5
	}
	p.text = append(p.text, digits[gap])
}

// each calls found for each position.
func (p *postings) each(found func(position int)) {
	if p.size == 0 {
		eachPosition(p.text, found)
		return
	}
	for i, eight := range p.text {
		for ; eight != 0; eight &= eight - 1 {
			found(8*i + bits.TrailingZeros8(eight))
		}
	}
}

// sizes returns the size of the list in both forms.
func (p *postings) sizes() (text, bitmap int) {
	return int(cmp.Or(p.size, int32(len(p.text)))), 1 + (int(p.next)+5)/6
}

// appendTo appends the shorter of the two forms of the list.
func (p *postings) appendTo(to []byte) []byte {
	text, size := p.sizes()
	if text <= size {
		list := postings{text: to}
		p.each(list.add)
		return list.text
	}
	to = append(to, bitmap)
	start := len(to)
	to = append(to, make([]byte, size-1)...)
	sixes := to[start:]
	p.each(func(position int) { sixes[position/6] |= 1 << (position % 6) })
	for i, six := range sixes {
		sixes[i] = digits[six]
	}
	return to
}

// eachPosition calls position for each of a list. An invalid digit counts as 0.
func eachPosition[text string | []byte](list text, position func(int)) {
	if len(list) > 0 && list[0] == bitmap {
		for i := range len(list) - 1 {
			for six, bit := digitValues[list[1+i]], 0; six > 0; six, bit = six>>1, bit+1 {
				if six&1 == 1 {
					position(6*i + bit)
				}
			}
		}
		return
	}
	next, gap, shift := 0, 0, 0
	for i := range len(list) {
		v := int(digitValues[list[i]])
		gap |= v & 31 << shift
		shift += 5
		if v < 32 {
			position(next + gap)
			next, gap, shift = next+gap+1, 0, 0
		}
	}
}

var digitValues = func() (values [256]byte) {
	for i := range digits {
		values[digits[i]] = byte(i)
	}
	return values
}()

// The fields of an item, the best first. An item is in a term's list for its best one.
const (
	inTitle = iota
	inSpot  // or in names
	inText
	fields
)

// term is a word, a filter or a pair of words, with the items that have it.
type term struct {
	text  string
	lists [fields]*postings // nil if empty
	size  int32             // of the entry; set by measure
	best  int8              // field in the current item, plus one; 0 if it does not have the term
}

func (t *term) add(position, field int) {
	if t.lists[field] == nil {
		t.lists[field] = new(postings)
	}
	t.lists[field].add(position)
}

// isEmpty reports whether no item has the term.
func (t *term) isEmpty() bool { return t.lists == [fields]*postings{} }

// each calls found for each item: those of one field after those of the other.
func (t *term) each(found func(position, field int)) {
	for field := range t.lists {
		t.eachIn(field, func(position int) { found(position, field) })
	}
}

// eachIn calls found for each item of a field.
func (t *term) eachIn(field int, found func(position int)) {
	if list := t.lists[field]; list != nil {
		list.each(found)
	}
}

// appendTo appends the entry of the term, "TERM TITLE SPOT TEXT" without blanks at the end.
func (t *term) appendTo(to []byte) []byte {
	to = append(to, t.text...)
	end := len(to)
	for _, list := range t.lists {
		to = append(to, ' ')
		if list != nil {
			to = list.appendTo(to)
			end = len(to)
		}
	}
	return to[:end]
}

// compact has bits for long lists. items is the number of items of the segment.
func (t *term) compact(items int) {
	for _, list := range t.lists {
		if list != nil && list.size == 0 && len(list.text) > (items+7)/8 {
			text := list.text
			list.text, list.size = make([]byte, (items+7)/8), int32(len(text))
			eachPosition(text, func(position int) { list.text[position/8] |= 1 << (position % 8) })
		}
	}
}

// measure sets the size of the entry.
func (t *term) measure() {
	lists := 0
	for i, list := range t.lists {
		if list != nil {
			lists += min(list.sizes())
			t.size = int32(len(t.text) + 1 + i + lists)
		}
	}
}

// collector collects the terms of a segment's items.
type collector struct {
	items    int // of the segment
	maxTerms int // different words of each item
	maxBytes int // of all terms; if there are more, they certainly do not fit

	terms map[string]*term
	bytes int             // what the entries have at least
	forms map[string]form // what is known of some words
	pairs []byte          // bits for each list of pairs

	words   wordReader
	stemmer *stemmer

	// Of the current item:
	position int
	field    int
	current  []*term
	count    int    // of its words
	before   uint32 // hash of the word before in the line, or 0
	buffer   []byte // of a filter
}

// form is a word as it is written: its term, and its hash.
type form struct {
	term *term
	hash uint32
}

// maxForms bounds the number of forms that a collector remembers.
const maxForms = 1 << 13

// newCollector returns a collector of at most a number of different words of each item.
func newCollector(part span, maxTerms int, s *stemmer) *collector {
	items := part.last - part.first
	c := &collector{
		items: items, maxTerms: maxTerms, maxBytes: part.files() * maxEntry, stemmer: s,
		terms: make(map[string]*term), forms: make(map[string]form), pairs: make([]byte, pairLists*((items+7)/8)),
	}
	c.words.emit = c.addWord
	return c
}

// pairsOf returns the bits of a list of pairs, one for each item.
func (c *collector) pairsOf(list uint32) []byte {
	size := (c.items + 7) / 8
	return c.pairs[int(list)*size:][:size]
}

// overflows reports whether the terms are certainly too large.
func (c *collector) overflows() bool { return c.bytes > c.maxBytes }

// begin goes on to another item.
func (c *collector) begin(position int) {
	c.end()
	c.position = position
}

// end finishes the current item.
func (c *collector) end() {
	for _, t := range c.current {
		if t.isEmpty() {
			c.bytes += len(t.text) + len(" A|")
		}
		t.add(c.position, int(t.best)-1)
		t.compact(c.items)
		t.best = 0
	}
	c.current, c.count = c.current[:0], 0
}

// addText adds the words of a text of the item.
func (c *collector) addText(text string, field int) {
	c.field = field
	c.words.read(text)
}

func (c *collector) addWord(word []byte) {
	if word == nil {
		c.before = 0
		return
	}
	if c.overflows() {
		return
	}
	f, known := c.forms[string(word)]
	if !known {
		if len(c.forms) == maxForms {
			clear(c.forms)
		}
		key := string(word)
		f = form{hash: hashOf(word), term: c.term(c.stemmer.stem(word))}
		c.forms[key] = f
	}
	if c.before != 0 {
		c.pairsOf(pairOf(c.before, f.hash))[c.position/8] |= 1 << (c.position % 8)
	}
	c.before = f.hash
	if f.term.best == 0 {
		if c.count == c.maxTerms {
			return
		}
		c.count++
	}
	c.mark(f.term, c.field)
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
	c.forms = nil
}

// takeOver adds a published term of the items that were not collected again; false if the
// entry is damaged.
func (c *collector) takeOver(e entry, again []bool) bool {
	t := c.term([]byte(e.term))
	sound := true
	for field, list := range e.lists {
		var collected []int
		t.eachIn(field, func(position int) { collected = append(collected, position) })
		t.lists[field] = nil
		eachPosition(list, func(position int) {
			if position < 0 || position >= len(again) {
				sound = false
			} else if !again[position] {
				for len(collected) > 0 && collected[0] < position {
					t.add(collected[0], field)
					collected = collected[1:]
				}
				t.add(position, field)
			}
		})
		for _, position := range collected {
			t.add(position, field)
		}
		t.compact(c.items)
	}
	return sound
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
