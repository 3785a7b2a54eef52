// Package source defines what a mirror reads: ids and queries go into a [Source], records in
// the JSON of the Read API come out. Packages readapi, wordpress and ghost below it are the
// kinds of sources.
package source

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"ayna/source/get"
	"ayna/source/note"
)

// Source is where records come from. Records are JSON of the Read API (API document,
// section 2), whatever the source itself speaks; errors are those of package get.
type Source interface {
	// Facts may be others after Site was called.
	Facts() Facts
	// Site describes the source, with one request in most runs.
	Site(ctx context.Context) (Site, error)
	List(ctx context.Context, group Group, q Query) (Batch, error)
	// Fetch asks for single records by their ids, at most [Facts.Bulk] of them, and returns
	// an answer for each. The error is about all of them.
	Fetch(ctx context.Context, group Group, ids []string) ([]Answer, error)
	// KeyGuard returns what removes the source's key from texts.
	KeyGuard() *get.KeyGuard
	// Found returns what the answers have shown of the source, by question. The archive
	// keeps it for the next run.
	Found() map[string]string
}

// ErrSummaries is the error of a source that can be read by its feed alone, if that has no whole
// texts.
var ErrSummaries = errors.New("its feed has summaries only")

// Searcher is a Source that can be searched.
type Searcher interface {
	SearchBatch(ctx context.Context, keyword string, q Query) (Batch, error)
}

// An Answer is what a source says of one id.
type Answer struct {
	ID     string
	State  State
	Record json.RawMessage // of [Present]
	// List is the list record of what Record was made of, as [Batch] has it; nil if that is unknown.
	List json.RawMessage
	Err  error // the source's own words of another state; may be nil
	// Unread names content of the record that came in another shape than the source's own,
	// in the words of record.Lost: it is unknown, not empty.
	Unread []string
	// Lacking names content whose field is missing or null, as it may be in all records of a source.
	// It is unknown, too, but not asked for again.
	Lacking []string
	// Filled names content that is empty at the source, in whose place the record has
	// something else: a title of its first words.
	Filled []string
	// Incomplete is set if something that the record names could not be had this time, as
	// its picture. It is stored, and asked for again.
	Incomplete bool
	// Original is what Record was made of; without Data the archive keeps none.
	Original Original
	// Notes are what Record lacks of its Original, see [Reading].
	Notes note.Set
}

// A State is what an answer says of an id.
type State string

// The states of an id.
const (
	LeftOut  State = "left out"  // the answer says nothing of it
	Present  State = "present"   // it has a record
	Gone     State = "gone"      // the source says of this very id that it is not public
	NotFound State = "not found" // its own address answers 404, which proves nothing by itself
	NoRecord State = "no record" // the source knows it, and it has no content of its own
)

// A Prover says of records that a list lacks whether they are gone.
type Prover interface {
	// TypeOf returns the source's own type of a record that the archive holds.
	TypeOf(r Known) string
	// Dates asks with one light request which of some records of one type are public, at
	// most [Facts.Bulk] of them, and returns the dates of change of those that are.
	Dates(ctx context.Context, group Group, of []Known) (map[string]time.Time, error)
	// Ask asks for one record at its own address.
	Ask(ctx context.Context, group Group, of Known) (State, error)
}

// A Reader is a Source that makes its records of originals, as its answers have them.
type Reader interface {
	// ReaderVersion names the rules by which records are made, and the settings of which they
	// depend. Records of another version are read again.
	ReaderVersion() string
	// Read makes records of originals of one archive, without a request, and returns a reading
	// for each. The error is about all of them.
	Read(ctx context.Context, originals []Original) ([]Reading, error)
}

// A Reading is what a [Reader] makes of an original.
type Reading struct {
	List, Single json.RawMessage // nil: it has no such record
	// Wants is set if the record shows what the archive lacks, as a picture whose address it
	// does not know.
	Wants bool
	Notes note.Set // what the single record lacks, since it was not understood
	Err   error    // it cannot be read
}

// Known is a record that the archive holds.
type Known struct {
	ID       string
	Modified time.Time
	List     json.RawMessage // as its list has shown it
}

// Warner is a Source that says what its answers lack.
type Warner interface {
	// Warnings are what makes a mirror poorer than its source, for the owner; each is
	// reported once.
	Warnings() []string
	// Failures are lists of what records name (terms, pictures) that could not be read in
	// this run, by their names. Records keep what they had of them.
	Failures() map[string]error
}

