package prose

import (
	"bytes"
	"cmp"
	"html"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// filler writes the HTML of one text.
type filler struct {
	resolver Resolver
	out      []byte
	emptied  bool // a picture left nothing behind

	inLink bool
	inCard bool     // the open link is that of a player
	onPage bool     // of a page of another site
	filled bool     // and has a picture
	source string   // where the open link leads
	note   string   // what follows it
	tag    int      // where its tag begins in out
	words  int      // where its words begin
	missed []string // the addresses of pictures that it lacks

	literal      string // before this piece, "" if it is none
	player, file string // the element whose tag is open, and the address of its file
}

// beginPlayer begins the player of a file. It loads nothing before somebody starts it.
func (f *filler) beginPlayer(player, source string) {
	f.player, f.file = player, source
	src, _ := f.resolver.File(source)
	f.attribute("<"+player+` controls="" preload="none" src`, cmp.Or(src, source))
}

// endPlayer ends the tag of an open player, and begins the link below it.
func (f *filler) endPlayer() {
	if f.player != "" {
		f.out = append(append(append(f.out, "></"...), f.player...), '>')
		f.player = ""
		f.beginLink(f.file)
	}
}

func (f *filler) beginLink(source string) {
	href, note := f.resolver.File(source)
	if href == "" {
		href = f.resolver.Link(source)
	}
	f.openLink(href, source)
	f.note = note
	f.inCard = beginsCard(f.literal)
	f.onPage = f.inCard && fileOf(f.literal) == ""
}

// html writes HTML. In the card of a page it is the title, before which the card gets a picture
// that its text lacks. If it is only the host, the known title of the page replaces it. Every
// other title is followed by a note.
func (f *filler) html(literal string) {
	if f.onPage {
		title, note, picture := f.resolver.Card(f.source)
		if !f.filled && picture.Src != "" {
			f.picture(picture, "", false)
		}
		host := HostOf(f.source)
		if title != "" && cardTitle(literal) == host {
			literal = "<strong>" + escaper.Replace(title) + "</strong>"
		}
		if cardTitle(literal) != host {
			f.note = note
		}
	}
	f.out = append(f.out, literal...)
}

// openLink begins a link. source is its address at the source, "" if it leads to an anchor.
func (f *filler) openLink(href, source string) {
	f.missed, f.source, f.note, f.inCard, f.onPage, f.filled = nil, source, "", false, false, false
	if f.inLink = href != ""; !f.inLink {
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

// endLink ends a link. One that held only pictures that are missing gets the host to which
// it leads as its words. Links to these pictures follow it.
func (f *filler) endLink() {
	if f.inLink {
		if host := HostOf(f.source); f.words == len(f.out) && host != "" {
			f.missing(host)
		}
		if f.words == len(f.out) {
			f.out = f.out[:f.tag]
		} else {
			f.out = append(f.out, "</a>"...)
			f.noteFile()
		}
	}
	missed, source := f.missed, f.source
	f.missed, f.inLink, f.inCard, f.onPage = nil, false, false, false
	for _, picture := range missed {
		if picture != source {
			f.linkPicture(picture, "")
		}
	}
}

// noteFile writes the type and the size of the file to which a link leads.
func (f *filler) noteFile() {
	if f.note != "" {
		f.out = append(f.out, ` <small class="file">(`...)
		f.out = append(f.out, html.EscapeString(f.note)...)
		f.out = append(f.out, ")</small>"...)
	}
}

func (f *filler) image(source, alt string, isSmall bool) {
	img, ok := f.resolver.Image(source)
	if f.player != "" {
		if ok && f.player == "video" {
			f.attribute(" poster", img.Src)
		}
		return
	}
	if f.onPage && ok && img.Src == source { // a browser would ask the other site for it
		return
	}
	if !ok {
		f.missingImage(source, alt, isSmall)
		return
	}
	f.filled = true
	f.picture(img, alt, isSmall)
}

func (f *filler) picture(img Image, alt string, isSmall bool) {
	f.attribute("<img src", img.Src)
	if isSmall || img.Width > 0 && max(img.Width, img.Height) <= maxSmall {
		f.attribute(" class", small)
	}
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

// missingImage writes the alternative text of a picture, and links to the picture at the
// source. A card keeps its title, a line its words.
func (f *filler) missingImage(source, alt string, isSmall bool) {
	if f.inLink && alt != "" {
		f.missing(alt)
	}
	switch {
	case f.inCard || isSmall && (alt == "" || f.inLink):
		f.emptied = true
	case isSmall:
		f.missing(alt)
	case f.inLink:
		f.missed = append(f.missed, source)
	default:
		f.linkPicture(source, alt)
	}
}

// linkPicture writes a link to a picture that is missing here.
func (f *filler) linkPicture(source, alt string) {
	href := f.resolver.Link(source)
	if href == "" && alt == "" {
		f.emptied = true
		return
	}
	if href == "" {
		f.missing(alt)
		return
	}
	if alt == "" {
		alt = fileName(source)
	}
	if bytes.HasSuffix(f.out, []byte("</a>")) {
		f.out = append(f.out, ' ')
	}
	f.attribute("<a href", href)
	f.out = append(f.out, ` rel="nofollow noopener">`...)
	f.missing(alt)
	f.out = append(f.out, "</a>"...)
}

func (f *filler) missing(words string) {
	f.out = append(f.out, `<span class="missing">`...)
	f.out = append(f.out, html.EscapeString(words)...)
	f.out = append(f.out, "</span>"...)
}

// fileName returns the name of a file for readers, else its host.
func fileName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	if name := Plain(html.EscapeString(path.Base(u.Path))); name != "" && name != "/" && name != "." {
		return Shorten(name, 80)
	}
	return HostOf(address)
}

// HostOf returns the host of an address as a title shows it, "" if it has none.
func HostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Hostname(), "www.")
}

func (f *filler) attribute(before, value string) {
	f.out = append(f.out, before...)
	f.out = append(f.out, `="`...)
	f.out = append(f.out, html.EscapeString(value)...)
	f.out = append(f.out, '"')
}
