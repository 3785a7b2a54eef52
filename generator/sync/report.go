package sync

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"ayna/archive"
	"ayna/client"
)

// Report says what a run did.
type Report struct {
	Kinds    map[archive.Kind]*Count `json:"kinds"`
	Requests Requests                `json:"requests"`
	Pictures PictureCount            `json:"pictures"`
	Failed   []Failure               `json:"failed"` // sorted by kind and id
}

// Count is what a run did with the records of one kind.
type Count struct {
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Fetched   int `json:"fetched"` // single records
	Failed    int `json:"failed"`
	Skipped   int `json:"skipped"` // list elements that are no record, or have no id
}

// Requests is what a run sent, pictures left out.
type Requests struct {
	Sent     int         `json:"sent"`
	ByStatus map[int]int `json:"by_status"` // 0: no answer
	Bytes    int64       `json:"bytes"`     // received, decompressed
}

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

func (s *syncer) count(kind archive.Kind, change archive.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch c := s.report.Kinds[kind]; change {
	case archive.New:
		c.New++
	case archive.Changed:
		c.Changed++
	default:
		c.Unchanged++
	}
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

func (s *syncer) fail(f Failure, err error) {
	if e := (*client.Error)(nil); errors.As(err, &e) {
		f.Status = e.Status
	}
	f.Reason = err.Error()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.report.Failed = append(s.report.Failed, f)
	if count := s.report.Kinds[f.Kind]; count != nil {
		count.Failed++
	}
}

func (s *syncer) finish() *Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	report := s.report
	report.Requests = s.meter.read()
	slices.SortFunc(report.Failed, func(a, b Failure) int {
		return strings.Compare(string(a.Kind)+"\x00"+a.ID+a.Operation, string(b.Kind)+"\x00"+b.ID+b.Operation)
	})
	return &report
}

// meter counts what passes through a transport.
type meter struct {
	next http.RoundTripper
	mu   sync.Mutex
	sum  Requests
}

func newMeter(next http.RoundTripper) *meter {
	return &meter{next: next, sum: Requests{ByStatus: make(map[int]int)}}
}

// RoundTrip implements [http.RoundTripper].
func (m *meter) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := m.next.RoundTrip(request)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum.Sent++
	if err != nil {
		m.sum.ByStatus[0]++
		return nil, err
	}
	m.sum.ByStatus[response.StatusCode]++
	response.Body = &meteredBody{response.Body, m}
	return response, nil
}

func (m *meter) read() Requests {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sum
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
