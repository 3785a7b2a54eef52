package page

import (
	"context"

	"ayna/generator/site"
	"ayna/generator/story"
)

// otherColumns is how many other columns of its writer a column names.
const otherColumns = 5

type columnView struct {
	itemView
	face        // of the writer
	More []link // the writer's other columns
}

// more returns the other columns that the page of a column names.
func (r *Renderer) more(item site.Item) []site.Item {
	if item.Kind() != site.Column || len(item.Writers()) == 0 {
		return nil
	}
	return columnsOf(item.Writers()[0], otherColumns, item)
}

// column sets what only columns show.
func (r *Renderer) column(ctx context.Context, v *columnView, s *story.Story, shelf shelf, more []site.Item) error {
	for _, other := range more {
		l := shelf.link(other)
		if m := r.moment(other.Published()); m != nil {
			l.Note = m.Shown
		}
		v.More = append(v.More, *l)
	}
	if len(s.Writers()) == 0 {
		return nil
	}
	var err error
	if v.face, err = r.face(ctx, &v.frame, s.Writers()[0]); err != nil {
		return err
	}
	// Most columns are illustrated with their writer, who is shown already.
	if v.Portrait != nil && len(v.Lead) > 0 && v.Lead[0].Src == v.Portrait.Src {
		v.Lead = nil
	}
	return nil
}
