package main

import (
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

// lists are blocks that a mirror leaves out: what they list changes without the post.
var lists = regexp.MustCompile(`wp-block-(latest-|archives|categories|tag-cloud|calendar|page-list|query|rss|search|loginout|file__button)`)

func isOutside(n *html.Node) bool {
	for outer := range n.Ancestors() {
		if slices.Contains(outside, outer.DataAtom) || lists.MatchString(attribute(outer, "class")) {
			return true
		}
	}
	return false
}

// plain returns the words that an element shows.
func plain(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && !isOutside(n):
			b.WriteString(n.Data)
		case n.Type == html.ElementNode && !slices.Contains(inline, n.DataAtom):
			b.WriteByte(' ')
		}
		if n.NextSibling == nil && n.Parent != nil && !slices.Contains(inline, n.Parent.DataAtom) {
			b.WriteByte(' ')
		}
	}
	return b.String()
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
