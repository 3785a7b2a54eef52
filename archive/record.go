package archive

import (
	"crypto/sha256"
	"time"
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

// Kinds lists all kinds.
var Kinds = []Kind{Article, Column, Gallery, Video, Page, Writer, Folder}

// Record is one record of the service: its JSON, the metadata that package record
// derives from it, and the state of its synchronisation.
type Record struct {
	Row  int64 // 0 until it is stored
	Kind Kind
	ID   string

	List   []byte // as lists show it, byte for byte; nil if it was never listed
	Single []byte // as its own operation shows it; nil if it has not arrived
	Hit    []byte // as a search showed it; used until Single arrives

	Type                           string // ContentType, as received
	Path, Title, Spot, URL, Editor string
	Paths                          []string  // all folders of a record in several, Path first; else nil
	Published, Modified            time.Time // zero where unknown
	Tags                           []string
	Writers                        []Person
	Related                        []Reference
	Links                          []string // addresses that the text links
	Access                         string   // "members" if only members of the source read the whole text, else ""
	Standing                       bool     // a standing page, which is in no folder and no list
	Parent                         string   // of a standing page: id of the one above it
	Ordinal                        int64    // of a standing page: its place among its siblings
	Lead                           string   // address of the lead picture
	Images                         []string // addresses of all pictures; written, not read back
	Text                           string   // plain text for the index; written, not read back
	URLs                           []string // every address at the source in its JSON; written, not read back

	FetchDue bool      // the single record must be fetched: it is new, or its list record changed
	Recheck  bool      // the single record must be fetched again because of its age
	Attempts int       // how often in a row fetching the single record failed
	RetryAt  time.Time // no retry before this time
	Pass     int       // number of the latest reading of its list that saw it: a pass, or its head
	Seen     time.Time // first seen
	Listed   time.Time // last seen in a list
	Fetched  time.Time // when the single record arrived
	Changed  time.Time // last change
	GoneAt   time.Time // gone from the source since
	Aside    bool      // kept aside, see [ScheduleTx.SetAside]; written by that only
	Address  string    // of its page in the published site
	Hash     [sha256.Size]byte
	Damaged  bool // the stored JSON does not have that hash; List, Single and Hit are nil
}

// Derive sets the metadata of a record from its JSON, as before [Tx.Put]. Several goroutines
// may call it.
type Derive func(*Record) error

// Folders returns the folders of a record, the main one first.
func (r *Record) Folders() []string { return foldersOf(r.Path, r.Paths) }

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

// hash returns the hash of a record's JSON. Hit is part of it until Single arrives.
func (r *Record) hash() [sha256.Size]byte {
	if r.Single == nil && r.Hit != nil {
		return hashOf(r.List, r.Single, r.Hit)
	}
	return hashOf(r.List, r.Single)
}

// SetHash sets the hash of a record whose JSON was changed on purpose.
func (r *Record) SetHash() { r.Hash = r.hash() }

// Sound reports whether the JSON of a record has its hash. It removes a hit that came
// after the record was stored last, since the hash does not cover it yet.
func (r *Record) Sound() bool {
	if r.Hash == r.hash() {
		return true
	}
	if r.Hash != hashOf(r.List, r.Single) {
		return false
	}
	r.Hit = nil
	return true
}

// verify removes JSON that does not match its hash, and a hit that the hash does not cover.
func (r *Record) verify() {
	if !r.Sound() {
		r.List, r.Single, r.Hit, r.Damaged = nil, nil, nil, true
	}
}

func hashOf(parts ...[]byte) [sha256.Size]byte {
	h := sha256.New()
	for i, part := range parts {
		if i > 0 {
			h.Write([]byte{0})
		}
		h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
