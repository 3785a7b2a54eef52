package prose

import (
	"errors"
	"html"
	"html/template"
	"iter"
	"slices"
	"strings"
	"unicode"
)

// Body is one cleaned text: safe HTML in which every link and picture is
// a reference to its address at the source. The zero Body is empty.
type Body struct {
	html    string // with references
	reduced string
}

// A reference is written with control characters that XML 1.0 forbids, which
// therefore cannot occur in cleaned text:
//
//	U+0001 L address U+0002              a link begins
//	U+0001 H number U+0002               a link to an anchor of the text begins
//	U+0001 / U+0002                      it ends
//	U+0001 A number U+0002               an anchor
//	U+0001 I address U+0003 alt U+0002   a picture
//	U+0001 S address U+0003 alt U+0002   a small picture
//
// Address and alternative text are escaped as HTML text is. Links do not nest.
const (
	refBegin = "\x01"
	refEnd   = "\x02"
	refSplit = "\x03"

	linkRef   = 'L'
	hereRef   = 'H'
	linkEnd   = '/'
	anchorRef = 'A'
	imageRef  = 'I'
	smallRef  = 'S'
)

// Resolver supplies the addresses of the place where a text is shown. They are
// escaped but otherwise trusted.
type Resolver interface {
	// Link returns the href for a link, or "" to keep its words without a link.
	Link(source string) (href string)
	// Anchor returns the href for a link to an anchor of this text, or "" to keep its
	// words without a link, and whether the anchors themselves are shown.
	Anchor(id string) (href string, isHere bool)
	// Image returns the picture for an address, or false to show a link to it
	// instead.
	Image(source string) (Image, bool)
	// File returns the href of the mirrored file at an address, and its type and size in words, or
	// "" if the mirror has no such file.
	File(source string) (href, note string)
	// Card returns the title and the picture of a page of another site, for a card without them in
	// the text. They are empty if unknown. The note says where the card leads; it follows a title
	// that does not name its host.
	Card(page string) (title, note string, picture Image)
	// Plays reports whether files of video and audio at the source are played in
	// place. Otherwise their cards are links alone.
	Plays() bool
}

// Image is a picture as a page or feed shows it.
type Image struct {
	Src           string
	Srcset, Sizes string // the attributes of these names; "" if there is only Src
	Width, Height int    // of Src in pixels; 0: unknown
}

// Reduced returns why the text was reduced to plain paragraphs: "too long",
// "too deep" or "too many elements", followed by ", cut" if not even all of its
// words were kept. It returns "" if the text was not reduced.
func (b Body) Reduced() string { return b.reduced }

// Version is the version of the results of Clean and Body.Markdown. Raise it when
// they change for any text, so that cached results of other versions are not used.
const Version = 9

// marshalled is how a marshalled Body begins.
const marshalled = "prose "

// Marshal returns the Body as one string of valid UTF-8, for a cache.
func (b Body) Marshal() string {
	return marshalled + b.reduced + "\n" + b.html
}

// Unmarshal reads what [Body.Marshal] wrote. It fails if the string is something
// else; the text must then be cleaned again. It does not check the HTML.
func Unmarshal(s string) (Body, error) {
	head, html, ok := strings.Cut(s, "\n")
	fallback, known := strings.CutPrefix(head, marshalled)
	if !ok || !known {
		return Body{}, errors.New("read a cleaned text: not in this version's form; clean the text again")
	}
	return Body{html: html, reduced: fallback}, nil
}

// A piece of a cleaned text is a stretch of HTML or one reference.
type piece struct {
	kind         byte // 0 for HTML
	literal      string
	address, alt string // not escaped
}

func (b Body) pieces() iter.Seq[piece] {
	return func(yield func(piece) bool) {
		for s := b.html; s != ""; {
			literal, rest, _ := strings.Cut(s, refBegin)
			if literal != "" && !yield(piece{literal: literal}) {
				return
			}
			ref, after, _ := strings.Cut(rest, refEnd)
			if ref != "" {
				address, alt, _ := strings.Cut(ref[1:], refSplit)
				if !yield(piece{kind: ref[0], address: html.UnescapeString(address), alt: html.UnescapeString(alt)}) {
					return
				}
			}
			s = after
		}
	}
}

// Links returns the absolute source addresses of the links, each once, in the
// order of the text.
func (b Body) Links() []string { return b.addresses(string(linkRef)) }

// Images returns the absolute source addresses of the pictures, each once, in
// the order of the text. Posters of embedded players are included.
func (b Body) Images() []string { return b.addresses(string(imageRef) + string(smallRef)) }

