package wordpress

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
	"ayna/source/note"
)

// A shortcode is a mark in square brackets that a plug-in replaces. Those of plug-ins that
// are gone stay in texts, and those of page builders, which do not run for the REST API.
// WordPress has made typographic quotation marks of theirs.
var (
	shortcode      = regexp.MustCompile(`\[(/?)([A-Za-z][\w-]*)(\s[^\[\]]*)?/?\]`)
	attributeName  = regexp.MustCompile(`[A-Za-z][\w-]*$`)
	hasAttribute   = regexp.MustCompile(`\s[A-Za-z][\w-]*\s*=`)
	numbersOfMedia = regexp.MustCompile(`^\d+(?:\s*,\s*\d+)*$`)
)

// closedShortcodes returns the names that have an end in a text.
func closedShortcodes(rendered string) map[string]bool {
	closed := make(map[string]bool)
	if !strings.Contains(rendered, "[/") {
		return closed
	}
	for _, m := range shortcode.FindAllStringSubmatch(rendered, -1) {
		if m[1] == "/" {
			closed[m[2]] = true
		}
	}
	return closed
}

// isShortcode reports whether a match of shortcode is one: it has attributes or an end. Other
// words in brackets are text, as in "[Photo: AA]".
func isShortcode(m []string, closed map[string]bool) bool {
	return closed[m[2]] || hasAttribute.MatchString(m[3])
}

// withoutShortcodes removes shortcodes.
func withoutShortcodes(text string, closed map[string]bool) string {
	if !strings.Contains(text, "[") || !strings.Contains(text, "]") {
		return text
	}
	return shortcode.ReplaceAllStringFunc(text, func(found string) string {
		if isShortcode(shortcode.FindStringSubmatch(found), closed) {
			return ""
		}
		return found
	})
}

// shortcodes replaces the shortcodes of a text.
type shortcodes struct {
	closed map[string]bool
	notes  note.Set
}

// read replaces each shortcode by the elements that its attributes describe. What stands
// between a shortcode and its end stays.
func (s *shortcodes) read(body *xhtml.Node) {
	var texts []*xhtml.Node
	for n := range body.Descendants() {
		if n.Type == xhtml.TextNode && strings.Contains(n.Data, "[") && strings.Contains(n.Data, "]") && !slices.Contains(literal, n.Parent.DataAtom) {
			texts = append(texts, n)
		}
	}
	for _, n := range texts {
		s.split(n)
	}
}

// literal are elements whose words are not read for shortcodes.
var literal = []atom.Atom{atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Script, atom.Style, atom.Noscript, atom.Iframe}

func (s *shortcodes) split(n *xhtml.Node) {
	text, done, isBlock := n.Data, 0, false
	add := func(words string) {
		if isBlock && strings.TrimSpace(words) != "" {
			isBlock = false
			partWords(n)
		}
		if words != "" {
			n.Parent.InsertBefore(&xhtml.Node{Type: xhtml.TextNode, Data: words}, n)
		}
	}
	found := shortcode.FindAllStringSubmatchIndex(text, -1)
	for i, at := range found {
		m := shortcode.FindStringSubmatch(text[at[0]:at[1]])
		if at[0] < done || !isShortcode(m, s.closed) {
			continue
		}
		add(text[done:at[0]])
		isBlock = isBlock || builder.MatchString(m[2])
		if done = at[1]; m[1] != "" {
			continue
		}
		attributes, held, isEmpty := attributesOf(m[3]), "", !s.closed[m[2]]
		if i+1 < len(found) && text[found[i+1][0]:found[i+1][1]] == "[/"+m[2]+"]" {
			held = strings.TrimSpace(text[at[1]:found[i+1][0]])
			isEmpty = held == ""
		}
		if held != "" && first(attributes, addressNames...) != "" && first(attributes, slices.Concat(headingNames, wordNames)...) == "" {
			attributes["text"], done = held, found[i+1][1] // they are the link's words
		}
		name := strings.ToLower(m[2])
		if list, isRaw := rawHTML(name, held); isRaw {
			for _, made := range list {
				n.Parent.InsertBefore(made, n)
			}
			done = found[i+1][1]
			continue
		}
		list, hasMore := s.elements(name, attributes)
		for _, made := range list {
			n.Parent.InsertBefore(made, n)
		}
		if isEmpty && len(list) == 0 && !hasMore && !isLeftOut(name) {
			s.notes[note.Shortcodes] = true
		}
	}
	add(text[done:])
	markup.Remove(n)
}

// quotes are the marks around values, also those that WordPress makes of straight ones.
var quotes = []string{"\"“”„″»«", "'‘’′"}

// Names of attributes, the ones that plug-ins use most first.
var (
	addressNames = []string{"link", "url", "href", "button_url", "button_link", "link_url"}
	headingNames = []string{"title", "heading", "question"}
	wordNames    = []string{"text", "button_text", "link_text", "subtitle", "subheading", "description"}
	pictureNames = []string{"image", "img", "image_url", "photo"}
	fileNames    = []string{"src", "mp4", "mp3", "m4a", "webm", "ogg", "video_url", "youtube_url", "vimeo_url"}
)

