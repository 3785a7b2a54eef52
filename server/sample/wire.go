package sample

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/gosimple/slug"
)

// wire is any record of the service. The service writes the fields in this
// order and leaves out those that a group does not have; pointers and nil
// slices tell absent from empty.
type wire struct {
	ID           string   `json:"Id"`
	Fullname     string   `json:",omitzero"`
	ContentType  string   `json:",omitzero"`
	CreatedDate  string   `json:",omitzero"`
	Description  *string  `json:",omitzero"`
	Editor       *string  `json:",omitzero"`
	Files        []file   `json:",omitzero"`
	ModifiedDate string   `json:",omitzero"`
	PageNews     []wire   `json:",omitzero"`
	Path         string   `json:",omitzero"`
	RelatedNews  []wire   `json:",omitzero"`
	StartDate    string   `json:",omitzero"`
	Tags         []string `json:",omitzero"`
	Text         *string  `json:",omitzero"`
	Title        string   `json:",omitzero"`
	URL          string   `json:"Url,omitzero"`
	WriterID     string   `json:"WriterId,omitzero"`
	Writers      []wire   `json:",omitzero"`
}

type file struct {
	FileURL  string `json:"FileUrl"`
	Metadata metadata
}

type metadata struct {
	Title       string
	Description *string `json:",omitzero"` // columns and writers have none
}

// groups and contentTypes name the kinds of items as the service does.
var (
	groups = map[string]string{
		"article": "articles", "column": "columns", "gallery": "newsphotogalleries", "video": "newsvideos",
	}
	contentTypes = map[string]string{
		"article": "Article", "column": "Column", "gallery": "NewsPhotoGallery", "video": "NewsVideo",
	}
)

// press turns a newspaper into records that are served at base.
type press struct {
	*newspaper
	base string
}

