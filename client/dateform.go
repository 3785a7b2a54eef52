package client

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The parts of the patterns of dates. A word may be a weekday, or stand between day and month.
const (
	word   = `[\p{L}\p{M}][\p{L}\p{M}.'’׳ʼ-]*`
	comma  = `[ ,،]`
	before = `^(?:` + word + comma + `+){0,2}?`
	clocks = `(\d{1,2})[:.](\d\d)(?:[:.](\d\d)([.,]\d+)?)? ?(?i:([AP])\.?M\.?)? ?`
	zones  = `(?i:(Z|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)?$`
)

var (
	ticks = regexp.MustCompile(`(?i)^/Date\((-?\d+)(?:[+-]\d{4})?\)/$`)
	unix  = regexp.MustCompile(`^(\d{9,13})(\.\d+)?$`) // fewer digits are a day, more a day and time

	clockAfterFigures = regexp.MustCompile(`^(?:T|t|[ ,]+T?)` + clocks + zones)
	clockAfterName    = regexp.MustCompile(`^(?:` + comma + `*\(?` + word + `\)?){0,2}?[ ,،]*T?` + clocks + zones)
	compactClock      = regexp.MustCompile(`^[Tt]?(\d\d)(\d\d)(?:(\d\d)([.,]\d+)?)?() ?` + zones)
	noClock           = regexp.MustCompile(`^(?:` + comma + `*\(?` + word + `\)?){0,2}$`)
)

// day is a date of the calendar, not necessarily a possible one.
type day struct {
	year  int
	month time.Month
	day   int
}

