package prose

import (
	"html/template"
	"strings"

	"ayna/generator/press"
)

// Rendered executes a template and marks what it wrote as safe, which it is:
// its values are escaped for the places where they stand, as html/template has
// decided. What is made once can so be shown on many pages.
func Rendered(t *press.Plate, data any) (template.HTML, error) {
	var b strings.Builder
	err := t.Execute(&b, data)
	return template.HTML(b.String()), err
}

// Stencil is rendered HTML in which links lead to files of the published tree,
// from a page of any depth.
type Stencil struct{ parts []string } // behind each but the last the root is to stand

// stencilRoot stands for the root of the tree in a template's links. Behind an
// equals sign and a quotation mark it cannot be text: html/template writes no
// bare quotation mark there.
const (
	stencilRoot = "ayna-root/"
	stencilLink = `="` + stencilRoot
	stencilNext = `, ` + stencilRoot // in a srcset
)

// StencilAddress returns what a template has to write as a link to an address
// of the tree, for [NewStencil] to find it.
func StencilAddress(address string) string { return stencilRoot + address }

// NewStencil executes a template whose links are made by [StencilAddress].
func NewStencil(t *press.Plate, data any) (Stencil, error) {
	html, err := Rendered(t, data)
	return Stencil{split(string(html))}, err
}

// split cuts the root out of links. In a srcset it stands in front of each
// candidate: of its value, which ends at the next quotation mark, a template
// writes nothing else.
func split(html string) []string {
	var parts []string
	inSet := false
	for i, part := range strings.Split(html, stencilLink) {
		if i > 0 {
			parts[len(parts)-1] += `="`
		}
		set, rest, _ := strings.Cut(part, `"`)
		if inSet && strings.Contains(set, stencilNext) {
			candidates := strings.Split(set, stencilNext)
			last := len(candidates) - 1
			for _, candidate := range candidates[:last] {
				parts = append(parts, candidate+", ")
			}
			part = candidates[last] + `"` + rest
		}
		parts = append(parts, part)
		inSet = strings.HasSuffix(part, " srcset")
	}
	return parts
}

// Size returns about how many bytes the stencil holds.
func (s Stencil) Size() int {
	n := 64
	for _, part := range s.parts {
		n += len(part)
	}
	return n
}

// Stencils puts stencils one behind the other, on a page from which root leads
// to the root of the tree: "../../".
func Stencils(root string, stencils []Stencil) template.HTML {
	size := 0
	for _, s := range stencils {
		size += s.Size()
	}
	var b strings.Builder
	b.Grow(size)
	for _, s := range stencils {
		for i, part := range s.parts {
			if i > 0 {
				b.WriteString(root)
			}
			b.WriteString(part)
		}
	}
	return template.HTML(b.String())
}
