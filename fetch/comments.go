package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayna/archive"
	"ayna/record"
	"ayna/source"
	"ayna/source/names"
)

const (
	// commentsState is the name of the state of the list of comments.
	commentsState = "list of comments"
	// commentsOverlap is how far before the newest known comment a run asks for new ones: editors
	// approve some of them later. Those that wait longer are found by the next pass.
	commentsOverlap = 24 * time.Hour
)

// hiddenComments is a warning for the owner.
const hiddenComments = "this site does not show its comments to programs, so the mirror has none but those that it had"

// commentList is how far the list of comments has been read. It is saved with each answer.
type commentList struct {
	Pass        int       `json:"pass"`              // number of the latest pass over the whole list
	Open        bool      `json:"open"`              // it is not complete
	Skip        int       `json:"skip"`              // where to go on with it
	Left        int       `json:"left"`              // elements that it has seen and that are not stored
	Total       int       `json:"total"`             // of the whole list, by the source's own count in that pass
	Short       int       `json:"short"`             // comments that the latest pass lacks of that
	Began       time.Time `json:"began,omitzero"`    // when it began
	Complete    time.Time `json:"complete,omitzero"` // when the latest complete pass began; zero if none
	Size        int       `json:"size"`              // comments of the archive then
	Unconfirmed bool      `json:"unconfirmed"`       // some that it has not seen may be gone
	Newest      time.Time `json:"newest,omitzero"`   // all comments that were public and written before are known
	GivenUp     time.Time `json:"given_up,omitzero"` // when the list exceeded its limit
	exceeded    int       // that limit
	newest      time.Time // of this reading
}

// commentReader reads the comments of one run.
type commentReader struct {
	*syncer
	source source.Commenter
	commentList
}

// readComments brings the comments up to date. Without them the mirror is poorer, and no more.
func (s *syncer) readComments(ctx context.Context) error {
	commenter, ok := s.source.(source.Commenter)
	if !ok || !s.Comments || s.outOfBudget() != nil {
		return nil
	}
	s.mu.Lock()
	s.report.Kinds[record.Comment] = new(Count)
	s.mu.Unlock()
	r := &commentReader{syncer: s, source: commenter}
	text, err := checked(s.archive.State.Get(ctx, commentsState))
	if err != nil {
		return err
	}
	if json.Unmarshal([]byte(text), &r.commentList) != nil { // it has not been read yet
		r.commentList = commentList{}
	}
	err = r.read(ctx)
	switch {
	case isBudget(err):
		s.stopForBudget(err)
		return nil
	case isFatal(err):
		return err
	case names.IsClosed(err):
		s.warnings = append(s.warnings, hiddenComments)
	case err != nil:
		s.fail(Failure{Kind: record.Comment, Operation: "comments"}, err)
	}
	return nil
}

// read reads the new comments, asks for those that the latest pass lacks, and goes on with a pass
// over the whole list, or begins one if it is due. Passes find edits and removals.
func (r *commentReader) read(ctx context.Context) error {
	since := r.Now().Sub(cmp.Or(r.GivenUp, r.Began)) // negative if the clock was ahead then
	due := since >= r.sweep() || since < 0 || r.Full
	if !r.GivenUp.IsZero() && !r.Full && since >= 0 && since < relistEvery {
		return r.endless()
	}
	isShort := due && !r.Open && r.Size <= shortList*r.PageSize
	if !r.Complete.IsZero() && !isShort {
		if err := r.readNew(ctx); err != nil {
			return err
		}
	}
	if r.Unconfirmed && !r.Open {
		if err := r.confirm(ctx); err != nil {
			return err
		}
	}
	if !r.Open && due {
		r.commentList = commentList{
			Pass: r.Pass + 1, Open: true, Began: r.Now().UTC(), Complete: r.Complete, Size: r.Size, Short: r.Short, Newest: r.Newest,
		}
	}
	return r.readAll(ctx)
}

