package record

import (
	"slices"
	"strings"

	"ayna/client"
	"ayna/prose"
)

// fields holds the fields that any kind of record may have. RelatedNews of an editorial
// page is the news on it. Raw is empty.
type fields = client.Hit

// parse decodes the fields that records of a kind have. A nil raw gives empty fields.
func parse(kind Kind, raw []byte) (f fields, err error) {
	if raw == nil {
		return f, nil
	}
	switch kind {
	case Page:
		var page client.Page
		err = page.Decode(raw)
		f.Record, f.RelatedNews = page.Record, page.PageNews
	case Writer:
		var writer client.Writer
		err = writer.Decode(raw)
		f.Record = writer.Record
		f.Title = either(writer.Fullname, writer.Title)
	case Folder:
		var folder client.Path
		err = folder.Decode(raw)
		f.ID, f.Path, f.Title = folder.ID, folder.Path, folder.Title
	case Column:
		err = f.Decode(raw)
		f.Editor, f.Writers = "", nil
	default:
		err = f.Decode(raw)
		f.Fullname, f.WriterID = "", ""
	}
	return f, err
}

// parseContent decodes the text and the files of an item's records, and nothing else.
func parseContent(kind Kind, raw []byte) (f fields, err error) {
	switch kind {
	case Article, Column, Gallery, Video:
		if raw != nil {
			var content client.Content
			content, err = client.ReadContent(raw)
			f.Text, f.Files, f.Access = content.Text, content.Files, content.Access
		}
		return f, err
	}
	return parse(kind, raw)
}

// either returns a, or b if a is blank.
func either(a, b string) string {
	if strings.TrimSpace(a) != "" {
		return a
	}
	return b
}

// eitherList returns a, or b if a is empty.
func eitherList[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

// folders returns the folders of a record in several, the main one first, else nil.
func folders(main string, paths []string) []string {
	const most = 200
	list := []string{main}
	for _, path := range paths {
		if path = strings.TrimSpace(path); path != "" && len(list) < most && !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	if len(list) == 1 || main == "" {
		return nil
	}
	return list
}

// standing returns what makes an article a standing page: a ContentType and a place among
// its siblings.
func standing(r *Record, first, second fields) (is bool, parent string, position int64) {
	order := first.Order
	if order == nil {
		order = second.Order
	}
	if r.Kind != Article || r.Type != "Page" || order == nil {
		return false, "", 0
	}
	return true, either(first.ParentID, second.ParentID), *order
}

// tags returns up to 200 tags as plain text, without duplicates.
func tags(raw []string) []string {
	const most = 200
	var list []string
	for _, tag := range raw {
		if tag = prose.Plain(tag); tag != "" && len(list) < most && !slices.Contains(list, tag) {
			list = append(list, tag)
		}
	}
	return list
}

// writers returns the writers of a record. Each has an id, a name or both.
func writers(first, second fields) []Person {
	var people []Person
	add := func(id, name string) {
		if person := (Person{ID: id, Name: prose.Plain(name)}); person != (Person{}) {
			people = append(people, person)
		}
	}
	for _, w := range eitherList(first.Writers, second.Writers) {
		add(w.ID, w.Fullname)
	}
	if len(people) == 0 {
		add(either(first.WriterID, second.WriterID), either(first.Fullname, second.Fullname))
	}
	return people
}

func references(related []client.Related) []Reference {
	var list []Reference
	for _, r := range related {
		reference := Reference{ID: r.ID, Title: prose.Plain(r.Title), URL: strings.TrimSpace(r.URL)}
		if reference.ID != "" || reference.URL != "" {
			list = append(list, reference)
		}
	}
	return list
}
