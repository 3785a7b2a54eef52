package search

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of the dictionary, which leads the words of a query to their stems.
const (
	blockSize = 3000 // bytes of a file at least; twice as many at most
	maxBlocks = 2048 // of one order; more words make larger files
	minItems  = 3    // of a word that is offered for a mistyped one
	endsBlock = 128  // one of so many words ends a block, so that a new word changes few
)

// dictionary is all words of a site in blocks, in the order of their letters and in that of
// their letters reversed.
type dictionary struct{ forward, reversed blocks }

// blocks are records in their order: a sign for in how many items a word is, the letters that
// it shares with the one before, the rest, and, if it is not its own stem, for each stem what
// that shares with it, and the rest.
type blocks struct {
	firsts []string // for each: a text after the last word of the block before, up to its own first
	texts  []string
}

// index returns where each block begins, and its version.
func (b blocks) index() string {
	var all strings.Builder
	for i, first := range b.firsts {
		fmt.Fprintf(&all, "%s:%s|", first, b.version(i))
	}
	return all.String()
}

// version returns a digest of a block.
func (b blocks) version(number int) string {
	sum := sha256.Sum256([]byte(b.texts[number]))
	return base64.RawURLEncoding.EncodeToString(sum[:3])
}

func (w words) dictionary() *dictionary {
	type word struct {
		text string
		n    int
	}
	var often []word
	forward := blockWriter{size: max(blockSize, len(w)/maxBlocks)}
	for k := range w.all() {
		forward.add(k.text, k.n, k.stems)
		if k.n >= minItems {
			often = append(often, word{reverse(k.text), k.n})
		}
	}
	slices.SortFunc(often, func(a, b word) int { return compareUTF16(a.text, b.text) })
	reversed := blockWriter{size: forward.size}
	for _, word := range often {
		reversed.add(word.text, word.n, nil)
	}
	return &dictionary{forward.finish(), reversed.finish()}
}

// blockWriter makes blocks of words that are added in their order.
type blockWriter struct {
	blocks
	size  int
	block []byte
	last  string
}

func (w *blockWriter) add(text string, n int, stems []string) {
	if len(w.block) >= 2*w.size || len(w.block) >= w.size && hashOf([]byte(text))%endsBlock == 0 {
		w.texts = append(w.texts, string(w.block))
		w.block = w.block[:0]
	}
	shares := w.last
	if len(w.block) == 0 {
		shares = ""
		first := ""
		if w.last != "" {
			first = separator(w.last, text)
		}
		w.firsts = append(w.firsts, first)
	}
	w.block = append(w.block, frequency(n))
	w.block = appendShared(w.block, shares, text)
	if len(stems) > 1 || len(stems) == 1 && stems[0] != text {
		for _, stem := range stems {
			w.block = appendShared(w.block, text, stem)
		}
	}
	w.last = text
}

func (w *blockWriter) finish() blocks {
	if len(w.block) > 0 {
		w.texts = append(w.texts, string(w.block))
	}
	return w.blocks
}

// frequency returns the sign of a word that is in a number of items.
func frequency(n int) byte {
	switch {
	case n < minItems:
		return '|'
	case n < 10:
		return '!'
	case n < 100:
		return '#'
	}
	return '$'
}

// reverse returns a text with its letters in reverse order.
func reverse(text string) string {
	reversed := make([]byte, 0, len(text))
	for len(text) > 0 {
		_, size := utf8.DecodeLastRuneInString(text)
		reversed = append(reversed, text[len(text)-size:]...)
		text = text[:len(text)-size]
	}
	return string(reversed)
}
