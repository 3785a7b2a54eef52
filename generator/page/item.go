package page

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"ayna/generator/output"
	"ayna/generator/press"
	"ayna/generator/site"
	"ayna/generator/story"
)

// wordsPerMinute is what people read of a news text in a minute.
const wordsPerMinute = 200

// otherColumns is how many other columns of its writer a column names.
const otherColumns = 5

// itemView is what the pages of all kinds of items show.
type itemView struct {
	frame
	Kind               string // the kind's word
	Headline, Spot     string
	Writers            []link
	Editor             string
	Published, Updated *moment
	Length             string       // minutes to read, or number of pictures; "" if there is nothing to tell
	Notices            []string     // what a reader should know about the state of the record
	Changed            *moment      // when its words changed last; nil if they did not
	Changes            []correction // how they changed, the last change first
	Earlier            string       // says that there were more changes; "" if there were not
	Lead               []picture    // one or none
	Body               press.HTML
	Pictures           []picture // those that are not in the body
	Original           string    // address at the source, "" for none
	Related            []link
	Older, Newer       *link      // in the folder
	Tags               press.HTML // a list item for each, of the template "tag" of item.html
}

type articleView struct{ itemView }

type columnView struct {
	itemView
	face        // of the writer
	More []link // the writer's other columns
}

type galleryView struct {
	itemView
	Script string // "" if the assets have none
}

// galleryScript is the asset that shows a gallery's pictures large.
const galleryScript = "gallery.js"

// videoView shows the poster as its lead picture; the video stays at the source.
type videoView struct{ itemView }

func (r *Renderer) item(item *site.Item, run *story.Run) output.File {
	view := string(item.Kind)
	key := r.key(view, item.Address)
	addShown(key, item)
	more := r.more(item)
	addItems(key, item.Previous, item.Next)
	addItems(key, item.Related...)
	addLinks(key, item)
	addItems(key, more...)
	r.addHistory(key, item)
	file := r.render(item.Address, view, view+" "+item.ID, key, func(ctx context.Context) (framed, error) {
		return r.viewOf(ctx, item, run, more)
	})
	file.Fallback = r.fallback(item)
	return file
}

// addShown adds to a key what every form of an item shows, whatever is around.
func addShown(d output.Digest, item *site.Item) {
	d.Number(item.Version, uint64(item.Published), uint64(item.Modified))
	addFolders(d, item.Folder.Trail()...)
	for _, w := range item.Writers {
		addWriter(d, w)
	}
	d.Number(uint64(len(item.Tags)))
	for _, tag := range item.Tags {
		d.Text(tag.Title, tag.Dir)
	}
}

// addLinks adds to a key where the links of an item's text lead.
func addLinks(d output.Digest, item *site.Item) {
	d.Number(uint64(len(item.Links)))
	for _, linked := range item.Links {
		d.Text(linked.Address)
	}
}

// more returns the other columns that the page of a column names.
func (r *Renderer) more(item *site.Item) []*site.Item {
	if item.Kind != site.Column || len(item.Writers) == 0 {
		return nil
	}
	return columnsOf(item.Writers[0], otherColumns, item)
}

// viewOf reads an item's story and makes its kind's view of it.
func (r *Renderer) viewOf(ctx context.Context, item *site.Item, run *story.Run, more []*site.Item) (framed, error) {
	s, err := run.Story(ctx, item)
	if err != nil {
		return nil, err
	}
	v := r.itemView(s)
	shelf, err := r.shelf(ctx, &v.frame, []*site.Item{item.Previous, item.Next}, item.Related, more)
	if err != nil {
		return nil, err
	}
	v.Older, v.Newer = shelf.link(item.Previous), shelf.link(item.Next)
	v.Related = shelf.related(s)
	if v.Tags, err = r.tagged(item); err != nil {
		return nil, err
	}
	if err := r.history(ctx, &v, item); err != nil {
		return nil, err
	}
	if err := r.describeItem(&v, s); err != nil {
		return nil, err
	}
	switch item.Kind {
	case site.Column:
		return r.columnView(ctx, v, s, shelf, more)
	case site.Gallery:
		v.gallery(s)
		view := &galleryView{itemView: v}
		if script := AddressOf(r.options.Assets, galleryScript); script != "" {
			view.Script = v.href(script)
		}
		return view, nil
	case site.Video:
		v.Length = ""
		return &videoView{v}, nil
	}
	return &articleView{v}, nil
}

// itemView makes what a story alone says.
func (r *Renderer) itemView(s *story.Story) itemView {
	w, description := &r.site.Words, s.Spot
	if description == "" {
		description = s.Opening
	}
	v := itemView{
		frame: r.frame(s.Address, s.Title, description),
		Kind:  w.Kinds[s.Kind], Headline: s.Title, Spot: s.Spot, Editor: s.Editor,
		Published: r.moment(s.Published), Updated: r.moment(s.Modified),
		Notices: r.notices(s), Original: s.Source,
	}
	v.Body = s.Body.Markup(s.Resolver(v.href, itemSizes))
	for _, writer := range s.Writers {
		v.Writers = append(v.Writers, v.list(&writer.List))
	}
	if words := s.Words; words > 0 {
		v.Length = fmt.Sprintf(w.ReadingMinutes, (words+wordsPerMinute-1)/wordsPerMinute)
	}
	v.pictures(s)
	r.placeIn(&v.frame, s.Folder)
	r.introduce(&v, s)
	return v
}

