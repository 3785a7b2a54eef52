package export

import (
	"context"
	"fmt"
	"strings"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
)

// Move leads from an address at the source to that in the mirror.
type Move struct{ From, To string }

// Moves returns a move for each address that records have or had at the source, present
// addresses first, and the number of addresses whose records have no page.
func Moves(ctx context.Context, from archive.Catalog, s *site.Site) (moves []Move, without int, err error) {
	pages := make(map[int64]string) // by row
	for item := range s.All.All() {
		pages[item.Row()] = s.Absolute(item.Address())
	}
	for _, writer := range s.Writers {
		if writer.Row != 0 {
			pages[writer.Row] = s.Absolute(writer.Index())
		}
	}
	folders, editorial := make(map[string]*site.List), make(map[string]*site.List)
	for _, folder := range s.Folders {
		folders[strings.Trim(folder.Path, "/")] = &folder.List
	}
	for _, page := range s.Pages {
		editorial[page.ID] = &page.List
	}
	add := func(row int64, url string) {
		switch to := pages[row]; {
		case url == "":
		case to == "":
			without++
		default:
			moves = append(moves, Move{url, to})
		}
	}
	for r, err := range from.Summaries(ctx, nil) {
		if err != nil {
			return nil, 0, fmt.Errorf("list addresses: %w", err)
		}
		list := folders[strings.Trim(r.Path, "/")]
		if r.Kind == record.Page {
			list = editorial[r.ID]
		}
		if list != nil && (r.Kind == record.Folder || r.Kind == record.Page) && pages[r.Row] == "" {
			pages[r.Row] = s.Absolute(list.Index())
		}
		add(r.Row, r.URL)
	}
	for f, err := range from.FormerURLs(ctx, nil) {
		if err != nil {
			return nil, 0, fmt.Errorf("list former addresses: %w", err)
		}
		add(f.Row, f.URL)
	}
	return moves, without, nil
}
