package prose

import (
	"errors"
	"html"
	"iter"
	"strconv"
	"strings"
)

// A cleaned text holds its links and pictures as references, written with
// control characters that XML 1.0 forbids and that therefore cannot occur in
// cleaned text:
//
//	U+0001 L address U+0002              a link begins
//	U+0001 / U+0002                      it ends
//	U+0001 I address U+0003 alt U+0002   a picture
//
// Address and alternative text are escaped as HTML text is. Links do not nest.
const (
	refBegin = "\x01"
	refEnd   = "\x02"
	refSplit = "\x03"

	linkRef  = 'L'
	linkEnd  = '/'
	imageRef = 'I'
)

// A piece of a cleaned text is a stretch of HTML or one reference.
type piece struct {
	kind         byte // 0 for HTML
	literal      string
	address, alt string // not escaped
}

func pieces(s string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for s != "" {
			literal, rest, found := strings.Cut(s, refBegin)
			if literal != "" && !yield(piece{literal: literal}) {
				return
			}
			if !found {
				return
			}
			ref, after, _ := strings.Cut(rest, refEnd)
			if ref != "" && !yield(reference(ref)) {
				return
			}
			s = after
		}
	}
}

func reference(ref string) piece {
	address, alt, _ := strings.Cut(ref[1:], refSplit)
	return piece{kind: ref[0], address: html.UnescapeString(address), alt: html.UnescapeString(alt)}
}

// checkReferences reports whether every reference is whole and every link ends
// before the next begins.
func checkReferences(s string) error {
	inLink := false
	for s != "" {
		literal, rest, found := strings.Cut(s, refBegin)
		if strings.Contains(literal, refEnd) || strings.Contains(literal, refSplit) {
			return errors.New("a reference without a beginning")
		}
		if !found {
			break
		}
		ref, after, closed := strings.Cut(rest, refEnd)
		if !closed || ref == "" || strings.Contains(ref, refBegin) || !strings.ContainsRune("LI/", rune(ref[0])) {
			return errors.New("a broken reference")
		}
		if (ref[0] == linkRef && inLink) || (ref[0] == linkEnd && !inLink) {
			return errors.New("links out of order")
		}
		inLink = ref[0] == linkRef || inLink && ref[0] != linkEnd
		s = after
	}
	if inLink {
		return errors.New("a link without an end")
	}
	return nil
}

// hollow removes what a picture leaves behind that could not be had and has no
// words. A cleaned text has no empty elements otherwise.
var hollow = strings.NewReplacer("<p></p>\n", "", "<p></p>", "", "<figure></figure>\n", "", "<figure></figure>", "")

// fill appends a text to out with the resolver's addresses in the place of the
// references.
func fill(out []byte, s string, r Resolver) []byte {
	start := len(out)
	f := filler{resolver: r, out: out}
	for p := range pieces(s) {
		switch p.kind {
		case 0:
			f.out = append(f.out, p.literal...)
		case linkRef:
			f.beginLink(p.address)
		case linkEnd:
			f.endLink()
		case imageRef:
			f.image(p.address, p.alt)
		}
	}
	if f.hollow {
		return append(f.out[:start], hollow.Replace(string(f.out[start:]))...)
	}
	return f.out
}

type filler struct {
	resolver Resolver
	out      []byte
	inLink   bool
	tag      int  // where the open link's tag begins in out
	words    int  // where its words begin
	hollow   bool // a picture left nothing behind
}

func (f *filler) beginLink(source string) {
	href := f.resolver.Link(source)
	f.inLink = href != ""
	if !f.inLink {
		return
	}
	f.tag = len(f.out)
	f.attribute("<a href", href)
	if href == source {
		// The source's recommendation is not that of the mirror.
		f.out = append(f.out, ` rel="nofollow noopener"`...)
	}
	f.out = append(f.out, '>')
	f.words = len(f.out)
}

func (f *filler) endLink() {
	switch {
	case !f.inLink:
	case f.words == len(f.out): // held only a picture that is missing
		f.out = f.out[:f.tag]
	default:
		f.out = append(f.out, "</a>"...)
	}
	f.inLink = false
}

func (f *filler) image(source, alt string) {
	img, ok := f.resolver.Image(source)
	if !ok && alt == "" {
		f.hollow = true
		return
	}
	if !ok {
		f.out = append(f.out, `<span class="missing">`...)
		f.out = append(f.out, html.EscapeString(alt)...)
		f.out = append(f.out, "</span>"...)
		return
	}
	f.attribute("<img src", img.Src)
	if img.Srcset != "" {
		f.attribute(" srcset", img.Srcset)
		f.attribute(" sizes", img.Sizes)
	}
	f.attribute(" alt", alt)
	if img.Width > 0 && img.Height > 0 {
		f.attribute(" width", strconv.Itoa(img.Width))
		f.attribute(" height", strconv.Itoa(img.Height))
	}
	f.out = append(f.out, ` loading="lazy" decoding="async"/>`...)
}

func (f *filler) attribute(before, value string) {
	f.out = append(f.out, before...)
	f.out = append(f.out, `="`...)
	f.out = append(f.out, html.EscapeString(value)...)
	f.out = append(f.out, '"')
}
