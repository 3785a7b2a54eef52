package change

import (
	"context"
	"fmt"
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
	edits = told(edits)
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

// enough is how many edits tell of most changes: both parts of a record may tell
// of each, and what comes before says which of them did.
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

// told makes one edit of those by which both parts of a record tell of the same
// one, the last one first: what a part says that the other said before it is no
// news, and a single record is fetched because its list record changed.
func told(edits []edit) []edit {
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
