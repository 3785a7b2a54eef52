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
	months []site.Month // newest first; a long month is several, see [site.Month]
}

// monthLists returns home and the folders that have items with a date. All pages
// link the months of home, if only to show that there are none.
func (r *Renderer) monthLists(lists []listInfo) []monthList {
	var monthLists []monthList
	for _, l := range lists {
		if !l.HasMonths() {
			continue
		}
		if months := l.Months(r.site.Location); len(months) > 0 || l.Dir == "" {
			monthLists = append(monthLists, monthList{l, months})
		}
	}
	return monthLists
}

// month returns the page of the i-th month, or part of a month. The page of one that became
// empty stays, but the index omits it.
func (r *Renderer) month(l monthList, i int) output.File {
	month, w := l.months[i], &r.site.Words
	address, title := w.MonthPage(l.List, month), w.Month(l.Title, month)
	newer, older := site.Beside(l.months, i)
	file := r.render(address, "month "+title, func(ctx context.Context) (view, error) {
		v, err := r.listView(ctx, l.listInfo, address, title, month.Items)
		if err != nil {
			return nil, err
		}
		v.Kind = w.Archive
		setMonthTrailAndFeeds(&v.pageView, l)
		v.Follow = v.Feeds
		v.Trail = append(v.Trail, *v.linkTo(w.MonthIndex(l.List), w.Archive))
		v.trailKey = trailKey{path.Dir(address), "month", l.Dir}
		if newer >= 0 {
			v.Newer = v.linkTo(w.MonthPage(l.List, l.months[newer]), w.Newer)
		}
		if older >= 0 {
			v.Older = v.linkTo(w.MonthPage(l.List, l.months[older]), w.Older)
		}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		l.mix(m)
		m.Text(title)
		m.Shown(month.Items)
		for _, beside := range []int{newer, older} {
			if m.Flag(beside >= 0); beside >= 0 {
				m.Text(l.months[beside].Name)
			}
		}
	})
	return file
}

// setMonthTrailAndFeeds sets the trail and the feeds of a folder's months. For home it sets
// neither: all pages name the feeds of home.
func setMonthTrailAndFeeds(v *pageView, l monthList) {
	if l.folder != nil {
		v.trail(l.folder.Trail()...)
		v.setFeeds(l.List)
	}
}

// monthIndex returns the page that links the months of a list by year.
func (r *Renderer) monthIndex(l monthList) output.File {
	w := &r.site.Words
	address, title := w.MonthIndex(l.List), fmt.Sprintf(w.ArchiveOf, l.Title)
	if l.Dir == "" {
		title = w.Archive
	}
	file := r.render(address, title, func(context.Context) (view, error) {
		v := &indexView{pageView: r.listPageView(address, title), Heading: title, Count: w.Count(l.Items)}
		setMonthTrailAndFeeds(&v.pageView, l)
		if l.Dir == "" {
			v.Numbers = v.linkTo(w.NumbersPage(), w.Numbers)
		}
		for _, m := range l.months {
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
			if href := v.href(w.MonthPage(l.List, m)); m.Part == 0 {
				shown.Href = href
			} else {
				shown.Parts = slices.Insert(shown.Parts, 0, link{Href: href, Text: w.Ungrouped(m.Part)})
			}
		}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		l.mix(m)
		m.Text(w.Count(l.Items))
		for _, month := range l.months {
			m.Text(month.Name)
			m.Number(int64(month.Items.Len()))
		}
	})
	return file
}
