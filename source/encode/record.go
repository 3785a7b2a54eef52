// Package encode makes the JSON of Read API records (API document, section 2) from an [Item],
// [Writer] or [Folder] of another kind of source. Fields are named as the API names them.
package encode

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// StandingPage is the ContentType of a standing page.
const StandingPage = "Page"

// Members is the Access of an item whose text is what everybody may read of it.
const Members = "members"

// An Item is an article, column, gallery, video or standing page. Texts of one line are
// plain text, escaped where they look like markup.
type Item struct {
	ID           string `json:"Id"`
	ContentType  string
	Access       string `json:",omitempty"` // Members, or "" for everybody
	Title        string
	Description  string   `json:",omitempty"`
	Path         string   `json:",omitempty"`
	Paths        []string `json:",omitempty"`
	URL          string   `json:"Url"`
	CreatedDate  string   `json:",omitempty"`
	ModifiedDate string   `json:",omitempty"`
	StartDate    string   `json:",omitempty"`
	Fullname     string   `json:",omitempty"`
	WriterID     string   `json:"WriterId,omitempty"`
	Writers      []Author `json:",omitempty"`
	Tags         []string `json:",omitempty"`
	ParentID     string   `json:"ParentId,omitempty"`
	Order        *int64   `json:",omitempty"` // of a standing page, else nil
	Files        []File   `json:",omitempty"`
	Text         *string  `json:",omitempty"`
}

// An Author is a writer as an item names one.
type Author struct {
	ID       string `json:"Id"`
	Fullname string
}

// A File is a picture.
type File struct {
	Address  string `json:"FileUrl"`
	Metadata Metadata
}

// Metadata describe a picture.
type Metadata struct {
	Title       string `json:",omitempty"`
	Description string `json:",omitempty"`
}

// A Folder is a record of the list of folders.
type Folder struct {
	ID          string `json:"Id"`
	Path, Title string
	Description string `json:",omitempty"`
	URL         string `json:"Url"`
}

// A Writer is a record of the list of writers.
type Writer struct {
	ID          string `json:"Id"`
	ContentType string // "PersonContainer"
	Fullname    string
	Description string `json:",omitempty"`
	URL         string `json:"Url"`
	Files       []File `json:",omitempty"`
}

// Person is the ContentType of a writer.
const Person = "PersonContainer"

// A Reference is a record with an id alone.
type Reference struct {
	ID string `json:"Id"`
}

// Encode returns a record as JSON, without escapes for HTML.
func Encode(record any) json.RawMessage {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		panic(err) // a struct of texts and numbers is encoded
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n"))
}

// MaxText is the size in bytes of a text beyond which no page shows its words.
const MaxText = 16 << 20

// ClipText returns the beginning of a text, as much as takes at most MaxText bytes in JSON,
// where a control character takes six.
func ClipText(text string) string {
	text = Clip(text, MaxText)
	if 6*len(text) <= MaxText {
		return text
	}
	size := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ':
			size += 6
		case c == '"' || c == '\\':
			size += 2
		default:
			size++
		}
		if size > MaxText {
			return Clip(text, i)
		}
	}
	return text
}

// Clip returns at most so many bytes of a text, and no part of a character. It is a copy, so that
// the rest does not stay in memory.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.Clone(text[:most])
}

// Read decodes a JSON object. A field of another type than it should have is left empty.
func Read[T any](data []byte) (value T, err error) {
	err = json.Unmarshal(data, &value)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
		err = nil
	}
	return value, err
}
