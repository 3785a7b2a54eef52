package site

import (
	"iter"
	"strings"
	"time"
)

// Kind is what sort of thing an item is.
type Kind string

// The kinds of items. Editorial pages, writers and folders are not items:
// they have types of their own.
const (
	Article Kind = "article"
	Column  Kind = "column"
	Gallery Kind = "gallery"
	Video   Kind = "video"
)

// Kinds lists the kinds of items in their usual order.
var Kinds = []Kind{Article, Column, Gallery, Video}

// Item is one article, column, gallery or video: its number in the collection
// that holds it. The zero Item is none. Items are equal if they are the same.
type Item struct {
	of     *Collection
	number uint32
}

func (i Item) record() *record { return &i.of.records[i.number] }

// Exists reports whether i is an item at all.
func (i Item) Exists() bool { return i.of != nil }

// Row is the record's row in the archive, by which the rest of it is read.
func (i Item) Row() int64 { return i.record().row }

// Kind is what the item is.
func (i Item) Kind() Kind { return Kinds[i.record().kind] }

// ID is the item's id as the service gives it, unique within its kind.
func (i Item) ID() string { return i.of.names.id(i.record().name) }

// Address is that of the item's page in the published tree. It is kept once
// published.
func (i Item) Address() string { return i.of.names.address(i.record().name) }

// MarkdownAddress is that of the item as Markdown.
func (i Item) MarkdownAddress() string {
	return strings.TrimSuffix(i.Address(), ".html") + ".md"
}

// Version is a digest of all that can be shown of the record, with its address.
func (i Item) Version() uint64 { return i.record().version }

// Teaser is a digest of all that lists and links show of the item, with its
// address, its date and the names of its folder and its writers.
func (i Item) Teaser() uint64 { return i.record().teaser }

// Order is the item's place in time, in Unix milliseconds; it differs from
// Published where that cannot be.
func (i Item) Order() int64 { return i.record().order }

// Published is in Unix milliseconds; 0 where unknown.
func (i Item) Published() int64 {
	if r := i.record(); r.flags&strays == 0 {
		return r.order
	}
	return i.of.published[i.Row()]
}

// Modified is in Unix milliseconds; 0 where the item was not changed since it
// was published.
func (i Item) Modified() int64 { return i.record().modified }

// Versions is how many earlier versions the archive keeps, up to 65,535.
func (i Item) Versions() int { return int(i.record().versions) }

// Gone reports whether the item is gone from the source.
func (i Item) Gone() bool { return i.record().flags&gone != 0 }

// Folder is the folder that the item is in; nil as long as it has none.
func (i Item) Folder() *Folder { return entry(i.of.FolderOf, i.record().folder) }

// Numbers are those under which the collection has the item's folder and
// writers.
func (i Item) Numbers() (folder, byline int) { return int(i.record().folder), int(i.record().byline) }

// Writers are whom the item names, in its order. They are not to be changed.
func (i Item) Writers() []*Writer { return entry(i.of.WritersOf, i.record().byline) }

// Tags yields the item's tags, each once, in its order.
func (i Item) Tags() iter.Seq[*Tag] {
	return func(yield func(*Tag) bool) {
		for _, number := range i.of.lists.get(i.record().tags) {
			if !yield(i.of.TagOf[number&^lastOne]) {
				return
			}
		}
	}
}

// Related are the items that the record names as related, of those that are in
// the archive.
func (i Item) Related() Items { return Items{i.of, i.of.lists.get(i.record().related)} }

// Links are the items that the item's text links.
func (i Item) Links() Items { return Items{i.of, i.of.lists.get(i.record().links)} }

// Previous is the next older item in the folder, if there is one.
func (i Item) Previous() Item { return i.neighbour(1) }

// Next is the next newer item in the folder, if there is one.
func (i Item) Next() Item { return i.neighbour(-1) }

func (i Item) neighbour(distance int) Item {
	folder := i.Folder()
	if folder == nil {
		return Item{}
	}
	place, found := folder.Own.Find(i)
	if place += distance; !found || place < 0 || place >= folder.Own.Len() {
		return Item{}
	}
	return folder.Own.At(place)
}

// PublishedTime returns the time of publication in UTC.
func (i Item) PublishedTime() time.Time { return time.UnixMilli(i.Published()).UTC() }

// UpdatedTime returns the time of the last change in UTC, or that of the
// publication where there was none.
func (i Item) UpdatedTime() time.Time {
	return time.UnixMilli(max(i.Published(), i.Modified())).UTC()
}

// Compare orders items newest first; equal times are told apart by kind and
// id, so that the order never depends on anything else.
func Compare(a, b Item) int { return a.of.compare(a.record(), b.record()) }
