package page

import (
	"context"
	"fmt"
	"path"
	"slices"

	"ayna/generator/output"
	"ayna/generator/site"
)

// monthList is a list and its months.
type monthList struct {
	listInfo
	months []site.Month // newest first
}

// monthLists returns home and the folders that have items with a date. All pages
// link the months of home, if only to show that there are none.
func (r *Renderer) monthLists(lists []listInfo) []monthList {
	var histories []monthList
	for _, l := range lists {
		if !l.HasMonths() {
			continue
		}
		if months := l.Months(r.site.Location); len(months) > 0 || l.Dir == "" {
			histories = append(histories, monthList{l, months})
		}
	}
	return histories
}

// month returns the page of the i-th month.
func (r *Renderer) month(h monthList, i int) output.File {
	month, w := h.months[i], &r.site.Words
	address, title := w.MonthPage(h.List, month), w.Month(h.Title, month)
	return r.render(address, "month "+title, func(ctx context.Context) (completer, error) {
		v, err := r.listView(ctx, h.listInfo, address, title, month.Items)
		if err != nil {
			return nil, err
		}
		v.Kind = w.Archive
		v.Follow = r.setMonthTrail(&v.pageView, h)
		v.Trail = append(v.Trail, *v.linkTo(w.MonthIndex(h.List), w.Archive))
		v.trailKey = path.Dir(address) + "\nmonth\n" + h.Dir
		newer, older := site.Beside(h.months, i)
		if newer >= 0 {
			v.Newer = v.linkTo(w.MonthPage(h.List, h.months[newer]), w.Newer)
		}
		if older >= 0 {
			v.Older = v.linkTo(w.MonthPage(h.List, h.months[older]), w.Older)
		}
		return v, nil
	})
}

// setMonthTrail sets the trail to a list's months, and its feeds except those of
// home, which all pages name.
func (r *Renderer) setMonthTrail(f *pageView, h monthList) []feed {
	if h.folder != nil {
		f.trail(h.folder.Trail()...)
		f.setFeeds(h.List)
	}
	return f.Feeds
}

// monthIndex names the months of a list by year.
func (r *Renderer) monthIndex(h monthList) output.File {
	w := &r.site.Words
	address, title := w.MonthIndex(h.List), fmt.Sprintf(w.ArchiveOf, h.Title)
	if h.Dir == "" {
		title = w.Archive
	}
	return r.render(address, title, func(context.Context) (completer, error) {
		v := &indexView{pageView: r.listPageView(address, title), Heading: title, Count: w.Count(h.Items)}
		r.setMonthTrail(&v.pageView, h)
		for _, m := range h.months {
			if m.Items.Len() == 0 {
				continue
			}
			name := w.Year(m.Year)
			if n := len(v.Years); n == 0 || v.Years[n-1].Year != name {
				v.Years = append(v.Years, year{name, make([]month, len(w.Months))})
				for i, text := range w.Months {
					v.Years[n].Months[i].Text = text
				}
			}
			shown := &v.Years[len(v.Years)-1].Months[m.Month-1]
			shown.count += m.Items.Len()
			shown.Note = w.Digits(shown.count)
			if href := v.href(w.MonthPage(h.List, m)); m.Part == 0 {
				shown.Href = href
			} else {
				shown.Parts = slices.Insert(shown.Parts, 0, link{Href: href, Text: w.Ungrouped(m.Part)})
			}
		}
		return v, nil
	})
}
