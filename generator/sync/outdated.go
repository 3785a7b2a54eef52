package sync

import (
	"encoding/json"
	"errors"
	"time"

	"ayna/archive"
	"ayna/generator/wire"
)

// errOutdated notes an answer that is not taken because a newer one is kept.
var errOutdated = errors.New("the source answers with an older version than it did before")

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

// outdated reports whether a single record is not to be taken: it is older than
// the one that is kept, or it is that one still although the list shows a newer
// version. The latter is believed in the end: a list may have dates of its own.
func (s *syncer) outdated(answer json.RawMessage, kept *archive.Record) bool {
	const tries = 3
	if string(answer) == string(kept.Single) {
		return kept.Wanted && kept.Tries < tries && s.older(answer, kept.List)
	}
	return s.older(answer, kept.Single)
}
