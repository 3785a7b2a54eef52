package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"
)

// MonthSize is the number of items in a part of a long month.
const MonthSize = 200

// Month is a month of a list, or a part of a month with many items.
type Month struct {
	Name  string // "2026-11"; earlier parts of the month are "2026-11-1", "2026-11-2" …
	Year  int
	Month time.Month
	Part  int   // 0 is the month's newest part, others count from its oldest, from 1
	Items Items // newest first
}

// Months divides the list into months of a time zone, newest first. Parts of a
// month count from the oldest item, so full ones do not change when items are added.
// A month of items without any date is left out. Months that were published and are
// empty now are included.
func (l *List) Months(in *time.Location) []Month {
	var months []Month
	for items := l.Items; items.Len() > 0; {
		first := time.UnixMilli(items.At(0).Order()).In(in)
		start := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, in).UnixMilli()
		n := sort.Search(items.Len(), func(i int) bool { return items.At(i).Order() < start })
		month := items.First(n)
		items = items.Slice(n, items.Len())
		if !month.dated() {
			continue
		}
		last := fullPages(n, MonthSize)
		for part := range last + 1 {
			if part > 0 { // 0 comes first, then the newest
				part = last + 1 - part
			}
			months = append(months, Month{
				Name: monthName(first.Year(), first.Month(), part), Year: first.Year(), Month: first.Month(), Part: part,
				Items: page(month, MonthSize, part).Items,
			})
		}
	}
	if len(l.Emptied) > 0 {
		months = append(months, l.Emptied...)
		slices.SortFunc(months, func(x, y Month) int {
			return cmp.Or(y.Year-x.Year, int(y.Month-x.Month), y.rank()-x.rank())
		})
	}
	return months
}

// rank sorts the parts of a month, the oldest first.
func (m *Month) rank() int {
	if m.Part == 0 {
		return math.MaxInt
	}
	return m.Part
}

// EmptyMonth returns the month with a name, without items. It reports whether the
// name is valid.
func EmptyMonth(name string) (Month, bool) {
	m := Month{Name: name}
	// The suffix is the part of a name that has none; else it is not read.
	if _, err := fmt.Sscanf(name+"-0", "%d-%d-%d", &m.Year, &m.Month, &m.Part); err != nil || m.Month < 1 || m.Month > 12 || m.Part < 0 {
		return Month{}, false
	}
	return m, m.Name == monthName(m.Year, m.Month, m.Part)
}

func monthName(year int, month time.Month, part int) string {
	name := fmt.Sprintf("%04d-%02d", year, month)
	if part > 0 {
		name += fmt.Sprintf("-%d", part)
	}
	return name
}

// Beside returns the indexes of the nearest newer and older month with items; -1 if no
// such month has any.
func Beside(months []Month, i int) (newer, older int) {
	for newer = i - 1; newer >= 0 && months[newer].Items.Len() == 0; newer-- {
	}
	for older = i + 1; older < len(months) && months[older].Items.Len() == 0; older++ {
	}
	if older >= len(months) {
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
