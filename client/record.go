package client

import (
	"encoding/json"
	"slices"
	"strings"
)

// A Record is what the resources have in common (API document, section 2). A
// field that an operation does not give is zero. The types that embed it are
// decoded with [json.Unmarshal]; a field of another JSON type than usual is
// coerced by the rules at the top of field.go, and never an error. Text is as
// the service gave it, and not to be trusted.
type Record struct {
	ID           string // opaque; "" if missing
	ContentType  string
	Title        string
	Description  string // the spot, plain text
	Path         string // the folder, as in "/spor/futbol/"
	URL          string
	CreatedDate  Date
	ModifiedDate Date // also of the spelling ModifieDate
	StartDate    Date // of publication; not in the document, but in most records
	Files        []File
	// Raw is the JSON as received. It is nil in a record inside a record.
	Raw json.RawMessage `json:"-"`
}

// A File is an image of a record.
type File struct{ URL, Title, Description string }

// An Article is a news item (section 2.1). Text is HTML.
type Article struct {
	Record
	Editor, Text string
	Tags         []string
	RelatedNews  []Related
	Writers      []Writer
}

// A Column is a writer's piece (section 2.2). Text is HTML.
type Column struct {
	Record
	Fullname    string // the writer's name
	WriterID    string // in lists only
	Text        string
	Tags        []string
	RelatedNews []Related
}

// A Gallery is a news photo gallery (section 2.3); its pictures are Files.
type Gallery struct {
	Record
	Editor, Text string
	Tags         []string
	RelatedNews  []Related
}

// A Video is a news video (section 2.4).
type Video struct {
	Record
	Editor, Text string
	Tags         []string
	RelatedNews  []Related
}

// A Page is an editorial page and the news that stands on it (section 2.5), in
// the editors' order. The list operation gives no news.
type Page struct {
	Record
	PageNews    []Related
	RelatedNews []Related
}

// A Writer is a columnist (section 2.6).
type Writer struct {
	Record
	Fullname    string
	Tags        []string
	RelatedNews []Related
}

// A Path is a folder (section 2.7): Path is its address, as in "/spor/".
type Path struct {
	ID, Path, Title string
	Raw             json.RawMessage `json:"-"` // as received
}

// A Hit is a search result (section 2.8), of any content type.
type Hit struct {
	Record
	Fullname, WriterID string // of columns
	Editor, Text       string
	Tags               []string
	RelatedNews        []Related
	Writers            []Writer
}

// A Related is a record inside another one. Those inside it in turn are read
// 64 deep.
type Related struct {
	Record
	Tags        []string
	Writers     []Writer
	RelatedNews []Related
}

// A Wording is what people read of a record of any kind, and when it was so. It
// is far less work to read than the record.
type Wording struct {
	Title        string
	Fullname     string // of columns and writers
	Description  string
	Text         string // HTML
	CreatedDate  Date
	ModifiedDate Date
	StartDate    Date
}

// ReadWording reads the wording of a record, a JSON object.
func ReadWording(data []byte) (Wording, error) {
	values, err := object(data, func(name string) bool {
		return slices.ContainsFunc(inWording, func(wanted string) bool { return strings.EqualFold(name, wanted) })
	})
	if err != nil {
		return Wording{}, err
	}
	f := fields{values: values}
	return Wording{
		Title:        f.text("Title"),
		Fullname:     f.text("Fullname"),
		Description:  f.text("Description"),
		Text:         f.text("Text"),
		CreatedDate:  f.date("CreatedDate"),
		ModifiedDate: f.date("ModifiedDate", "ModifieDate"),
		StartDate:    f.date("StartDate"),
	}, nil
}

var inWording = []string{"Title", "Fullname", "Description", "Text", "CreatedDate", "ModifiedDate", "ModifieDate", "StartDate"}

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Record) UnmarshalJSON(data []byte) error { return decode(data, r, fields.record) }

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Article) UnmarshalJSON(data []byte) error { return decode(data, a, fields.article) }

