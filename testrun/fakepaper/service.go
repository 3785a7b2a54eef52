// Package fakepaper serves an invented newspaper to tests and measurements: [Options] go in,
// records, pictures and the HTTP answers of a source come out. Its prose is the sample's.
//
//   - [New] makes a [Service] that answers as the Read API does, from as many items as
//     [Options] say; shapes, quota, latency and faults of the answers are options too. It
//     logs all requests, and [Service.Records] returns what an archive must have.
//   - [Raw] and [Fields] make single records for an archive, [Archive] and [Put] store
//     them as a synchronisation does.
//   - [Prose] and [Zipf] make texts of any size, [PNG] and [TurnedJPEG] make pictures.
//   - [ListenWordPress] makes a [WordPress], which has the same items as posts, answers as
//     WordPress's REST API does, and has an editor who publishes, edits and trashes.
//     [ListenGhost] makes a [Ghost], which does the same as Ghost's Content API.
//
// A [Service] is an [http.Handler]; [Listen] puts it behind a listener. In the same process
// its latency follows the clock of package synctest, and its dates follow Options.Now.
//
// The records of a service do not depend on the API that it speaks. Another one is a
// function such as [ReadAPI], which registers the handlers of an API and may keep the
// records in a form of its own.
package fakepaper

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// Options describe a service. With only Base set, it behaves like the real service,
// whose answers were recorded.
type Options struct {
	Base   string // address of the service, for the addresses in records
	Items  int    // articles, columns, galleries and videos; pages, writers and folders are extra
	Seed   uint64 // of the items
	Sample bool   // the records and pictures of the sample, and no Items
	Key    string // required in the header apikey; "" requires none; user:password of a WordPress; a Ghost always has one

	Speaks func(*Service)   // the API; nil is [ReadAPI]
	Now    func() time.Time // nil is time.Now

	Envelope       string // of lists: "" is a bare array, "d.results", or the name of a wrapper's field
	NumericIDs     bool   // ids of items are JSON numbers
	DateForm       string // layout of package time, or "ticks" for /Date(…)/; "" is RFC 3339
	ModifieDate    bool   // the document's spelling, instead of ModifiedDate
	UndatedSingles bool   // single records have no ModifiedDate, as in the document
	TopCap         int    // most records in an answer; 0 is 50
	IgnoreSkip     bool   // every page is the first one
	EndlessPage    bool   // past the end the last page is repeated
	ShortPages     bool   // answers hold one record less than they could
	TopLimit       int    // a larger $top is answered with 400; 0 is no limit
	IDInQuery      bool   // writers and folders are at ?Id= only
	BareHits       bool   // a search shows list records, not single records

	Prefix          string         // path of a WordPress, as in "/blog"
	PlainPermalinks bool           // addresses of a WordPress are queries, and nothing is at /wp-json/
	HiddenUsers     bool           // a WordPress has no route for users
	NoLink          bool           // the pages of a WordPress do not name its REST API
	RESTPrefix      string         // of a WordPress; "" is wp-json
	RESTClosed      bool           // a WordPress answers pages alone
	Feed            bool           // a WordPress has an Atom feed
	Summaries       bool           // and that has no texts
	HomeForbidden   bool           // the pages of a WordPress are answered with 403, and its REST API is open
	Zone            *time.Location // of a WordPress or a Ghost; nil is Istanbul's, one without a name is a manual offset
	Language        string         // that the pages of a WordPress name; "" is tr-TR
	Types           []string       // custom types of a WordPress, each with one post

	HiddenKey bool   // the pages of a Ghost do not show its key
	Private   bool   // the pages of a Ghost ask for a password
	APIBase   string // address of the host that answers the Content API of a Ghost; "" is Base

	Latency time.Duration     // before each answer
	Quota   Quota             // of the key
	Faults  func(Call) *Fault // of each request; nil is none

	// Window returns the indexes of the records that an answer shows, of a list of
	// n; top is $top within TopCap. Without it that follows from $skip. It must not
	// call the service.
	Window func(c Call, top, n int) []int

	// Filter returns which records match a $filter, or a status other than 200 if
	// it is not understood. Without it every filter is ignored.
	Filter func(expression string) (match func(Record) bool, status int)
}

