package sample

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"

	"github.com/gosimple/slug"
)

// Answer is any record as the Read API sends it. The service writes the fields in this
// order and leaves out those that a group does not have. A nil pointer or slice is absent,
// an empty one is sent.
type Answer struct {
	ID           string   `json:"Id"`
	Fullname     string   `json:",omitzero"`
	ContentType  string   `json:",omitzero"`
	CreatedDate  string   `json:",omitzero"`
	Description  *string  `json:",omitzero"`
	Editor       *string  `json:",omitzero"`
	Files        []File   `json:",omitzero"`
	ModifiedDate string   `json:",omitzero"`
	PageNews     []Answer `json:",omitzero"`
	Path         string   `json:",omitzero"`
	RelatedNews  []Answer `json:",omitzero"`
	StartDate    string   `json:",omitzero"`
	Tags         []string `json:",omitzero"`
	Text         *string  `json:",omitzero"`
	Title        string   `json:",omitzero"`
	URL          string   `json:"Url,omitzero"`
	WriterID     string   `json:"WriterId,omitzero"`
	Writers      []Answer `json:",omitzero"`
}

// File is a picture of an [Answer].
type File struct {
	FileURL  string `json:"FileUrl"`
	Metadata Metadata
}

// Metadata describes a [File].
type Metadata struct {
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

// encoder makes the service's records of a newspaper that is served at base.
type encoder struct {
	*newspaper
	base string
}

func newEncoder(content fs.FS, base string) (*encoder, error) {
	n, err := read(content)
	return &encoder{newspaper: n, base: base}, err
}

// item returns the record of an item.
func (e *encoder) item(it *item) Record {
	return Record{Group: groups[it.kind], ID: it.ID, List: e.list(it).JSON(), Single: e.single(it).JSON()}
}

func records(content fs.FS, base string) ([]Record, error) {
	e, err := newEncoder(content, base)
	if err != nil {
		return nil, err
	}
	n := e.newspaper
	var all []Record
	for _, kind := range kinds {
		for _, it := range n.items {
			if it.kind == kind {
				all = append(all, e.item(it))
			}
		}
	}
	add := func(group string, list, single Answer) {
		all = append(all, Record{Group: group, ID: list.ID, List: list.JSON(), Single: single.JSON()})
	}
	for _, p := range n.pages {
		list := Answer{ID: p.ID, CreatedDate: p.Created.text, Title: p.Title, URL: p.URL}
		single := list
		single.PageNews, single.RelatedNews = e.shorts(p.News, e.pageNews), []Answer{}
		add("pages", list, single)
	}
	for _, w := range n.writers {
		list := e.writer(w)
		single := list
		single.RelatedNews, single.Tags = []Answer{}, []string{}
		add("writers", list, single)
	}
	for _, f := range n.folders {
		both := Answer{ID: f.ID, Path: f.Path, Title: f.Title}
		add("paths", both, both)
	}
	return all, nil
}

// JSON encodes without the escapes of HTML, as the service does.
func (r Answer) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(r) // a buffer takes everything
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// pageNews is an item in the list of an editorial page.
func (e *encoder) pageNews(it *item) Answer {
	return Answer{
		ID: it.ID, ContentType: contentTypes[it.kind], CreatedDate: it.Created.text, Description: &it.Spot,
		Files: e.files(it), ModifiedDate: it.Modified.text, Path: it.Path, StartDate: it.Start.text,
		Title: it.Title, URL: e.url(it),
	}
}

// related is an item in the list of related news.
func (e *encoder) related(it *item) Answer {
	return Answer{
		ID: it.ID, Description: &it.Spot, Files: e.files(it), RelatedNews: []Answer{},
		Tags: orEmpty(it.Tags), Title: it.Title, URL: e.url(it), Writers: []Answer{},
	}
}

func (e *encoder) list(it *item) Answer {
	r := e.pageNews(it)
	switch it.kind {
	case "article", "gallery":
		r.Tags = orEmpty(it.Tags)
	case "column":
		r.Fullname, r.WriterID = e.writerBySlug[it.Writer].Name, e.writerBySlug[it.Writer].ID
	}
	return r
}

func (e *encoder) single(it *item) Answer {
	text := reference.ReplaceAllStringFunc(it.text, e.address)
	r := e.list(it)
	r.WriterID, r.Text = "", &text
	if it.kind == "column" {
		return r
	}
	r.Editor, r.Tags = &it.Editor, orEmpty(it.Tags)
	if it.kind == "article" {
		r.RelatedNews, r.Writers = e.shorts(it.Related, e.related), []Answer{}
	} else {
		r.ModifiedDate = ""
	}
	return r
}

func (e *encoder) writer(w *writer) Answer {
	r := Answer{
		ID: w.ID, Fullname: w.Name, ContentType: "PersonContainer", CreatedDate: w.Created.text,
		Files: []File{}, Path: "/yazarlar/", URL: e.base,
	}
	if w.Picture != nil {
		r.Files = append(r.Files, e.file(*w.Picture))
	}
	if !w.NoHome {
		r.URL += "/yazarlar/" + w.Slug + "/"
	}
	return r
}

func (e *encoder) shorts(ids []string, short func(*item) Answer) []Answer {
	out := make([]Answer, 0, len(ids))
	for _, id := range ids {
		out = append(out, short(e.itemByID[id]))
	}
	return out
}

func (e *encoder) files(it *item) []File {
	out := make([]File, 0, len(it.Pictures))
	for _, p := range it.Pictures {
		f := e.file(p)
		if it.kind != "column" {
			f.Metadata.Description = &p.Caption
		}
		out = append(out, f)
	}
	return out
}

func (e *encoder) file(p picture) File {
	return File{FileURL: e.base + "/resim/" + p.File + ".jpg", Metadata: Metadata{Title: p.Title}}
}

func (e *encoder) url(it *item) string {
	name := slug.MakeLang(it.Title, "tr") + "-" + it.ID
	if it.kind == "column" {
		return e.base + "/yazarlar/" + it.Writer + "/" + name
	}
	return e.base + "/" + name
}

// reference is how authors write an address in a text.
var reference = regexp.MustCompile(`["'](haber|resim|film):[^"']*["']`)

// address resolves a reference. Pictures in texts have
// no extension, as in the texts of the service.
func (e *encoder) address(quoted string) string {
	scheme, name, _ := strings.Cut(quoted[1:len(quoted)-1], ":")
	switch scheme {
	case "haber":
		return `"` + e.url(e.itemByID[name]) + `"`
	case "resim":
		return `"` + e.base + "/resim/" + name + `"`
	}
	return `"` + e.base + "/film/" + name + `.mp4"`
}

func orEmpty(tags []string) []string {
	if tags == nil {
		return []string{}
	}
	return tags
}
