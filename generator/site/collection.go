package site

import (
	"cmp"
	"slices"
	"strings"
)

// Collection holds the items of a site, in about 160 bytes each and without
// pointers, so that the garbage collector has nothing to scan.
//
// Items are added in any order, sorted, and then linked.
type Collection struct {
	// Items refer by number to their folder, their writers and their tags. Several
	// numbers may stand for one folder.
	FolderOf  []*Folder
	WritersOf [][]*Writer
	TagOf     []*Tag

	records   []record
	published map[int64]int64 // by row, of items whose date is not their place in time
	names     names
	lists     lists
	refs      pool[Ref] // of items that are not linked yet
	index     index
}

// record is an item in memory.
type record struct {
	row                  int64
	order, modified      int64
	name                 place // in Collection.names
	folder, byline       uint32
	tags, related, links place // in Collection.lists
	refs                 place // in Collection.refs
	kind                 uint8 // index in Kinds
	flags                uint8
}

const (
	gone      = 1 << iota // from the source
	displaced             // its date is not its place in time
	revised               // the archive has earlier versions
)

// Draft is an item to add. The methods of [Item] describe the fields.
type Draft struct {
	Row                        int64
	Kind                       Kind
	ID, Address                string
	Order, Published, Modified int64
	Gone, Revised              bool

	Folder int      // number in FolderOf
	Byline int      // number in WritersOf
	Tags   []uint32 // numbers in TagOf, each once

	Ref            Ref   // of the item itself
	Related, Links []Ref // of items that the record names as related, and that its text links
}

// Grow reserves space for n more items.
func (c *Collection) Grow(n int) { c.records = slices.Grow(c.records, n) }

// Add adds an item of one of the [Kinds]. It does not retain d or its strings.
func (c *Collection) Add(d *Draft) Item {
	flags := uint8(0)
	if d.Gone {
		flags |= gone
	}
	if d.Revised {
		flags |= revised
	}
	if d.Published != d.Order {
		flags |= displaced
		if c.published == nil {
			c.published = make(map[int64]int64)
		}
		c.published[d.Row] = d.Published
	}
	c.records = append(c.records, record{
		row: d.Row, order: d.Order, modified: d.Modified,
		name: c.names.add(d.ID, d.Address), folder: uint32(d.Folder), byline: uint32(d.Byline),
		tags: c.lists.add(d.Tags), refs: c.addRefs(d),
		kind: uint8(max(0, slices.Index(Kinds, d.Kind))), flags: flags,
	})
	return Item{c, uint32(len(c.records) - 1)}
}

// SetAddress sets the address of an item.
func (c *Collection) SetAddress(item Item, address string) {
	item.record().name = c.names.add(item.ID(), address)
}

// Drop removes items. It invalidates each [Item] and all Items.
func (c *Collection) Drop(unwanted func(Item) bool) {
	kept := c.records[:0]
	for number, r := range c.records {
		if !unwanted(Item{c, uint32(number)}) {
			kept = append(kept, r)
		}
	}
	c.records = kept
}

// Sort sorts the items, newest first. It invalidates each [Item] and all Items.
func (c *Collection) Sort() {
	slices.SortFunc(c.records, func(a, b record) int { return c.compare(&a, &b) })
}

func (c *Collection) compare(a, b *record) int {
	if a.order != b.order {
		return cmp.Compare(b.order, a.order)
	}
	x, y := c.names.id(a.name), c.names.id(b.name)
	// Ids are rising numbers: a longer one is newer.
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

// entry returns an element of a table, or a zero value beyond its end.
func entry[T any](table []T, number uint32) (e T) {
	if int(number) < len(table) {
		e = table[number]
	}
	return e
}
