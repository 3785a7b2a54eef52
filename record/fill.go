package record

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"ayna/attachment"
	"ayna/client"
	"ayna/prose"
	"ayna/source/encode"
)

// Groups has the service's resource group of each kind of record.
var Groups = map[Kind]client.Group{
	Article: client.Articles,
	Column:  client.Columns,
	Gallery: client.Galleries,
	Video:   client.Videos,
	Page:    client.Pages,
	Writer:  client.Writers,
	Folder:  client.Paths,
}

// ID returns the id of a record of any kind, "" if it has none. The error is that of
// [client.ReadID].
func ID(raw []byte) (string, error) { return client.ReadID(raw) }

// KindOf returns the kind of an item by its ContentType: that of an article unless it is
// another one's. The error of JSON that cannot be read is left to [Fill].
func KindOf(raw []byte) Kind {
	kind, _ := client.ReadType(raw)
	switch kind {
	case "Column":
		return Column
	case "NewsPhotoGallery":
		return Gallery
	case "NewsVideo":
		return Video
	}
	return Article
}

// Modified returns the ModifiedDate of a record of any kind, zero if it has none.
func Modified(raw []byte, how Dates) time.Time {
	_, modified, err := WordingOf(Article, raw, how)
	if err != nil {
		return time.Time{}
	}
	return modified
}

// Fill sets the metadata of r from its JSON. The single record, which has more fields,
// takes precedence over the list record, unless r.FetchDue marks the list record as the
// newer one. The error names the part of r that is not a JSON object.
func Fill(r *Record, how Dates) error {
	_, _, err := Read(r, how, "")
	return err
}

// DeriveFunc sets the metadata of a record from its JSON, as an archive needs it. Several
// goroutines may call it.
type DeriveFunc func(*Record) error

// Derive returns [Fill] for a way to read dates.
func Derive(how Dates) DeriveFunc {
	return func(r *Record) error { return Fill(r, how) }
}

// Read is [Fill], and returns the content of the record's page with its cleaned text.
// table is the label of tables, see [prose.Options].
func Read(r *Record, how Dates, table string) (Content, prose.Body, error) {
	list, single, err := parts(r)
	if err != nil {
		return Content{}, prose.Body{}, err
	}
	first, second := single, list
	if r.FetchDue && r.List != nil {
		first, second = list, single
	}
	r.Type = either(first.ContentType, second.ContentType)
	r.Path = strings.TrimSpace(either(first.Path, second.Path))
	r.Paths = folders(r.Path, eitherList(first.Paths, second.Paths))
	r.Title = prose.Plain(either(first.Title, second.Title))
	r.Spot = spot(prose.Plain(either(first.Description, second.Description)))
	r.URL = strings.TrimSpace(either(first.URL, second.URL))
	r.URLs = []string{strings.TrimSpace(list.URL), strings.TrimSpace(single.URL), strings.TrimSpace(single.FirstURL)}
	r.Editor = prose.Plain(either(first.Editor, second.Editor))
	r.Published, r.Modified = how.of(first, second)
	r.Tags = tags(eitherList(first.Tags, second.Tags))
	r.Writers = writers(first, second)
	r.Related = references(eitherList(first.RelatedNews, second.RelatedNews))
	r.Standing, r.Parent, r.Ordinal = standing(r, first, second)
	r.Images, r.Lead, r.Text = nil, "", ""
	content := contentOf(r, list, single)
	if r.Access = ""; content.Members {
		r.Access = encode.Members
	}
	for _, f := range content.Files {
		r.Images = append(r.Images, f.URL)
	}
	body := Clean(r, content, table)
	r.Links = body.Links()
	for _, image := range body.Images() {
		if !slices.Contains(r.Images, image) {
			r.Images = append(r.Images, image)
		}
	}
	if len(r.Images) > 0 {
		r.Lead = r.Images[0]
	}
	r.Attachments = attachments(body)
	r.Text = searchText(r, content, body)
	return content, body, nil
}

// Clean cleans the text of a record that has its columns. The record's own attachments follow it.
func Clean(r *Record, content Content, table string) prose.Body {
	for _, f := range content.Attachments {
		if !strings.Contains(content.Text, html.EscapeString(f.URL)) {
			content.Text += f.html()
		}
	}
	return prose.Clean(content.Text, prose.Options{Title: r.Title, Base: r.URL, Table: table})
}

// File is a picture or an attachment of a record.
type File struct {
	URL     string // absolute, http or https
	Title   string // plain text, may be empty
	Caption string // plain text, may be empty
}

// Content is what a record's own page shows beyond its metadata.
type Content struct {
	Text        string // HTML as received, untrusted
	Files       []File
	Attachments []File // those of the record's files that are no pictures
	Members     bool   // only members of the source read the whole text
}

