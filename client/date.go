package client

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Date is a point in time as the service wrote it. It is zero when the text is missing,
// empty as 0000-00-00 or .NET's year 1, or cannot be read. [ParseDate] has the forms.
type Date struct {
	time.Time // UTC
	// Floating is set if the text had no zone: Time holds its wall clock as UTC.
	Floating bool
	// Unread is the beginning of a text that cannot be read, or not by itself. A
	// [ParseDate] with an order and names of months may read it.
	Unread string
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
	value, err := decodeValue(data)
	if err != nil {
		value = string(data)
	}
	*d = ParseDate(dateText(value), "", nil)
	return nil
}

// dateText returns the text of a date in JSON: a string or a number, one in a list, or the
// form of MongoDB, {"$date": …}. Other lists and objects are their JSON. Truth values and
// what is empty are no date.
func dateText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		if len(v) == 0 {
			return ""
		}
		if len(v) == 1 {
			return dateText(v[0])
		}
	case map[string]any:
		if len(v) == 0 {
			return ""
		}
		if inner, ok := v["$date"]; ok && len(v) == 1 {
			return mongoDate(inner)
		}
	default:
		return ""
	}
	encoded, _ := json.Marshal(value) // it was decoded from JSON
	return string(encoded)
}

// mongoDate returns the text of a date of MongoDB: numbers are milliseconds.
func mongoDate(value any) string {
	if object, ok := value.(map[string]any); ok && len(object) == 1 {
		if number, ok := object["$numberLong"].(string); ok {
			value = json.Number(number)
		}
	}
	if number, ok := value.(json.Number); ok {
		return "/Date(" + number.String() + ")/"
	}
	return dateText(value)
}

// An Order is the order of day and month in dates such as 03/04/2026.
type Order string

// The orders of day and month. Without one, such dates are not read.
const (
	DayFirst   Order = "dmy"
	MonthFirst Order = "mdy"
)

// maxDate is the length of a text, in bytes, above which it is no date.
const maxDate = 120

// ParseDate reads a date, in one of these forms:
//
//   - ISO 8601: 2026-10-30, 20261030, 2026-W44-5 and 2026-303, also with slashes or points
//     and one-digit parts;
//   - 30.10.2026, always the day first;
//   - 30/10/2026 or 30-10-2026: a part above 12 is the day; otherwise order decides;
//   - months by name: 30 October 2026, Oct 30, 2026 or 2026年10月30日, with other words, such
//     as a weekday, in front or after the date. monthOf returns the month of a name that is
//     not English, else 0; it may be nil;
//   - the forms of HTTP (RFC 9110, section 5.6.7) and of RFC 1123 with a numeric zone;
//   - /Date(milliseconds)/, and numbers of 9 to 13 digits: Unix time in milliseconds from
//     1e11 on, else in seconds.
//
// A time of day may follow, with or without seconds, fraction and zone. 24:00:00 is the next
// midnight, a leap second the second after it.
func ParseDate(text string, order Order, monthOf func(name string) time.Month) Date {
	if t, err := time.Parse(time.RFC3339, text); err == nil { // most are
		return newDate(t, false)
	}
	if text = plain(text); isEmptyDate(text) {
		return Date{}
	}
	if len(text) > maxDate {
		return Date{Unread: strings.ToValidUTF8(text[:maxDate], "") + "…"}
	}
	if t, floating, ok := parseDate(text, order, monthOf); ok {
		return newDate(t, floating)
	}
	return Date{Unread: text}
}

// plain returns a text, or the beginning of a long one, with single blanks and ASCII digits,
// without invisible characters.
func plain(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 4*maxDate)], "")
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		for _, zero := range []rune{'٠', '۰', '０'} {
			if zero <= r && r <= zero+9 {
				return r - zero + '0'
			}
		}
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)), " ")
}

// isEmptyDate reports whether a text has neither a letter nor a digit above 0.
func isEmptyDate(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) && r != '0' })
}

// parseDate reads a plain text.
func parseDate(text string, order Order, monthOf func(string) time.Month) (t time.Time, floating, ok bool) {
	if m := ticks.FindStringSubmatch(text); m != nil { // the offset is for display, the ticks are UTC
		return unixTime(m[1], true)
	}
	if m := unix.FindStringSubmatch(text); m != nil {
		return unixTime(m[1], false)
	}
	for _, layout := range []string{"Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} { // RFC 9110 says that the latter is UTC
		if t, err := time.Parse(layout, text); err == nil {
			return t, false, true
		}
	}
	for _, form := range dayForms {
		m := form.pattern.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		d, isDay := form.read(m[1:], order, monthOf)
		c, isClock := readClock(text[len(m[0]):], form.named)
		if isDay && isClock {
			return d.at(c), c.zone == nil, true
		}
	}
	return t, false, false
}

func unixTime(number string, milliseconds bool) (t time.Time, floating, ok bool) {
	n, err := strconv.ParseInt(number, 10, 64)
	if t = time.Unix(n, 0); milliseconds || n >= 1e11 {
		t = time.UnixMilli(n)
	}
	return t, false, err == nil && t.UTC().Year() <= 9999
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
