package page

import (
	"context"
	"fmt"
	"iter"
	"path"

	"ayna/generator/output"
	"ayna/generator/press"
	"ayna/generator/prose"
	"ayna/generator/site"
)

type listView struct {
	frame
	face            // a writer's
	Kind     string // what the list is: a folder, a tag; "" for the list of all
	Heading  string
	Original string // address at the source, "" for none
	Folders  []link // inside of a folder
	Count    string
	Teasers  press.HTML // of the list's items, in their order
	Onward   *link      // where to go on from a page without items
	Absent   []link     // what editors put on the page and the mirror lacks
	Newer    *link
	Older    *link
	Archive  *link // the list's history
	Follow   []feed
}

// listed is a list with what its pages show beside its items.
type listed struct {
	*site.List
	kind     string
	above    link         // the index the list is in; Href is its address
	folder   *site.Folder // if it is a folder
	writer   *site.Writer // if it is a writer
	original string       // address at the source, may be empty
	absent   []site.Reference
	emptied  bool // it has lost its last item; no page leads to it
}

// listed yields every list. That of all items goes first: its index is home.
func (r *Renderer) listed() iter.Seq[listed] {
	return func(yield func(listed) bool) {
		w := &r.site.Words
		all := r.site.Home
		all.Title = w.AllNews
		if !yield(listed{List: &all}) {
			return
		}
		for _, f := range r.site.Folders {
			if !yield(listed{List: &f.List, kind: w.FolderKind, folder: f}) {
				return
			}
		}
		indexes := r.indexList()
		for _, p := range r.site.Writers {
			if !yield(listed{List: &p.List, kind: w.WriterKind, above: indexes[0].link(), writer: p, original: p.URL}) {
				return
			}
		}
		for _, t := range r.site.Tags {
			if !yield(listed{List: &t.List, kind: w.TagKind, above: indexes[1].link()}) {
				return
			}
		}
		for _, p := range r.site.Pages {
			if !yield(listed{List: &p.List, kind: w.PageKind, above: indexes[2].link(), original: p.URL, absent: p.Absent}) {
				return
			}
		}
		for _, s := range r.site.Searches {
			if !yield(listed{List: &s.List, kind: w.SearchKind, above: link{Href: site.SearchPage(*w), Text: w.Search}}) {
				return
			}
		}
		for _, k := range r.site.Kinds {
			if !yield(listed{List: &k.List, kind: w.KindKind, above: indexes[3].link()}) {
				return
			}
		}
		for _, m := range r.site.Mixes {
			if !yield(listed{List: &m.List, kind: w.MixKind, above: indexes[4].link()}) {
				return
			}
		}
		like := map[site.Sort]listed{
			site.OfFolders: {kind: w.FolderKind}, site.OfWriters: {kind: w.WriterKind, above: indexes[0].link()},
			site.OfTags: {kind: w.TagKind, above: indexes[1].link()}, site.OfPages: {kind: w.PageKind, above: indexes[2].link()},
			site.OfKinds: {kind: w.KindKind, above: indexes[3].link()},
		}
		for _, list := range r.site.Emptied {
			l := like[list.Sort]
			l.List, l.emptied = list, true
			if !yield(l) {
				return
			}
		}
	}
}

func (r *Renderer) list(l listed, sheet site.Sheet) output.File {
	address := l.Sheet(sheet.Number)
	key := r.key("list", address).Text(l.Title, l.original).Number(uint64(sheet.Older), uint64(sheet.Newer))
	if onward := r.onward(l.List, sheet.Items); onward != nil {
		key.Text(onward.Href)
	}
	if l.emptied {
		key.Text("emptied")
	}
	addList(key, sheet.Items)
	if l.folder != nil {
		addFolders(key, l.folder.Trail()...)
	}
	if sheet.Number == 0 {
		key.Number(uint64(l.Items.Len()))
		if l.folder != nil {
			addFolders(key, l.folder.Folders...)
		}
		if l.writer != nil {
			addWriter(key, l.writer)
		}
		for _, reference := range l.absent {
			key.Text(reference.Title, reference.URL)
		}
	}
	return r.render(address, "list", "list "+l.Title, key, func(ctx context.Context) (framed, error) {
		return r.listView(ctx, l, sheet, address)
	})
}

func (r *Renderer) listView(ctx context.Context, l listed, sheet site.Sheet, address string) (*listView, error) {
	w, title := &r.site.Words, l.Title
	if sheet.Number > 0 {
		title = fmt.Sprintf(w.SheetTitle, l.Title, sheet.Number)
	}
	v := &listView{
		frame: r.frame(address, title, fmt.Sprintf(w.ListDescription, title, r.site.Title)),
		Kind:  l.kind, Heading: title,
	}
	var err error
	if v.Teasers, err = r.rendered(ctx, &v.frame, sheet.Items, l.folder); err != nil {
		return nil, err
	}
	if l.Dir != "" {
		v.Follow = r.follow(&v.frame, l.List)
	}
	v.place(l)
	v.turn(l, sheet, w)
	v.leadOn(r.onward(l.List, sheet.Items))
	if sheet.Number > 0 {
		return v, nil
	}
	v.Count = fmt.Sprintf(w.Items, l.Items.Len())
	v.Original, _ = prose.SafeURL(l.original)
	if l.folder != nil {
		if len(l.Volumes(r.site.Location)) > 0 {
			v.Archive = &link{Href: v.href(w.VolumeIndex(l.List)), Text: w.Archive}
		}
		for _, folder := range l.folder.Folders {
			v.Folders = append(v.Folders, v.frame.list(&folder.List))
		}
	}
	if l.writer != nil {
		if v.face, err = r.face(ctx, &v.frame, l.writer); err != nil {
			return nil, err
		}
		r.describePerson(v, l.writer)
	}
	for _, reference := range l.absent {
		href, _ := prose.SafeURL(reference.URL)
		v.Absent = append(v.Absent, link{Href: href, Text: reference.Title})
	}
	return v, err
}

// onward returns where a page without items leads to, its address in the tree:
// the list's newest items, or home if it has none. Of a page with items it is nil.
func (r *Renderer) onward(list *site.List, items site.Items) *link {
	switch {
	case items.Len() > 0:
		return nil
	case list.Items.Len() > 0 && list.Dir != "":
		return &link{Href: list.Index(), Text: list.Title}
	}
	return &link{Href: r.site.Home.Index(), Text: r.site.Words.Home}
}

func (v *listView) leadOn(to *link) {
	if to != nil {
		v.Onward = &link{Href: v.href(to.Href), Text: to.Text}
	}
}

// place sets the links to what lies above the list.
func (v *listView) place(l listed) {
	v.trail()
	if l.folder != nil {
		trail := l.folder.Trail()
		v.trail(trail[:len(trail)-1]...)
	}
	if l.above.Href != "" {
		v.Trail = append(v.Trail, link{Href: v.href(l.above.Href), Text: l.above.Text})
	}
	v.shared = path.Dir(v.address) + "\nlist\n" + l.Dir
}

// turn sets the links to the sheets before and after this one.
func (v *listView) turn(l listed, sheet site.Sheet, w *site.Words) {
	if sheet.Older > 0 {
		v.Older = &link{Href: v.href(l.Sheet(sheet.Older)), Text: w.Older}
	}
	if sheet.Number > 0 {
		v.Newer = &link{Href: v.href(l.Sheet(sheet.Newer)), Text: w.Newer}
	}
}
