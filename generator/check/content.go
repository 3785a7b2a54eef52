package check

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/prose"
)

// page checks a page's links and its record. Absolute links are checked only in the
// head, because those in the body come from the source.
func (r *reader) page(ctx context.Context, content []byte) error {
	inHead := true
	for t := range r.tags(content) {
		inHead = inHead && t.name != atom.Body
		if r.Hash != nil && t.name == atom.Meta && string(t.value("name")) == "ayna-record" {
			if err := r.record(ctx, string(t.value("content"))); err != nil {
				return err
			}
		}
		for _, a := range t.attributes {
			switch string(a.key) {
			case "id":
				r.ids[string(a.value)] = true
			case "href", "src", "poster", "action", "data":
				r.link(a.value, inHead)
			case "srcset":
				for candidate := range bytes.SplitSeq(a.value, []byte(",")) {
					if fields := bytes.Fields(candidate); len(fields) > 0 {
						r.link(fields[0], inHead)
					}
				}
			case "content":
				switch string(t.value("property")) {
				case "og:url", "og:image":
					r.link(a.value, inHead)
				}
			}
		}
	}
	return nil
}

// tag is a start tag, valid until the next one.
type tag struct {
	name       atom.Atom
	attributes []attribute
}

type attribute struct{ key, value []byte }

func (t *tag) value(key string) []byte {
	for _, a := range t.attributes {
		if string(a.key) == key {
			return a.value
		}
	}
	return nil
}

// tags yields the start tags of a page.
func (r *reader) tags(content []byte) iter.Seq[*tag] {
	return func(yield func(*tag) bool) {
		z := html.NewTokenizer(bytes.NewReader(content))
		for {
			switch z.Next() {
			case html.ErrorToken:
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				name, more := z.TagName()
				r.tag.name, r.tag.attributes = atom.Lookup(name), r.tag.attributes[:0]
				for more {
					var a attribute
					a.key, a.value, more = z.TagAttr()
					r.tag.attributes = append(r.tag.attributes, a)
				}
				if !yield(&r.tag) {
					return
				}
			}
		}
	}
}

// record checks that the archive has the record that a page shows, in the same
// version.
func (r *reader) record(ctx context.Context, content string) error {
	subject, shown, ok := strings.Cut(content, " sha256:")
	kind, escaped, ok2 := strings.Cut(subject, "/")
	id, err := url.PathUnescape(escaped)
	if !ok || !ok2 || err != nil {
		r.flaw("names its record as %q, which is malformed", content)
		return nil
	}
	hash, err := r.Hash(ctx, kind, id)
	switch {
	case err != nil:
		return err
	case hash == "":
		r.flaw("shows %s, which is not in the archive", subject)
	case hash != shown:
		r.flaw("shows another version of %s than the archive has; build again", subject)
	}
	return nil
}

// markdown checks the links and pictures of a Markdown file, and the picture in
// its front matter.
func (r *reader) markdown(content []byte) {
	if rest, ok := bytes.CutPrefix(content, []byte("---\n")); ok {
		front, body, closed := bytes.Cut(rest, []byte("\n---\n"))
		if !closed {
			r.flaw("its front matter has no end")
			return
		}
		content = body
		for line := range bytes.Lines(front) {
			value, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("picture: "))
			if !ok {
				continue
			}
			if address, err := strconv.Unquote(string(value)); err != nil {
				r.flaw("its front matter cannot be read: %s", value)
			} else {
				r.link([]byte(address), true)
			}
		}
	}
	for _, address := range prose.MarkdownAddresses(content) {
		r.link(address, false)
	}
}

