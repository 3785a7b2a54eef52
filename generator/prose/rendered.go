package prose

import (
	"bytes"
	"html/template"
	"slices"
	"strings"
	"sync"

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
type Stencil struct {
	html  string
	roots []int32 // where in it the root of the tree is to stand
}

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

var stencils = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// NewStencil executes a template whose links are made by [StencilAddress].
func NewStencil(t *press.Plate, data any) (Stencil, error) {
	b := stencils.Get().(*bytes.Buffer)
	defer stencils.Put(b)
	b.Reset()
	if err := t.Execute(b, data); err != nil {
		return Stencil{}, err
	}
	return stencilOf(b.Bytes()), nil
}

// stencilOf takes the root out of links, in the place of the HTML it is given. In a
// srcset it stands in front of each candidate: of its value, which ends at the
// next quotation mark, a template writes nothing else.
func stencilOf(html []byte) Stencil {
	var found [16]int32
	kept, roots := html[:0], found[:0]
	take := func(until, behind int) {
		kept = append(kept, html[:until]...)
		roots = append(roots, int32(len(kept)))
		html = html[behind:]
	}
	for {
		i := bytes.Index(html, []byte(stencilLink))
		if i < 0 {
			break
		}
		inSet := bytes.HasSuffix(html[:i], []byte(" srcset"))
		take(i+len(`="`), i+len(stencilLink))
		for inSet {
			set, _, _ := bytes.Cut(html, []byte{'"'})
			next := bytes.Index(set, []byte(stencilNext))
			if next < 0 {
				break
			}
			take(next+len(", "), next+len(stencilNext))
		}
	}
	return Stencil{string(append(kept, html...)), slices.Clone(roots)}
}

// Size returns about how many bytes the stencil holds.
func (s Stencil) Size() int { return 96 + len(s.html) + 4*len(s.roots) }

// Stencils puts stencils one behind the other, on a page from which root leads
// to the root of the tree: "../../".
func Stencils(root string, stencils []Stencil) press.Markup { return sheet{root, stencils} }

type sheet struct {
	root     string
	stencils []Stencil
}

func (s sheet) AppendHTML(out []byte) []byte {
	for _, stencil := range s.stencils {
		done := 0
		for _, at := range stencil.roots {
			out = append(append(out, stencil.html[done:at]...), s.root...)
			done = int(at)
		}
		out = append(out, stencil.html[done:]...)
	}
	return out
}

func (s sheet) HTML() template.HTML { return template.HTML(s.AppendHTML(nil)) }
