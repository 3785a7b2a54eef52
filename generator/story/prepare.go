package story

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/site"
	"ayna/prose"
	"ayna/record"
)

// openingLength is the length in letters of the opening, which replaces a spot.
const openingLength = 300

// textsPerWrite is the number of texts that are written to the archive together. A kill
// loses at most so many, and memory holds no more. Each may take a few megabytes.
const textsPerWrite = 64

// Prepare cleans the texts of the site that the archive does not hold cleaned yet, and
// stores them there. Without Prepare, a text is cleaned each time it is shown. It calls
// done, unless nil, with the number of texts that are done and the number of all. It does
// nothing if the archive is not writable.
func (r *Reader) Prepare(ctx context.Context, jobs int, done func(made, all int)) error {
	if !r.Archive.Writable() {
		return nil
	}
	missing, upTo, err := r.missing(ctx)
	if err != nil {
		return err
	}
	var items []site.Item
	for item := range r.Site.All.All() {
		if missing[item.Row()] {
			items = append(items, item)
		}
	}
	// Reading and writing are fastest in the archive's order.
	slices.SortFunc(items, func(a, b site.Item) int { return cmp.Compare(a.Row(), b.Row()) })
	made := 0
	for batch := range slices.Chunk(items, textsPerWrite) {
		if err := r.prepareBatch(ctx, jobs, batch); err != nil {
			return fmt.Errorf("prepare texts: %w", err)
		}
		if made += len(batch); done != nil {
			done(made, len(items))
		}
	}
	if upTo == "" {
		return nil
	}
	return r.Archive.Update(ctx, func(tx *archive.Tx) error { return tx.State.Set(textsState, upTo) })
}

// textsState is the name of the state that holds of which texts Prepare looked last which are
// missing: their version, what selects them, and the number of the last change.
const textsState = "texts"

// missing returns the rows whose texts may have to be prepared, and what textsState holds once
// they are, "" if that stays. It asks only for rows that changed since, where it can.
func (r *Reader) missing(ctx context.Context) (rows map[int64]bool, upTo string, err error) {
	last, err := r.Archive.Catalog.LastChange(ctx)
	if err != nil {
		return nil, "", err
	}
	before, err := r.Archive.State.Get(ctx, textsState)
	if err != nil {
		return nil, "", err
	}
	var changed []int64 // nil: all
	if r.Program != "" {
		of := fmt.Sprint(r.textVersion(), " ", r.Program)
		if upTo = fmt.Sprint(of, " ", last); upTo == before {
			upTo = ""
		}
		if since, ok := strings.CutPrefix(before, of+" "); ok {
			if n, err := strconv.ParseInt(since, 10, 64); err == nil {
				if changed, err = r.Archive.Catalog.Changed(ctx, n); err != nil {
					return nil, "", err
				}
			}
		}
	}
	rows = make(map[int64]bool)
	for row, err := range r.Archive.Texts.Missing(ctx, r.textVersion(), changed) {
		if err != nil {
			return nil, "", err
		}
		rows[row] = true
	}
	return rows, upTo, nil
}

// prepareBatch cleans the texts of items and then writes them. Nothing reads the
// archive while it writes: SQLite starts its write-ahead log anew only when nobody
// reads, and beside readers the log would grow with the archive.
func (r *Reader) prepareBatch(ctx context.Context, jobs int, items []site.Item) error {
	made := make([][]byte, len(items))
	group, groupContext := errgroup.WithContext(ctx)
	group.SetLimit(max(1, jobs))
	for i, item := range items {
		group.Go(func() error {
			// The item's own page reports what cannot be read.
			if d, err := r.prepare(groupContext, item); err == nil {
				made[i], _ = d.marshal()
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
			if err := tx.PutText(item.Row(), r.textVersion(), made[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Text returns the cleaned text of a record of any kind and what is shown with it.
// [Reader.Prepare] may have stored it; otherwise the record's JSON is released.
func (r *Reader) Text(ctx context.Context, stored *archive.Record) (Content, prose.Body, error) {
	var d document
	text, err := r.Archive.Texts.Get(ctx, stored.Row, r.textVersion())
	if err == nil {
		d, err = unmarshal(text)
	}
	if err != nil { // missing, or damaged
		d, err = r.clean(stored)
	}
	return d.Content, d.body, err
}

// prepare makes the document of an item.
func (r *Reader) prepare(ctx context.Context, item site.Item) (document, error) {
	d, err := r.cleaned(ctx, item)
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

// cleaned returns the document of an item without the Markdown: as the synchronisation
// has stored it, see [Cleaned], or else from its record.
func (r *Reader) cleaned(ctx context.Context, item site.Item) (document, error) {
	if r.Site.Markdown { // otherwise it would not be missing
		if text, err := r.Archive.Texts.Get(ctx, item.Row(), plainTextVersion(r.Site.Words.Table)); err == nil {
			if d, err := unmarshal(text); err == nil {
				return d, nil
			}
		}
	}
	stored, err := r.Archive.Records.Row(ctx, item.Row())
	if err != nil {
		return document{}, err
	}
	if stored.Damaged {
		return document{}, fmt.Errorf("%w: the JSON of the record is not what arrived; build with --check to have it fetched again", database.ErrDamaged)
	}
	if len(stored.Single) > largeRecord {
		r.largeRecords.Lock()
		defer r.largeRecords.Unlock()
	}
	return r.clean(stored)
}

// largeRecord is the size in bytes of records that are prepared one at a time:
// their JSON is decoded in a multiple of it.
const largeRecord = 4 << 20

// clean makes the document of a record without the Markdown. It releases the record's
// JSON to save memory.
func (r *Reader) clean(stored *archive.Record) (document, error) {
	content, err := record.ContentOf(&stored.Record)
	if err != nil {
		return document{}, err
	}
	waiting := isWaiting(stored, content)
	stored.Single, stored.List, stored.Hit = nil, nil, nil
	return newDocument(stored, content, record.Clean(&stored.Record, content, r.Site.Words.Table), waiting), nil
}

// Cleaned returns the text of a record as [Reader.Prepare] stores it without Markdown,
// from what [record.Read] returned, and its version for [archive.Tx.PutText]. table is the
// label of tables. The error is that of a text that cannot be stored.
func Cleaned(stored *archive.Record, content record.Content, body prose.Body, table string) (text []byte, version int64, err error) {
	d := newDocument(stored, content, body, isWaiting(stored, content))
	text, err = d.marshal()
	return text, plainTextVersion(table), err
}

// isWaiting reports whether the text of a record was not fetched yet.
func isWaiting(stored *archive.Record, content record.Content) bool {
	return stored.Single == nil && content.Text == "" && !content.Members
}

func newDocument(stored *archive.Record, content record.Content, body prose.Body, waiting bool) document {
	text := body.Text()
	source, _ := prose.SafeURL(stored.URL)
	d := document{body: body, Content: Content{
		Title: visibleTitle(stored.Title, stored.Spot, stored.ID), Spot: stored.Spot, Editor: stored.Editor, Source: source,
		Hash: hex.EncodeToString(stored.Hash[:]), Words: prose.Words(text), Waiting: waiting, Members: content.Members,
		Files: content.Files, References: stored.Related,
	}}
	if d.Spot == "" {
		d.Opening = opening(text)
	}
	return d
}

// opening returns the beginning of a text of paragraphs, in one line.
func opening(text string) string {
	const enough = 8 * openingLength // bytes, of runes that have four at most
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "")
	}
	return prose.Shorten(strings.ReplaceAll(text, "\n", " "), openingLength)
}
