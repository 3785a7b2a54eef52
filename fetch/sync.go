// Package fetch brings the archive up to date with the service: it reads the lists,
// newest first, fetches the single records that are new or changed, and mirrors
// their pictures. Only this package starts goroutines that fetch.
//
// Every answer is committed to the archive as it arrives. A run that is cut short
// loses only the requests in flight, and the next run continues from there.
//
// [Run] takes an archive and the [Options] of the source, and returns a [Report].
// [Greet] reads the first pages of a source's lists.
//
// Begin with Run and its steps in sync.go, and the [source.Source] that it asks. To
// read lists: list.go has their persisted state, pass.go and walk.go read one that
// changes meanwhile, changes.go reads only the changes, irregular.go bounds lists without
// an order or an end. To fetch records: single.go schedules them, backoff.go retries, early.go fetches them
// while a list is read for the first time, store.go stores them, doubt.go withholds
// contradictory answers, originals.go keeps what they are made of, reread.go reads that again,
// gone.go confirms deletions, pictures.go mirrors pictures, cards.go asks about pages of other sites, attachments.go and download.go mirror other files.
// To read comments: comments.go has their list, comment_store.go stores and deletes them. For each
// request: quota.go and transport.go limit and count it, errors.go classifies its failure;
// findings.go keeps what the answers show of the source.
package fetch

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
	"ayna/prose"
	"ayna/record"
	"ayna/source"
)

// Options are the settings of a run.
type Options struct {
	URL         string // the source's address; pictures of its origin are always fetched
	Open        func(source.Connection) (source.Source, error)
	Concurrency int           // requests in flight; at least 1
	PerSecond   int           // requests in any second; 0 is no limit
	PerHour     int           // requests in any hour; 0 is no limit
	Budget      int           // requests in this run; 0 is no limit
	PageSize    int           // $top: records in one answer of a list
	Sweep       time.Duration // between passes over a whole list; 0 is that of the source
	Timeout     time.Duration // of one request
	UserAgent   string        // how requests name this program and its owner
	Full        bool          // list and fetch all records again; later runs continue if the limits end this one
	MaxRecords  int           // in one list; 0 is four times its known size
	Moved       bool          // the source is the same paper, whatever its title and articles
	AllowDelete int           // deletions of a kind that are allowed at once; 10 and 10 % always are
	Kinds       []record.Kind
	Wants       func(paths []string) bool // reports whether to fetch the single records of these folders; nil fetches all
	Searches    []string                  // keywords of saved searches
	Pictures    bool                      // mirror pictures
	Texts       int                       // single records that [Greet] reads of a source with originals
	Attachments Attachments               // mirror other files
	Comments    bool                      // mirror comments of readers
	Dates       record.Dates              // how dates are read
	Table       string                    // label of tables in texts
	Hosts       map[string]http.Handler   // by host: handlers that answer instead of the network
	Now         func() time.Time          // nil is time.Now
	Progress    func(Progress)            // may be nil; called from any goroutine

	// Cleaned returns the text of a record for the archive, and its version, so that a
	// build does not clean it again. nil leaves all texts to the build.
	Cleaned func(stored *archive.Record, content record.Content, body prose.Body, table string) (text []byte, version int64, err error)
}

// A Stage is a part of a run, or of a build around it.
type Stage string

// Progress is how far a stage of a run has come.
type Progress struct {
	Stage Stage  // "read", "list", "fetch", "pictures" or "attachments", whose unit are bytes
	Note  string // a sentence about what is to come; "" in most cases
	Done  int
	Total int // 0 is unknown
	Left  int // requests that the limits allow; -1 is no limit
}

// Errors that end a run. The archive keeps what had arrived by then.
var (
	ErrKey    = errors.New("the source refuses the API key")
	ErrDown   = errors.New("the source is down")
	ErrShape  = errors.New("the source's answers have an unknown shape")
	ErrBudget = errors.New("the request budget is used up")
	ErrEmpty  = errors.New("there is nothing to publish")
)

// Run brings the archive up to date. The report covers what was done before an
// error, too. If ctx is cancelled, no further request is sent, and those in flight
// have five seconds to be answered.
func Run(ctx context.Context, a *archive.Archive, options Options) (*Report, error) {
	s, err := newSyncer(ctx, a, options)
	if err != nil {
		return &Report{}, fmt.Errorf("sync: %w", err)
	}
	if err = s.run(ctx); err != nil {
		err = fmt.Errorf("sync: %w", err)
	}
	return s.finishReport(ctx), err
}

// gracePeriod is the time that requests in flight have when a run is cancelled. What has come is
// stored after it, and the whole end takes five seconds at most.
const gracePeriod = 3 * time.Second

func (s *syncer) run(ctx context.Context) error {
	work, abort := context.WithCancelCause(context.WithoutCancel(ctx))
	defer abort(nil)
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(gracePeriod, func() { abort(fmt.Errorf("%w: %w", context.Canceled, context.Cause(ctx))) })
	})()
	// Pictures have limits of their own, so they are fetched after the budget is
	// used up, too.
	steps := []func(context.Context) error{
		s.readAgain, s.readSite, s.fetchStarved, s.reserveRechecks, s.readLists, s.fetchSingles, s.readComments, s.saveFindings, s.reportWarnings, s.mirrorPictures, s.askCards, s.mirrorAttachments,
	}
	for _, step := range steps {
		err := errors.Join(step(work), s.settleEmptied(work))
		if errors.Is(err, ErrKey) { // the next run has to know which one
			err = errors.Join(err, s.saveFindings(work))
		}
		if err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	err := s.outOfBudget()
	if err == nil && s.fullPassCut.Load() {
		err = fmt.Errorf("%w: the next run continues to read the whole lists", ErrBudget)
	}
	return err
}

