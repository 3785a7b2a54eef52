package main

import (
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// compare compares each record with its page in a built site.
func (s *site) compare(public string) (*table, error) {
	pages, err := pagesIn(public)
	if err != nil {
		return nil, err
	}
	moved, err := os.ReadFile(filepath.Join(filepath.Dir(public), "moved"))
	if err != nil {
		return nil, err
	}
	targets := make(map[string]string) // of addresses at the source
	for line := range strings.Lines(string(moved)) {
		if fields := strings.Fields(line); len(fields) > 1 {
			targets[keyOf(fields[0])] = keyOf(fields[1])
		}
	}
	for _, o := range slices.Concat(s.lists["posts"], s.lists["pages"]) { // short addresses of WordPress
		target := targets[pathOf(keyOf(text(o["link"])))]
		targets["?p="+number(o)], targets["?page_id="+number(o)] = target, target
	}
	t := new(table)
	for _, address := range slices.Sorted(maps.Keys(s.texts)) {
		full := address
		if strings.HasPrefix(address, "/") { // a plug-in makes addresses relative
			full = s.address + address
		}
		page := pages[keyOf(full)]
		if page == nil {
			t.lost = append(t.lost, "record: "+address)
			continue
		}
		t.records++
		o := originalOf(s.texts[address], full)
		o.targets = targets
		o.compare(t, page, address)
	}
	return t, nil
}

// A seen is what a reader sees of a text.
type seen struct {
	words     map[string]int
	addresses map[string]bool // keys of all addresses
	stems     map[string]bool // names of files of pictures
	raw       string          // the HTML
}

// pagesIn returns what the pages of items show, by the addresses of their records.
func pagesIn(public string) (map[string]*seen, error) {
	pages := make(map[string]*seen)
	err := filepath.WalkDir(public, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		doc, err := html.Parse(file)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(public, name)
		if err != nil {
			return err
		}
		base := &url.URL{Scheme: "http", Host: "mirror.example", Path: "/" + relative}
		canonical := ""
		for n := range doc.Descendants() {
			if n.DataAtom == atom.Link && attribute(n, "rel") == "canonical" {
				canonical = attribute(n, "href")
			}
			if n.DataAtom == atom.Article && strings.HasPrefix(attribute(n, "class"), "item") && canonical != "" {
				pages[keyOf(canonical)] = seenIn(n, base)
				return nil
			}
		}
		return nil
	})
	if err == nil && len(pages) == 0 {
		err = errors.New("no page shows an item")
	}
	return pages, err
}

func seenIn(root *html.Node, base *url.URL) *seen {
	p := &seen{words: make(map[string]int), addresses: make(map[string]bool), stems: make(map[string]bool)}
	for _, word := range wordsIn(plain(root)) {
		p.words[word]++
	}
	var b strings.Builder
	if err := html.Render(&b, root); err == nil {
		p.raw = b.String()
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if u, err := base.Parse(strings.TrimSpace(a.Val)); err == nil && (a.Key == "href" || a.Key == "src") {
				p.addresses[keyOf(u.String())] = true
				p.stems[stem(u.String())] = true
			}
		}
	}
	return p
}

// An original is the HTML of a record.
type original struct {
	root    *html.Node
	text    string
	base    *url.URL
	targets map[string]string
}

func originalOf(text, address string) *original {
	base, err := url.Parse(address)
	if err != nil {
		base = new(url.URL)
	}
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, _ := html.ParseFragment(strings.NewReader(text), root)
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return &original{root: root, text: text, base: base}
}

func (o *original) compare(t *table, page *seen, address string) {
	left := maps.Clone(page.words)
	codes := make(map[string]bool)
	for _, m := range shortcode.FindAllStringSubmatch(o.text, -1) {
		codes[m[1]] = codes[m[1]] || m[2] == "" && strings.HasPrefix(m[0], "[/") || strings.Contains(m[2], "=")
	}
	shown := encoded.ReplaceAllString(plain(o.root), " ")
	shown = shortcode.ReplaceAllStringFunc(shown, func(found string) string {
		if codes[shortcode.FindStringSubmatch(found)[1]] {
			return " "
		}
		return found
	})
	for _, word := range wordsIn(shown) {
		t.count(words, left[word] > 0, address, word)
		left[word]--
	}
	done := make(map[string]bool)
	once := func(kind int, key string, isFound bool, what string) {
		if !done[kinds[kind]+key] {
			done[kinds[kind]+key] = true
			t.count(kind, isFound, address, what)
		}
	}
	for n := range o.root.Descendants() {
		if isOutside(n) {
			continue
		}
		if address := bareAddress(n); address != "" && n.Parent.DataAtom != atom.A {
			id := idOf(address)
			once(links, o.key(address), o.isShown(page, o.key(address)) || strings.Contains(page.raw, id), address)
		}
		switch n.DataAtom {
		case atom.Img:
			if src := pictureOf(n); src != "" {
				once(pictures, stem(src), page.stems[stem(src)], src)
			}
		case atom.A:
			if href := strings.TrimSpace(attribute(n, "href")); isLink(href) {
				key := o.key(href)
				isFound := o.isShown(page, key) || n.FirstChild == nil
				isPicture := n.FirstChild != nil && strings.TrimSpace(plain(n)) == "" && hasPicture(n, page)
				once(links, key, isFound || isPicture || page.stems[stem(href)] || page.names(href), href)
			}
		default:
			if src := playerOf(n); src != "" {
				src = o.resolve(src)
				id := idOf(src)
				once(players, id, page.addresses[keyOf(src)] || strings.Contains(page.raw, id), src)
			}
		}
	}
	for _, value := range named(o.text) {
		switch {
		case strings.Contains(value, "://") || strings.HasPrefix(value, "url:"):
			value = linkOf(value)
			if isLink(value) {
				once(attributes, value, o.isShown(page, o.key(value)) || page.stems[stem(value)] || strings.Contains(page.raw, idOf(value)), value)
			}
		default:
			isFound := true
			for _, word := range wordsIn(value) {
				isFound = isFound && page.words[word] > 0
			}
			once(attributes, value, isFound, value)
		}
	}
}

// isShown reports whether a page has an address, or that of the page of the mirror to which it leads.
func (o *original) isShown(page *seen, key string) bool {
	target := o.targets[pathOf(key)]
	return page.addresses[key] || page.addresses[target] || page.addresses[strings.Replace(target, "127.0.0.1:8080", "mirror.example", 1)]
}

// names reports whether a page has the words of an address of e-mail or a telephone number:
// such addresses are no links in a mirror.
func (p *seen) names(address string) bool {
	scheme, rest, _ := strings.Cut(strings.ToLower(address), ":")
	rest, _, _ = strings.Cut(rest, "?")
	switch scheme {
	case "mailto":
		return strings.Contains(strings.ToLower(p.raw), html.EscapeString(rest))
	case "tel": // perhaps written without the country's number
		rest = digits(rest)
		return strings.Contains(digits(p.raw), rest[max(0, len(rest)-6):])
	}
	return false
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return r
		case strings.ContainsRune(" -.()+/", r):
			return -1
		}
		return '_'
	}, s)
}

// key returns the key of an address in the text.
func (o *original) key(address string) string { return keyOf(o.resolve(address)) }

// resolve makes an address in the text absolute.
func (o *original) resolve(address string) string {
	u, err := o.base.Parse(strings.TrimSpace(address))
	if err != nil {
		return address
	}
	return u.String()
}
