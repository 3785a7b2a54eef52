package sync

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"ayna/archive"
	"ayna/generator/wire"
)

// An answer that contradicts what is kept is not taken at once: it may come
// from a back end that lags behind, or be broken. It is believed once it was
// counted as often as sightings says, without any other answer in between.
const sightings = 4

// Answers that come closer together than these count once, so an older version
// is believed after a day, and a loss of content after three days.
const (
	olderGap = 8 * time.Hour
	lostGap  = 24 * time.Hour
)

var (
	// errDoubted marks an answer that contradicts what is kept.
	errDoubted = errors.New("what was there stays; it is asked for again, and believed after it was the same for days")
	// errOutdated marks a single record that did not change, and is older than
	// its list record.
	errOutdated = errors.New("the source answers with an older version than it has shown; it is asked again")
	// errUnmoved marks a single record that did not change although its list
	// record did: a cache may be behind. A later run asks again.
	errUnmoved = errors.New("the single record is what it was before its list record changed")
)

// contradiction is in what an answer contradicts what is kept.
type contradiction struct {
	claim string
	gap   time.Duration // answers that come closer together count once
}

func (c *contradiction) Error() string { return "the answer " + c.claim + ": " + errDoubted.Error() }
func (c *contradiction) Unwrap() error { return errDoubted }

// contradicts compares an answer with what is kept of that part of a record. It
// returns nil if the answer may be taken. had reports whether that part was
// this JSON before.
func (s *syncer) contradicts(kept *archive.Record, part string, answer json.RawMessage, had func() (bool, error)) (*contradiction, error) {
	held, other, otherIsNewer := kept.Single, kept.List, kept.Wanted
	if part == archive.ListPart {
		held, other, otherIsNewer = kept.List, kept.Single, !kept.Wanted
	}
	if string(answer) == string(held) {
		return nil, nil
	}
	next := *kept
	if next.Single = answer; part == archive.ListPart {
		next.Single, next.List = kept.Single, answer
	}
	lost, err := wire.Lost(kept, &next)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	if len(lost) > 0 {
		return &contradiction{"has no " + strings.Join(lost, ", ") + " any more", lostGap}, nil
	}
	if held == nil || s.Full {
		return nil, nil
	}
	switch mine, theirs := wire.Modified(answer, s.Location), wire.Modified(held, s.Location); {
	case s.older(answer, held):
		// A date that the other part has too was believed there.
		if otherIsNewer && mine.Equal(wire.Modified(other, s.Location)) {
			return nil, nil
		}
		return &contradiction{"is older than what is kept, of " + mine.Format(time.RFC3339), olderGap}, nil
	case kept.Kind == archive.Page || !mine.Equal(theirs): // pages go back to an earlier order of their news
		return nil, nil
	}
	if again, err := had(); err != nil || !again {
		return nil, err
	}
	return &contradiction{"is an earlier version of what is kept", olderGap}, nil
}

// doubt counts an answer that contradicts what is kept, and reports whether it
// is believed now. If not, the single record is due again: so that the next
// answers can be counted, or sooner, in case the source was only in trouble.
func (s *syncer) doubt(tx *archive.Tx, record *archive.Record, part string, c *contradiction) (believed bool, err error) {
	d, err := tx.Doubt(record.Row, part, c.claim, s.now(), c.gap)
	if err != nil || d.Times >= sightings {
		return err == nil, err
	}
	if part == archive.ListPart {
		if d.Counted {
			record.Recheck, record.Tries, record.Again = true, 0, time.Time{}
		}
		return false, nil
	}
	again := s.now().Add(postponement(record.Tries))
	if counts := d.Last.Add(c.gap); again.After(counts) {
		again = counts
	}
	return false, tx.Postpone(record.Kind, record.ID, again)
}

// older reports whether an answer is an earlier version of another one. A date
// in the future proves nothing, and a full run takes what there is.
func (s *syncer) older(answer, other json.RawMessage) bool {
	if s.Full || other == nil || string(answer) == string(other) {
		return false
	}
	mine, theirs := wire.Modified(answer, s.Location), wire.Modified(other, s.Location)
	return !mine.IsZero() && theirs.Sub(mine) >= time.Second && theirs.Before(s.now().Add(24*time.Hour))
}

// unmoved reports whether a single record is the one that is kept although the
// list record has changed, and no date says that it is as new. It is believed in
// the end: a list may have dates of its own, and tell of what no single record
// shows. With the back-off that is after three hours, or after more than a day if
// the date of the answer says that it is older: a back end may lag that long.
func (s *syncer) unmoved(answer json.RawMessage, kept *archive.Record) bool {
	tries := 3
	if s.older(answer, kept.List) {
		tries = 6
	}
	return string(answer) == string(kept.Single) && kept.Wanted && kept.Tries < tries && !s.Full && !s.asNew(answer, kept.List)
}

// asNew reports whether the date of an answer is at least that of another one.
func (s *syncer) asNew(answer, other json.RawMessage) bool {
	mine, theirs := wire.Modified(answer, s.Location), wire.Modified(other, s.Location)
	return !mine.IsZero() && !theirs.IsZero() && theirs.Sub(mine) < time.Second
}
