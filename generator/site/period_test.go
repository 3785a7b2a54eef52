package site_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"ayna/generator/site"
)

func TestPeriods(t *testing.T) {
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
		kind  site.ListKind
		items [][]site.Draft
		want  string
	}{
		"none":             {site.OfFolders, nil, "[]"},
		"one":              {site.OfFolders, [][]site.Draft{at("2026-11-05T00:00:00Z", 3)}, "[2026-11:3]"},
		"the site's zone":  {site.OfFolders, [][]site.Draft{at("2026-10-31T21:00:00Z", 1), at("2026-10-31T20:59:59Z", 1)}, "[2026-11:1 2026-10:1]"},
		"a gap":            {site.OfFolders, [][]site.Draft{at("2026-11-05T00:00:00Z", 1), at("2016-01-02T00:00:00Z", 2)}, "[2026-11:1 2016-01:2]"},
		"parts":            {site.OfFolders, [][]site.Draft{at("2026-11-05T00:00:00Z", 620), at("2026-10-05T00:00:00Z", 399)}, "[2026-11:220 2026-11-2:200 2026-11-1:200 2026-10:399]"},
		"without a date":   {site.OfFolders, [][]site.Draft{at("2026-11-05T00:00:00Z", 1), undated}, "[2026-11:1]"},
		"before the epoch": {site.OfFolders, [][]site.Draft{at("1970-02-05T00:00:00Z", 1), undated, at("1951-05-05T00:00:00Z", 1)}, "[1970-02:1 1951-05:1]"},
		"years":            {site.OfTags, [][]site.Draft{at("2026-11-05T00:00:00Z", 380), at("2026-01-05T00:00:00Z", 30), at("2024-12-31T22:00:00Z", 2), undated}, "[2026:210 2026-p1:200 2025:2]"},
		"a short list":     {site.OfWriters, [][]site.Draft{at("2026-11-05T00:00:00Z", 249)}, "[]"},
		"other lists":      {site.OfKinds, [][]site.Draft{at("2026-11-05T00:00:00Z", 300)}, "[]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			list := site.List{Kind: test.kind, Items: itemsOf(slices.Concat(test.items...)...)}
			got := []string{}
			for _, v := range list.Periods(istanbul) {
				got = append(got, fmt.Sprintf("%s:%d", v.Name, v.Items.Len()))
			}
			if fmt.Sprint(got) != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// TestPeriodsStay: new items change only the newest part of a month.
func TestPeriodsStay(t *testing.T) {
	var drafts []site.Draft
	seen := make(map[string]int64) // the newest item of each complete part
	for minute := range 1000 {
		when := time.Date(2026, 11, 1, 0, minute, 0, 0, time.UTC).UnixMilli()
		drafts = append([]site.Draft{{Order: when, Published: when}}, drafts...)
		list := site.List{Kind: site.OfHome, Items: itemsOf(drafts...)}
		for _, v := range list.Periods(time.UTC)[1:] {
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

func TestPeriodAddresses(t *testing.T) {
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	v := site.Period{Name: "2026-11-2", Year: 2026, Month: time.November, Part: 2}
	list := &site.List{Dir: "spor/futbol"}
	got := []string{
		words.PeriodPage(list, v), words.MonthFeed(list, v, site.RSS), words.MonthFeed(list, v, site.Atom), words.MonthFeed(list, v, site.JSON),
		words.PeriodPage(&site.List{}, v), words.Period("Spor", v),
		words.PeriodPage(&site.List{Dir: "etiketler/göl"}, site.Period{Name: "2026-p1"}), words.Period("Göl", site.Period{Year: 2026, Part: 1}),
	}
	want := []string{
		"spor/futbol/arsiv/2026-11-2.html", "spor/futbol/arsiv/2026-11-2.xml", "spor/futbol/arsiv/2026-11-2.atom.xml", "spor/futbol/arsiv/2026-11-2.json",
		"arsiv/2026-11-2.html", "Spor, Kasım 2026 (2)",
		"etiketler/göl/arsiv/2026-p1.html", "Göl, 2026 (1)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEmptiedPeriods: published months that have become empty keep their place among the
// others. A malformed name is not one of a period.
func TestEmptiedPeriods(t *testing.T) {
	when := time.Date(2026, 11, 5, 0, 0, 0, 0, time.UTC).UnixMilli()
	list := site.List{Kind: site.OfHome, Items: itemsOf(site.Draft{Order: when, Published: when})}
	for _, name := range []string{"2026-10", "1951-05", "2026-11-1", "2026-12", "2026-11-2", "2026-10-11", "2025", "2025-p1"} {
		v, ok := site.EmptyPeriod(name)
		if !ok || v.Name != name {
			t.Errorf("%s: %+v, %v", name, v, ok)
		}
		list.Emptied = append(list.Emptied, v)
	}
	got := []string{}
	for _, v := range list.Periods(time.UTC) {
		got = append(got, fmt.Sprintf("%s:%d", v.Name, v.Items.Len()))
	}
	if want := "[2026-12:0 2026-11:1 2026-11-2:0 2026-11-1:0 2026-10:0 2026-10-11:0 2025:0 2025-p1:0 1951-05:0]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
	for _, name := range []string{"", "202", "2026-p0", "2026-p", "2026-11-p1", "2026-13", "2026-00", "2026-1", "2026-11-0", "2026-11-01", "2026-11-x", "2026-11-1-1", "../2026-11", "2026-11/..", "2026-11--1", " 2026-11"} {
		if v, ok := site.EmptyPeriod(name); ok {
			t.Errorf("%q is %+v", name, v)
		}
	}
}
