package search

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"ayna/generator/site"
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
	text []byte
	next int // the smallest position that may follow
}

func (p *postings) add(position int) {
	gap := position - p.next
	for gap >= 32 {
		p.text = append(p.text, digits[32|gap&31])
		gap >>= 5
	}
	p.text = append(p.text, digits[gap])
	p.next = position + 1
}

// appendTo appends the shorter of the two forms of the list.
func (p *postings) appendTo(to []byte) []byte {
	if len(p.text) <= 1+(p.next+5)/6 {
		return append(to, p.text...)
	}
	to = append(to, bitmap)
	start := len(to)
	to = append(to, make([]byte, (p.next+5)/6)...)
	sixes := to[start:]
	eachPosition(string(p.text), func(position int) { sixes[position/6] |= 1 << (position % 6) })
	for i, six := range sixes {
		sixes[i] = digits[six]
	}
	return to
}

// eachPosition calls position for each of a list. An invalid digit counts as 0.
func eachPosition(text string, position func(int)) {
	if text != "" && text[0] == bitmap {
		for i := range len(text) - 1 {
			for six, bit := digitValue(text[1+i]), 0; six > 0; six, bit = six>>1, bit+1 {
				if six&1 == 1 {
					position(6*i + bit)
				}
			}
		}
		return
	}
	next, gap, shift := 0, 0, 0
	for i := range len(text) {
		v := digitValue(text[i])
		gap |= v & 31 << shift
		shift += 5
		if v < 32 {
			position(next + gap)
			next, gap, shift = next+gap+1, 0, 0
		}
	}
}

func digitValue(digit byte) int { return max(0, strings.IndexByte(digits, digit)) }

// The fields of an item, the best first. An item is in a term's list for its best one.
const (
	inTitle = iota
	inSpot  // or in names
	inText
	fields
)

// termPostings has the items of a term while they are collected: distances and fields.
type termPostings struct {
	list []byte
	next int32 // the smallest position that may follow
	best int8  // field in the current item, plus one; 0 if it does not have the term
}

func (e *termPostings) add(position, field int) {
	e.list = binary.AppendUvarint(e.list, uint64(position-int(e.next))*fields+uint64(field))
	e.next = int32(position) + 1
}

func (e *termPostings) each(found func(position, field int)) {
	next := 0
	for list := e.list; len(list) > 0; {
		v, n := binary.Uvarint(list)
		list = list[n:]
		position := next + int(v/fields)
		found(position, int(v%fields))
		next = position + 1
	}
}

// encode returns the term with its lists, as "TERM TITLE SPOT TEXT" without blanks at
// the end.
func (e *termPostings) encode(term string) encodedTerm {
	var lists [fields]postings
	e.each(func(position, field int) { lists[field].add(position) })
	text := []byte(term)
	for i := range lists {
		text = lists[i].appendTo(append(text, ' '))
	}
	all := strings.TrimRight(string(text), " ")
	return encodedTerm{all[:len(term)], all}
}

// collector collects the terms of items, one item after the other.
type collector struct {
	terms      map[string]*termPostings
	pairs      [pairLists]termPostings
	folderKeys map[*site.Folder]string // of folders
	words      wordReader
	stemmer    *stemmer
	field      int
	maxTerms   int
	current    []*termPostings // of the current item
	count      int             // words of the current item
	position   int             // of the current item
	before     uint32          // hash of the word before in the line, or 0
	buffer     []byte          // of a filter
}

// newCollector returns a collector of at most a number of different words of each item.
func newCollector(maxTerms int) *collector {
	c := &collector{terms: make(map[string]*termPostings), folderKeys: make(map[*site.Folder]string), maxTerms: maxTerms}
	c.words.emit = c.addWord
	return c
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
	hash := hashOf(word)
	if c.before != 0 {
		c.mark(&c.pairs[pairOf(c.before, hash)], 0)
	}
	c.before = hash
	e := c.postingsOf(c.stemmer.stem(word))
	if e.best == 0 {
		if c.count == c.maxTerms {
			return
		}
		c.count++
	}
	c.mark(e, c.field)
}

// addFilter adds the term of a filter.
func (c *collector) addFilter(sort, value string) {
	c.buffer = append(append(c.buffer[:0], sort...), value...)
	c.mark(c.postingsOf(c.buffer), 0)
}

func (c *collector) postingsOf(term []byte) *termPostings {
	e := c.terms[string(term)]
	if e == nil {
		e = new(termPostings)
		c.terms[string(term)] = e
	}
	return e
}

// mark records that the current item has a term.
func (c *collector) mark(e *termPostings, field int) {
	if e.best == 0 {
		c.current = append(c.current, e)
	}
	if e.best == 0 || int(e.best) > field+1 {
		e.best = int8(field + 1)
	}
}

// next goes on to the next item.
func (c *collector) next() {
	for _, e := range c.current {
		e.add(c.position, int(e.best)-1)
		e.best = 0
	}
	c.current, c.count = c.current[:0], 0
	c.position++
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
