package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/record"
	"ayna/source"
)

// farAhead is how far the date of a comment may lie in the future.
const farAhead = 24 * time.Hour

// store stores an answer, and the state of the list after change. It returns the number of
// elements that the pass has not seen before.
func (r *commentReader) store(ctx context.Context, batch source.CommentBatch, change func()) (fresh int, err error) {
	var counts Count
	before := r.commentList
	err = r.update(ctx, func(tx *archive.Tx) error {
		fresh, counts, r.commentList = 0, Count{}, before
		for _, c := range batch.Comments {
			isFresh, err := r.put(tx, c, &counts)
			if err != nil {
				return err
			}
			if isFresh {
				fresh++
			}
		}
		counts.Skipped += batch.Received - len(batch.Comments)
		r.Left += counts.Skipped
		fresh += batch.Received - len(batch.Comments)
		change()
		return r.saveIn(tx)
	})
	if err != nil {
		return 0, err
	}
	r.progress("list", int(r.listed.Add(int64(batch.Received))), 0)
	r.tally(record.Comment, func(c *Count) {
		c.New, c.Changed, c.Unchanged, c.Skipped = c.New+counts.New, c.Changed+counts.Changed, c.Unchanged+counts.Unchanged, c.Skipped+counts.Skipped
	})
	return fresh, nil
}

// put stores a comment, and reports whether the pass has not seen it before. Content that came in
// another shape than the source's own does not replace what is stored, and neither does an empty
// text; a new comment without a text has nothing to show.
func (r *commentReader) put(tx *archive.Tx, c source.Comment, counts *Count) (fresh bool, err error) {
	stored, err := tx.Comments.Get(c.ID)
	isNew := errors.Is(err, database.ErrNotFound)
	switch {
	case err != nil && !isNew:
		return false, err
	case r.isForgottenComment(c):
		r.Left++
		return true, nil
	}
	fresh = isNew || stored.Pass < r.Pass
	lacks := func(field string) bool { return slices.Contains(c.Unread, field) }
	if lacks("text") || lacks("record") {
		counts.Skipped++
		if isNew {
			return true, nil
		}
		return fresh, tx.Comments.See(c.ID, r.Pass)
	}
	if c, err = r.redacted(c); err != nil {
		counts.Skipped++
		return true, nil
	}
	next := r.comment(c)
	if lacks("author") && !isNew {
		next.Author = stored.Author
	}
	if next.Written.IsZero() && !isNew {
		next.Written = stored.Written
	}
	if next.Written.After(r.newest) {
		r.newest = next.Written
	}
	change, err := tx.Comments.Put(next)
	if err != nil {
		return false, err
	}
	switch change {
	case archive.New:
		counts.New++
	case archive.Changed:
		counts.Changed++
	default:
		counts.Unchanged++
	}
	original := r.originalOf(c.Original, record.Comment, c.ID, r.Now(), nil)
	original.Part = record.ListPart
	_, err = tx.Originals.Put(original)
	return fresh, err
}

// comment returns a comment as the archive keeps it. A date far in the future is unknown.
func (r *commentReader) comment(c source.Comment) archive.Comment {
	stored := archive.Comment{ID: c.ID, Record: c.Record, Parent: c.Parent, Author: c.Author, Written: c.Written, HTML: c.Text, Pass: r.Pass}
	if c.Written.After(r.Now().Add(farAhead)) {
		stored.Written = time.Time{}
	}
	return stored
}

// redacted removes mentions of records that were removed for good.
func (r *commentReader) redacted(c source.Comment) (source.Comment, error) {
	data, err := r.redact(c.Original.Data)
	if err != nil || bytes.Equal(data, c.Original.Data) {
		return c, err
	}
	return r.source.ReadComment(data)
}

// isForgottenComment reports whether a comment, or the record that it is below, was removed for
// good.
func (s *syncer) isForgottenComment(c source.Comment) bool {
	return slices.ContainsFunc(s.forgotten, func(f record.Forgotten) bool {
		switch f.Kind {
		case record.Comment:
			return f.ID == c.ID
		case record.Writer, record.Folder:
			return false
		}
		return f.ID == c.Record
	})
}