// xml checks that a feed, a sitemap or an OPML file is well-formed, and that the
// files of the site in it exist.
func (r *reader) xml(content []byte) {
	d := xml.NewDecoder(bytes.NewReader(content))
	element := ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.flaw("is not well-formed XML: %v", err)
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			element = t.Name.Local
			toSource := slices.ContainsFunc(t.Attr, func(a xml.Attr) bool {
				return a.Name.Local == "rel" && (a.Value == "via" || a.Value == "related")
			})
			for _, a := range t.Attr {
				switch a.Name.Local {
				case "href", "url", "xmlUrl", "htmlUrl":
					if !toSource {
						r.address(a.Value)
					}
				}
			}
		case xml.EndElement:
			element = ""
		case xml.CharData:
			switch element {
			case "link", "loc", "url":
				r.address(strings.TrimSpace(string(t)))
			}
		}
	}
}

// json checks that a JSON file is valid, and that the files of the site in a
// feed exist.
func (r *reader) json(content []byte) {
	if !json.Valid(content) {
		r.flaw("is not valid JSON")
		return
	}
	var feed struct {
		Home  string `json:"home_page_url"`
		Self  string `json:"feed_url"`
		Next  string `json:"next_url"`
		Items []struct {
			URL string `json:"url"`
		} `json:"items"`
	}
	if json.Unmarshal(content, &feed) != nil { // not a feed
		return
	}
	for _, address := range []string{feed.Home, feed.Self, feed.Next} {
		r.address(address)
	}
	for _, item := range feed.Items {
		r.address(item.URL)
	}
}

// address checks an absolute address of an entry if it is one of the site. Pages of an owner's
// templates, and plain ones, may lack the anchor in it: they show from their beginning.
func (r *reader) address(address string) {
	address, _, _ = strings.Cut(address, "#")
	if strings.HasPrefix(address, r.BaseURL) {
		r.link([]byte(address), true)
	}
}

// link checks a link of the file. Absolute links are checked only if absolute is set.
func (r *reader) link(link []byte, absolute bool) {
	if r.goodLinks[string(link)] {
		return
	}
	to, anchor, ours := r.target(string(link), absolute)
	switch {
	case !ours:
	case to == r.name:
		if anchor != "" {
			r.ownLinks[anchor] = true
		}
	case !r.exists(to):
		r.flaw("links to %s, which does not exist", link)
	case anchor == "":
		r.goodLinks[string(link)] = true
	default: // see linkedAnchors
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.anchors[to] == nil {
			r.anchors[to] = map[string]string{}
		}
		if first, ok := r.anchors[to][anchor]; !ok || r.name < first {
			r.anchors[to][anchor] = r.name
		}
	}
}

// target returns the file of the site that a link leads to, and the anchor in it.
func (r *reader) target(link string, absolute bool) (to, anchor string, ours bool) {
	link = strings.TrimSpace(link)
	u, err := url.Parse(link)
	if err != nil { // malformed: a dead link, unless it leads to another site
		absolute = absolute && strings.HasPrefix(link, r.BaseURL)
		return link, "", absolute || !strings.Contains(link, ":") && !strings.HasPrefix(link, "//")
	}
	switch {
	case u.Scheme != "" || u.Host != "":
		rest, inside := strings.CutPrefix(u.String(), r.BaseURL)
		if !inside || !absolute {
			return "", "", false
		}
		if u, err = url.Parse(rest); err != nil {
			return link, "", true
		}
		to = u.Path
	case u.Path == "":
		return r.name, u.Fragment, true
	case strings.HasPrefix(u.Path, "/"): // of the page for unknown addresses, which is served at any
		base, err := url.Parse(r.BaseURL)
		if err != nil {
			return link, "", true
		}
		var inside bool
		if to, inside = strings.CutPrefix(u.Path, base.Path); !inside {
			return link, "", true
		}
	default:
		to = path.Join(path.Dir(r.name), u.Path)
		if strings.HasSuffix(u.Path, "/") {
			to += "/"
		}
	}
	if to = strings.TrimPrefix(to, "./"); to == "" || to == "." || strings.HasSuffix(to, "/") {
		to += "index.html"
	}
	return path.Clean(to), u.Fragment, true
}
