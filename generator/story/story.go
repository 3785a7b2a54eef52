// Package story reads from the archive what pages and feeds show of an item: a
// [Story] with headline, spot, pictures, text and related items, or a [Teaser] for
// lists. Stories are read when they are needed and not held in memory, so that a
// site's memory does not grow with its content.
//
// Begin with [Reader]: it takes an archive, and the site arranged from it.
// [Reader.Prepare] cleans the texts of the site and keeps them in the archive
// (prepare.go, document.go); [Reader.Story], [Batch] and [Reader.Teasers] read them.
package story

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"ayna/archive"
	"ayna/attachment"
	"ayna/generator/cache"
	"ayna/generator/site"
	"ayna/picture"
	"ayna/prose"
	"ayna/record"
)

// Reader reads stories and teasers for one arranged site.
type Reader struct {
	Archive  *archive.Archive
	Site     *site.Site
	Mirror   bool // pictures are shown from the mirror; otherwise from the source
	Attached bool // so are attachments

	// Program is a digest of what selects the items of the site; "" if it is unknown. It spares
	// [Reader.Prepare] rows that did not change.
	Program string

	// Few reports whether few stories are read, since most pages are kept. It may be nil.
	Few func() bool

	// Sizes returns the smaller versions of a mirrored picture by its name and
	// width. It must be safe for concurrent use; nil if there are no such versions.
	Sizes func(name string, width int) []picture.Size

	teasers      cache.Cache[int64, *block] // by row / blockRows
	largeRecords sync.Mutex                 // held while a very large text is prepared
	reduced      atomic.Bool                // something was shown without what could not be read
}

// Whole reports whether all that was read so far could be read. A text or a teaser that cannot
// has a replacement, so that what shows it is made anew once it can be read again.
func (r *Reader) Whole() bool { return !r.reduced.Load() }

// New returns a reader for an arranged site. mirror selects the mirrored pictures
// instead of those at the source.
func New(a *archive.Archive, s *site.Site, mirror bool) *Reader {
	return &Reader{Archive: a, Site: s, Mirror: mirror, teasers: cache.Cache[int64, *block]{MaxSize: maxBlocks}}
}

// Story is all that the page of an item, or a feed entry, shows of it.
type Story struct {
	site.Item
	Content
	Body     prose.Body
	Pictures []Picture // the record's own pictures, the lead picture first
	Related  []Related // in the service's order

	media    map[string]archive.Media
	markdown string // of the HTML whose digest is MarkdownOf
	reader   *Reader
}

// Picture is a picture of an item.
type Picture struct {
	Source  string // address at the source
	Title   string // plain text, may be empty
	Caption string // plain text, may be empty
	File    string // address in the published tree; "" if it is not mirrored
	Link    string // address of the picture at the source if pictures are not mirrored; "" otherwise
	Type    string // media type, "" if it is not mirrored
	Width   int    // pixels, 0 if unknown
	Height  int    // pixels, 0 if unknown
	Bytes   int64  // 0 if unknown

	Sizes []picture.Size // smaller ones made of it, ascending
}

// Attachment is a mirrored document, sound or film of an item.
type Attachment struct {
	Title string // of its player, or the name of its file
	File  string // address in the published tree
	Type  string // media type
	Bytes int64
}

// Attachments returns the mirrored attachments of the story, in the order of its text.
func (s *Story) Attachments() (list []Attachment) {
	titles := make(map[string]string)
	for _, card := range s.Body.Cards() {
		titles[card.Address] = card.Title
	}
	for _, address := range s.Body.Links() {
		if m := s.media[address]; m.Name != "" && !isPicture(m) {
			list = append(list, Attachment{
				cmp.Or(titles[address], attachment.Name(address)), site.AttachmentAddress(m.Name, address), m.Type, m.Bytes,
			})
		}
	}
	return list
}

// Related is an item that an item refers to.
type Related struct {
	Item  site.Item // the zero Item if the archive does not hold it
	Title string
	URL   string // safe address at the source of an item that the archive does not hold; may be empty
}

// Story reads the story of an item.
func (r *Reader) Story(ctx context.Context, item site.Item) (*Story, error) {
	body, err := r.Archive.Texts.Get(ctx, item.Row(), r.textVersion())
	if err != nil {
		return nil, unreadable(item, err)
	}
	return r.storyOf(ctx, item, body)
}

// ErrUnreadable is returned for an item whose record is damaged in the archive.
var ErrUnreadable = errors.New("cannot be read")

func unreadable(item site.Item, err error) error {
	return fmt.Errorf("story of %s %s: %w: %w", item.Kind(), item.ID(), ErrUnreadable, err)
}

// storyOf returns the story of an item whose document is read.
func (r *Reader) storyOf(ctx context.Context, item site.Item, document string) (*Story, error) {
	p, err := unmarshal(document)
	if err != nil { // missing, or damaged
		if p, err = r.prepare(ctx, item); err != nil {
			return nil, unreadable(item, err)
		}
	}
	s := &Story{
		Item: item, Content: p.Content, Body: p.body,
		Pictures: make([]Picture, len(p.Files)),
		Related:  make([]Related, len(p.References)),
		markdown: p.markdown, reader: r,
	}
	if s.media, err = r.mediaOf(ctx, item); err != nil {
		return nil, unreadable(item, err)
	}
	for i, file := range p.Files {
		s.Pictures[i] = r.picture(file, s.media[file.URL])
	}
	for i, reference := range p.References {
		s.Related[i] = r.related(reference)
	}
	return s, nil
}

