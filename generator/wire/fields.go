package wire

import (
	"encoding/json"
	"strings"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/prose"
)

// fields is what the kinds of records have in common, and what each adds.
type fields struct {
	client.Record
	editor, text       string
	fullname, writerID string
	tags               []string
	writers            []client.Writer
	related            []client.Related // of an editorial page the news assigned to it
}

// parse decodes a record as its kind's type. A nil raw gives empty fields. The
// JSON is not among them: it may be large, and whoever parses it has it.
func parse(kind archive.Kind, raw []byte) (fields, error) {
	if raw == nil {
		return fields{}, nil
	}
	f, err := parseAs(kind, raw)
	f.Raw = nil
	return f, err
}

func parseAs(kind archive.Kind, raw []byte) (fields, error) {
	switch kind {
	case archive.Column:
		var r client.Column
		err := json.Unmarshal(raw, &r)
		return fields{Record: r.Record, text: r.Text, fullname: r.Fullname, writerID: r.WriterID, tags: r.Tags, related: r.RelatedNews}, err
	case archive.Gallery:
		var r client.Gallery
		err := json.Unmarshal(raw, &r)
		return fields{Record: r.Record, editor: r.Editor, text: r.Text, tags: r.Tags, related: r.RelatedNews}, err
	case archive.Video:
		var r client.Video
		err := json.Unmarshal(raw, &r)
		return fields{Record: r.Record, editor: r.Editor, text: r.Text, tags: r.Tags, related: r.RelatedNews}, err
	case archive.Page:
		var r client.Page
		err := json.Unmarshal(raw, &r)
		return fields{Record: r.Record, related: r.PageNews}, err
	case archive.Writer:
		var r client.Writer
		err := json.Unmarshal(raw, &r)
		r.Title = either(r.Fullname, r.Title)
		return fields{Record: r.Record}, err
	case archive.Folder:
		var r client.Path
		err := json.Unmarshal(raw, &r)
		return fields{Record: client.Record{ID: r.ID, Path: r.Path, Title: r.Title}}, err
	default:
		var r client.Article
		err := json.Unmarshal(raw, &r)
		return fields{Record: r.Record, editor: r.Editor, text: r.Text, tags: r.Tags, related: r.RelatedNews, writers: r.Writers}, err
	}
}

func either(a, b string) string {
	if strings.TrimSpace(a) != "" {
		return a
	}
	return b
}

func eitherList[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

// dates returns publication and last change. The service publishes at
// StartDate; records of 2016 had none. Only ModifiedDate tells of a change,
// but filters treat a record without one as changed when it was published.
func dates(first, second fields, zone *time.Location) (published, modified time.Time) {
	var known [3]time.Time
	for i, pair := range [3][2]client.Date{
		{first.StartDate, second.StartDate}, {first.CreatedDate, second.CreatedDate}, {first.ModifiedDate, second.ModifiedDate},
	} {
		date := pair[0]
		if date.IsZero() {
			date = pair[1]
		}
		known[i] = settle(date, first, second, zone)
	}
	start, created, changed := known[0], known[1], known[2]
	return firstKnown(start, created, changed), firstKnown(changed, start, created)
}

// settle gives a date without an offset that of another date of the record that
// has one, else that of zone. Dates no calendar of news can mean count as missing.
func settle(d client.Date, first, second fields, zone *time.Location) time.Time {
	if d.IsZero() || d.Year() < 1900 || d.Year() > 9999 {
		return time.Time{}
	}
	if !d.Floating {
		return d.UTC()
	}
	for _, other := range []client.Date{
		first.StartDate, first.CreatedDate, first.ModifiedDate, second.StartDate, second.CreatedDate, second.ModifiedDate,
	} {
		if other.Zone != nil {
			zone = other.Zone
			break
		}
	}
	return time.Date(d.Year(), d.Month(), d.Day(), d.Hour(), d.Minute(), d.Second(), d.Nanosecond(), zone).UTC()
}

// firstKnown returns the first of the times that is known.
func firstKnown(times ...time.Time) time.Time {
	for _, t := range times {
		if !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// tags cleans tags and drops repeats.
func tags(raw []string) []string {
	var list []string
	seen := make(map[string]bool)
	const most = 200
	for _, tag := range raw {
		tag = prose.Plain(tag)
		if tag != "" && !seen[tag] && len(list) < most {
			seen[tag] = true
			list = append(list, tag)
		}
	}
	return list
}

// writers returns the writers that a record names, by id, name or both.
func writers(first, second fields) []archive.Person {
	var people []archive.Person
	add := func(id, name string) {
		if person := (archive.Person{ID: id, Name: prose.Plain(name)}); person != (archive.Person{}) {
			people = append(people, person)
		}
	}
	for _, w := range eitherList(first.writers, second.writers) {
		add(w.ID, w.Fullname)
	}
	if len(people) == 0 {
		add(either(first.writerID, second.writerID), either(first.fullname, second.fullname))
	}
	return people
}

func references(related []client.Related) []archive.Reference {
	var list []archive.Reference
	for _, r := range related {
		reference := archive.Reference{ID: r.ID, Title: prose.Plain(r.Title), URL: strings.TrimSpace(r.URL)}
		if reference.ID != "" || reference.URL != "" {
			list = append(list, reference)
		}
	}
	return list
}