// placeIn sets where in the site an item is.
func (r *Renderer) placeIn(f *frame, folder *site.Folder) {
	if folder.Parent != nil {
		r.follow(f, &folder.List)
	}
	f.trail(folder.Trail()...)
	f.shared = path.Dir(f.address) + "\nitem\n" + folder.Dir
}

// introduce sets what the frame tells machines of the story.
func (r *Renderer) introduce(v *itemView, s *story.Story) {
	r.identify(&v.frame, s)
	if r.site.Markdown {
		v.Markdown = v.href(s.MarkdownAddress())
	}
	v.Share.Type = "article"
	if v.Published != nil {
		v.Share.Published = v.Published.Machine
	}
	if v.Updated != nil {
		v.Share.Modified = v.Updated.Machine
	}
	for _, p := range s.Pictures {
		if v.Share.Picture = p.Src(r.site.Absolute); v.Share.Picture != "" {
			break
		}
	}
}

// identify sets what names the story's record.
func (r *Renderer) identify(f *frame, s *story.Story) {
	if r.site.Canonical == "source" && r.isSource(s.Source) {
		f.Canonical = s.Source
	}
	if s.Hash != "" {
		f.Record = string(s.Kind) + "/" + url.PathEscape(s.ID) + " sha256:" + s.Hash
	}
}

// notices says what a reader should know about the state of the record.
func (r *Renderer) notices(s *story.Story) []string {
	var notices []string
	if s.Waiting {
		notices = append(notices, r.site.Words.Waiting)
	}
	if s.Gone {
		notices = append(notices, r.site.Words.Gone)
	}
	if s.Body.Fallback() != "" {
		notices = append(notices, r.site.Words.Reduced)
	}
	return notices
}

// isSource reports whether an address lies on the host of the mirrored
// service. Another one may stand in a record, but not as a page's canonical
// address.
func (r *Renderer) isSource(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	host, known := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."), r.site.SourceHost
	return known != "" && (host == known || strings.HasSuffix(host, "."+known))
}

// pictures sets the lead picture and those that follow the text. A picture
// that the text holds is not shown twice.
func (v *itemView) pictures(s *story.Story) {
	inBody := s.Body.Images()
	for i, stored := range s.Pictures {
		if slices.Contains(inBody, stored.Source) {
			continue
		}
		switch p := v.picture(stored); {
		case p.Src == "" && p.Alt == "":
			// Nothing is left of it.
		case i == 0:
			p.First = true
			v.Lead = []picture{p}
		default:
			v.Pictures = append(v.Pictures, p)
		}
	}
}

// gallery shows all pictures in their order, numbered, and none above them.
func (v *itemView) gallery(s *story.Story) {
	v.Lead, v.Pictures, v.Length = nil, nil, ""
	for i, stored := range s.Pictures {
		p := v.picture(stored)
		p.Number = fmt.Sprintf("%d / %d", i+1, len(s.Pictures))
		p.Anchor = fmt.Sprintf("p%d", i+1)
		p.Caption = cmp.Or(p.Caption, p.Alt)
		p.Alt = cmp.Or(p.Alt, s.Title+", "+p.Number)
		v.Pictures = append(v.Pictures, p)
	}
	if len(v.Pictures) > 0 {
		v.Length = fmt.Sprintf(v.Words.Pictures, len(v.Pictures))
	}
}

func (r *Renderer) columnView(ctx context.Context, item itemView, s *story.Story, shelf shelf, more []*site.Item) (*columnView, error) {
	v := &columnView{itemView: item}
	for _, other := range more {
		l := shelf.link(other)
		if m := r.moment(other.Published); m != nil {
			l.Note = m.Shown
		}
		v.More = append(v.More, *l)
	}
	if len(s.Writers) == 0 {
		return v, nil
	}
	var err error
	if v.face, err = r.face(ctx, &v.frame, s.Writers[0]); err != nil {
		return nil, err
	}
	// Most columns are illustrated with their writer, who is shown already.
	if v.Portrait != nil && len(v.Lead) > 0 && v.Lead[0].Src == v.Portrait.Src {
		v.Lead = nil
	}
	return v, nil
}

// related returns links to what the service says is related: the mirror's own
// pages where there are some, the source's otherwise.
func (s shelf) related(read *story.Story) []link {
	var links []link
	seen := map[*site.Item]bool{read.Item: true}
	for _, other := range read.Related {
		switch {
		case other.Item == nil:
			l := link{Href: other.URL, Text: other.Title}
			if l.Href != "" {
				l.Note = s.site.SourceName
			}
			links = append(links, l)
		case !seen[other.Item]:
			seen[other.Item] = true
			links = append(links, *s.link(other.Item))
		}
	}
	return links
}
