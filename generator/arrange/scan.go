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
// them, and then the items, or of these only what changed since the last scan.
func (b *builder) scan(ctx context.Context, a *archive.Archive) error {
	last, err := a.Catalog.LastChange(ctx)
	if err != nil {
		return err
	}
	rows, err := b.load(ctx, a)
	if err != nil {
		return err
	}
	if err := b.scanNamed(ctx, a, rows); err != nil {
		return err
	}
	if err := b.scanItems(ctx, a, rows); err != nil {
		return err
	}
	b.site.Sort()
	if err := b.save(ctx, a, last, rows); err != nil {
		return err
	}
	b.sift()
	return b.scanComments(ctx, a)
}

// scanNamed reads the folders, writers and pages, and the pictures of writers and of the items of
// some rows, nil for all.
func (b *builder) scanNamed(ctx context.Context, a *archive.Archive, rows []int64) error {
	var named []*archive.Record
	for r, err := range a.Catalog.Scan(ctx, record.Folder, record.Writer, record.Page) {
		if err != nil {
			return err
		}
		named = append(named, r)
	}
	if rows != nil {
		rows = slices.Clone(rows)
		for _, r := range named {
			rows = append(rows, r.Row)
		}
	}
	if err := b.scanPictures(ctx, a, rows); err != nil {
		return err
	}
	for _, r := range named {
		b.add(r)
	}
	return b.scanStanding(ctx, a)
}

// scanItems reads the items of some rows, nil for all.
func (b *builder) scanItems(ctx context.Context, a *archive.Archive, rows []int64) error {
	for r, err := range a.Catalog.RevisedRows(ctx, rows) {
		if err != nil {
			return err
		}
		b.revised[r.Row] = r
	}
	if rows == nil {
		b.site.Grow(b.options.Records)
	}
	for l, err := range a.Catalog.Summaries(ctx, rows) {
		if err != nil {
			return err
		}
		if err := b.addSummary(l); err != nil {
			return fmt.Errorf("%s %s: damaged metadata: %w", l.Kind, l.ID, err)
		}
	}
	for f, err := range a.Catalog.FormerURLs(ctx, rows) {
		if err != nil {
			return err
		}
		b.site.AddFormer(f.Row, f.URL)
	}
	return nil
}

// addSummary adds an item to the collection, also one that [builder.sift] removes.
func (b *builder) addSummary(l *archive.Summary) error {
	if l.Address != "" && (!site.IsItemAddress(l.Address, l.ID) || b.site.Words.ReservesPage(l.Address)) {
		l.Address = "" // an older program imported it, or somebody edited the archive
	}
	if l.Kind == record.Folder || l.Kind == record.Writer || l.Kind == record.Page {
		if l.Address != "" {
			b.site.Add(&site.Draft{Row: l.Row, Address: l.Address, Note: extra{state: absent}.note()})
		}
		return nil
	}
	folders, err := b.foldersOf(l)
	if err != nil {
		return err
	}
	d := site.Draft{
		Row: l.Row, Kind: site.Kind(l.Kind), ID: l.ID, Address: l.Address,
		Order: order(l), Published: l.Published, Modified: modified(l), Gone: l.Gone, Revised: b.revised[l.Row].Versions > 0,
		Folder: int(folders[0]), Folders: folders[1:], Byline: int(b.bylines.number(l.Writers)), Ref: site.RefTo(l.ID, l.URL),
	}
	e := extra{host: b.hosts.number(origin(l.URL)), state: b.stateOf(l, folders)}
	if d.Tags, err = b.numberTags(l.Tags); err == nil {
		err = b.digests(&d, l)
	}
	if err != nil && (e.state == shown || e.state == standing) {
		return err
	}
	if kind := listedAs[l.Type]; d.Kind == site.Article && kind != "" {
		e.also = uint8(1 + slices.Index(site.Kinds, kind))
	}
	d.Note = e.note()
	b.site.Add(&d)
	return nil
}

func (b *builder) stateOf(l *archive.Summary, folders []uint32) itemState {
	switch {
	case l.Standing && b.standing[l.Row] != nil:
		return standing
	case l.Standing:
		return absent
	case b.isExcluded(l, folders):
		return excluded
	case b.options.DropGone && l.Gone:
		return absent
	}
	return shown
}

// sift counts what the items of the site name, and removes the others.
func (b *builder) sift() {
	spellings := make([]*spelling, len(b.spellings.texts))
	for n, text := range b.spellings.texts {
		spellings[n] = b.spelling(text)
	}
	hosts := make([]int, len(b.hosts.texts))
	b.site.Drop(func(item site.Item) bool {
		e := extraOf(item)
		if address := item.Address(); address != "" && !b.names.Take(address) { // also if the item is left out: it may come back
			b.sharedAddress = true
		}
		switch e.state {
		case excluded:
			b.exclude(item)
			return true
		case absent:
			return true
		case standing: // its address follows from its place in the tree
			b.asArticle[item.Row()] = item.Address()
			b.site.SetAddress(item, "")
		}
		for _, n := range item.TagNumbers() {
			spellings[n].items++
		}
		if e.also > 0 {
			b.duplicates[item.ID()] = site.Kinds[e.also-1]
		}
		hosts[e.host]++
		return false
	})
	for n, host := range b.hosts.texts {
		b.items[host] = hosts[n]
	}
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
		b.people.record(r, b.shownOf(r))
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

func newTable(texts []string) table {
	t := table{make(map[string]uint32, len(texts)), texts}
	for n, text := range texts {
		t.numbers[text] = uint32(n)
	}
	return t
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
