package pack

import (
	"bytes"
	"io"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"
)

// rewritten opens a page whose links out of the part lead to where the site is
// served.
func (s *Site) rewritten(e entry, held map[string]bool) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		content, err := readAll(e.open)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(bytes.NewReader(s.rewrite(e.name, content, held))), nil
	}
}

// rewrite changes only the tags that hold such links; all else stays byte for
// byte.
func (s *Site) rewrite(name string, content []byte, held map[string]bool) []byte {
	var b bytes.Buffer
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		kind := z.Next()
		raw := bytes.Clone(z.Raw())
		if kind == html.ErrorToken {
			b.Write(raw)
			return b.Bytes()
		}
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			if t := z.Token(); s.lead(name, &t, held) {
				raw = []byte(t.String())
			}
		}
		b.Write(raw)
	}
}

// lead changes the links of a tag that lead out of the part, and reports whether
// there are any.
func (s *Site) lead(name string, t *html.Token, held map[string]bool) (changed bool) {
	for i, a := range t.Attr {
		value := a.Val
		for _, link := range addresses(a) {
			to, rest, ok := inside(name, link)
			if !ok || held[to] {
				continue
			}
			if a.Key == "srcset" { // the picture itself is shown instead
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

// addresses returns the addresses that an attribute holds.
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

// inside returns the file of the site that a link of a page leads to, and the
// query and anchor of the link; not ok if it leads elsewhere, or stays on the
// page.
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
