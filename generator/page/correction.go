package page

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"ayna/generator/change"
	"ayna/generator/output"
	"ayna/generator/site"
)

type correctionsView struct {
	frame
	Heading     string
	Corrections []correction
	Follow      []feed
}

// correction is what changed of an item's words.
type correction struct {
	Item   link
	When   *moment
	Fields []changedField
	Cut    string // says that words are left out; "" if none are
}

type changedField struct {
	Name string
	Runs []changedRun
}

// changedRun is words that went, or came, or neither.
type changedRun struct {
	Gone, New bool
	Said      string // which of them, for who does not see it; "" for neither
	Text      string
}

func (r *Renderer) corrections() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		list := &r.site.Corrections
		key := r.key("corrections", list.Index()).Number(list.Versions...)
		addList(key, list.Items)
		yield(r.render(list.Index(), "corrections", "corrections", key, r.correctionsView))
	}
}

func (r *Renderer) correctionsView(ctx context.Context) (framed, error) {
	list, w := &r.site.Corrections, &r.site.Words
	v := &correctionsView{
		frame:   r.frame(list.Index(), list.Title, fmt.Sprintf(w.ListDescription, list.Title, r.site.Title)),
		Heading: list.Title,
	}
	v.trail()
	v.Follow = r.follow(&v.frame, &list.List)
	shelf, err := r.shelf(ctx, &v.frame, slices.Collect(list.Items.All()))
	if err != nil {
		return nil, err
	}
	for item := range list.Items.All() {
		c, err := change.Of(ctx, r.reader.Archive, item, r.site.Location)
		if err != nil {
			return nil, err
		}
		if c != nil {
			v.Corrections = append(v.Corrections, r.correction(c, *shelf.link(item)))
		}
	}
	return v, nil
}

func (r *Renderer) correction(c *change.Change, item link) correction {
	w := &r.site.Words
	made := correction{Item: item, When: r.moment(c.When.UnixMilli())}
	if c.Cut {
		made.Cut = fmt.Sprintf(w.ChangeCut, change.Words)
	}
	said := map[change.Op]string{change.Gone: w.WordsGone, change.New: w.WordsNew}
	for i, runs := range c.Fields {
		if runs == nil {
			continue
		}
		field := changedField{Name: w.CorrectionFields[i]}
		for _, run := range runs {
			field.Runs = append(field.Runs, changedRun{run.Op == change.Gone, run.Op == change.New, said[run.Op], run.Text})
		}
		made.Fields = append(made.Fields, field)
	}
	return made
}

// movedView says where a folder went that the source renamed.
type movedView struct {
	frame
	Heading string
	To      link
}

// moved yields a page in each directory that a folder had.
func (r *Renderer) moved() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for _, folder := range r.site.Folders {
			for _, dir := range folder.Former {
				if !yield(r.movedPage(folder, (&site.List{Dir: dir}).Index())) {
					return
				}
			}
		}
	}
}

func (r *Renderer) movedPage(folder *site.Folder, address string) output.File {
	key := r.key("moved", address)
	addFolders(key, folder.Trail()...)
	return r.render(address, "moved", "former place of "+folder.Path, key, func(context.Context) (framed, error) {
		v := &movedView{
			frame:   r.frame(address, folder.Title, fmt.Sprintf(r.site.Words.ListDescription, folder.Title, r.site.Title)),
			Heading: folder.Title,
		}
		v.trail()
		v.To = v.list(&folder.List)
		v.Canonical = r.site.Absolute(folder.Index())
		r.follow(&v.frame, &folder.List)
		return v, nil
	})
}
