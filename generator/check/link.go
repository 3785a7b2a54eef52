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
func (c *checker) page(ctx context.Context, name string, content []byte) ([]Flaw, error) {
	var flaws []Flaw
	ids, own := make(map[string]bool), make(map[string]bool)
	inHead := true
	for t := range tokens(content) {
		inHead = inHead && t.DataAtom != atom.Body
		for _, a := range t.Attr {
			if a.Key == "id" {
				ids[a.Val] = true
			}
		}
		record := t.DataAtom == atom.Meta && valueOf(t, "name") == "ayna-record"
		if record {
			what, err := c.record(ctx, valueOf(t, "content"))
			if err != nil {
				return nil, err
			}
			if what != "" {
				flaws = append(flaws, Flaw{Path: name, What: what})
			}
		}
		for _, link := range links(t) {
			if what := c.follow(name, link, inHead, own); what != "" {
				flaws = append(flaws, Flaw{Path: name, What: what})
			}
		}
	}
	for _, anchor := range slices.Sorted(maps.Keys(own)) {
		if !ids[anchor] {
			flaws = append(flaws, Flaw{Path: name, What: fmt.Sprintf("it links the anchor #%s, which it has not", anchor)})
		}
	}
	return flaws, nil
}

// tokens yields the start tags of a page.
func tokens(content []byte) func(yield func(html.Token) bool) {
	return func(yield func(html.Token) bool) {
		z := html.NewTokenizer(bytes.NewReader(content))
		for {
			switch z.Next() {
			case html.ErrorToken:
				return
			case html.StartTagToken, html.SelfClosingTagToken:
				if !yield(z.Token()) {
					return
				}
			}
		}
	}
}

func valueOf(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// links returns the addresses that a tag names.
func links(t html.Token) []string {
	var list []string
	for _, a := range t.Attr {
		switch a.Key {
		case "href", "src", "poster", "action", "data":
			list = append(list, a.Val)
		case "srcset":
			for candidate := range strings.SplitSeq(a.Val, ",") {
				if fields := strings.Fields(candidate); len(fields) > 0 {
					list = append(list, fields[0])
				}
			}
		case "content":
			switch valueOf(t, "property") {
			case "og:url", "og:image":
				list = append(list, a.Val)
			}
		}
	}
	return list
}

// follow says what is wrong with a link of a page, "" if nothing is. Anchors of
// the page itself are added to own.
func (c *checker) follow(from, link string, whole bool, own map[string]bool) string {
	to, fragment, ours := c.target(from, link, whole)
	switch {
	case !ours:
		return ""
	case to == from:
		if fragment != "" {
			own[fragment] = true
		}
		return ""
	case !c.has(to):
		return fmt.Sprintf("it links %s, which is not there", link)
	}
	if fragment != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.anchors[to] == nil {
			c.anchors[to] = make(map[string]string)
		}
		if first, ok := c.anchors[to][fragment]; !ok || from < first {
			c.anchors[to][fragment] = from
		}
	}
	return ""
}

// target returns the file of the site that a link leads to, and the anchor in
// it. whole says that whole addresses are looked at, too.
func (c *checker) target(from, link string, whole bool) (to, fragment string, ours bool) {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return link, "", true // which is not there
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

// linkedAnchors looks whether pages have the anchors that others link.
func (c *checker) linkedAnchors() error {
	for _, name := range slices.Sorted(maps.Keys(c.anchors)) {
		content, _, err := c.read(name)
		if err != nil {
			return err
		}
		wanted := c.anchors[name]
		for t := range tokens(content) {
			delete(wanted, valueOf(t, "id"))
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
