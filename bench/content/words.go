package main

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

// outside are elements that no reader sees, or that a copy of a page leaves out.
var outside = []atom.Atom{
	atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Form, atom.Button, atom.Select, atom.Input, atom.Textarea, atom.Video, atom.Audio, atom.Object,
}

// leftOut are classes of what a mirror leaves out: lists that change without the post, forms
// for subscribers, and the buttons and clocks of players.
var leftOut = regexp.MustCompile(`wp-block-(latest-|archives|categories|tag-cloud|calendar|page-list|query|rss|search|loginout|file__button)|` +
	`kg-(signup-card|file-card-(icon|filesize)|video-overlay|video-player|audio-player( |$))`)

func isOutside(n *html.Node) bool {
	for outer := range n.Ancestors() {
		if slices.Contains(outside, outer.DataAtom) || leftOut.MatchString(attribute(outer, "class")) {
			return true
		}
	}
	return false
}

// plain returns the words that an element shows, but for addresses that stand alone: those are
// links or players.
func plain(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && !isOutside(n) && bareAddress(n) == "":
			b.WriteString(cmp.Or(attribute(n.Parent, "data-to-value"), n.Data)) // of a counter that a script counts up
		case n.Type == html.ElementNode && !slices.Contains(inline, n.DataAtom):
			b.WriteByte(' ')
		}
		if n.NextSibling == nil && n.Parent != nil && !slices.Contains(inline, n.Parent.DataAtom) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// bareAddress returns the address that is all that an element shows.
func bareAddress(n *html.Node) string {
	address := strings.TrimSpace(n.Data)
	if n.Type != html.TextNode || n.PrevSibling != nil || n.NextSibling != nil || !strings.HasPrefix(address, "http") || !strings.Contains(address, "://") || strings.ContainsAny(address, " \n") {
		return ""
	}
	return address
}

var inline = []atom.Atom{atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Code, atom.Em, atom.Font, atom.I, atom.Ins, atom.Mark, atom.S, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.U, atom.Wbr}

func wordsIn(text string) []string {
	text = strings.ToLower(norm.NFKC.String(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

var (
	shortcode = regexp.MustCompile(`\[/?([A-Za-z][\w-]*)(\s[^\[\]]*)?/?\]`)
	attrOf    = regexp.MustCompile(`\s(title|heading|text|link|url|src|image)=["”″“]([^"”″“\[\]]+)["”″“]`)
	encoded   = regexp.MustCompile(`(?s)(\[vc_raw_\w+[^\]]*\])[\w+/=\s]*\[/vc_raw_\w+\]`)
	literal   = regexp.MustCompile(`(?s)<(pre|code|script|style)\b.*?</(pre|code|script|style)>`)
)

// named returns the values of the named attributes of shortcodes.
func named(text string) (list []string) {
	text = html.UnescapeString(literal.ReplaceAllString(text, ""))
	for _, code := range shortcode.FindAllStringSubmatch(text, -1) {
		if strings.Contains(code[1], "form") {
			continue
		}
		for _, m := range attrOf.FindAllStringSubmatch(code[2], -1) {
			if strings.Trim(m[2], "0123456789, #") != "" {
				list = append(list, strings.TrimSpace(m[2]))
			}
		}
	}
	return list
}

// linkOf returns the address in a link as WPBakery writes it.
func linkOf(value string) string {
	part, _, _ := strings.Cut(strings.TrimPrefix(value, "url:"), "|")
	if decoded, err := url.PathUnescape(part); err == nil && strings.HasPrefix(value, "url:") {
		return decoded
	}
	return value
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
