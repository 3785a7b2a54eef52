package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/server/sample"
)

// writeArchive stores the items in the archive, as a synchronisation stores the
// answers of a service.
func writeArchive(ctx context.Context, s settings, p *paper, orders iter.Seq[order]) error {
	_, err := os.Stat(s.archive)
	switch {
	case !s.isNew() && err != nil:
		return fmt.Errorf("edit the archive: %w", err)
	case s.isNew() && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make the archive: %s exists; remove it, or name another file", s.archive)
	}
	a, err := archive.Open(ctx, s.archive)
	if err != nil {
		return err
	}
	if s.isNew() {
		// An empty index is up to date: else the first build would fill it anew.
		err = errors.Join(a.Index.Refill(ctx, nil), putFoldersAndWriters(ctx, a), writeConfig(s))
	}
	if err == nil {
		err = inBatches(p, orders, func(it item) (cleaned, error) { return clean(it.record()) }, func(records []cleaned) error { return put(ctx, a, records) })
	}
	return errors.Join(err, a.Close())
}

func putFoldersAndWriters(ctx context.Context, a *archive.Archive) error {
	var records []cleaned
	add := func(r *archive.Record) error {
		c, err := clean(r)
		records = append(records, c)
		return err
	}
	for i := range folders {
		if err := add(folders[i].record()); err != nil {
			return err
		}
	}
	for i := range writers {
		if err := add(writers[i].record()); err != nil {
			return err
		}
	}
	return put(ctx, a, records)
}

// cleaned is a record with its metadata and its cleaned text, which a synchronisation
// stores together.
type cleaned struct {
	*archive.Record
	text    []byte
	version int64
}

// words are those of the language in siteYAML.
var words = sync.OnceValues(func() (site.Words, error) { return site.WordsFor("tr") })

func clean(r *archive.Record) (c cleaned, err error) {
	words, err := words()
	if err != nil {
		return c, err
	}
	content, body, err := record.Read(&r.Record, record.Dates{}, words.Table)
	if err != nil {
		return c, err
	}
	c.Record = r
	c.text, c.version, err = story.Cleaned(r, content, body, words.Table)
	return c, err
}

func put(ctx context.Context, a *archive.Archive, records []cleaned) error {
	return a.Update(ctx, func(tx *archive.Tx) error {
		for _, r := range records {
			if _, err := tx.Put(r.Record, arrival); err != nil {
				return err
			}
			if err := tx.PutText(r.Row, r.version, r.text); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeConfig writes a site.yaml beside the archive, for a site that has what the
// Hugo site has.
func writeConfig(s settings) error {
	name := filepath.Join(filepath.Dir(s.archive), "site.yaml")
	if err := os.WriteFile(name, fmt.Appendf(nil, siteYAML, filepath.Base(s.archive)), 0o644); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

const siteYAML = `# For a build in this folder with the flag --offline.
title: Kıyı Haber
description: Kıyıdan haberler, köşe yazıları ve galeriler.
base_url: https://ayna.example/
language: tr
source:
  name: Kıyı Haber
  site: https://www.kiyi-haber.example/
feeds:
  formats: [rss, atom]
  of: [home, folders]
canonical: mirror
markdown: false
search: {texts: false}
media: link
archive: %s
output: site/public
`

var contentTypes = map[site.Kind]string{
	site.Article: "Article", site.Column: "Column", site.Gallery: "NewsPhotoGallery", site.Video: "NewsVideo",
}

// record is an item as in its list and under its own address.
func (it *item) record() *archive.Record {
	list := sample.Answer{
		ID: it.id, ContentType: contentTypes[it.kind], CreatedDate: dateText(it.published), Description: &it.spot,
		Path: it.folder.path, StartDate: dateText(it.published), Title: it.title, URL: it.url(),
	}
	for _, p := range it.pictures {
		list.Files = append(list.Files, sample.File{FileURL: p.url, Metadata: sample.Metadata{Title: p.title, Description: &p.caption}})
	}
	if !it.modified.IsZero() && it.kind != site.Column {
		list.ModifiedDate = dateText(it.modified)
	}
	text, single := asHTML(it.text), list
	single.Tags, single.Text = it.tags, &text
	if it.editor != "" {
		single.Editor = &it.editor
	}
	switch it.kind {
	case site.Column:
		list.Fullname, list.WriterID = it.writer.name, it.writer.id
		single.Fullname = it.writer.name
	case site.Article:
		single.Writers = []sample.Answer{{ID: it.writer.id, Fullname: it.writer.name}}
	}
	for _, h := range it.related {
		single.RelatedNews = append(single.RelatedNews, sample.Answer{ID: h.id, Title: h.title, URL: h.url()})
	}
	return newRecord(record.Kind(it.kind), list, single)
}

func (f *folder) record() *archive.Record {
	a := sample.Answer{ID: f.id, Path: f.path, Title: f.title}
	return newRecord(record.Folder, a, a)
}

func (w *writer) record() *archive.Record {
	a := sample.Answer{
		ID: w.id, Fullname: w.name, ContentType: "PersonContainer", CreatedDate: dateText(newest.Add(-years)), Path: "/yazarlar/",
		URL:   home + "/yazarlar/" + w.slug + "/",
		Files: []sample.File{{FileURL: pictures + "/" + w.slug + ".jpg", Metadata: sample.Metadata{Description: new(string)}}},
	}
	return newRecord(record.Writer, a, a)
}

func newRecord(kind record.Kind, list, single sample.Answer) *archive.Record {
	return &archive.Record{Record: record.Record{Kind: kind, ID: list.ID, Answers: record.Answers{List: list.JSON(), Single: single.JSON()}}, Progress: archive.Progress{Pass: 1, Listed: arrival, Fetched: arrival}}
}

func dateText(t time.Time) string { return t.Format(time.RFC3339) }
