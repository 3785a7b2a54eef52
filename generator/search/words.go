package search

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// words are the different words of some segments, as bytes: 204 segments of a million items
// have several million. Each word is the number of bytes that it shares with the one before,
// the rest, in how many items it is, and its stems; "" is the word itself.
type words []byte

// known is a word, folded, with its stems.
type known struct {
	text  string
	stems []string // sorted
	n     int      // of items
}

// wordsOf returns the words of terms. Those with digits, and pairs of letters, are their own
// stems and left out.
func wordsOf(terms []*term) words {
	var forms []*form
	for _, t := range terms {
		for _, f := range t.forms {
			if !strings.ContainsFunc(f.text, unicode.IsNumber) {
				forms = append(forms, f)
			}
		}
	}
	slices.SortFunc(forms, func(a, b *form) int {
		if order := compareUTF16(a.text, b.text); order != 0 {
			return order
		}
		return strings.Compare(a.group.text, b.group.text)
	})
	var all wordWriter
	for start := 0; start < len(forms); {
		k := known{text: forms[start].text}
		for ; start < len(forms) && forms[start].text == k.text; start++ {
			k.stems = append(k.stems, forms[start].group.text)
			k.n += forms[start].n
		}
		all.add(k)
	}
	return all.words
}

// wordWriter makes words of those that are added in their order.
type wordWriter struct {
	words
	last string
}

func (w *wordWriter) add(k known) {
	text := func(s string) {
		w.words = append(w.words, byte(len(s)))
		w.words = append(w.words, s...)
	}
	shared := 0
	for shared < min(len(w.last), len(k.text)) && w.last[shared] == k.text[shared] {
		shared++
	}
	w.words = append(w.words, byte(shared))
	text(k.text[shared:])
	w.words = binary.AppendUvarint(w.words, uint64(k.n))
	w.words = append(w.words, byte(len(k.stems)))
	for _, stem := range k.stems {
		if stem == k.text {
			stem = ""
		}
		text(stem)
	}
	w.last = k.text
}

// all yields the words in their order. The stems are valid until the next word.
func (w words) all() iter.Seq[known] {
	return func(yield func(known) bool) {
		var k known
		var last []byte
		rest := w
		text := func() []byte {
			n := int(rest[0])
			text := rest[1 : 1+n]
			rest = rest[1+n:]
			return text
		}
		for len(rest) > 0 {
			last = last[:rest[0]]
			rest = rest[1:]
			last = append(last, text()...)
			k.text = string(last)
			n, size := binary.Uvarint(rest)
			stems := int(rest[size])
			rest = rest[size+1:]
			k.n, k.stems = int(n), k.stems[:0]
			for range stems {
				stem := string(text())
				if stem == "" {
					stem = k.text
				}
				k.stems = append(k.stems, stem)
			}
			if !yield(k) {
				return
			}
		}
	}
}

// merger merges the words of many segments, of equally many each time, so that it touches a
// word a few times only.
type merger struct {
	parts []words // of falling numbers of segments
	n     int     // of segments
}

func (m *merger) add(w words) {
	m.parts = append(m.parts, w)
	for n := m.n; n%2 == 1; n /= 2 {
		m.mergeLast()
	}
	m.n++
}

func (m *merger) mergeLast() {
	last := len(m.parts) - 1
	m.parts[last-1] = m.parts[last-1].merge(m.parts[last])
	m.parts = m.parts[:last]
}

// all returns the words of all segments.
func (m *merger) all() words {
	for len(m.parts) > 1 {
		m.mergeLast()
	}
	return slices.Concat(m.parts...)
}

// merge returns the words of both.
func (w words) merge(other words) words {
	if len(w) == 0 {
		return other
	}
	merged := wordWriter{words: make(words, 0, len(w)+len(other)/2)}
	next, stop := iter.Pull(other.all())
	defer stop()
	b, more := next()
	for a := range w.all() {
		for more && compareUTF16(b.text, a.text) < 0 {
			merged.add(b)
			b, more = next()
		}
		if more && b.text == a.text {
			a.n += b.n
			a.stems = append(a.stems, b.stems...)
			slices.Sort(a.stems)
			a.stems = slices.Compact(a.stems)
			b, more = next()
		}
		merged.add(a)
	}
	for more {
		merged.add(b)
		b, more = next()
	}
	return merged.words
}
