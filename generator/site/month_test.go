package site_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ayna/generator/site"
)

func TestMonths(t *testing.T) {
	istanbul, err := time.LoadLocation("Europe/Istanbul")
	if err != nil {
		t.Fatal(err)
	}
	at := func(date string, n int) []site.Draft {
		when, err := time.Parse(time.RFC3339, date)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Repeat([]site.Draft{{Order: when.UnixMilli(), Published: when.UnixMilli()}}, n)
	}
	undated := []site.Draft{{}, {}}
	tests := map[string]struct {
		items [][]site.Draft
		want  string
	}{
		"none":             {nil, "[]"},
		"one":              {[][]site.Draft{at("2026-11-05T00:00:00Z", 3)}, "[2026-11:3]"},
		"the site's zone":  {[][]site.Draft{at("2026-10-31T21:00:00Z", 1), at("2026-10-31T20:59:59Z", 1)}, "[2026-11:1 2026-10:1]"},
		"a gap":            {[][]site.Draft{at("2026-11-05T00:00:00Z", 1), at("2016-01-02T00:00:00Z", 2)}, "[2026-11:1 2016-01:2]"},
		"parts":            {[][]site.Draft{at("2026-11-05T00:00:00Z", 620), at("2026-10-05T00:00:00Z", 399)}, "[2026-11:220 2026-11-2:200 2026-11-1:200 2026-10:399]"},
		"without a date":   {[][]site.Draft{at("2026-11-05T00:00:00Z", 1), undated}, "[2026-11:1]"},
		"before the epoch": {[][]site.Draft{at("1970-02-05T00:00:00Z", 1), undated, at("1951-05-05T00:00:00Z", 1)}, "[1970-02:1 1951-05:1]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			list := site.List{Items: itemsOf(slices.Concat(test.items...)...)}
			got := []string{}
			for _, v := range list.Months(istanbul) {
				got = append(got, fmt.Sprintf("%s:%d", v.Name, v.Items.Len()))
			}
			if fmt.Sprint(got) != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// TestMonthsStay: new items change only the newest part of a month.
func TestMonthsStay(t *testing.T) {
	var drafts []site.Draft
	seen := make(map[string]int64) // the newest item of each complete part
	for minute := range 1000 {
		when := time.Date(2026, 11, 1, 0, minute, 0, 0, time.UTC).UnixMilli()
		drafts = append([]site.Draft{{Order: when, Published: when}}, drafts...)
		list := site.List{Items: itemsOf(drafts...)}
		for _, v := range list.Months(time.UTC)[1:] {
			if seen[v.Name] == 0 {
				seen[v.Name] = v.Items.At(0).Order()
			} else if seen[v.Name] != v.Items.At(0).Order() {
				t.Fatalf("%s changed with item %d", v.Name, minute)
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d complete parts", len(seen))
	}
}

func TestMonthAddresses(t *testing.T) {
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	v := site.Month{Name: "2026-11-2", Year: 2026, Month: time.November, Part: 2}
	list := &site.List{Dir: "spor/futbol"}
	got := []string{
		words.MonthPage(list, v), words.MonthFeed(list, v, site.RSS), words.MonthFeed(list, v, site.Atom), words.MonthFeed(list, v, site.JSON),
		words.MonthPage(&site.List{}, v), words.Month("Spor", v),
	}
	want := []string{
		"spor/futbol/arsiv/2026-11-2.html", "spor/futbol/arsiv/2026-11-2.xml", "spor/futbol/arsiv/2026-11-2.atom.xml", "spor/futbol/arsiv/2026-11-2.json",
		"arsiv/2026-11-2.html", "Spor, Kasım 2026 (2)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEmptiedMonths: published months that have become empty keep their place among the
// others. A malformed name is not a month.
func TestEmptiedMonths(t *testing.T) {
	when := time.Date(2026, 11, 5, 0, 0, 0, 0, time.UTC).UnixMilli()
	list := site.List{Items: itemsOf(site.Draft{Order: when, Published: when})}
	for _, name := range []string{"2026-10", "1951-05", "2026-11-1", "2026-12", "2026-11-2", "2026-10-11"} {
		v, ok := site.EmptyMonth(name)
		if !ok || v.Name != name {
			t.Errorf("%s: %+v, %v", name, v, ok)
		}
		list.Emptied = append(list.Emptied, v)
	}
	got := []string{}
	for _, v := range list.Months(time.UTC) {
		got = append(got, fmt.Sprintf("%s:%d", v.Name, v.Items.Len()))
	}
	if want := "[2026-12:0 2026-11:1 2026-11-2:0 2026-11-1:0 2026-10:0 2026-10-11:0 1951-05:0]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
	for _, name := range []string{"", "2026", "2026-13", "2026-00", "2026-1", "2026-11-0", "2026-11-01", "2026-11-x", "2026-11-1-1", "../2026-11", "2026-11/..", "2026-11--1", " 2026-11"} {
		if v, ok := site.EmptyMonth(name); ok {
			t.Errorf("%q is %+v", name, v)
		}
	}
}
