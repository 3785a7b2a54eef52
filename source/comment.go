package source

import (
	"context"
	"encoding/json"
	"time"
)

// A Commenter is a Source that shows what readers have written below its records.
type Commenter interface {
	// Comments returns a part of the list of all public comments, the oldest first.
	Comments(ctx context.Context, q CommentQuery) (CommentBatch, error)
	// ReadComment makes a comment of its original, without a request.
	ReadComment(data json.RawMessage) (Comment, error)
}

// A CommentQuery selects comments. The zero query is the beginning of the whole list.
type CommentQuery struct {
	After time.Time // only those written after this time; zero is all
	IDs   []string  // only these, at most [Facts.Bulk]; nil is all
	Skip  int       // comments to leave out at the start
	Top   int       // most in one answer; 0 leaves that to the source
}

// A CommentBatch is one answer.
type CommentBatch struct {
	Comments []Comment
	Received int  // elements of the answer, with those that are no comments: positions of the list
	Last     bool // the list has no more
	Total    int  // of the whole list, by the source's own count; -1 if it has none
}

// A Comment is what a reader has written below a record. What came in another shape than the
// source's own is empty, and named by Unread.
type Comment struct {
	ID, Record, Parent string // Parent is the id of the comment that it answers, else ""
	Author             string // plain text; "" if it has no name
	Written            time.Time
	Text               string   // HTML, as it came
	Unread             []string // of record, author, date and text
	Original           Original
}