func (p *press) print() ([]Record, error) {
	var out []Record
	var faults []error
	add := func(r Record, err error) {
		out, faults = append(out, r), append(faults, err)
	}
	for _, kind := range kinds {
		for _, it := range p.items {
			if it.kind == kind {
				add(p.itemRecord(it))
			}
		}
	}
	for _, pg := range p.pages {
		add(p.pageRecord(pg))
	}
	for _, w := range p.writers {
		add(p.writerRecord(w))
	}
	for _, f := range p.folders {
		both := wire{ID: f.ID, Path: f.Path, Title: f.Title}
		add(record("paths", both, both))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return out, nil
}

func (p *press) itemRecord(it *item) (Record, error) {
	single, err := p.single(it)
	if err != nil {
		return Record{}, fmt.Errorf("sample content %s: %w", it.file(), err)
	}
	return record(groups[it.kind], p.list(it), single)
}

func (p *press) pageRecord(pg page) (Record, error) {
	list := wire{ID: pg.ID, CreatedDate: pg.Created, Title: pg.Title, URL: pg.URL}
	single := list
	single.PageNews, single.RelatedNews = p.shorts(pg.News, p.pageNews), []wire{}
	return record("pages", list, single)
}

func (p *press) writerRecord(w *writer) (Record, error) {
	list := p.writer(w)
	single := list
	single.RelatedNews, single.Tags = []wire{}, []string{}
	return record("writers", list, single)
}

func record(group string, list, single wire) (Record, error) {
	l, listErr := compact(list)
	s, singleErr := compact(single)
	if err := errors.Join(listErr, singleErr); err != nil {
		return Record{}, fmt.Errorf("encoding sample %s %s: %w", group, list.ID, err)
	}
	return Record{Group: group, ID: list.ID, List: l, Single: s}, nil
}

// pageNews is an item in the list of an editorial page.
func (p *press) pageNews(it *item) wire {
	return wire{
		ID: it.ID, ContentType: contentTypes[it.kind], CreatedDate: it.Created, Description: &it.Spot,
		Files: p.files(it), ModifiedDate: it.Modified, Path: it.Path, StartDate: it.Start,
		Title: it.Title, URL: p.url(it),
	}
}

// related is an item in the list of related news.
func (p *press) related(it *item) wire {
	return wire{
		ID: it.ID, Description: &it.Spot, Files: p.files(it), RelatedNews: []wire{},
		Tags: orEmpty(it.Tags), Title: it.Title, URL: p.url(it), Writers: []wire{},
	}
}

func (p *press) list(it *item) wire {
	w := p.pageNews(it)
	switch it.kind {
	case "article", "gallery":
		w.Tags = orEmpty(it.Tags)
	case "column":
		w.Fullname, w.WriterID = p.bySlug[it.Writer].Name, p.bySlug[it.Writer].ID
	}
	return w
}

func (p *press) single(it *item) (wire, error) {
	text, err := p.text(it.text)
	if err != nil {
		return wire{}, err
	}
	w := p.list(it)
	w.WriterID, w.Text = "", &text
	if it.kind == "column" {
		return w, nil
	}
	w.Editor, w.Tags = &it.Editor, orEmpty(it.Tags)
	if it.kind == "article" {
		w.RelatedNews, w.Writers = p.shorts(it.Related, p.related), []wire{}
	} else {
		w.ModifiedDate = ""
	}
	return w, nil
}

func (p *press) writer(w *writer) wire {
	out := wire{
		ID: w.ID, Fullname: w.Name, ContentType: "PersonContainer", CreatedDate: w.Created,
		Files: []file{}, Path: "/yazarlar/", URL: p.base,
	}
	if w.Picture != nil {
		out.Files = append(out.Files, file{p.picture(*w.Picture, square) + ".jpg", metadata{Title: w.Picture.Title}})
	}
	if !w.NoHome {
		out.URL += "/yazarlar/" + w.Slug + "/"
	}
	return out
}

func (p *press) shorts(ids []string, short func(*item) wire) []wire {
	out := make([]wire, 0, len(ids))
	for _, id := range ids {
		out = append(out, short(p.byID[id]))
	}
	return out
}

func (p *press) files(it *item) []file {
	out := make([]file, 0, len(it.Pictures))
	for i, pic := range it.Pictures {
		f := file{p.picture(pic, shapeOf(it, i)) + ".jpg", metadata{Title: pic.Title}}
		if it.kind != "column" {
			f.Metadata.Description = &pic.Caption
		}
		out = append(out, f)
	}
	return out
}

// shapeOf varies the shape in two of three galleries, so that a reader of the
// sample meets more than one; everything else has the usual shape.
func shapeOf(it *item, i int) shape {
	last := it.ID[len(it.ID)-1]
	switch {
	case it.kind == "gallery" && last%3 == 0:
		return fourToThree
	case it.kind == "gallery" && last%3 == 1 && i%3 == 1:
		return upright
	}
	return usual
}

func (p *press) picture(pic picture, s shape) string {
	return p.base + "/resim/" + pic.Scene + "/" + strconv.Itoa(pic.Seed) + s.suffix()
}

func (p *press) url(it *item) string {
	name := slug.MakeLang(it.Title, "tr") + "-" + it.ID
	if it.kind == "column" {
		return p.base + "/yazarlar/" + it.Writer + "/" + name
	}
	return p.base + "/" + name
}

var reference = regexp.MustCompile(`["'](haber|resim|film):[^"']*["']`)

// text puts the real addresses in place of the authors' references.
func (p *press) text(s string) (string, error) {
	var fault error
	s = reference.ReplaceAllStringFunc(s, func(quoted string) string {
		scheme, rest, _ := strings.Cut(quoted[1:len(quoted)-1], ":")
		address, err := p.resolve(scheme, rest)
		if err != nil && fault == nil {
			fault = err
		}
		return `"` + address + `"`
	})
	return s, fault
}

func (p *press) resolve(scheme, rest string) (string, error) {
	if scheme == "haber" {
		if p.byID[rest] == nil {
			return "", fmt.Errorf("the text links the unknown item %q", rest)
		}
		return p.url(p.byID[rest]), nil
	}
	if scheme == "film" {
		return p.base + "/film/" + rest + ".mp4", nil
	}
	scene, digits, _ := strings.Cut(rest, "/")
	seed, err := strconv.Atoi(digits)
	if err != nil {
		return "", fmt.Errorf("the text shows picture %q, which is not like harbour/77", rest)
	}
	pic := picture{Scene: scene, Seed: seed}
	if err := pic.check(); err != nil {
		return "", fmt.Errorf("the text: %w", err)
	}
	return p.picture(pic, usual), nil
}

func orEmpty(tags []string) []string {
	if tags == nil {
		return []string{}
	}
	return tags
}

// compact encodes without the escapes of HTML, as the service does.
func compact(w wire) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(w); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
