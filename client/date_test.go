package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"ayna/client"
)

func TestDate(t *testing.T) {
	tests := []struct {
		json string
		want string // in RFC 3339; a blank for Z says floating; "" for none
	}{
		{`"2026-03-14T09:12:05Z"`, "2026-03-14T09:12:05Z"},
		{`"2026-03-14T09:12:05.2Z"`, "2026-03-14T09:12:05.2Z"},
		{`"2026-03-14T09:12:05.25Z"`, "2026-03-14T09:12:05.25Z"},
		{`"2026-03-14T09:12:05.253Z"`, "2026-03-14T09:12:05.253Z"},
		{`"2026-03-14T09:12:05.2531234Z"`, "2026-03-14T09:12:05.2531234Z"},
		{`" 2026-03-14t09:12:05z\n"`, "2026-03-14T09:12:05Z"},
		{`"2026-03-14T12:12:05+03:00"`, "2026-03-14T09:12:05Z"},
		{`"2026-03-14T12:12:05.5+0300"`, "2026-03-14T09:12:05.5Z"},
		{`"2026-03-14T12:12:05+03"`, "2026-03-14T09:12:05Z"},
		{`"2026-03-14 12:12:05 +03:00"`, "2026-03-14T09:12:05Z"},
		{`"2026-03-14T09:12Z"`, "2026-03-14T09:12:00Z"},
		{`"2026-03-14T09:12:05"`, "2026-03-14T09:12:05 "},
		{`"2026-03-14T09:12:05.253"`, "2026-03-14T09:12:05.253 "},
		{`"2026-03-14 09:12:05"`, "2026-03-14T09:12:05 "},
		{`"2026-03-14T09:12"`, "2026-03-14T09:12:00 "},
		{`"2026-03-14"`, "2026-03-14T00:00:00 "},
		{`"\/Date(1497631493637)\/"`, "2017-06-16T16:44:53.637Z"},
		{`"/Date(1497631493637+0300)/"`, "2017-06-16T16:44:53.637Z"},
		{`"/Date(-1000)/"`, "1969-12-31T23:59:59Z"},
		{`"/Date(99999999999999999999)/"`, ""},
		{`"/Date(999999999999999999)/"`, ""},
		{`1497631493`, "2017-06-16T16:44:53Z"},
		{`1497631493637`, "2017-06-16T16:44:53.637Z"},
		{`20170616`, ""},
		{`"20170616164453"`, ""},
		{`"Fri, 16 Jun 2017 16:44:53 GMT"`, "2017-06-16T16:44:53Z"},
		{`"Fri, 16 Jun 2017 19:44:53 +0300"`, "2017-06-16T16:44:53Z"},
		{`"Friday, 16-Jun-17 16:44:53 GMT"`, "2017-06-16T16:44:53Z"},
		{`"Fri Jun 16 16:44:53 2017"`, "2017-06-16T16:44:53Z"},
		{`"Fri, 16 Jun 2017 16:44:53 EEST"`, ""},
		{`"Fri, 16 Jun 2017 16:44:53"`, "2017-06-16T16:44:53 "},
		{`"0001-01-01T00:00:00"`, ""},
		{`"0001-01-01T00:00:00Z"`, ""},
		{`"2026-13-14T09:12:05Z"`, ""},
		{`""`, ""}, {`null`, ""}, {`{}`, ""}, {`[]`, ""}, {`true`, ""}, {`"dün"`, ""}, {`1e999`, ""},
	}
	for _, test := range tests {
		t.Run(test.json, func(t *testing.T) { checkDate(t, test.json, test.want) })
	}
	clock := []struct{ json, want string }{
		{`"2026-12-31T24:00:00Z"`, "2027-01-01T00:00:00Z"},
		{`"2016-12-31T23:59:60Z"`, "2017-01-01T00:00:00Z"},
		{`"2016-12-31T23:59:60.5"`, "2017-01-01T00:00:00.5 "},
		{`"2026-12-31T24:01:00Z"`, ""},
		{`"2026-12-31T10:60:00Z"`, ""},
	}
	for _, test := range clock {
		t.Run(test.json, func(t *testing.T) { checkDate(t, test.json, test.want) })
	}
}

func checkDate(t *testing.T, text, want string) {
	t.Helper()
	var d client.Date
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	got := ""
	switch {
	case d.Floating:
		got = d.Format("2006-01-02T15:04:05.999999999") + " "
	case !d.IsZero():
		got = d.Format(time.RFC3339Nano)
	}
	if got != want || d.Location() != time.UTC {
		t.Errorf("got %q in %v, want %q", got, d.Location(), want)
	}
}

