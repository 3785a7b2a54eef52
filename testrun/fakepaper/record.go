package fakepaper

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/record"
	"ayna/server/sample"
)

// Record is a record of a service. Empty fields are not shown.
type Record struct {
	Group, ID                 string
	Title, Spot, Text, Editor string
	Path, URL                 string
	Tags                      []string
	Pictures                  []string // addresses
	Created, Modified         time.Time
	News                      []string // ids of the news on a page
	RawList, RawSingle        string   // JSON that replaces the other fields

	words string // of the sample's records, as an archive has them
}

// Kind returns the kind that the record has in an archive.
func (r Record) Kind() record.Kind { return kindOf(r.Group) }

func groupOf(kind record.Kind) string { return string(record.Groups[kind]) }

func kindOf(group string) record.Kind {
	for kind, g := range record.Groups {
		if string(g) == group {
			return kind
		}
	}
	return ""
}

// Records returns a copy of all records, group after group, each group in the
// order of its list.
func (s *Service) Records() []Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Record
	for _, group := range groups {
		for _, r := range s.groups[group] {
			all = append(all, *r)
		}
	}
	return all
}

// Add puts records at the top of the lists of their groups.
func (s *Service) Add(records ...Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID = nil
	for _, r := range records {
		s.groups[r.Group] = slices.Insert(s.groups[r.Group], 0, &r)
	}
}

// Remove deletes a record.
func (s *Service) Remove(group, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID = nil
	s.groups[group] = slices.DeleteFunc(s.groups[group], func(r *Record) bool { return r.ID == id })
}

// Amend changes a record without moving it, as a service does whose lists are in
// the order of publication.
func (s *Service) Amend(group, id string, edit func(*Record)) {
	s.locked(func() { edit(s.groups[group][s.index(group, id)]) })
}

// Edit changes a record and moves it to the top of its list, as the real service
// does with modified records.
func (s *Service) Edit(group, id string, edit func(*Record)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(group, id)
	r := s.groups[group][i]
	edit(r)
	s.groups[group] = slices.Insert(slices.Delete(s.groups[group], i, i+1), 0, r)
}

func (s *Service) index(group, id string) int {
	return slices.IndexFunc(s.groups[group], func(r *Record) bool { return r.ID == id })
}

// ListJSON returns the record as lists of the Read API show it.
func (s *Service) ListJSON(r Record) string { return cmp.Or(r.RawList, s.json(r, false)) }

// SingleJSON returns the record as its own operation shows it.
func (s *Service) SingleJSON(r Record) string { return cmp.Or(r.RawSingle, s.json(r, true)) }

var contentTypes = map[string]string{
	"articles": "Article", "columns": "Column", "newsphotogalleries": "NewsPhotoGallery", "newsvideos": "NewsVideo",
	"writers": "PersonContainer",
}

func (s *Service) json(r Record, single bool) string {
	a := sample.Answer{
		ID: r.ID, ContentType: contentTypes[r.Group], CreatedDate: s.dateText(r.Created), Path: r.Path, Tags: r.Tags, Title: r.Title, URL: r.URL,
	}
	if !single || !s.UndatedSingles {
		a.ModifiedDate = s.dateText(r.Modified)
	}
	if r.Group == "writers" || r.Group == "columns" {
		a.Fullname = r.Title
	}
	item := slices.Contains(groups[:4], r.Group)
	switch {
	case item:
		a.Description, a.StartDate, a.Files = &r.Spot, a.CreatedDate, filesOf(r.Pictures)
	case r.Group == "writers":
		a.Title = ""
	}
	if single && item {
		a.Text = &r.Text
		if r.Editor != "" {
			a.Editor = &r.Editor
		}
	}
	switch {
	case single && r.Group == "articles":
		a.RelatedNews = []sample.Answer{}
	case single && r.Group == "pages":
		a.PageNews = []sample.Answer{}
		for _, id := range r.News {
			a.PageNews = append(a.PageNews, sample.Answer{ID: id})
		}
	}
	text := string(a.JSON())
	if s.ModifieDate {
		text = strings.Replace(text, `"ModifiedDate":`, `"ModifieDate":`, 1)
	}
	if s.NumericIDs && strings.Trim(r.ID, "0123456789") == "" {
		text = strings.Replace(text, `"`+r.ID+`"`, r.ID, 1) // the first field
	}
	return text
}

// filesOf describes pictures, with a caption that ends in a line break.
func filesOf(addresses []string) []sample.File {
	files, caption := []sample.File{}, "kıyı\n"
	for _, address := range addresses {
		files = append(files, sample.File{FileURL: address, Metadata: sample.Metadata{Description: &caption}})
	}
	return files
}

func (s *Service) dateText(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case s.DateForm == "ticks":
		return fmt.Sprintf("/Date(%d)/", t.UnixMilli())
	}
	return t.Format(cmp.Or(s.DateForm, time.RFC3339))
}
