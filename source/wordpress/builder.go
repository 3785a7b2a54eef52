package wordpress

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/source/markup"
)

// builder matches the names of shortcodes that a page builder shows as blocks.
var builder = regexp.MustCompile(`^(?i:(?:vc|et_pb|fusion|nectar|av|mk|tatsu|cs)_|(?:row|column|section)(?:_|$))`)

// partWords begins a new line before a node if words stand before it.
func partWords(n *xhtml.Node) {
	before := n.PrevSibling
	if before != nil && before.Type == xhtml.TextNode && strings.TrimSpace(before.Data) != "" {
		n.Parent.InsertBefore(element(atom.Br), n)
	}
}

// rawHTML returns the HTML that a shortcode of WPBakery holds, percent-encoded and in base64; of
// a script nothing. isRaw is false for any other words.
func rawHTML(name, held string) (list []*xhtml.Node, isRaw bool) {
	if name != "vc_raw_html" && name != "vc_raw_js" || held == "" {
		return nil, false
	}
	decoded, err := base64.StdEncoding.DecodeString(held)
	if err != nil {
		return nil, false
	}
	text, err := url.PathUnescape(string(decoded))
	if err != nil {
		return nil, false
	}
	body, err := markup.Parse(text)
	if err != nil || name == "vc_raw_js" {
		return nil, err == nil
	}
	for n := body.FirstChild; n != nil; n = body.FirstChild {
		body.RemoveChild(n)
		list = append(list, n)
	}
	return list, true
}
