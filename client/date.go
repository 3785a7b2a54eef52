package client

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Date is a point in time as the service wrote it. It is zero when the text
// is missing or cannot be read.
//
// The forms are ISO 8601 with or without fraction, seconds or time of day; those of
// HTTP (RFC 9110, section 5.6.7) and RFC 1123 with a numeric zone;
// /Date(milliseconds)/; and numbers of 9 to 13 digits: Unix time in milliseconds from
// 1e11 on, else in seconds. 24:00:00 is the next midnight, a leap second the second
// after it.
type Date struct {
	time.Time // UTC
	// Floating is set if the text had no zone: Time holds its wall clock as UTC.
	Floating bool
}

// At returns the point in time of a date. One without an offset is of zone, with the offset
// from before if clocks change then: an hour that is missing is read as if they had not
// changed yet, and of an hour that is repeated the first is meant.
func (d Date) At(zone *time.Location) time.Time {
	if !d.Floating || d.IsZero() {
		return d.UTC()
	}
	read := func(near time.Time) (t time.Time, valid bool) {
		_, offset := near.In(zone).Zone()
		t = d.Add(-time.Duration(offset) * time.Second)
		_, there := t.In(zone).Zone()
		return t, there == offset
	}
	before, valid := read(d.Add(-24 * time.Hour))
	if after, ok := read(d.Add(24 * time.Hour)); ok && !valid {
		return after
	}
	return before
}

// UnmarshalJSON never fails: a text that cannot be read is a zero Date.
func (d *Date) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = string(data)
	}
	*d = parseDate(text)
	return nil
}

var (
	zoned = []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07:00",
		"Mon, 2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 -0700",
		"Mon, 2 Jan 2006 15:04:05 GMT", "Mon, 2 Jan 2006 15:04:05 UTC", "2 Jan 2006 15:04:05 GMT",
		"Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC, // RFC 9110 says that this last one is UTC
	}
	floating   = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "Mon, 2 Jan 2006 15:04:05"}
	ticks      = regexp.MustCompile(`^/DATE\((-?\d+)(?:[+-]\d{4})?\)/$`)
	unix       = regexp.MustCompile(`^(\d{9,13})(\.\d+)?$`) // fewer digits may be a day, more a day and time
	dayAndTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\d) +(\d)`)
	blankZone  = regexp.MustCompile(`^(\d{4}-\S+) +([+-]\d\d:?\d\d|Z)$`)
	midnight   = regexp.MustCompile(`([T ])24(:00(:00)?)`)
	leapSecond = regexp.MustCompile(`(:\d\d):60`)
)

func parseDate(text string) Date {
	text = strings.ToUpper(strings.TrimSpace(text))
	if m := ticks.FindStringSubmatch(text); m != nil { // the offset is for display, the ticks are UTC
		return unixDate(m[1], true)
	}
	if m := unix.FindStringSubmatch(text); m != nil {
		return unixDate(m[1], false)
	}
	text = dayAndTime.ReplaceAllString(text, "${1}T$2")
	text = blankZone.ReplaceAllString(text, "$1$2")
	text, carry := inClock(text)
	if t, ok := parseAs(zoned, text); ok {
		return newDate(t.Add(carry), false)
	}
	if t, ok := parseAs(floating, text); ok {
		return newDate(t.Add(carry), true)
	}
	return Date{}
}

// inClock replaces the times of day that package time cannot parse, and returns how
// much later they are.
func inClock(text string) (string, time.Duration) {
	if midnight.MatchString(text) {
		return midnight.ReplaceAllString(text, "${1}00$2"), 24 * time.Hour
	}
	if leapSecond.MatchString(text) {
		return leapSecond.ReplaceAllString(text, "$1:59"), time.Second
	}
	return text, 0
}

func parseAs(layouts []string, text string) (time.Time, bool) {
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

func unixDate(number string, milliseconds bool) Date {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return Date{}
	}
	if milliseconds || n >= 1e11 {
		return newDate(time.UnixMilli(n), false)
	}
	return newDate(time.Unix(n, 0), false)
}

// newDate returns no date for .NET's empty one, in the year 1, and for years that JSON
// cannot hold.
func newDate(t time.Time, floating bool) Date {
	t = t.UTC()
	if t.Year() <= 1 || t.Year() > 9999 {
		return Date{}
	}
	return Date{Time: t, Floating: floating}
}
