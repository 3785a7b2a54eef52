package record

import (
	"cmp"
	"fmt"
	"time"

	"ayna/client"
	"ayna/generator/site"
)

// Dates is what decides how dates are read that leave something open.
type Dates struct {
	Zone  *time.Location // of dates without an offset; nil is UTC
	Order client.Order   // of day and month in dates such as 03/04/2026; "" leaves them unread
}

// datesVersion is the version of the rules by which dates are read. Raise it when other dates
// become of the same JSON: then the next build reads those of all records anew.
const datesVersion = 1

// Rules identifies how dates are read.
func (d Dates) Rules() string { return fmt.Sprintf("%d %s %s", datesVersion, d.Zone, d.Order) }

// Derive sets the dates of a record, as [Fill] does.
func (d Dates) Derive(r *Record) error {
	first, second, err := d.parts(r)
	if err == nil {
		r.Published, r.Modified = d.of(first, second)
	}
	return err
}

// Unread returns a date of a record that cannot be read, "" if it has none or one that can be
// read. ambiguous reports that an order of day and month would make it readable.
func (d Dates) Unread(r *Record) (text string, ambiguous bool) {
	first, second, err := d.parts(r)
	if err != nil {
		return "", false
	}
	for _, f := range []fields{first, second} {
		for _, date := range []client.Date{f.StartDate, f.CreatedDate, f.ModifiedDate} {
			switch t, unread := d.read(date); {
			case unread == "" && !t.IsZero():
				return "", false
			case text == "":
				text = unread
			}
		}
	}
	return text, d.Order == "" && client.ParseDate(text, client.DayFirst, nil).Unread == ""
}

// parts decodes the dates of a record, of the part first that takes precedence.
func (d Dates) parts(r *Record) (first, second fields, err error) {
	first, err = singlePart(r, parseDates)
	if err == nil {
		second, err = listPart(r, parseDates)
	}
	if r.FetchDue && r.List != nil {
		first, second = second, first
	}
	return first, second, err
}

func parseDates(kind Kind, raw []byte) (f fields, err error) {
	if raw != nil && kind != Folder {
		f.CreatedDate, f.ModifiedDate, f.StartDate, err = client.ReadDates(raw)
	}
	return f, err
}

// of returns when a record was published and when it last changed. The service
// publishes at StartDate, which records of 2016 lack. As in the service's filters, a
// record without ModifiedDate changed when it was published.
func (d Dates) of(first, second fields) (published, modified time.Time) {
	known := func(a, b client.Date) time.Time {
		if t := d.inUTC(a); !t.IsZero() {
			return t
		}
		return d.inUTC(b)
	}
	start, created := known(first.StartDate, second.StartDate), known(first.CreatedDate, second.CreatedDate)
	changed := known(first.ModifiedDate, second.ModifiedDate)
	return cmp.Or(start, created, changed), cmp.Or(changed, start, created)
}

// inUTC returns a date in UTC, zero if it cannot be read.
func (d Dates) inUTC(date client.Date) time.Time {
	t, _ := d.read(date)
	return t
}

// read returns a date in UTC, or the text of one that cannot be read. Implausible dates
// count as such.
func (d Dates) read(date client.Date) (t time.Time, unread string) {
	if date.Unread != "" {
		date = client.ParseDate(date.Unread, d.Order, site.MonthNamed)
	}
	switch {
	case date.IsZero():
		return t, date.Unread
	case date.Year() < 1900 || date.Year() > 9999:
		return t, date.Format(time.RFC3339)
	}
	return date.At(cmp.Or(d.Zone, time.UTC)), ""
}
