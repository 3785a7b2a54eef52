package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// writeArchive stores the items in the archive, as a synchronisation stores the
// answers of a service.
func writeArchive(ctx context.Context, s settings, p *paper, orders iter.Seq[order]) error {
	_, err := os.Stat(s.archive)
	switch {
	case s.change > 0 && err != nil:
		return fmt.Errorf("edit the archive: %w", err)
	case s.change == 0 && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("make the archive: %s exists; remove it, or name another file", s.archive)
	}
	a, err := archive.Open(ctx, s.archive)
	if err != nil {
		return err
	}
	if s.change == 0 {
		err = errors.Join(putFoldersAndWriters(ctx, a), writeConfig(s))
	}
	if err == nil {
		err = inBatches(p, orders, filledRecord, func(records []*archive.Record) error { return put(ctx, a, records) })
	}
	return errors.Join(err, a.Close())
}

func putFoldersAndWriters(ctx context.Context, a *archive.Archive) error {
	var records []*archive.Record
	add := func(r *archive.Record, err error) error {
		if err == nil {
			err = wire.Fill(r, time.UTC)
		}
		records = append(records, r)
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

// filledRecord is the record of an item with its metadata.
func filledRecord(it item) (*archive.Record, error) {
	r, err := it.record()
	if err != nil {
		return nil, err
	}
	return r, wire.Fill(r, time.UTC)
}

func put(ctx context.Context, a *archive.Archive, records []*archive.Record) error {
	return a.Update(ctx, func(tx *archive.Tx) error {
		for _, r := range records {
			if _, err := tx.Put(r, arrival); err != nil {
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

// answer is a record as the service sends it (API document, section 2), with the
// fields in the service's order. Zero fields are absent.
type answer struct {
	ID           string     `json:"Id"`
	Fullname     string     `json:",omitzero"`
	ContentType  string     `json:",omitzero"`
	CreatedDate  *time.Time `json:",omitzero"`
	Description  string     `json:",omitzero"`
	Editor       string     `json:",omitzero"`
	Files        []file     `json:",omitzero"`
	ModifiedDate *time.Time `json:",omitzero"`
	Path         string     `json:",omitzero"`
	RelatedNews  []answer   `json:",omitzero"`
	StartDate    *time.Time `json:",omitzero"`
	Tags         []string   `json:",omitzero"`
	Text         string     `json:",omitzero"`
	Title        string     `json:",omitzero"`
	URL          string     `json:"Url,omitzero"`
	WriterID     string     `json:"WriterId,omitzero"`
	Writers      []answer   `json:",omitzero"`
}

type file struct {
	FileURL  string `json:"FileUrl"`
	Metadata struct{ Title, Description string }
}

var contentTypes = map[site.Kind]string{
	site.Article: "Article", site.Column: "Column", site.Gallery: "NewsPhotoGallery", site.Video: "NewsVideo",
}

// record is an item as in its list and under its own address.
func (it *item) record() (*archive.Record, error) {
	list := answer{
		ID: it.id, ContentType: contentTypes[it.kind], CreatedDate: &it.published, Description: it.spot,
		Path: it.folder.path, StartDate: &it.published, Title: it.title, URL: it.url(),
	}
	for _, p := range it.pictures {
		f := file{FileURL: p.url}
		f.Metadata.Title, f.Metadata.Description = p.title, p.caption
		list.Files = append(list.Files, f)
	}
	if !it.modified.IsZero() && it.kind != site.Column {
		list.ModifiedDate = &it.modified
	}
	single := list
	single.Editor, single.Tags, single.Text = it.editor, it.tags, asHTML(it.text)
	switch it.kind {
	case site.Column:
		list.Fullname, list.WriterID = it.writer.name, it.writer.id
		single.Fullname = it.writer.name
	case site.Article:
		single.Writers = []answer{{ID: it.writer.id, Fullname: it.writer.name}}
	}
	for _, h := range it.related {
		single.RelatedNews = append(single.RelatedNews, answer{ID: h.id, Title: h.title, URL: h.url()})
	}
	return record(archive.Kind(it.kind), list, single)
}

func (f *folder) record() (*archive.Record, error) {
	a := answer{ID: f.id, Path: f.path, Title: f.title}
	return record(archive.Folder, a, a)
}

func (w *writer) record() (*archive.Record, error) {
	created := newest.Add(-years)
	a := answer{
		ID: w.id, Fullname: w.name, ContentType: "PersonContainer", CreatedDate: &created, Path: "/yazarlar/",
		URL:   home + "/yazarlar/" + w.slug + "/",
		Files: []file{{FileURL: pictures + "/" + w.slug + ".jpg"}},
	}
	return record(archive.Writer, a, a)
}

func record(kind archive.Kind, list, single answer) (*archive.Record, error) {
	r := &archive.Record{Kind: kind, ID: list.ID, Pass: 1, Listed: arrival, Fetched: arrival}
	var err error
	if r.List, err = encode(list); err != nil {
		return nil, err
	}
	r.Single, err = encode(single)
	return r, err
}

// encode does not escape HTML, as the service does not.
func encode(a answer) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
