package cli

import (
	"fmt"
	"strings"

	"ayna/client"
	"ayna/generator/site"
)

// setDates writes the order of day and month if dates of the source need one: the order that
// one of them proves, or else, since only English papers put the month first, the day first
// in a built-in language other than English.
func (s *setup) setDates(dates []string, language string) {
	o := &s.outline
	order, proof, ambiguous := client.OrderOf(dates)
	switch {
	case order != "":
		o.Dates, o.DatesReason = order, "the source has "+proof
	case ambiguous && isDayFirst(language):
		o.Dates, o.DatesReason = client.DayFirst, "papers in this language write the day first"
	default:
		return
	}
	fmt.Fprintf(s.stdout, "dates:    %s, since %s\n", o.Dates, o.DatesReason)
}

// isDayFirst reports whether a built-in language has the day first in figures.
func isDayFirst(language string) bool {
	base, _, _ := strings.Cut(language, "-")
	words, err := site.WordsFor(language)
	return err == nil && words.Mark == "" && base != "en" && base != ""
}
