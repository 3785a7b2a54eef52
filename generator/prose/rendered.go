package prose

import (
	"html/template"
	"strings"
)

// Rendered executes a template and marks what it wrote as safe, which it is:
// html/template has escaped it for the place where it stands. What is made once
// can so be shown on many pages.
func Rendered(t *template.Template, data any) (template.HTML, error) {
	var b strings.Builder
	err := t.Execute(&b, data)
	return template.HTML(b.String()), err
}

// Stencil is rendered HTML in which links lead to files of the published tree,
// from a page of any depth.
type Stencil struct{ parts []string }

// stencilRoot stands for the root of the tree in a template's links. Behind an
// equals sign and a quotation mark it cannot be text: html/template writes no
// bare quotation mark there.
const (
	stencilRoot = "ayna-root/"
	stencilLink = `="` + stencilRoot
)

// StencilAddress returns what a template has to write as a link to an address
// of the tree, for [NewStencil] to find it.
func StencilAddress(address string) string { return stencilRoot + address }

// NewStencil executes a template whose links are made by [StencilAddress].
func NewStencil(t *template.Template, data any) (Stencil, error) {
	html, err := Rendered(t, data)
	return Stencil{strings.Split(string(html), stencilLink)}, err
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
				b.WriteString(`="`)
				b.WriteString(root)
			}
			b.WriteString(part)
		}
	}
	return template.HTML(b.String())
}
