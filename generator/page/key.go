package page

import (
	"strings"

	"ayna/generator/site"
)

// key returns the key of the page at an address: of what all pages show, of the layout, and of
// what mix adds. Whatever a view takes from the site beside these, mix has to add: what chooses
// items and lists for a view, such as [aroundOf], does so for its key too.
func (r *Renderer) key(address string, mix func(m *site.Mixer)) func() site.Digest {
	return func() site.Digest { return r.keyOf(address, mix) }
}

func (r *Renderer) keyOf(address string, mix func(m *site.Mixer)) site.Digest {
	l, err := r.layoutDigest(address)
	if err != nil {
		return site.Digest{} // the page itself reports it
	}
	return r.keyWithout(address, func(m *site.Mixer) {
		m.Digest(l)
		mix(m)
	})
}

// layoutDigest returns the digest of a page's layout, which pages of one directory share.
func (r *Renderer) layoutDigest(address string) (site.Digest, error) {
	key := address // home and the page for unknown addresses have their own
	if end := strings.LastIndexByte(address, '/'); end >= 0 {
		key = address[:end]
	}
	if d, ok := r.layoutDigests.Get(key); ok {
		return d, nil
	}
	l, err := r.layout(address)
	if err != nil {
		return site.Digest{}, err
	}
	var m site.Mixer
	m.Text(string(l.head), string(l.top), string(l.bottom))
	d := m.Sum()
	r.layoutDigests.Put(key, d)
	return d, nil
}

// keyWithout returns the key of a file without a layout.
func (r *Renderer) keyWithout(address string, mix func(m *site.Mixer)) site.Digest {
	return site.DigestOf(func(m *site.Mixer) {
		m.Digest(r.base)
		m.Text(address)
		mix(m)
	})
}

// baseOf returns the digest of what all files show.
func baseOf(s *site.Site, mirror, attached bool) site.Digest {
	var m site.Mixer
	m.Settings(&s.Settings)
	m.Flag(mirror, attached)
	return m.Sum()
}

// mixItems adds what lists show of items; some may not exist.
func mixItems(m *site.Mixer, items ...site.Item) {
	m.Number(int64(len(items)))
	for _, item := range items {
		if item.Exists() {
			m.Short(item.Shown())
		} else {
			m.Short(0)
		}
	}
}

// mix adds what each page of the list shows of it beside items.
func (l *listInfo) mix(m *site.Mixer) {
	m.Text(l.kind, l.index.Href, l.index.Text)
	m.List(l.List)
	m.Flag(l.Items.Len() > 0, l.folder != nil, l.writer != nil, l.page != nil)
	m.Folder(l.folder)
	if l.writer != nil {
		m.Writer(l.writer)
	}
}

// mixFirst adds what only the first page of the list shows.
func (r *Renderer) mixFirst(m *site.Mixer, l *listInfo) {
	m.Text(r.site.Words.Count(l.Items))
	if l.HasYears() {
		mixPeriods(m, l.Periods(r.site.Location))
	}
	if l.folder != nil {
		m.Flag(l.AnyMonth())
		for _, folder := range l.folder.Folders {
			m.List(pageOf(folder))
		}
	}
	if l.page != nil {
		m.Text(l.page.URL)
		for _, reference := range l.page.Absent {
			m.Text(reference.URL, reference.Title)
		}
	}
}
