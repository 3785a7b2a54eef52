package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/record"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/names"
)

// list is an operation that is read page by page: the list of a kind, or a saved
// search.
type list struct {
	operation string
	key       string        // of its state in the archive
	group     source.Group  // of the operation
	kinds     []record.Kind // of its records that are read; none for a search
	isMixed   bool          // its records have several kinds, read or not
	dated     bool          // a filter by date may work
	query     string        // of a search
	listState

	isClosed    bool     // the source does not show it in this run
	mayBeEmpty  bool     // see [source.List]
	total       int      // of its records that a greeting tells, where an answer says it; else 0
	promised    int      // of all its records, where the answers say it, see [source.Batch.Total]; else 0
	empty       []string // types of records of which the list has none, likewise
	started     bool     // this run has begun to read it
	early       bool     // single records are fetched while the list is read, see startEarly
	due         []int64  // rows of records that are listed and whose single record is due, if early
	refetchPass int      // number of the open full pass, which has the records it sees fetched again; 0 if none is open
}

// phase is the part of a list that runs read.
type phase string

const (
	initial   phase = "initial"   // the first pass over the whole list
	laterPass phase = "full pass" // a later one, and new records at the head; archives hold this value
	head      phase = "head"      // new records only
)

// stateVersion is the version of listState in the archive. A list with another version
// is read again from the start.
const stateVersion = 1

// listState records how far a list has been read. It is saved as JSON with every page,
// so that a run continues where the previous one was interrupted.
type listState struct {
	Version int   `json:"version"`
	Phase   phase `json:"phase"`
	Latest  int   `json:"reading"` // number of the latest pass, over the head or over the whole list
	Pass    pass  `json:"pass"`    // the latest one over the whole list; open unless Phase is head
	Head    int   `json:"head"`    // $skip at which to resume an interrupted pass over the head; 0 if none

	Complete    time.Time `json:"complete,omitzero"` // when the latest complete pass began
	Ended       time.Time `json:"ended,omitzero"`    // when it ended
	Size        int       `json:"size"`              // records in the archive then
	Added       int       `json:"added"`             // new records since
	Unconfirmed bool      `json:"unconfirmed"`       // the records that it has not seen are not yet confirmed to be gone
	FullSince   time.Time `json:"full,omitzero"`     // when the full pass began whose records are not all fetched; zero if none

	PageSize int       `json:"page_size"`       // most records in one answer so far
	Filter   string    `json:"filter"`          // dateFilter, noFilter, or "" if unknown
	Tried    time.Time `json:"tried,omitzero"`  // when no filter worked
	Cursor   time.Time `json:"cursor,omitzero"` // by the source's clock; all earlier changes are known

	Unstable bool      `json:"unstable"`          // the order of the list changes between requests
	Agreed   []int     `json:"agreed"`            // numbers of the latest passes in a row that found nothing new; at most EnoughPasses
	Short    int       `json:"short"`             // records that the latest pass lacks of the number that the list says
	Limit    int       `json:"limit"`             // number of records that the list exceeded when it was given up; 0 if it was not
	GivenUp  time.Time `json:"given_up,omitzero"` // when it was last found to exceed Limit
}

// pass is the state of a pass over the whole list.
type pass struct {
	Number   int       `json:"number"` // a record stores the number of the latest pass that saw it
	Began    time.Time `json:"began,omitzero"`
	Skip     int       `json:"skip"`              // $skip at which to resume it
	Full     bool      `json:"full"`              // all single records are fetched again
	Fallback bool      `json:"fallback"`          // it replaces the date filter, since too many records have changed
	Mixed    bool      `json:"mixed"`             // the order of the list changed during the pass
	Brought  bool      `json:"brought"`           // it found records that are new to the archive
	Lacking  []string  `json:"lacking,omitempty"` // types of records that answers since it began lack, as of [source.Batch.Missing]
}

// openLists returns all lists with their states.
func (s *syncer) openLists(ctx context.Context) ([]*list, error) {
	var lists []*list
	for _, sourceList := range s.facts.Lists {
		l := &list{operation: string(sourceList.Group), group: sourceList.Group, dated: sourceList.Dated, mayBeEmpty: sourceList.MayBeEmpty, isMixed: len(sourceList.Holds) > 1}
		for _, group := range sourceList.Holds {
			if kind := kindOf[group]; s.reads(kind) {
				l.kinds = append(l.kinds, kind)
				s.report.Kinds[kind] = new(Count)
			}
		}
		if len(l.kinds) == 0 {
			continue
		}
		if l.key = "list " + string(l.kinds[0]); l.isMixed {
			l.key = "list of " + l.operation
		}
		lists = append(lists, l)
	}
	for _, query := range s.searches() {
		lists = append(lists, &list{operation: "search", key: "search " + query, query: query})
	}
	for _, l := range lists {
		text, err := checked(s.archive.State.Get(ctx, l.key))
		if err != nil {
			return nil, err
		}
		l.restore(text, s.Now())
	}
	return lists, nil
}

// searches returns the keywords of saved searches, none if the source cannot be searched.
func (s *syncer) searches() []string {
	if s.searcher == nil {
		return nil
	}
	return s.Searches
}

