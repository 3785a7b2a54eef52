package story

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/generator/prose"
	"ayna/generator/site"
	"ayna/generator/wire"
)

// openingLength is how much of a text stands in for a spot, in letters.
const openingLength = 300

// batch is how many texts are kept at once: a kill loses no more, and memory
// holds no more. Each may take a few megabytes.
const batch = 64

// Prepare makes of every text of the site what pages and feeds show of it and
// keeps that in the archive, unless it is there. A text is made ready once for
// each version of its record; without Prepare, each time it is shown. done is
// called as texts are made, with how many there are to make; it may be nil.
func (r *Reader) Prepare(ctx context.Context, jobs int, done func(made, all int)) error {
	if !r.Archive.Writable() {
		return nil
	}
	missing := make(map[int64]bool)
	for row, err := range r.Archive.MissingBodies(ctx, r.maker()) {
		if err != nil {
			return err
		}
		missing[row] = true
	}
	var items []site.Item
	for item := range r.Site.Home.Items.All() {
		if missing[item.Row()] {
			items = append(items, item)
		}
	}
	// In the order in which the archive has them: it is read and written from
	// one end to the other.
	slices.SortFunc(items, func(a, b site.Item) int { return cmp.Compare(a.Row(), b.Row()) })
	made := 0
	for together := range slices.Chunk(items, batch) {
		if err := r.prepare(ctx, jobs, together); err != nil {
			return fmt.Errorf("prepare texts: %w", err)
		}
		if made += len(together); done != nil {
			done(made, len(items))
		}
	}
	return nil
}

func (r *Reader) prepare(ctx context.Context, jobs int, items []site.Item) error {
	made := make([][]byte, len(items))
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(max(1, jobs))
	for i, item := range items {
		group.Go(func() error {
			// What cannot be read is reported where it is shown.
			if k, err := r.make(groupContext, item); err == nil {
				made[i] = k.marshal()
			}
			return groupContext.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return r.Archive.Update(ctx, func(tx *archive.Tx) error {
		for i, item := range items {
			if made[i] == nil {
				continue
			}
			if err := tx.PutBody(item.Row(), r.maker(), made[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// make makes a text ready to be shown.
func (r *Reader) make(ctx context.Context, item site.Item) (kept, error) {
	record, err := r.Archive.Row(ctx, item.Row())
	if err != nil {
		return kept{}, err
	}
	if record.Damaged {
		return kept{}, fmt.Errorf("%w: the JSON of the record is not what arrived; build with -check to have it fetched again", archive.ErrDamaged)
	}
	if len(record.Single) > giantRecord {
		r.giant.Lock()
		defer r.giant.Unlock()
	}
	k, err := r.clean(record)
	if err != nil || !r.Site.Markdown {
		return k, err
	}
	s := &Story{Item: item, Body: k.body, reader: r}
	if s.media, err = r.mediaOf(ctx, item); err != nil {
		return kept{}, err
	}
	if text, outcome, err := s.convert(); err == nil {
		k.markdown, k.outcome = text, outcome
	}
	return k, nil
}

// giantRecord is the size of records that are made ready one at a time: their
// JSON is taken apart in a multiple of it.
const giantRecord = 4 << 20

// clean makes of a record all but the Markdown. The record's JSON goes.
func (r *Reader) clean(record *archive.Record) (kept, error) {
	content, err := wire.ContentOf(record)
	if err != nil {
		return kept{}, err
	}
	waiting := record.Single == nil && content.Text == ""
	record.Single, record.List, record.Hit = nil, nil, nil
	body := prose.Clean(content.Text, prose.Options{Title: record.Title, Base: record.URL, Table: r.Site.Words.Table})
	text := body.Text()
	source, _ := prose.SafeURL(record.URL)
	k := kept{
		title: title(record.Title, record.Spot, record.ID), spot: record.Spot, source: source, editor: record.Editor,
		hash: hex.EncodeToString(record.Hash[:]), lead: record.Lead,
		waiting: waiting,
		body:    body, words: prose.Words(text), files: content.Files, related: record.Related,
	}
	if k.spot == "" {
		k.opening = opening(text)
	}
	return k, nil
}

// opening returns the beginning of a text of paragraphs, in one line.
func opening(text string) string {
	const enough = 8 * openingLength // bytes, of runes that have four at most
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	return prose.Shorten(strings.ReplaceAll(text, "\n", " "), openingLength)
}
