package prose

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"
)

// Links within a text, as between a word and its footnote, lead to anchors. An anchor stands
// before the first word of what the source's id names. Nothing of that id is written: anchors
// are numbered, and [anchorID] makes ids that no page has otherwise.

// anchorID returns the id of an anchor of a text.
func anchorID(number string) string { return "text-" + number }

// targets numbers the places to which links of a text lead, by their ids.
func targets(tokens []token, base *url.URL) map[string]int {
	var numbers map[string]int
	for _, t := range tokens {
		if t.tag != "a" || t.kind == xhtml.EndTagToken {
			continue
		}
		if id, ok := fragmentOf(base, attribute(t.attr, "href")); ok && numbers[id] == 0 {
			if numbers == nil {
				numbers = make(map[string]int)
			}
			numbers[id] = len(numbers) + 1
		}
	}
	return numbers
}

// fragmentOf returns the id to which an address in a text leads, if that is in the text's
// own record.
func fragmentOf(base *url.URL, address string) (id string, ok bool) {
	path, id, ok := strings.Cut(strings.Trim(address, blanks), "#")
	if !ok || id == "" {
		return "", false
	}
	if path != "" {
		if base == nil {
			return "", false
		}
		own := *base
		own.Fragment, own.RawFragment = "", ""
		if whole, isSafe := resolve(base, path); !isSafe || whole != own.String() {
			return "", false
		}
	}
	if decoded, err := url.PathUnescape(id); err == nil {
		id = decoded
	}
	return id, true
}

// anchor marks the place that a start tag names, if a link leads there.
func (w *rewriter) anchor(t *token) {
	for _, a := range t.attr {
		if a.Key != "id" && (a.Key != "name" || t.tag != "a") {
			continue
		}
		if number := w.targets[a.Val]; number > 0 {
			w.count()
			w.out.WriteString(`<span id="` + strconv.Itoa(number) + `"></span>`)
		}
	}
}

// isFragment reports whether an address is that of an anchor, as rewrite writes it.
func isFragment(href string) bool {
	number, ok := strings.CutPrefix(href, "#")
	_, err := strconv.ParseUint(number, 10, 32)
	return ok && err == nil
}

// numberAnchors numbers anchors in their order, and removes those without a link and links
// without an anchor.
func numberAnchors(root *xhtml.Node) {
	var links, anchors []*xhtml.Node
	for n := range root.Descendants() {
		switch {
		case n.Data == "a" && isFragment(attribute(n.Attr, "href")):
			links = append(links, n)
		case n.Data == "span" && n.Type == xhtml.ElementNode:
			anchors = append(anchors, n)
		}
	}
	wanted := make(map[string]bool, len(links))
	for _, a := range links {
		wanted[a.Attr[0].Val[1:]] = true
	}
	numbers := make(map[string]string, len(anchors))
	for _, anchor := range anchors {
		id := anchor.Attr[0].Val
		if !wanted[id] || numbers[id] != "" {
			anchor.Parent.RemoveChild(anchor)
			continue
		}
		numbers[id] = strconv.Itoa(len(numbers) + 1)
		anchor.Attr[0].Val = numbers[id]
	}
	for _, a := range links {
		if number := numbers[a.Attr[0].Val[1:]]; number != "" {
			a.Attr = slices.Clone(a.Attr) // pieces of one link share them
			a.Attr[0].Val = "#" + number
		} else {
			unwrap(a)
		}
	}
}
