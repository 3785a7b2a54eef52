package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The fields of an item, the best first. An item is in a term's list for its best one.
const (
	inTitle = iota
	inSpot  // or in names
	inText
	fields
)

// term is a group of words with the same stem, a filter, a list of pairs of words or a prefix,
// with the items that have it.
type term struct {
	text  string
	lists [fields]*postings // nil if empty
	n     int               // of items
	forms []*form           // the words of the group, in any order
	size  int               // of the entry; set by measure
	best  int8              // the collector's: field in the current item, plus one; 0 if it does not have the term
}

// form is a word as it is written, folded. Its items are known by their ordinals among those
// of its group.
type form struct {
	text  string
	group *term
	list  *postings // nil as long as the first n items of the group have it; measure drops it
	n     int       // of items
	entry []byte    // set by measure
	here  bool      // the collector's: the current item has it
}

func (t *term) add(position, field int) {
	if t.lists[field] == nil {
		t.lists[field] = new(postings)
	}
	t.lists[field].add(position)
	t.n++
}

// add adds the newest item of the form's group.
func (f *form) add() {
	ordinal := f.group.n - 1
	if f.list == nil && f.n < ordinal {
		f.list = f.ordinals()
	}
	if f.list != nil {
		f.list.add(ordinal)
	}
	f.n++
}

// ordinals returns the list of the form's items. It is wrong after measure.
func (f *form) ordinals() *postings {
	if f.list != nil {
		return f.list
	}
	list := new(postings)
	for i := range f.n {
		list.add(i)
	}
	return list
}

// each calls found for each item, field by field.
func (t *term) each(found func(position, field int)) {
	for field, list := range t.lists {
		if list != nil {
			list.each(func(position int) { found(position, field) })
		}
	}
}

// Signs of entries, which no word contains. They come before all letters.
const (
	formSign   = "!" // between a stem and a form
	prefixSign = "*" // after a prefix that stands for all its terms
	manySign   = ";" // after a stem whose group has other forms than itself
)

// alone reports whether the stem itself is the only form, or the term is no group.
func (t *term) alone() bool {
	return len(t.forms) == 0 || len(t.forms) == 1 && t.forms[0].text == t.text
}

// appendTo appends the entry of the term, "TERM TITLE SPOT TEXT" without blanks at the end.
func (t *term) appendTo(to []byte) []byte {
	to = append(to, t.text...)
	if !t.alone() {
		to = append(to, manySign...)
	}
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

// measure sets the size of the entry and makes the entries of the forms, whose lists it drops to
// save memory. No items may be added after it.
func (t *term) measure() {
	t.size = len(t.text)
	if !t.alone() {
		t.size += len(manySign)
	}
	lists, head := 0, t.size
	for i, list := range t.lists {
		if list != nil {
			lists += min(list.sizes())
			t.size = head + 1 + i + lists
		}
	}
	if t.alone() {
		return
	}
	for _, f := range t.forms {
		f.entry = f.appendTo(nil)
		f.list = nil
	}
}

// sizeOfForms returns the size of the entries of the forms, each with its separator.
func (t *term) sizeOfForms() (size int) {
	for _, f := range t.forms {
		size += len(f.entry) + 1
	}
	return size
}

// compact keeps long lists as bits in memory. items is the number of items of the segment.
func (t *term) compact(items int) {
	for _, list := range t.lists {
		list.compact(items)
	}
}

// appendTo appends the entry of a form, which follows that of its group: a letter for the
// number of UTF-16 units that it shares with the stem, the rest, and ":" with the ordinals of
// its items, or "~" with those of the others, whichever is shorter; nothing if all have it.
func (f *form) appendTo(to []byte) []byte {
	to = append(to, formSign...)
	to = appendShared(to, f.group.text, f.text)
	if f.n == f.group.n {
		return to
	}
	list := f.ordinals()
	if f.n > f.group.n/2 {
		others, next := new(postings), 0
		list.each(func(ordinal int) {
			for ; next < ordinal; next++ {
				others.add(next)
			}
			next++
		})
		for ; next < f.group.n; next++ {
			others.add(next)
		}
		if min(others.sizes()) < min(list.sizes()) {
			return others.appendTo(append(to, '~'))
		}
	}
	return list.appendTo(append(to, ':'))
}

// appendShared appends a text that mostly begins as another one: a letter for the number of
// UTF-16 units that they share, from A, and the rest.
func appendShared(to []byte, with, text string) []byte {
	shared, units := 0, 0
	for i, r := range text {
		n := utf8.RuneLen(r)
		wide := 1
		if r > 0xFFFF {
			wide = 2
		}
		if units+wide > 'Z'-'A' || !strings.HasPrefix(with[i:], text[i:i+n]) {
			break
		}
		shared, units = i+n, units+wide
	}
	return append(append(to, 'A'+byte(units)), text[shared:]...)
}

// entry is a part of a file of terms: a term, or one of its forms.
type entry struct {
	*term
	form *form // nil for the term itself
}

// length returns the number of bytes of the entry.
func (e entry) length() int {
	if e.form == nil {
		return e.size
	}
	return len(e.form.entry)
}

// key returns the text by which entries are sorted.
func (e entry) key() string {
	if e.form == nil {
		return e.text
	}
	return e.text + formSign + e.form.text
}

// entries returns the entries of the terms, which are sorted, each followed by those of its
// forms, which it sorts.
func entries(terms []*term) []entry {
	var all []entry
	for _, t := range terms {
		all = append(all, entry{t, nil})
		if t.alone() {
			continue
		}
		slices.SortFunc(t.forms, func(a, b *form) int { return compareUTF16(a.text, b.text) })
		for _, f := range t.forms {
			all = append(all, entry{t, f})
		}
	}
	return all
}

// compareUTF16 orders terms, which are valid UTF-8, as JavaScript does: by UTF-16 units.
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return utf16Rank(a[i]) - utf16Rank(b[i])
		}
	}
	return len(a) - len(b)
}

// utf16Rank returns the rank of a byte of UTF-8 in the order of UTF-16. Pairs of units,
// which begin with the bytes F0 to F4, start with D800 to DBFF and so come before
// E000 to FFFF, which begin with EE and EF.
func utf16Rank(b byte) int {
	if b == 0xEE || b == 0xEF {
		return int(b) + 0x10
	}
	return int(b)
}