// A Call describes a request, for [Options.Faults].
type Call struct {
	Operation string // articles, …, search, date; pictures are "picture"
	ID        string // of a single record, or several of a WordPress; of a search the keyword; of a picture its name
	Skip      int    // of a list
	Attempt   int    // 1 for the first request of this kind
}

// List reports whether the call is for a list.
func (c Call) List() bool { return c.ID == "" && c.Operation != "date" }

// A Request is one that arrived.
type Request struct {
	Call
	At     time.Time
	URI    string
	Key    string // the header apikey, or Authorization
	Status int    // of the answer
}

// Service is a news service in memory.
type Service struct {
	Options
	Server *httptest.Server // if Listen started it

	mux     *http.ServeMux
	admits  func(*http.Request) bool // checks the key
	arrived chan struct{}            // has room for one

	mu       sync.Mutex
	groups   map[string][]*Record  // in the order of lists
	byID     map[[2]string]*Record // by group and id; nil until needed
	attempts map[Call]int
	requests []*Request
	inFlight int
	most     int         // in flight at once
	arrivals []time.Time // of requests, for the quota
	excess   Excess
}

// New returns a service with its records.
func New(o Options) *Service {
	o.TopCap = cmp.Or(max(0, o.TopCap), 50)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Speaks == nil {
		o.Speaks = ReadAPI
	}
	s := &Service{Options: o, mux: http.NewServeMux(), arrived: make(chan struct{}, 1), attempts: make(map[Call]int)}
	s.admits = func(r *http.Request) bool { return s.Key == "" || r.Header.Get("apikey") == s.Key }
	s.groups = s.fill()
	s.Speaks(s)
	return s
}

// Listen returns a service behind a listener on the loopback interface until the
// test ends. Its address is Base.
func Listen(t testing.TB, o Options) *Service {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	o.Base = "http://" + server.Listener.Addr().String()
	s := New(o)
	s.Server = server
	server.Config.Handler = s
	server.Start()
	t.Cleanup(server.Close)
	return s
}

// Handle adds a handler of the test's own. Its requests are not logged.
func (s *Service) Handle(pattern string, handler http.HandlerFunc) {
	s.mux.HandleFunc(pattern, handler)
}

// ServeHTTP implements [http.Handler].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Service) locked(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
}

// Set changes options; requests may be in flight.
func (s *Service) Set(change func(*Options)) { s.locked(func() { change(&s.Options) }) }

// SetFaults replaces [Options.Faults]; requests may be in flight.
func (s *Service) SetFaults(faults func(Call) *Fault) { s.locked(func() { s.Faults = faults }) }

// Requests returns the requests in the order of their arrival.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := make([]Request, len(s.requests))
	for i, r := range s.requests {
		requests[i] = *r
	}
	return requests
}

// Count returns how many requests keep accepts, pictures left out.
func (s *Service) Count(keep func(Request) bool) int {
	return len(slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.Operation == "picture" || !keep(r) }))
}

// Await waits until keep has accepted n requests, pictures left out. It fails the test
// after three minutes, which only a hanging program takes.
func (s *Service) Await(t testing.TB, n int, keep func(Request) bool) {
	t.Helper()
	hangs := time.After(3 * time.Minute)
	for s.Count(keep) < n {
		select {
		case <-s.arrived:
		case <-hangs:
			t.Fatalf("%d of %d requests have arrived", s.Count(keep), n)
		}
	}
}

// ClearLog empties the log of requests, and resets [Call.Attempt] and MostInFlight.
func (s *Service) ClearLog() {
	s.locked(func() { s.requests, s.attempts, s.most = nil, make(map[Call]int), 0 })
}

// MostInFlight returns how many requests were in flight at once.
func (s *Service) MostInFlight() (n int) {
	s.locked(func() { n = s.most })
	return n
}
