// Package sync brings the archive up to date with the service: it lists what
// there is, newest first, fetches the single records of what is new or
// changed, and mirrors their pictures. It holds the only goroutines of the
// module that fetch.
//
// Every answer is committed to the archive as it arrives, so a run that ends
// early, however it ends, loses only the requests in flight, and the next one
// goes on from there.
package sync

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// Options says what to fetch, and how politely.
type Options struct {
	URL         string // the service's address without /v1
	APIKey      string
	Concurrency int           // requests in flight; at least 1
	PerSecond   int           // requests in any second; 0 is no limit
	PerHour     int           // requests in any hour; 0 is no limit
	Budget      int           // requests in this run; 0 is no limit
	PageSize    int           // records asked for in one list request
	Timeout     time.Duration // of one request
	Full        bool          // list and fetch all records again; what the limits leave of it, later runs do
	MaxRecords  int           // in one list; 0: as many as its size lets expect
	AllowDelete int           // so many records of a kind may be found gone at once, if that is more than otherwise
	Kinds       []archive.Kind
	Wants       func(path string) bool  // whether single records of this folder are fetched; nil: all
	Searches    []string                // saved searches: keywords
	Pictures    bool                    // mirror pictures
	Location    *time.Location          // zone of dates without an offset
	Hosts       map[string]http.Handler // answered by this process instead of the network, by host
	Now         func() time.Time
	Progress    func(Progress) // may be nil; called from any goroutine
}

// Progress is how far a stage of a run has come.
type Progress struct {
	Stage string // "list", "fetch" or "pictures"
	Done  int
	Total int // 0 is unknown
	Left  int // requests that the limits leave; -1 is no limit
}

// Errors that end a run. What had arrived by then is in the archive.
var (
	ErrKey    = errors.New("the source refuses the API key")
	ErrDown   = errors.New("the source is down")
	ErrShape  = errors.New("the source's answers have an unknown shape")
	ErrBudget = errors.New("the request budget is used up")
	ErrEmpty  = errors.New("there is nothing to publish")
)

// Run brings the archive up to date. The report is complete as far as the run
// came, also when there is an error. If ctx is cancelled, no further request
// leaves, and those in flight have five seconds to be answered.
func Run(ctx context.Context, a *archive.Archive, options Options) (*Report, error) {
	s, err := newSyncer(ctx, a, options)
	if err != nil {
		return &Report{}, fmt.Errorf("sync: %w", err)
	}
	work, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(lastAnswers, func() { abort(context.Cause(ctx)) })
	})()
	// Pictures come last, and also when the budget is used up: they have
	// limits of their own.
	for _, step := range []func(context.Context) error{s.reserve, s.lists, s.bodies, s.conclude, s.remember, s.pictures} {
		if err := step(work); err != nil {
			return s.finish(ctx), fmt.Errorf("sync: %w", err)
		}
	}
	if err = s.exhausted(); err == nil && s.unlisted.Load() {
		err = fmt.Errorf("%w: the whole lists are to be read on by the next run", ErrBudget)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return s.finish(ctx), fmt.Errorf("sync: %w", err)
	}
	return s.finish(ctx), nil
}

// lastAnswers is how long a run that is being stopped waits for answers.
const lastAnswers = 5 * time.Second

// syncer is one run.
type syncer struct {
	Options
	archive   *archive.Archive
	client    *client.Client
	origin    *url.URL
	meter     *meter
	ledger    *ledger
	source    *source
	retries   retrier
	forgotten map[archive.Kind]map[string]bool // records taken out for good, by id
	redaction wire.Redaction                   // of what others say of them
	listed    atomic.Int64                     // records in lists
	giant     sync.Mutex                       // held while a very large record is stored
	ahead     chan struct{}                    // holds one for each page of a list that is asked for ahead
	relists   atomic.Int64                     // requests that later passes over lists may still take
	reserved  int64                            // requests that are kept from them, for single records that are overdue
	anew      bool                             // lists are to be read anew, unless a full pass over them is open
	unlisted  atomic.Bool                      // a full pass has to wait for the next run
	down      streak                           // failures that say the source is down
	refusals  streak                           // single records refused, though the date was not
	forbids   streak                           // answers 403
	asking    chan struct{}                    // holds one while the date is asked for what a refusal means

	mu      sync.Mutex
	report  Report
	retried int   // requests made again
	budget  error // why no further request may leave
}

