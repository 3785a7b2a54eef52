package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/source"
)

// An answer that contradicts the archive is not stored at once: it may come from a
// back end that lags behind, or be broken. It is accepted after this number of
// sightings without another answer in between.
const sightings = 4

// Sightings within these intervals count once, so an older version is accepted after a
// day, and a loss of content after three days.
const (
	olderGap = 8 * time.Hour
	lostGap  = 24 * time.Hour
)

var (
	// errDoubted marks an answer that contradicts the archive.
	errDoubted = errors.New("the archived version stays, and the answer is accepted once it has been the same for days")
	// errOutdated marks a single record that did not change and is older than its list
	// record.
	errOutdated = errors.New("the source returned an older version than its list shows; the record is requested again")
	// errUnchanged marks a single record that did not change although its list record
	// did: a cache may lag behind.
	errUnchanged = errors.New("the list record changed but the single record did not; it is requested again")
)

// contradiction is how an answer contradicts the archive.
type contradiction struct {
	reason  string
	gap     time.Duration // sightings within it count once
	isEdit  bool          // it comes with a newer date: an editor may have emptied something
	counted bool          // the latest sighting was counted
	isNew   bool          // and was the first one
}

// about returns the error of an answer for a record.
func (c *contradiction) about(stored *archive.Record) error {
	return fmt.Errorf("%s %s: the answer %s: %w", stored.Kind, stored.ID, c.reason, errDoubted)
}

// claim is an answer for a part of a record: its list record or its single record.
type claim struct {
	part   string
	json   json.RawMessage
	unread []string      // content that came in another shape, or not at all
	answer source.Answer // of a single record
}

// contradicts compares a claim with the record in the archive. It returns nil if the answer
// may be stored.
func (s *syncer) contradicts(tx *archive.Tx, stored *archive.Record, of claim) (*contradiction, error) {
	archived := stored.Single
	next := *stored
	if of.part == record.ListPart {
		archived, next.List = stored.List, of.json
	} else {
		next.Single = of.json
	}
	if string(of.json) == string(archived) {
		return nil, nil
	}
	lost, err := record.Lost(&stored.Record, &next.Record, s.Dates)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	if slices.Contains(of.answer.Filled, "title") && !slices.Contains(lost, "title") && stored.Title != "" && titleOf(of.json) != stored.Title {
		lost = append(lost, "title")
	}
	const date = "date of change"
	if s.losesDate(of.json, archived) && !slices.Contains(lost, date) { // though the other part has one
		lost = append(lost, date)
	}
	if len(lost) > 0 {
		isUnread := func(content string) bool { return slices.Contains(of.unread, content) }
		isEdit := s.facts.EditsShow && s.isNewer(of.json, archived) && !slices.ContainsFunc(lost, isUnread)
		return &contradiction{reason: "has no " + strings.Join(lost, ", ") + " any more", gap: lostGap, isEdit: isEdit}, nil
	}
	if archived == nil || s.Full {
		return nil, nil
	}
	switch mine, theirs := record.Modified(of.json, s.Dates), record.Modified(archived, s.Dates); {
	case s.isOlder(of.json, archived):
		return &contradiction{reason: "is older than the archived version", gap: olderGap}, nil
	case s.facts.EditsShow: // what changes without a date is a name
		return nil, nil
	case stored.Kind == record.Page || !mine.Equal(theirs): // pages return to an earlier order of their news
		return nil, nil
	}
	if again, err := tx.HadVersion(stored.Row, of.part, of.json); err != nil || !again || s.restores(stored, &next, archived, of.json) {
		return nil, err
	}
	return &contradiction{reason: "is an earlier version than the archived one", gap: olderGap}, nil
}

// titleOf returns the title of a record's JSON as the archive has it.
func titleOf(raw json.RawMessage) string {
	r := record.Record{Kind: record.Article, Answers: record.Answers{Single: raw}}
	if record.Fill(&r, record.Dates{}) != nil {
		return ""
	}
	return r.Title
}

// restores reports whether an answer has content again that the archived part has lost while
// the page showed it from the other part.
func (s *syncer) restores(stored, next *archive.Record, archived, answer json.RawMessage) bool {
	restored, err := record.Lost(&record.Record{Kind: stored.Kind, Answers: record.Answers{Single: answer}}, &record.Record{Kind: stored.Kind, Answers: record.Answers{Single: archived}}, s.Dates)
	if err != nil || len(restored) == 0 {
		return false
	}
	gained, err := record.Lost(&next.Record, &stored.Record, s.Dates)
	return err == nil && len(gained) == 0
}

// doubt returns how a claim contradicts the archive, or nil if the answer may be stored, since
// it contradicts nothing or was seen often enough. If it returns a contradiction, it has
// scheduled the next request for the single record, or keeps the claim for settleEmptied.
func (s *syncer) doubt(tx *archive.Tx, stored *archive.Record, of claim) (*contradiction, error) {
	c, err := s.contradicts(tx, stored, of)
	if c == nil || err != nil {
		return nil, err
	}
	if c.isEdit {
		switch s.emptied.verdict(stored, of) {
		case believed:
			return nil, nil
		case undecided:
			return c, nil
		}
	}
	return s.count(tx, stored, of.part, c)
}

