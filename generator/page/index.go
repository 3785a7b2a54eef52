package page

import (
	"context"
	"fmt"
	"path"
	"slices"

	"ayna/generator/output"
	"ayna/generator/site"
)

type indexView struct {
	pageView
	Heading string
	Count   string    // of the items of an archive
	Newest  []person  // where there are many writers, those with the newest items
	Most    []link    // where there are many tags, those with most items
	Parts   []section // the first lists of an index that is not alphabetical
	Tree    []branch  // of all sections
	Letters []letter  // one without a letter where the index is not alphabetical
	Years   []year    // of an archive
	Numbers *link     // from the archive of all items to the page that counts them, else nil
}

// branch is a top folder and those below it.
type branch struct {
	link
	Below []link
}

// letter is the part of an index whose titles begin with one letter.
type letter struct {
	Letter string
	Anchor string
	Lists  []link
	People []person // instead of Lists in the index of writers, unless there are very many
}

// person is a writer and the writer's newest item.
type person struct {
	portrait
	Writer    link
	Newest    *link // nil for a writer without items
	Published *moment
}

// year has twelve months. Those without items have no address.
type year struct {
	Year   string
	Months []period
}

// period is a link to a month or year of a list, with the number of its items.
type period struct {
	link
	Parts []link // to the older parts of a long one, the oldest first
	count int
}

// How many lists an index shows.
const (
	maxUndivided = 24  // writers without first letters
	newestPeople = 12  // writers above the others
	maxPeople    = 300 // writers with portraits
	topTags      = 24  // with most items; shown above the others if there are twice as many
	maxParts     = 12  // lists with their newest items
	partItems    = 4   // of each of these
)

// index is a page that names all lists of a kind.
type index struct {
	of               site.ListKind
	dir, title, kind string // kind is the word for one of the lists
}

func (i index) address() string { return path.Join(i.dir, "index.html") }

// indexList returns the indexes of writers, tags, pages and kinds, and that of
// mixes if there are some.
func (r *Renderer) indexList() []index {
	w := &r.site.Words
	indexes := []index{
		{site.OfWriters, w.WritersDir, w.Writers, w.WriterKind},
		{site.OfTags, w.TagsDir, w.Tags, w.TagKind},
		{site.OfPages, w.PagesDir, w.Pages, w.PageKind},
		{site.OfKinds, w.KindsDir, w.AllKinds, ""},
	}
	if len(r.site.Mixes) > 0 {
		indexes = append(indexes, index{site.OfMixes, w.CustomListsDir, w.CustomLists, w.CustomListKind})
	}
	return indexes
}

// filledIndexes returns the indexes that name a list.
func (r *Renderer) filledIndexes() []index {
	filled := make(map[site.ListKind]bool)
	for list := range r.site.Lists() {
		if list.Items.Len() > 0 {
			filled[list.Kind] = true
		}
	}
	return slices.DeleteFunc(r.indexList(), func(i index) bool { return !filled[i.of] })
}

// sections returns the page of all folders.
func (r *Renderer) sections() output.File {
	address, title := path.Join(r.site.SectionsDir, "index.html"), r.site.Words.AllSections
	file := r.render(address, title, func(context.Context) (view, error) {
		v := &indexView{pageView: r.listPageView(address, title), Heading: title}
		for _, top := range r.site.Root.Folders {
			b := branch{link: v.linkWithCount(pageOf(top))}
			v.addBelow(&b, "", top)
			v.Tree = append(v.Tree, b)
		}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		for _, folder := range r.site.Folders {
			list := pageOf(folder)
			m.Folder(folder)
			m.List(list)
			m.Number(int64(list.Items.Len()))
		}
	})
	return file
}

// addBelow adds links to the folders below one, each with the titles on the way to it.
func (v *indexView) addBelow(b *branch, way string, folder *site.Folder) {
	for _, below := range folder.Folders {
		l := v.linkWithCount(pageOf(below))
		l.Text = way + l.Text
		b.Below = append(b.Below, l)
		v.addBelow(b, l.Text+" › ", below)
	}
}

