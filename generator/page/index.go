package page

import (
	"context"
	"fmt"
	"iter"
	"path"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"ayna/generator/output"
	"ayna/generator/site"
)

type indexView struct {
	frame
	Heading string
	Letters []letter // one without a letter where the index is not alphabetical
}

// letter is the part of an index whose titles begin with one letter.
type letter struct {
	Letter string
	Anchor string
	Lists  []link
}

// index is a page that names all lists of one sort.
type index struct {
	dir, title string
	letters    bool // the lists are in alphabetical order
	lists      func() iter.Seq[*site.List]
}

func (i index) address() string { return path.Join(i.dir, "index.html") }

// link returns the index as a link whose Href is its address in the tree.
func (i index) link() link { return link{Href: i.address(), Text: i.title} }

// indexList returns the indexes of writers, tags, pages and kinds, and that of
// mixes if there are some.
func (r *Renderer) indexList() []index {
	w := &r.site.Words
	indexes := []index{
		{w.WritersDir, w.Writers, true, func() iter.Seq[*site.List] {
			return listsOf(r.site.Writers, func(w *site.Writer) *site.List { return &w.List })
		}},
		{w.TagsDir, w.Tags, true, func() iter.Seq[*site.List] {
			return listsOf(r.site.Tags, func(t *site.Tag) *site.List { return &t.List })
		}},
		{w.PagesDir, w.Pages, false, func() iter.Seq[*site.List] {
			return listsOf(r.site.Pages, func(p *site.Page) *site.List { return &p.List })
		}},
		{w.KindsDir, w.AllKinds, false, func() iter.Seq[*site.List] {
			return listsOf(r.site.Kinds, func(k *site.KindList) *site.List { return &k.List })
		}},
	}
	if len(r.site.Mixes) > 0 {
		indexes = append(indexes, index{w.MixesDir, w.Mixes, false, func() iter.Seq[*site.List] {
			return listsOf(r.site.Mixes, func(m *site.Mix) *site.List { return &m.List })
		}})
	}
	return indexes
}

func listsOf[T any](all []T, list func(T) *site.List) iter.Seq[*site.List] {
	return func(yield func(*site.List) bool) {
		for _, one := range all {
			if !yield(list(one)) {
				return
			}
		}
	}
}

func (r *Renderer) indexes() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for _, index := range r.indexList() {
			key := r.key("index", index.address())
			for list := range index.lists() {
				key.Text(list.Title, list.Dir).Number(uint64(list.Items.Len()))
			}
			file := r.render(index.address(), "index", index.title, key, func(context.Context) (framed, error) {
				return r.indexView(index), nil
			})
			if !yield(file) {
				return
			}
		}
	}
}

func (r *Renderer) indexView(index index) *indexView {
	w := &r.site.Words
	v := &indexView{
		frame:   r.frame(index.address(), index.title, fmt.Sprintf(w.ListDescription, index.title, r.site.Title)),
		Heading: index.title,
	}
	v.trail()
	place := make(map[string]int) // of a letter among Letters
	for list := range index.lists() {
		initial := ""
		if index.letters {
			initial = initialOf(list.Title, r.site.Language)
		}
		i, known := place[initial]
		if !known {
			i = len(v.Letters)
			place[initial] = i
			v.Letters = append(v.Letters, letter{Letter: initial, Anchor: fmt.Sprintf("l-%x", initial)})
		}
		l := v.list(list)
		l.Note = fmt.Sprintf(w.Items, list.Items.Len())
		v.Letters[i].Lists = append(v.Letters[i].Lists, l)
	}
	return v
}

// initialOf returns the letter under which an alphabet of the language sorts a
// title, and "#" for what is no letter. Turkish has letters that other
// alphabets take for an ornamented one: they stay, other ornaments go.
func initialOf(title, language string) string {
	r, _ := utf8.DecodeRuneInString(norm.NFC.String(title))
	if !unicode.IsLetter(r) {
		return "#"
	}
	if language == "tr" {
		switch upper := unicode.TurkishCase.ToUpper(r); upper {
		case 'Ç', 'Ğ', 'I', 'İ', 'Ö', 'Ş', 'Ü':
			return string(upper)
		case 'Î':
			return "İ"
		}
	}
	plain := []rune(norm.NFKD.String(string(r)))[0]
	return string(unicode.ToUpper(plain))
}
