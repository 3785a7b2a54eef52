package site_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"ayna/generator/site"
)

func TestByURL(t *testing.T) {
	var s site.Site
	item, other := &site.Item{ID: "1"}, &site.Item{ID: "2"}
	s.Index(site.RefTo(item.ID, "http://www.haber.example/spor/mac-1"), item)
	s.Index(site.RefTo(other.ID, "https://haber.example/spor/mac-1/"), other) // comes too late
	s.Index(site.RefTo("3", "http://www.haber.example"), &site.Item{ID: "3"})
	s.Index(site.RefTo("4", "/spor/relative-4"), &site.Item{ID: "4"})
	tests := map[string]*site.Item{
		"http://www.haber.example/spor/mac-1":         item,
		"https://www.haber.example/spor/mac-1":        item,
		"http://haber.example/spor/mac-1/":            item,
		"http://HABER.example/spor/mac-1?utm=x#yorum": item,
		"http://haber.example/spor/mac":               nil,
		"http://haber.example/spor/MAC-1":             nil,
		"http://other.example/spor/mac-1":             nil,
		"http://haber.example":                        nil,
		"http://haber.example/":                       nil,
		"http://www.haber.example/?a=1":               nil,
		"/spor/relative-4":                            nil,
		"":                                            nil,
	}
	for url, want := range tests {
		if got := s.ByURL(url); got != want {
			t.Errorf("ByURL(%q) = %v, want %v", url, got, want)
		}
	}
}

func TestRefer(t *testing.T) {
	var s site.Site
	one, two := &site.Item{ID: "1"}, &site.Item{ID: "2"}
	s.Index(site.RefTo(one.ID, "http://haber.example/bir"), one)
	s.Index(site.RefTo(two.ID, "http://haber.example/iki"), two)
	tests := map[string]struct {
		id, url string
		want    *site.Item
	}{
		"by id":                 {"1", "", one},
		"address before id":     {"1", "http://haber.example/iki", two},
		"unknown id, address":   {"9", "http://haber.example/iki", two},
		"by address":            {"", "http://haber.example/iki", two},
		"neither":               {"", "", nil},
		"an address is no id":   {"http://haber.example/iki", "", nil},
		"unknown address, id":   {"1", "http://haber.example/uc", one},
		"an id is no address":   {"", "1", nil},
		"D30 neither is known":  {"9", "http://haber.example/dokuz", nil},
		"D40 address of script": {"", "javascript:alert(1)", nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := s.Find(site.RefTo(test.id, test.url)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if got := new(site.Site).Find(site.RefTo("1", "http://haber.example/bir")); got != nil {
		t.Errorf("empty site: %v", got)
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

// TestWordsAreComplete: a language lacks no word, and its formats take what
// the other's take.
func TestWordsAreComplete(t *testing.T) {
	turkish, english := reflect.ValueOf(words(t, "tr")), reflect.ValueOf(words(t, "en"))
	for i := range turkish.NumField() {
		name := turkish.Type().Field(i).Name
		a, b := turkish.Field(i), english.Field(i)
		if a.Kind() != reflect.String {
			if a.Len() == 0 || a.Len() != b.Len() {
				t.Errorf("%s: %d and %d", name, a.Len(), b.Len())
			}
			continue
		}
		if a.String() == "" || b.String() == "" {
			t.Errorf("%s: %q and %q", name, a, b)
		}
		for _, verb := range []string{"%d", "%s"} {
			if strings.Count(a.String(), verb) != strings.Count(b.String(), verb) {
				t.Errorf("%s: %q and %q differ in %s", name, a, b, verb)
			}
		}
	}
	for _, kind := range site.Kinds {
		for _, language := range []string{"tr", "en"} {
			if words(t, language).Kinds[kind] == "" {
				t.Errorf("%s has no word for %s", language, kind)
			}
		}
	}
	if _, err := site.WordsFor("de"); err == nil || !strings.Contains(err.Error(), "de") {
		t.Errorf("German: %v", err)
	}
}

func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 3, 7, 5, 0, 0, time.UTC)
	for language, want := range map[string]string{"tr": "3 Kasım 2026 07.05", "en": "3 November 2026 07:05"} {
		w := words(t, language)
		if got := w.DateTime(at); got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
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
