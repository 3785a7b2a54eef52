package site_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/generator/site"
)

// indexed returns items with these ids and addresses at the source, in turn.
func indexed(refs ...string) *site.Site {
	s := &site.Site{Settings: site.Settings{SourceHost: "haber.example"}}
	for ref := range slices.Chunk(refs, 2) {
		row, _ := strconv.ParseInt(ref[0], 10, 64)
		s.Add(&site.Draft{Row: row, ID: ref[0], Ref: site.RefTo(ref[0], ref[1])})
	}
	s.AddFormer(1, "http://www.haber.example/spor/eski-1")
	s.AddFormer(1, "http://haber.example/?p=1")       // its own short address
	s.AddFormer(1, "http://haber.example/?p=900")     // of a record that it replaced
	s.AddFormer(1, "http://eski.example/tema/?p=900") // of another site
	s.AddFormer(5, "http://haber.example/spor/mac-1")
	s.AddFormer(77, "http://haber.example/spor/silinen-77")
	s.BuildIndex()
	return s
}

func TestByURL(t *testing.T) {
	s := indexed("1", "http://www.haber.example/spor/mac-1",
		"2", "https://haber.example/spor/mac-1/", // comes too late
		"3", "http://www.haber.example", "4", "/spor/relative-4", "5", "https://haber.example/?p=5", "6", "https://haber.example/?p=6")
	item, none := s.Items().At(0), site.Item{}
	tests := map[string]site.Item{
		"http://www.haber.example/spor/mac-1":         item,
		"https://www.haber.example/spor/mac-1":        item,
		"http://haber.example/spor/mac-1/":            item,
		"http://HABER.example/spor/mac-1?utm=x#yorum": item,
		"http://haber.example/spor/mac":               none,
		"http://haber.example/spor/MAC-1":             none,
		"http://other.example/spor/mac-1":             none,
		"http://haber.example":                        none,
		"http://haber.example/":                       none,
		"http://www.haber.example/?a=1":               none,
		"http://haber.example/?p=5":                   s.Items().At(4),
		"http://www.haber.example?p=6&utm=x#yorum":    s.Items().At(5),
		"http://haber.example/?p=7":                   none,
		"https://haber.example/spor/eski-1/":          item,
		"http://haber.example/spor/silinen-77":        none,
		"http://eski.example/tema/":                   none,
		"http://haber.example/?p=1":                   item,
		"http://haber.example/?p=900":                 item,
		"http://haber.example/?page_id=3&preview=1":   s.Items().At(2),
		"http://haber.example/blog/?p=3":              s.Items().At(2),
		"http://haber.example/haber.php?p=3":          none,
		"http://haber.example/?p=3x":                  none,
		"http://other.example/?p=3":                   none,
		"http://haber.example/%73por/mac%2D1":         item,
		"http://haber.example/spor/100%/mac-1":        none,
		"/spor/relative-4":                            none,
		"":                                            none,
	}
	for url, want := range tests {
		if got := s.ByURL(url); got != want {
			t.Errorf("ByURL(%q) = %v, want %v", url, got, want)
		}
	}
}