// Originals keeps the elements of lists that records name by id, as the source has sent
// them: terms, users, media. What a single record is made of comes with its [Answer].
type Originals interface {
	// Some returns those with the ids, and All all of a type, by their ids. Single returns the
	// original of a single record, or nil.
	Single(ctx context.Context, typ, id string) (json.RawMessage, error)
	Some(ctx context.Context, typ string, ids []string) (map[string]json.RawMessage, error)
	All(ctx context.Context, typ string) (map[string]json.RawMessage, error)
	Put(ctx context.Context, changed []Original) error
}

// An Original is one element as the source has sent it.
type Original struct {
	Type, ID  string          // the source's own
	Group     Group           // of the record that is made of it, "" if none is
	Record    string          // its id
	Operation string          // the address that was asked, without its query
	Data      json.RawMessage // nil deletes it
}

// Connection has what a Source begins with.
type Connection struct {
	Transport http.RoundTripper           // nil is that of [get.NewTransport]
	Gate      func(context.Context) error // is called before each request; may be nil
	Timeout   time.Duration               // of one request; 0 is 30 seconds
	UserAgent string                      // "" is "ayna"
	Found     map[string]string           // what earlier runs have found, see [Source]
	Originals Originals                   // may be nil: nothing is kept
}

// Facts are what is known of a kind of source. Each has one meaning.
type Facts struct {
	Lists []List
	// Sweep is the time between two passes over a whole list, which find what no date shows;
	// 0 is each run.
	Sweep time.Duration
	// EditsShow is set if each edit of a record shows in its list record: single records
	// are never fetched again by their age.
	EditsShow bool
	// NewestOnly is set if a list has its newest records alone: an absence says nothing.
	NewestOnly bool
	// SinceIsWhole is set if a list by date has all that changed, so that it needs no probe.
	SinceIsWhole bool
	// Describes is set if one request before all others says which paper it is, and its zone.
	Describes bool
	// NamesLast is set if the list of folders or writers has those that the items of the first
	// list name: it is read after that.
	NamesLast bool
	// NamesEachRun is set if folders and writers are read whole in each run.
	NamesEachRun bool
	// Brief list records lack folders: a folder that moves shows in single records alone.
	Brief bool
	// ProvesAlone is set if each record is asked for in an answer of its own, so that none is a
	// witness for others: a [Prover] is not asked for dates.
	ProvesAlone bool
	// Bulk is the most ids in one call of Fetch; at least 1.
	Bulk int
}

// A List is a list operation.
type List struct {
	Group Group   // of the operation
	Holds []Group // of its records; the first one is that of records without a type
	Dated bool    // [Query.Since] may work
	// MayBeEmpty is set if all of its records may go at once, as sticky posts do.
	MayBeEmpty bool
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
	Known time.Time // beside Since: earlier runs have stored what had changed by then, by the source's clock
	Top   int       // records in one answer
	Skip  int       // records to leave out at the start
	// Begins announces that the whole list is read from here. A source may look then at what
	// rarely changes.
	Begins bool
	// Glance announces that nothing beyond this answer is requested. A source that reads a list
	// whole may show the part of it that comes soon.
	Glance bool
	// Texts announces that the single records of the answer are requested next. A source
	// whose lists can have texts may read them at once.
	Texts bool
}

// A Batch is one answer of a list or a search.
type Batch struct {
	Records []json.RawMessage // JSON objects
	Skipped int               // elements left out: no objects, or with the source's key in them
	Hidden  []string          // ids of those Records that are not public: they have a position and nothing else
	// Unread names content of Records that came in another shape, by their ids, as [Answer] does.
	Unread map[string][]string
	// Missing has types of records, see [Prover], that the list lacks this time since they
	// could not be read.
	Missing []string
	// Last is set if the source knows that no records follow in the list.
	Last bool
	// Empty has types of records of which the list has none.
	Empty []string
	// Total is the number of records of the whole list, where the answers say it; else 0.
	Total    int
	Count    int       // all hits of a search or records of a list, where the answer has the number; else -1
	Envelope string    // how the list was wrapped; "" for a source that has one way alone
	Date     time.Time // of the answer, zero if it has none
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
	// Renews is the operation of originals that this source now has in a better way: their records
	// are fetched again. It is "" if there are no such originals.
	Renews string
	Date   time.Time // of the answer
}

// A MenuItem is a link of a paper's own menu.
type MenuItem struct{ Title, URL string }
