package pack

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/generator/site"
)

// errEmpty is returned for a part that nothing belongs to.
var errEmpty = errors.New("nothing in the published site belongs to it")

// start is the page of a part that opens first.
const start = "index.html"

// part returns the files of a part: its pages, the pictures that they show, the
// assets, and a page to start from. Feeds, Markdown and the search stay where
// they are served.
func (s *Site) part(part Part, all []string, open func(string) func() (io.ReadCloser, error)) ([]entry, error) {
	held, shown := map[string]bool{start: true}, make(map[string]bool)
	var pages []pageInfo
	for _, name := range all {
		if strings.HasPrefix(name, site.AssetsDir+"/") {
			held[name] = true
		}
		if !s.mayHold(part, name) {
			continue
		}
		content, err := readAll(open(name))
		if err != nil {
			return nil, err
		}
		info := look(name, content)
		if !part.Month.IsZero() && !part.has(info.published) && !s.isVolume(part, name) {
			continue
		}
		pages = append(pages, info)
		held[name] = true
		for _, picture := range info.pictures {
			shown[picture] = true
		}
	}
	if len(pages) == 0 {
		return nil, errEmpty
	}
	first := s.start(part, pages, all)
	var entries []entry
	for _, name := range all {
		if held[name] && name != start || shown[name] {
			held[name] = true
			entries = append(entries, entry{name: name, page: path.Ext(name) == ".html", open: open(name)})
		}
	}
	for i, e := range entries {
		if e.page {
			entries[i].open = s.rewritten(e, held)
		}
	}
	entries = append(entries, given(start, first))
	sortEntries(entries)
	return entries, nil
}

// mayHold reports whether a file is a page under the part's path.
func (s *Site) mayHold(part Part, name string) bool {
	if path.Ext(name) != ".html" || name == start || name == site.NotFound {
		return false
	}
	return part.dir() == "" || strings.HasPrefix(name, part.dir()+"/")
}

// isVolume reports whether a page is a list of the part's month.
func (s *Site) isVolume(part Part, name string) bool {
	dir, base := path.Split(name)
	return path.Base(dir) == s.Words.ArchiveDir && strings.HasPrefix(base, part.Month.Format("2006-01"))
}

func readAll(open func() (io.ReadCloser, error)) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// pageInfo is what a page says of itself.
type pageInfo struct {
	name, title string
	item        bool
	published   time.Time // zero if it is no item, or its time is unknown
	pictures    []string  // files of the site that it shows
}

func look(name string, content []byte) pageInfo {
	p := pageInfo{name: name}
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch {
			case t.DataAtom == atom.Meta && attribute(t, "name") == "ayna-record":
				p.item = true
			case t.DataAtom == atom.Meta && attribute(t, "property") == "og:title":
				p.title = attribute(t, "content")
			case t.DataAtom == atom.Meta && attribute(t, "property") == "article:published_time":
				p.published, _ = time.Parse(time.RFC3339, attribute(t, "content"))
			}
			for _, a := range t.Attr {
				for _, link := range addresses(a) {
					if to, _, ok := inside(name, link); ok && strings.HasPrefix(to, site.MediaDir+"/") {
						p.pictures = append(p.pictures, to)
					}
				}
			}
		}
	}
}

func attribute(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// startPage lists the pages of a part.
var startPage = template.Must(template.New("start").Parse(`<!DOCTYPE html>
<html lang="{{.Language}}" dir="ltr">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self' file:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
{{- range .Styles}}
<link rel="stylesheet" href="{{.}}">
{{- end}}
</head>
<body>
<main id="main">
<h1>{{.Title}}</h1>
<p><a href="{{.Home}}">{{.Home}}</a></p>
<ul>
{{- range .Lists}}
<li><a href="{{.Href}}"><bdi>{{.Text}}</bdi></a></li>
{{- end}}
</ul>
<ul>
{{- range .Items}}
<li><a href="{{.Href}}"><bdi>{{.Text}}</bdi></a>{{with .Note}} · {{.}}{{end}}</li>
{{- end}}
</ul>
</main>
</body>
</html>
`))

type startLink struct{ Href, Text, Note string }

// start makes the page that a part opens with: its lists, then its items,
// newest first.
func (s *Site) start(part Part, pages []pageInfo, all []string) []byte {
	view := struct {
		Language, Title, Home string
		Styles                []string
		Lists, Items          []startLink
	}{Language: s.Language, Title: s.Title, Home: s.BaseURL + part.dir()}
	if part.dir() != "" {
		view.Title += " – " + part.Path
		view.Home += "/"
	}
	if !part.Month.IsZero() {
		view.Title += fmt.Sprintf(" – %s %d", s.Words.Months[part.Month.Month()-1], part.Month.Year())
	}
	for _, name := range all {
		if strings.HasPrefix(name, site.AssetsDir+"/site.") && path.Ext(name) == ".css" {
			view.Styles = append(view.Styles, name)
		}
	}
	slices.SortStableFunc(pages, func(a, b pageInfo) int { return b.published.Compare(a.published) })
	for _, p := range pages {
		l := startLink{Href: p.name, Text: p.title}
		if l.Text == "" {
			l.Text = p.name
		}
		switch {
		case !p.item:
			view.Lists = append(view.Lists, l)
		case p.published.IsZero():
			view.Items = append(view.Items, l)
		default:
			l.Note = s.Words.Date(p.published.In(part.Zone))
			view.Items = append(view.Items, l)
		}
	}
	var b bytes.Buffer
	startPage.Execute(&b, view) // a buffer does not fail, nor does a view of texts
	return b.Bytes()
}
