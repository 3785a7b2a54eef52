// Package note names what a reader of originals has not understood, so that readers of a page
// miss it.
package note

import (
	"slices"
	"strings"
)

// A Kind is a kind of content that a page lacks.
type Kind string

// The kinds of content.
const (
	Shortcodes Kind = "shortcodes"
	Players    Kind = "players"
	Pictures   Kind = "pictures"
	Scripts    Kind = "scripts"
	Blocks     Kind = "blocks"
	Drawings   Kind = "drawings"
	Layout     Kind = "layout"
	Fields     Kind = "fields"
)

// worded is a kind in words.
type worded struct {
	kind Kind
	text string
}

// words follow "records have".
var words = []worded{
	{Shortcodes, "shortcodes of a plug-in that show nothing here"},
	{Players, "players without an address"},
	{Pictures, "pictures without an address"},
	{Scripts, "a place that a script fills at the source"},
	{Blocks, "blocks of a plug-in that show nothing here"},
	{Drawings, "drawings of which only the words are shown"},
	{Layout, "a text too long or too deep for its layout"},
	{Fields, "fields of another shape than the source's own"},
}

// Words returns what records have, in words; of an unknown kind its name.
func (k Kind) Words() string {
	for _, w := range words {
		if w.kind == k {
			return w.text
		}
	}
	return string(k)
}

// A Set has kinds. The zero Set has none; make one to add to it.
type Set map[Kind]bool

// String returns the names of the kinds in the order of words, with blanks between them.
func (s Set) String() string {
	var names []string
	for _, w := range words {
		if s[w.kind] {
			names = append(names, string(w.kind))
		}
	}
	return strings.Join(names, " ")
}

// Parse returns the known kinds in what [Set.String] has returned.
func Parse(names string) Set {
	s := make(Set)
	for name := range strings.FieldsSeq(names) {
		if slices.ContainsFunc(words, func(w worded) bool { return string(w.kind) == name }) {
			s[Kind(name)] = true
		}
	}
	return s
}
