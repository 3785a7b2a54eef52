package page

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"ayna/generator/compiled"
	"ayna/generator/output"
	"ayna/generator/site"
	"ayna/prose"
)

// periodList is a list and its months or years.
type periodList struct {
	listInfo
	periods []site.Period // newest first; a long one is several, see [site.Period]
}

// periodLists returns home and the folders and long lists of writers and tags that have items
// with a date. All pages link the months of home, if only to show that there are none.
func (r *Renderer) periodLists(lists []listInfo) []periodList {
	var periodLists []periodList
	for _, l := range lists {
		if periods := l.Periods(r.site.Location); len(periods) > 0 || l.Dir == "" {
			periodLists = append(periodLists, periodList{l, periods})
		}
	}
	return periodLists
}

// period returns the page of the i-th month or year, or part of one. The page of one that
// became empty stays, but nothing links to it.
func (r *Renderer) period(l periodList, i int) output.File {
	period, w := l.periods[i], &r.site.Words
	address, title := w.PeriodPage(l.List, period), w.Period(l.Title, period)
	newer, older := site.Beside(l.periods, i)
	file := r.render(address, "period "+title, func(ctx context.Context) (view, error) {
		v, err := r.listView(ctx, l.listInfo, address, title, period.Items)
		if err != nil {
			return nil, err
		}
		v.Calendar = period.Month > 0
		v.Kind = w.Archive
		setPeriodTrailAndFeeds(&v.pageView, l)
		v.Follow = v.follow(l.List, v.Feeds)
		if l.HasMonths() {
			v.Trail = append(v.Trail, *v.linkTo(w.MonthIndex(l.List), w.Archive))
		}
		v.trailKey = trailKey{path.Dir(address), "period", l.Dir}
		if newer >= 0 {
			v.Newer = v.linkTo(w.PeriodPage(l.List, l.periods[newer]), w.Newer)
		}
		if older >= 0 {
			v.Older = v.linkTo(w.PeriodPage(l.List, l.periods[older]), w.Older)
		}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		l.mix(m)
		m.Text(title)
		m.Shown(period.Items)
		for _, beside := range []int{newer, older} {
			if m.Flag(beside >= 0); beside >= 0 {
				m.Text(l.periods[beside].Name)
			}
		}
	})
	return file
}

// day is a day of a list.
type day struct {
	Anchor  string // its id within a month
	Text    string // its number in the month
	Date    string // "" where items have none, or are in the order of editors
	Count   string // number of its items
	Teasers compiled.HTML
}

// days divides items of a list, which have those teasers.
func (r *Renderer) days(l listInfo, items site.Items, teasers []prose.Fragment, root string) (days []day) {
	w := &r.site.Words
	for from := 0; from < len(teasers); {
		t, to := r.dayOf(l, items.At(from)), from+1
		for to < len(teasers) && r.dayOf(l, items.At(to)).Equal(t) {
			to++
		}
		d := day{Count: w.Digits(to - from), Teasers: prose.JoinFragments(root, teasers[from:to])}
		if !t.IsZero() {
			d.Anchor, d.Text, d.Date = fmt.Sprintf("d%d", t.Day()), w.Day(t), w.Date(t)
		}
		days = append(days, d)
		from = to
	}
	return days
}

// dayOf returns the beginning of the day below which a list shows an item, zero for none.
func (r *Renderer) dayOf(l listInfo, item site.Item) time.Time {
	if l.Kind == site.OfPages || item.Order() == 0 {
		return time.Time{}
	}
	t := r.localTime(item)
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// localTime returns the time by which lists order an item.
func (r *Renderer) localTime(item site.Item) time.Time {
	return time.UnixMilli(item.Order()).In(r.site.Location)
}

// setPeriodTrailAndFeeds sets the trail and the feeds of a list's periods. For home it sets
// neither: all pages name the feeds of home.
func setPeriodTrailAndFeeds(v *pageView, l periodList) {
	switch {
	case l.folder != nil:
		v.trail(l.folder.Trail()...)
		v.setFeeds(l.List)
	case l.HasYears():
		v.Trail = append(v.Trail, *v.linkTo(l.index.Href, l.index.Text), *v.linkTo(l.Index(), l.Title))
		v.setFeeds(l.List)
	}
}

// monthIndex returns the page that links the months of a list by year.
func (r *Renderer) monthIndex(l periodList) output.File {
	w := &r.site.Words
	address, title := w.MonthIndex(l.List), fmt.Sprintf(w.ArchiveOf, l.Title)
	if l.Dir == "" {
		title = w.Archive
	}
	file := r.render(address, title, func(context.Context) (view, error) {
		v := &indexView{pageView: r.listPageView(address, title), Heading: title, Count: w.Count(l.Items)}
		setPeriodTrailAndFeeds(&v.pageView, l)
		if l.Dir == "" {
			v.Numbers = v.linkTo(w.NumbersPage(), w.Numbers)
		}
		for _, p := range l.periods {
			if p.Items.Len() == 0 {
				continue
			}
			name := w.Year(p.Year)
			if n := len(v.Years); n == 0 || v.Years[n-1].Year != name {
				v.Years = append(v.Years, year{name, make([]period, len(w.Months))})
				for i, text := range w.Months {
					v.Years[n].Months[i].Text = text
				}
			}
			v.add(&v.Years[len(v.Years)-1].Months[p.Month-1], l.List, p)
		}
		return v, nil
	})
	file.Key = r.key(address, func(m *site.Mixer) {
		l.mix(m)
		m.Text(w.Count(l.Items))
		mixPeriods(m, l.periods)
	})
	return file
}

// mixPeriods adds what links to periods show.
func mixPeriods(m *site.Mixer, periods []site.Period) {
	m.Number(int64(len(periods)))
	for _, p := range periods {
		m.Text(p.Name)
		m.Number(int64(p.Items.Len()))
	}
}

// add adds a period of a list, or a part of one, to the link that shows it.
func (f *pageView) add(shown *period, l *site.List, p site.Period) {
	w := f.Words
	shown.count += p.Items.Len()
	shown.Note = w.Digits(shown.count)
	if href := f.href(w.PeriodPage(l, p)); p.Part == 0 {
		shown.Href = href
	} else {
		shown.Parts = slices.Insert(shown.Parts, 0, link{Href: href, Text: w.Ungrouped(p.Part)})
	}
}

// addYears adds links to the years of a list of a writer or tag.
func (v *listView) addYears(l *site.List) {
	for _, p := range l.Periods(v.renderer.site.Location) {
		if p.Items.Len() == 0 {
			continue
		}
		name := v.Words.Year(p.Year)
		if n := len(v.Years); n == 0 || v.Years[n-1].Text != name {
			v.Years = append(v.Years, period{link: link{Text: name}})
		}
		v.add(&v.Years[len(v.Years)-1], l, p)
	}
}
