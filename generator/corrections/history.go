package corrections

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"ayna/archive"
	"ayna/client"
	"ayna/generator/site"
	"ayna/record"
)

// edit is the difference between two consecutive versions of one part of a record.
type edit struct {
	part          string // "list" or "single"
	when          time.Time
	before, after [3]string // title, spot and text; both "" if it did not change
	identical     bool      // both versions have the same words, for the same readers
	dated         time.Time // the source's date of the version before, zero if it has none
}

// isChange reports whether words changed that both versions have: a field that arrived, or
// was left out, is no change.
func (e *edit) isChange() bool { return e.after != [3]string{} }

// change compares the words.
func (e *edit) change() site.Change {
	var fields [3][]run
	for i := range e.after {
		if e.after[i] != "" {
			fields[i] = compare(e.before[i], e.after[i])
		}
	}
	return shorten(e.when, fields)
}

// merge removes edits that repeat one of the other part of the record, and joins an edit of
// the list record with the edit of the single record that follows: the single record is
// fetched because its list record changed. The newest edit comes first, before and after.
func merge(edits []edit) []edit {
	var all []edit      // the oldest first
	var shown [3]string // each field after the edits so far
	joins := false      // an edit of the single record that comes next belongs to the one before
	for _, e := range slices.Backward(edits) {
		e.drop(shown)
		for i, after := range e.after {
			shown[i] = cmp.Or(after, shown[i])
		}
		switch {
		case !e.isChange():
		case joins && e.part == "single":
			all[len(all)-1].take(e)
		default:
			all = append(all, e)
		}
		joins = e.isChange() && e.part == "list"
	}
	slices.Reverse(all)
	return all
}

// drop removes the fields that already are so.
func (e *edit) drop(shown [3]string) {
	for i := range e.after {
		if e.after[i] == shown[i] {
			e.before[i], e.after[i] = "", ""
		}
	}
}

// take takes the fields of another edit over.
func (e *edit) take(from edit) {
	for i, after := range from.after {
		if after != "" {
			e.before[i], e.after[i] = from.before[i], after
		}
	}
}

// version is the content of one version of one part of a record.
type version struct {
	raw, words record.Wording // as received, and as plain text
	modified   time.Time      // zero if it has no date
}

// editsOf yields the edits of an item, the newest first. It leaves out versions that cannot be
// read, and a part whose current version cannot be read. It reads nothing of an item that never
// changed.
func editsOf(ctx context.Context, records archive.Records, item site.Item, from *site.Settings) iter.Seq2[edit, error] {
	return func(yield func(edit, error) bool) {
		if !item.Revised() {
			return
		}
		fail := func(err error) {
			yield(edit{}, fmt.Errorf("changes of %s %s: %w", item.Kind(), item.ID(), err))
		}
		stored, err := records.Row(ctx, item.Row())
		if err != nil {
			fail(err)
			return
		}
		how := record.Dates{Zone: from.Location, Order: client.Order(from.DateOrder)}
		following := make(map[string]version)
		for part, document := range map[string][]byte{"list": stored.List, "single": stored.Single} {
			if s, ok := readVersion(stored.Kind, document, how, version{}); ok {
				following[part] = s
			}
		}
		for revision, err := range records.Earlier(ctx, item.Row()) {
			if err != nil {
				fail(err)
				return
			}
			after, known := following[revision.Part]
			before, ok := readVersion(stored.Kind, revision.JSON, how, after)
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
func readVersion(kind record.Kind, document []byte, how record.Dates, after version) (version, bool) {
	raw, modified, err := record.WordingOf(kind, document, how)
	if err != nil || document == nil {
		return version{}, false
	}
	return version{raw, raw.Plain(after.raw, after.words), modified}, true
}

// editBetween compares a version with the one that followed. A field that is empty in one of
// them is no edit: it arrived, or was left out. Texts are not compared if one of them is for
// members: everybody then reads another part of the same text.
func editBetween(before, after version, revision archive.Revision, item site.Item) edit {
	e := edit{part: revision.Part, identical: before.words == after.words, dated: before.modified, when: revision.ReplacedAt}
	// The source's date counts if it is a new one, after publication, and known by the time the
	// version was replaced; its clock may be ahead.
	const tolerance = 5 * time.Minute
	if dated := after.modified; dated.After(item.PublishedTime()) && !dated.Equal(before.modified) && !dated.After(revision.ReplacedAt.Add(tolerance)) {
		e.when = dated
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

func fields(w record.Wording) [3]string { return [3]string{w.Title, w.Spot, w.Text} }