// readNew reads the comments that were written since the last reading.
func (r *commentReader) readNew(ctx context.Context) error {
	r.newest = time.Time{}
	seen := make(map[string]bool) // a site may ignore the place
	for skip := 0; skip <= r.bound(0); {
		batch, err := r.ask(ctx, source.CommentQuery{After: cmp.Or(r.Newest, r.Complete).Add(-commentsOverlap), Skip: skip})
		if err != nil {
			return err
		}
		skip += batch.Received
		isNew := false
		for _, c := range batch.Comments {
			isNew = isNew || !seen[c.ID]
			seen[c.ID] = true
		}
		done := batch.Last || !isNew && skip >= batch.Total
		_, err = r.store(ctx, batch, func() {
			if done && r.newest.After(r.Newest) {
				r.Newest = r.newest
			}
		})
		if err != nil || done {
			return err
		}
	}
	return r.giveUp(ctx)
}

// readAll goes on with the open pass, as far as the limits of later passes allow.
func (r *commentReader) readAll(ctx context.Context) error {
	for r.Open {
		if !r.Complete.IsZero() && !r.Full && !r.takeRelist() {
			return nil
		}
		batch, err := r.ask(ctx, source.CommentQuery{Skip: r.Skip})
		if err != nil {
			return err
		}
		fresh, err := r.store(ctx, batch, func() {
			r.Skip += batch.Received
			r.Total = max(r.Total, batch.Total)
		})
		switch {
		case err != nil:
			return err
		case r.Skip > r.bound(batch.Total):
			return r.giveUp(ctx)
		case batch.Last, fresh == 0 && r.Skip >= batch.Total: // before, all of an answer may be hidden
			return r.complete(ctx)
		}
	}
	return nil
}

func (r *commentReader) ask(ctx context.Context, q source.CommentQuery) (source.CommentBatch, error) {
	return call(ctx, r.syncer, func(ctx context.Context) (source.CommentBatch, error) { return r.source.Comments(ctx, q) })
}

// bound returns how many comments the list may have. A first reading believes the source's count.
func (r *commentReader) bound(total int) int {
	known := r.Size
	if r.Complete.IsZero() {
		known = max(0, total)
	}
	switch {
	case r.MaxRecords > 0:
		return r.MaxRecords
	case known == 0:
		return maxFirstLimit
	}
	return max(minLimit, maxGrowth*known)
}

// giveUp ends the reading of a list that exceeds its limit. What has come stays.
func (r *commentReader) giveUp(ctx context.Context) error {
	r.GivenUp, r.Open, r.exceeded = r.Now().UTC(), false, r.bound(r.Total)
	return errors.Join(r.save(ctx), r.endless())
}

func (r *commentReader) endless() error {
	return fmt.Errorf("%w: it exceeds %d comments (%d were known); it is read again a day later; if it is really that long, raise source.max_records",
		errEndless, cmp.Or(r.exceeded, r.bound(r.Total)), r.Size)
}

func (r *commentReader) save(ctx context.Context) error { return r.update(ctx, r.saveIn) }

func (r *commentReader) saveIn(tx *archive.Tx) error {
	text, err := json.Marshal(r.commentList)
	if err != nil {
		return err
	}
	return tx.State.Set(commentsState, string(text))
}

// complete ends a pass, and asks for the comments that it has not seen.
func (r *commentReader) complete(ctx context.Context) error {
	held, err := checked(r.archive.Comments.Count(ctx))
	if err != nil {
		return err
	}
	_, unseen, err := r.archive.Comments.Unseen(ctx, r.Pass, 1)
	if err != nil {
		return inArchive(err)
	}
	short, before := max(0, r.Total-r.Left-(held-unseen)), r.Short
	if short > before {
		r.fail(Failure{Kind: record.Comment, Operation: "comments"},
			fmt.Errorf("the list has %d comments fewer than the %d that it counts; the missing ones stay", short, r.Total))
	}
	r.Open, r.Complete, r.Size, r.Short = false, r.Began, held, short
	if r.newest.After(r.Newest) {
		r.Newest = r.newest
	}
	// A site counts comments that it hides, those below drafts; no pass shows them.
	r.Unconfirmed = short <= before && unseen > 0
	if err := r.save(ctx); err != nil || !r.Unconfirmed {
		return err
	}
	return r.confirm(ctx)
}
