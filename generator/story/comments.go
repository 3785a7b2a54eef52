package story

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/prose"
)

// What a page shows of the comments below an item. The archive has all of them.
const (
	shownComments = 1000
	shownBytes    = 1 << 20 // of their HTML
	// CommentDepth is how deep answers are indented; deeper ones stand beside those that they answer.
	CommentDepth = 8
)

// longestName is the most letters of the name of a reader.
const longestName = 80

// Comment is what a reader has written below an item.
type Comment struct {
	Author  string // plain text; "" if the reader has given no name
	Written int64  // in Unix milliseconds, 0 if unknown
	Depth   int    // 1 to CommentDepth
	body    prose.Body
}

// Comments reads the thread below an item: the oldest comments, each before its answers.
func (r *Reader) Comments(ctx context.Context, item site.Item) ([]Comment, error) {
	if item.Comments() == 0 {
		return nil, nil
	}
	stored, err := r.Archive.Comments.Of(ctx, item.ID(), shownComments, shownBytes)
	if err != nil {
		return nil, fmt.Errorf("comments of %s %s: %w", item.Kind(), item.ID(), err)
	}
	slices.SortStableFunc(stored, func(a, b archive.Comment) int {
		return cmp.Or(a.Written.Compare(b.Written), len(a.ID)-len(b.ID), cmp.Compare(a.ID, b.ID))
	})
	t := thread{answers: make(map[string][]archive.Comment), reader: r}
	seen := make(map[string]bool)
	for _, c := range stored {
		if !seen[c.Parent] || c.Parent == c.ID { // an answer to nothing that is shown before it
			c.Parent = ""
		}
		seen[c.ID] = c.ID != ""
		t.answers[c.Parent] = append(t.answers[c.Parent], c)
	}
	t.add("", 1)
	return t.list, nil
}

// A thread is built of comments by the ids of those that they answer.
type thread struct {
	answers map[string][]archive.Comment
	reader  *Reader
	list    []Comment
}

// add adds the answers to a comment, each with its own answers. A comment stands after the one
// that it answers, so that the recursion ends; it is as deep as the thread.
func (t *thread) add(to string, depth int) {
	for _, c := range t.answers[to] {
		shown := Comment{
			Author: prose.Shorten(c.Author, longestName), Depth: min(depth, CommentDepth),
			body: prose.Clean(c.HTML, prose.Options{Table: t.reader.Site.Words.Table}),
		}
		if !prose.Visible(shown.Author) {
			shown.Author = ""
		}
		if !c.Written.IsZero() {
			shown.Written = c.Written.UnixMilli()
		}
		t.list = append(t.list, shown)
		t.add(c.ID, depth+1)
	}
}

// Markup is the text of a comment. Pictures and players are links, so that nothing of it is loaded.
// Links lead where its author wrote: the key of a page does not know them.
func (c *Comment) Markup() prose.Markup { return c.body.Markup(commentResolver{}) }

type commentResolver struct{}

func (commentResolver) Link(source string) string                { return source }
func (commentResolver) Anchor(string) (href string, isHere bool) { return "", false }
func (commentResolver) Image(string) (prose.Image, bool)         { return prose.Image{}, false }
func (commentResolver) File(string) (href, note string)          { return "", "" }
func (commentResolver) Card(string) (title, note string, _ prose.Image) {
	return "", "", prose.Image{}
}
func (commentResolver) Plays() bool { return false }
