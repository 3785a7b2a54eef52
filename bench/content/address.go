package main

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// keyOf returns an address without what makes no difference.
func keyOf(address string) string {
	u, err := url.Parse(html.UnescapeString(address))
	if err != nil {
		return address
	}
	if u.Fragment = ""; u.Scheme == "mailto" || u.Scheme == "tel" {
		return strings.ToLower(u.String())
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "index.html"), "/")
	query := u.Query()
	query.Del("ref")
	return strings.TrimPrefix(strings.ToLower(u.Host), "www.") + u.Path + "?" + query.Encode()
}

func pathOf(key string) string {
	if i := strings.IndexAny(key, "/?"); i >= 0 {
		return key[i:]
	}
	return "?"
}

var size = regexp.MustCompile(`(-\d+x\d+|-scaled|-e\d{10,})+$`)

// stem returns the name of a picture's file without the mark of its size.
func stem(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if decoded, err := url.PathUnescape(address); err == nil {
		address = decoded
	}
	name := path.Base(address)
	return strings.ToLower(size.ReplaceAllString(strings.TrimSuffix(name, path.Ext(name)), ""))
}

func isLink(href string) bool {
	scheme, _, has := strings.Cut(strings.ToLower(href), ":")
	return href != "" && href[0] != '#' && (!has || slices.Contains([]string{"http", "https", "mailto", "tel"}, scheme))
}

func hasPicture(n *html.Node, page *seen) bool {
	for c := range n.Descendants() {
		if c.DataAtom == atom.Img && page.stems[stem(pictureOf(c))] {
			return true
		}
	}
	return false
}

// pictureOf returns the address of a picture, "" if it counts visitors or is a character or the
// icon of another site.
func pictureOf(n *html.Node) string {
	if attribute(n, "width") == "1" || attribute(n, "height") == "1" {
		return ""
	}
	for _, class := range []string{"emoji", "wp-smiley", "kg-bookmark-icon"} {
		if strings.Contains(attribute(n, "class"), class) {
			return ""
		}
	}
	for _, key := range []string{"data-src", "data-lazy-src", "data-original", "data-opt-src", "src"} {
		if src := attribute(n, key); src != "" && !strings.HasPrefix(src, "data:") {
			return src
		}
	}
	return ""
}

// playerOf returns the address of what a player or embed shows.
func playerOf(n *html.Node) string {
	class := attribute(n, "class")
	switch n.DataAtom {
	case atom.Iframe, atom.Embed, atom.Object, atom.Video, atom.Audio:
		if address := sourceOf(n); address != "" {
			return address
		}
		for c := range n.Descendants() {
			if address := sourceOf(c); address != "" && (c.DataAtom == atom.Source || c.DataAtom == atom.Embed) {
				return address
			}
		}
	case atom.Blockquote, atom.Div, atom.Figure:
		for _, key := range []string{"cite", "data-href", "data-instgrm-permalink", "data-settings"} {
			value := attribute(n, key)
			if key == "data-settings" {
				value = strings.ReplaceAll(videoInJSON.FindString(value), `\/`, "/")
			}
			if value != "" && (strings.Contains(class, "embed") || strings.Contains(class, "instagram") || strings.HasPrefix(class, "fb-") || key == "data-settings") {
				return value
			}
		}
		if n.FirstChild != nil && strings.Contains(class, "wp-block-embed__wrapper") {
			return bareAddress(n.FirstChild)
		}
	}
	return ""
}

// sourceOf returns the address of what an element of a player itself shows.
func sourceOf(n *html.Node) string {
	for _, a := range n.Attr {
		isAddress := strings.Contains(a.Val, "//") || strings.HasPrefix(a.Val, "/")
		if isAddress && (strings.Contains(a.Key, "src") && a.Key != "srcdoc" || a.Key == "data") && !strings.HasPrefix(a.Val, "data:") {
			return a.Val
		}
	}
	return ""
}

var (
	videoInJSON = regexp.MustCompile(`https?:\\?/\\?/[^"]*(?:youtu|vimeo)[^"]*`)
	videoID     = regexp.MustCompile(`(?:[?&]list=|embed/|v=|youtu\.be/|video/|/v/)([\w-]{8,})`)
)

// idOf returns the id of a video, else a part of an address that its card has.
func idOf(address string) string {
	if u, err := url.Parse(address); err == nil && strings.HasPrefix(u.Path, "/plugins/") {
		address = cmp.Or(u.Query().Get("href"), address)
	}
	if m := videoID.FindAllStringSubmatch(address, -1); m != nil {
		if id := m[0][1]; id != "videoseries" {
			return id
		}
		return m[len(m)-1][1]
	}
	address, _, _ = strings.Cut(address, "?")
	_, address, _ = strings.Cut(address, "//")
	address = strings.TrimSuffix(address, "/")
	if _, id, isEmbed := strings.Cut(address, "/embed/"); isEmbed {
		return id
	}
	return cmp.Or(address, "//")
}
