// Package source has what a mirror reads: a [Source] and the types of its answers. Packages
// readapi, wordpress and ghost below it are the kinds of sources.
package source

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ayna/source/get"
)

// Source is where records come from. Records are JSON of the Read API (API document,
// section 2), whatever the source itself speaks; errors are those of package get.
type Source interface {
	Traits() Traits
	// Site describes the source, with one request.
	Site(ctx context.Context) (Site, error)
	List(ctx context.Context, group Group, q Query) (Batch, error)
	SearchBatch(ctx context.Context, keyword string, q Query) (Batch, error)
	Single(ctx context.Context, group Group, id string, fields ...string) (json.RawMessage, error)
	// KeyGuard returns what removes the source's key from texts.
	KeyGuard() *get.KeyGuard
	// Found returns what the answers have shown of the source, by question. The archive
	// keeps it for the next run.
	Found() map[string]string
}

// Bulk has the method of sources whose [Traits.Bulk] is not 0.
type Bulk interface {
	// Records returns single records by their ids. Those that are not there any more are
	// missing.
	Records(ctx context.Context, group Group, ids []string) ([]json.RawMessage, error)
}

// Warner is a Source with warnings for a mirror's owner, each reported once.
type Warner interface{ Warnings() []string }

// Connection has what a Source begins with.
type Connection struct {
	Transport http.RoundTripper           // nil is that of [get.NewTransport]
	Gate      func(context.Context) error // is called before each request; may be nil
	Timeout   time.Duration               // of one request; 0 is 30 seconds
	UserAgent string                      // "" is "ayna"
	Found     map[string]string           // what earlier runs have found, see [Source]
}

// Traits describe how a source answers.
type Traits struct {
	Listings []Listing
	// Sweep is the time between two readings of a whole list, which find what no date shows;
	// 0 is each run.
	Sweep time.Duration
	// Trusted sources show every change in list records, and an id missing from the
	// answer of Records proves a deletion.
	Trusted bool
	// Brief list records lack folders: a folder that moves shows in single records alone.
	Brief bool
	// Bulk is the most ids in one call of Records, 0 if the source has no Records.
	Bulk int
}

// A Listing is a list operation.
type Listing struct {
	Group Group   // of the operation
	Holds []Group // of its records; the first one is that of records without a type
	Dated bool    // [Query.Since] may work
}

// A Group names a list operation, and the records of one kind.
type Group string

// The groups of records are those of the Read API. A source may have lists of other groups.
const (
	Articles  Group = "articles"
	Columns   Group = "columns"
	Galleries Group = "newsphotogalleries"
	Videos    Group = "newsvideos"
	Pages     Group = "pages"
	Writers   Group = "writers"
	Paths     Group = "paths"
)

// A Query selects a part of a list. The zero Query leaves that to the source.
type Query struct {
	Since time.Time // only records modified at or after this time, in whole seconds; zero is all
	Top   int       // records in one answer
	Skip  int       // records to leave out at the start
	// Texts announces that the single records of the answer are requested next. A source
	// whose lists can have texts may read them at once.
	Texts bool
}

// A Batch is one answer of a list or a search.
type Batch struct {
	Records  []json.RawMessage // JSON objects
	Skipped  int               // elements left out: no objects, or with the source's key in them
	Hidden   []string          // ids of those Records that are not public: they have a position and nothing else
	Count    int               // all hits of a search or records of a list, where the answer has the number; else -1
	Envelope string            // how the list was wrapped; "" for a source that has one way alone
	Date     time.Time         // of the answer, zero if it has none
}

// A Site describes a source. All fields but Date may be empty.
type Site struct {
	ID          string // names the paper wherever it moves; "" if nothing does
	Title       string
	Description string
	Zone        string // of local dates: a name, not checked
	ZoneNote    string // how the site's own zone differs from Zone
	Language    string // as in "tr-TR"
	Icon, Logo  string // addresses of pictures
	Accent      string // color, as in "#1a2b3c"
	Menu        []MenuItem
	Date        time.Time // of the answer
}

// A MenuItem is a link of a paper's own menu.
type MenuItem struct{ Title, URL string }
