package sample

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/gosimple/slug"
)

// apiRecord is any record of the service. The service writes the fields in this
// order and leaves out those that a group does not have. A nil pointer or slice
// is absent, an empty one is sent.
type apiRecord struct {
	ID           string      `json:"Id"`
	Fullname     string      `json:",omitzero"`
	ContentType  string      `json:",omitzero"`
	CreatedDate  string      `json:",omitzero"`
	Description  *string     `json:",omitzero"`
	Editor       *string     `json:",omitzero"`
	Files        []apiFile   `json:",omitzero"`
	ModifiedDate string      `json:",omitzero"`
	PageNews     []apiRecord `json:",omitzero"`
	Path         string      `json:",omitzero"`
	RelatedNews  []apiRecord `json:",omitzero"`
	StartDate    string      `json:",omitzero"`
	Tags         []string    `json:",omitzero"`
	Text         *string     `json:",omitzero"`
	Title        string      `json:",omitzero"`
	URL          string      `json:"Url,omitzero"`
	WriterID     string      `json:"WriterId,omitzero"`
	Writers      []apiRecord `json:",omitzero"`
}

type apiFile struct {
	FileURL  string `json:"FileUrl"`
	Metadata struct {
		Title       string
		Description *string `json:",omitzero"` // columns and writers have none
	}
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

// encoder makes the service's records of a newspaper that is served at base.
type encoder struct {
	*newspaper
	base string
}

func records(content fs.FS, base string) ([]Record, error) {
	n, err := read(content)
	if err != nil {
		return nil, err
	}
	e := &encoder{newspaper: n, base: base}
	var all []Record
	var failures []error
	add := func(group string, list, single apiRecord) {
		r, err := encode(group, list, single)
		all, failures = append(all, r), append(failures, err)
	}
	for _, kind := range kinds {
		for _, it := range n.items {
			if it.kind == kind {
				single, err := e.single(it)
				failures = append(failures, err)
				add(groups[kind], e.list(it), single)
			}
		}
	}
	for _, p := range n.pages {
		list := apiRecord{ID: p.ID, CreatedDate: p.Created, Title: p.Title, URL: p.URL}
		single := list
		single.PageNews, single.RelatedNews = e.shorts(p.News, e.pageNews), []apiRecord{}
		add("pages", list, single)
	}
	for _, w := range n.writers {
		list := e.writer(w)
		single := list
		single.RelatedNews, single.Tags = []apiRecord{}, []string{}
		add("writers", list, single)
	}
	for _, f := range n.folders {
		both := apiRecord{ID: f.ID, Path: f.Path, Title: f.Title}
		add("paths", both, both)
	}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	return all, nil
}

func encode(group string, list, single apiRecord) (Record, error) {
	l, listErr := compact(list)
	s, singleErr := compact(single)
	if err := errors.Join(listErr, singleErr); err != nil {
		return Record{}, fmt.Errorf("encoding sample %s %s: %w", group, list.ID, err)
	}
	return Record{Group: group, ID: list.ID, List: l, Single: s}, nil
}

// compact encodes without the escapes of HTML, as the service does.
func compact(r apiRecord) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// pageNews is an item in the list of an editorial page.
func (e *encoder) pageNews(it *item) apiRecord {
	return apiRecord{
		ID: it.ID, ContentType: contentTypes[it.kind], CreatedDate: it.Created, Description: &it.Spot,
		Files: e.files(it), ModifiedDate: it.Modified, Path: it.Path, StartDate: it.Start,
		Title: it.Title, URL: e.url(it),
	}
}

// related is an item in the list of related news.
func (e *encoder) related(it *item) apiRecord {
	return apiRecord{
		ID: it.ID, Description: &it.Spot, Files: e.files(it), RelatedNews: []apiRecord{},
		Tags: orEmpty(it.Tags), Title: it.Title, URL: e.url(it), Writers: []apiRecord{},
	}
}

func (e *encoder) list(it *item) apiRecord {
	r := e.pageNews(it)
	switch it.kind {
	case "article", "gallery":
		r.Tags = orEmpty(it.Tags)
	case "column":
		r.Fullname, r.WriterID = e.writerBySlug[it.Writer].Name, e.writerBySlug[it.Writer].ID
	}
	return r
}

func (e *encoder) single(it *item) (apiRecord, error) {
	text, err := e.text(it.text)
	if err != nil {
		return apiRecord{}, fmt.Errorf("sample content %s/%s.html: %w", it.kind, it.ID, err)
	}
	r := e.list(it)
	r.WriterID, r.Text = "", &text
	if it.kind == "column" {
		return r, nil
	}
	r.Editor, r.Tags = &it.Editor, orEmpty(it.Tags)
	if it.kind == "article" {
		r.RelatedNews, r.Writers = e.shorts(it.Related, e.related), []apiRecord{}
	} else {
		r.ModifiedDate = ""
	}
	return r, nil
}

func (e *encoder) writer(w *writer) apiRecord {
	r := apiRecord{
		ID: w.ID, Fullname: w.Name, ContentType: "PersonContainer", CreatedDate: w.Created,
		Files: []apiFile{}, Path: "/yazarlar/", URL: e.base,
	}
	if w.Picture != nil {
		r.Files = append(r.Files, e.file(*w.Picture))
	}
	if !w.NoHome {
		r.URL += "/yazarlar/" + w.Slug + "/"
	}
	return r
}

func (e *encoder) shorts(ids []string, short func(*item) apiRecord) []apiRecord {
	out := make([]apiRecord, 0, len(ids))
	for _, id := range ids {
		out = append(out, short(e.itemByID[id]))
	}
	return out
}

func (e *encoder) files(it *item) []apiFile {
	out := make([]apiFile, 0, len(it.Pictures))
	for _, p := range it.Pictures {
		f := e.file(p)
		if it.kind != "column" {
			f.Metadata.Description = &p.Caption
		}
		out = append(out, f)
	}
	return out
}

func (e *encoder) file(p picture) apiFile {
	f := apiFile{FileURL: e.base + "/resim/" + p.File + ".jpg"}
	f.Metadata.Title = p.Title
	return f
}

func (e *encoder) url(it *item) string {
	name := slug.MakeLang(it.Title, "tr") + "-" + it.ID
	if it.kind == "column" {
		return e.base + "/yazarlar/" + it.Writer + "/" + name
	}
	return e.base + "/" + name
}

var reference = regexp.MustCompile(`["'](haber|resim|film):[^"']*["']`)

// text replaces the authors' references with addresses.
func (e *encoder) text(s string) (string, error) {
	var failures []error
	s = reference.ReplaceAllStringFunc(s, func(quoted string) string {
		scheme, name, _ := strings.Cut(quoted[1:len(quoted)-1], ":")
		address, err := e.address(scheme, name)
		failures = append(failures, err)
		return `"` + address + `"`
	})
	return s, errors.Join(failures...)
}

// address resolves a reference. Pictures in texts have no extension, as in the
// texts of the service.
func (e *encoder) address(scheme, name string) (string, error) {
	switch scheme {
	case "haber":
		if e.itemByID[name] == nil {
			return "", fmt.Errorf("the text links the unknown item %q", name)
		}
		return e.url(e.itemByID[name]), nil
	case "resim":
		if !(picture{File: name}).exists() {
			return "", fmt.Errorf("the text shows the unknown picture %q", name)
		}
		return e.base + "/resim/" + name, nil
	}
	return e.base + "/film/" + name + ".mp4", nil
}

func orEmpty(tags []string) []string {
	if tags == nil {
		return []string{}
	}
	return tags
}
