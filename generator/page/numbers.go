package page

import (
	"cmp"
	"context"
	"path"
	"slices"
	"time"

	"ayna/generator/output"
	"ayna/generator/site"
)

// numbersView shows how many items the site has, and of what.
type numbersView struct {
	pageView
	Heading string
	Count   string // of all items
	Notes   []link // what is corrected, was removed at the source, or has no date
	Years   []yearBar
	Groups  []barGroup // of folders and of writers
}

// bar is a number of items, drawn as a bar.
type bar struct {
	link
	Number  string
	Percent int // of the longest bar, from 1 to 100
}

// yearBar is the bar of a year with its months.
type yearBar struct {
	bar
	Months []monthBar
	Said   string // the months that have items, with their numbers
}

// monthBar is the column of a month.
type monthBar struct {
	Left    int // in a drawing that is 120 wide
	Percent int // of the highest month of all years, from 1 to 100
}

// barGroup is a table of bars, the longest first.
type barGroup struct {
	Title string
	Bars  []bar
	More  *link // to the list of all, or nil if it would show no other
}

// maxBars is the number of folders or writers that the page shows.
const maxBars = 50

func (r *Renderer) numbers() output.File {
	w := &r.site.Words
	address := w.NumbersPage()
	return r.render(address, "the archive in numbers", func(context.Context) (view, error) {
		v := &numbersView{pageView: r.listPageView(address, w.Numbers), Heading: w.Numbers, Count: w.Count(r.site.Home.Items)}
		if r.site.Home.AnyMonth() {
			v.Trail = append(v.Trail, *v.linkTo(w.MonthIndex(&r.site.Home), w.Archive))
		}
		v.countNotes()
		v.countYears()
		v.addGroup(site.OfFolders, w.AllSections, path.Join(r.site.SectionsDir, "index.html"))
		v.addGroup(site.OfWriters, w.Writers, path.Join(w.WritersDir, "index.html"))
		return v, nil
	})
}

func (v *numbersView) countNotes() {
	s, w := v.renderer.site, v.Words
	if n := s.Corrections.Items.Len(); n > 0 {
		note := v.linkTo(s.Corrections.Index(), w.Corrections)
		note.Note = w.Digits(n)
		v.Notes = append(v.Notes, *note)
	}
	gone, undated := 0, 0
	for item := range s.Home.Items.All() {
		if item.Gone() {
			gone++
		}
		if item.Published() == 0 {
			undated++
		}
	}
	for _, note := range []struct {
		text   string
		number int
	}{{w.NotAtSource, gone}, {w.Undated, undated}} {
		if note.number > 0 {
			v.Notes = append(v.Notes, link{Text: note.text, Note: w.Digits(note.number)})
		}
	}
}

// countYears fills the years, the newest first.
func (v *numbersView) countYears() {
	s, w := v.renderer.site, v.Words
	type count struct {
		year, all int
		months    [12]int
	}
	var years []count
	longest, highest := 0, 0
	for item := range s.Home.Items.All() { // in the order of time
		if item.Published() == 0 {
			continue
		}
		t := time.UnixMilli(item.Published()).In(s.Location)
		i := slices.IndexFunc(years, func(c count) bool { return c.year == t.Year() })
		if i < 0 {
			i = len(years)
			years = append(years, count{year: t.Year()})
		}
		years[i].all++
		years[i].months[t.Month()-1]++
		longest, highest = max(longest, years[i].all), max(highest, years[i].months[t.Month()-1])
	}
	slices.SortFunc(years, func(a, b count) int { return cmp.Compare(b.year, a.year) })
	for _, c := range years {
		year := yearBar{bar: v.bar(link{Text: w.Year(c.year)}, c.all, longest)}
		var said []string
		for i, n := range c.months {
			if n > 0 {
				year.Months = append(year.Months, monthBar{10*i + 2, percentOf(n, highest)})
				said = append(said, w.Months[i]+" "+w.Digits(n))
			}
		}
		year.Said = w.Join(said)
		v.Years = append(v.Years, year)
	}
}

// addGroup adds the lists of a kind, those with most items first. A columnist's folder stands
// among the writers.
func (v *numbersView) addGroup(kind site.ListKind, title, index string) {
	var lists []*site.List
	named := make(map[*site.List]bool)
	for _, folder := range v.renderer.site.Folders {
		named[&folder.List] = columnistOf(folder) != nil
	}
	for list := range v.renderer.site.Lists() {
		if list.Kind == kind && list.Items.Len() > 0 && !named[list] {
			lists = append(lists, list)
		}
	}
	if len(lists) == 0 {
		return
	}
	slices.SortStableFunc(lists, func(a, b *site.List) int { return b.Items.Len() - a.Items.Len() })
	group := barGroup{Title: title}
	if len(lists) > maxBars {
		group.More = v.linkTo(index, title)
	}
	for _, list := range lists[:min(len(lists), maxBars)] {
		group.Bars = append(group.Bars, v.bar(v.linkToList(list), list.Items.Len(), lists[0].Items.Len()))
	}
	v.Groups = append(v.Groups, group)
}

func (v *numbersView) bar(of link, number, longest int) bar {
	return bar{link: of, Number: v.Words.Digits(number), Percent: percentOf(number, longest)}
}

// percentOf is at least 1, so that each bar is seen.
func percentOf(number, longest int) int { return max(1, number*100/longest) }
