package search

import "ayna/generator/site"

// dateOf returns the day of an item's publication as a number, 20260914, or 0.
func (s *siteItems) dateOf(item site.Item) int {
	if item.Published() == 0 {
		return 0
	}
	year, month, day := s.date(item).Date()
	return year*10000 + int(month)*100 + day
}

// datesOf returns the first and the last day of a segment's items.
func (s *siteItems) datesOf(part span) (first, last int) {
	for i, item := range s.span(part) {
		date := s.dateOf(item)
		if i == 0 || date < first {
			first = date
		}
		last = max(last, date)
	}
	return first, last
}

// daysOf returns the days of a segment's items, which are mostly in their order: for each run
// of items of a day, how far it is from the run before, and how many items it has. Distances
// are doubled, and those backwards, less one, odd.
func (s *siteItems) daysOf(part span) string {
	var numbers []byte
	last, count := 0, 0
	end := func() {
		if count > 0 {
			numbers = appendNumber(numbers, count)
		}
	}
	for _, item := range s.span(part) {
		date := s.dateOf(item)
		day := (date/10000*12+date/100%100)*31 + date%100
		if day == last && count > 0 {
			count++
			continue
		}
		end()
		distance := 2 * (day - last)
		if distance < 0 {
			distance = -distance - 1
		}
		numbers = appendNumber(numbers, distance)
		last, count = day, 1
	}
	end()
	return string(numbers)
}
