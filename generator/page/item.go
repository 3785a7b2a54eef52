package page

import (
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

// videoView shows the poster as its lead picture; the video stays at the source.
type videoView struct{ itemView }

func (r *Renderer) item(item site.Item, run *story.Run) output.File {
	view := string(item.Kind())
	key := r.key(view, item.Address())
	addShown(key, item)
	more := r.more(item)
	addItems(key, item.Previous(), item.Next())
	addList(key, item.Related())
	addLinks(key, item)
	addItems(key, more...)
	r.addHistory(key, item)
	file := r.render(item.Address(), view, view+" "+item.ID(), key, func(ctx context.Context) (framed, error) {
		return r.viewOf(ctx, item, run, more)
	})
	file.Fallback = r.fallback(item)
	return file
}

// addShown adds to a key what every form of an item shows, whatever is around.
func addShown(d output.Digest, item site.Item) {
	d.Number(item.Version(), uint64(item.Published()), uint64(item.Modified()))
	addFolders(d, item.Folder().Trail()...)
	for _, w := range item.Writers() {
		addWriter(d, w)
	}
	for tag := range item.Tags() {
		d.Text(tag.Title, tag.Dir)
	}
	d.Text("") // no tag's title
}

// addLinks adds to a key where the links of an item's text lead.
func addLinks(d output.Digest, item site.Item) {
	d.Number(uint64(item.Links().Len()))
	for linked := range item.Links().All() {
		d.Text(linked.Address())
	}
}

// viewOf reads an item's story and makes its kind's view of it.
func (r *Renderer) viewOf(ctx context.Context, item site.Item, run *story.Run, more []site.Item) (framed, error) {
	s, err := run.Story(ctx, item)
	if err != nil {
		return nil, err
	}
	view, v := newView(item.Kind())
	r.tell(v, s)
	shelf, err := r.shelf(ctx, &v.frame, []site.Item{item.Previous(), item.Next()}, slices.Collect(item.Related().All()), more)
	if err != nil {
		return nil, err
	}
	v.Older, v.Newer = shelf.link(item.Previous()), shelf.link(item.Next())
	v.Related = shelf.related(s)
	if v.Tags, err = r.tagged(item); err != nil {
		return nil, err
	}
	if err := r.history(ctx, v, item); err != nil {
		return nil, err
	}
	r.describeItem(v, s)
	switch view := view.(type) {
	case *columnView:
		err = r.column(ctx, view, s, shelf, more)
	case *galleryView:
		r.gallery(view, s)
	case *videoView:
		view.Length = ""
	}
	return view, err
}

// newView returns an empty view of a kind, and what it shares with the others.
func newView(kind site.Kind) (framed, *itemView) {
	switch kind {
	case site.Column:
		v := new(columnView)
		return v, &v.itemView
	case site.Gallery:
		v := new(galleryView)
		return v, &v.itemView
	case site.Video:
		v := new(videoView)
		return v, &v.itemView
	}
	v := new(articleView)
	return v, &v.itemView
}

// tell sets what the story alone says.
func (r *Renderer) tell(v *itemView, s *story.Story) {
	w, description := &r.site.Words, s.Spot
	if description == "" {
		description = s.Opening
	}
	v.frame = r.frame(s.Address(), s.Title, description)
	v.Kind, v.Headline, v.Spot, v.Editor = w.Kinds[s.Kind()], s.Title, s.Spot, s.Editor
	v.Published, v.Updated = r.moment(s.Published()), r.moment(s.Modified())
	v.Notices, v.Original = r.notices(s), s.Source
	v.Body = s.Body.Markup(s.Resolver(v.href, itemSizes))
	for _, writer := range s.Writers() {
		v.Writers = append(v.Writers, v.list(&writer.List))
	}
	if words := s.Words; words > 0 {
		v.Length = fmt.Sprintf(w.ReadingMinutes, (words+wordsPerMinute-1)/wordsPerMinute)
	}
	v.pictures(s)
	r.placeIn(&v.frame, s.Folder())
	r.introduce(v, s)
}

// placeIn sets where in the site an item is.
func (r *Renderer) placeIn(f *frame, folder *site.Folder) {
	f.shared = path.Dir(f.address) + "\nitem\n" + folder.Dir
	if p, ok := r.places.Get(f.shared); ok {
		f.Feeds, f.Trail = p.feeds, p.trail
		return
	}
	if folder.Parent != nil {
		r.follow(f, &folder.List)
	}
	f.trail(folder.Trail()...)
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
		f.Record = string(s.Kind()) + "/" + url.PathEscape(s.ID()) + " sha256:" + s.Hash
	}
}

// notices says what a reader should know about the state of the record.
func (r *Renderer) notices(s *story.Story) []string {
	var notices []string
	if s.Waiting {
		notices = append(notices, r.site.Words.Waiting)
	}
	if s.Gone() {
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
