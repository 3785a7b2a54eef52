package prose

import (
	"errors"
	"fmt"
	"hash/fnv"
	"html/template"
	"slices"
	"strings"
	"unicode"

	"ayna/generator/press"
)

// Body is one cleaned text: safe HTML in which every link and picture is
// still a reference by its address at the source. The zero Body is empty.
type Body struct {
	html     string // with references, see reference.go
	fallback string
}

// Resolver says what an address of the source becomes where a text is shown.
// Its answers are escaped but otherwise trusted.
type Resolver interface {
	// Link returns the href for a link. "" means no link: its words stay.
	Link(source string) (href string)
	// Image returns the picture for an address. false means that there is
	// none: the picture's alternative text is shown instead.
	Image(source string) (Image, bool)
}

// Image is a picture as a page or feed shows it.
type Image struct {
	Src           string
	Srcset, Sizes string // as the attributes of these names; no Srcset: Src is all there is
	Width, Height int    // of Src in pixels; 0: unknown
}

// Fallback says why the text was reduced to plain paragraphs: "too long",
// "too deep" or "too many elements", with ", cut" behind it if not even all of
// its words were kept. "" means it was not reduced.
func (b Body) Fallback() string { return b.fallback }

// Version is that of what Clean and Markdown return. It is raised when they
// return something else for the same text, so that what was kept of another
// version is not believed.
const Version = 2

// marshalled is how a marshalled Body begins.
const marshalled = "prose "

// Marshal returns the Body as one string of valid UTF-8, for a cache.
func (b Body) Marshal() string {
	return marshalled + b.fallback + "\n" + b.html
}

// Unmarshal reads what [Body.Marshal] wrote. It fails if the string is
// something else; the text must then be cleaned again. It does not check the
// HTML for safety.
func Unmarshal(s string) (Body, error) {
	head, html, ok := strings.Cut(s, "\n")
	fallback, known := strings.CutPrefix(head, marshalled)
	if !ok || !known {
		return Body{}, errors.New("reading a cleaned text: not in this version's form; clean the text again")
	}
	if err := checkReferences(html); err != nil {
		return Body{}, fmt.Errorf("reading a cleaned text: %w; clean the text again", err)
	}
	return Body{html: html, fallback: fallback}, nil
}

// Links returns the absolute source addresses of the links, each once, in the
// order of the text.
func (b Body) Links() []string { return b.addresses(linkRef) }

// Images returns the absolute source addresses of the pictures, each once, in
// the order of the text. The poster of an embedded player is among them.
func (b Body) Images() []string { return b.addresses(imageRef) }

func (b Body) addresses(kind byte) []string {
	var list []string
	var seen map[string]bool
	for p := range pieces(b.html) {
		if p.kind == kind && !seen[p.address] {
			if seen == nil {
				seen = make(map[string]bool)
			}
			seen[p.address] = true
			list = append(list, p.address)
		}
	}
	return list
}

// Outcome returns a digest of what the resolver makes of the text's addresses.
func (b Body) Outcome(r Resolver) uint64 {
	h := fnv.New64a()
	for p := range pieces(b.html) {
		switch p.kind {
		case linkRef:
			fmt.Fprintf(h, "%q", r.Link(p.address))
		case imageRef:
			image, ok := r.Image(p.address)
			fmt.Fprintf(h, "%t%q", ok, image.Src)
		}
	}
	return h.Sum64()
}

// Text returns the words, paragraphs, list items and table rows divided by
// "\n". Captions belong to it; alternative texts of pictures and the titles of
// embedded players do not.
func (b Body) Text() string {
	var markup strings.Builder
	inPlayer, previous := false, ""
	for p := range pieces(b.html) {
		switch p.kind {
		case 0:
			if !inPlayer {
				markup.WriteString(p.literal)
			}
			previous = p.literal
		case linkRef:
			inPlayer = strings.HasSuffix(previous, playerTag)
		case linkEnd:
			inPlayer = false
		}
	}
	return strings.Join(slices.Collect(paragraphs(markup.String())), "\n")
}

// Words counts the words of a plain text: what holds a letter or a digit.
func Words(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

// HTML returns the text as safe HTML of block elements, for pages and feeds
// alike: the resolver decides whether addresses are relative or absolute.
func (b Body) HTML(r Resolver) template.HTML { return b.Markup(r).HTML() }

// Markup is [Body.HTML] for a page that it appends itself to.
func (b Body) Markup(r Resolver) press.Markup { return filled{b, r} }

type filled struct {
	Body
	resolver Resolver
}

func (f filled) AppendHTML(out []byte) []byte { return fill(out, f.html, f.resolver) }

func (f filled) HTML() template.HTML {
	if !strings.Contains(f.html, refBegin) {
		return template.HTML(f.html)
	}
	return template.HTML(f.AppendHTML(make([]byte, 0, len(f.html)+len(f.html)/4)))
}
