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

// openingLength is the length in letters of the opening, which replaces a spot.
const openingLength = 300

// prepareBatch is the number of texts that are written to the archive together. A kill
// loses at most twice as many, and memory holds no more. Each may take a few megabytes.
const prepareBatch = 64

// Prepare cleans the texts of the site that the archive does not hold cleaned yet, and
// stores them there. Without Prepare, a text is cleaned each time it is shown. It calls
// done, unless nil, with the number of texts that are done and the number of all. It does
// nothing if the archive is not writable.
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
	// Reading and writing are fastest in the archive's order.
	slices.SortFunc(items, func(a, b site.Item) int { return cmp.Compare(a.Row(), b.Row()) })
	documents := make(chan prepared, prepareBatch)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(documents)
		return r.prepareAll(ctx, jobs, items, documents)
	})
	group.Go(func() error {
		made := 0
		return r.store(ctx, documents, func(n int) {
			if made += n; done != nil {
				done(made, len(items))
			}
		})
	})
	if err := group.Wait(); err != nil {
		return fmt.Errorf("prepare texts: %w", err)
	}
	return nil
}

// A prepared document in its stored form, nil if the record cannot be read.
type prepared struct {
	row      int64
	document []byte
}

// prepareAll sends the documents of all items, which [Reader.store] writes meanwhile.
func (r *Reader) prepareAll(ctx context.Context, jobs int, items []site.Item, documents chan<- prepared) error {
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(max(1, jobs))
	for _, item := range items {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error {
			made := prepared{row: item.Row()}
			// The item's own page reports what cannot be read.
			if d, err := r.prepare(inner, item); err == nil {
				made.document, _ = d.marshal()
			}
			select {
			case documents <- made:
				return nil
			case <-inner.Done():
				return inner.Err()
			}
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// store writes documents to the archive until there are no more. It calls stored
// with the number of each batch.
func (r *Reader) store(ctx context.Context, documents <-chan prepared, stored func(n int)) error {
	for first := range documents {
		chunk := []prepared{first}
		for len(chunk) < prepareBatch {
			next, more := <-documents
			if !more {
				break
			}
			chunk = append(chunk, next)
		}
		err := r.Archive.Update(ctx, func(tx *archive.Tx) error {
			for _, d := range chunk {
				if d.document == nil {
					continue
				}
				if err := tx.PutBody(d.row, r.maker(), d.document); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		stored(len(chunk))
	}
	return nil
}

// prepare makes the document of an item from its record.
func (r *Reader) prepare(ctx context.Context, item site.Item) (document, error) {
	record, err := r.Archive.Row(ctx, item.Row())
	if err != nil {
		return document{}, err
	}
	if record.Damaged {
		return document{}, fmt.Errorf("%w: the JSON of the record is not what arrived; build with --check to have it fetched again", archive.ErrDamaged)
	}
	if len(record.Single) > largeRecord {
		r.largeRecords.Lock()
		defer r.largeRecords.Unlock()
	}
	d, err := r.clean(record)
	if err != nil || !r.Site.Markdown {
		return d, err
	}
	s := &Story{Item: item, Body: d.body, reader: r}
	if s.media, err = r.mediaOf(ctx, item); err != nil {
		return document{}, err
	}
	if text, err := s.Body.Markdown(s.resolver()); err == nil {
		d.markdown, d.MarkdownOf = text, digest(s.Body.HTML(s.resolver()))
	}
	return d, nil
}

// largeRecord is the size in bytes of records that are prepared one at a time:
// their JSON is decoded in a multiple of it.
const largeRecord = 4 << 20

// clean makes the document of a record without the Markdown. It releases the record's
// JSON to save memory.
func (r *Reader) clean(record *archive.Record) (document, error) {
	content, err := wire.ContentOf(record)
	if err != nil {
		return document{}, err
	}
	waiting := record.Single == nil && content.Text == ""
	record.Single, record.List, record.Hit = nil, nil, nil
	body := prose.Clean(content.Text, prose.Options{Title: record.Title, Base: record.URL, Table: r.Site.Words.Table})
	text := body.Text()
	source, _ := prose.SafeURL(record.URL)
	d := document{body: body, Content: Content{
		Title: visibleTitle(record.Title, record.Spot, record.ID), Spot: record.Spot, Editor: record.Editor, Source: source,
		Hash: hex.EncodeToString(record.Hash[:]), Words: prose.Words(text), Waiting: waiting,
		Files: content.Files, References: record.Related,
	}}
	if d.Spot == "" {
		d.Opening = opening(text)
	}
	return d, nil
}

// opening returns the beginning of a text of paragraphs, in one line.
func opening(text string) string {
	const enough = 8 * openingLength // bytes, of runes that have four at most
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	return prose.Shorten(strings.ReplaceAll(text, "\n", " "), openingLength)
}
