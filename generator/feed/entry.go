package feed

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"

	"ayna/generator/corrections"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// entry is an item as a feed shows it. Titles and names are made by [inert], since readers
// take them for text or for HTML; the summary is plain text, and the content HTML. Nothing
// in them is forbidden in XML, and all addresses are absolute.
type entry struct {
	id         string
	title      string
	link       string // the mirror's page
	source     string // the original, may be empty
	published  time.Time
	updated    time.Time   // published, if it was not changed since
	summary    string      // may be empty
	content    string      // HTML; empty if the summary is all there is to show
	authors    []namedPage // at least one
	categories []namedPage
	pictures   []mediaContent // the lead picture first
	attached   []mediaContent // sounds, films and documents
	comments   int            // of readers
}

// encodedEntry is an entry in each of the site's formats.
type encodedEntry struct {
	updated time.Time
	in      map[site.Format]string
	length  int // of the content, in bytes
}

// entryKey names an encoded entry: of an item, or of its last change.
type entryKey struct {
	row       int64
	corrected bool
}

// namedPage is an author, as Atom has one, or a folder or a tag.
type namedPage struct {
	Name    string `xml:"name,omitempty"`
	Page    string `xml:"uri,omitempty"`
	Picture string `xml:"-"` // of a writer, absolute; may be empty
}

const (
	// maxContent bounds the text of an entry, in bytes. The authors of JSON Feed call
	// 250 KB fine for a whole feed.
	maxContent = 200_000
	// summaryLength is the length of a summary made from the text, in letters.
	summaryLength = 280
)

func (r *Renderer) entry(ctx context.Context, item site.Item) (entry, error) {
	s, err := r.reader.Story(ctx, item)
	if err != nil {
		return entry{}, err
	}
	// Order, not Published: readers would keep an entry with a date in the future on top.
	published := time.UnixMilli(item.Order()).UTC().Truncate(time.Second)
	updated, err := corrections.Updated(ctx, r.reader.Archive.Records, item, &r.site.Settings)
	if err != nil {
		return entry{}, err
	}
	authors, err := r.authors(ctx, s)
	if err != nil {
		return entry{}, err
	}
	e := entry{
		id:         r.tagURI(string(item.Kind()) + "/" + url.PathEscape(item.ID())),
		title:      inert(s.Title),
		link:       r.site.Absolute(item.Address()),
		source:     s.Source,
		published:  published,
		updated:    updated.Truncate(time.Second),
		summary:    prose.StripInvalidXML(cmp.Or(s.Spot, prose.Shorten(s.Opening, summaryLength))),
		authors:    authors,
		categories: r.categories(item),
		pictures:   r.pictures(s),
		attached:   r.attached(s),
		comments:   item.Comments(),
	}
	if !r.options.FullText {
		if s.Members {
			e.summary = strings.TrimSpace(e.summary + " " + r.site.Words.MembersOnly)
		}
		return e, nil
	}
	e.content = prose.StripInvalidXML(r.content(s))
	if len(e.content) > maxContent { // the summary and the lead picture remain
		e.content, e.pictures = "", e.pictures[:min(1, len(e.pictures))]
	}
	return e, nil
}

// encoded returns the entry of an item, or of its last change, from the cache if it has it.
func (r *Renderer) encoded(ctx context.Context, item site.Item, corrected bool) (*encodedEntry, error) {
	key, build := entryKey{item.Row(), corrected}, r.entry
	if corrected {
		build = r.correction
	}
	if e, ok := r.entries.Get(key); ok {
		return e, nil
	}
	var encoded *encodedEntry
	e, err := build(ctx, item)
	if err == nil {
		encoded, err = r.encode(&e)
	}
	if err != nil {
		return nil, fmt.Errorf("entry of %s %s: %w", item.Kind(), item.ID(), err)
	}
	r.entries.Put(key, encoded)
	return encoded, nil
}

// encode encodes an entry in the site's formats.
func (r *Renderer) encode(e *entry) (*encodedEntry, error) {
	encoded := &encodedEntry{updated: e.updated, in: make(map[site.Format]string, len(r.site.Formats)), length: len(e.content)}
	for _, format := range r.site.Formats {
		var err error
		switch format {
		case site.RSS:
			encoded.in[format], err = marshalXML(e.rss(), "    ")
		case site.Atom:
			encoded.in[format], err = marshalXML(e.atom(), "  ")
		default:
			encoded.in[format], err = marshalJSON(e.json(r.site.Language), "    ", indent)
		}
		if err != nil {
			return nil, err
		}
	}
	return encoded, nil
}

func (e *encodedEntry) size() int {
	n := 500 // of the struct, its map and the cache
	for _, text := range e.in {
		n += len(text)
	}
	return n
}

// authors returns the writers, or else the editor, or else the mirrored service.
func (r *Renderer) authors(ctx context.Context, s *story.Story) ([]namedPage, error) {
	var people []namedPage
	for _, w := range s.Writers() {
		portrait, err := r.portrait(ctx, w)
		if err != nil {
			return nil, err
		}
		people = append(people, namedPage{inert(w.Title), r.site.Absolute(w.Index()), portrait})
	}
	if len(people) == 0 && s.Editor != "" {
		people = append(people, namedPage{Name: inert(s.Editor)})
	}
	if len(people) == 0 {
		people = append(people, r.source())
	}
	return people, nil
}

