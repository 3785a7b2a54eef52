package arrange

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// pending is an item with what is not linked yet. There are as many as items,
// so it is kept small.
type pending struct {
	*site.Item
	ref     site.Ref
	path    uint32    // of the folder, in builder.paths
	byline  uint32    // the writers, in builder.bylines
	fresh   bool      // it has no address in the archive
	double  site.Kind // where an article says that it is of another kind: that kind
	words   []*spelling
	related []site.Ref
	links   []site.Ref
}

// subject tells an item from every other one.
func (p *pending) subject() string { return string(p.Kind) + "/" + p.ID }

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
	for l, err := range a.Light(ctx) {
		if err != nil {
			return err
		}
		if len(l.Address) > 0 && !b.names.Restore(string(l.Address)) { // also of what is left out: it may come back
			b.shared = true
		}
		if b.wantsItem(l) {
			if err := b.addItem(l); err != nil {
				return fmt.Errorf("%s %s: damaged metadata: %w", l.Kind, l.ID, err)
			}
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
		page := &site.Page{ID: r.ID, URL: r.URL, Version: version(r.Hash[:], r.Pictures, !r.Vanished.IsZero())}
		page.Sort = site.OfPages
		page.Title = cmp.Or(r.Title, r.ID)
		b.pages = append(b.pages, pageRecord{page, r})
	}
}

func (o *Options) wantsKind(kind site.Kind) bool {
	return len(o.Kinds) == 0 || slices.Contains(o.Kinds, kind)
}

func (b *builder) wantsItem(l *archive.Light) bool {
	switch l.Kind {
	case archive.Folder, archive.Writer, archive.Page:
		return false
	}
	if (b.options.DropGone && l.Gone) || !b.options.wantsKind(site.Kind(l.Kind)) {
		return false
	}
	path := b.paths.number(l.Path)
	if int(path) == len(b.paths.wanted) {
		b.paths.wanted = append(b.paths.wanted, b.options.Wants(string(l.Path)))
	}
	return b.paths.wanted[path]
}

// doubled are the kinds that articles may turn out to be of.
var doubled = map[string]site.Kind{"Column": site.Column, "NewsPhotoGallery": site.Gallery, "NewsVideo": site.Video}

func (b *builder) addItem(l *archive.Light) error {
	item := &b.store.items.take(1)[0]
	*item = site.Item{
		Row: l.Row, Kind: site.Kind(l.Kind), ID: b.store.texts.keep(l.ID), Address: b.store.texts.keep(l.Address),
		Version: version(l.Hash, l.Pictures, l.Gone), Teaser: b.teaser(l),
		Order: order(l), Published: l.Published, Modified: modified(l), Versions: int32(b.versions[l.Row]), Gone: l.Gone,
	}
	if item.Address != "" {
		placed(item)
	}
	p := pending{
		Item: item, ref: site.RefTo(string(l.ID), string(l.URL)), fresh: len(l.Address) == 0,
		path: b.paths.number(l.Path), byline: b.bylines.number(l.Writers),
	}
	if item.Kind == site.Article {
		p.double = doubled[string(l.Type)]
	}
	b.hosts[origin(l.URL)]++
	var err1, err2, err3 error
	p.words, err1 = b.spellings(l.Tags)
	p.related, err2 = b.references(l.Related)
	p.links, err3 = b.addresses(l.Linked)
	b.pending = append(b.pending, p)
	return cmp.Or(err1, err2, err3)
}

// origin returns the part of an address before its path.
func origin(address []byte) string {
	host := bytes.Index(address, []byte("://"))
	if host < 0 {
		return ""
	}
	host += len("://")
	if end := bytes.IndexAny(address[host:], "/?#"); end >= 0 {
		return string(address[:host+end])
	}
	return string(address)
}

// references returns what a record says is related to it.
func (b *builder) references(document []byte) ([]site.Ref, error) {
	if len(document) <= len("[]") {
		return nil, nil
	}
	var related []archive.Reference
	if err := json.Unmarshal(document, &related); err != nil {
		return nil, err
	}
	refs := b.store.pending.take(len(related))
	for i, reference := range related {
		refs[i] = site.RefTo(reference.ID, reference.URL)
	}
	return refs, nil
}

// addresses returns what a record's text links.
func (b *builder) addresses(document []byte) ([]site.Ref, error) {
	list, err := stringList(document)
	if len(list) == 0 || err != nil {
		return nil, err
	}
	refs := b.store.pending.take(len(list))
	for i, address := range list {
		refs[i] = site.RefTo("", address)
	}
	return refs, nil
}

// stringList reads a JSON array of strings. Most hold no escape.
func stringList(document []byte) ([]string, error) {
	if len(document) <= len("[]") {
		return nil, nil
	}
	if bytes.IndexByte(document, '\\') < 0 {
		inner, ok := strings.CutPrefix(string(document), `["`)
		if inner, ok2 := strings.CutSuffix(inner, `"]`); ok && ok2 {
			return strings.Split(inner, `","`), nil
		}
	}
	var list []string
	err := json.Unmarshal(document, &list)
	return list, err
}

func persons(document string) ([]archive.Person, error) {
	if len(document) <= len("[]") {
		return nil, nil
	}
	var people []archive.Person
	err := json.Unmarshal([]byte(document), &people)
	return people, err
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
func version(hash, pictures []byte, gone bool) uint64 {
	h := fnv.New64a()
	for _, part := range [][]byte{hash, {0}, pictures} {
		h.Write(part)
	}
	if gone {
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// teaser is a digest of what lists can show of a record but for its address.
func (b *builder) teaser(l *archive.Light) uint64 {
	if hash, ok := b.teasers[l.Row]; ok {
		return version(fmt.Appendf(nil, "%X", hash), l.Pictures, false)
	}
	return version(l.Hash, l.Pictures, false)
}

// placed adds an item's address to its digests.
func placed(item *site.Item) {
	item.Version, item.Teaser = versionAt(item.Version, item.Address), versionAt(item.Teaser, item.Address)
}

// versionAt adds the address to a version.
func versionAt(version uint64, address string) uint64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, version))
	h.Write([]byte(address))
	return h.Sum64()
}
