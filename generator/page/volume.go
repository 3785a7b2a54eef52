package page

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strconv"

	"ayna/generator/output"
	"ayna/generator/site"
)

// chronicle is a list that has a history, and its volumes.
type chronicle struct {
	listed
	volumes []site.Volume // newest first
}

// address returns that of the i-th volume's page, "" if there is none.
func (c *chronicle) address(w *site.Words, i int) string {
	if i < 0 {
		return ""
	}
	return w.VolumePage(c.List, c.volumes[i])
}

// chronicles yields home and the folders that have items with a date. All pages
// name the history of home, if only to say that it is empty.
func (r *Renderer) chronicles() iter.Seq[chronicle] {
	return func(yield func(chronicle) bool) {
		for list := range r.listed() {
			if !list.HasVolumes() {
				continue
			}
			if volumes := list.Volumes(r.site.Location); (len(volumes) > 0 || list.Dir == "") && !yield(chronicle{list, volumes}) {
				return
			}
		}
	}
}

// volume returns the page of the i-th volume.
func (r *Renderer) volume(c chronicle, i int) output.File {
	v, w := c.volumes[i], &r.site.Words
	address, title := w.VolumePage(c.List, v), w.Volume(c.Title, v)
	key := r.key("list", address).Text(title)
	addList(key, v.Items)
	if c.folder != nil {
		addFolders(key, c.folder.Trail()...)
	}
	before, after := site.Beside(c.volumes, i)
	newer, older := c.address(w, before), c.address(w, after)
	key.Text(newer, older)
	onward := r.onward(c.List, v.Items)
	if onward != nil {
		key.Text(onward.Href, onward.Text)
	}
	return r.render(address, "list", "volume "+title, key, func(ctx context.Context) (framed, error) {
		view := &listView{frame: r.frame(address, title, fmt.Sprintf(w.ListDescription, title, r.site.Title)), Kind: w.Archive, Heading: title}
		var err error
		if view.Teasers, err = r.rendered(ctx, &view.frame, v.Items, c.folder); err != nil {
			return nil, err
		}
		r.placeVolume(&view.frame, c)
		view.Follow = view.frame.Feeds
		view.leadOn(onward)
		view.Trail = append(view.Trail, link{Href: view.href(w.VolumeIndex(c.List)), Text: w.Archive})
		view.shared = path.Dir(address) + "\nvolume\n" + c.Dir
		if newer != "" {
			view.Newer = &link{Href: view.href(newer), Text: w.Newer}
		}
		if older != "" {
			view.Older = &link{Href: view.href(older), Text: w.Older}
		}
		return view, nil
	})
}

// placeVolume sets the way to a list's history, and its feeds but for those of
// home, which all pages name.
func (r *Renderer) placeVolume(f *frame, c chronicle) {
	f.trail()
	if c.folder != nil {
		f.trail(c.folder.Trail()...)
		r.follow(f, c.List)
	}
}

// volumeIndex names the volumes of a list by year.
func (r *Renderer) volumeIndex(c chronicle) output.File {
	w := &r.site.Words
	address, title := w.VolumeIndex(c.List), fmt.Sprintf(w.ArchiveOf, c.Title)
	key := r.key("index", address).Text(title)
	if c.folder != nil {
		addFolders(key, c.folder.Trail()...)
	}
	volumes := slices.DeleteFunc(slices.Clone(c.volumes), func(v site.Volume) bool { return v.Items.Len() == 0 })
	for _, v := range volumes {
		key.Text(v.Name).Number(uint64(v.Items.Len()))
	}
	return r.render(address, "index", title, key, func(context.Context) (framed, error) {
		view := &indexView{frame: r.frame(address, title, fmt.Sprintf(w.ListDescription, title, r.site.Title)), Heading: title}
		r.placeVolume(&view.frame, c)
		for _, v := range volumes {
			year := strconv.Itoa(v.Year)
			if n := len(view.Letters); n == 0 || view.Letters[n-1].Letter != year {
				view.Letters = append(view.Letters, letter{Letter: year, Anchor: "y" + year})
			}
			month := link{Href: view.href(w.VolumePage(c.List, v)), Text: w.Months[v.Month-1], Note: fmt.Sprintf(w.Items, v.Items.Len())}
			if v.Part > 0 {
				month.Text = fmt.Sprintf(w.PartTitle, month.Text, v.Part)
			}
			in := &view.Letters[len(view.Letters)-1]
			in.Lists = append(in.Lists, month)
		}
		return view, nil
	})
}