func (b Body) addresses(kinds string) []string {
	var list []string
	seen := map[string]bool{}
	for p := range b.pieces() {
		if strings.IndexByte(kinds, p.kind) >= 0 && !seen[p.address] {
			seen[p.address] = true
			list = append(list, p.address)
		}
	}
	return list
}

// HasItalics reports whether pages set words of the text in italics.
func (b Body) HasItalics() bool {
	return slices.ContainsFunc([]string{"<em>", "<i>", "<cite>", "<blockquote>"}, func(tag string) bool { return strings.Contains(b.html, tag) })
}

// Text returns the words, with paragraphs, list items and table rows separated
// by "\n". It includes captions, but neither the alternative texts of pictures
// nor the titles of embedded players.
func (b Body) Text() string {
	var lines []string
	var line strings.Builder
	endLine := func() {
		if words := collapse(line.String()); words != "" {
			lines = append(lines, words)
		}
		line.Reset()
	}
	inPlayer, previous := false, ""
	for p := range b.pieces() {
		switch p.kind {
		case 0:
			previous = p.literal
			// In a cleaned text "<" and ">" stand around tags only.
			for s := p.literal; s != "" && !inPlayer; {
				words, rest, _ := strings.Cut(s, "<")
				tag, after, _ := strings.Cut(rest, ">")
				line.WriteString(html.UnescapeString(words))
				switch tag = tagName(strings.TrimPrefix(tag, "/")); {
				case tag == "td" || tag == "th":
					line.WriteByte(' ')
				case isBlock(tag):
					endLine()
				}
				s = after
			}
		case linkRef:
			inPlayer = beginsCard(previous)
		case linkEnd:
			inPlayer = false
		}
	}
	endLine()
	return strings.Join(lines, "\n")
}

// firstUnspaced is the first letter of Thai. No letter before it belongs to a script without
// blanks.
const firstUnspaced = '\u0e00'

// Words counts the words of a plain text that contain a letter or a digit. In scripts without
// blanks, five letters count as two words, because reading them takes about as long.
func Words(text string) int {
	words, letters := 0, 0
	for word := range strings.FieldsSeq(text) {
		counts := false
		for _, r := range word {
			switch {
			case r >= firstUnspaced && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer):
				letters++
			case counts:
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				counts = true
			}
		}
		if counts {
			words++
		}
	}
	return words + (2*letters+4)/5
}

// HTML returns the text as safe HTML of block elements, for pages and feeds
// alike: the resolver decides whether addresses are relative or absolute.
func (b Body) HTML(r Resolver) template.HTML { return b.Markup(r).HTML() }

// Markup is [Body.HTML] for a page that it appends itself to.
func (b Body) Markup(r Resolver) Markup { return resolved{b, r} }

type resolved struct {
	Body
	resolver Resolver
}

func (b resolved) HTML() template.HTML {
	return template.HTML(b.AppendHTML(make([]byte, 0, len(b.html)+len(b.html)/4)))
}

// emptied are the blocks left of a small picture that is missing and has no words. A
// cleaned text has no empty elements otherwise.
var emptied = strings.NewReplacer("<p></p>\n", "", "<p></p>", "", "<figure></figure>\n", "", "<figure></figure>", "")

// AppendHTML appends the text with the resolver's addresses in place of the
// references.
func (b resolved) AppendHTML(out []byte) []byte {
	start := len(out)
	f := filler{resolver: b.resolver, out: out}
	for p := range b.pieces() {
		switch p.kind {
		case 0:
			f.endPlayer()
			f.html(p.literal)
			f.literal = p.literal
		case linkRef:
			if file := fileOf(f.literal); file != "" && f.resolver.Plays() {
				f.beginPlayer(file, p.address)
			} else {
				f.beginLink(p.address)
			}
			f.literal = ""
		case hereRef:
			href, _ := f.resolver.Anchor(anchorID(p.address))
			f.openLink(href, "")
		case linkEnd:
			f.endPlayer()
			f.endLink()
		case anchorRef:
			if _, isHere := f.resolver.Anchor(anchorID(p.address)); isHere {
				f.attribute("<span id", anchorID(p.address))
				f.out = append(f.out, "></span>"...)
			}
		case imageRef, smallRef:
			f.image(p.address, p.alt, p.kind == smallRef)
		}
	}
	if f.emptied {
		return append(f.out[:start], emptied.Replace(string(f.out[start:]))...)
	}
	return f.out
}