// syncer is one run.
type syncer struct {
	Options
	archive       *archive.Archive
	began         time.Time // as exact as times in the archive
	source        source.Source
	facts         source.Facts
	searcher      source.Searcher // nil if the source cannot be searched
	origin        *url.URL
	transport     *transport
	quota         *quota
	findings      *findings
	site          source.Site // of a source that describes itself
	warnings      []string    // of this package, as those of the source
	placeChanged  bool        // the source has another address or time zone than before
	lists         []*list
	emptied       emptied
	forgotten     []record.Forgotten // records removed for good
	redaction     record.Redaction   // removes mentions of them
	listed        atomic.Int64       // records in lists
	giant         sync.Mutex         // held while a very large record is stored
	relistBudget  atomic.Int64       // requests left for passes over lists that were read before
	recheckBudget int64              // requests reserved for overdue single records
	fullPassCut   atomic.Bool        // the budget interrupted a full pass
	wasStarved    bool               // lists used up the budget of the last run
	answered      atomic.Int64       // single records
	firstPages    bool               // read only the first page of each list
	failures      atomic.Int64       // in a row
	explaining    chan struct{}      // semaphore of the request that distinguishes a refused request from an exhausted quota

	mu      sync.Mutex
	report  Report
	retried int   // requests
	budget  error // why no further request may be sent; nil if one may
}

func newSyncer(ctx context.Context, a *archive.Archive, options Options) (*syncer, error) {
	if options.Progress == nil {
		options.Progress = func(Progress) {}
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	origin, err := url.Parse(options.URL)
	if err != nil {
		return nil, fmt.Errorf("source address: %w", err)
	}
	s := &syncer{Options: options, archive: a, began: options.Now().Truncate(time.Millisecond), origin: origin, explaining: make(chan struct{}, 1)}
	s.report = Report{Kinds: make(map[record.Kind]*Count), Lists: make(map[string]*List), Failed: []Failure{}}
	if s.forgotten, err = checked(a.State.Forgotten(ctx)); err != nil {
		return nil, err
	}
	s.redaction = record.NewRedaction(s.forgotten...)
	if s.quota, err = openQuota(ctx, a, options); err != nil {
		return nil, err
	}
	if s.findings, err = openFindings(ctx, a.State); err != nil {
		return nil, err
	}
	s.relistBudget.Store(math.MaxInt64)
	if n, limited := s.quota.allowance(s.Now().Add(maxWait)); limited {
		s.relistBudget.Store(int64(n / relistShare))
	}
	s.transport = &transport{
		next: &handlerTransport{options.Hosts, NewTransport(origin)}, quota: s.quota, now: s.Now, sum: Requests{ByStatus: make(map[int]int)},
	}
	s.source, err = options.Open(source.Connection{
		Transport: s.transport, Gate: s.quota.wait, Timeout: options.Timeout, UserAgent: options.UserAgent, Found: s.findings.saved,
		Originals: originals{s},
	})
	if err != nil {
		return nil, err
	}
	s.searcher, _ = s.source.(source.Searcher)
	return s, s.learn(ctx)
}

// learn takes the facts of the source, and opens its lists.
func (s *syncer) learn(ctx context.Context) (err error) {
	s.facts = s.source.Facts()
	s.lists, err = s.openLists(ctx)
	return err
}

func (s *syncer) progress(stage Stage, done, total int) {
	// A run waits up to maxWait for the hour to allow more requests. Requests for
	// files are not limited.
	left, limited := s.quota.allowance(s.Now().Add(maxWait))
	if !limited || stage == "pictures" || stage == "attachments" {
		left = -1
	}
	s.Progress(Progress{Stage: stage, Done: done, Total: total, Left: left})
}

// reads reports whether the records of a kind are read: those of [Options.Kinds], and
// always writers and folders.
func (s *syncer) reads(kind record.Kind) bool {
	return len(s.Kinds) == 0 || slices.Contains(s.Kinds, kind) || kind == record.Writer || kind == record.Folder
}

// wants reports whether the site shows a record. Folders, writers and pages are
// in no folder.
func (s *syncer) wants(kind record.Kind, paths []string) bool {
	switch kind {
	case record.Page, record.Writer, record.Folder:
		return true
	}
	if s.facts.Brief && !slices.ContainsFunc(paths, func(path string) bool { return path != "" }) {
		return true // the single record shows the folders
	}
	return s.Wants == nil || s.Wants(paths)
}

// takeRelist takes a request from relistBudget, or reports false if none is left.
func (s *syncer) takeRelist() bool { return s.relistBudget.Add(-1) >= 0 }

// stopForBudget prevents further requests. Those in flight go on.
func (s *syncer) stopForBudget(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.budget = err
}

// outOfBudget returns why no further request may be sent, nil if one may.
func (s *syncer) outOfBudget() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.budget
}

// update writes to the archive, also while the run is being cancelled, so that no
// answer that has arrived is lost.
func (s *syncer) update(ctx context.Context, fn func(*archive.Tx) error) error {
	return inArchive(s.archive.Update(context.WithoutCancel(ctx), fn))
}

// inArchive marks an error as one of the archive, which ends the run, unless it is
// about a single record or page.
func inArchive(err error) error {
	if err == nil || errors.Is(err, errRecord) || errors.Is(err, errGap) || errors.Is(err, errArchive) || errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%w: %w", errArchive, err)
}

// checked applies inArchive to the error of a read.
func checked[T any](value T, err error) (T, error) { return value, inArchive(err) }
