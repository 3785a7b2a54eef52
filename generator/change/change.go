// Package change tells which words of an item changed after it was published,
// from the earlier versions that the archive keeps.
package change

import (
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
	"time"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// Change is the last change of an item's words.
type Change struct {
	When   time.Time // as the source says, or when the archive first saw it; UTC
	Fields [3][]Run  // of title, spot and text; nil where no word changed
}

// Version is a digest of the change.
func (c *Change) Version() uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %#v", c.When.UnixMilli(), c.Fields)
	return h.Sum64()
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

// Of returns the last change of the item's words, nil if they never changed. A
// version is compared with what the same answer, list or single record, says
// today.
func Of(ctx context.Context, a *archive.Archive, item *site.Item) (*Change, error) {
	for v, err := range versions(ctx, a, item) {
		if err != nil {
			return nil, fmt.Errorf("changes of %s %s: %w", item.Kind, item.ID, err)
		}
		fields := [3][]Run{differ(v.before.Title, v.today.Title), differ(v.before.Spot, v.today.Spot), differ(v.before.Text, v.today.Text)}
		if fields[0] == nil && fields[1] == nil && fields[2] == nil {
			continue
		}
		c := &Change{When: v.Seen, Fields: fields}
		if item.Modified != 0 {
			c.When = item.UpdatedTime()
		}
		return c, nil
	}
	return nil, nil
}

// Updated returns when the item's words were last changed, as the source says,
// UTC. The source also calls a record modified when it is moved to another
// folder or counted anew: then it is the date that the words had before. zone
// is used for dates without an offset.
func Updated(ctx context.Context, a *archive.Archive, item *site.Item, zone *time.Location) (time.Time, error) {
	updated := item.UpdatedTime()
	if item.Modified == 0 {
		return updated, nil
	}
	for v, err := range versions(ctx, a, item) {
		if err != nil {
			return updated, fmt.Errorf("changes of %s %s: %w", item.Kind, item.ID, err)
		}
		if v.before != v.today {
			break
		}
		if modified := wire.Modified(v.JSON, zone); !modified.IsZero() && modified.Before(updated) {
			updated = modified
		}
	}
	if published := item.PublishedTime(); updated.Before(published) {
		return published, nil
	}
	return updated, nil
}

// version is an earlier version of one part of a record.
type version struct {
	archive.Revision
	before, today wire.Wording // of that part
}

// versions yields the earlier versions of an item, the last one first. One that
// cannot be read tells nothing and is left out.
func versions(ctx context.Context, a *archive.Archive, item *site.Item) iter.Seq2[version, error] {
	return func(yield func(version, error) bool) {
		revisions, err := a.Revisions(ctx, item.Row)
		if err != nil || len(revisions) == 0 {
			if err != nil {
				yield(version{}, err)
			}
			return
		}
		record, err := a.Row(ctx, item.Row)
		if err != nil {
			yield(version{}, err)
			return
		}
		today := make(map[string]wire.Wording)
		for part, raw := range map[string][]byte{"list": record.List, "single": record.Single} {
			if wording, err := wire.WordingOf(record.Kind, raw); err == nil && raw != nil {
				today[part] = wording
			}
		}
		for _, revision := range slices.Backward(revisions) {
			now, ok := today[revision.Part]
			before, err := wire.WordingOf(record.Kind, revision.JSON)
			if ok && err == nil && !yield(version{revision, before, now}, nil) {
				return
			}
		}
	}
}

// differ compares two wordings of a field. One of them without any words is no
// correction: a field arrived or was left out.
func differ(before, today string) []Run {
	if before == today || before == "" || today == "" {
		return nil
	}
	return shorten(compare(before, today))
}
