package prose

import (
	"crypto/rand"
	"encoding/json"
	"html/template"
	"io"
	"strings"
)

// Markup is safe HTML that appends itself to a page, which saves a copy.
type Markup interface {
	AppendHTML(out []byte) []byte
	HTML() template.HTML
}

// A Template is one of html/template, or compiled from one.
type Template interface {
	Execute(w io.Writer, data any) error
}

// Rendered executes a template and returns its output as safe HTML: html/template
// decided how to escape each value.
func Rendered(t Template, data any) (template.HTML, error) {
	var b strings.Builder
	err := t.Execute(&b, data)
	return template.HTML(b.String()), err
}

// OwnHTML marks a text of the site's owner as HTML that pages show as it is. Never give it
// text of the source.
func OwnHTML(text string) template.HTML { return template.HTML(strings.TrimSpace(text)) }

// Fragment is rendered HTML that can be shown on pages of any depth. Its links lead
// to files of the published tree.
type Fragment struct {
	html string // with basePath
}

// basePath is the placeholder for the path to the root of the tree. It is random, so
// that no text can contain it.
var basePath = rand.Text()[:12] + "/"

// FragmentAddress returns the link to an address of the tree for a template of
// [NewFragment].
func FragmentAddress(address string) string { return basePath + address }

// NewFragment executes a template whose links are made by [FragmentAddress].
func NewFragment(t Template, data any) (Fragment, error) {
	html, err := Rendered(t, data)
	return Fragment{string(html)}, err
}

// Size returns about how many bytes a cache needs for the fragment.
func (f Fragment) Size() int { return 64 + len(f.html) }

// JoinFragments concatenates fragments for a page. root is the path from that page
// to the root of the tree, such as "../../".
func JoinFragments(root string, fragments []Fragment) Markup {
	return joined{root, fragments}
}

type joined struct {
	root      string
	fragments []Fragment
}

func (j joined) AppendHTML(out []byte) []byte {
	for _, fragment := range j.fragments {
		before, after, more := strings.Cut(fragment.html, basePath)
		for out = append(out, before...); more; out = append(out, before...) {
			out = append(out, j.root...)
			before, after, more = strings.Cut(after, basePath)
		}
	}
	return out
}

func (j joined) HTML() template.HTML { return template.HTML(j.AppendHTML(nil)) }

// JSONLD returns a value as a block of JSON-LD; "" if it cannot be encoded.
// Browsers take it for data and run nothing of it: encoding/json writes no "<",
// ">" or "&", so that no text can end the block.
func JSONLD(value any) template.HTML {
	data, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return template.HTML(`<script type="application/ld+json">` + string(data) + "</script>")
}
