package main

import (
	"bytes"
	"encoding/json"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// answer is a record as the service sends it (API document, section 2), with
// the fields in the service's order; what is zero the operation does not show.
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

// record is an item as its list and its own operation show it.
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

// encode leaves the escapes of HTML out, as the service does.
func encode(a answer) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
