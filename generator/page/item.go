package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"ayna/generator/compiled"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// wordsPerMinute is how fast people read a news text.
const wordsPerMinute = 200

// longHeadline is the length in letters from which a headline is set smaller.
const longHeadline = 140

// galleryScript is the asset that shows a gallery's pictures large.
const galleryScript = "gallery.js"

// itemView is the view of the pages of all kinds of items.
type itemView struct {
	pageView
	Section            *link  // to the folder; nil where it only names the writer
	Kind               string // the kind's word; "" where the section names it, and for articles in one
	Headline, Spot     string
	Long               bool   // the headline needs a smaller size
	Fit                string // the class for its longest word; may be ""
	Writers            []link
	Editor             string
	Published, Updated *moment
	Length             string       // minutes to read, or number of pictures; may be ""
	Notices            []string     // what a reader should know about the state of the record
	Changed            *moment      // when its words changed last; nil if they did not
	Changes            []correction // how they changed, the last change first
	Earlier            string       // a sentence if there were more changes; "" if there were not
	figures
	Body         compiled.HTML
	Original     string        // address at the source, "" for none
	Related      compiled.HTML // teasers of items that the record refers to
	RelatedLinks []link        // to further ones, and to those that the mirror lacks
	Columns      []link        // other ones of a column's writer
	Others       compiled.HTML // teasers of other items of the folder
	OthersIn     link          // to the folder; of a writer's folder, to the one above it
	Older, Newer *link         // in the folder; nil if the page names it already
	Snippet      template.HTML // the owner's, below items
	Comments     []commentView // of readers, each before its answers
	CommentCount string        // how many there are; "" without comments
	MoreComments string        // a sentence if not all are shown
	Tags         compiled.HTML // a list item for each, of the template "tag" of item.html
}

type articleView struct{ itemView }

// videoView shows the poster as its lead picture; the video stays at the source, unless the text
// has its player or its card.
type videoView struct {
	itemView
	Watch string // address of the video's page at the source, "" for none
}

type columnView struct {
	itemView
	portrait // of the writer
}

type galleryView struct {
	itemView
	Script string // "" if the assets have none
}

// itemFile is the page of an item.
type itemFile struct {
	renderer *Renderer
	item     site.Item
	address  string
	run      *story.Batch
}

func (r *Renderer) item(item site.Item, run *story.Batch, batch string) output.File {
	f := &itemFile{r, item, item.Address(), run}
	return output.File{Path: f.address, Key: f.key, Write: f.write, Fallback: f.writePlain, Batch: batch}
}

func (f *itemFile) key() site.Digest {
	return f.renderer.keyOf(f.address, func(m *site.Mixer) {
		m.Short(f.item.Content())
		a := aroundOf(f.item)
		a.mix(m)
	})
}

func (f *itemFile) write(ctx context.Context, w io.Writer) error {
	v, err := f.view(ctx)
	if err == nil {
		err = f.renderer.execute(w, v)
	}
	if err != nil {
		return fmt.Errorf("page of %s %s: %w", f.item.Kind(), f.item.ID(), err)
	}
	return nil
}

func (f *itemFile) view(ctx context.Context) (view, error) {
	r := f.renderer
	s, err := f.run.Story(ctx, f.item)
	if err != nil {
		return nil, err
	}
	switch follows := aroundOf(f.item); f.item.Kind() {
	case site.Column:
		v := new(columnView)
		return v, r.fillColumn(ctx, v, s, follows)
	case site.Gallery:
		if !isGallery(s) {
			v := new(articleView)
			return v, r.fill(ctx, &v.itemView, s, follows)
		}
		v := new(galleryView)
		err := r.fill(ctx, &v.itemView, s, follows)
		r.fillGallery(v, s)
		return v, err
	case site.Video:
		v := new(videoView)
		err := r.fill(ctx, &v.itemView, s, follows)
		if v.Length = ""; len(s.Body.Cards()) == 0 {
			v.Watch = v.Original
		}
		return v, err
	default:
		v := new(articleView)
		return v, r.fill(ctx, &v.itemView, s, follows)
	}
}

// fill sets the fields of all kinds.
func (r *Renderer) fill(ctx context.Context, v *itemView, s *story.Story, a around) error {
	r.fillFromStory(v, s)
	if err := r.setAround(ctx, v, s, a); err != nil {
		return err
	}
	var err error
	if v.Tags, err = r.renderTags(s.Item); err != nil {
		return err
	}
	r.describeItem(v, s)
	if err := r.setComments(ctx, v, s.Item); err != nil {
		return err
	}
	return r.setChanges(ctx, v, s.Item)
}

