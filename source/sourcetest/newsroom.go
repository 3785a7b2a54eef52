// Package sourcetest is the suite that every kind of source runs. A row is a fault of the
// source or a change of its editor, and what a mirror must show afterwards. The package of
// a source calls [Run] from an external test:
//
//	func TestSource(t *testing.T) { sourcetest.Run(t, newsroom) }
//
// [Newsroom] describes the kind of source, and [Paper] is one source with an editor: a fake
// in this process, or a proxy of a real one, a [Server]. Faults are made here, between the
// mirror and the paper.
//
// [Live] plays random lives of mirrors, in which editors work while faults come and go.
//
// Begin with run.go, which runs the rows and lists their tables; mirror.go brings an
// archive up to date and reads it, fault.go edits answers. A life is in life.go, its editor
// in life_editor.go, its faults in life_world.go, and what must hold in life_truth.go.
package sourcetest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"ayna/record"
	"ayna/source"
)

// A Newsroom is a kind of source.
type Newsroom struct {
	// Open opens a paper with a number of items, which requires a key unless that is "".
	// Papers of the same size are alike.
	Open func(t testing.TB, items int, key string) Paper
	// Key is a key for Open, at least 16 bytes long.
	Key string
	// PageSize is the configured size of pages.
	PageSize int
	// Few is a number of requests that gets on with a mirror of 40 items in pages of 15, and does not end it.
	Few int

	// Lists are the lists that the source reads.
	Lists []List
	// Parts are what else it asks of the list of items, by the names that Call gives them.
	Parts []string
	// Fields are the fields of items.
	Fields []Field
	// Call describes a request.
	Call func(r *http.Request) Call
	// Member is the name of the member that holds a list in its answers, "" for a bare list.
	Member func(list string) string
	// Elements edits the elements of an answer, as JSON; nil if answers are JSON.
	Elements func(body []byte, edit func([]json.RawMessage) []json.RawMessage) []byte
	// SetTotal replaces the number of records that an answer claims; nil if no answer does.
	// It returns the new body. A text that is "" removes the claim.
	SetTotal func(h http.Header, body []byte, total string) []byte
	// Size and Offset are the parameters of pages; Size is "" if the source has none.
	Size, Offset string
	Start        int // the offset of the first part: 0, or 1 where pages are counted
	// RefuseSize is the answer to a size that is too large; nil if the source has none.
	RefuseSize func(parameter string) (status int, body string)
	// NeverHad is the answer to a request for a record that was never there.
	NeverHad func() (status int, body string)
	// Closed are the statuses by which a list other than that of items is closed.
	Closed []int
	// Warns is the number of warnings of a first run.
	Warns int
	// Noise is set if JSON is read from answers that hold other text, too.
	Noise bool

	// Ways are the ways in which an editor withdraws an item.
	Ways []string
	// Waits are those of Ways that need an hour to be proved for the newest item.
	Waits []string
	// ProvesAlone is set if each withdrawn item needs that hour.
	ProvesAlone bool
	// Can are the abilities that rows need.
	Can []Ability

	// Older makes a paper one of an older version, which answers in another way; may be nil.
	Older func(Paper)

	// Serial is set if the papers are those of one server: rows run one after the other, and
	// those like others are left to long runs.
	Serial bool
	// Plain reports whether plain runs have a row, by its name; nil is all. Slow runs have the others, which
	// repeat what plain runs prove.
	Plain func(row string) bool
	// Skipped are the rows that need another ability.
	Skipped []string
}

// An Ability is what an editor of some kinds of sources can do.
type Ability string

// The abilities.
const (
	Schedules   Ability = "schedules"   // items
	Converts    Ability = "converts"    // a post to a standing page
	ShowsEdits  Ability = "shows edits" // in lists, by a newer date
	TellsTotals Ability = "tells totals"
	RefusesSize Ability = "refuses sizes"
	HasNoise    Ability = "has noise"          // around JSON
	Tags        Ability = "has tags"           // that items name by id
	Paged       Ability = "has pages"          // of the list of items
	Restores    Ability = "restores"           // what it has withdrawn
	Typed       Ability = "typed"              // a number or a list where words are due is not read as words
	Copies      Ability = "copies"             // several papers at once
	SaysNone    Ability = "says none"          // a record's own address may answer that it is none
	Singles     Ability = "has single records" // that are requested by themselves
	Originals   Ability = "originals"          // the archive keeps what records are made of
)

// A List is a list operation of the source's own.
type List struct {
	Name  string
	Needs Need
	// Kind is that of the records made of its elements; "" if they are no records.
	Kind record.Kind
}

// A Need is what a mirror needs of a list.
type Need int

// The needs.
const (
	Needed   Need = iota // the list of items
	Names                // names of what items name by id
	Optional             // what items can do without
	Further              // other items, which may not be closed
)

// A Field is a field of an item in its elements, by one of the names of [record.Lost].
type Field struct {
	Content string
	Keys    []string
	// MayBeEmpty is set if an editor can empty it, and Empty is its value then.
	MayBeEmpty bool
	Empty      any
	InList     bool // list records show it
}

// A Call describes a request.
type Call struct {
	List string   // the name of its [List], or of what else it asks for
	IDs  []string // that it asks for
	Own  bool     // it asks for one record at its own address
}

// A Paper is one source and its editor. All methods may be called while it answers.
type Paper interface {
	http.Handler
	Address() string
	Source(key string, c source.Connection) (source.Source, error)
	// Items returns the public items, newest first.
	Items() []Item
	// Publish adds an item now, or at its date if it has one, and returns its id.
	Publish(Item) (id string)
	// Change changes an item: its title, summary, text and names. A zero date leaves its date
	// of change as it is.
	Change(id string, at time.Time, edit func(*Item))
	Withdraw(id, way string)
	Restore(id, way string)
	// Rename renames an element of a list of names.
	Rename(list, id, name string)
	// Convert makes a post a standing page, or the other way round.
	Convert(id string, toPage bool)
}

// An Item is a post, an article or the like.
type Item struct {
	ID, Title, Summary, Text string
	// Names are the ids of what it names, by list; the first one where it has several.
	Names   map[string]string
	Date    time.Time
	Picture bool // it has one
}

// parameter returns the request with another value of a parameter; "" removes it.
func parameter(r *http.Request, name, value string) *http.Request {
	changed := r.Clone(r.Context())
	query := changed.URL.Query()
	if query.Del(name); value != "" {
		query.Set(name, value)
	}
	changed.URL.RawQuery = query.Encode()
	changed.RequestURI = (&url.URL{Path: r.URL.Path, RawQuery: changed.URL.RawQuery}).String()
	return changed
}

// isLater reports whether a part of a list is not its first one.
func (n Newsroom) isLater(query url.Values) bool {
	at, _ := strconv.Atoi(query.Get(n.Offset))
	return at > n.Start
}
