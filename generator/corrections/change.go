// Package corrections finds the words of an item that changed after it was published. It
// takes the earlier versions of the item's record from the archive, and returns the
// changes ([History], [Last]) or their date ([Updated]).
//
// Begin with history.go, which reads the versions as edits. diff.go compares words.
package corrections

import (
	"context"
	"time"

	"ayna/archive"
	"ayna/generator/site"
)

// Last returns the last change of the item's words, nil if they never changed. from
// decides how dates are read.
func Last(ctx context.Context, records archive.Records, item site.Item, from *site.Settings) (*site.Change, error) {
	changes, _, err := History(ctx, records, item, from, 1)
	if len(changes) == 0 {
		return nil, err
	}
	return &changes[0], nil
}

// Limits of what is read for a history.
const (
	maxVersions = 200     // earlier versions
	maxHeld     = 8 << 20 // bytes of those in which words changed
)

// editsFor returns the number of edits that suffice for a number of changes: both parts
// of a record may contain each change, and merge needs the edit before them.
func editsFor(changes int) int { return 2*changes + 1 }

// History returns the last changes of an item's words, at most n, the last one first.
// more reports that there may be earlier ones. from decides how dates are read.
func History(ctx context.Context, records archive.Records, item site.Item, from *site.Settings, n int) (changes []site.Change, more bool, err error) {
	var edits []edit
	read, held := 0, 0
	for e, err := range editsOf(ctx, records, item, from) {
		if err != nil {
			return nil, false, err
		}
		if read++; read > maxVersions || held > maxHeld || len(edits) >= editsFor(n) {
			more = true
			break
		}
		if e.isChange() {
			edits = append(edits, e)
			held += len(e.before[0]) + len(e.before[1]) + len(e.before[2])
		}
	}
	edits = merge(edits)
	if len(edits) > n {
		edits, more = edits[:n], true
	}
	for i := range edits {
		changes = append(changes, edits[i].change())
	}
	return changes, more, nil
}

// Updated returns when the item's words last changed, in UTC: the source's date, or,
// for a change without one, when the archive first saw it. The source also gives a
// record a new date when its folder or a counter changes; then Updated returns the
// date of the version before. from decides how dates are read.
func Updated(ctx context.Context, records archive.Records, item site.Item, from *site.Settings) (time.Time, error) {
	// Like Item.Order, it ignores a date of publication that is implausible.
	published := time.UnixMilli(item.Order()).UTC()
	updated := published
	if item.Modified() != 0 && item.Order() == item.Published() {
		updated = item.UpdatedTime()
	}
	same := true // the words, from that version on
	var edits []edit
	for e, err := range editsOf(ctx, records, item, from) {
		if err != nil {
			return updated, err
		}
		same = same && e.identical
		if same && !e.dated.IsZero() && e.dated.Before(updated) {
			updated = e.dated
		}
		if e.isChange() {
			if edits = append(edits, e); len(edits) >= editsFor(1) {
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
