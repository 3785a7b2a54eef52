package site

import (
	"iter"
	"slices"
	"strings"
	"time"
)

// Kind is the kind of an item.
type Kind string

// The kinds of items. Editorial pages, writers and folders are not items.
const (
	Article Kind = "article"
	Column  Kind = "column"
	Gallery Kind = "gallery"
	Video   Kind = "video"
)

// Kinds lists the kinds of items in their usual order.
var Kinds = []Kind{Article, Column, Gallery, Video}

// Item is an article, column, gallery or video: its number in a collection. Items
// can be compared with ==; the zero Item does not exist.
type Item struct {
	of     *Collection
	number uint32
}

func (i Item) record() *record { return &i.of.records[i.number] }

// Exists reports whether i is not the zero Item.
func (i Item) Exists() bool { return i.of != nil }

// Row is the record's row in the archive.
func (i Item) Row() int64 { return i.record().row }

// Kind is the item's kind.
func (i Item) Kind() Kind { return Kinds[i.record().kind] }

// ID is the item's id at the service, unique within its kind.
func (i Item) ID() string {
	id, _ := i.of.nameAt(i.record().name)
	return string(id)
}

// Address is the address of the item's page. It never changes once published.
func (i Item) Address() string {
	_, address := i.of.nameAt(i.record().name)
	return string(address)
}

// MarkdownAddress is the address of the item as Markdown.
func (i Item) MarkdownAddress() string { return strings.TrimSuffix(i.Address(), htmlExtension) + ".md" }

// Order is the time by which the item is sorted, in Unix milliseconds: Published,
// unless that is implausible.
func (i Item) Order() int64 { return i.record().order }

// Published is in Unix milliseconds, 0 if unknown.
func (i Item) Published() int64 {
	if r := i.record(); r.flags&displaced == 0 {
		return r.order
	}
	return i.of.published[i.Row()]
}

// Modified is in Unix milliseconds, 0 if the item never changed.
func (i Item) Modified() int64 { return i.record().modified }

// Comments is the number of comments of readers below the item.
func (i Item) Comments() int { return i.of.comments[i.ID()].Count }

// Revised reports whether the archive has earlier versions of the item.
func (i Item) Revised() bool { return i.record().flags&revised != 0 }

// Gone reports whether the item is gone from the source.
func (i Item) Gone() bool { return i.record().flags&gone != 0 }

// Folder is the item's main folder, nil until it is known.
func (i Item) Folder() *Folder { return entry(i.of.FolderOf, i.record().folder) }

// Folders yields the item's folders, the main one first, each once.
func (i Item) Folders() iter.Seq[*Folder] {
	return func(yield func(*Folder) bool) {
		main := i.Folder()
		if !yield(main) {
			return
		}
		for at, n := range i.otherFolders() {
			folder := entry(i.of.FolderOf, n)
			isRepeated := func(other uint32) bool { return entry(i.of.FolderOf, other) == folder }
			if folder != main && !slices.ContainsFunc(i.otherFolders()[:at], isRepeated) && !yield(folder) {
				return
			}
		}
	}
}

// FolderNumbers are the indexes of the item's folders in [Collection.FolderOf], the main
// one first.
func (i Item) FolderNumbers() iter.Seq[int] {
	return func(yield func(int) bool) {
		if !yield(int(i.record().folder)) {
			return
		}
		for _, n := range i.otherFolders() {
			if !yield(int(n)) {
				return
			}
		}
	}
}

func (i Item) otherFolders() []uint32 {
	r := i.record()
	if r.flags&spread == 0 {
		return nil
	}
	return i.of.listAt(r.tags + 1 + i.of.lists[r.tags])
}

// InAndAbove yields each folder that the item is in, and each one above these, once.
func (i Item) InAndAbove() iter.Seq[*Folder] {
	return func(yield func(*Folder) bool) {
		var seen []*Folder
		for folder := range i.Folders() {
			for ; folder != nil && !slices.Contains(seen, folder); folder = folder.Parent {
				if i.record().flags&spread != 0 {
					seen = append(seen, folder)
				}
				if !yield(folder) {
					return
				}
			}
		}
	}
}

// Numbers are the indexes of the item's folder and writers in
// [Collection.FolderOf] and [Collection.WritersOf].
func (i Item) Numbers() (folder, byline int) { return int(i.record().folder), int(i.record().byline) }

// Writers are the item's writers, in its order. The slice must not be changed.
func (i Item) Writers() []*Writer { return entry(i.of.WritersOf, i.record().byline) }

// Tags yields the item's tags, each once, in its order.
func (i Item) Tags() iter.Seq[*Tag] {
	return func(yield func(*Tag) bool) {
		numbers := i.TagNumbers()
		for at, number := range numbers {
			tag := i.of.TagOf[number]
			isRepeated := func(other uint32) bool { return i.of.TagOf[other] == tag }
			if !slices.ContainsFunc(numbers[:at], isRepeated) && !yield(tag) {
				return
			}
		}
	}
}

// TagNumbers are the indexes of the item's tags in [Collection.TagOf]. The slice must not be
// changed.
func (i Item) TagNumbers() []uint32 { return i.of.listAt(i.record().tags) }

// Related yields the items of the site that the item's record refers to, each once, after
// [Site.Seal].
func (i Item) Related() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		if i.of.related == nil {
			return
		}
		at := i.record().refs
		for _, number := range i.of.related[at+1:][:i.of.related[at]] {
			if !yield(Item{i.of, number}) {
				return
			}
		}
	}
}

// Previous is the next older item in the folder, if any.
func (i Item) Previous() Item { return i.neighbour(1) }

// Next is the next newer item in the folder, if any.
func (i Item) Next() Item { return i.neighbour(-1) }

func (i Item) neighbour(distance int) Item {
	if folder := i.Folder(); folder != nil {
		index, found := folder.Own.Find(i)
		if index += distance; found && index >= 0 && index < folder.Own.Len() {
			return folder.Own.At(index)
		}
	}
	return Item{}
}

// PublishedTime returns when the item was published, in UTC.
func (i Item) PublishedTime() time.Time { return time.UnixMilli(i.Published()).UTC() }

// UpdatedTime returns when the item was last changed or else published, in UTC.
func (i Item) UpdatedTime() time.Time { return time.UnixMilli(max(i.Published(), i.Modified())).UTC() }

// Compare sorts items newest first, then by id and kind.
func Compare(a, b Item) int { return a.of.compare(a.record(), b.record()) }
