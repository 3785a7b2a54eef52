package arrange

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// scan reads the archive: first the few records that others are named by, then
// the items.
func (b *builder) scan(ctx context.Context, a *archive.Archive) error {
	for r, err := range a.Scan(ctx, archive.Folder, archive.Writer, archive.Page) {
		if err != nil {
			return err
		}
		b.add(r)
	}
	var err error
	if b.versions, err = a.Versions(ctx); err != nil {
		return err
	}
	if b.teasers, err = a.TeaserHashes(ctx); err != nil {
		return err
	}
	b.site.Grow(b.options.Records)
	for l, err := range a.Light(ctx) {
		if err != nil {
			return err
		}
		if l.Address != "" && (!site.IsItemAddress(l.Address, l.ID) || b.site.Words.Needs(l.Address)) {
			l.Address = "" // an older program imported it, or somebody edited the archive
		}
		if l.Address != "" && !b.names.Restore(l.Address) { // also of what is left out: it may come back
			b.shared = true
		}
		if b.wantsItem(l) {
			if err := b.addItem(l); err != nil {
				return fmt.Errorf("%s %s: damaged metadata: %w", l.Kind, l.ID, err)
			}
		} else if b.leftOut(l) {
			b.withhold(l)
		}
	}
	return nil
}

// add enters a record that is no item. Folders and writers always belong to the
// site: they are shown where items name them. Editorial pages have no folder.
func (b *builder) add(r *archive.Record) {
	switch {
	case b.options.DropGone && !r.Vanished.IsZero():
	case r.Kind == archive.Folder:
		b.name(r)
	case r.Kind == archive.Writer:
		b.people.record(r)
	case b.options.wantsKind(site.Kind(r.Kind)):
		page := &site.Page{ID: r.ID, URL: r.URL, Version: version(string(r.Hash[:]), string(r.Pictures), !r.Vanished.IsZero())}
		page.Sort = site.OfPages
		page.Title = cmp.Or(r.Title, r.ID)
		b.pages = append(b.pages, pageRecord{page, r})
	}
}

func (o *Options) wantsKind(kind site.Kind) bool {
	return len(o.Kinds) == 0 || slices.Contains(o.Kinds, kind)
}

func (b *builder) wantsItem(l *archive.Light) bool {
	return isItem(l.Kind) && (!b.options.DropGone || !l.Gone) && !b.leftOut(l)
}

func isItem(kind archive.Kind) bool {
	return kind != archive.Folder && kind != archive.Writer && kind != archive.Page
}

// leftOut reports whether the configuration leaves out items of the kind or the
// folder.
func (b *builder) leftOut(l *archive.Light) bool {
	if !isItem(l.Kind) {
		return false
	}
	if !b.options.wantsKind(site.Kind(l.Kind)) {
		return true
	}
	path := b.paths.number(l.Path)
	if int(path) == len(b.paths.wanted) {
		b.paths.wanted = append(b.paths.wanted, b.options.Wants(l.Path))
	}
	return !b.paths.wanted[path]
}

// doubled are the kinds that articles may turn out to be of.
var doubled = map[string]site.Kind{"Column": site.Column, "NewsPhotoGallery": site.Gallery, "NewsVideo": site.Video}

func (b *builder) addItem(l *archive.Light) error {
	d := &b.draft
	*d = site.Draft{
		Row: l.Row, Kind: site.Kind(l.Kind), ID: l.ID, Address: l.Address,
		Version: version(l.Hash, l.Pictures, l.Gone), Teaser: b.teaser(l),
		Order: order(l), Published: l.Published, Modified: modified(l), Versions: b.versions[l.Row], Gone: l.Gone,
		Folder: int(b.paths.number(l.Path)), Byline: int(b.bylines.number(l.Writers)),
		Ref: site.RefTo(l.ID, l.URL),
	}
	if d.Address == "" {
		b.fresh.Add(l.Row)
	}
	if double := doubled[l.Type]; d.Kind == site.Article && double != "" {
		b.doubles[strings.Clone(l.ID)] = double
	}
	b.hosts[origin(l.URL)]++
	names, err1 := b.reader.list(l.Tags)
	d.Tags = b.tagged(names)
	var err2, err3 error
	d.Related, err2 = b.reader.references(l.Related)
	d.Links, err3 = b.reader.addresses(l.Linked)
	b.site.Add(d)
	return cmp.Or(err1, err2, err3)
}

// origin returns the part of an address before its path.
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

// tolerance is how far the source's clock may be ahead.
const tolerance = int64(5 * time.Minute / time.Millisecond)

// order returns an item's place in time. A date that lies in the future when
// the record is first seen is not believed: it would stay on top for ever.
func order(l *archive.Light) int64 {
	if l.Published > l.Seen+tolerance {
		return l.Seen
	}
	return l.Published
}

// modified returns when a record was last changed, 0 if it was not. A change
// later than the record's last arrival is not believed either.
func modified(l *archive.Light) int64 {
	if arrived := max(l.Seen, l.Changed, l.Fetched); l.Modified <= l.Published || l.Modified > arrived+tolerance {
		return 0
	}
	return l.Modified
}

// version is a digest of all that can be shown of a record but for its address.
func version(hash, pictures string, gone bool) uint64 {
	v := fnv1a(fnv1a(fnv1a(fnvOffset, hash), "\x00"), pictures)
	if gone {
		v = fnv1a(v, "\x00")
	}
	return v
}

// teaser is a digest of what lists can show of a record but for its address.
func (b *builder) teaser(l *archive.Light) uint64 {
	if hash, ok := b.teasers[l.Row]; ok {
		return version(fmt.Sprintf("%X", hash), l.Pictures, false)
	}
	return version(l.Hash, l.Pictures, false)
}

// versionAt adds the address to a version.
func versionAt(version uint64, address string) uint64 { return fnv1a(mixed(version), address) }

// mixed is a digest of digests.
func mixed(digests ...uint64) uint64 {
	h := uint64(fnvOffset)
	for _, d := range digests {
		for range 8 {
			h, d = (h^d&0xff)*1099511628211, d>>8
		}
	}
	return h
}

// fnv1a is the FNV-1a hash of text, going on from h.
func fnv1a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

const fnvOffset = 14695981039346656037