func (r *Renderer) fillFromStory(v *itemView, s *story.Story) {
	w := &r.site.Words
	v.pageView = r.pageView(s.Address(), s.Title, cmp.Or(s.Spot, s.Opening))
	v.Headline, v.Spot, v.Editor = unbroken(s.Title), s.Spot, s.Editor
	if v.Long = utf8.RuneCountInString(s.Title) >= longHeadline; !v.Long {
		v.Fit = fit(v.Headline)
	}
	v.Published, v.Updated = r.moment(s.Published()), r.moment(s.Modified())
	v.Share = share{Type: "article", Published: v.Published.machine(), Modified: v.Updated.machine()}
	v.Updated = v.Updated.after(v.Published)
	v.Snippet = r.options.Branding.Article
	r.setKicker(v, s)
	v.Notices, v.Original = s.Notices(w), s.Source
	v.Body = s.Body.Markup(s.Resolver(v.href, "auto, "+itemSizes))
	if s.Body.HasItalics() {
		v.Italics = r.typefaces(italicFace, v.href)
	}
	for _, writer := range s.Writers() {
		v.Writers = append(v.Writers, v.linkToList(&writer.List))
	}
	if s.Words > 0 {
		v.Length = w.Number(w.ReadingMinutes, (s.Words+wordsPerMinute-1)/wordsPerMinute)
	}
	v.setPictures(s, v.href)
	r.setTrail(&v.pageView, s.Item)
	r.setRecord(&v.pageView, s)
	if r.site.Markdown {
		v.Markdown = v.href(s.MarkdownAddress())
	}
	for i := 0; i < len(s.Pictures) && v.Share.Picture == ""; i++ {
		v.Share.Picture = s.Pictures[i].Src(r.site.Absolute)
	}
}

// setKicker sets the section and, where nothing else names it, the kind.
func (r *Renderer) setKicker(v *itemView, s *story.Story) {
	section := ""
	if folder := s.Folder(); folder.Parent != nil && showsFolder(s.Item, nil) {
		section = folder.Title
		v.Section = &link{Href: v.href(folder.Index()), Text: section}
	}
	if kind := r.site.Words.Kinds[s.Kind()]; section == "" || s.Kind() != site.Article && !strings.EqualFold(kind, section) {
		v.Kind = kind
	}
}

// setTrail sets the feeds and the trail of an item's page. A folder of the writer's name leads
// to the writer.
func (r *Renderer) setTrail(f *pageView, item site.Item) {
	folder, writer := item.Folder(), columnist(item)
	f.trailKey = trailKey{path.Dir(f.address), "item", folder.Dir}
	if writer != nil {
		f.trailKey.list += "|" + writer.Dir
	}
	if p, ok := r.trails.Get(f.trailKey); ok {
		f.Feeds, f.Trail = p.feeds, p.trail
		return
	}
	if folder.Parent != nil {
		f.setFeeds(&folder.List)
	}
	f.trail(folder.Trail()...)
	if writer != nil {
		f.Trail[len(f.Trail)-1] = f.linkToList(&writer.List)
	}
}

// setRecord sets the fields that name the story's record.
func (r *Renderer) setRecord(f *pageView, s *story.Story) {
	if r.site.Canonical == site.CanonicalSource && r.isSource(s.Source) {
		f.Canonical = s.Source
	}
	if s.Hash != "" {
		f.Record = string(s.Kind()) + "/" + url.PathEscape(s.ID()) + " sha256:" + s.Hash
	}
}

// isSource reports whether an address is on the host of the mirrored service. Only such
// an address may be a page's canonical one, as a record may name any host.
func (r *Renderer) isSource(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	host, known := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), r.site.SourceHost
	return known != "" && (host == known || strings.HasSuffix(host, "."+known))
}

// fillColumn sets the view of a column, with its writer.
func (r *Renderer) fillColumn(ctx context.Context, v *columnView, s *story.Story, a around) error {
	err := r.fill(ctx, &v.itemView, s, a)
	if err != nil || len(s.Writers()) == 0 {
		return err
	}
	v.portrait, err = r.portrait(ctx, &v.pageView, s.Writers()[0])
	// Most columns are illustrated with their writer, who is shown already.
	if v.Portrait != nil && len(v.Lead) > 0 && v.Lead[0].Src == v.Portrait.Src {
		v.Lead = nil
	}
	return err
}

// isGallery reports whether a gallery has two pictures. Others are shown as articles.
func isGallery(s *story.Story) bool { return len(s.Pictures)+len(s.Body.Images()) > 1 }

// fillGallery shows all pictures in their order, numbered, and no lead picture.
func (r *Renderer) fillGallery(v *galleryView, s *story.Story) {
	v.Script = r.asset(galleryScript, v.href)
	v.Lead, v.Pictures, v.Length = nil, nil, ""
	for i, stored := range s.Pictures {
		p := shownPicture(stored, v.href)
		p.First, p.Sizes = i == 0, gallerySizes
		p.Number = v.Words.Ungrouped(i+1) + "/" + v.Words.Ungrouped(len(s.Pictures))
		p.Anchor = fmt.Sprintf("p%d", i+1)
		p.Caption = cmp.Or(p.Caption, p.Alt)
		p.Alt = cmp.Or(p.Alt, s.Title+", "+p.Number)
		v.Pictures = append(v.Pictures, p)
	}
	// Pictures in the text count too, as they do in the badge of a teaser.
	count := len(s.Pictures)
	for _, image := range s.Body.Images() {
		if !slices.ContainsFunc(s.Pictures, func(p story.Picture) bool { return p.Source == image }) {
			count++
		}
	}
	if count > 0 {
		v.Length = v.Words.Number(v.Words.Pictures, count)
	}
}