// An hour that clocks skip or repeat is read by one rule everywhere.
func TestDateAt(t *testing.T) {
	for _, test := range []struct{ zone, text, want string }{
		{"Europe/Berlin", "2026-01-01T00:30:00", "2025-12-31T23:30:00Z"},
		{"Europe/Berlin", "2026-07-10T16:00:00", "2026-07-10T14:00:00Z"},
		{"Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T00:59:59Z"},
		{"Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T01:30:00Z"}, // missing
		{"Europe/Berlin", "2026-03-29T03:00:00", "2026-03-29T01:00:00Z"},
		{"Europe/Berlin", "2026-10-25T01:59:59", "2026-10-24T23:59:59Z"},
		{"Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00Z"}, // repeated
		{"Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00Z"},
		{"America/New_York", "2026-03-08T01:59:59", "2026-03-08T06:59:59Z"},
		{"America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:30:00Z"}, // missing
		{"America/New_York", "2026-03-08T03:00:00", "2026-03-08T07:00:00Z"},
		{"America/New_York", "2026-11-01T00:59:59", "2026-11-01T04:59:59Z"},
		{"America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00Z"}, // repeated
		{"America/New_York", "2026-11-01T02:00:00", "2026-11-01T07:00:00Z"},
		{"Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-03T15:45:00Z"}, // missing: half an hour
		{"Europe/Istanbul", "2026-03-29T03:30:00", "2026-03-29T00:30:00Z"},
		{"Europe/Berlin", "2026-07-10T16:00:00-04:00", "2026-07-10T20:00:00Z"},
		{"Europe/Berlin", "", "0001-01-01T00:00:00Z"},
	} {
		t.Run(test.zone+" "+test.text, func(t *testing.T) {
			zone, err := time.LoadLocation(test.zone)
			if err != nil {
				t.Fatal(err)
			}
			var d client.Date
			if err := json.Unmarshal([]byte(`"`+test.text+`"`), &d); err != nil {
				t.Fatal(err)
			}
			if got := d.At(zone).Format(time.RFC3339); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestServiceDate(t *testing.T) {
	const header = "Fri, 13 Nov 2026 10:00:30 GMT"
	tests := []struct {
		name, body, header, want string // want "" is an error
	}{
		{"object", `{"Date":"Fri, 13 Nov 2026 10:00:00 GMT"}`, header, "10:00:00"},
		{"object in other case", `{"date":"Fri, 13 Nov 2026 10:00:00 GMT"}`, header, "10:00:00"},
		{"string", `"Fri, 13 Nov 2026 10:00:00 GMT"`, header, "10:00:00"},
		{"list of strings", `["Fri, 13 Nov 2026 10:00:00 GMT","x"]`, header, "10:00:00"},
		{"list of objects", `[{"Date":"Fri, 13 Nov 2026 10:00:00 GMT"}]`, header, "10:00:00"},
		{"bare text", `Fri, 13 Nov 2026 10:00:00 GMT`, header, "10:00:00"},
		{"three hours off", `"Fri, 13 Nov 2026 13:00:00 GMT"`, header, "13:00:00"},
		{"with offset", `"Fri, 13 Nov 2026 13:00:00 +0300"`, header, "10:00:00"},
		{"bad zone", `"Fri, 13 Nov 2026 10:00:00 XYZ"`, header, "10:00:30"},
		{"a day off", `"Sat, 14 Nov 2026 11:00:00 GMT"`, header, "10:00:30"},
		{"missing", `{}`, header, "10:00:30"},
		{"null", `null`, header, "10:00:30"},
		{"empty list", `[]`, header, "10:00:30"},
		{"no header", `"Fri, 13 Nov 2026 10:00:00 GMT"`, "-", "10:00:00"},
		{"neither", `{}`, "-", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := connect(t, answering(200, test.body, "Date: "+test.header)).Date(context.Background())
			if test.want == "" {
				if !errors.Is(err, client.ErrShape) {
					t.Errorf("got %v, %v", got, err)
				}
				return
			}
			if err != nil || got.Format("2006-01-02 15:04:05") != "2026-11-13 "+test.want {
				t.Errorf("got %v, %v; want %s", got, err, test.want)
			}
		})
	}
}
