package page

import (
	"iter"
	"math"
	"slices"

	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/generator/story"
)

// appearance is a page of a list, or of a list's history, in the order of which
// items are rendered.
type appearance struct {
	at   int64 // of its newest item
	list int32 // among the lists, or the histories
	page int32 // sheet or volume
	past bool  // it is of a history
}

// timeline yields the pages of all lists, of their histories and of the items,
// the newest first: the pages on which an item appears follow each other, so
// that it is read once for them, however many items there are.
func (r *Renderer) timeline() iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		lists, histories := slices.Collect(r.listed()), slices.Collect(r.chronicles())
		pages := appearances(lists, histories)
		next := 0
		// before yields the pages of lists down to a time.
		before := func(at int64) bool {
			for ; next < len(pages) && pages[next].at >= at; next++ {
				p := pages[next]
				if p.past {
					if !yield(r.volume(histories[p.list], int(p.page))) {
						return false
					}
				} else if l := lists[p.list]; !yield(r.list(l, l.Page(int(p.page)))) {
					return false
				}
			}
			return true
		}
		for run, items := range r.reader.Runs(r.site.Home.Items) {
			if !before(items.At(0).Order()) {
				return
			}
			for file := range r.pagesOf(items, run) {
				file.Batch = items.At(0).Address()
				if !yield(file) {
					return
				}
			}
		}
		if !before(math.MinInt64) {
			return
		}
		for _, history := range histories {
			if !yield(r.volumeIndex(history)) {
				return
			}
		}
	}
}

// pagesOf yields the pages of the items of a run.
func (r *Renderer) pagesOf(items site.Items, run *story.Run) iter.Seq[output.File] {
	return func(yield func(output.File) bool) {
		for item := range items.All() {
			if !yield(r.item(item, run)) || r.site.Markdown && !yield(r.markdown(item, run)) {
				return
			}
		}
	}
}

// appearances returns the pages of lists and histories, the newest first. The
// index page of the list of all items is home, which has a view of its own.
func appearances(lists []listed, histories []chronicle) []appearance {
	var pages []appearance
	for i, l := range lists {
		for number := range l.Pages() {
			if l.Dir == "" && number == 0 {
				continue
			}
			pages = append(pages, appearance{at: newest(l.Page(number).Items), list: int32(i), page: int32(number)})
		}
	}
	for i, h := range histories {
		for n, volume := range h.volumes {
			pages = append(pages, appearance{at: newest(volume.Items), list: int32(i), page: int32(n), past: true})
		}
	}
	slices.SortStableFunc(pages, func(a, b appearance) int {
		switch {
		case a.at > b.at:
			return -1
		case a.at < b.at:
			return 1
		}
		return 0
	})
	return pages
}

func newest(items site.Items) int64 {
	if items.Len() == 0 {
		return math.MaxInt64
	}
	return items.At(0).Order()
}