// UnmarshalJSON implements [json.Unmarshaler].
func (c *Column) UnmarshalJSON(data []byte) error { return decode(data, c, fields.column) }

// UnmarshalJSON implements [json.Unmarshaler].
func (g *Gallery) UnmarshalJSON(data []byte) error { return decode(data, g, fields.gallery) }

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Video) UnmarshalJSON(data []byte) error { return decode(data, v, fields.video) }

// UnmarshalJSON implements [json.Unmarshaler].
func (p *Page) UnmarshalJSON(data []byte) error { return decode(data, p, fields.page) }

// UnmarshalJSON implements [json.Unmarshaler].
func (w *Writer) UnmarshalJSON(data []byte) error { return decode(data, w, fields.writer) }

// UnmarshalJSON implements [json.Unmarshaler].
func (p *Path) UnmarshalJSON(data []byte) error { return decode(data, p, fields.folder) }

// UnmarshalJSON implements [json.Unmarshaler].
func (h *Hit) UnmarshalJSON(data []byte) error { return decode(data, h, fields.hit) }

// UnmarshalJSON implements [json.Unmarshaler].
func (r *Related) UnmarshalJSON(data []byte) error { return decode(data, r, fields.related) }

func (f fields) record() Record {
	return Record{
		ID:           f.id("Id"),
		ContentType:  f.text("ContentType"),
		Title:        f.text("Title"),
		Description:  f.text("Description"),
		Path:         f.text("Path"),
		URL:          f.text("Url"),
		CreatedDate:  f.date("CreatedDate"),
		ModifiedDate: f.date("ModifiedDate", "ModifieDate"),
		StartDate:    f.date("StartDate"),
		Files:        f.files(),
		Raw:          f.raw,
	}
}

func (f fields) article() Article {
	return Article{
		Record:      f.record(),
		Editor:      f.text("Editor"),
		Text:        f.text("Text"),
		Tags:        f.tags(),
		RelatedNews: nested(f, "RelatedNews", fields.related),
		Writers:     nested(f, "Writers", fields.writer),
	}
}

func (f fields) column() Column {
	return Column{
		Record:      f.record(),
		Fullname:    f.text("Fullname"),
		WriterID:    f.id("WriterId"),
		Text:        f.text("Text"),
		Tags:        f.tags(),
		RelatedNews: nested(f, "RelatedNews", fields.related),
	}
}

func (f fields) gallery() Gallery {
	return Gallery{
		Record:      f.record(),
		Editor:      f.text("Editor"),
		Text:        f.text("Text"),
		Tags:        f.tags(),
		RelatedNews: nested(f, "RelatedNews", fields.related),
	}
}

func (f fields) video() Video { return Video(f.gallery()) }

func (f fields) page() Page {
	return Page{
		Record:      f.record(),
		PageNews:    nested(f, "PageNews", fields.related),
		RelatedNews: nested(f, "RelatedNews", fields.related),
	}
}

func (f fields) writer() Writer {
	return Writer{
		Record:      f.record(),
		Fullname:    f.text("Fullname"),
		Tags:        f.tags(),
		RelatedNews: nested(f, "RelatedNews", fields.related),
	}
}

func (f fields) folder() Path {
	return Path{ID: f.id("Id"), Path: f.text("Path"), Title: f.text("Title"), Raw: f.raw}
}

func (f fields) hit() Hit {
	return Hit{
		Record:      f.record(),
		Fullname:    f.text("Fullname"),
		WriterID:    f.id("WriterId"),
		Editor:      f.text("Editor"),
		Text:        f.text("Text"),
		Tags:        f.tags(),
		RelatedNews: nested(f, "RelatedNews", fields.related),
		Writers:     nested(f, "Writers", fields.writer),
	}
}

func (f fields) related() Related {
	return Related{
		Record:      f.record(),
		Tags:        f.tags(),
		Writers:     nested(f, "Writers", fields.writer),
		RelatedNews: nested(f, "RelatedNews", fields.related),
	}
}
