package search

import "strings"

// digits are the 64 characters that numbers are written with.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// bitmap begins a list of positions that is written as one bit a position, six
// to a character.
const bitmap = '!'

// positions is a rising list of items' places in a segment, each written as its
// distance from the one before: five bits to a character, the lowest first; a
// sixth bit says that more follow.
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

// String is the shorter one of the two ways to write the list.
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

// each reads a list of positions. What is no digit counts as 0.
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
