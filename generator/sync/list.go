package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/wire"
)

// list is an operation that is read page by page: the list of a kind, or a saved
// search.
type list struct {
	operation string
	key       string       // of its state in the archive
	kind      archive.Kind // of its records; "" for a search
	query     string       // of a search
	fetch     func(context.Context, client.Query) (client.Batch, error)
	listState

	started  bool   // this run has begun to read it
	envelope string // of its answers in this run
	refetch  int    // number of the full pass: records that it has not seen are fetched again
}

// A phase is what is being read of a list.
type phase string

const (
	initial  phase = "initial"   // the first pass over the whole list
	fullPass phase = "full pass" // a later one, and new records at the head
	head     phase = "head"      // new records only
)

// stateVersion is the version of listState in the archive. A list with another one
// is read anew.
const stateVersion = 1

// listState is how far a list has been read. It is saved with every page, so a run
// continues where the one before was cut short.
type listState struct {
	Version int   `json:"version"`
	Phase   phase `json:"phase"`
	Reading int   `json:"reading"` // number of the latest reading, of the head or of the whole list
	Pass    pass  `json:"pass"`    // the latest over the whole list; open unless Phase is head
	Head    int   `json:"head"`    // where to resume a reading of the head that was cut short; 0 if none was

	Complete    time.Time `json:"complete,omitzero"` // when the latest complete pass began
	Ended       time.Time `json:"ended,omitzero"`    // when it ended
	Size        int       `json:"size"`              // records held then
	Added       int       `json:"added"`             // new records since
	Unconfirmed bool      `json:"unconfirmed"`       // records that it has not seen are still to be asked for
	FullSince   time.Time `json:"full,omitzero"`     // when a full pass began that has left records to fetch

	PageSize int       `json:"page_size"`       // most records in one answer so far
	Filter   string    `json:"filter"`          // form of a date filter that works, or noFilter
	Tried    time.Time `json:"tried,omitzero"`  // when no form worked
	Cursor   time.Time `json:"cursor,omitzero"` // by the source's clock: earlier changes are known

	Unstable bool      `json:"unstable"`          // the order of the list changes between requests
	Agreed   []int     `json:"agreed"`            // numbers of the latest passes in a row that found nothing new; at most EnoughPasses
	Limit    int       `json:"limit"`             // the list was given up beyond this number of records; 0 if it was not
	GivenUp  time.Time `json:"given_up,omitzero"` // when that was, or was found to be so still
}

// pass is a reading of the whole list.
type pass struct {
	Number   int       `json:"number"` // records keep the number of the reading that saw them last
	Began    time.Time `json:"began,omitzero"`
	Skip     int       `json:"skip"`     // where to resume it
	Full     bool      `json:"full"`     // all single records are fetched again
	Fallback bool      `json:"fallback"` // it replaces a date filter, since too much has changed
	Mixed    bool      `json:"mixed"`    // it has shown that the order of the list changes
	Brought  bool      `json:"brought"`  // it has found records that are new to the archive
}

// openLists returns all lists with their states.
func (s *syncer) openLists(ctx context.Context) ([]*list, error) {
	var lists []*list
	for _, kind := range s.kinds() {
		group := wire.Groups[kind]
		lists = append(lists, &list{
			operation: string(group), key: "list " + string(kind), kind: kind,
			fetch: func(ctx context.Context, q client.Query) (client.Batch, error) { return s.client.List(ctx, group, q) },
		})
	}
	for _, query := range s.Searches {
		lists = append(lists, &list{
			operation: "search", key: "search " + query, query: query,
			fetch: func(ctx context.Context, q client.Query) (client.Batch, error) {
				return s.client.SearchBatch(ctx, query, q)
			},
		})
	}
	for _, l := range lists {
		text, err := checked(s.archive.State(ctx, l.key))
		if err != nil {
			return nil, err
		}
		l.restore(text, s.Now())
	}
	return lists, nil
}

// restore reads a saved state. One that is not understood begins anew, with numbers
// above those that records may have from before.
func (st *listState) restore(text string, now time.Time) {
	err := json.Unmarshal([]byte(text), st)
	if err != nil || st.Version != stateVersion {
		*st = listState{Version: stateVersion, Phase: initial}
		if text != "" {
			st.Reading = int(now.Unix())
		}
	}
	for _, at := range []*time.Time{&st.Tried, &st.FullSince} {
		if at.After(now) { // the clock was ahead then
			*at = time.Time{}
		}
	}
}

func (l *list) save(tx *archive.Tx) error {
	text, err := json.Marshal(l.listState)
	if err != nil {
		return err
	}
	return tx.SetState(l.key, string(text))
}

func (s *syncer) save(ctx context.Context, l *list) error { return s.update(ctx, l.save) }

// next returns the number of a new reading.
func (st *listState) next() int {
	st.Reading++
	return st.Reading
}

