package change

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// What is read for a history, whatever an archive keeps of an item.
const (
	versionsRead = 200     // earlier versions
	wordsHeld    = 8 << 20 // bytes of those in which words changed
)

// last returns the last changes, at most most, the last one first.
func last(ctx context.Context, a *archive.Archive, item site.Item, zone *time.Location, most int) (changes []Change, more bool, err error) {
	edits, more, err := editsOf(ctx, a, item, zone, most)
	if err != nil {
		return nil, false, fmt.Errorf("changes of %s %s: %w", item.Kind(), item.ID(), err)
	}
	edits = merge(edits)
	if len(edits) > most {
		edits, more = edits[:most], true
	}
	for i := range edits {
		changes = append(changes, edits[i].change())
	}
	return changes, more, nil
}

// edit is that words of an item became others.
type edit struct {
	part          string // of the record, that tells of it
	when          time.Time
	before, after [3]string // title, spot and text; both "" where they are no others
}

// enough is the number of edits that suffice for most changes: both parts of a
// record may contain each change, and the edit before them is needed to see that.
func enough(most int) int { return 2*most + 1 }

// editsOf reads the last edits, the last one first: enough for most changes. more
// says that not all was read.
func editsOf(ctx context.Context, a *archive.Archive, item site.Item, zone *time.Location, most int) (edits []edit, more bool, err error) {
	read, held := 0, 0
	for v, err := range versions(ctx, a, item, zone) {
		if err != nil {
			return nil, false, err
		}
		if read++; read > versionsRead || held > wordsHeld || len(edits) >= enough(most) {
			return edits, true, nil
		}
		if e := v.edit(item); e.after != [3]string{} {
			edits = append(edits, e)
			held += len(e.before[0]) + len(e.before[1]) + len(e.before[2])
		}
	}
	return edits, false, nil
}

// edit compares a version with the one that followed. A field without any words
// in one of them is no edit: it arrived, or was left out.
func (v *version) edit(item site.Item) edit {
	e := edit{part: v.part, when: v.when(item)}
	before, after := fields(v.before.words), fields(v.after.words)
	for i := range after {
		if before[i] != after[i] && before[i] != "" && after[i] != "" {
			e.before[i], e.after[i] = before[i], after[i]
		}
	}
	return e
}

func fields(w wire.Wording) [3]string { return [3]string{w.Title, w.Spot, w.Text} }

// merge joins edits that both parts of a record contain, the last one first: an
// edit repeats what the other part had before, and a single record is fetched
// because its list record changed.
func merge(edits []edit) []edit {
	var all []edit
	var shown [3]string // as the last edit of each field left it
	completes := false  // a single record that comes next belongs to the last edit
	for _, e := range slices.Backward(edits) {
		news := false
		for i, after := range e.after {
			if after == "" || after == shown[i] {
				e.before[i], e.after[i] = "", ""
				continue
			}
			shown[i], news = after, true
		}
		if news && completes && e.part == "single" {
			all[len(all)-1].add(e)
		} else if news {
			all = append(all, e)
		}
		completes = news && e.part == "list"
	}
	slices.Reverse(all)
	return all
}

// add takes over the fields of another edit.
func (e *edit) add(other edit) {
	for i, after := range other.after {
		if after != "" {
			e.before[i], e.after[i] = other.before[i], after
		}
	}
}

// change compares the words.
func (e *edit) change() Change {
	var fields [3][]run
	for i := range e.after {
		if e.after[i] != "" {
			fields[i] = compare(e.before[i], e.after[i])
		}
	}
	return shorten(e.when, fields)
}

// state is the content of one version of one part of a record.
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
		if !item.Revised() {
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