// count counts a contradiction, and returns it unless it was seen often enough.
func (s *syncer) count(tx *archive.Tx, stored *archive.Record, part string, c *contradiction) (*contradiction, error) {
	d, err := tx.Schedule.Doubt(stored.Row, part, c.reason, s.Now(), c.gap)
	c.counted, c.isNew = d.Counted, d.New
	switch {
	case err != nil:
		return nil, err
	case d.Times >= sightings:
		return nil, nil
	case part == record.SinglePart: // the back-off may be shorter: the source may recover soon
		return c, s.postpone(tx, stored, d.Last.Add(c.gap))
	case d.Counted:
		stored.Recheck, stored.Attempts, stored.RetryAt = true, 0, time.Time{}
	}
	return c, nil
}

// acceptListed returns the list record to store: the answer, or the one in the archive
// while the answer is doubted.
func (s *syncer) acceptListed(tx *archive.Tx, l *list, stored *archive.Record, of claim) (json.RawMessage, error) {
	if stored.Row == 0 {
		return of.json, nil // it is new
	}
	c, err := s.doubt(tx, stored, of)
	if c != nil && c.isNew {
		s.fail(Failure{Kind: stored.Kind, ID: stored.ID, Operation: l.operation}, c.about(stored))
	}
	if c != nil || err != nil {
		return stored.List, err
	}
	_, err = tx.Schedule.ClearDoubt(stored.Row, record.ListPart)
	return of.json, err
}

// acceptSingle returns why a single record must not be stored yet (refusal, nil if it may),
// or an error of the archive.
func (s *syncer) acceptSingle(tx *archive.Tx, stored *archive.Record, of claim) (refusal, err error) {
	c, err := s.doubt(tx, stored, of)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return &doubtError{c.about(stored), c.isNew}, nil
	}
	doubted, err := tx.Schedule.ClearDoubt(stored.Row, record.SinglePart)
	if err != nil || !stored.FetchDue || !s.facts.EditsShow && string(of.json) != string(stored.Single) {
		return nil, err
	}
	// The doubted answers do not count as attempts: else a back end that lags behind
	// could end the wait for what the list record announces.
	if doubted {
		stored.Attempts = 0
		err = tx.Touch(stored)
	}
	return s.checkUnchanged(stored, of.json), err
}

// doubtError is the error of a doubted answer.
type doubtError struct {
	error
	isNew bool // no earlier run has reported it
}

func (e *doubtError) Unwrap() error { return e.error }

// checkUnchanged returns an error if a single record did not change although its list
// record did, and no date proves that it is as new. Of a source whose edits show only an
// older date is such an error, also of a single record that did change: it is never fetched
// again by age. The answer is accepted in the end, since a list may change without its
// records. With the back-off that is after three hours, or after more than a day if the
// answer has an older date, since a back end or a cache may lag that long.
func (s *syncer) checkUnchanged(stored *archive.Record, raw json.RawMessage) error {
	mine, theirs := record.Modified(raw, s.Dates), record.Modified(stored.List, s.Dates)
	asNew := !mine.IsZero() && !theirs.IsZero() && theirs.Sub(mine) < time.Second
	err, attempts := errUnchanged, 3
	isOlder := s.isOlder(raw, stored.List)
	if isOlder {
		err, attempts = errOutdated, 6
	}
	if asNew || s.Full || s.facts.EditsShow && !isOlder || stored.Attempts >= attempts {
		return nil
	}
	return fmt.Errorf("%s %s: %w", stored.Kind, stored.ID, err)
}

// differsFromList reports whether an answer shows something else than the list record with the same
// date of change. One of them lags behind a change without a date, or the answer has lost content,
// which contradicts does not see while the page shows it from the list record.
func (s *syncer) differsFromList(stored *archive.Record, answer source.Answer) bool {
	return answer.List != nil && string(answer.List) != string(stored.List) &&
		record.Modified(answer.List, s.Dates).Equal(record.Modified(stored.List, s.Dates))
}

// losesDate reports whether an answer has no date of change where the same part of the record
// has one, which an older answer could not be told from then.
func (s *syncer) losesDate(answer, archived json.RawMessage) bool {
	return s.facts.EditsShow && !record.Modified(archived, s.Dates).IsZero() && record.Modified(answer, s.Dates).IsZero()
}

// isOlder reports whether an answer is an earlier version of another one. A date in
// the future proves nothing, and a full run stores what there is.
func (s *syncer) isOlder(answer, other json.RawMessage) bool {
	if s.Full || other == nil || string(answer) == string(other) {
		return false
	}
	mine, theirs := record.Modified(answer, s.Dates), record.Modified(other, s.Dates)
	return !mine.IsZero() && theirs.Sub(mine) >= time.Second && theirs.Before(s.Now().Add(24*time.Hour))
}

// isNewer reports whether an answer has a later date of change than another one, and none in
// the future, which proves nothing.
func (s *syncer) isNewer(answer, other json.RawMessage) bool {
	mine, theirs := record.Modified(answer, s.Dates), record.Modified(other, s.Dates)
	return !theirs.IsZero() && mine.Sub(theirs) >= time.Second && mine.Before(s.Now().Add(24*time.Hour))
}
