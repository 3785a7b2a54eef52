package clienttest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Record is a record of the service. Empty fields are not shown.
type Record struct {
	Group, ID                 string
	Title, Spot, Text, Editor string
	Path, URL                 string
	Tags                      []string
	Pictures                  []string // addresses
	Created, Modified         time.Time
	News                      []string // ids of the news on a page
	RawList, RawSingle        string   // JSON that replaces the other fields
}

// The groups of the service.
var groups = []string{"articles", "columns", "newsphotogalleries", "newsvideos", "pages", "writers", "paths"}

var paths = []string{"/gundem/", "/spor/", "/spor/yelken/", "/ekonomi/", "/kultur-sanat/", "/yazarlar/"}

// newest is when the newest record was published.
var newest = time.Date(2026, 11, 1, 9, 30, 0, 0, time.UTC)

func (s *Service) fill() map[string][]*Record {
	random := rand.New(rand.NewPCG(s.Seed, 1))
	made := make(map[string][]*Record)
	for _, group := range groups {
		made[group] = nil
	}
	for i := range s.Items {
		group := cmp.Or(map[int]string{3: "columns", 7: "columns", 5: "newsphotogalleries", 9: "newsvideos"}[i%10], "articles")
		made[group] = append(made[group], s.item(random, group, i))
	}
	few := 1 + s.Items/10 // a small service has few of everything
	for i := range min(3, few) {
		page := &Record{Group: "pages", ID: long(1, i), Title: words(random, 2), URL: "/sayfa", Created: newest}
		for _, r := range made["articles"][:min(5, len(made["articles"]))] {
			page.News = append(page.News, r.ID)
		}
		made["pages"] = append(made["pages"], page)
	}
	for i := range min(4, few) {
		made["writers"] = append(made["writers"], &Record{
			Group: "writers", ID: long(2, i), Title: words(random, 2), Path: "/yazarlar/", URL: s.Base, Created: newest,
		})
	}
	for i, path := range paths[:min(len(paths), few)] {
		made["paths"] = append(made["paths"], &Record{Group: "paths", ID: long(3, i), Path: path, Title: words(random, 1)})
	}
	return made
}

func (s *Service) item(random *rand.Rand, group string, i int) *Record {
	at := newest.Add(-time.Duration(i)*7*time.Minute - time.Duration(random.IntN(300))*time.Second)
	r := &Record{
		Group: group, ID: strconv.Itoa(49_000_000 - i), Title: words(random, 5), Spot: words(random, 12),
		Text: "<p>" + words(random, 40) + "</p><p>" + words(random, 30) + "</p>",
		Path: paths[random.IntN(len(paths))], Created: at, Modified: at.Add(time.Minute),
	}
	r.URL = s.Base + "/haber-" + r.ID
	if group == "columns" {
		r.Modified = time.Time{} // the service showed none
		return r
	}
	r.Editor, r.Tags = words(random, 1), []string{words(random, 1), words(random, 1)}
	if s.Base != "" && i%4 == 0 {
		r.Pictures = []string{s.Base + "/resim/" + r.ID + ".png"}
	}
	return r
}

// long is an id of 24 hexadecimal digits.
func long(group, i int) string { return fmt.Sprintf("65aa%02d0b00000000%08x", group, i) }

var vocabulary = strings.Fields(`ağaç bahçe çınar deniz eşik fırtına gölge ılgın iskele kıyı liman mavi nehir
	orman öykü pazar rüzgâr sabah şehir tepe uzak ünlü vapur yağmur zeytin İğde Işık Üzüm`)

func words(random *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = vocabulary[random.IntN(len(vocabulary))]
	}
	return strings.Join(list, " ")
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

// ListJSON returns the record as lists show it.
func (s *Service) ListJSON(r Record) string {
	if r.RawList != "" {
		return r.RawList
	}
	return s.json(r, false)
}

// SingleJSON returns the record as its own operation shows it.
func (s *Service) SingleJSON(r Record) string {
	if r.RawSingle != "" {
		return r.RawSingle
	}
	return s.json(r, true)
}

var contentTypes = map[string]string{
	"articles": "Article", "columns": "Column", "newsphotogalleries": "NewsPhotoGallery", "newsvideos": "NewsVideo",
	"writers": "PersonContainer",
}

// json writes a record, its fields in the order of the real service.
func (s *Service) json(r Record, single bool) string {
	var o object
	var id any = r.ID
	if n, err := strconv.Atoi(r.ID); err == nil && s.NumericIDs {
		id = n
	}
	item := contentTypes[r.Group] != "" && r.Group != "writers"
	o.add(true, "Id", id)
	o.add(r.Group == "writers" || r.Group == "columns", "Fullname", r.Title)
	o.add(contentTypes[r.Group] != "", "ContentType", contentTypes[r.Group])
	o.add(!r.Created.IsZero(), "CreatedDate", s.dateText(r.Created))
	o.add(item, "Description", r.Spot)
	o.add(single && r.Editor != "", "Editor", r.Editor)
	o.add(item, "Files", files(r.Pictures))
	name := "ModifiedDate"
	if s.ModifieDate {
		name = "ModifieDate"
	}
	o.add(!r.Modified.IsZero() && !(single && s.UndatedSingles), name, s.dateText(r.Modified))
	o.add(single && r.Group == "pages", "PageNews", s.news(r.News))
	o.add(r.Path != "", "Path", r.Path)
	o.add(single && r.Group == "articles", "RelatedNews", []any{})
	o.add(item, "StartDate", s.dateText(r.Created))
	o.add(r.Tags != nil, "Tags", r.Tags)
	o.add(single && item, "Text", r.Text)
	o.add(r.Group != "writers", "Title", r.Title)
	o.add(r.URL != "", "Url", r.URL)
	return o.String()
}

func (s *Service) news(ids []string) []any {
	list := []any{}
	for _, id := range ids {
		list = append(list, map[string]string{"Id": id})
	}
	return list
}

func files(addresses []string) []any {
	list := []any{}
	for _, address := range addresses {
		list = append(list, map[string]any{"FileUrl": address, "Metadata": map[string]string{"Title": "", "Description": "kıyı\n"}})
	}
	return list
}

func (s *Service) dateText(t time.Time) string {
	if s.DateForm == "ticks" {
		return fmt.Sprintf("/Date(%d)/", t.UnixMilli())
	}
	return t.Format(cmp.Or(s.DateForm, time.RFC3339))
}

// object is a JSON object being written.
type object struct{ bytes.Buffer }

func (o *object) add(shown bool, name string, value any) {
	if !shown {
		return
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the values are ours
	}
	fmt.Fprintf(o, ",%q:%s", name, text)
}

func (o *object) String() string { return "{" + strings.TrimPrefix(o.Buffer.String(), ",") + "}" }
