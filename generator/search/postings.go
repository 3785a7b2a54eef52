package search

import (
	"strings"

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

// String returns the shorter of the two forms of the list.
func (p *postings) String() string {
	if len(p.text) <= 1+(p.next+5)/6 {
		return string(p.text)
	}
	sixes := make([]byte, (p.next+5)/6)
	eachPosition(string(p.text), func(position int) { sixes[position/6] |= 1 << (position % 6) })
	for i, six := range sixes {
		sixes[i] = digits[six]
	}
	return string(bitmap) + string(sixes)
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

// termPostings has the items of a term: those with it in the title, and others.
type termPostings struct {
	title, other postings

	inItem, inTitle bool // in the current item, and in its title
}

// collector collects the terms of items, one item after the other.
type collector struct {
	terms      map[string]*termPostings
	folderKeys map[*site.Folder]string // of folders
	words      termReader
	maxTerms   int
	inTitle    bool            // they are of a title
	current    []*termPostings // the current item
	position   int             // of the current item
	buffer     []byte          // buffer for a filter's
}

// newCollector returns a collector of at most a number of words of each item.
func newCollector(most int) *collector {
	c := &collector{terms: make(map[string]*termPostings), folderKeys: make(map[*site.Folder]string), maxTerms: most}
	c.words.emit = func(term []byte) {
		if len(c.current) < most {
			c.mark(c.postingsOf(term), c.inTitle)
		}
	}
	return c
}

// addText adds the words of a text of the item, if there is room for them.
func (c *collector) addText(text string, title bool) {
	c.inTitle = title
	c.words.read(text)
}

// addFilter adds the term of a filter.
func (c *collector) addFilter(sort, value string) {
	c.buffer = append(append(c.buffer[:0], sort...), value...)
	c.mark(c.postingsOf(c.buffer), true)
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
func (c *collector) mark(e *termPostings, title bool) {
	if !e.inItem {
		c.current = append(c.current, e)
	}
	e.inItem, e.inTitle = true, e.inTitle || title
}

// next goes on to the next item.
func (c *collector) next() {
	for _, e := range c.current {
		list := &e.other
		if e.inTitle {
			list = &e.title
		}
		list.add(c.position)
		e.inItem, e.inTitle = false, false
	}
	c.current = c.current[:0]
	c.position++
}