// attributesOf returns the attributes of a shortcode, each name once.
func attributesOf(text string) map[string]string {
	attributes := make(map[string]string)
	for isOpen := true; isOpen; {
		var before, value string
		if before, text, isOpen = strings.Cut(text, "="); !isOpen {
			break
		}
		name := strings.ToLower(attributeName.FindString(strings.TrimRight(before, " ")))
		text = strings.TrimLeft(text, " ")
		opening, size := utf8.DecodeRuneInString(text)
		closing := ""
		if i := slices.IndexFunc(quotes, func(q string) bool { return strings.ContainsRune(q, opening) }); i >= 0 {
			text, closing = text[size:], quotes[i]
		}
		if end := strings.IndexAny(text, cmp.Or(closing, " \n\t")); end >= 0 {
			_, size = utf8.DecodeRuneInString(text[end:])
			value, text = text[:end], text[end+size:]
		} else {
			value, text = text, ""
		}
		if value = strings.TrimSpace(value); name != "" && attributes[name] == "" {
			attributes[name] = value
		}
	}
	return attributes
}

// first returns the first of some attributes that a shortcode has.
func first(attributes map[string]string, names ...string) string {
	for _, name := range names {
		if attributes[name] != "" {
			return attributes[name]
		}
	}
	return ""
}

// isLeftOut reports whether a shortcode shows nothing, by its name: a form, a space, or what
// divides a page into columns.
func isLeftOut(name string) bool {
	return strings.Contains(name, "form") || name == "caption" || name == "wp_caption" || slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' }), func(part string) bool {
		return slices.Contains([]string{"row", "column", "columns", "col", "section", "container", "inner", "space", "spacer", "separator", "divider", "gap", "clear", "anchor", "icon"}, part)
	})
}

// elements returns what a shortcode shows: a picture, a player, a heading, words, or a link.
// Forms are left out. It has more if it names a picture by its number alone: that is noted.
func (s *shortcodes) elements(name string, attributes map[string]string) (list []*xhtml.Node, hasMore bool) {
	if strings.Contains(name, "form") || name == "caption" || name == "wp_caption" {
		return nil, false
	}
	address, label := builderLink(first(attributes, addressNames...))
	heading := first(attributes, headingNames...)
	words := cmp.Or(first(attributes, wordNames...), label)
	if strings.Contains(name, "heading") || strings.Contains(name, "title") || strings.Contains(name, "header") {
		heading, words = cmp.Or(heading, words), ""
	}
	for _, file := range []string{first(attributes, fileNames...), first(attributes, pictureNames...)} {
		switch {
		case file == "":
		case numbersOfMedia.MatchString(file):
			hasMore = true
		case markup.IsPicture(file):
			list = append(list, element(atom.Img, "src", file, "alt", cmp.Or(attributes["alt"], attributes["title_text"])))
		case isAddress(file):
			list = append(list, player(file, heading))
			heading = ""
		}
	}
	if hasMore = hasMore || numbersOfMedia.MatchString(attributes["ids"]); hasMore {
		s.notes[note.Pictures] = true
	}
	if isAddress(address) && strings.Contains(name, "video") {
		list, address = append(list, player(address, heading)), ""
		heading = ""
	}
	if isAddress(address) {
		words = cmp.Or(words, heading, hostOf(address))
		if words == heading {
			heading = ""
		}
	} else {
		address = ""
	}
	if heading != "" {
		list = append(list, element(atom.H3, "", heading))
	}
	switch {
	case words == "":
	case address != "":
		list = append(list, within(atom.P, element(atom.A, "href", address, "", words)))
	default:
		list = append(list, element(atom.P, "", words))
	}
	return list, hasMore
}

// builderLink returns the address and the title of a link as WPBakery writes it, or an address.
func builderLink(value string) (address, title string) {
	if !strings.HasPrefix(value, "url:") {
		return value, ""
	}
	for part := range strings.SplitSeq(value, "|") {
		name, encoded, _ := strings.Cut(part, ":")
		decoded, err := url.PathUnescape(encoded)
		switch {
		case err != nil:
		case name == "url":
			address = decoded
		case name == "title":
			title = strings.TrimSpace(decoded)
		}
	}
	return address, title
}

// isAddress reports whether a value of a shortcode is an address, perhaps one without a host.
func isAddress(value string) bool {
	return markup.IsAbsolute(value) || strings.HasPrefix(value, "/") && !strings.ContainsAny(value, " \n")
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return cmp.Or(strings.TrimPrefix(u.Hostname(), "www."), path.Base(u.Path))
}

// player returns an element that plays a file, or shows a page.
func player(address, title string) *xhtml.Node {
	kind := atom.Iframe
	switch strings.ToLower(path.Ext(address)) {
	case ".mp4", ".m4v", ".webm", ".mov":
		kind = atom.Video
	case ".mp3", ".m4a", ".ogg", ".wav":
		kind = atom.Audio
	}
	return element(kind, "src", address, "title", title)
}

// element returns an element with pairs of names and values of attributes. The value of an
// attribute without a name is its words.
func element(a atom.Atom, pairs ...string) *xhtml.Node {
	n := &xhtml.Node{Type: xhtml.ElementNode, Data: a.String(), DataAtom: a}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == "" {
			n.AppendChild(&xhtml.Node{Type: xhtml.TextNode, Data: pairs[i+1]})
		} else {
			markup.SetAttribute(n, pairs[i], pairs[i+1])
		}
	}
	return n
}

func within(a atom.Atom, child *xhtml.Node) *xhtml.Node {
	n := element(a)
	n.AppendChild(child)
	return n
}
