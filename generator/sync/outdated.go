package sync

import (
	"encoding/json"
	"errors"
	"time"

	"ayna/archive"
	"ayna/generator/wire"
)

// errOutdated notes an answer that is not taken because a newer one is kept.
var errOutdated = errors.New("the source answers with an older version than it has shown; it is asked again")

// older reports whether an answer is an earlier version of another one: a
// source with several back ends may show either. A date in the future proves
// nothing, and a full run takes what there is.
func (s *syncer) older(answer, other json.RawMessage) bool {
	if s.Full || other == nil || string(answer) == string(other) {
		return false
	}
	mine, theirs := wire.Modified(answer, s.Location), wire.Modified(other, s.Location)
	return !mine.IsZero() && theirs.Sub(mine) >= time.Second && theirs.Before(s.now().Add(24*time.Hour))
}

// errUnmoved notes a single record that is what it was, though its list record
// has changed: a cache may be behind. A later run asks again.
var errUnmoved = errors.New("the single record is what it was before its list record changed")

// unmoved reports whether a single record is the one that is kept although the
// list record has changed, and no date says that it is as new. It is believed in
// the end: a list may have dates of its own, and tell of what no single record
// shows.
func (s *syncer) unmoved(answer json.RawMessage, kept *archive.Record) bool {
	const tries = 3
	return string(answer) == string(kept.Single) && kept.Wanted && kept.Tries < tries && !s.Full && !s.asNew(answer, kept.List)
}

// asNew reports whether the date of an answer is at least that of another one.
func (s *syncer) asNew(answer, other json.RawMessage) bool {
	mine, theirs := wire.Modified(answer, s.Location), wire.Modified(other, s.Location)
	return !mine.IsZero() && !theirs.IsZero() && theirs.Sub(mine) < time.Second
}