// confirm asks for the comments that the latest complete pass has not seen, unless they are too
// many. One that the answer lacks is gone if the answer has a witness: a comment that was written
// later and that the pass has seen. For the newest ones there is no such witness; they are gone
// once another answer, an hour later, lacks them too.
func (r *commentReader) confirm(ctx context.Context) error {
	missing, n, err := r.archive.Comments.Unseen(ctx, r.Pass, maxFirstLimit)
	if err != nil {
		return inArchive(err)
	}
	held, err := checked(r.archive.Comments.Count(ctx))
	if err != nil {
		return err
	}
	r.Unconfirmed = n > 0
	switch {
	case n == held && n > r.AllowDelete:
		r.fail(Failure{Kind: record.Comment, Operation: "comments"}, suddenlyEmpty(n))
		r.Unconfirmed, r.Began = false, time.Time{} // the next run reads the list again
		return r.save(ctx)
	case n > max(goneAtOnce, held/10, r.AllowDelete):
		r.tally(record.Comment, func(c *Count) { c.Withheld = n })
		return r.save(ctx)
	}
	witness, err := r.archive.Comments.Newest(ctx, r.Pass, r.Now())
	if err != nil && !errors.Is(err, database.ErrNotFound) {
		return inArchive(err)
	}
	waiting := 0
	for some := range slices.Chunk(missing, max(1, r.facts.Bulk-1)) {
		left, err := r.prove(ctx, some, witness, n == held)
		if waiting += left; err != nil {
			return err
		}
	}
	r.Unconfirmed = waiting > 0
	r.tally(record.Comment, func(c *Count) { c.Missing = waiting })
	return r.save(ctx)
}

// prove asks for some comments and the witness, and deletes those that are gone. It returns the
// number of those that it may be asked for again. Where all comments may go, the owner is the witness.
func (r *commentReader) prove(ctx context.Context, ids []string, witness archive.Comment, all bool) (waiting int, err error) {
	asked := slices.Clone(ids)
	if witness.ID != "" {
		asked = append(asked, witness.ID)
	}
	batch, err := r.ask(ctx, source.CommentQuery{IDs: asked})
	if err != nil {
		return 0, err
	}
	came := func(id string) bool {
		return slices.ContainsFunc(batch.Comments, func(c source.Comment) bool { return c.ID == id })
	}
	if _, err := r.store(ctx, batch, func() {}); err != nil {
		return 0, err
	}
	if !came(witness.ID) && !all {
		return len(ids), nil
	}
	gone := 0
	err = r.update(ctx, func(tx *archive.Tx) error {
		waiting, gone = 0, 0
		for _, id := range ids {
			if came(id) {
				continue
			}
			isGone, err := r.isGone(tx, id, witness)
			if err != nil {
				return err
			}
			if !isGone && !all {
				waiting++
				continue
			}
			gone++
			if err := tx.Comments.Delete(id); err != nil {
				return err
			}
		}
		return nil
	})
	r.tally(record.Comment, func(c *Count) { c.Gone += gone })
	return waiting, err
}

// isGone counts an absence, and reports whether it is believed.
func (r *commentReader) isGone(tx *archive.Tx, id string, witness archive.Comment) (bool, error) {
	stored, err := tx.Comments.Get(id)
	if err != nil {
		return false, err
	}
	since, err := tx.Comments.Lack(id, r.Now())
	return witness.Written.After(stored.Written) || r.Now().Sub(since) >= absenceGap, err
}

// readCommentsAgain makes comments of their originals again that another reader has made, or that
// were imported.
func (s *syncer) readCommentsAgain(ctx context.Context, version string) error {
	commenter, ok := s.source.(source.Commenter)
	if !ok {
		return nil
	}
	for {
		batch, err := checked(s.archive.Comments.Unread(ctx, version, rereadRecords))
		if err != nil || len(batch) == 0 {
			return err
		}
		r := &commentReader{syncer: s, source: commenter}
		err = s.update(ctx, func(tx *archive.Tx) error {
			for _, o := range batch {
				if err := r.readAgain(tx, o, version); err != nil {
					return fmt.Errorf("comment %s: %w", o.Record, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// readAgain makes one comment of its original.
func (r *commentReader) readAgain(tx *archive.Tx, o archive.Original, version string) error {
	c, err := r.source.ReadComment(o.Data)
	if err == nil && c.ID == o.Record && r.isForgottenComment(c) { // an import has brought it
		return tx.Comments.Delete(c.ID)
	}
	if o.Data == nil || err != nil || c.ID != o.Record || len(c.Unread) > 0 {
		return tx.Originals.MarkRead(o, archive.Unreadable(version))
	}
	next := r.comment(c)
	if stored, err := tx.Comments.Get(c.ID); err == nil {
		next.Pass = stored.Pass
	} else if !errors.Is(err, database.ErrNotFound) {
		return err
	}
	if _, err := tx.Comments.Put(next); err != nil {
		return err
	}
	return tx.Originals.MarkRead(o, version)
}
