package page

import (
	"context"
	"fmt"

	"ayna/generator/compiled"
	"ayna/generator/site"
)

// commentView is a comment of a thread. Lists of answers are nested, so that assistive software
// counts and leaves them as such.
type commentView struct {
	Author  string // or the word for none
	Written *moment
	Body    compiled.HTML
	Answers bool       // a list of answers begins below it
	Ends    []struct{} // lists of answers that end with it
}

// setComments sets the comments of readers.
func (r *Renderer) setComments(ctx context.Context, v *itemView, item site.Item) error {
	list, err := r.reader.Comments(ctx, item)
	if err != nil || len(list) == 0 {
		return err
	}
	w := &r.site.Words
	v.CommentCount = w.Number(w.Comments, item.Comments())
	if len(list) < item.Comments() {
		v.MoreComments = fmt.Sprintf(w.FirstComments, w.Digits(len(list)))
	}
	for i, c := range list {
		next := 1
		if i+1 < len(list) {
			next = list[i+1].Depth
		}
		view := commentView{Author: c.Author, Written: r.moment(c.Written), Body: c.Markup(), Answers: next > c.Depth}
		if view.Author == "" {
			view.Author = w.NoName
		}
		view.Ends = make([]struct{}, max(0, c.Depth-next))
		v.Comments = append(v.Comments, view)
	}
	return nil
}