// dayForms are the forms of a day at the beginning of a text. The parts of a match are
// those of its pattern in parentheses.
var dayForms = []struct {
	pattern *regexp.Regexp
	named   bool // words may follow
	read    func(m []string, order Order, monthOf func(string) time.Month) (day, bool)
}{
	{regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`), false, yearFirst},
	{regexp.MustCompile(`^(\d{4})(\d\d)(\d\d)`), false, yearFirst},
	{regexp.MustCompile(`^(\d{4})-?W(\d\d)-?([1-7])`), false, weekday},
	{regexp.MustCompile(`^(\d{4})-(\d{3})`), false, dayOfYear},
	{regexp.MustCompile(`^(\d{1,2})\.(\d{1,2})\.(\d{4})`), false, dayFirst},
	{slashes, false, byOrder},
	{regexp.MustCompile(`^(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]`), true, yearFirst},
	{regexp.MustCompile(before + `(\d{1,2})(?:[.ºª°]|st|nd|rd|th|er)?[ -]?(` + word + `(?:[ -]` + word + `){0,2})[ ,-]?(\d{4})`), true, namedAfterDay},
	{regexp.MustCompile(`^(` + word + `(?:` + comma + `+` + word + `){0,2}) ?(\d{1,2})(?:st|nd|rd|th)?` + comma + `+(\d{4})`), true, namedBeforeDay},
}

// slashes is the form whose order of day and month is not certain.
var slashes = regexp.MustCompile(`^(\d{1,2})[/-](\d{1,2})[/-](\d{4})`)

// figures returns the number of each text of figures, 0 of an empty one.
func figures(texts ...string) []int {
	numbers := make([]int, len(texts))
	for i, text := range texts {
		numbers[i], _ = strconv.Atoi(text)
	}
	return numbers
}

// valid reports whether the calendar has a day.
func (d day) valid() bool {
	t := time.Date(d.year, d.month, d.day, 0, 0, 0, 0, time.UTC)
	return t.Month() == d.month && t.Day() == d.day
}

func (d day) checked() (day, bool) { return d, d.valid() }

func yearFirst(m []string, _ Order, _ func(string) time.Month) (day, bool) {
	n := figures(m...)
	return day{n[0], time.Month(n[1]), n[2]}.checked()
}

func dayFirst(m []string, _ Order, _ func(string) time.Month) (day, bool) {
	n := figures(m...)
	return day{n[2], time.Month(n[1]), n[0]}.checked()
}

// byOrder reads day and month in their given order, unless they prove another one.
func byOrder(m []string, order Order, _ func(string) time.Month) (day, bool) {
	n := figures(m...)
	switch proved := orderOf(n); {
	case proved != "":
		order = proved
	case n[0] == n[1]:
		order = DayFirst // it makes no difference
	}
	switch order {
	case DayFirst:
		return day{n[2], time.Month(n[1]), n[0]}.checked()
	case MonthFirst:
		return day{n[2], time.Month(n[0]), n[1]}.checked()
	}
	return day{}, false
}

// orderOf returns the order that the two parts of a date prove, else "".
func orderOf(parts []int) Order {
	const months = 12
	switch {
	case parts[0] > months && parts[1] <= months:
		return DayFirst
	case parts[1] > months && parts[0] <= months:
		return MonthFirst
	}
	return ""
}

// OrderOf returns the order of day and month that dates prove, with one that does, "" if none
// does or they contradict each other. ambiguous reports whether a date needs an order.
func OrderOf(texts []string) (order Order, proof string, ambiguous bool) {
	for _, text := range texts {
		m := slashes.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		parts := figures(m[1:3]...)
		switch proved := orderOf(parts); {
		case proved == "":
			ambiguous = ambiguous || parts[0] != parts[1]
		case order == "":
			order, proof = proved, m[0]
		case order != proved:
			return "", "", true
		}
	}
	return order, proof, ambiguous
}

// weekday reads a week of ISO 8601 and its day: week 1 has the year's first Thursday.
func weekday(m []string, _ Order, _ func(string) time.Month) (day, bool) {
	n := figures(m...)
	fourth := time.Date(n[0], time.January, 4, 0, 0, 0, 0, time.UTC)
	sinceMonday := (int(fourth.Weekday()) + 6) % 7
	t := fourth.AddDate(0, 0, 7*(n[1]-1)+n[2]-1-sinceMonday)
	year, week := t.ISOWeek()
	return day{t.Year(), t.Month(), t.Day()}, year == n[0] && week == n[1]
}

func dayOfYear(m []string, _ Order, _ func(string) time.Month) (day, bool) {
	n := figures(m...)
	t := time.Date(n[0], time.January, n[1], 0, 0, 0, 0, time.UTC)
	return day{t.Year(), t.Month(), t.Day()}, t.Year() == n[0] && n[1] > 0
}

func namedAfterDay(m []string, _ Order, monthOf func(string) time.Month) (day, bool) {
	n := figures(m[0], m[2])
	return day{n[1], monthIn(m[1], monthOf), n[0]}.checked()
}

func namedBeforeDay(m []string, _ Order, monthOf func(string) time.Month) (day, bool) {
	n := figures(m[1], m[2])
	return day{n[1], monthIn(m[0], monthOf), n[0]}.checked()
}

// monthIn returns the month that words name, 0 if they name none: that of all of them, or
// else of the last one that names any.
func monthIn(words string, monthOf func(string) time.Month) time.Month {
	if monthOf == nil {
		monthOf = englishMonth
	}
	if month := monthOf(words); month != 0 {
		return month
	}
	list := strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune(" ,،-", r) })
	for i := len(list) - 1; i >= 0; i-- {
		if month := monthOf(list[i]); month != 0 {
			return month
		}
	}
	return 0
}

// englishMonth returns the month of an English name or of its first letters, at least three.
func englishMonth(name string) time.Month {
	name = strings.ToLower(strings.TrimRight(name, "."))
	for month := time.January; month <= time.December && len(name) >= 3; month++ {
		if strings.HasPrefix(strings.ToLower(month.String()), name) {
			return month
		}
	}
	return 0
}

// clock is a time of day.
type clock struct {
	hour, minute, second, nanosecond int
	zone                             *time.Location // nil if it has none
}

// readClock reads what follows a day, and reports whether it is nothing or a time of day.
func readClock(text string, named bool) (c clock, ok bool) {
	pattern := clockAfterFigures
	if named {
		pattern = clockAfterName
	}
	if text == "" || named && noClock.MatchString(text) {
		return c, true
	}
	m := pattern.FindStringSubmatch(text)
	if m == nil && !named {
		m = compactClock.FindStringSubmatch(text)
	}
	if m == nil {
		return c, false
	}
	n := figures(m[1], m[2], m[3], m[7], m[8])
	c.hour, c.minute, c.second = n[0], n[1], n[2]
	if m[4] != "" {
		c.nanosecond = figures((m[4][1:] + "00000000")[:9])[0]
	}
	if half := strings.ToUpper(m[5]); half != "" {
		if c.hour < 1 || c.hour > 12 {
			return c, false
		}
		if c.hour %= 12; half == "P" {
			c.hour += 12
		}
	}
	if m[6] != "" {
		c.zone = time.UTC
	}
	if m[7] != "" {
		n[3] = max(n[3], -n[3])
		offset := n[3]*3600 + n[4]*60
		if m[7][0] == '-' {
			offset = -offset
		}
		c.zone = time.FixedZone("", offset)
	}
	inDay := c.hour <= 23 || c.hour == 24 && c.minute == 0 && c.second == 0
	return c, inDay && c.minute <= 59 && c.second <= 60 && n[3] <= 23 && n[4] <= 59
}

// at returns the time of a clock on a day, in UTC.
func (d day) at(c clock) time.Time {
	zone := c.zone
	if zone == nil {
		zone = time.UTC
	}
	return time.Date(d.year, d.month, d.day, c.hour, c.minute, c.second, c.nanosecond, zone).UTC()
}
