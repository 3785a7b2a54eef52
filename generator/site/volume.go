package site

import (
	"fmt"
	"sort"
	"time"
)

// VolumeSize is the number of items in each part of a month that has several.
const VolumeSize = 200

// Volume is a part of a list's history: a month of it, or, of a month of many
// items, a part of that.
type Volume struct {
	Name  string // "2026-11"; earlier parts of the month are "2026-11-1", "2026-11-2" …
	Year  int
	Month time.Month
	Part  int   // 0 is the month's newest part, others count from its oldest, from 1
	Items Items // newest first; some of a volume have a date, not always all
}

// Volumes cuts the list into months of a zone, newest first, and these into
// parts. As with sheets, parts count from the oldest item: what is complete
// changes only if one of its items does, or one arrives late. Items without
// any date are in no month.
func (l *List) Volumes(in *time.Location) []Volume {
	var volumes []Volume
	for items := l.Items; items.Len() > 0; {
		first := time.UnixMilli(items.At(0).Order()).In(in)
		start := time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, in).UnixMilli()
		n := sort.Search(items.Len(), func(i int) bool { return items.At(i).Order() < start })
		if month := items.First(n); month.dated() {
			volumes = append(volumes, parts(month, first)...)
		}
		items = items.Slice(n, items.Len())
	}
	return volumes
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

func parts(items Items, in time.Time) []Volume {
	last := numbered(items.Len(), VolumeSize)
	volumes := make([]Volume, 0, last+1)
	for i := range last + 1 {
		number := 0
		if i > 0 {
			number = last + 1 - i
		}
		v := Volume{Name: fmt.Sprintf("%04d-%02d", in.Year(), in.Month()), Year: in.Year(), Month: in.Month(), Part: number, Items: sheet(items, VolumeSize, number).Items}
		if number > 0 {
			v.Name += fmt.Sprintf("-%d", number)
		}
		volumes = append(volumes, v)
	}
	return volumes
}
