package arrange_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/server/newsroom"
)

func TestNavigation(t *testing.T) {
	// in adds n items of a folder, newer than all before.
	records := []*archive.Record{}
	in := func(path string, n int) {
		for range n {
			id := len(records) + 1
			records = append(records, article(fmt.Sprint(id), path, fmt.Sprint("Haber ", id), 0, "CreatedDate", fmt.Sprintf("2026-03-%02dT%02d:%02d:00Z", 1+id/1440, id/60%24, id%60)))
		}
	}
	in("/eski/", 250)
	in("/zeytin/", 20)
	in("/spor/futbol/", 30)
	in("/spor/", 4)
	in("/tek/", 1)
	in("/gundem/", 34)
	in("/", 9)
	in("/az/", 2)
	in("/yeni/", 50)
	in("/son/", 100)
	a, have := newsroom.Archive(t), 0
	for _, test := range []struct {
		name                           string
		n                              int // of the records, from the first on
		configured                     []string
		navigation, sections, warnings string
	}{
		{"no folder", 0, nil, "", "", ""},
		{"nothing large", 2, nil, "Eski", "Eski", ""},
		{"unknown", 2, []string{"/eksi/", "/eski/"}, "Eski", "Eski", "navigation: the site has no folder /eksi/; did you mean /eski/?"},
		{"unknown, and like none", 2, []string{"/hava-durumu/"}, "Eski", "Eski", "navigation: the site has no folder /hava-durumu/"},
		{"the root", 2, []string{"//"}, "Eski", "Eski", "navigation: the site has no folder //"},
		{"few items", 280, nil, "Eski Zeytin Spor", "Eski Zeytin Spor", ""},
		{"largest, by title if equal", 400, nil, "Eski Yeni Gundem Spor Zeytin", "Eski Yeni Gundem Spor Zeytin Az Tek", ""},
		{"configured", 400, []string{"/tek/", "/spor/futbol/"}, "Tek Futbol", "Tek Futbol Eski Yeni Gundem Spor Zeytin Az", ""},
		{"written otherwise", 400, []string{"/tek", "/tek/"}, "Tek", "Tek Eski Yeni Gundem Spor Zeytin Az", ""},
		{"the same until the next 100", 499, nil, "Eski Yeni Gundem Spor Zeytin", "Eski Yeni Gundem Spor Zeytin Az Tek Son", ""},
		{"and then another", 500, nil, "Son Yeni Gundem Spor", "Son Yeni Gundem Spor Az Tek Eski Zeytin", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := options(t)
			o.Navigation = test.configured
			newsroom.Put(t, a, records[have:test.n]...)
			have = test.n
			s := arranged(t, a, o)
			list := func(f *site.Folder) *site.List { return &f.List }
			check(t, "navigation", titles(s.Navigation, list), test.navigation)
			check(t, "sections", titles(s.Sections, list), test.sections)
			if warnings := strings.Join(s.Warnings, "\n"); warnings != test.warnings {
				t.Errorf("warnings %q, want %q", warnings, test.warnings)
			}
		})
	}
}
