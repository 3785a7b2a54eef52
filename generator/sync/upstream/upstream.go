// Package upstream is a news service in memory for tests of whatever reads the
// API: records made from a number and a seed, knobs for the shapes that a
// service may have, a plan of faults, and a list of the requests that came.
// What a test may compare an archive with is the service's own truth, see
// [Service.Records].
//
// A [Service] is an [http.Handler]. It can stand behind a listener, or answer
// in the same process, where a fake clock rules its latency too.
package upstream

import (
	"net/http"
	"sync"
	"time"
)

// Options are the knobs. The zero Options with Base set is the service as it
// was recorded.
type Options struct {
	Base  string // address under which it is reached, for the addresses in records
	Items int    // records of the four kinds of items; pages, writers and folders come on top
	Seed  uint64 // what makes the items differ
	Key   string // asked for in the header apikey; "" is not

	Envelope       string // of lists: "" is a bare array, "d.results", or the name of a wrapper's field
	NumericIDs     bool   // ids of items are JSON numbers
	DateForm       string // layout of package time, or "ticks" for /Date(…)/; "" is RFC 3339
	ModifieDate    bool   // the document's spelling, instead of ModifiedDate
	UndatedSingles bool   // single records have no ModifiedDate, as the document says
	TopCap         int    // most records in an answer; 0 is 50
	IgnoreSkip     bool   // every page is the first one
	EndlessPage    bool   // past the end the last page comes again
	ShortPages     bool   // answers hold one record less than they could
	TopLimit       int    // a larger $top is answered with 400; 0 is none
	IDInQuery      bool   // writers and folders have their address at ?Id=, and none in the path
	BareHits       bool   // a search shows what lists show
	PictureBytes   int    // least size of a picture

	Latency time.Duration // before each answer
	Quota   Quota         // of the key
	Faults  func(Call) *Fault

	// Window says which of the n records of a list an answer shows, by their
	// places, instead of those from $skip on; top is what was asked for, within
	// TopCap. It must not call the service.
	Window func(c Call, top, n int) []int

	// Filter says which records match a $filter, or a status other than 200 for
	// one that is not understood; without it every filter is ignored.
	Filter func(expression string) (match func(Record) bool, status int)
}

// A Call is what a plan of faults decides by.
type Call struct {
	Operation string // articles, …, search, date; pictures are "picture"
	ID        string // of a single record; of a search the word; of a picture its name
	Skip      int    // of a list
	Attempt   int    // how often the same has been asked for, from 1 on
}

// List reports whether a list was asked for.
func (c Call) List() bool { return c.ID == "" && c.Operation != "date" }

// A Request is one that came.
type Request struct {
	Call
	At     time.Time
	URI    string
	Key    string // the header apikey
	Status int    // of the answer
}

// Service is a news service.
type Service struct {
	Options
	mux *http.ServeMux

	mu       sync.Mutex
	groups   map[string][]*Record // in the order of lists
	byID     map[string][]*Record // nil until it is asked for
	attempts map[Call]int
	requests []*Request
	inFlight int
	most     int
	spent    []time.Time // requests within the last hour, for the quota
	excess   Excess
}

// New makes a service with its records.
func New(o Options) *Service {
	if o.TopCap <= 0 {
		o.TopCap = 50
	}
	s := &Service{Options: o, mux: http.NewServeMux(), attempts: make(map[Call]int)}
	s.groups = s.fill()
	for group := range s.groups {
		s.mux.HandleFunc("GET /v1/"+group, s.collection(group))
		s.mux.HandleFunc("GET /v1/"+group+"/{id}", s.operation(group, s.single))
	}
	s.mux.HandleFunc("GET /v1/search/{id}", s.operation("search", s.search))
	s.mux.HandleFunc("GET /v1/date", s.operation("date", s.date))
	s.mux.HandleFunc("GET /resim/{id}", s.operation("picture", s.picture))
	return s
}

// Handle adds an answer of the test's own. It is not counted as a request.
func (s *Service) Handle(pattern string, handler http.HandlerFunc) {
	s.mux.HandleFunc(pattern, handler)
}

// ServeHTTP implements [http.Handler].
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// SetFaults changes the plan of faults, also while requests are being answered.
func (s *Service) SetFaults(plan func(Call) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Faults = plan
}

// Requests returns the requests that came, in the order of their arrival.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := make([]Request, len(s.requests))
	for i, r := range s.requests {
		requests[i] = *r
	}
	return requests
}

// Count returns how many requests came for which keep is true, pictures left
// out.
func (s *Service) Count(keep func(Request) bool) int {
	n := 0
	for _, r := range s.Requests() {
		if r.Operation != "picture" && keep(r) {
			n++
		}
	}
	return n
}

// Forget empties the list of requests.
func (s *Service) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.attempts, s.most = nil, make(map[Call]int), 0
}

// MostInFlight returns how many requests were being answered at once.
func (s *Service) MostInFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}
