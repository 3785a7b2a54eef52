package filter

import (
	"regexp"
	"strings"
	"time"
)

// valueSort is what a value is.
type valueSort int

const (
	str valueSort = iota
	digits
	instant
	boolean
	null
)

type value struct {
	sort valueSort
	text string    // of strings, numbers and dates, as it was written
	time time.Time // of dates
	yes  bool      // of booleans
}

var (
	numeric  = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)
	dateLike = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	// lostPlus is a + that a query string turned into a blank.
	lostPlus = regexp.MustCompile(` ([0-9]{2}:?[0-9]{2})$`)
)

const dateForm = "write a date as Datetime'2014-10-10T10:41:31Z'"

// wordValue reads a word that stands for a value; it is nil if that is the
// name of something.
func (p *parser) wordValue(from token) (*value, error) {
	switch strings.ToLower(from.text) {
	case "null":
		return &value{sort: null}, nil
	case "true", "false":
		return &value{sort: boolean, yes: from.is("true")}, nil
	}
	switch {
	case numeric.MatchString(from.text):
		return &value{sort: digits, text: from.text}, nil
	case dateLike.MatchString(from.text):
		return p.date(from)
	}
	return nil, nil
}

// quotedValue reads a string, or a date with the name of its type before it.
func (p *parser) quotedValue(from token) (*value, error) {
	switch from.kind {
	case "":
		return &value{sort: str, text: from.text}, nil
	case "datetime", "datetimeoffset":
		return p.date(from)
	}
	return nil, p.errorf(from, "no such type of value; %s", dateForm)
}

func (p *parser) date(from token) (*value, error) {
	t, ok := parseDate(from.text, p.zone)
	if !ok {
		return nil, p.errorf(from, "no date; %s", dateForm)
	}
	return &value{sort: instant, time: t, text: from.text}, nil
}

// parseDate reads a date of ISO 8601, cut to the millisecond, which is as far
// as the service's dates go.
func parseDate(text string, zone *time.Location) (time.Time, bool) {
	text = strings.ToUpper(lostPlus.ReplaceAllString(strings.TrimSpace(text), "+$1")) // t and z may be small
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
		time.DateOnly, "2006-01-02T15:04:05Z0700"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}

// convert makes the value that a property is compared with. A number stands
// for its digits: ids are strings.
func (p *parser) convert(property *Property, o operand) (any, error) {
	v := o.value
	if v.sort == null {
		return nil, nil
	}
	if property.Archive.IsDate() {
		if v.sort == instant {
			return v.time, nil
		}
		if t, ok := parseDate(v.text, p.zone); ok && v.sort == str {
			return t, nil
		}
		return nil, p.errorf(o.from, "%s is a date; %s", property.Name, dateForm)
	}
	if v.sort == str || v.sort == digits {
		return v.text, nil
	}
	return nil, p.errorf(o.from, "%s is a string; write it in single quotes", property.Name)
}
