package site

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Collection holds the items of a site. What it keeps of an item has no
// pointers, so that a million of them take some two hundred bytes each, and the
// garbage collector looks at none.
//
// Items are added in any order, sorted, and then linked.
type Collection struct {
	// What items name by numbers: their folders, which may have several, whoever
	// they are by, and their tags.
	FolderOf  []*Folder
	WritersOf [][]*Writer
	TagOf     []*Tag

	records   []record
	published map[int64]int64 // by row, of items that have another place in time
	names     nameStore
	lists     lists
	refs      pool[Ref] // of items that are not linked yet
	index     index
}

// record is what is kept of an item.
type record struct {
	row                  int64
	version, teaser      uint64
	order, modified      int64
	name                 place // in Collection.names
	folder, byline       uint32
	tags, related, links place // in Collection.lists
	refs                 place // in Collection.refs
	versions             uint16
	kind                 uint8 // place in Kinds
	flags                uint8
}

// What is seldom true of an item.
const (
	gone   = 1 << iota // from the source
	strays             // its date is not its place in time
)

// Draft is an item that is to be added. [Item] says what is what.
type Draft struct {
	Row                        int64
	Kind                       Kind
	ID, Address                string
	Version, Teaser            uint64
	Order, Published, Modified int64
	Versions                   int
	Gone                       bool

	Folder int      // number in FolderOf
	Byline int      // number in WritersOf
	Tags   []uint32 // numbers in TagOf, each once

	Ref            Ref   // what the item is found by
	Related, Links []Ref // what the record names as related, and what its text links
}

// Grow makes room for n more items.
func (c *Collection) Grow(n int) { c.records = slices.Grow(c.records, n) }

// Add adds an item. Its kind is one of [Kinds]. Neither d nor its texts are
// kept.
func (c *Collection) Add(d *Draft) Item {
	flags := uint8(0)
	if d.Gone {
		flags |= gone
	}
	if d.Published != d.Order {
		flags |= strays
		if c.published == nil {
			c.published = make(map[int64]int64)
		}
		c.published[d.Row] = d.Published
	}
	c.records = append(c.records, record{
		row: d.Row, version: d.Version, teaser: d.Teaser, order: d.Order, modified: d.Modified,
		name: c.names.keep(d.ID, d.Address), folder: uint32(d.Folder), byline: uint32(d.Byline),
		tags: c.lists.keep(d.Tags), refs: c.await(d),
		versions: uint16(min(d.Versions, math.MaxUint16)), kind: uint8(max(0, slices.Index(Kinds, d.Kind))), flags: flags,
	})
	return Item{c, uint32(len(c.records) - 1)}
}

// Move gives an item an address.
func (c *Collection) Move(item Item, address string) {
	item.record().name = c.names.keep(item.ID(), address)
}

// Tell sets the digests of what is shown of an item.
func (c *Collection) Tell(item Item, version, teaser uint64) {
	r := item.record()
	r.version, r.teaser = version, teaser
}

// Drop takes out the items that are not wanted. Those that were added after one
// of them become others.
func (c *Collection) Drop(unwanted func(Item) bool) {
	kept := c.records[:0]
	for number := range c.records {
		if r := c.records[number]; !unwanted(Item{c, uint32(number)}) {
			kept = append(kept, r)
		}
	}
	c.records = kept
}

// Sort puts the items in their order, newest first. What an [Item] was before
// becomes another one.
func (c *Collection) Sort() {
	slices.SortFunc(c.records, func(a, b record) int { return c.compare(&a, &b) })
}

func (c *Collection) compare(a, b *record) int {
	if a.order != b.order {
		return cmp.Compare(b.order, a.order)
	}
	x, y := c.names.id(a.name), c.names.id(b.name)
	// Ids are digits of growing length: a longer one is a newer one.
	return cmp.Or(len(y)-len(x), strings.Compare(y, x), strings.Compare(string(Kinds[a.kind]), string(Kinds[b.kind])))
}

// Items returns all items, in their order.
func (c *Collection) Items() Items {
	all := Items{c, make([]uint32, len(c.records))}
	for number := range all.numbers {
		all.numbers[number] = uint32(number)
	}
	return all
}

// entry returns what a number stands for, nothing if there is no such entry yet.
func entry[T any](table []T, number uint32) (e T) {
	if int(number) < len(table) {
		e = table[number]
	}
	return e
}
