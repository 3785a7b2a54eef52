package site

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Digest identifies what a file shows: files of one digest have the same bytes. The zero
// Digest stands for none.
type Digest [16]byte

// Mixer collects what a digest is made of. The zero Mixer is empty.
type Mixer struct{ content []byte }

var mixers = sync.Pool{New: func() any { return new(Mixer) }}

// DigestOf returns the digest of what mix adds. It reuses memory.
func DigestOf(mix func(m *Mixer)) Digest {
	m := mixers.Get().(*Mixer)
	mix(m)
	d := m.Sum()
	mixers.Put(m)
	return d
}

// Text adds texts.
func (m *Mixer) Text(texts ...string) {
	for _, text := range texts {
		m.content = append(binary.AppendUvarint(m.content, uint64(len(text))), text...)
	}
}

// Bytes adds texts that are bytes.
func (m *Mixer) Bytes(texts ...[]byte) {
	for _, text := range texts {
		m.content = append(binary.AppendUvarint(m.content, uint64(len(text))), text...)
	}
}

// Number adds numbers.
func (m *Mixer) Number(numbers ...int64) {
	for _, n := range numbers {
		m.content = binary.LittleEndian.AppendUint64(m.content, uint64(n))
	}
}

// Flag adds truth values.
func (m *Mixer) Flag(flags ...bool) {
	for _, flag := range flags {
		m.content = append(m.content, 0)
		if flag {
			m.content[len(m.content)-1] = 1
		}
	}
}

// Short adds short digests.
func (m *Mixer) Short(digests ...uint64) {
	for _, d := range digests {
		m.content = binary.LittleEndian.AppendUint64(m.content, d)
	}
}

// Digest adds digests.
func (m *Mixer) Digest(digests ...Digest) {
	for _, d := range digests {
		m.content = append(m.content, d[:]...)
	}
}

// Shown adds what lists show of items.
func (m *Mixer) Shown(items Items) {
	m.Number(int64(items.Len()))
	for item := range items.All() {
		m.Short(item.Shown())
	}
}

// List adds what a page of a list shows of it beside its items.
func (m *Mixer) List(l *List) {
	m.Text(string(l.Kind), l.Dir, l.Title)
	m.Flag(l.NoFeeds, l.AllFormats, l.NoHistory, l.OwnFeeds)
}

// Folder adds a folder, and those above it: their digest, once there is one.
func (m *Mixer) Folder(f *Folder) {
	if f != nil && f.digest != 0 {
		m.Short(f.digest)
		return
	}
	for ; f != nil; f = f.Parent {
		m.List(&f.List)
		m.Text(f.Path)
	}
}

// Writer adds a writer.
func (m *Mixer) Writer(w *Writer) {
	m.List(&w.List)
	m.Text(w.ID, w.URL)
	m.Short(w.Shown)
}

// Settings adds the settings of a site. Other rules of its time zone are other settings.
func (m *Mixer) Settings(s *Settings) {
	encoded, err := json.Marshal(s) // a location is encoded as {}
	if err != nil {
		panic(err) // a programming error: the type is known
	}
	m.Bytes(encoded)
	if s.Location == nil {
		return
	}
	m.Text(s.Location.String())
	for year := 1970; year < 2040; year++ {
		for month := time.January; month <= time.December; month++ {
			_, offset := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).In(s.Location).Zone()
			m.Number(int64(offset))
		}
	}
}

// Sum returns the digest of what was added, and empties the mixer.
func (m *Mixer) Sum() Digest {
	sum := sha256.Sum256(m.content)
	m.content = m.content[:0]
	return Digest(sum[:])
}

// ShortSum returns the first half of Sum: items hold so much of their digests.
func (m *Mixer) ShortSum() uint64 {
	d := m.Sum()
	return binary.LittleEndian.Uint64(d[:])
}

// Shown is a digest of what lists show of the item. Named is one of that, its tags and all
// its folders: of what the search shows beside texts. Content is one of all that its page
// and entries in feeds show beside other items. [Site.Seal] makes them.
func (i Item) Shown() uint64 { return i.record().shown }

// Note is [Draft.Note], until [Site.Seal].
func (i Item) Note() uint64 { return i.record().named }

// Named is described at [Item.Shown].
func (i Item) Named() uint64 { return i.record().named }

// Text is described at [Item.Shown].
func (i Item) Text() uint64 { return i.record().text }

// Content is described at [Item.Shown].
func (i Item) Content() uint64 { return i.record().content }

// Seal makes the digests of all items. It is called once, when the site is complete.
func (s *Site) Seal() {
	var m Mixer
	folders, bylines, tags := make([]uint64, len(s.FolderOf)), make([]uint64, len(s.WritersOf)), make([]uint64, len(s.TagOf))
	for n, folder := range s.FolderOf {
		m.Folder(folder)
		folders[n] = m.ShortSum()
	}
	for n, folder := range s.FolderOf {
		if folder != nil {
			folder.digest = folders[n]
		}
	}
	for n, writers := range s.WritersOf {
		for _, w := range writers {
			m.Writer(w)
		}
		bylines[n] = m.ShortSum()
	}
	for n, tag := range s.TagOf {
		m.List(&tag.List)
		tags[n] = m.ShortSum()
	}
	s.related = []uint32{0}
	for number := range s.records {
		item := Item{&s.Collection, uint32(number)}
		r := item.record()
		m.Bytes(s.nameAt(r.name))
		m.Number(int64(r.kind), r.order, item.Published(), r.modified)
		m.Short(r.shown, entry(folders, r.folder), entry(bylines, r.byline))
		r.shown = m.ShortSum()
		m.Short(r.shown)
		for _, n := range item.otherFolders() {
			m.Short(entry(folders, n))
		}
		for _, n := range s.listAt(r.tags) {
			m.Short(tags[n])
		}
		r.named = m.ShortSum()
		m.Short(r.named, r.text, r.content)
		if len(s.comments) > 0 {
			s.mixComments(&m, item)
		}
		m.Number(int64(r.flags))
		related, links := s.refsOf(r)
		s.mixRelated(&m, item, related)
		for _, link := range links {
			var address []byte
			if to := s.Find(link); to.Exists() {
				_, address = s.nameAt(to.record().name)
			}
			m.Bytes(address)
		}
		r.content = m.ShortSum()
	}
	s.refs = nil
}

// mixComments adds the comments of an item.
func (s *Site) mixComments(m *Mixer, item Item) {
	if c := s.comments[item.ID()]; c.Count > 0 {
		m.Number(int64(c.Count))
		m.Short(c.Digest)
	}
}

// mixRelated stores which items an item refers to, and adds which of them exist: its page names
// the others.
func (s *Site) mixRelated(m *Mixer, item Item, related []Ref) {
	start := uint32(len(s.related))
	s.related = append(s.related, 0)
	for _, ref := range related {
		to := s.Find(ref)
		m.Flag(to.Exists())
		if to.Exists() && to != item && !slices.Contains(s.related[start+1:], to.number) {
			s.related = append(s.related, to.number)
		}
	}
	r := item.record()
	if r.refs = start; uint32(len(s.related)) == start+1 {
		r.refs, s.related = 0, s.related[:start]
		return
	}
	s.related[start] = uint32(len(s.related)) - start - 1
}
