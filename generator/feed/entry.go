package feed

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"time"

	"ayna/generator/change"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/story"
)

// entry is an item as a feed shows it. Its texts hold nothing that XML forbids,
// its addresses are absolute. Texts come from [plain], but for the summary, which
// each format escapes in its own way.
type entry struct {
	id         string
	title      string
	link       string // the mirror's page
	source     string // the original, may be empty
	published  time.Time
	updated    time.Time // published, if it was not changed since
	summary    string    // may be empty
	content    string    // HTML; empty if the summary is all there is to show
	authors    []person  // at least one
	categories []category
	pictures   []picture // the lead picture first
	publisher  string    // the mirrored service

	elements []element // as it stands in feeds of each format
	length   int       // of the content, in bytes
}

// person is an author.
type person struct {
	name string
	page string // may be empty
}

// category is a folder or a tag.
type category struct{ name, page string }

// picture is a picture that can be shown.
type picture struct {
	url, title, caption string // title and caption may be empty
	mediaType           string // empty if it is not mirrored
	width, height       int    // pixels, 0 if unknown
	bytes               int64  // 0 if unknown
}

const (
	// maxContent bounds the text of an entry, in bytes: JSON Feed's authors
	// find 250 KB fine for a whole feed.
	maxContent = 200_000
	// summaryLength is that of a summary made from the text, in letters.
	summaryLength = 280
)

func (r *Renderer) entry(ctx context.Context, item site.Item) (entry, error) {
	s, err := r.reader.Story(ctx, item)
	if err != nil {
		return entry{}, err
	}
	// Order is the time of publication but for one that cannot be, such as a
	// date in the future, which readers would keep on top until then.
	published := time.UnixMilli(item.Order()).UTC().Truncate(time.Second)
	updated, err := change.Updated(ctx, r.reader.Archive, item, r.site.Location)
	if err != nil {
		return entry{}, err
	}
	e := entry{
		id:         r.tagURI(string(item.Kind()) + "/" + url.PathEscape(item.ID())),
		title:      plain(s.Title),
		link:       r.site.Absolute(item.Address()),
		source:     s.Source,
		published:  published,
		updated:    updated.Truncate(time.Second),
		summary:    prose.XML(summary(s)),
		authors:    r.authors(s),
		categories: r.categories(item),
		pictures:   r.pictures(s),
		publisher:  r.source().name,
	}
	if !r.options.FullText {
		return e, nil
	}
	e.content = prose.XML(r.content(s))
	if len(e.content) > maxContent {
		e.content, e.pictures = "", e.pictures[:min(1, len(e.pictures))]
	}
	return e, nil
}

// summary is the spot, or the beginning of the text where there is none.
func summary(s *story.Story) string {
	if s.Spot != "" {
		return s.Spot
	}
	return prose.Shorten(s.Opening, summaryLength)
}

// authors are the writers; where none is named, the editor, and else the
// mirrored service.
func (r *Renderer) authors(s *story.Story) []person {
	var people []person
	for _, w := range s.Writers() {
		people = append(people, person{plain(w.Title), r.site.Absolute(w.Index())})
	}
	if len(people) == 0 && s.Editor != "" {
		people = append(people, person{name: plain(s.Editor)})
	}
	if len(people) == 0 {
		people = append(people, r.source())
	}
	return people
}

// source is the mirrored service as an author.
func (r *Renderer) source() person {
	home, _ := prose.SafeURL(r.site.SourceHome)
	return person{plain(cmp.Or(r.site.SourceName, r.site.Title)), home}
}

// byline joins the names of the authors: of several elements most readers keep
// but one.
func (e *entry) byline() string {
	names := make([]string, len(e.authors))
	for i, author := range e.authors {
		names[i] = author.name
	}
	return strings.Join(names, ", ")
}

func (r *Renderer) categories(item site.Item) []category {
	var categories []category
	for _, folder := range item.Folder().Trail() {
		categories = append(categories, category{plain(folder.Title), r.site.Absolute(folder.Index())})
	}
	for tag := range item.Tags() {
		categories = append(categories, category{plain(tag.Title), r.site.Absolute(tag.Index())})
	}
	return categories
}

func (r *Renderer) pictures(s *story.Story) []picture {
	var pictures []picture
	for _, p := range s.Pictures {
		if src := p.Src(r.site.Absolute); src != "" {
			pictures = append(pictures, picture{
				url: src, title: plain(p.Title), caption: plain(p.Caption),
				mediaType: p.Type, width: p.Width, height: p.Height, bytes: p.Bytes,
			})
		}
	}
	return pictures
}

// enclosure returns the lead picture if so much is known of it as an enclosure
// has to say.
func (e *entry) enclosure() (picture, bool) {
	if len(e.pictures) == 0 || e.pictures[0].mediaType == "" || e.pictures[0].bytes == 0 {
		return picture{}, false
	}
	return e.pictures[0], true
}

// content returns the full text of an item: its lead picture, its body and its
// other pictures. Pictures stand in it although they are also enclosed: many
// readers show nothing else.
func (r *Renderer) content(s *story.Story) string {
	var before, after strings.Builder
	inBody := s.Body.Images()
	for i, p := range s.Pictures {
		f := figure{src: p.Src(r.site.Absolute), alt: cmp.Or(p.Title, p.Caption), caption: p.Caption, width: p.Width, height: p.Height}
		switch shown := s.Kind() != site.Gallery && slices.Contains(inBody, p.Source); {
		case shown, f.src == "" && f.caption == "":
		case i == 0:
			if s.Kind() == site.Video { // the picture is the video's poster
				f.href = s.Source
			}
			f.write(&before)
		default:
			f.write(&after)
		}
	}
	if s.Kind() == site.Video {
		original(&before, s.Source, r.site.Words.WatchOriginal)
	}
	if s.Waiting {
		after.WriteString("<p><em>" + html.EscapeString(r.site.Words.Waiting) + "</em></p>\n")
	}
	if s.Kind() != site.Video {
		original(&after, s.Source, r.site.Words.ReadOriginal)
	}
	body := string(s.Body.HTML(s.Resolver(r.site.Absolute, "")))
	return strings.TrimSpace(before.String() + body + after.String())
}

// original writes a link to the record's page at the source, if it has one.
func original(b *strings.Builder, href, words string) {
	if href != "" {
		b.WriteString(`<p><a href="` + html.EscapeString(href) + `">` + html.EscapeString(words) + "</a></p>\n")
	}
}

type figure struct {
	src, alt, caption string
	href              string // where the picture leads, may be empty
	width, height     int
}

func (f *figure) write(b *strings.Builder) {
	b.WriteString("<figure>")
	if f.src != "" {
		before, after := "", ""
		if f.href != "" {
			before, after = `<a href="`+html.EscapeString(f.href)+`">`, "</a>"
		}
		b.WriteString(before + `<img src="` + html.EscapeString(f.src) + `" alt="` + html.EscapeString(f.alt) + `"`)
		if f.width > 0 && f.height > 0 {
			fmt.Fprintf(b, ` width="%d" height="%d"`, f.width, f.height)
		}
		b.WriteString(">" + after)
	}
	if f.caption != "" {
		b.WriteString("<figcaption>" + html.EscapeString(f.caption) + "</figcaption>")
	}
	b.WriteString("</figure>\n")
}