func newSyncer(ctx context.Context, a *archive.Archive, options Options) (*syncer, error) {
	if options.Progress == nil {
		options.Progress = func(Progress) {}
	}
	if options.Location == nil {
		options.Location = time.UTC
	}
	origin, err := url.Parse(options.URL)
	if err != nil {
		return nil, fmt.Errorf("source address: %w", err)
	}
	s := &syncer{Options: options, archive: a, origin: origin}
	s.report.Kinds, s.report.Lists, s.report.Failed = make(map[archive.Kind]*Count), make(map[string]*List), []Failure{}
	for _, kind := range s.kinds() {
		s.report.Kinds[kind] = new(Count)
	}
	forgotten, err := a.Forgotten(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errArchive, err)
	}
	s.forgotten, s.redaction = make(map[archive.Kind]map[string]bool), wire.NewRedaction(forgotten...)
	for _, f := range forgotten {
		if s.forgotten[f.Kind] == nil {
			s.forgotten[f.Kind] = make(map[string]bool)
		}
		s.forgotten[f.Kind][f.ID] = true
	}
	if s.ledger, err = openLedger(ctx, a, options); err != nil {
		return nil, err
	}
	if s.source, err = openSource(ctx, a); err != nil {
		return nil, err
	}
	s.relists.Store(math.MaxInt64)
	if n, limited := s.ledger.allowance(s.now().Add(patience)); limited {
		s.relists.Store(int64(n / relistShare))
	}
	s.ahead = make(chan struct{}, max(0, s.Concurrency-len(s.listings()))) // each list has one of its own
	s.asking = make(chan struct{}, 1)
	s.retries = newRetrier(s.mayRetry, s.unretried)
	s.meter = newMeter(answerHosts(options.Hosts, client.NewTransport()), s.ledger, s.now)
	s.client, err = client.New(client.Config{
		BaseURL: options.URL, APIKey: options.APIKey, Timeout: options.Timeout,
		Transport: s.meter, Gate: s.ledger.wait, Places: s.source.places(),
	})
	return s, err
}

func (s *syncer) progress(stage string, done, total int) {
	// A run waits a little for the hour to let more requests leave. Pictures are
	// not counted.
	left, limited := s.ledger.allowance(s.now().Add(patience))
	if !limited || stage == "pictures" {
		left = -1
	}
	s.Progress(Progress{stage, done, total, left})
}

// kinds returns what is listed: the configured kinds of items and pages, and
// writers and folders always.
func (s *syncer) kinds() []archive.Kind {
	var kinds []archive.Kind
	for _, kind := range archive.Kinds {
		if len(s.Kinds) == 0 || slices.Contains(s.Kinds, kind) || kind == archive.Writer || kind == archive.Folder {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// mayRetry grants one more request for another one's failure: a quarter of all
// requests, and fifty.
func (s *syncer) mayRetry() bool {
	sent := s.meter.read().Sent
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retried >= 50+sent/4 {
		return false
	}
	s.retried++
	return true
}

// unretried takes back a grant that was of no use.
func (s *syncer) unretried() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retried--
}

// mayRelist grants a request to a pass over a list that was read before.
func (s *syncer) mayRelist() bool { return s.relists.Add(-1) >= 0 }

// exhaust notes that no further request may leave. Requests in flight are not ended
// by it: they have been paid for.
func (s *syncer) exhaust(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget = err
}

// exhausted returns why no further request may leave, nil if one may.
func (s *syncer) exhausted() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.budget
}

var (
	// errStopped refuses a request because the run is to end.
	errStopped = errors.New("stopped")
	// errArchive marks errors of the archive, which no other request would mend.
	errArchive = errors.New("the archive cannot be written")
	// errMachine marks requests that could not leave.
	errMachine = errors.New("requests cannot be made")
	// errRecord marks a record that cannot be read. It stops no other.
	errRecord = errors.New("the record cannot be read")
)

// update writes to the archive. An answer that has arrived is kept, even if the
// run is being stopped.
func (s *syncer) update(ctx context.Context, fn func(*archive.Tx) error) error {
	return kept(s.archive.Update(context.WithoutCancel(ctx), fn))
}

// share is update for the answers of many requests at once: fn may be called
// twice.
func (s *syncer) share(ctx context.Context, fn func(*archive.Tx) error) error {
	return kept(s.archive.Share(context.WithoutCancel(ctx), fn))
}

func kept(err error) error {
	if err != nil && !errors.Is(err, errRecord) && !errors.Is(err, errGap) && !errors.Is(err, errOutdated) && !errors.Is(err, errUnmoved) {
		return fmt.Errorf("%w: %w", errArchive, err)
	}
	return err
}