func (r *Renderer) indexes() []output.File {
	files := []output.File{r.sections()}
	for _, index := range r.indexList() {
		file := r.render(index.address(), index.title, func(ctx context.Context) (view, error) {
			v := &indexView{pageView: r.listPageView(index.address(), index.title), Heading: index.title}
			return v, r.fillIndex(ctx, v, index.of)
		})
		file.Key = r.key(index.address(), func(m *site.Mixer) { r.mixIndex(m, index.of) })
		files = append(files, file)
	}
	return files
}

// mixIndex adds what the index of a kind of lists shows.
func (r *Renderer) mixIndex(m *site.Mixer, kind site.ListKind) {
	for list := range r.site.Lists() {
		if list.Kind == kind {
			m.List(list)
			m.Number(int64(list.Items.Len()))
			m.Shown(list.Items.First(partItems))
		}
	}
	if kind == site.OfWriters { // with their portraits
		for _, w := range r.site.Writers {
			m.Writer(w)
		}
	}
}

// fillIndex divides the lists of writers and tags, which are in alphabetical order, by
// their first letters. Where there are many writers, those with the newest items come first.
func (r *Renderer) fillIndex(ctx context.Context, v *indexView, sort site.ListKind) (err error) {
	var people []person
	writers := r.site.Writers
	if sort == site.OfWriters && len(writers) > maxUndivided {
		newest := slices.DeleteFunc(slices.Clone(writers), func(w *site.Writer) bool { return w.Items.Len() == 0 })
		slices.SortStableFunc(newest, func(a, b *site.Writer) int { return site.Compare(a.Items.At(0), b.Items.At(0)) })
		if v.Newest, err = r.people(ctx, &v.pageView, newest[:min(len(newest), newestPeople)]); err != nil {
			return err
		}
	}
	if sort == site.OfWriters && len(writers) <= maxPeople {
		if people, err = r.people(ctx, &v.pageView, writers); err != nil {
			return err
		}
	}
	if sort == site.OfTags && len(r.site.Tags) >= 2*topTags {
		top := slices.SortedStableFunc(slices.Values(r.site.Tags), func(a, b *site.Tag) int { return b.Items.Len() - a.Items.Len() })
		for _, tag := range top[:topTags] {
			v.Most = append(v.Most, v.linkWithCount(&tag.List))
		}
	}
	number := make(map[string]int) // of a letter among Letters
	alphabet := newAlphabet(r.language)
	for list := range r.site.Lists() {
		if list.Kind != sort {
			continue
		}
		initial := ""
		if sort == site.OfWriters && len(writers) > maxUndivided || sort == site.OfTags {
			initial = alphabet.initialOf(list.Title)
		} else if sort != site.OfWriters && len(v.Parts) < maxParts && list.Items.Len() > 0 {
			part, err := r.part(ctx, &v.pageView, v.linkToList(list), list.Items.First(partItems))
			if err != nil {
				return err
			}
			if sort == site.OfKinds {
				for i := range part.Teasers {
					part.Teasers[i].Kind = ""
				}
			}
			v.Parts = append(v.Parts, part)
			continue
		}
		i, known := number[initial]
		if !known {
			i = len(v.Letters)
			number[initial] = i
			v.Letters = append(v.Letters, letter{Letter: initial, Anchor: fmt.Sprintf("l-%x", initial)})
		}
		if l := &v.Letters[i]; len(people) > 0 {
			l.People, people = append(l.People, people[0]), people[1:]
		} else {
			l.Lists = append(l.Lists, v.linkWithCount(list))
		}
	}
	return nil
}

// people returns writers with their newest items.
func (r *Renderer) people(ctx context.Context, f *pageView, writers []*site.Writer) ([]person, error) {
	newest := make([]site.Item, len(writers))
	for i, w := range writers {
		if w.Items.Len() > 0 {
			newest[i] = w.Items.At(0)
		}
	}
	teasers, err := r.readTeasers(ctx, f, newest)
	if err != nil {
		return nil, err
	}
	people := make([]person, len(writers))
	for i, w := range writers {
		p := &people[i]
		if p.portrait, err = r.portrait(ctx, f, w); err != nil {
			return nil, err
		}
		p.Writer, p.Newest = f.linkToList(&w.List), teasers.link(newest[i])
		if p.Newest != nil {
			p.Published = r.moment(newest[i].Published())
		}
	}
	return people, nil
}