// open begins a pass over the whole list.
func (st *listState) open(now time.Time) {
	st.Pass, st.Head = pass{Number: st.next(), Began: now.UTC()}, 0
	if st.Phase = fullPass; st.Complete.IsZero() {
		st.Phase = initial
	}
}

// isOpen reports whether a pass has begun and not come to the end.
func (st *listState) isOpen() bool { return st.Phase != head && st.Pass.Number > 0 }

// report returns what is known of the list.
func (l *list) report() *List {
	r := &List{Envelope: l.envelope, PageSize: l.PageSize, DateFilter: l.Filter, Unstable: l.Unstable, Agreed: len(l.Agreed)}
	if !l.Complete.IsZero() {
		r.Complete = &l.Complete
	}
	return r
}

// listOf returns the list of a kind, nil if it is not read.
func (s *syncer) listOf(kind archive.Kind) *list {
	for _, l := range s.lists {
		if l.kind == kind {
			return l
		}
	}
	return nil
}

// readLists reads all lists side by side. One that cannot be read stops no other.
func (s *syncer) readLists(ctx context.Context) error {
	full, err := s.startsFull(ctx)
	if err != nil {
		return err
	}
	errs := make([]error, len(s.lists))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, s.Concurrency))
	first := make(chan struct{}) // closed when the first list has been read
	for i, l := range s.lists {
		group.Go(func() error {
			if i == 0 {
				defer close(first)
			}
			if errs[i] = s.read(inner, l, full); isFatal(errs[i]) {
				return errs[i]
			}
			return nil
		})
		// Others wait for the first answer: a key that is refused costs one request.
		select {
		case <-s.quota.answered: //guard:first-request
		case <-first:
			if isFatal(errs[0]) {
				return group.Wait()
			}
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := s.classifyListErrors(errs); err != nil {
		return err
	}
	if s.outOfBudget() == nil {
		if err := s.refreshWritersAndFolders(ctx); err != nil {
			return err
		}
		if err := s.checkEmpty(ctx); err != nil {
			return err
		}
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.Recheck(s.Now(), leastPage, mostPage) })
}

// classifyListErrors reports the lists that could not be read. If none could, the
// source is down, or of an unknown shape, as it is if the list of articles is no
// list.
func (s *syncer) classifyListErrors(errs []error) error {
	useless := true
	for i, err := range errs {
		switch {
		case err == nil:
			useless = false
		case isBudget(err):
			s.stopForBudget(err)
			useless = false
		default:
			s.fail(Failure{Operation: s.lists[i].operation}, err)
		}
	}
	switch {
	case errors.Is(errs[0], client.ErrShape):
		return fmt.Errorf("%w: %w", ErrShape, errs[0])
	case !useless:
		return nil
	case errors.Is(errs[0], client.ErrTooMany):
		// The date was answered, but nothing else.
		s.stopForBudget(fmt.Errorf("%w: none of its lists can be read, the first one so: %w", ErrBudget, errs[0]))
		return nil
	case errors.Is(errs[0], client.ErrForbidden):
		return fmt.Errorf("%w: %w", ErrKey, errs[0])
	}
	return fmt.Errorf("%w: none of its lists can be read, the first one so: %w", ErrDown, errs[0])
}

// refreshWritersAndFolders reads the whole lists of writers and of folders again if
// an item names an unknown one. These lists are not ordered by time, so a new entry
// may be anywhere.
func (s *syncer) refreshWritersAndFolders(ctx context.Context) error {
	for _, kind := range []archive.Kind{archive.Writer, archive.Folder} {
		l := s.listOf(kind)
		if l.Complete.IsZero() || l.isOpen() || l.Limit > 0 {
			continue // it is being read anyway, or was given up
		}
		unknown, err := checked(s.archive.UnknownReferences(ctx, kind, l.Pass.Began, s.Now()))
		if err != nil {
			return err
		}
		if !unknown {
			continue
		}
		l.open(s.Now())
		switch err := s.readPass(ctx, l); {
		case isBudget(err):
			s.stopForBudget(err)
			return nil
		case isFatal(err):
			return err
		case err != nil:
			s.fail(Failure{Operation: l.operation}, err)
		}
	}
	return nil
}

// checkEmpty returns an error if the archive holds no item or page after the lists
// were read: its site would be empty.
func (s *syncer) checkEmpty(ctx context.Context) error {
	held := make(map[archive.Kind]int)
	for _, kind := range archive.Kinds {
		n, err := checked(s.archive.Count(ctx, kind))
		if err != nil {
			return err
		}
		if held[kind] = n; n > 0 && kind != archive.Writer && kind != archive.Folder {
			return nil
		}
	}
	return fmt.Errorf("%w: the lists of the source hold no article, column, gallery, video or page (but %d writers and %d folders); "+
		"check source.url, content.kinds and what the key may read", ErrEmpty, held[archive.Writer], held[archive.Folder])
}
