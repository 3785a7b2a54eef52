package site

import "time"

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

// Item is one article, column, gallery or video.
type Item struct {
	Row     int64  // the record's row in the archive, by which the rest of it is read
	Kind    Kind   //
	ID      string // as the service gives it, unique within its kind
	Address string // of its page in the published tree; kept once published
	Version uint64 // digest of all that can be shown of the record, with its address
	Teaser  uint64 // digest of what lists and links show of it, with its address

	Order     int64 // place in time, Unix milliseconds; differs from Published where that cannot be
	Published int64 // Unix milliseconds; 0 where unknown
	Modified  int64 // Unix milliseconds; 0 where it was not changed since it was published
	Versions  int32 // earlier versions that the archive keeps
	Gone      bool  // from the source

	Folder         *Folder
	Writers        []*Writer
	Tags           []*Tag
	Related        []*Item // those that are in the archive
	Links          []*Item // items that the text links
	Previous, Next *Item   // neighbours in the folder: the older and the newer one
}

// PublishedTime returns the time of publication in UTC.
func (i *Item) PublishedTime() time.Time { return time.UnixMilli(i.Published).UTC() }

// UpdatedTime returns the time of the last change in UTC, or that of the
// publication where there was none.
func (i *Item) UpdatedTime() time.Time {
	return time.UnixMilli(max(i.Published, i.Modified)).UTC()
}

// Compare orders items newest first; equal times are told apart by kind and
// id, so that the order never depends on anything else.
func Compare(a, b *Item) int {
	switch {
	case a.Order != b.Order:
		if a.Order > b.Order {
			return -1
		}
		return 1
	case a.ID != b.ID:
		// Ids are digits of growing length: a longer one is a newer one.
		if len(a.ID) != len(b.ID) {
			return len(b.ID) - len(a.ID)
		}
		if a.ID > b.ID {
			return -1
		}
		return 1
	case a.Kind < b.Kind:
		return -1
	case a.Kind > b.Kind:
		return 1
	}
	return 0
}
