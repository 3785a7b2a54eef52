package check

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// page looks at a page: where its links lead, which record it says it shows.
// Whole addresses are only checked in the head. Those in the body may be the
// source's, who may link what there is not.
func (l *looker) page(ctx context.Context, name string, content []byte) ([]Flaw, error) {
	l.begin(name)
	inHead := true
	for t := range l.tags(content) {
		inHead = inHead && t.name != atom.Body
		if t.name == atom.Meta && string(t.value("name")) == "ayna-record" {
			what, err := l.record(ctx, string(t.value("content")))
			if err != nil {
				return nil, err
			}
			l.flaw(what)
		}
		for _, a := range t.attributes {
			switch string(a.key) {
			case "id":
				l.ids[string(a.value)] = true
			case "href", "src", "poster", "action", "data":
				l.follow(a.value, inHead)
			case "srcset":
				for candidate := range bytes.SplitSeq(a.value, []byte(",")) {
					if fields := bytes.Fields(candidate); len(fields) > 0 {
						l.follow(fields[0], inHead)
					}
				}
			case "content":
				switch string(t.value("property")) {
				case "og:url", "og:image":
					l.follow(a.value, inHead)
				}
			}
		}
	}
	return l.end(), nil
}

// begin takes up a page or a Markdown file.
func (l *looker) begin(name string) {
	l.name, l.flaws = name, nil
	clear(l.ids)
	clear(l.own)
	const most = 1 << 12
	if dir := path.Dir(name); dir != l.dir || len(l.good) > most {
		l.dir = dir
		clear(l.good)
	}
}

// end returns what is wrong with it.
func (l *looker) end() []Flaw {
	for _, anchor := range slices.Sorted(maps.Keys(l.own)) {
		if !l.ids[anchor] {
			l.flaw(fmt.Sprintf("it links the anchor #%s, which it has not", anchor))
		}
	}
	return l.flaws
}

// flaw notes what is wrong with a file, if anything is.
func (l *looker) flaw(what string) {
	if what != "" {
		l.flaws = append(l.flaws, Flaw{Path: l.name, What: what})
	}
}

// tag is a start tag. What it holds is good until the next one.
type tag struct {
	name       atom.Atom
	attributes []attribute
}

type attribute struct{ key, value []byte }

// value returns an attribute's value, nil if there is none.
func (t *tag) value(key string) []byte {
	for _, a := range t.attributes {
		if string(a.key) == key {
			return a.value
		}
	}
	return nil
}

// tags yields the start tags of a page.
func (l *looker) tags(content []byte) func(yield func(*tag) bool) {
	return func(yield func(*tag) bool) {
		z := html.NewTokenizer(bytes.NewReader(content))
		for {
			switch z.Next() {
			case html.ErrorToken:
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				name, more := z.TagName()
				l.tag.name, l.tag.attributes = atom.Lookup(name), l.tag.attributes[:0]
				for more {
					var a attribute
					a.key, a.value, more = z.TagAttr()
					l.tag.attributes = append(l.tag.attributes, a)
				}
				if !yield(&l.tag) {
					return
				}
			}
		}
	}
}

// follow looks where a link of the file leads. whole says that whole addresses
// are looked at, too. What has been found good once is for all files of a
// folder.
func (l *looker) follow(link []byte, whole bool) {
	if l.good[string(link)] {
		return
	}
	to, fragment, ours := l.target(l.name, string(link), whole)
	switch {
	case !ours:
		return
	case to == l.name:
		if fragment != "" {
			l.own[fragment] = true
		}
		return
	case !l.has(to):
		l.flaw(fmt.Sprintf("it links %s, which is not there", link))
		return
	}
	if fragment == "" {
		l.good[string(link)] = true
		return
	}
	l.wanted(to, fragment, l.name)
}

// target returns the file of the site that a link leads to, and the anchor in
// it. whole says that whole addresses are looked at, too.
func (c *checker) target(from, link string, whole bool) (to, fragment string, ours bool) {
	link = strings.TrimSpace(link)
	u, err := url.Parse(link)
	if err != nil { // there is no such file of ours; what somebody wrote of other sites is no concern
		whole = whole && strings.HasPrefix(link, c.BaseURL)
		return link, "", whole || !strings.Contains(link, ":") && !strings.HasPrefix(link, "//")
	}
	switch {
	case u.Scheme != "" || u.Host != "":
		rest, inside := strings.CutPrefix(u.String(), c.BaseURL)
		if !inside || !whole {
			return "", "", false
		}
		if u, err = url.Parse(rest); err != nil {
			return link, "", true
		}
		to = u.Path
	case u.Path == "":
		return from, u.Fragment, true
	default:
		to = path.Join(path.Dir(from), u.Path)
		if strings.HasSuffix(u.Path, "/") {
			to += "/"
		}
	}
	if to = strings.TrimPrefix(to, "./"); to == "" || to == "." || strings.HasSuffix(to, "/") {
		to += "index.html"
	}
	return path.Clean(to), u.Fragment, true
}

// wanted notes that a page links an anchor of another one.
func (c *checker) wanted(page, anchor, by string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.anchors[page] == nil {
		c.anchors[page] = make(map[string]string)
	}
	if first, ok := c.anchors[page][anchor]; !ok || by < first {
		c.anchors[page][anchor] = by
	}
}

// linkedAnchors looks whether pages have the anchors that others link.
func (c *checker) linkedAnchors() error {
	l := newLooker(c)
	for _, name := range slices.Sorted(maps.Keys(c.anchors)) {
		content, _, err := l.read(name)
		if err != nil {
			return err
		}
		wanted := c.anchors[name]
		for t := range l.tags(content) {
			delete(wanted, string(t.value("id")))
		}
		for _, anchor := range slices.Sorted(maps.Keys(wanted)) {
			if err := c.report([]Flaw{{Path: wanted[anchor], What: fmt.Sprintf("it links %s#%s, an anchor that is not there", name, anchor)}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// record says what is wrong with the record that a page says it shows.
func (c *checker) record(ctx context.Context, content string) (string, error) {
	if c.Hash == nil {
		return "", nil
	}
	subject, shown, ok := strings.Cut(content, " sha256:")
	kind, escaped, ok2 := strings.Cut(subject, "/")
	id, err := url.PathUnescape(escaped)
	if !ok || !ok2 || err != nil {
		return fmt.Sprintf("it names its record as %q", content), nil
	}
	held, err := c.Hash(ctx, kind, id)
	switch {
	case err != nil:
		return "", err
	case held == "":
		return fmt.Sprintf("it shows %s, which the archive does not hold", subject), nil
	case held != shown:
		return fmt.Sprintf("it shows another version of %s than the archive holds; build again", subject), nil
	}
	return "", nil
}
