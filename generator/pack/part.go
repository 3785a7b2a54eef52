package pack

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"ayna/archive"
	"ayna/generator/search"
	"ayna/generator/site"
)

// Part selects a part of a site or an archive. The zero Part selects all.
type Part struct {
	Path  string         // folder with its sub-folders, like "/ekonomi/"; "" and "/" are all
	Month time.Time      // any moment of the month of publication; zero is all
	Zone  *time.Location // in which months begin

	rows   map[int64]bool // of the items of a writer or a saved search; nil is all
	titles []string       // of these
}

// ParsePart parses a folder's path and a month like 2026-09. Either may be empty.
func ParsePart(folder, month string, zone *time.Location) (Part, error) {
	p := Part{Path: path.Clean("/" + folder), Zone: zone}
	if p.Path != "/" {
		p.Path += "/"
	}
	var err error
	if month != "" {
		if p.Month, err = time.ParseInLocation("2006-01", month, zone); err != nil {
			err = fmt.Errorf("month %q: write it as 2026-09", month)
		}
	}
	return p, err
}

func (p Part) whole() bool { return p.dir() == "" && p.Month.IsZero() }

// dir is the directory of the part in the published tree, "" for the root.
func (p Part) dir() string { return strings.Trim(p.Path, "/") }

func (p Part) inMonth(t time.Time) bool {
	if p.Month.IsZero() {
		return true
	}
	t = t.In(p.Zone)
	return t.Year() == p.Month.Year() && t.Month() == p.Month.Month()
}

// holds reports whether a record belongs to the part.
func (p Part) holds(r *archive.Record) bool {
	return (p.dir() == "" || strings.HasPrefix(strings.TrimSuffix(r.Path, "/")+"/", p.Path)) && p.inMonth(r.Published) &&
		(p.rows == nil || p.rows[r.Row])
}

// mayHold reports whether a file is a page in the part's folder.
func (p Part) mayHold(name string) bool {
	if path.Ext(name) != ".html" || name == start || name == site.NotFound {
		return false
	}
	return p.dir() == "" || strings.HasPrefix(name, p.dir()+"/")
}

// partEntries returns the files of a part: its pages, the pictures that they
// show, the assets, a start page, and a search page with an index of its items.
// Feeds and Markdown stay out.
func (s *Site) partEntries(ctx context.Context, part Part, names []string, root *os.Root) ([]entry, error) {
	included := map[string]bool{start: true}
	var pages []page
	for _, name := range names {
		if strings.HasPrefix(name, site.AssetsDir+"/") {
			included[name] = true
		}
		if !part.mayHold(name) {
			continue
		}
		content, err := root.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p := inspect(name, content)
		if !part.inMonth(p.published) && !s.isMonthList(part, name) {
			continue
		}
		pages = append(pages, p)
		included[name] = true
		for _, picture := range p.pictures {
			if _, ok := slices.BinarySearch(names, picture); ok {
				included[picture] = true
			}
		}
	}
	if len(pages) == 0 {
		return nil, errors.New("nothing in the published site belongs to it")
	}
	index, err := search.Select(root.FS(), s.Words, func(address string) bool { return included[address] })
	if err != nil {
		return nil, err
	}
	searchPage := site.SearchPage(s.Words)
	if _, ok := slices.BinarySearch(names, searchPage); !ok {
		index = nil
	}
	if index != nil && !included[searchPage] {
		content, err := root.ReadFile(searchPage)
		if err != nil {
			return nil, err
		}
		pages = slices.Insert(pages, 0, inspect(searchPage, content))
		included[searchPage] = true
	}
	first := s.startPage(part, pages, names)
	entries := []entry{{start, func(w io.Writer) error { _, err := w.Write(first); return err }}}
	for name := range included {
		switch {
		case name == start:
		case path.Ext(name) == ".html":
			entries = append(entries, s.rewritten(root, name, func(to string) bool { return included[to] }))
		default:
			entries = append(entries, copyOf(root, name))
		}
	}
	if index == nil {
		return entries, nil
	}
	for file, err := range index.Files(ctx) {
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{file.Path, func(w io.Writer) error { return file.Write(ctx, w) }})
	}
	return entries, nil
}