func (r *Reader) mediaOf(ctx context.Context, item site.Item) (map[string]archive.Media, error) {
	if !r.Mirror && !r.Attached {
		return nil, nil
	}
	media, err := r.Archive.Pictures.Of(ctx, item.Row())
	maps.DeleteFunc(media, func(_ string, m archive.Media) bool {
		return isPicture(m) && !r.Mirror || !isPicture(m) && !r.Attached
	})
	return media, err
}

func isPicture(m archive.Media) bool {
	_, isAttachment := attachment.Of(m.Name)
	return !isAttachment
}

func (r *Reader) picture(file record.File, m archive.Media) Picture {
	p := Picture{Source: file.URL, Title: file.Title, Caption: file.Caption}
	switch {
	case !r.Mirror: // even if an earlier build mirrored the picture
		p.Link = file.URL
	case m.Name != "" && isPicture(m):
		p.File, p.Type = site.MediaAddress(m.Name), m.Type
		p.Width, p.Height, p.Bytes = m.Width, m.Height, m.Bytes
		if r.Sizes != nil {
			p.Sizes = r.Sizes(m.Name, m.Width)
		}
	}
	return p
}

// Src returns the picture's attribute src, "" if the mirror lacks the file. address
// turns an address of the published tree into a link to it.
func (p *Picture) Src(address func(string) string) string {
	if p.File != "" {
		return address(p.File)
	}
	return p.Link
}

// Srcset returns the picture's attribute srcset, "" if there is only one size. A
// comma and a space separate its candidates. address is as for [Picture.Src].
func (p *Picture) Srcset(address func(string) string) string {
	if len(p.Sizes) == 0 {
		return ""
	}
	var b strings.Builder
	for _, size := range p.Sizes {
		fmt.Fprintf(&b, "%s %dw, ", address(site.MediaAddress(size.Name)), size.Width)
	}
	fmt.Fprintf(&b, "%s %dw", address(p.File), p.Width)
	return b.String()
}

func (r *Reader) related(reference record.Reference) Related {
	related := Related{Item: r.Site.Find(site.RefTo(reference.ID, reference.URL)), Title: reference.Title}
	if !related.Item.Exists() {
		related.URL, _ = prose.SafeURL(reference.URL)
	}
	if !prose.Visible(related.Title) {
		related.Title = reference.ID
	}
	return related
}

// Markdown returns the text as Markdown for the page next to the item's own.
func (s *Story) Markdown() (string, error) {
	resolver := s.resolver()
	if s.markdown != "" && s.MarkdownOf == digest(s.Body.HTML(resolver)) {
		return s.markdown, nil
	}
	return s.Body.Markdown(resolver)
}

// resolver returns the resolver for the Markdown.
func (s *Story) resolver() prose.Resolver {
	return s.Resolver(func(to string) string { return site.Relative(s.MarkdownAddress(), to) }, "")
}

// Notices returns what a reader should know about the state of the record.
func (s *Story) Notices(w *site.Words) []string {
	var notices []string
	if s.Waiting {
		notices = append(notices, w.Waiting)
	}
	if s.Members {
		notices = append(notices, w.MembersOnly)
	}
	if s.Gone() {
		notices = append(notices, w.Gone)
	}
	if s.Body.Reduced() != "" {
		notices = append(notices, w.Reduced)
	}
	return notices
}

// Resolver returns a resolver for the story's text. address turns an address of the
// published tree into a link to it. sizes is the attribute sizes of the pictures in
// the text of a page; if it is "", which it is elsewhere, they have no srcset, and no
// file is played.
func (s *Story) Resolver(address func(string) string, sizes string) prose.Resolver {
	return resolver{s, address, sizes}
}

type resolver struct {
	story   *Story
	address func(string) string
	sizes   string
}

func (r resolver) Link(source string) string {
	if item := r.story.reader.Site.ByURL(source); item.Exists() {
		return r.address(item.Address())
	}
	if m := r.story.media[source]; m.Name != "" && isPicture(m) && !m.IsCard { // a link to its file
		return r.address(site.MediaAddress(m.Name))
	}
	return source
}

// Anchor leads from copies of a text to its page, which has the anchors.
func (r resolver) Anchor(id string) (href string, isHere bool) {
	if r.sizes != "" {
		return "#" + id, true
	}
	return r.address(r.story.Address()) + "#" + id, false
}

// File leads to the mirrored file of an attachment.
func (r resolver) File(source string) (href, note string) {
	m := r.story.media[source]
	format, ok := attachment.Of(m.Name)
	if !ok {
		return "", ""
	}
	return r.address(site.AttachmentAddress(m.Name, source)), format.Label() + ", " + r.story.reader.Site.Words.Size(m.Bytes)
}

// Card has what is known of a page of another site. Where pictures are not mirrored, nobody asked.
func (r resolver) Card(page string) (title, host string, picture prose.Image) {
	m := r.story.media[page]
	if m.Name != "" && isPicture(m) {
		picture, _ = r.Image(page)
	}
	return m.Title, prose.HostOf(page), picture
}

func (r resolver) Plays() bool { return r.sizes != "" }

func (r resolver) Image(source string) (prose.Image, bool) {
	if !r.story.reader.Mirror {
		return prose.Image{Src: source}, true
	}
	m, ok := r.story.media[source]
	if !ok || m.Name == "" || !isPicture(m) {
		return prose.Image{}, false
	}
	p := r.story.reader.picture(record.File{URL: source}, m)
	shown := prose.Image{Src: r.address(p.File), Width: p.Width, Height: p.Height}
	if r.sizes != "" {
		shown.Srcset, shown.Sizes = p.Srcset(r.address), r.sizes
	}
	return shown, true
}
