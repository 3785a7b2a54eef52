package change

import (
	"context"
	"iter"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// state is what one version of one part of a record says.
type state struct {
	raw, words wire.Wording // as received, and as plain text
	modified   time.Time    // zero if it does not say
}

// version is an earlier version of one part of a record, and the one that
// followed it.
type version struct {
	part          string
	before, after state
	seen          time.Time // when the one that followed was first seen
}

// versions yields the earlier versions of an item, the last one first. One that
// cannot be read tells nothing and is left out. Of an item that never changed
// nothing is read.
func versions(ctx context.Context, a *archive.Archive, item site.Item, zone *time.Location) iter.Seq2[version, error] {
	return func(yield func(version, error) bool) {
		if item.Versions() == 0 {
			return
		}
		record, err := a.Raw(ctx, item.Row())
		if err != nil {
			yield(version{}, err)
			return
		}
		parts := map[string][]byte{"list": record.List, "single": record.Single}
		following := make(map[string]state)
		for revision, err := range a.Earlier(ctx, item.Row()) {
			if err != nil {
				yield(version{}, err)
				return
			}
			if now, unread := parts[revision.Part]; unread {
				delete(parts, revision.Part)
				if s, ok := stateOf(record.Kind, now, zone, state{}); ok {
					following[revision.Part] = s
				}
			}
			after, known := following[revision.Part]
			before, ok := stateOf(record.Kind, revision.JSON, zone, after)
			if !known || !ok {
				continue
			}
			following[revision.Part] = before
			if !yield(version{revision.Part, before, after, revision.Seen}, nil) {
				return
			}
		}
	}
}

// stateOf reads a version. Most of it is as in the one that followed: of that
// plain text need not be made again.
func stateOf(kind archive.Kind, document []byte, zone *time.Location, after state) (state, bool) {
	raw, modified, err := wire.WordingOf(kind, document, zone)
	if err != nil || document == nil {
		return state{}, false
	}
	return state{raw, raw.Plain(after.raw, after.words), modified}, true
}

// tolerance is how far the source's clock may be ahead.
const tolerance = 5 * time.Minute

// when returns when a version took the place of the one before: as it says
// itself, unless that cannot be.
func (v *version) when(item site.Item) time.Time {
	said := v.after.modified
	switch {
	case said.IsZero(), said.Equal(v.before.modified), said.After(v.seen.Add(tolerance)), !said.After(item.PublishedTime()):
		return v.seen
	}
	return said
}
