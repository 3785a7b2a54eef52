package sync

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ayna/archive"
	"ayna/client"
)

// Report says what a run did.
type Report struct {
	Kinds    map[archive.Kind]*Count `json:"kinds"`
	Lists    map[string]*List        `json:"lists"` // by operation: what the source turned out to do
	Requests Requests                `json:"requests"`
	Pictures PictureCount            `json:"pictures"`
	Failed   []Failure               `json:"failed"` // sorted by kind and id
	Source   []Finding               `json:"source"` // what is known of it

	Wanted     int        `json:"wanted"`                // single records still to be fetched
	HourLeft   *int       `json:"hour_left,omitempty"`   // requests that the limits leave; nil without a limit
	CompleteAt *time.Time `json:"complete_at,omitempty"` // when nothing will be wanted any more, at this rate
}

// Withheld returns the number of records that look gone, but are too many to
// be believed.
func (r *Report) Withheld() int {
	sum := 0
	for _, n := range r.Kinds {
		sum += n.Withheld
	}
	return sum
}

// Doubted returns the number of records with an answer that contradicts what is
// kept, and is not believed yet.
func (r *Report) Doubted() int {
	sum := 0
	for _, n := range r.Kinds {
		sum += n.Doubted
	}
	return sum
}

// Count is what a run did with the records of one kind.
type Count struct {
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Fetched   int `json:"fetched"`  // single records
	Gone      int `json:"gone"`     // proved gone from the source
	Withheld  int `json:"withheld"` // look gone, but are too many to be believed
	Failed    int `json:"failed"`
	Doubted   int `json:"doubted"` // records with an answer that contradicts what is kept, and is not believed yet
	Skipped   int `json:"skipped"` // list elements that are no record, or have no id
}

// List is what is known of a list operation.
type List struct {
	Envelope   string     `json:"envelope,omitempty"`    // of its answers in this run
	PageSize   int        `json:"page_size,omitempty"`   // most records ever seen in one answer
	DateFilter string     `json:"date_filter,omitempty"` // form of a filter by date that works, or "none"
	Complete   *time.Time `json:"complete,omitempty"`    // when the last reading of the whole list began
	Unstable   bool       `json:"unstable,omitempty"`    // its order changes between requests
	Agreed     int        `json:"agreed,omitempty"`      // passes in a row over an unstable list that found nothing new
}

// Requests is what a run sent, pictures left out.
type Requests struct {
	Sent     int         `json:"sent"`
	ByStatus map[int]int `json:"by_status"`                     // 0: no answer
	Bytes    int64       `json:"bytes"`                         // received, decompressed
	Ahead    int         `json:"clock_ahead_seconds,omitempty"` // the source's clock, if more than five minutes from ours; below 0 it is behind
}

// maxSkew is how far two clocks may be apart without a word about it.
const maxSkew = 5 * time.Minute

// PictureCount is what a run did with pictures.
type PictureCount struct {
	Fetched int `json:"fetched"`
	Failed  int `json:"failed"`
}

// Failure is a record or an operation that could not be had.
type Failure struct {
	Kind      archive.Kind `json:"kind,omitempty"`
	ID        string       `json:"id,omitempty"` // of a picture its address
	Operation string       `json:"operation"`
	Status    int          `json:"status,omitempty"`
	Reason    string       `json:"reason"`
}

// count takes in a page that has been stored. It is not to be called within a
// transaction: progress asks the ledger, which writes to the archive.
func (s *syncer) count(kind archive.Kind, added, changed, same int) {
	if kind != "" {
		s.progress("list", int(s.listed.Add(int64(added+changed+same))), 0)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.report.Kinds[kind]; c != nil { // a search counts no records
		c.New += added
		c.Changed += changed
		c.Unchanged += same
	}
}

// learn notes what an answer, or the end of a reading, shows of a list.
func (s *syncer) learn(l listing, note func(*List)) {
	if l.kind == "" {
		return // a search
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.report.Lists[l.operation] == nil {
		s.report.Lists[l.operation] = new(List)
	}
	note(s.report.Lists[l.operation])
}

func (s *syncer) skip(kind archive.Kind, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Kinds[kind].Skipped += n
}

func (s *syncer) arrived(kind archive.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Kinds[kind].Fetched++
}

func (s *syncer) vanished(kind archive.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Kinds[kind].Gone++
}

func (s *syncer) withhold(kind archive.Kind, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Kinds[kind].Withheld = n
}

func (s *syncer) fail(f Failure, err error) {
	if e := (*client.Error)(nil); errors.As(err, &e) {
		f.Status = e.Status
	}
	f.Reason = s.client.Hide(err.Error())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Failed = append(s.report.Failed, f)
	if count := s.report.Kinds[f.Kind]; count != nil {
		count.Failed++
	}
}

// finish returns the report of a run that is over.
func (s *syncer) finish(ctx context.Context) *Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	report := s.report
	report.Requests, report.Source = s.meter.read(), s.source.findings()
	slices.SortFunc(report.Failed, func(a, b Failure) int {
		return strings.Compare(string(a.Kind)+"\x00"+a.ID+a.Operation, string(b.Kind)+"\x00"+b.ID+b.Operation)
	})
	// A postponed record is wanted too, though not at once.
	const ever = 100 * 365 * 24 * time.Hour
	if rows, err := s.wanted(context.WithoutCancel(ctx), s.now().Add(ever)); err == nil {
		report.Wanted = len(rows)
	}
	s.countDoubted(ctx)
	left, limited := s.ledger.allowance(s.now())
	if limited {
		report.HourLeft = &left
	}
	if perHour := s.ledger.hourly(); perHour > 0 && report.Wanted > left {
		hours := (report.Wanted - left + perHour - 1) / perHour
		at := s.now().Add(time.Duration(hours) * time.Hour).UTC().Truncate(time.Minute)
		report.CompleteAt = &at
	}
	return &report
}

// countDoubted counts the doubted records that the site shows. It is called
// with mu held.
func (s *syncer) countDoubted(ctx context.Context) {
	for w, err := range s.archive.Doubted(context.WithoutCancel(ctx)) {
		if count := s.report.Kinds[w.Kind]; err == nil && count != nil && s.wants(w.Kind, w.Path) {
			count.Doubted++
		}
	}
}

// meter counts what passes through a transport.
type meter struct {
	next   http.RoundTripper
	ledger *ledger // told of every answer
	now    func() time.Time
	mu     sync.Mutex
	sum    Requests
}

func newMeter(next http.RoundTripper, l *ledger, now func() time.Time) *meter {
	return &meter{next: next, ledger: l, now: now, sum: Requests{ByStatus: make(map[int]int)}}
}

// RoundTrip implements [http.RoundTripper].
func (m *meter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := m.next.RoundTrip(request)
	if err := m.ledger.observe(request, response); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum.Sent++
	if err != nil {
		m.sum.ByStatus[0]++
		return nil, err
	}
	m.sum.ByStatus[response.StatusCode]++
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		if m.sum.Ahead = 0; date.Sub(m.now()).Abs() > maxSkew {
			m.sum.Ahead = int(date.Sub(m.now()).Seconds())
		}
	}
	response.Body = &meteredBody{response.Body, m}
	return response, nil
}

func (m *meter) read() Requests {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := m.sum
	sum.ByStatus = maps.Clone(sum.ByStatus)
	return sum
}

type meteredBody struct {
	io.ReadCloser
	meter *meter
}

func (b *meteredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.meter.mu.Lock()
	b.meter.sum.Bytes += int64(n)
	b.meter.mu.Unlock()
	return n, err
}
