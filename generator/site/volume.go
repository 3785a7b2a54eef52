package site

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
// any date are in no month. What was published and is empty now comes in its
// place.
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
	if len(l.Emptied) > 0 {
		volumes = append(volumes, l.Emptied...)
		slices.SortFunc(volumes, func(x, y Volume) int {
			return cmp.Or(y.Year-x.Year, int(y.Month-x.Month), y.place()-x.place())
		})
	}
	return volumes
}

// place is the volume's place in its month, the oldest part first.
func (v *Volume) place() int {
	if v.Part == 0 {
		return math.MaxInt
	}
	return v.Part
}

// EmptyVolume returns the volume of a name, without items; false if that is no
// name of a volume.
func EmptyVolume(name string) (Volume, bool) {
	v := Volume{Name: name}
	var month int
	if _, err := fmt.Sscanf(name+"-0", "%d-%d-%d", &v.Year, &month, &v.Part); err != nil || month < 1 || month > 12 || v.Part < 0 {
		return Volume{}, false
	}
	v.Month = time.Month(month)
	return v, v.Name == volumeName(v.Year, v.Month, v.Part)
}

func volumeName(year int, month time.Month, part int) string {
	name := fmt.Sprintf("%04d-%02d", year, month)
	if part > 0 {
		name += fmt.Sprintf("-%d", part)
	}
	return name
}

// Beside returns the indexes of the nearest volumes before and after the i-th
// one that have items, each -1 if there is none.
func Beside(volumes []Volume, i int) (newer, older int) {
	for newer = i - 1; newer >= 0 && volumes[newer].Items.Len() == 0; newer-- {
	}
	for older = i + 1; older < len(volumes) && volumes[older].Items.Len() == 0; older++ {
	}
	if older >= len(volumes) {
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

func parts(items Items, in time.Time) []Volume {
	last := numbered(items.Len(), VolumeSize)
	volumes := make([]Volume, 0, last+1)
	for i := range last + 1 {
		number := 0
		if i > 0 {
			number = last + 1 - i
		}
		volumes = append(volumes, Volume{
			Name: volumeName(in.Year(), in.Month(), number), Year: in.Year(), Month: in.Month(), Part: number,
			Items: sheet(items, VolumeSize, number).Items,
		})
	}
	return volumes
}