// ContentOf returns the text and the pictures in the JSON of r. The error is as that of
// [Fill].
func ContentOf(r *Record) (Content, error) {
	single, err := singlePart(r, parseContent)
	var list fields
	if err == nil && (r.Single == nil || len(single.Files) == 0) { // otherwise it adds nothing
		list, err = listPart(r, parseContent)
	}
	if err != nil {
		return Content{}, err
	}
	return contentOf(r, list, single), nil
}

// Wording is the readable text of one version of a list or single record. Each part may
// be empty.
type Wording struct {
	Title, Spot, Text string
	Members           bool // the text is what everybody reads of it, as in [Content]
}

// WordingOf returns the wording of a list or single record as received, and its
// ModifiedDate, zero if it has none.
func WordingOf(kind Kind, raw []byte, how Dates) (Wording, time.Time, error) {
	if raw == nil {
		return Wording{}, time.Time{}, nil
	}
	w, err := client.ReadWording(raw)
	if err != nil {
		return Wording{}, time.Time{}, fmt.Errorf("wording of a %s: %w", kind, err)
	}
	switch kind {
	case Folder:
		return Wording{Title: w.Title}, time.Time{}, nil
	case Writer:
		w.Title, w.Text = either(w.Fullname, w.Title), ""
	case Page:
		w.Text = ""
	}
	return Wording{w.Title, w.Description, w.Text, w.Access == encode.Members}, how.inUTC(w.ModifiedDate), nil
}

// Plain returns the wording as plain text. For parts that are equal in known, it takes
// those of plain, which is known as plain text.
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
	plain.Members = w.Members
	return plain
}

// parts decodes the JSON of r.
func parts(r *Record) (list, single fields, err error) {
	if list, err = listPart(r, parse); err != nil {
		return list, single, err
	}
	single, err = singlePart(r, parse)
	return list, single, err
}

// A parser decodes fields of the JSON of a kind's records.
type parser func(kind Kind, raw []byte) (fields, error)

func singlePart(r *Record, parse parser) (fields, error) {
	single, err := parse(r.Kind, r.Single)
	if err != nil {
		return single, fmt.Errorf("single record %s %s: %w", r.Kind, r.ID, err)
	}
	return single, nil
}

// listPart decodes the list record. Until the single record arrives, a search hit
// completes it.
func listPart(r *Record, parse parser) (fields, error) {
	list, err := parse(r.Kind, r.List)
	if err != nil {
		return list, fmt.Errorf("list record %s %s: %w", r.Kind, r.ID, err)
	}
	if r.Single != nil || r.Hit == nil {
		return list, nil
	}
	hit, err := parse(r.Kind, r.Hit)
	if err != nil {
		return list, fmt.Errorf("search hit %s %s: %w", r.Kind, r.ID, err)
	}
	list.Text = either(list.Text, hit.Text)
	list.Files = eitherList(list.Files, hit.Files)
	list.Tags = eitherList(list.Tags, hit.Tags)
	list.RelatedNews = eitherList(list.RelatedNews, hit.RelatedNews)
	return list, nil
}

// contentOf takes the text from the single record, or from the list record until the
// single one has arrived, and the files from the single record if it has any.
func contentOf(r *Record, list, single fields) Content {
	content := Content{Text: single.Text, Members: single.Access == encode.Members}
	if r.Single == nil {
		content.Text, content.Members = list.Text, list.Access == encode.Members
	}
	seen := make(map[string]bool)
	for _, file := range eitherList(single.Files, list.Files) {
		address, ok := prose.Resolve(r.URL, file.URL)
		if !ok || seen[address] {
			continue
		}
		seen[address] = true
		into := &content.Files
		if _, ok := attachment.Of(address); ok {
			into = &content.Attachments
		}
		*into = append(*into, File{
			URL: address, Title: prose.Plain(file.Title), Caption: caption(prose.Plain(file.Description)),
		})
	}
	return content
}

// caption removes the service's internal notes.
func caption(s string) string {
	if strings.HasPrefix(s, "refid:") {
		return ""
	}
	return spot(s)
}

// spot removes a text of dots: the service writes "." where an editor wrote none.
func spot(s string) string {
	if strings.Trim(s, ".-… ") == "" {
		return ""
	}
	return s
}

// searchText returns the plain text for the search index.
func searchText(r *Record, content Content, body prose.Body) string {
	var b strings.Builder
	for _, w := range r.Writers {
		b.WriteString(w.Name + "\n")
	}
	b.WriteString(body.Text())
	for _, f := range content.Files {
		b.WriteString("\n" + f.Caption)
	}
	b.WriteString("\n" + FileNames(body))
	for _, tag := range r.Tags {
		b.WriteString("\n" + tag)
	}
	return b.String()
}
