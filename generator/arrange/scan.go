package arrange

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
)

// scan reads the archive: first the folders, writers and pages, as items refer to
// them, and then the items.
func (b *builder) scan(ctx context.Context, a *archive.Archive) error {
	if err := b.scanPictures(ctx, a); err != nil {
		return err
	}
	for r, err := range a.Catalog.Scan(ctx, record.Folder, record.Writer, record.Page) {
		if err != nil {
			return err
		}
		b.add(r)
	}
	if err := b.scanStanding(ctx, a); err != nil {
		return err
	}
	for r, err := range a.Catalog.RevisedRows(ctx) {
		if err != nil {
			return err
		}
		b.revised[r.Row] = r
	}
	b.site.Grow(b.options.Records)
	for l, err := range a.Catalog.Summaries(ctx) {
		if err != nil {
			return err
		}
		if l.Address != "" && (!site.IsItemAddress(l.Address, l.ID) || b.site.Words.ReservesPage(l.Address)) {
			l.Address = "" // an older program imported it, or somebody edited the archive
		}
		if l.Address != "" && !b.names.Take(l.Address) { // also if the item is left out: it may come back
			b.sharedAddress = true
		}
		if l.Standing { // its address follows from its place in the tree
			b.asArticle[l.Row], l.Address = l.Address, ""
		}
		switch {
		case l.Kind == record.Folder, l.Kind == record.Writer, l.Kind == record.Page:
		default:
			if err := b.addSummary(l); err != nil {
				return fmt.Errorf("%s %s: damaged metadata: %w", l.Kind, l.ID, err)
			}
		}
	}
	return nil
}

// addSummary adds an item, unless it is left out.
func (b *builder) addSummary(l *archive.Summary) error {
	folders, err := b.foldersOf(l)
	switch {
	case err != nil:
		return err
	case l.Standing:
		if b.standing[l.Row] == nil {
			return nil
		}
		return b.addItem(l, folders)
	case b.isExcluded(l, folders):
		b.exclude(l)
	case !b.options.DropGone || !l.Gone:
		return b.addItem(l, folders)
	}
	return nil
}

// foldersOf returns the numbers of an item's folders, the main one first.
func (b *builder) foldersOf(l *archive.Summary) ([]uint32, error) {
	b.folderList = append(b.folderList[:0], b.paths.number(l.Path))
	paths, err := texts(l.Paths)
	for _, path := range paths {
		if n := b.paths.number(path); !slices.Contains(b.folderList, n) {
			b.folderList = append(b.folderList, n)
		}
	}
	for n := len(b.wanted); n < len(b.paths.texts); n++ {
		b.wanted = append(b.wanted, b.options.wanted(b.paths.texts[n]))
	}
	return b.folderList, err
}

// add adds a folder, writer or page. Folders and writers cannot be excluded: they are
// shown if items name them.
func (b *builder) add(r *archive.Record) {
	switch {
	case b.options.DropGone && !r.GoneAt.IsZero():
	case r.Kind == record.Folder:
		b.nameFolder(r)
	case r.Kind == record.Writer:
		b.people.record(r, b.pictureOf(r))
	case b.options.wantsKind(site.Kind(r.Kind)):
		list := site.List{Kind: site.OfPages, Title: cmp.Or(r.Title, r.ID)}
		b.pages = append(b.pages, pageRecord{&site.Page{List: list, ID: r.ID, URL: r.URL}, r})
	}
}

func (o *Options) wantsKind(kind site.Kind) bool {
	return len(o.Kinds) == 0 || slices.Contains(o.Kinds, kind)
}

// isExcluded reports whether the configuration excludes items of this kind or these
// folders.
func (b *builder) isExcluded(l *archive.Summary, folders []uint32) bool {
	var w wanted
	for _, n := range folders {
		w = w.with(b.wanted[n])
	}
	return !b.options.wantsKind(site.Kind(l.Kind)) || !w.included || w.excluded
}

// listedAs are the kinds that an article may be listed as, too, by content type.
var listedAs = map[string]site.Kind{"Column": site.Column, "NewsPhotoGallery": site.Gallery, "NewsVideo": site.Video}

func (b *builder) addItem(l *archive.Summary, folders []uint32) error {
	tags, err := texts(l.Tags)
	if err != nil {
		return err
	}
	d := site.Draft{
		Row: l.Row, Kind: site.Kind(l.Kind), ID: l.ID, Address: l.Address,
		Order: order(l), Published: l.Published, Modified: modified(l), Gone: l.Gone, Revised: b.revised[l.Row].Versions > 0,
		Folder: int(folders[0]), Folders: folders[1:], Byline: int(b.bylines.number(l.Writers)),
		Tags: b.countTags(tags), Ref: site.RefTo(l.ID, l.URL),
	}
	if err := b.digests(&d, l); err != nil {
		return err
	}
	b.site.Add(&d)
	if kind := listedAs[l.Type]; d.Kind == site.Article && kind != "" {
		b.duplicates[strings.Clone(l.ID)] = kind
	}
	b.hosts[origin(l.URL)]++
	return nil
}

// texts returns the strings of a JSON array. Most have no escapes: a decoder would
// take longer than all other parts of arranging. The strings share the document's
// memory.
func texts(document string) ([]string, error) {
	inner, ok1 := strings.CutPrefix(document, `["`)
	inner, ok2 := strings.CutSuffix(inner, `"]`)
	if !ok1 || !ok2 || strings.Contains(inner, `\`) {
		return decode[string](document)
	}
	return strings.Split(inner, `","`), nil
}

// decode decodes a JSON array, which may be missing.
func decode[T any](document string) (list []T, err error) {
	if len(document) > len("[]") {
		err = json.Unmarshal([]byte(document), &list)
	}
	return list, err
}

// origin returns scheme and host of an address as written, "" without a scheme.
func origin(address string) string {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	if path := strings.IndexAny(rest, "/?#"); path >= 0 {
		return address[:len(address)-len(rest)+path]
	}
	return address
}

// tolerance is how far the source's clock may be ahead, in milliseconds.
const tolerance = int64(5 * time.Minute / time.Millisecond)

// order returns the time by which an item is sorted: its publication date, or its
// arrival if the date is later than that. The item would else stay on top.
func order(l *archive.Summary) int64 {
	if l.Published > l.Seen+tolerance {
		return l.Seen
	}
	return l.Published
}

// modified returns when a record was last changed, or 0. Dates after the record's
// last arrival are ignored too.
func modified(l *archive.Summary) int64 {
	if arrived := max(l.Seen, l.Changed, l.Fetched); l.Modified <= l.Published || l.Modified > arrived+tolerance {
		return 0
	}
	return l.Modified
}

// table numbers texts that many items share.
type table struct {
	numbers map[string]uint32
	texts   []string
}

func (t *table) number(text string) uint32 {
	n, ok := t.numbers[text]
	if !ok {
		n = uint32(len(t.texts))
		t.texts = append(t.texts, strings.Clone(text))
		t.numbers[t.texts[n]] = n
	}
	return n
}
