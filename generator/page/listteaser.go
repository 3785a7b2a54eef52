package page

import (
	"context"

	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/prose"
)

// teaserKey names a rendered teaser by its item's row.
type teaserKey struct {
	row             int64
	folder, writers bool // it names them
	form            teaserForm
}

// teaserForm is how a list shows an item.
type teaserForm uint8

const (
	besideForm teaserForm = iota // a small picture and the date
	firstForm                    // a large picture, which loads with the page
	cardForm                     // the picture above the words
	rowForm                      // below the day: a small picture and the time of day
	plainForm                    // below no day: a small picture and the date
)

// keyIn returns the key of a teaser that names its writers, and its folder unless that is home.
func keyIn(home *site.Folder, item site.Item) teaserKey {
	return teaserKey{row: item.Row(), folder: showsFolder(item, home), writers: true}
}

// teaserKey returns what a teaser names in a list: not the folder that the list is, nor the
// only writer whose list it is.
func (l *listInfo) teaserKey(item site.Item, form teaserForm) teaserKey {
	alone := l.writer != nil && len(item.Writers()) == 1 && item.Writers()[0] == l.writer
	return teaserKey{item.Row(), showsFolder(item, l.folder), !alone, form}
}

// renderTeasers returns the teasers of a page of a list: of some items in front, of some as
// cards, and of the others as rows. Each is rendered once for all lists, except the very first.
func (r *Renderer) renderTeasers(ctx context.Context, items site.Items, l listInfo, front, cards int) ([]prose.Fragment, error) {
	fragments := make([]prose.Fragment, items.Len())
	var missing []site.Item
	var numbers []int // of those among fragments
	keyOf := func(i int) teaserKey {
		form := rowForm
		switch {
		case i < min(front, 1):
			form = firstForm
		case i < front:
			form = besideForm
		case i < front+cards:
			form = cardForm
		case r.dayOf(l, items.At(i)).IsZero():
			form = plainForm
		}
		return l.teaserKey(items.At(i), form)
	}
	for i := range fragments {
		var known bool
		if fragments[i], known = r.teasers.Get(keyOf(i)); !known {
			missing, numbers = append(missing, items.At(i)), append(numbers, i)
		}
	}
	read, err := r.reader.Teasers(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, number := range numbers {
		key := keyOf(number)
		view := r.listTeaser(&read[i], key)
		if fragments[number], err = prose.NewFragment(r.subtemplate("teaser"), &view); err != nil {
			return nil, err
		}
		if key.form != firstForm {
			r.teasers.Put(key, fragments[number])
		}
	}
	return fragments, nil
}

// listTeaser returns an item as a list shows it.
func (r *Renderer) listTeaser(read *story.Teaser, key teaserKey) teaser {
	level, sizes := 2, teaserSizes
	switch key.form {
	case firstForm:
		sizes = firstSizes
	case cardForm:
		sizes = cardSizes
	case rowForm:
		level, sizes = 3, rowSizes
	case plainForm:
		sizes = rowSizes
	}
	t := r.teaser(read, level, key, prose.FragmentAddress)
	if t.Picture != nil {
		t.Picture.First, t.Picture.Sizes = key.form == firstForm, sizes
	}
	if key.form == rowForm && t.Published != nil && read.Published() == read.Order() {
		t.Published = t.Published.timeOfDay()
	}
	return t
}
