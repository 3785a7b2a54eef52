package site

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"time"
)

// PeriodSize is the number of items in a part of a long month or year.
const PeriodSize = 200

// Period is a month or a year of a list, or a part of one with many items.
type Period struct {
	Name  string // "2026-11", "2026"; earlier parts are "2026-11-1", "2026-11-2" …, and "2026-p1", "2026-p2" …
	Year  int
	Month time.Month // 0 for a year
	Part  int        // 0 is the newest part, others count from the oldest, from 1
	Items Items      // newest first
}

// Periods divides home and folders into months, long lists of writers and tags into years, in
// a time zone, newest first; other lists have none. Parts of a period count from its oldest
// item, so full ones do not change when items are added. A period of items without any date
// is left out. Periods that were published and are empty now are included.
func (l *List) Periods(in *time.Location) []Period {
	if !l.HasMonths() && !l.HasYears() {
		return nil
	}
	var periods []Period
	for items := l.Items; items.Len() > 0; {
		first := time.UnixMilli(items.At(0).Order()).In(in)
		p := Period{Year: first.Year()}
		start := time.Date(p.Year, time.January, 1, 0, 0, 0, 0, in)
		if l.HasMonths() {
			p.Month = first.Month()
			start = time.Date(p.Year, p.Month, 1, 0, 0, 0, 0, in)
		}
		n := sort.Search(items.Len(), func(i int) bool { return items.At(i).Order() < start.UnixMilli() })
		whole := items.First(n)
		items = items.Slice(n, items.Len())
		if !whole.dated() {
			continue
		}
		last := fullPages(n, PeriodSize)
		for part := range last + 1 {
			if part > 0 { // 0 comes first, then the newest
				part = last + 1 - part
			}
			p.Part, p.Items = part, page(whole, PeriodSize, part).Items
			p.Name = p.name()
			periods = append(periods, p)
		}
	}
	if len(l.Emptied) > 0 {
		periods = append(periods, l.Emptied...)
		slices.SortFunc(periods, func(x, y Period) int {
			return cmp.Or(y.Year-x.Year, int(y.Month-x.Month), y.rank()-x.rank())
		})
	}
	return periods
}

// AnyMonth reports whether a list that has months has any.
func (l *List) AnyMonth() bool { return len(l.Emptied) > 0 || l.Items.dated() }

// rank sorts the parts of a period, the oldest first.
func (p *Period) rank() int {
	if p.Part == 0 {
		return math.MaxInt
	}
	return p.Part
}

var periodName = regexp.MustCompile(`^(\d{4,})(?:-p(\d+)|-(\d\d)(?:-(\d+))?)?$`)

// EmptyPeriod returns the period with a name, without items. It reports whether the
// name is valid.
func EmptyPeriod(name string) (Period, bool) {
	m := periodName.FindStringSubmatch(name)
	if m == nil {
		return Period{}, false
	}
	number := func(text string) int {
		n, _ := strconv.Atoi(text) // what is too large has another name
		return n
	}
	p := Period{Name: name, Year: number(m[1]), Month: time.Month(number(m[3])), Part: number(m[2] + m[4])}
	return p, p.Month <= time.December && p.name() == name
}

// name returns the name of a period, as [Period] shows it.
func (p *Period) name() string {
	name, part := fmt.Sprintf("%04d", p.Year), "-p"
	if p.Month > 0 {
		name, part = fmt.Sprintf("%s-%02d", name, p.Month), "-"
	}
	if p.Part > 0 {
		name += part + strconv.Itoa(p.Part)
	}
	return name
}

// Beside returns the indexes of the nearest newer and older period with items; -1 if no
// such period has any.
func Beside(periods []Period, i int) (newer, older int) {
	for newer = i - 1; newer >= 0 && periods[newer].Items.Len() == 0; newer-- {
	}
	for older = i + 1; older < len(periods) && periods[older].Items.Len() == 0; older++ {
	}
	if older >= len(periods) {
		older = -1
	}
	return max(newer, -1), older
}

// dated reports whether any of the items has a date.
func (s Items) dated() bool {
	for item := range s.All() {
		if item.Published() != 0 {
			return true
		}
	}
	return false
}
