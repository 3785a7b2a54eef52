// Package record reads the canonical record of a mirror: JSON in the format of the Read API, to
// which other sources are converted, goes into [Fill], and its metadata come out. [Read] also
// returns the [Content] of the record's page. Package archive stores records. Only
// packages client, encode and server also know the names of the fields in that JSON.
//
// Begin with [Record], and [Read] in fill.go; fields.go reads the fields of each kind, and
// dates.go their dates. [Lost] compares two versions of a record. [Redaction] removes mentions
// of forgotten records; spelling.go finds their addresses in every spelling.
package record

import (
	"time"

	"ayna/attachment"
)

// Kind is the sort of a record, named for the operation that lists it.
type Kind string

// The kinds of records.
const (
	Article Kind = "article"
	Column  Kind = "column"
	Gallery Kind = "gallery"
	Video   Kind = "video"
	Page    Kind = "page" // an editorial page
	Writer  Kind = "writer"
	Folder  Kind = "folder"
)

// Comment is the kind of what readers have written below records. It is no record: originals and
// forgotten ids have it.
const Comment Kind = "comment"

// Kinds lists all kinds of records.
var Kinds = []Kind{Article, Column, Gallery, Video, Page, Writer, Folder}

// Record is a record of a source: its JSON, and the metadata that [Fill] derives from it.
type Record struct {
	Kind Kind
	ID   string
	Answers
	Metadata
}

// Answers are the JSON documents of a record, byte for byte as they arrived or as they were
// converted.
type Answers struct {
	List   []byte // as lists show it; nil if it was never listed
	Single []byte // as its own operation shows it; nil if it has not arrived
	Hit    []byte // as a search showed it; used until Single arrives

	FetchDue bool // Single must be fetched: it is missing, or List has changed since
}

// The parts of a record that come in answers of their own, as names: those of Answers.
const (
	ListPart   = "list"
	SinglePart = "single"
)

// Metadata is what lists, searches and addresses use of a record. It follows from the JSON.
type Metadata struct {
	Type                           string // ContentType, as received
	Path, Title, Spot, URL, Editor string
	Paths                          []string  // all folders of a record in several, Path first; else nil
	Published, Modified            time.Time // zero where unknown
	Tags                           []string
	Writers                        []Person
	Related                        []Reference
	Links                          []string     // addresses that the text links
	Access                         string       // "members" if only members of the source read the whole text, else ""
	Standing                       bool         // a standing page, which is in no folder and no list
	Parent                         string       // of a standing page: id of the one above it
	Ordinal                        int64        // of a standing page: its place among its siblings
	Lead                           string       // address of the lead picture
	Images                         []string     // addresses of all pictures; written, not read back
	Attachments                    []Attachment // files besides pictures, without a second one of an address; written, not read back
	Text                           string       // plain text for the index; written, not read back
	URLs                           []string     // every address at the source in its JSON; written, not read back
}

// Folders returns the folders of a record, the main one first.
func (m *Metadata) Folders() []string { return FoldersOf(m.Path, m.Paths) }

// FoldersOf returns all folders of a record from its path and paths.
func FoldersOf(path string, paths []string) []string {
	if len(paths) == 0 {
		return []string{path}
	}
	return paths
}

// Attachment is a document, a sound or a film that a record links or plays.
type Attachment struct {
	URL  string // absolute, http or https
	Kind attachment.Kind
}

// Person is a writer as a record names one.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Reference is another record as a record names it.
type Reference struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Forgotten is an address of a record that was removed for good.
type Forgotten struct {
	Kind Kind
	ID   string
	// URL is an address that other records may link: at the source, or, until
	// the archive is purged and without a slash in front, of its page in the published site. It
	// is "" in one entry of each record.
	URL string
}
