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

// edit is the difference between two consecutive versions of one part of a record.
type edit struct {
	part          string // "list" or "single"
	when          time.Time
	before, after [3]string // title, spot and text; both "" if it did not change
	same          bool      // no word differs
	modified      time.Time // of the version before, zero if it has no date
}

// isChange reports whether words changed.
func (e *edit) isChange() bool { return e.after != [3]string{} }

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

// merge removes edits that repeat one of the other part of the record, and joins an
// edit of the list record with the one of the single record that follows: it is
// fetched because the list record changed. The last edit comes first.
func merge(edits []edit) []edit {
	var all []edit
	var shown [3]string // each field after its last edit
	completes := false  // a single record that comes next belongs to the last edit
	for _, e := range slices.Backward(edits) {
		news, into := false, &e
		if completes && e.part == "single" {
			into = &all[len(all)-1]
		}
		for i, after := range e.after {
			switch {
			case after == "" || after == shown[i]:
				e.before[i], e.after[i] = "", ""
			default:
				into.before[i], into.after[i] = e.before[i], after
				shown[i], news = after, true
			}
		}
		if news && into == &e {
			all = append(all, e)
		}
		completes = news && e.part == "list"
	}
	slices.Reverse(all)
	return all
}

// version is the content of one version of one part of a record.
type version struct {
	raw, words wire.Wording // as received, and as plain text
	modified   time.Time    // zero if it has no date
}

// editsOf yields the edits of an item, the last one first. It leaves out versions
// that cannot be read. It reads nothing of an item that never changed.
func editsOf(ctx context.Context, records archive.Records, item site.Item, zone *time.Location) iter.Seq2[edit, error] {
	return func(yield func(edit, error) bool) {
		if !item.Revised() {
			return
		}
		fail := func(err error) {
			yield(edit{}, fmt.Errorf("changes of %s %s: %w", item.Kind(), item.ID(), err))
		}
		record, err := records.Row(ctx, item.Row())
		if err != nil {
			fail(err)
			return
		}
		following := make(map[string]version)
		for part, document := range map[string][]byte{"list": record.List, "single": record.Single} {
			if s, ok := readVersion(record.Kind, document, zone, version{}); ok {
				following[part] = s
			}
		}
		for revision, err := range records.Earlier(ctx, item.Row()) {
			if err != nil {
				fail(err)
				return
			}
			after, known := following[revision.Part]
			before, ok := readVersion(record.Kind, revision.JSON, zone, after)
			if !known || !ok {
				continue
			}
			following[revision.Part] = before
			if !yield(editBetween(before, after, revision, item), nil) {
				return
			}
		}
	}
}

// readVersion reads a version. It takes the plain text of fields that are the same in the
// following version from there.
func readVersion(kind archive.Kind, document []byte, zone *time.Location, after version) (version, bool) {
	raw, modified, err := wire.WordingOf(kind, document, zone)
	if err != nil || document == nil {
		return version{}, false
	}
	return version{raw, raw.Plain(after.raw, after.words), modified}, true
}

// editBetween compares a version with the one that followed. A field that is empty in
// one of them is no edit: it arrived, or was left out. Nor is a text of which everybody
// reads more or less than before.
func editBetween(before, after version, revision archive.Revision, item site.Item) edit {
	e := edit{part: revision.Part, same: before.words == after.words, modified: before.modified, when: revision.ReplacedAt}
	// The source's clock may be ahead.
	const tolerance = 5 * time.Minute
	if modified := after.modified; modified.After(item.PublishedTime()) && !modified.Equal(before.modified) && !modified.After(revision.ReplacedAt.Add(tolerance)) {
		e.when = modified
	}
	old, new := fields(before.words), fields(after.words)
	for i := range new {
		if i == textField && before.words.Members != after.words.Members {
			continue
		}
		if old[i] != new[i] && old[i] != "" && new[i] != "" {
			e.before[i], e.after[i] = old[i], new[i]
		}
	}
	return e
}

// textField is the place of the text among the fields.
const textField = 2

func fields(w wire.Wording) [3]string { return [3]string{w.Title, w.Spot, w.Text} }
