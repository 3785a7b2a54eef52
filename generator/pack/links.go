package pack

import (
	"bytes"
	"io"
	"net/url"
	"os"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// rewritten returns a page whose links that leave the pack lead to the served site.
func (s *Site) rewritten(root *os.Root, name string, included func(to string) bool) entry {
	return entry{name, func(w io.Writer) error {
		content, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		_, err = w.Write(s.rewrite(name, content, included))
		return err
	}}
}

// rewrite replaces links that leave the pack by links to the served site. Only tags
// with such links change; the rest stays byte for byte.
func (s *Site) rewrite(name string, content []byte, included func(to string) bool) []byte {
	var b bytes.Buffer
	b.Grow(len(content) + len(content)/8)
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			raw = bytes.Clone(raw) // Token overwrites it
			if t := z.Token(); s.rewriteTag(name, &t, included) {
				raw = []byte(t.String())
			}
		}
		b.Write(raw)
		if kind == html.ErrorToken {
			return b.Bytes()
		}
	}
}

// rewriteTag changes a tag's links that leave the pack, and reports whether it
// has any.
func (s *Site) rewriteTag(name string, t *html.Token, included func(to string) bool) (changed bool) {
	for i, a := range t.Attr {
		value := a.Val
		for _, link := range addresses(a) {
			to, rest, ok := inside(name, link)
			if !ok || included(to) {
				continue
			}
			if a.Key == "srcset" { // src remains
				value = ""
				continue
			}
			if path.Base(to) == "index.html" {
				to = strings.TrimSuffix(to, "index.html")
			}
			value = s.BaseURL + to + rest
		}
		if value != a.Val {
			t.Attr[i].Val, changed = value, true
		}
	}
	return changed
}

// addresses returns the addresses in an attribute.
func addresses(a html.Attribute) []string {
	switch a.Key {
	case "href", "src", "poster", "data", "action", "data-manifest":
		return []string{a.Val}
	case "srcset":
		var list []string
		for candidate := range strings.SplitSeq(a.Val, ",") {
			if fields := strings.Fields(candidate); len(fields) > 0 {
				list = append(list, fields[0])
			}
		}
		return list
	}
	return nil
}

// inside returns the file of the site that a page's link leads to, and the
// link's query and anchor. It is not ok if the link leaves the site or stays on
// the page.
func inside(from, link string) (to, rest string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return "", "", false
	}
	to = path.Join(path.Dir(from), u.Path)
	if strings.HasSuffix(u.Path, "/") {
		to = path.Join(to, "index.html")
	}
	u.Path, u.RawPath = "", ""
	return to, u.String(), !strings.HasPrefix(to, "..")
}