// portrait returns the absolute address of a writer's picture, "" without one.
func (r *Renderer) portrait(ctx context.Context, w *site.Writer) (string, error) {
	p, err := r.reader.Portrait(ctx, w)
	if p == nil || err != nil {
		return "", err
	}
	return p.Src(r.site.Absolute), nil
}

// source is the mirrored service as an author.
func (r *Renderer) source() namedPage {
	home, _ := prose.SafeURL(r.site.SourceHome)
	return namedPage{Name: inert(cmp.Or(r.site.SourceName, r.site.Title)), Page: home}
}

// byline joins the names of the authors, since most readers keep only one element.
func (e *entry) byline() string {
	names := make([]string, len(e.authors))
	for i, author := range e.authors {
		names[i] = author.Name
	}
	return strings.Join(names, ", ")
}

func (r *Renderer) categories(item site.Item) []namedPage {
	var categories []namedPage
	for folder := range item.Folders() {
		for _, folder := range folder.Trail() {
			if category := (namedPage{Name: inert(folder.Title), Page: r.site.Absolute(folder.Index())}); !slices.Contains(categories, category) {
				categories = append(categories, category)
			}
		}
	}
	for tag := range item.Tags() {
		categories = append(categories, namedPage{Name: inert(tag.Title), Page: r.site.Absolute(tag.Index())})
	}
	return categories
}

// pictures returns the pictures that can be shown.
func (r *Renderer) pictures(s *story.Story) []mediaContent {
	var pictures []mediaContent
	for _, p := range s.Pictures {
		if src := p.Src(r.site.Absolute); src != "" {
			pictures = append(pictures, mediaContent{
				URL: src, Type: p.Type, Medium: "image", FileSize: p.Bytes, Width: p.Width, Height: p.Height,
				Title: inert(p.Title), Description: inert(p.Caption), Credit: r.credit(), Sizes: r.sizes(&p),
			})
		}
	}
	return pictures
}

// sizes returns the smaller versions of a picture.
func (r *Renderer) sizes(p *story.Picture) (list []mediaSize) {
	for _, size := range p.Sizes {
		height := 0
		if p.Width > 0 {
			height = (p.Height*size.Width + p.Width/2) / p.Width
		}
		address := site.MediaAddress(size.Name)
		list = append(list, mediaSize{r.site.Absolute(address), site.ContentType(address), "image", 0, size.Width, height})
	}
	return list
}

// content returns the full text of an item: its lead picture, its body and its
// other pictures. It includes pictures that are also enclosed: many readers show
// nothing else.
func (r *Renderer) content(s *story.Story) string {
	var before, after strings.Builder
	inBody := s.Body.Images()
	video := s.Kind() == site.Video
	for i, p := range s.Pictures {
		switch {
		case s.Kind() != site.Gallery && slices.Contains(inBody, p.Source): // the body shows it
		case i > 0:
			r.figure(&after, &p, "")
		case video: // the picture is the video's poster
			r.figure(&before, &p, s.Source)
		default:
			r.figure(&before, &p, "")
		}
	}
	if video {
		sourceLink(&before, s.Source, r.site.Words.WatchOriginal)
	}
	for _, notice := range r.notices(s) {
		after.WriteString("<p><em>" + html.EscapeString(notice) + "</em></p>\n")
	}
	if !video {
		sourceLink(&after, s.Source, r.site.Words.ReadOriginal)
	}
	whole := s.Body.Markup(s.Resolver(r.site.Absolute, "")).AppendHTML([]byte(before.String()))
	return string(bytes.TrimSpace(append(whole, after.String()...)))
}

// notices are what a reader should know about a text that is not whole yet, or not for all.
func (r *Renderer) notices(s *story.Story) (list []string) {
	if s.Waiting {
		list = append(list, r.site.Words.Waiting)
	}
	if s.Members {
		list = append(list, r.site.Words.MembersOnly)
	}
	return list
}

// sourceLink writes a link to the record's page at the source, if it has one.
func sourceLink(b *strings.Builder, href, words string) {
	if href != "" {
		b.WriteString(`<p><a href="` + html.EscapeString(href) + `">` + html.EscapeString(words) + "</a></p>\n")
	}
}

// figure writes a picture, its caption, or both, as far as they exist. The picture
// links to href if that is not empty.
func (r *Renderer) figure(b *strings.Builder, p *story.Picture, href string) {
	src := p.Src(r.site.Absolute)
	if src == "" && p.Caption == "" {
		return
	}
	b.WriteString("<figure>")
	if src != "" {
		image := `<img src="` + html.EscapeString(src) + `" alt="` + html.EscapeString(cmp.Or(p.Title, p.Caption)) + `"`
		if p.Width > 0 && p.Height > 0 {
			image += fmt.Sprintf(` width="%d" height="%d"`, p.Width, p.Height)
		}
		image += ">"
		if href != "" {
			image = `<a href="` + html.EscapeString(href) + `">` + image + "</a>"
		}
		b.WriteString(image)
	}
	if p.Caption != "" {
		b.WriteString("<figcaption>" + html.EscapeString(p.Caption) + "</figcaption>")
	}
	b.WriteString("</figure>\n")
}
