// Package clienttest is the fake news service of tests and benchmarks. [New] makes
// its records from a count and a seed; [Options] select the shapes of its answers,
// its quota and its faults. It logs all requests, and [Service.Records] returns the
// records that an archive must have.
//
// Begin with service.go; answer.go writes the answers, record.go the records. A
// [Service] is an [http.Handler]. [Listen] puts it behind a listener; as a handler
// in the same process, its latency follows the clock of package synctest.
package clienttest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Options describe a service. With only Base set, it behaves like the real service,
// whose answers were recorded.
type Options struct {
	Base  string // address of the service, for the addresses in records
	Items int    // articles, columns, galleries and videos; pages, writers and folders are extra
	Seed  uint64 // of the random texts
	Key   string // required in the header apikey; "" requires none

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

	Latency time.Duration     // before each answer
	Quota   Quota             // of the key
	Faults  func(Call) *Fault // of each request; nil is none

	// Window returns the places of the records that an answer shows, of a list of
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
	ID        string // of a single record; of a search the keyword; of a picture its name
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
	Key    string // the header apikey
	Status int    // of the answer
}

// Quota limits requests per second and per hour. Those above it are counted and
// answered with 429.
type Quota struct {
	PerSecond, PerHour int              // 0 is no limit
	SendHeaders        bool             // X-RateLimit-*, as the real service does
	Others             int              // requests of the hour made by somebody else
	Now                func() time.Time // nil is time.Now
}

// Excess counts the requests above the quota, per second and per hour.
type Excess struct{ Second, Hour int }

// Service is a news service in memory.
type Service struct {
	Options
	mux     *http.ServeMux
	arrived chan struct{} // has room for one

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
	if o.TopCap <= 0 {
		o.TopCap = 50
	}
	s := &Service{Options: o, mux: http.NewServeMux(), arrived: make(chan struct{}, 1), attempts: make(map[Call]int)}
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

// Listen returns a service behind a listener on the loopback interface until the
// test ends. Its address is Base.
func Listen(t testing.TB, o Options) (*Service, *httptest.Server) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	o.Base = "http://" + server.Listener.Addr().String()
	s := New(o)
	server.Config.Handler = s
	server.Start()
	t.Cleanup(server.Close)
	return s, server
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
	n := 0
	for _, r := range s.Requests() {
		if r.Operation != "picture" && keep(r) {
			n++
		}
	}
	return n
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

// Excess returns the number of requests above the quota since the service was made.
func (s *Service) Excess() (e Excess) {
	s.locked(func() { e = s.excess })
	return e
}

// exceeds counts a request, and reports whether it is above the quota.
func (s *Service) exceeds(h http.Header) bool {
	q := s.Quota
	if q.PerSecond == 0 && q.PerHour == 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if q.Now != nil {
		now = q.Now()
	}
	s.arrivals = append(s.arrivals, now)
	within := func(span time.Duration) int { // how many requests
		earlier, _ := slices.BinarySearchFunc(s.arrivals, now.Add(-span+1), time.Time.Compare)
		return len(s.arrivals) - earlier
	}
	second, hour := within(time.Second), within(time.Hour)+q.Others
	if q.SendHeaders {
		h.Set("X-RateLimit-Limit-second", strconv.Itoa(q.PerSecond))
		h.Set("X-RateLimit-Remaining-second", strconv.Itoa(max(0, q.PerSecond-second)))
		h.Set("X-RateLimit-Limit-hour", strconv.Itoa(q.PerHour))
		h.Set("X-RateLimit-Remaining-hour", strconv.Itoa(max(0, q.PerHour-hour)))
	}
	aboveSecond, aboveHour := q.PerSecond > 0 && second > q.PerSecond, q.PerHour > 0 && hour > q.PerHour
	if aboveSecond {
		s.excess.Second++
	}
	if aboveHour {
		s.excess.Hour++
	}
	return aboveSecond || aboveHour
}
