package markup

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// size is the mark of a smaller version in the name of a picture's file.
var size = regexp.MustCompile(`-(\d+x\d+|scaled)(\.[A-Za-z]+)$`)

// Largest returns the address of a picture's largest size in its srcset, else its own, and
// whether it has a srcset.
func Largest(img *html.Node) (address string, isChosen bool) {
	address, most := Attribute(img, "src"), 0
	for candidate := range strings.SplitSeq(Attribute(img, "srcset"), ", ") {
		fields := strings.Fields(candidate)
		if len(fields) != 2 || !strings.HasSuffix(fields[1], "w") {
			continue
		}
		if width, err := strconv.Atoi(strings.TrimSuffix(fields[1], "w")); err == nil && width > most {
			address, most = fields[0], width
		}
	}
	return address, most > 0
}

// IsPicture reports whether an address is that of a picture's file.
func IsPicture(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"}, strings.ToLower(path.Ext(address)))
}

// image gives a picture the addresses that are put aside for a script.
func (t *text) image(n *html.Node) {
	n.Data, n.DataAtom = "img", atom.Img
	for n.FirstChild != nil { // of AMP
		n.RemoveChild(n.FirstChild)
	}
	address, least, candidates := "", notAPicture, ""
	for _, a := range n.Attr {
		value := strings.TrimSpace(a.Val)
		if strings.Contains(a.Key, "srcset") && !isPlaceholder(value) && (candidates == "" || a.Key != "srcset") {
			candidates = value
		} else if rank := rankOfPicture(a.Key, value); rank < least {
			address, least = value, rank
		}
	}
	if least == notAPicture && n.Parent != nil && n.Parent.DataAtom == atom.Picture {
		candidates = cmp.Or(candidates, sourceOf(n.Parent))
	}
	if address == "" && candidates != "" {
		address, _, _ = strings.Cut(candidates, " ")
		address = strings.TrimSuffix(address, ",")
	}
	if address != "" {
		SetAttribute(n, "src", t.resolve(address))
	}
	list := strings.Split(candidates, ", ")
	for i, candidate := range list {
		address, width, _ := strings.Cut(strings.TrimSpace(candidate), " ")
		list[i] = strings.TrimSpace(t.resolve(address) + " " + width)
	}
	SetAttribute(n, "srcset", strings.Join(list, ", "))
	showSmiley(n)
}

// sourceOf returns the addresses of the first source of a <picture>.
func sourceOf(picture *html.Node) string {
	for c := range picture.ChildNodes() {
		for _, a := range c.Attr {
			if c.DataAtom == atom.Source && strings.Contains(a.Key, "srcset") && !isPlaceholder(a.Val) {
				return strings.TrimSpace(a.Val)
			}
		}
	}
	return ""
}

const notAPicture = 3

// rankOfPicture ranks attributes of a picture: scripts load the real one over another.
func rankOfPicture(key, value string) int {
	switch {
	case isPlaceholder(value) || strings.ContainsAny(value, " <>\"{"):
	case key == "src":
		return 1
	case slices.Contains([]string{"data-src", "data-lazy-src", "data-original", "data-opt-src", "data-echo", "data-lazy"}, key):
		return 0
	case strings.HasPrefix(key, "data-") && IsPicture(value) && (IsAbsolute(value) || value[0] == '/') && !strings.Contains(key, "thumb"):
		return 2
	}
	return notAPicture
}

// showSmiley makes a picture of a character that character, and keeps others as small as
// their class makes them.
func showSmiley(img *html.Node) {
	if !HasClass(img, "emoji") && !HasClass(img, "wp-smiley") || img.Parent == nil {
		return
	}
	if alt := Attribute(img, "alt"); alt != "" && !strings.ContainsFunc(alt, func(r rune) bool { return r < 0x203c }) {
		img.Parent.InsertBefore(textNode(alt), img)
		Remove(img)
		return
	}
	SetAttribute(img, "width", "16")
	SetAttribute(img, "height", "16")
}

// backgroundAddress matches the address of a background picture in a style.
var backgroundAddress = regexp.MustCompile(`background(?:-image)?\s*:[^;]*?url\(\s*["']?([^"')\s]+)`)

// background makes a background that is a picture for readers one: other backgrounds are
// ornaments.
func (t *text) background(n *html.Node) {
	m := backgroundAddress.FindStringSubmatch(Attribute(n, "style"))
	if m == nil || isPlaceholder(m[1]) || n.Parent == nil {
		return
	}
	img := element(atom.Img)
	SetAttribute(img, "src", t.resolve(m[1]))
	SetAttribute(img, "alt", Attribute(n, "aria-label"))
	n.Parent.InsertBefore(img, n)
	if !HasContent(n) {
		Remove(n)
	}
}

// isTiny reports whether an element is one pixel wide or high, as those that count visitors
// are, or hidden.
func isTiny(n *html.Node) bool {
	for _, key := range []string{"width", "height"} {
		if size, err := strconv.Atoi(strings.TrimSuffix(Attribute(n, key), "px")); err == nil && size <= 1 {
			return true
		}
	}
	return strings.Contains(strings.ReplaceAll(Attribute(n, "style"), " ", ""), "display:none")
}

func textNode(words string) *html.Node { return &html.Node{Type: html.TextNode, Data: words} }

func element(a atom.Atom, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: a.String(), DataAtom: a}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}
