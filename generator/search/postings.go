package search

import (
	"strings"

	"ayna/generator/site"
)

// digits are the 64 characters that numbers are written with.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// bitmap begins a list of positions that is written as one bit a position, six
// to a character.
const bitmap = '!'

// positions is a rising list of item positions in a segment. Each is written as its
// distance from the one before: five bits to a character, the lowest first; a sixth
// bit means that more follow.
type positions struct {
	text []byte
	next int // the least that may follow
}

func (p *positions) add(position int) {
	gap := position - p.next
	for gap >= 32 {
		p.text = append(p.text, digits[32|gap&31])
		gap >>= 5
	}
	p.text = append(p.text, digits[gap])
	p.next = position + 1
}

// String returns the shorter of the two forms of the list.
func (p *positions) String() string {
	if len(p.text) <= 1+(p.next+5)/6 {
		return string(p.text)
	}
	sixes := make([]byte, (p.next+5)/6)
	each(string(p.text), func(position int) { sixes[position/6] |= 1 << (position % 6) })
	for i, six := range sixes {
		sixes[i] = digits[six]
	}
	return string(bitmap) + string(sixes)
}

// each calls position for each of a list. An invalid digit counts as 0.
func each(text string, position func(int)) {
	if text != "" && text[0] == bitmap {
		for i := range len(text) - 1 {
			for six, bit := value(text[1+i]), 0; six > 0; six, bit = six>>1, bit+1 {
				if six&1 == 1 {
					position(6*i + bit)
				}
			}
		}
		return
	}
	next, gap, shift := 0, 0, 0
	for i := range len(text) {
		v := value(text[i])
		gap |= v & 31 << shift
		shift += 5
		if v < 32 {
			position(next + gap)
			next, gap, shift = next+gap+1, 0, 0
		}
	}
}

func value(digit byte) int { return max(0, strings.IndexByte(digits, digit)) }

// entry has the items of a term: those with it in the title, and others.
type entry struct {
	title, other positions

	found, titled bool // in the current item, and in its title
}

// collector collects the terms of items, one item after the other.
type collector struct {
	entries  map[string]*entry
	keys     map[*site.Folder]string // of folders
	words    words
	most     int
	title    bool     // they are of a title
	of       []*entry // the current item
	position int      // of the current item
	term     []byte   // buffer for a filter's
}

// newCollector returns a collector of at most so many words of an item.
func newCollector(most int) *collector {
	c := &collector{entries: make(map[string]*entry), keys: make(map[*site.Folder]string), most: most}
	c.words.found = func(term []byte) {
		if len(c.of) < most {
			c.mark(c.entry(term), c.title)
		}
	}
	return c
}

// text adds the words of a text of the item, if there is room for them.
func (c *collector) text(text string, title bool) {
	c.title = title
	c.words.read(text)
}

// filter adds the term of a filter.
func (c *collector) filter(sort, value string) {
	c.term = append(append(c.term[:0], sort...), value...)
	c.mark(c.entry(c.term), true)
}

func (c *collector) entry(term []byte) *entry {
	e := c.entries[string(term)]
	if e == nil {
		e = new(entry)
		c.entries[string(term)] = e
	}
	return e
}

// mark records that the current item has a term.
func (c *collector) mark(e *entry, title bool) {
	if !e.found {
		c.of = append(c.of, e)
	}
	e.found, e.titled = true, e.titled || title
}

// next goes on to the next item.
func (c *collector) next() {
	for _, e := range c.of {
		list := &e.other
		if e.titled {
			list = &e.title
		}
		list.add(c.position)
		e.found, e.titled = false, false
	}
	c.of = c.of[:0]
	c.position++
}
