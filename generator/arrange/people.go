package arrange

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ayna/archive"
	"ayna/generator/site"
)

// people finds the writer whom a record names.
type people struct {
	byID   map[string]*site.Writer
	byName map[string]*site.Writer // by folded name
}

func newPeople() people {
	return people{byID: make(map[string]*site.Writer), byName: make(map[string]*site.Writer)}
}

// record enters a writer's own record.
func (p people) record(r *archive.Record) {
	if r.Title == "" {
		return
	}
	w := &site.Writer{Row: r.Row, ID: r.ID, URL: r.URL, Version: version(string(r.Hash[:]), string(r.Pictures), !r.Vanished.IsZero())}
	w.Sort, w.Title = site.OfWriters, r.Title
	p.byID[r.ID] = w
	// Of two writers of one name neither is found by it.
	key := nameKey(r.Title)
	if _, taken := p.byName[key]; taken {
		w = nil
	}
	p.byName[key] = w
}

// find returns the writer named by a record: by id, else by name. A writer
// without a record of its own is made from what is known; one of whom not even
// a name is known is nil.
func (p people) find(person archive.Person) *site.Writer {
	if person.ID != "" {
		if w := p.byID[person.ID]; w != nil {
			return w
		}
	} else if w := p.byName[nameKey(person.Name)]; w != nil {
		return w
	}
	if person.Name == "" {
		return nil
	}
	w := &site.Writer{ID: person.ID}
	w.Sort, w.Title = site.OfWriters, person.Name
	if person.ID != "" {
		p.byID[person.ID] = w
	} else {
		p.byName[nameKey(person.Name)] = w
	}
	return w
}

// all returns every writer once, in no order.
func (p people) all() []*site.Writer {
	var list []*site.Writer
	seen := make(map[*site.Writer]bool)
	for _, known := range []map[string]*site.Writer{p.byID, p.byName} {
		for _, w := range known {
			if w != nil && !seen[w] {
				seen[w] = true
				list = append(list, w)
			}
		}
	}
	return list
}

// nameKey folds the case of a name. The four letters I, İ, ı and i are one:
// names are lowered by Turkish rules and by others, so INSTAGRAM is Instagram
// and IRAK is Irak and ırak.
func nameKey(name string) string {
	return oneI.Replace(strings.ToLowerSpecial(unicode.TurkishCase, norm.NFC.String(name)))
}

var oneI = strings.NewReplacer("ı", "i", "i\u0307", "i")

// tag is a tag and how often each spelling of it occurs.
type tag struct {
	site.Tag
	number    uint32 // in Collection.TagOf
	spellings []*spelling
}

// spelling is a tag as items name it.
type spelling struct {
	tag   *tag
	text  string
	items int
}

// tagged returns the numbers of the tags that a record names, each once. They
// are only good until the next call.
func (b *builder) tagged(names []string) []uint32 {
	b.numbers = b.numbers[:0]
	for _, name := range names {
		s := b.spelling(name)
		s.items++
		b.numbers = append(b.numbers, s.tag.number)
	}
	b.numbers = site.Once(b.numbers)
	return b.numbers
}

// spelling returns the tag of that name, whatever its case.
func (b *builder) spelling(name string) *spelling {
	if s := b.words[name]; s != nil {
		return s
	}
	name = strings.Clone(name)
	key := nameKey(name)
	t := b.tags[key]
	if t == nil {
		t = &tag{number: uint32(len(b.site.TagOf))}
		t.Sort = site.OfTags
		b.tags[key] = t
		b.site.TagOf = append(b.site.TagOf, &t.Tag)
	}
	s := &spelling{tag: t, text: norm.NFC.String(name)}
	t.spellings = append(t.spellings, s)
	b.words[name] = s
	return s
}

// spell gives the tag its commonest spelling; of two the first in order.
func (t *tag) spell() {
	items := make(map[string]int)
	for _, s := range t.spellings {
		items[s.text] += s.items
	}
	most := 0
	for text, n := range items {
		if n > most || (n == most && text < t.Title) {
			t.Title, most = text, n
		}
	}
	t.spellings = nil
}
