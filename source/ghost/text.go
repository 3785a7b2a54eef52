package ghost

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
	"ayna/source/note"
)

// cleanText returns a text with its cards as elements that read without a style and a
// script, and what was not understood. Links lose the mark that names the paper, whose
// host is home. base is the address of the post. A text that is nested too deep to be parsed
// stays as it is.
func cleanText(text, home, base string) (string, note.Set) {
	body, err := markup.Parse(text)
	if err != nil {
		return text, note.Set{note.Layout: true}
	}
	c := cleaner{home, markup.MakeStatic(body, base)}
	c.children(body)
	cleaned, err := markup.Render(body)
	if err != nil {
		return text, note.Set{note.Layout: true}
	}
	return markup.TrimBlankLines(cleaned), c.notes
}

type cleaner struct {
	home  string
	notes note.Set
}

func (c cleaner) children(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch n.Type {
		case html.CommentNode: // marks of cards, and of where the text for members begins
			markup.Remove(n)
		case html.ElementNode:
			c.element(n)
		}
		n = next
	}
}

func (c cleaner) element(n *html.Node) {
	if slices.Contains(withoutUse, n.DataAtom) || n.Data == "svg" || hasAny(n, leftOut) || n.DataAtom == atom.Img && markup.Attribute(n, "src") == "" {
		markup.Remove(n)
		return
	}
	if markup.HasClass(n, "kg-card") && !markup.HasContent(n) {
		c.notes[note.Blocks] = true
	}
	for class := range strings.FieldsSeq(markup.Attribute(n, "class")) {
		if convert := cards[class]; convert != nil {
			convert(n)
			break
		}
	}
	switch n.DataAtom {
	case atom.Img:
		address, _ := markup.Largest(n)
		markup.SetAttribute(n, "src", original(address))
	case atom.A:
		markup.SetAttribute(n, "href", withoutReferrer(markup.Attribute(n, "href"), c.home))
		if isButton(n) {
			wrap(n, atom.P)
		}
	}
	c.children(n)
	n.Attr = slices.DeleteFunc(n.Attr, markup.IsPresentation)
}

// withoutUse are elements that do nothing in a mirror.
var withoutUse = []atom.Atom{
	atom.Script, atom.Noscript, atom.Style, atom.Form, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Template, atom.Svg,
}

// leftOut are classes of cards and parts of cards that do nothing without a script.
var leftOut = []string{
	"kg-signup-card", "kg-video-overlay", "kg-video-player-container", "kg-audio-thumbnail", "kg-audio-player", "kg-file-card-icon", "kg-bookmark-icon",
}

func hasAny(n *html.Node, classes []string) bool {
	return slices.ContainsFunc(classes, func(class string) bool { return markup.HasClass(n, class) })
}

// isButton reports whether a link is a button of a card, on a line of its own.
func isButton(a *html.Node) bool {
	return a.Parent.DataAtom != atom.P && hasAny(a, []string{"kg-btn", "kg-product-card-button", "kg-header-card-button", "kg-cta-button"})
}

// withoutReferrer removes the parameter by which Ghost tells other sites where their readers
// come from.
func withoutReferrer(address, home string) string {
	u, err := url.Parse(address)
	if err != nil || home == "" || !strings.Contains(u.RawQuery, "ref=") {
		return address
	}
	// The other parameters stay as they are written.
	kept := slices.DeleteFunc(strings.Split(u.RawQuery, "&"), func(parameter string) bool {
		value, isReferrer := strings.CutPrefix(parameter, "ref=")
		value, err := url.QueryUnescape(value)
		return isReferrer && err == nil && strings.TrimPrefix(strings.ToLower(value), "www.") == home
	})
	u.RawQuery = strings.Join(kept, "&")
	return u.String()
}
