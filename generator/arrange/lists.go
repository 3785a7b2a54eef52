package arrange

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"ayna/archive"
	"ayna/generator/corrections"
	"ayna/generator/site"
	"ayna/record"
)

// people finds the writer whom a record names.
type people struct {
	all          []*site.Writer
	byID, byName map[string]*site.Writer // the second by nameKey; nil for a name that two records have
}

// record adds a writer's own record, with the digest of what pages show of it.
func (p *people) record(r *archive.Record, shown uint64) {
	if r.Title == "" {
		return
	}
	w := &site.Writer{List: site.List{Kind: site.OfWriters, Title: r.Title}, Row: r.Row, ID: r.ID, URL: r.URL, Shown: shown}
	p.all = append(p.all, w)
	p.byID[r.ID] = w
	key := nameKey(r.Title)
	if _, taken := p.byName[key]; taken {
		w = nil
	}
	p.byName[key] = w
}

// find returns the writer whom a record names, by id or else by name. It creates
// writers without a record of their own, and returns nil without a name.
func (p *people) find(person record.Person) *site.Writer {
	known, key := p.byID, person.ID
	if key == "" {
		known, key = p.byName, nameKey(person.Name)
	}
	w := known[key]
	if w == nil && person.Name != "" {
		w = &site.Writer{List: site.List{Kind: site.OfWriters, Title: person.Name}, ID: person.ID}
		known[key] = w
		p.all = append(p.all, w)
	}
	return w
}

// nameKey folds the case of a name. The letters I, İ, ı and i are equal, so that both
// Turkish and other names match: INSTAGRAM and Instagram, IRAK, Irak and ırak.
func nameKey(name string) string {
	return oneI.Replace(strings.ToLowerSpecial(unicode.TurkishCase, norm.NFC.String(name)))
}

var oneI = strings.NewReplacer("ı", "i", "i\u0307", "i")

// tag is a tag and how often items use each spelling of it.
type tag struct {
	site.Tag
	spellings []*spelling
}

type spelling struct {
	text  string
	items int
}

// numberTags returns the numbers of the tags that an item names, as they are spelled.
func (b *builder) numberTags(document string) ([]uint32, error) {
	names, err := texts(document)
	b.tagList = b.tagList[:0]
	for _, name := range names {
		b.tagList = append(b.tagList, b.spellings.number(name))
	}
	return b.tagList, err
}

// spelling adds the next spelling to the tag with that name in any case.
func (b *builder) spelling(name string) *spelling {
	key := nameKey(name)
	t := b.tags[key]
	if t == nil {
		t = &tag{Tag: site.Tag{List: site.List{Kind: site.OfTags}}}
		b.tags[key] = t
	}
	b.site.TagOf = append(b.site.TagOf, &t.Tag)
	s := &spelling{text: norm.NFC.String(name)}
	t.spellings = append(t.spellings, s)
	return s
}

// setTitle gives the tag its commonest spelling.
func (t *tag) setTitle() {
	items := make(map[string]int)
	for _, s := range t.spellings {
		items[s.text] += s.items
	}
	t.Title, t.spellings = commonest(items), nil
}

// fillSearches fills the saved searches.
func (b *builder) fillSearches(ctx context.Context, a *archive.Archive) error {
	for _, s := range b.options.Searches {
		if slices.ContainsFunc(b.site.Searches, func(known *site.Search) bool { return known.Query == s.Query }) {
			continue // the directory is named after the query
		}
		rows, err := a.Index.Saved(ctx, s.Query, record.Derive(record.Dates{Zone: b.site.Location}))
		if err != nil {
			return err
		}
		hit := make(map[int64]bool, len(rows))
		for _, row := range rows {
			hit[row] = true
		}
		search := &site.Search{List: site.List{Kind: site.OfSearches, Title: cmp.Or(s.Title, s.Query)}, Query: s.Query}
		b.collect(&search.List, func(item site.Item) bool { return hit[item.Row()] })
		b.site.Searches = append(b.site.Searches, search)
	}
	return nil
}

// collect appends the items for which wants returns true to a list.
func (b *builder) collect(list *site.List, wants func(site.Item) bool) {
	for item := range b.site.Home.Items.All() {
		if wants(item) {
			list.Items.Append(item)
		}
	}
}

// fillCorrections fills the list of corrections, and keeps what changed.
func (b *builder) fillCorrections(ctx context.Context, a *archive.Archive) error {
	const candidates, shown, batch = 1000, 200, 50 // batch: items that are read in parallel
	list := &b.site.Corrections
	list.Kind, list.Title = site.OfCorrections, b.site.Words.Corrections
	rows := slices.SortedFunc(maps.Values(b.revised), func(x, y archive.RevisedRow) int {
		return cmp.Or(cmp.Compare(y.Last, x.Last), cmp.Compare(y.Row, x.Row))
	})
	if rows = rows[:min(candidates, len(rows))]; len(rows) == 0 {
		return nil
	}
	place := make(map[int64]int, len(rows))
	for i, r := range rows {
		place[r.Row] = i
	}
	revised := make([]site.Item, len(rows))
	for item := range b.site.Home.Items.All() {
		if i, ok := place[item.Row()]; ok {
			revised[i] = item
		}
	}
	revised = slices.DeleteFunc(revised, func(item site.Item) bool { return !item.Exists() })
	var found []correction
	for items := range slices.Chunk(revised, batch) {
		corrections, err := b.corrections(ctx, a.Records, items)
		if err != nil {
			return err
		}
		if found = append(found, corrections...); len(found) >= shown {
			found = found[:shown]
			break
		}
	}
	slices.SortFunc(found, func(x, y correction) int {
		return cmp.Or(y.When.Compare(x.When), site.Compare(x.item, y.item))
	})
	b.site.Changes = make(map[int64]*site.Change, len(found))
	for _, c := range found {
		list.Items.Append(c.item)
		b.site.Changes[c.item.Row()] = c.Change
	}
	return nil
}

type correction struct {
	item site.Item
	*site.Change
}

// corrections reads in parallel the last changes of items.
func (b *builder) corrections(ctx context.Context, records archive.Records, items []site.Item) ([]correction, error) {
	found, errs := make([]correction, len(items)), make([]error, len(items))
	var workers sync.WaitGroup
	number := runtime.GOMAXPROCS(0)
	for first := range number {
		workers.Go(func() {
			for i := first; i < len(items); i += number {
				found[i].item = items[i]
				found[i].Change, errs[i] = corrections.Last(ctx, records, items[i], &b.site.Settings)
			}
		})
	}
	workers.Wait()
	return slices.DeleteFunc(found, func(c correction) bool { return c.Change == nil }), errors.Join(errs...)
}
