package markup

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/note"
)

// A text is one that is made static.
type text struct {
	body  *html.Node
	base  *url.URL        // address of the record, or nil
	shown map[string]bool // keys of the addresses that it shows, see keyOf
	notes note.Set
	grown int // by how many bytes absolute addresses are longer
}

// MakeStatic changes a text into what its readers see once scripts have run. base is the
// address of its record, against which relative addresses are resolved, or "". The notes are
// about what was not understood.
//
//   - Pictures and players get the addresses that are put aside for scripts.
//   - What a script fills becomes a player, or else a <noscript> stands in for it.
//   - A link that holds an icon gets a name, a counter its value, the question of an answer
//     that unfolds becomes a heading, and drawings and formulas become words.
//   - Forms are removed, tables without rows, and ids to which no link of the text leads.
func MakeStatic(body *html.Node, base string) note.Set {
	t := &text{body: body, base: parseBase(base), shown: make(map[string]bool), notes: make(note.Set)}
	t.each(body, t.element)
	t.each(body, t.note)
	t.each(body, t.embed)
	t.each(body, t.fallback)
	t.each(body, t.nameLink)
	t.each(body, t.noteEmpty)
	t.noteScripts()
	t.dropIDs()
	return t.notes
}

// each calls change for the elements below a node as they are now, but for those that were
// removed meanwhile and for the parts of drawings and formulas.
func (t *text) each(root *html.Node, change func(*html.Node)) {
	for _, n := range elements(root, nil) {
		if n.Parent != nil {
			change(n)
		}
	}
}

func elements(root *html.Node, list []*html.Node) []*html.Node {
	for n := range root.ChildNodes() {
		if n.Type == html.ElementNode {
			if list = append(list, n); n.Namespace == "" {
				list = elements(n, list)
			}
		}
	}
	return list
}

// element changes an element by what it has itself.
func (t *text) element(n *html.Node) {
	for _, key := range []string{"href", "src", "poster"} {
		SetAttribute(n, key, t.resolve(Attribute(n, key)))
	}
	switch {
	case n.Data == "svg" && n.Namespace == "svg":
		t.replaceDrawing(n)
	case n.Data == "math" && n.Namespace == "math":
		replaceFormula(n)
	case n.Namespace != "":
	case isClosing(n):
		Remove(n)
	case n.DataAtom == atom.Form:
		removeForm(n)
	case n.DataAtom == atom.Img || n.Data == "amp-img" || n.Data == "amp-anim":
		t.image(n)
	case n.DataAtom == atom.A:
		t.target(n)
	case isPlayer(n) || n.DataAtom == atom.Source:
		t.player(n)
	case Attribute(n, "role") == "img" || HasClass(n, "has-parallax") || HasClass(n, "wp-block-cover"):
		t.background(n)
	case Attribute(n, "data-to-value") != "":
		setText(n, Attribute(n, "data-to-value"))
	case hasAttribute(n, "aria-expanded"):
		t.question(n)
	case n.DataAtom == atom.Button && !hasWords(words(n)):
		Remove(n)
	case n.DataAtom == atom.Span:
		partElement(n)
	}
}

// resolve makes an address absolute, as long as that does not make the text much longer.
func (t *text) resolve(address string) string {
	if t.grown > MaxText {
		return address
	}
	absolute := resolve(t.base, address)
	t.grown += len(absolute) - len(address)
	return absolute
}

// isOwn reports whether an address is on the host of the record.
func (t *text) isOwn(address string) bool {
	u, err := url.Parse(address)
	return err == nil && t.base != nil && bareHost(u) == bareHost(t.base)
}

func bareHost(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }

// note notes what an element shows.
func (t *text) note(n *html.Node) {
	switch {
	case n.DataAtom == atom.A:
		if HasContent(n) {
			t.shown[keyOf(Attribute(n, "href"))] = true
		}
	case n.DataAtom == atom.Img || n.DataAtom == atom.Source || isPlayer(n):
		if !isTiny(n) {
			t.shown[keyOf(addressOf(n))] = true
		}
	}
}

// addressOf returns the address of what a picture or player shows.
func addressOf(n *html.Node) string {
	if n.DataAtom == atom.Object {
		return Attribute(n, "data")
	}
	return Attribute(n, "src")
}

// noteEmpty notes pictures and players that have no address, and removes pages without one.
func (t *text) noteEmpty(n *html.Node) {
	switch {
	case n.DataAtom == atom.Img && Attribute(n, "src") != "" && isPlaceholder(Attribute(n, "src")):
		t.notes[note.Pictures] = t.notes[note.Pictures] || !isTiny(n)
	case isPlayer(n) && !plays(n):
		t.notes[note.Players] = t.notes[note.Players] || !isTiny(n)
		if n.DataAtom == atom.Iframe {
			Remove(n)
		}
	}
}

// plays reports whether a player, or an element in it, has an address.
func plays(n *html.Node) bool {
	if !isPlaceholder(addressOf(n)) {
		return true
	}
	for c := range n.Descendants() {
		if (isPlayer(c) || c.DataAtom == atom.Source) && !isPlaceholder(addressOf(c)) || c.DataAtom == atom.Param && !isPlaceholder(Attribute(c, "value")) {
			return true
		}
	}
	return false
}

// dropIDs removes ids to which no link of the text leads.
func (t *text) dropIDs() {
	wanted := make(map[string]bool)
	t.each(t.body, func(n *html.Node) {
		if n.DataAtom != atom.A {
			return
		}
		address, id, _ := strings.Cut(Attribute(n, "href"), "#")
		if id == "" || address != "" && (t.base == nil || address != strings.TrimSuffix(t.base.String(), "#"+t.base.Fragment)) {
			return
		}
		if decoded, err := url.PathUnescape(id); err == nil {
			id = decoded
		}
		wanted[id] = true
	})
	t.each(t.body, func(n *html.Node) {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return (a.Key == "id" || a.Key == "name") && !wanted[a.Val] })
	})
}

// keyOf returns what addresses of the same thing have in common: the id of a video of YouTube,
// else an address without its scheme, the mark of a picture's size and the query of a player.
func keyOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return address
	}
	if id := youtubeOf(u); id != "" {
		return "youtube " + id
	}
	path := size.ReplaceAllString(strings.TrimSuffix(u.Path, "/"), "$2")
	if isVideoHost(u) {
		return bareHost(u) + path
	}
	return bareHost(u) + path + "?" + u.RawQuery
}