// fetchList requests a part of a list.
func (s *syncer) fetchList(ctx context.Context, l *list, q source.Query) (source.Batch, error) {
	if l.isSearch() {
		return s.searcher.SearchBatch(ctx, l.query, q)
	}
	q.Glance = s.firstPages
	return s.source.List(ctx, l.group, q)
}

func (l *list) isSearch() bool { return len(l.kinds) == 0 }

// restore reads a saved state. If that is unreadable, the list is read from the start,
// with numbers above those that records may have from before.
func (st *listState) restore(text string, now time.Time) {
	err := json.Unmarshal([]byte(text), st)
	if err != nil || st.Version != stateVersion {
		*st = listState{Version: stateVersion, Phase: initial}
		if text != "" {
			st.Latest = int(now.Unix())
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
	return tx.State.Set(l.key, string(text))
}

func (s *syncer) save(ctx context.Context, l *list) error { return s.update(ctx, l.save) }

// nextPass returns the number of a new pass.
func (st *listState) nextPass() int {
	st.Latest++
	return st.Latest
}

// open begins a pass over the whole list.
func (st *listState) open(now time.Time) {
	st.Pass, st.Head = pass{Number: st.nextPass(), Began: now.UTC()}, 0
	if st.Phase = laterPass; st.Complete.IsZero() {
		st.Phase = initial
	}
}

// isOpen reports whether a pass has begun and is not complete.
func (st *listState) isOpen() bool { return st.Phase != head && st.Pass.Number > 0 }

// listOf returns the list of a kind, nil if it is not read.
func (s *syncer) listOf(kind record.Kind) *list {
	for _, l := range s.lists {
		if slices.Contains(l.kinds, kind) {
			return l
		}
	}
	return nil
}

// readLists reads all lists in parallel. A list that fails does not stop the others,
// unless its error ends the run.
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
			if errs[i] = s.readList(inner, l, full); isFatal(errs[i]) {
				return errs[i]
			}
			return nil
		})
		// The other lists wait for the first answer, so that a refused key costs one request.
		answered := s.quota.answered
		if s.facts.NamesLast {
			answered = nil
		}
		select {
		case <-answered:
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
		if !s.facts.NamesEachRun {
			if err := s.refreshWritersAndFolders(ctx); err != nil {
				return err
			}
		}
		if err := s.checkEmpty(ctx); err != nil {
			return err
		}
	}
	if s.facts.EditsShow {
		return nil
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.Schedule.Recheck(s.Now(), minPageRecheck, maxPageRecheck) })
}

// classifyListErrors reports the lists that could not be read. It returns [ErrDown] or
// [ErrKey] if all failed, and [ErrShape] if the answer for articles is not a list.
func (s *syncer) classifyListErrors(errs []error) error {
	useless := true
	for i, err := range errs {
		switch {
		case err == nil:
			useless = false
		case isBudget(err):
			s.stopForBudget(err)
			useless = false
		case s.lists[i].isOfNamedRecords() && names.IsClosed(err):
			s.lists[i].isClosed = true
			s.warnings = append(s.warnings, fmt.Sprintf("the source does not show the list %s; the names that the mirror has stay", s.lists[i].operation))
		default:
			s.fail(Failure{Operation: s.lists[i].operation}, err)
		}
	}
	switch {
	case errors.Is(errs[0], get.ErrShape):
		return fmt.Errorf("%w: %w", ErrShape, errs[0])
	case !useless:
		return nil
	case errors.Is(errs[0], get.ErrTooMany):
		// Only the date was answered.
		s.stopForBudget(fmt.Errorf("%w: all lists failed, the first with: %w", ErrBudget, errs[0]))
		return nil
	case errors.Is(errs[0], get.ErrForbidden):
		return fmt.Errorf("%w: %w", ErrKey, errs[0])
	}
	return fmt.Errorf("%w: all lists failed, the first with: %w", ErrDown, errs[0])
}

// refreshWritersAndFolders reads the whole list of writers or folders again if an item
// names an unknown one. These lists are not ordered by time, so a new entry may be
// anywhere.
func (s *syncer) refreshWritersAndFolders(ctx context.Context) error {
	for _, kind := range []record.Kind{record.Writer, record.Folder} {
		l := s.listOf(kind)
		if l == nil || l.Complete.IsZero() || l.isOpen() || l.Limit > 0 {
			continue // it is being read anyway, or was given up
		}
		unknown, err := checked(s.archive.Schedule.UnknownReferences(ctx, kind, l.Pass.Began, s.Now()))
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

// checkEmpty returns [ErrEmpty] if the archive has no item and no page after the lists
// were read.
func (s *syncer) checkEmpty(ctx context.Context) error {
	stored := make(map[record.Kind]int)
	for _, kind := range record.Kinds {
		n, err := checked(s.archive.Catalog.Count(ctx, kind))
		if err != nil {
			return err
		}
		if stored[kind] = n; n > 0 && kind != record.Writer && kind != record.Folder {
			return nil
		}
	}
	return fmt.Errorf("%w: the source's lists have no article, column, gallery, video or page (but %d writers and %d folders); "+
		"check source.url, content.kinds and what the key may read", ErrEmpty, stored[record.Writer], stored[record.Folder])
}
