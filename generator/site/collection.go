package site

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// Collection holds the items of a site, in about 240 bytes each and without
// pointers, so that the garbage collector has nothing to scan.
//
// Items are added in any order, sorted, and then indexed.
type Collection struct {
	// Items refer by number to their folder, their writers and their tags. Several
	// numbers may stand for one folder, or for one tag.
	FolderOf  []*Folder
	WritersOf [][]*Writer
	TagOf     []*Tag

	records    []record
	published  map[int64]int64     // by row: the dates of items that are not sorted by date
	comments   map[string]Comments // of readers, by the ids of items
	names      []byte              // ids and addresses, each with its length before it
	lists      []uint32            // of numbers in TagOf, or FolderOf, each with its length before it
	refs       []Ref               // to records, and links, of items, until Seal: behind a Ref with their numbers
	related    []uint32            // from Seal on: numbers of items that items refer to, each with its length before it
	index      []uint32            // hash table of items by their keys, see slot
	multiplier uint64

	formers     []former // until BuildIndex
	formerIndex []match  // of former addresses, sorted by key and number
}

// record is an item in memory.
type record struct {
	row             int64
	order, modified int64
	ref             Ref
	shown, named    uint64 // digests, see [Site.Seal]; until then, named is [Item.Note]
	text, content   uint64
	name            uint32 // offset in Collection.names of the id, which the address follows
	tags            uint32 // offset in Collection.lists of the tags, which other folders follow
	refs            uint32 // offset in Collection.refs, or related
	folder, byline  uint32
	kind            uint8 // index in Kinds
	flags           uint8
}

const (
	gone      = 1 << iota // from the source
	displaced             // not sorted by its date
	revised               // the archive has earlier versions
	spread                // in several folders
)

// Comments are what readers have written below an item.
type Comments struct {
	Count  int
	Digest uint64 // of all of them
}

// SetComments sets the comments of readers, by the ids of items.
func (c *Collection) SetComments(comments map[string]Comments) { c.comments = comments }

// Draft is an item to add. The methods of [Item] describe the fields.
type Draft struct {
	Row                        int64
	Kind                       Kind
	ID, Address                string
	Order, Published, Modified int64
	Gone, Revised              bool

	Folder  int      // number in FolderOf
	Byline  int      // number in WritersOf
	Folders []uint32 // numbers in FolderOf of its other folders, each once
	Tags    []uint32 // numbers in TagOf
	Ref     Ref      // the reference that other records use

	Shown, Text, Content uint64 // digests of what lists show of the record, of its JSON, and of what else its page shows
	Related, Links       []Ref  // the records that it refers to, and those that its text links; see [RefToLink]
	Note                 uint64 // of the caller
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
	if len(d.Folders) > 0 {
		flags |= spread
	}
	c.records = append(c.records, record{
		row: d.Row, order: d.Order, modified: d.Modified, ref: d.Ref,
		name: c.addName(d.ID, d.Address), tags: c.addList(d.Tags), folder: uint32(d.Folder), byline: uint32(d.Byline),
		kind: uint8(max(0, slices.Index(Kinds, d.Kind))), flags: flags,
		shown: d.Shown, named: d.Note, text: d.Text, content: d.Content, refs: c.addRefs(d.Related, d.Links),
	})
	if len(d.Folders) > 0 {
		c.addList(d.Folders) // behind the tags
	}
	return Item{c, uint32(len(c.records) - 1)}
}

// SetAddress sets the address of an item.
func (c *Collection) SetAddress(item Item, address string) {
	item.record().name = c.addName(item.ID(), address)
}

func (c *Collection) addName(id, address string) (at uint32) {
	at = uint32(len(c.names))
	for _, text := range [...]string{id, address} {
		c.names = binary.AppendUvarint(c.names, uint64(len(text)))
		c.names = append(c.names, text...)
	}
	return at
}

func (c *Collection) nameAt(at uint32) (id, address []byte) {
	id, rest := cutText(c.names[at:])
	address, _ = cutText(rest)
	return id, address
}

// cutText cuts off a text with its length before it.
func cutText(b []byte) (text, rest []byte) {
	n, size := binary.Uvarint(b)
	b = b[size:]
	return b[:n], b[n:]
}

func (c *Collection) addList(numbers []uint32) (at uint32) {
	at = uint32(len(c.lists))
	c.lists = append(append(c.lists, uint32(len(numbers))), numbers...)
	return at
}

// addRefs returns the offset of an item's references; 0 if it has none.
func (c *Collection) addRefs(related, links []Ref) (at uint32) {
	if len(c.refs) == 0 {
		c.refs = append(c.refs, Ref{})
	}
	if len(related)+len(links) == 0 {
		return 0
	}
	at = uint32(len(c.refs))
	c.refs = append(c.refs, Ref{uint64(len(related)), uint64(len(links))})
	c.refs = append(append(c.refs, related...), links...)
	return at
}

// refsOf returns the references of an item, and its links.
func (c *Collection) refsOf(r *record) (related, links []Ref) {
	head := c.refs[r.refs]
	all := c.refs[r.refs+1:][:head.url+head.id]
	return all[:head.url], all[head.url:]
}

func (c *Collection) listAt(at uint32) []uint32 { return c.lists[at+1:][:c.lists[at]] }

// Drop removes items. It invalidates each [Item] and all Items. unwanted is called once for
// each item, in their order, and may set its address.
func (c *Collection) Drop(unwanted func(Item) bool) {
	kept := c.records[:0]
	for number := range c.records {
		if !unwanted(Item{c, uint32(number)}) {
			kept = append(kept, c.records[number])
		}
	}
	c.records = kept
}

// DropFormer removes the former addresses of rows.
func (c *Collection) DropFormer(unwanted func(row int64) bool) {
	c.formers = slices.DeleteFunc(c.formers, func(f former) bool { return unwanted(f.row) })
}

// Len is the number of items.
func (c *Collection) Len() int { return len(c.records) }

// Sort sorts the items, newest first. It invalidates each [Item] and all Items. Items that
// were added to sorted ones cost little.
func (c *Collection) Sort() {
	compare := func(a, b record) int { return c.compare(&a, &b) }
	sorted := min(1, len(c.records))
	for sorted < len(c.records) && c.compare(&c.records[sorted-1], &c.records[sorted]) <= 0 {
		sorted++
	}
	if sorted < len(c.records)/2 {
		slices.SortFunc(c.records, compare)
		return
	}
	added := slices.Clone(c.records[sorted:])
	slices.SortFunc(added, compare)
	for at := len(c.records) - 1; len(added) > 0; at-- { // merges from the end
		if last := len(added) - 1; sorted == 0 || compare(c.records[sorted-1], added[last]) <= 0 {
			c.records[at], added = added[last], added[:last]
		} else {
			sorted--
			c.records[at] = c.records[sorted]
		}
	}
}

func (c *Collection) compare(a, b *record) int {
	if a.order != b.order {
		return cmp.Compare(b.order, a.order)
	}
	x, _ := c.nameAt(a.name)
	y, _ := c.nameAt(b.name)
	// Ids are rising numbers: a longer one is newer.
	return cmp.Or(len(y)-len(x), strings.Compare(string(y), string(x)), strings.Compare(string(Kinds[a.kind]), string(Kinds[b.kind])))
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
