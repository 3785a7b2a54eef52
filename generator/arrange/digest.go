package arrange

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
)

// pictured has digests of the mirrored files of a record: of the lead picture, of the titles of
// cards, and of all.
type pictured struct{ lead, titles, all uint64 }

// scanPictures reads which pictures and attachments of some rows, nil for all, are mirrored: one
// that arrives later changes what pages show. If they are linked, there is nothing to read.
func (b *builder) scanPictures(ctx context.Context, a *archive.Archive, rows []int64) error {
	b.pictured = make(map[int64]pictured)
	if !b.options.Mirror {
		return nil
	}
	var all, one site.Mixer
	var last int64
	var p pictured // of the record of the last row
	end := func() {
		if last != 0 {
			p.all = all.ShortSum()
			b.pictured[last] = p
		}
	}
	for m, err := range a.Pictures.All(ctx, rows) {
		if err != nil {
			return err
		}
		if m.Row != last {
			end()
			last, p = m.Row, pictured{}
		}
		add := func(to *site.Mixer) {
			to.Text(m.URL, m.Name, m.Type, m.Title)
			to.Number(int64(m.Width), int64(m.Height), m.Bytes)
		}
		add(&all)
		if m.First {
			add(&one)
			p.lead = one.ShortSum()
		}
		if m.Title != "" {
			one.Short(p.titles)
			one.Text(m.URL, m.Title)
			p.titles = one.ShortSum()
		}
	}
	end()
	return nil
}

// scanComments counts the comments of readers. Each scan counts all: 100,000 take 0.15 s of
// processor time.
func (b *builder) scanComments(ctx context.Context, a *archive.Archive) error {
	if !b.options.Comments {
		return nil
	}
	comments := make(map[string]site.Comments)
	for c, err := range a.Comments.Counts(ctx) {
		if err != nil {
			return err
		}
		comments[c.Record] = site.Comments{Count: c.Count, Digest: c.Digest}
	}
	b.site.SetComments(comments)
	return nil
}

// digests sets the digests of an item, and its references.
func (b *builder) digests(d *site.Draft, l *archive.Summary) error {
	m := &b.mixer
	m.Bytes(l.Title, l.Spot, l.Lead)
	m.Flag(l.Members)
	m.Number(int64(l.Pictures))
	m.Short(b.pictured[l.Row].lead)
	d.Shown = m.ShortSum()
	revised := b.revised[l.Row]
	m.Bytes(l.Hash)
	m.Short(b.pictured[l.Row].titles)
	d.Text = m.ShortSum()
	m.Number(revised.Versions, revised.Last)
	m.Short(b.pictured[l.Row].all)
	d.Content = m.ShortSum()

	b.related, b.links = b.related[:0], b.links[:0]
	related, err := references(l.Related)
	for _, reference := range related {
		b.related = append(b.related, site.RefTo(reference.ID, reference.URL))
	}
	if err == nil && len(l.Links) > len("[]") {
		var links []string
		if links, err = texts(string(l.Links)); err == nil {
			for _, link := range links {
				b.links = append(b.links, site.RefToLink(link))
			}
		}
	}
	d.Related, d.Links = b.related, b.links
	return err
}

// shownOf returns the digest of a writer's picture and of the words about the writer.
func (b *builder) shownOf(r *archive.Record) uint64 {
	b.mixer.Text(r.Lead, r.Spot)
	b.mixer.Short(b.pictured[r.Row].lead)
	return b.mixer.ShortSum()
}

// references returns the references of a JSON array. As in [texts], most have no escapes.
func references(document []byte) (list []record.Reference, err error) {
	if len(document) <= len("[]") {
		return nil, nil
	}
	inner, ok1 := strings.CutPrefix(string(document), `[{"id":"`)
	inner, ok2 := strings.CutSuffix(inner, `"}]`)
	plain := ok1 && ok2 && bytes.IndexByte(document, '\\') < 0
	for part := range strings.SplitSeq(inner, `"},{"id":"`) {
		id, rest, ok1 := strings.Cut(part, `","title":"`)
		title, url, ok2 := strings.Cut(rest, `","url":"`)
		plain = plain && ok1 && ok2
		list = append(list, record.Reference{ID: id, Title: title, URL: url})
	}
	if plain {
		return list, nil
	}
	list = nil
	err = json.Unmarshal(document, &list)
	return list, err
}