// isMonthList reports whether a page lists the items of the part's month.
func (s *Site) isMonthList(part Part, name string) bool {
	dir, base := path.Split(name)
	return path.Base(dir) == s.Words.ArchiveDir && strings.HasPrefix(base, part.Month.Format("2006-01"))
}

// page is what a part needs to know of a page, from its tags.
type page struct {
	name, title string
	isItem      bool
	published   time.Time // zero if it is no item, or if its time is unknown
	changed     time.Time // when it was published or changed last
	pictures    []string  // files of the site that it shows
}

func inspect(name string, content []byte) page {
	p := page{name: name}
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return p
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			switch {
			case t.DataAtom == atom.Meta && attribute(t, "name") == "ayna-record":
				p.isItem = true
			case t.DataAtom == atom.Meta && attribute(t, "property") == "og:title":
				p.title = attribute(t, "content")
			case t.DataAtom == atom.Meta && attribute(t, "property") == "article:published_time":
				p.published, _ = time.Parse(time.RFC3339, attribute(t, "content"))
				p.changed = p.published
			case t.DataAtom == atom.Meta && attribute(t, "property") == "article:modified_time":
				p.changed, _ = time.Parse(time.RFC3339, attribute(t, "content"))
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

// articleText returns the text of the first article of a page.
func articleText(content []byte) string {
	var text strings.Builder
	depth, skip := 0, 0
	z := html.NewTokenizer(bytes.NewReader(content))
	for {
		kind := z.Next()
		name, _ := z.TagName()
		switch tag := atom.Lookup(name); {
		case kind == html.ErrorToken:
			return ""
		case kind == html.TextToken:
			if depth > 0 && skip == 0 {
				text.Write(z.Text())
			}
		case tag == atom.Article && kind == html.StartTagToken:
			depth++
		case tag == atom.Article && kind == html.EndTagToken:
			if depth--; depth == 0 {
				return strings.Join(strings.Fields(text.String()), " ")
			}
		case (tag == atom.Nav || tag == atom.Script || tag == atom.Style) && kind == html.StartTagToken:
			skip++
		case (tag == atom.Nav || tag == atom.Script || tag == atom.Style) && kind == html.EndTagToken:
			skip--
		case !inline[tag]:
			text.WriteByte(' ')
		}
	}
}

// inline are elements whose tags separate no words.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Code: true, atom.Em: true, atom.I: true, atom.Mark: true,
	atom.S: true, atom.Small: true, atom.Span: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.U: true,
}

func attribute(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

//go:embed start.html
var startHTML string

var startTemplate = template.Must(template.New("start").Parse(startHTML))

type startLink struct{ Href, Text, Note string }

// startPage returns the page that a part opens with. It links the part's lists,
// then its items, newest first.
func (s *Site) startPage(part Part, pages []page, names []string) []byte {
	view := struct {
		Language, Title, Home string
		Styles                []string
		Lists, Items          []startLink
	}{Language: s.Language, Title: s.title(part), Home: s.BaseURL + part.dir()}
	if part.dir() != "" {
		view.Home += "/"
	}
	for _, name := range names {
		if strings.HasPrefix(name, site.AssetsDir+"/site.") && path.Ext(name) == ".css" {
			view.Styles = append(view.Styles, name)
		}
	}
	slices.SortStableFunc(pages, func(a, b page) int { return b.published.Compare(a.published) })
	for _, p := range pages {
		l := startLink{Href: p.name, Text: cmp.Or(p.title, p.name)}
		if !p.isItem {
			view.Lists = append(view.Lists, l)
			continue
		}
		if !p.published.IsZero() {
			l.Note = s.Words.Date(p.published.In(part.Zone))
		}
		view.Items = append(view.Items, l)
	}
	var b bytes.Buffer
	startTemplate.Execute(&b, view) // cannot fail: it writes texts to a buffer
	return b.Bytes()
}

// title returns the title of a part.
func (s *Site) title(part Part) string {
	title := s.Title
	if part.dir() != "" {
		title += " – " + part.Path
	}
	if !part.Month.IsZero() {
		title += fmt.Sprintf(" – %s %d", s.Words.Months[part.Month.Month()-1], part.Month.Year())
	}
	return title
}
