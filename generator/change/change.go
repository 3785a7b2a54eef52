// Package change finds the words of an item that changed after it was published,
// from the earlier versions that the archive keeps.
package change

import (
	"context"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// Change is one change of an item's words.
type Change struct {
	When   time.Time // as the source says, or when the archive first saw it; UTC
	Fields [3][]Run  // of title, spot and text; nil where no word changed
	Cut    bool      // not all words that changed are there, but [Words] at most
}

// Run is a run of words.
type Run struct {
	Op   Op
	Text string // words with a blank between them; "…" stands for words left out
}

// Op is what became of a run of words.
type Op int

// What becomes of words.
const (
	Same Op = iota
	Gone
	New
)

// Most is the largest number of changes in a history.
const Most = 10

// History returns the last changes of an item's words, at most [Most], the last
// one first. more says that there may be earlier ones. zone is used for dates
// without an offset.
func History(ctx context.Context, a *archive.Archive, item site.Item, zone *time.Location) (changes []Change, more bool, err error) {
	return last(ctx, a, item, zone, Most)
}

// Of returns the last change of the item's words, nil if they never changed.
func Of(ctx context.Context, a *archive.Archive, item site.Item, zone *time.Location) (*Change, error) {
	changes, _, err := last(ctx, a, item, zone, 1)
	if len(changes) == 0 || err != nil {
		return nil, err
	}
	return &changes[0], nil
}

// Updated returns when the item's words were last changed, UTC: as the source
// says, or, where it gives a change no date, when that was first seen. The source
// also calls a record modified when it is moved to another folder or counted
// anew: then it is the date that the words had before. Of an item that never
// changed nothing is read. zone is used for dates without an offset.
func Updated(ctx context.Context, a *archive.Archive, item site.Item, zone *time.Location) (time.Time, error) {
	// Like its order, a date of publication that cannot be is not that of the item.
	published := time.UnixMilli(item.Order()).UTC()
	updated := published
	if item.Modified() != 0 && item.Order() == item.Published() {
		updated = item.UpdatedTime()
	}
	same := true // the words, from that version on
	var edits []edit
	for v, err := range versions(ctx, a, item, zone) {
		if err != nil {
			return updated, fmt.Errorf("changes of %s %s: %w", item.Kind(), item.ID(), err)
		}
		if same = same && v.before.words == v.after.words; same && !v.before.modified.IsZero() && v.before.modified.Before(updated) {
			updated = v.before.modified
		}
		if e := v.edit(item); e.after != [3]string{} {
			if edits = append(edits, e); len(edits) >= enough(1) {
				break
			}
		}
	}
	if updated.Before(published) {
		updated = published
	}
	if edits = merge(edits); len(edits) > 0 && edits[0].when.After(updated) {
		updated = edits[0].when
	}
	return updated, nil
}
