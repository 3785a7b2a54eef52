// Package wire stands between the service's records and the archive's: it
// alone knows which field of an answer becomes which column, and where in the
// JSON the text and the pictures of a record are.
package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/prose"
)

// Groups names the service's resource group of each kind of record.
var Groups = map[archive.Kind]client.Group{
	archive.Article: client.Articles,
	archive.Column:  client.Columns,
	archive.Gallery: client.Galleries,
	archive.Video:   client.Videos,
	archive.Page:    client.Pages,
	archive.Writer:  client.Writers,
	archive.Folder:  client.Paths,
}

// ID returns the id of a record of any kind as it was received. It is empty if
// the record has none.
func ID(raw []byte) (string, error) {
	var r client.Article
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	return r.ID, nil
}

// Modified returns the ModifiedDate of a record of any kind, zero if it has
// none. zone is used for one without an offset.
func Modified(raw []byte, zone *time.Location) time.Time {
	f, err := parse(archive.Article, raw)
	if err != nil {
		return time.Time{}
	}
	return settle(f.ModifiedDate, f, fields{}, zone)
}

// Fill sets the light metadata of r from its JSON. The single record says more
// than the list record and wins where both speak, unless r.Wanted says that
// the list record is the newer one. zone is used for dates without an offset.
func Fill(r *archive.Record, zone *time.Location) error {
	list, single, err := parts(r)
	if err != nil {
		return err
	}
	first, second := single, list
	if r.Wanted && r.List != nil {
		first, second = list, single
	}
	r.Type = either(first.ContentType, second.ContentType)
	r.Path = strings.TrimSpace(either(first.Path, second.Path))
	r.Title = prose.Plain(either(first.Title, second.Title))
	r.Spot = spot(prose.Plain(either(first.Description, second.Description)))
	r.URL = strings.TrimSpace(either(first.URL, second.URL))
	r.Editor = prose.Plain(either(first.editor, second.editor))
	r.Published, r.Modified = dates(first, second, zone)
	r.Tags = tags(eitherList(first.tags, second.tags))
	r.Writers = writers(first, second)
	r.Related = references(eitherList(first.related, second.related))
	r.Images, r.Lead, r.Text = nil, "", ""
	content := contentOf(r, list, single)
	for _, f := range content.Files {
		r.Images = append(r.Images, f.URL)
	}
	body := prose.Clean(content.Text, prose.Options{Base: r.URL})
	r.Links = body.Links()
	for _, image := range body.Images() {
		if !slices.Contains(r.Images, image) {
			r.Images = append(r.Images, image)
		}
	}
	if len(r.Images) > 0 {
		r.Lead = r.Images[0]
	}
	r.Text = searchText(r, content, body)
	return nil
}

// File is a picture of a record.
type File struct {
	URL     string // absolute, http or https
	Title   string // plain text, may be empty
	Caption string // plain text, may be empty
}

// Content is what a record's own page shows beyond the light metadata.
type Content struct {
	Text  string // HTML as received: hostile
	Files []File
}

// ContentOf reads the text and the pictures of r from its JSON.
func ContentOf(r *archive.Record) (Content, error) {
	list, single, err := parts(r)
	if err != nil {
		return Content{}, err
	}
	return contentOf(r, list, single), nil
}

// Wording is what people read of one version of one part of a record; each may
// be empty.
type Wording struct{ Title, Spot, Text string }

// WordingOf reads the wording of a part of a record, list or single, from its
// JSON, as it was received, and its ModifiedDate, zero if it has none. zone is
// used for a date without an offset.
func WordingOf(kind archive.Kind, raw []byte, zone *time.Location) (Wording, time.Time, error) {
	if raw == nil {
		return Wording{}, time.Time{}, nil
	}
	w, err := client.ReadWording(raw)
	if err != nil {
		return Wording{}, time.Time{}, fmt.Errorf("wording of a %s: %w", kind, err)
	}
	switch kind {
	case archive.Folder:
		return Wording{Title: w.Title}, time.Time{}, nil
	case archive.Writer:
		w.Title, w.Text = either(w.Fullname, w.Title), ""
	case archive.Page:
		w.Text = ""
	}
	dates := fields{Record: client.Record{StartDate: w.StartDate, CreatedDate: w.CreatedDate, ModifiedDate: w.ModifiedDate}}
	return Wording{w.Title, w.Description, w.Text}, settle(w.ModifiedDate, dates, fields{}, zone), nil
}

// Plain returns the wording as plain text: what is the same in a known one, as
// it is there, and the rest made anew.
func (w Wording) Plain(known, plain Wording) Wording {
	if w.Title != known.Title {
		plain.Title = prose.Plain(w.Title)
	}
	if w.Spot != known.Spot {
		plain.Spot = spot(prose.Plain(w.Spot))
	}
	if w.Text != known.Text {
		plain.Text = prose.Plain(w.Text)
	}
	return plain
}

// parts decodes the JSON of r. Until the single record arrives, a search's hit
// adds its text and more to the list record.
func parts(r *archive.Record) (list, single fields, err error) {
	if list, err = parse(r.Kind, r.List); err != nil {
		return list, single, fmt.Errorf("list record %s %s: %w", r.Kind, r.ID, err)
	}
	if single, err = parse(r.Kind, r.Single); err != nil {
		return list, single, fmt.Errorf("single record %s %s: %w", r.Kind, r.ID, err)
	}
	if r.Single != nil || r.Found == nil {
		return list, single, nil
	}
	hit, err := parse(r.Kind, r.Found)
	if err != nil {
		return list, single, fmt.Errorf("search hit %s %s: %w", r.Kind, r.ID, err)
	}
	list.text = either(list.text, hit.text)
	list.Files = eitherList(list.Files, hit.Files)
	list.tags = eitherList(list.tags, hit.tags)
	list.related = eitherList(list.related, hit.related)
	return list, single, nil
}

// contentOf is the content of the single record, or of the list record until
// the single one has arrived; either's pictures stand in for the other's.
func contentOf(r *archive.Record, list, single fields) Content {
	content := Content{Text: single.text}
	if r.Single == nil {
		content.Text = list.text
	}
	seen := make(map[string]bool)
	for _, file := range eitherList(single.Files, list.Files) {
		address, ok := prose.Resolve(r.URL, file.URL)
		if !ok || seen[address] {
			continue
		}
		seen[address] = true
		content.Files = append(content.Files, File{
			URL: address, Title: prose.Plain(file.Title), Caption: caption(prose.Plain(file.Description)),
		})
	}
	return content
}

// caption drops the service's own notes to itself.
func caption(s string) string {
	if strings.HasPrefix(s, "refid:") {
		return ""
	}
	return spot(s)
}

// spot drops a text that says nothing: the service writes "." where an editor
// wrote none.
func spot(s string) string {
	if strings.Trim(s, ".-… ") == "" {
		return ""
	}
	return s
}

func searchText(r *archive.Record, content Content, body prose.Body) string {
	var b strings.Builder
	for _, w := range r.Writers {
		b.WriteString(w.Name + "\n")
	}
	b.WriteString(body.Text())
	for _, f := range content.Files {
		b.WriteString("\n" + f.Caption)
	}
	for _, tag := range r.Tags {
		b.WriteString("\n" + tag)
	}
	return b.String()
}