func TestRefer(t *testing.T) {
	s := indexed("1", "http://haber.example/bir", "2", "http://haber.example/iki")
	one, two, none := s.Items().At(0), s.Items().At(1), site.Item{}
	tests := map[string]struct {
		id, url string
		want    site.Item
	}{
		"by id":               {"1", "", one},
		"address before id":   {"1", "http://haber.example/iki", two},
		"unknown id, address": {"9", "http://haber.example/iki", two},
		"by address":          {"", "http://haber.example/iki", two},
		"neither":             {"", "", none},
		"an address is no id": {"http://haber.example/iki", "", none},
		"unknown address, id": {"1", "http://haber.example/uc", one},
		"an id is no address": {"", "1", none},
		"neither is known":    {"9", "http://haber.example/dokuz", none},
		"address of script":   {"", "javascript:alert(1)", none},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := s.Find(site.RefTo(test.id, test.url)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if got := new(site.Site).Find(site.RefTo("1", "http://haber.example/bir")); got != none {
		t.Errorf("empty site: %v", got)
	}
}

// TestReferByQuery: where only queries tell addresses apart, ids say what is
// meant.
func TestReferByQuery(t *testing.T) {
	s := indexed("1", "http://haber.example/haber.php?id=1", "2", "http://haber.example/haber.php?id=2", "3", "http://haber.example/uc?utm=rss")
	for name, test := range map[string]struct {
		id, url, want string
	}{
		"address and id":            {"2", "http://haber.example/haber.php?id=2", "2"},
		"address":                   {"", "http://haber.example/haber.php?id=2", ""},
		"of none":                   {"", "http://haber.example/haber.php?id=9", ""},
		"without a query":           {"", "http://haber.example/haber.php", ""},
		"another query of the same": {"", "http://haber.example/uc?utm=mail", "3"},
		"no query of the same":      {"", "http://haber.example/uc", "3"},
	} {
		id := ""
		if got := s.Find(site.RefTo(test.id, test.url)); got.Exists() {
			id = got.ID()
		}
		if id != test.want {
			t.Errorf("%s: found %q, want %q", name, id, test.want)
		}
	}
}

func TestTrail(t *testing.T) {
	root := &site.Folder{}
	spor := &site.Folder{Path: "/spor/", Parent: root}
	futbol := &site.Folder{Path: "/spor/futbol/", Parent: spor}
	if got := futbol.Trail(); len(got) != 2 || got[0] != spor || got[1] != futbol {
		t.Errorf("trail %v", got)
	}
	if got := root.Trail(); len(got) != 0 {
		t.Errorf("trail of the root: %v", got)
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		language string
		kinds    map[site.Kind]int
		want     string
	}{
		{"tr", nil, ""},
		{"tr", map[site.Kind]int{site.Article: 27, site.Gallery: 3}, "27 haber, 3 galeri"},
		{"tr", map[site.Kind]int{site.Column: 1, site.Video: 1234}, "1 köşe yazısı, 1.234 video"},
		{"en", map[site.Kind]int{site.Article: 1}, "1 article"},
		{"ar", map[site.Kind]int{site.Article: 27, site.Gallery: 3}, "27 خبرًا، 3 ألبومات"},
		{"ja", map[site.Kind]int{site.Article: 27, site.Column: 1}, "記事27本、コラム1本"},
		{"th", map[site.Kind]int{site.Article: 1, site.Column: 1}, "1 article, 1 column"}, // the words are English
		{"en", map[site.Kind]int{site.Article: 999, site.Column: 1, site.Gallery: 2, site.Video: 1000}, "999 articles, 1 column, 2 galleries, 1,000 videos"},
	} {
		var items site.Collection
		for _, kind := range site.Kinds {
			for i := range c.kinds[kind] {
				items.Add(&site.Draft{Kind: kind, ID: fmt.Sprint(i)})
			}
		}
		if w := words(t, c.language); w.Count(items.Items()) != c.want {
			t.Errorf("%s: %q, want %q", c.language, w.Count(items.Items()), c.want)
		}
	}
	w := words(t, "en")
	if got := w.Digits(1234567); got != "1,234,567" {
		t.Error(got)
	}
}

func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 3, 7, 5, 0, 0, time.UTC)
	for language, want := range map[string]string{
		"tr": "3 Kasım 2026 07.05", "en": "3 November 2026 07:05", "tr-TR": "3 Kasım 2026 07.05", "en-US": "November 3, 2026, 7:05", "en-GB": "3 November 2026, 07:05",
		"de": "3. November 2026, 07:05", "fr": "3 novembre 2026, 07:05", "es": "3 de noviembre de 2026, 7:05", "pl": "3 listopada 2026, 07:05",
		"ru": "3 ноября 2026\u202fг., 07:05", "ja": "2026年11月3日 7:05", "zh-TW": "2026年11月3日 07:05", "ko": "2026년 11월 3일 07:05",
		"ar": "3 نوفمبر 2026، 07:05", "ar-EG": "٣ نوفمبر ٢٠٢٦، ٠٧:٠٥", "fa": "۱۲ آبان ۱۴۰۵،\u200f ۷:۰۵", "fa-AF": "۱۲ عقرب ۱۴۰۵،\u200f ۰۷:۰۵", "he": "3 בנובמבר 2026, 7:05",
		"sv": "3 november 2026 07:05", "fi": "3. marraskuuta 2026 7.05", "th": "3 พฤศจิกายน 2569 07:05 น.", "sr-Latn-RS": "3. novembar 2026. 07:05",
	} {
		w := words(t, language)
		if got := w.DateTime(at); got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
}

// TestCalendars: days around the new years of leap years, and years of lists, which have
// Gregorian months.
func TestCalendars(t *testing.T) {
	persian, thai := words(t, "fa"), words(t, "th")
	for day, want := range map[string]string{
		"1925-03-31": "۱۱ فروردین ۱۳۰۴", "2021-03-20": "۳۰ اسفند ۱۳۹۹", "2021-03-21": "۱ فروردین ۱۴۰۰", "2024-09-21": "۳۱ شهریور ۱۴۰۳",
		"2024-09-22": "۱ مهر ۱۴۰۳", "2025-03-20": "۳۰ اسفند ۱۴۰۳", "2025-03-21": "۱ فروردین ۱۴۰۴", "2026-03-20": "۲۹ اسفند ۱۴۰۴",
	} {
		at, err := time.Parse(time.DateOnly, day)
		if got := persian.Date(at); err != nil || got != want {
			t.Errorf("%s: %q, want %q; %v", day, got, want, err)
		}
	}
	if got := persian.Year(2026) + " " + thai.Year(2026); got != "۲۰۲۶ 2569" {
		t.Errorf("years %s", got)
	}
	m := site.Period{Year: 2026, Month: time.November}
	if got := thai.Period("x", m); !strings.Contains(got, "พฤศจิกายน 2569") {
		t.Errorf("month %q", got)
	}
}

func TestFormats(t *testing.T) {
	for format, want := range map[site.Format]string{
		site.RSS: "application/rss+xml RSS", site.Atom: "application/atom+xml Atom", site.JSON: "application/feed+json JSON Feed",
	} {
		if got := format.MediaType() + " " + format.Name(); got != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
	}
}
