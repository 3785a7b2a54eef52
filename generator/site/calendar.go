package site

import (
	"strings"
	"time"
)

// date is a day in the calendar of a language.
type date struct {
	year, month, day int
	months, alone    *[12]string
}

// The names of the calendars other than the Gregorian one, as Unicode (and a browser) has them.
const (
	buddhist = "buddhist"
	persian  = "persian"
)

// buddhistYears are what its years are ahead of the Gregorian ones.
const buddhistYears = 543

func (l *locale) gregorian(t time.Time) date {
	year, month, day := t.Date()
	if l.calendar == buddhist {
		year += buddhistYears
	}
	return date{year, int(month), day, &l.months, &l.alone}
}

// dateOf returns the day of t in the calendar of the language.
func (l *locale) dateOf(t time.Time) date {
	if l.calendar != persian {
		return l.gregorian(t)
	}
	year, month, day := persianDate(t)
	return date{year, month, day, &l.persian, &l.persian}
}

// setCalendar reads a column of the locales: the name of a calendar, or the Persian months.
func (l *locale) setCalendar(column string) {
	l.calendar = column
	if months := strings.Split(column, "|"); len(months) == len(l.persian) {
		l.calendar = persian
		copy(l.persian[:], months)
	}
}

// persianDate returns a day of the Solar Hijri calendar, whose leap years repeat after 33
// years. So does the true calendar from 1799 to 2256 by the Gregorian one.
func persianDate(t time.Time) (year, month, day int) {
	const epoch, unix = 1_948_320, 2_440_588 // Julian days of 1 Farvardin of year 1, and of 1 January 1970
	y, m, d := t.Date()
	days := int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix()/86_400) + unix - epoch
	year = 1 + (33*days+3)/12_053
	days -= 365*(year-1) + (8*year+21)/33
	if days < 6*31 {
		return year, days/31 + 1, days%31 + 1
	}
	days -= 6 * 31
	return year, days/30 + 7, days%30 + 1
}
