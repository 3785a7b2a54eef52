package search

import (
	"cmp"
	"math/bits"
)

// digits are the 64 characters of the numbers in the index.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// bitmap marks a list that is written as one bit for each position, six bits to a
// character.
const bitmap = '!'

// postings is a rising list of item positions in a segment. Each is written as its
// distance from the one before, less one. A long list is kept as bits, see compact.
type postings struct {
	text []byte // the list as written, or a bit for each position, eight to a byte, if size is set
	size int32  // of the text that the bits stand for; 0 without bits
	next int32  // the smallest position that may follow
}

func (p *postings) add(position int) {
	gap := position - int(p.next)
	p.next = int32(position) + 1
	if p.size > 0 {
		p.text[position/8] |= 1 << (position % 8)
		p.size += max(1, int32(bits.Len(uint(gap))+4)/5) // what appendNumber would append
		return
	}
	if most := len(p.text) + 4; most > cap(p.text) { // append would double it
		p.text = append(make([]byte, 0, most+most/4), p.text...)
	}
	p.text = appendNumber(p.text, gap)
}

// appendNumber appends a number: five bits to a character, the lowest first. The sixth bit is
// set if more characters follow.
func appendNumber(to []byte, n int) []byte {
	for n >= 32 {
		to = append(to, digits[32|n&31])
		n >>= 5
	}
	return append(to, digits[n])
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

// sizes returns the size of the list in both written forms.
func (p *postings) sizes() (text, bitmap int) {
	return int(cmp.Or(p.size, int32(len(p.text)))), 1 + (int(p.next)+5)/6
}

// appendTo appends the shorter of the two written forms of the list.
func (p *postings) appendTo(to []byte) []byte {
	text, marked := p.sizes()
	if text <= marked {
		list := postings{text: to}
		p.each(list.add)
		return list.text
	}
	to = append(to, bitmap)
	start := len(to)
	to = append(to, make([]byte, marked-1)...)
	sixes := to[start:]
	p.each(func(position int) { sixes[position/6] |= 1 << (position % 6) })
	for i, six := range sixes {
		sixes[i] = digits[six]
	}
	return to
}

// eachPosition calls found for each position of a written list. An invalid digit counts as 0.
func eachPosition[text string | []byte](list text, found func(position int)) {
	if len(list) > 0 && list[0] == bitmap {
		for i := range len(list) - 1 {
			for six, bit := digitValues[list[1+i]], 0; six > 0; six, bit = six>>1, bit+1 {
				if six&1 == 1 {
					found(6*i + bit)
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
			found(next + gap)
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

// compact keeps a list as bits in memory once they take less than its text. items is the number
// of items of the segment.
func (p *postings) compact(items int) {
	if p == nil || p.size > 0 || len(p.text) <= (items+7)/8 {
		return
	}
	text := p.text
	p.text, p.size = make([]byte, (items+7)/8), int32(len(text))
	eachPosition(text, func(position int) { p.text[position/8] |= 1 << (position % 8) })
}
