package client

import (
	"encoding/json"
	"html"
)

// A Record holds the fields that all resources share (API document, section 2). A
// missing field is zero. The types that embed it are decoded with [json.Unmarshal]; a
// field of an unusual JSON type is coerced by the rules in field.go and never an error.
// Do not trust the text: it is as the service sent it.
type Record struct {
	ID           string // opaque; "" if missing
	ContentType  string
	Title        string
	Description  string   // the spot, plain text
	Path         string   // the folder, as in "/spor/futbol/"
	Paths        []string // all folders of a record in several, Path first; else nil
	URL          string
	CreatedDate  Date
	ModifiedDate Date // also of the spelling ModifieDate
	StartDate    Date // of publication; not in the document, but in most records
	Files        []File
	ParentID     string // of a standing page: the id of the one above it, "" if none
	Access       string // "members" if only they read the whole text, "" if everybody does
	Order        *int64 // of a standing page: its place among its siblings, else nil
	FirstURL     string // of WordPress: the address as a draft, which still leads to the post
	// Raw is the JSON as received, nil in a record inside a record.
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

// A Page is an editorial page with its news in the editors' order (section 2.5). In
// lists it has no news.
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

// A Related is a record inside another one.
type Related struct {
	Record
	Tags        []string
	Writers     []Writer
	RelatedNews []Related
}

// A Wording is the readable part of a record of any kind, and its date. Reading it takes
// far less work than decoding the record.
type Wording struct {
	Title        string
	Fullname     string // of columns and writers
	Description  string
	Text         string // HTML
	Access       string // as in [Record]
	ModifiedDate Date
}

// ReadID returns the id in the JSON of a record of any kind, "" if it has none. The error
// is about data that is not a JSON object. Reading an id takes far less work than decoding
// the record.
func ReadID(data []byte) (string, error) {
	f, err := readOnly(data, "Id")
	return f.id("Id"), err
}

// ReadType returns the ContentType in the JSON of a record, "" if it has none. The error is
// as for [ReadID].
func ReadType(data []byte) (string, error) {
	f, err := readOnly(data, "ContentType")
	return f.text("ContentType"), err
}

// ReadWording returns the wording in the JSON of a record. The error is as for [ReadID].
func ReadWording(data []byte) (Wording, error) {
	f, err := readOnly(data, "Title", "Fullname", "Description", "Text", "Access", "ModifiedDate", "ModifieDate")
	if err != nil {
		return Wording{}, err
	}
	return Wording{
		Title:        f.text("Title"),
		Fullname:     f.text("Fullname"),
		Description:  f.text("Description"),
		Text:         f.text("Text"),
		Access:       f.text("Access"),
		ModifiedDate: f.date("ModifiedDate", "ModifieDate"),
	}, nil
}

// ReadDates returns the dates in the JSON of a record. The error is as for [ReadID].
func ReadDates(data []byte) (created, modified, start Date, err error) {
	f, err := readOnly(data, "CreatedDate", "ModifiedDate", "ModifieDate", "StartDate")
	return f.date("CreatedDate"), f.date("ModifiedDate", "ModifieDate"), f.date("StartDate"), err
}

// DateTexts returns the dates in the JSON of a record as received.
func DateTexts(data []byte) (texts []string) {
	names := []string{"CreatedDate", "ModifiedDate", "ModifieDate", "StartDate"}
	f, _ := readOnly(data, names...) // JSON that cannot be read has none
	for _, name := range names {
		texts = append(texts, plain(dateText(f.value(name))))
	}
	return texts
}

// A Content is what a page shows of a record beside its wording.
type Content struct {
	Text   string // HTML
	Files  []File
	Access string // as in [Record]
}

// ReadContent returns the content in the JSON of an article, column, gallery or video. The
// error is as for [ReadID].
func ReadContent(data []byte) (Content, error) {
	f, err := readOnly(data, "Text", "Files", "Access")
	return Content{f.body(), f.files(), f.text("Access")}, err
}

// readOnly decodes the named fields of a JSON object.
func readOnly(data []byte, names ...string) (fields, error) {
	values, err := object(data, names...)
	return fields{values: values}, err
}

// The resources implement [json.Unmarshaler].

func (r *Record) UnmarshalJSON(data []byte) error  { return decode(data, r, fields.record) }
func (a *Article) UnmarshalJSON(data []byte) error { return decode(data, a, fields.article) }
func (c *Column) UnmarshalJSON(data []byte) error  { return decode(data, c, fields.column) }
func (g *Gallery) UnmarshalJSON(data []byte) error { return decode(data, g, fields.gallery) }
func (v *Video) UnmarshalJSON(data []byte) error   { return decode(data, v, fields.video) }
func (p *Page) UnmarshalJSON(data []byte) error    { return decode(data, p, fields.page) }
func (w *Writer) UnmarshalJSON(data []byte) error  { return decode(data, w, fields.writer) }
func (p *Path) UnmarshalJSON(data []byte) error    { return decode(data, p, fields.folder) }
func (h *Hit) UnmarshalJSON(data []byte) error     { return decode(data, h, fields.hit) }
func (r *Related) UnmarshalJSON(data []byte) error { return decode(data, r, fields.related) }

// The methods Decode are as UnmarshalJSON, but leave Raw empty: it would copy the JSON.

func (p *Page) Decode(data []byte) error   { return decodeWith(data, nil, p, fields.page) }
func (w *Writer) Decode(data []byte) error { return decodeWith(data, nil, w, fields.writer) }
func (p *Path) Decode(data []byte) error   { return decodeWith(data, nil, p, fields.folder) }
func (h *Hit) Decode(data []byte) error    { return decodeWith(data, nil, h, fields.hit) }

func (f fields) record() Record {
	return Record{
		ID:           f.id("Id"),
		ContentType:  f.text("ContentType"),
		Title:        f.text("Title"),
		Description:  f.text("Description"),
		Path:         f.text("Path"),
		Paths:        f.texts("Paths"),
		URL:          f.text("Url"),
		CreatedDate:  f.date("CreatedDate"),
		ModifiedDate: f.date("ModifiedDate", "ModifieDate"),
		StartDate:    f.date("StartDate"),
		Files:        f.files(),
		ParentID:     f.id("ParentId"),
		Access:       f.text("Access"),
		Order:        f.integer("Order"),
		FirstURL:     f.firstURL(),
		Raw:          f.raw,
	}
}

func (f fields) firstURL() string {
	post, _ := f.value("WordPress").(map[string]any)
	return html.UnescapeString(fields{values: post}.text("guid"))
}

func (f fields) editor() string         { return f.text("Editor") }
func (f fields) body() string           { return f.text("Text") }
func (f fields) fullname() string       { return f.text("Fullname") }
func (f fields) relatedNews() []Related { return nested(f, "RelatedNews", fields.related) }
func (f fields) writers() []Writer      { return nested(f, "Writers", fields.writer) }

func (f fields) article() Article {
	return Article{f.record(), f.editor(), f.body(), f.tags(), f.relatedNews(), f.writers()}
}

func (f fields) column() Column {
	return Column{f.record(), f.fullname(), f.id("WriterId"), f.body(), f.tags(), f.relatedNews()}
}

func (f fields) gallery() Gallery {
	return Gallery{f.record(), f.editor(), f.body(), f.tags(), f.relatedNews()}
}

func (f fields) video() Video { return Video(f.gallery()) }

func (f fields) page() Page {
	return Page{f.record(), nested(f, "PageNews", fields.related), f.relatedNews()}
}

func (f fields) writer() Writer {
	return Writer{f.record(), f.fullname(), f.tags(), f.relatedNews()}
}

func (f fields) folder() Path {
	return Path{ID: f.id("Id"), Path: f.text("Path"), Title: f.text("Title"), Raw: f.raw}
}

func (f fields) hit() Hit {
	return Hit{f.record(), f.fullname(), f.id("WriterId"), f.editor(), f.body(), f.tags(), f.relatedNews(), f.writers()}
}

func (f fields) related() Related {
	return Related{f.record(), f.tags(), f.writers(), f.relatedNews()}
}
