package markup

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// controls are the elements of a form that do nothing in a copy of a page.
var controls = []atom.Atom{
	atom.Label, atom.Input, atom.Select, atom.Textarea, atom.Button, atom.Legend, atom.Option, atom.Datalist, atom.Output, atom.Progress, atom.Meter,
}

// removeForm removes the controls of a form and their labels. Other words of it stay.
func removeForm(form *html.Node) {
	var list []*html.Node
	for n := range form.Descendants() {
		if slices.Contains(controls, n.DataAtom) {
			list = append(list, n)
		}
	}
	asked := make(map[*html.Node]bool) // blocks that were looked at
	for _, n := range list {
		if isField(n) {
			removeLabel(form, n, asked)
		}
	}
	for _, n := range list {
		if n.Parent != nil {
			Remove(n)
		}
	}
	if HasContent(form) {
		Rename(form, atom.Div)
	} else {
		Remove(form)
	}
}

// isField reports whether a control has a label beside it.
func isField(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Select, atom.Textarea:
		return true
	case atom.Input:
		return !slices.Contains([]string{"hidden", "submit", "button", "reset", "image"}, strings.ToLower(Attribute(n, "type")))
	}
	return false
}

// removeLabel removes the largest block around a field that holds nothing else than it and its
// label, or the words before it, and after a box to tick.
func removeLabel(form, field *html.Node, asked map[*html.Node]bool) {
	var block *html.Node
	for n := field.Parent; n != form && n.Parent != nil; n = n.Parent {
		if slices.Contains(inline, n.DataAtom) && n.DataAtom != 0 {
			continue
		}
		if asked[n] || !isLabel(n) || block != nil && fieldsIn(n) > 1 {
			break
		}
		asked[n] = true
		block = n
	}
	if block != nil {
		Remove(block)
		return
	}
	beside := []*html.Node{field.PrevSibling}
	if kind := strings.ToLower(Attribute(field, "type")); kind == "checkbox" || kind == "radio" {
		beside = append(beside, field.NextSibling)
	}
	for _, n := range beside {
		if n != nil && (n.Type == html.TextNode || slices.Contains(inline, n.DataAtom)) && isLabelText(words(n)+n.Data) {
			Remove(n)
		}
	}
}

func fieldsIn(block *html.Node) (n int) {
	for c := range block.Descendants() {
		if isField(c) {
			n++
		}
	}
	return n
}

// isLabel reports whether a block with a field has no other words than a label.
func isLabel(block *html.Node) bool {
	for c := range block.Descendants() {
		switch c.DataAtom {
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Img, atom.Iframe, atom.Video, atom.Audio:
			return false
		}
	}
	return isLabelText(words(block))
}

// longLabel is the length in bytes from which on words are no label.
const longLabel = 120

// sentence matches the end of a sentence.
var sentence = regexp.MustCompile(`[.!…。।؛](\s|$)`)

func isLabelText(text string) bool { return len(text) < longLabel && !sentence.MatchString(text) }

// closing are the signs on which readers click to close a window.
var closing = []string{"×", "✕", "✖", "⨯", "╳", "🗙"}

// isClosing reports whether an element is a button to close a window of the page.
func isClosing(n *html.Node) bool {
	if n.FirstChild == nil || n.FirstChild != n.LastChild || n.FirstChild.Type != html.TextNode || !slices.Contains(closing, strings.TrimSpace(n.FirstChild.Data)) {
		return false
	}
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return strings.Contains(strings.ToLower(a.Key+" "+a.Val), "close") || strings.HasSuffix(a.Key, "-dismiss") || a.Key == "role" && a.Val == "button" || strings.HasPrefix(a.Key, "aria-")
	})
}
