package site_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"ayna/generator/site"
)

// Whatever titles, ids and folders are, the addresses that this package
// gives are known as such again, so that no published page moves.
func TestGivenAddressesAreTaken(t *testing.T) {
	strange := []string{
		"", "1", "41010101", "A", "a", "-1", "1-", "a-b", "a--b", "index", "404", "com1", "aux", "lpt9", "hakkinda", "page", "arsiv", "archive", "media", "assets",
		"yazar", "writers", "İğdır ŞÖÜÇ", "../..", "%2e%2e/", "con.html", "2026", "09", "2026-09", "deadbeef", "x-deadbeef", "\x00", "日本語", strings.Repeat("a", 300),
		strings.Repeat("ab-", 90), strings.Repeat("7", 32), strings.Repeat("7", 33), "feed.xml", "a_b", "--", "-", ".", "Haber: \"tırnak\" & <b>", "SPOR", "spor",
	}
	for _, language := range []string{"tr", "en"} {
		words, err := site.WordsFor(language)
		if err != nil {
			t.Fatal(err)
		}
		var names, dirs site.Names
		for _, segment := range strange {
			dir := ""
			for range 3 {
				for _, name := range site.SplitPath("/" + segment + "/") {
					dir = dirs.Claim(site.FolderDir(words, dir, name, language), name)
				}
			}
			if dir != "" && !site.IsDirectory(dir) {
				t.Errorf("the directory %q", dir)
			}
			folder := &site.Folder{List: site.List{Dir: dir}}
			for i, id := range strange {
				for _, title := range []string{"", "x", strange[(i+7)%len(strange)]} {
					for twice := range 2 {
						address := names.Claim(site.ItemAddress(folder, title, id, language), fmt.Sprint(twice, id))
						if !site.IsItemAddress(address, id) || words.ReservesPage(address) {
							t.Fatalf("folder %q, title %q, id %q: %q is not taken", dir, title, id, address)
						}
					}
				}
			}
		}
		for _, dir := range []string{
			site.ListDir(words.TagsDir, "page", "", language), site.ListDir(words.WritersDir, strings.Repeat("a", 99), strings.Repeat("b", 32), language), site.ListDir(words.KindsDir, words.Kinds[site.Article], "", language),
		} {
			if !site.IsDirectory(dir) {
				t.Errorf("the directory %q", dir)
			}
		}
	}
}

// No other address is an item's.
func TestOtherAddresses(t *testing.T) {
	for _, test := range []struct{ address, id string }{
		{"", "1"}, {"1", "1"}, {".html", "1"}, {"x-2.html", "1"}, {"../x-1.html", "1"}, {"/x-1.html", "1"}, {"a//x-1.html", "1"}, {"a/../x-1.html", "1"}, {"./x-1.html", "1"},
		{"index.html", "index"}, {"spor/index.html", "index"}, {"404.html", "404"}, {"hakkinda.html", "hakkinda"}, {"aux.html", "aux"}, {"a/com1.html", "com1"},
		{`"><script>alert(1)</script>-1.html`, "1"}, {"X-1.html", "1"}, {"SPOR/x-1.html", "1"}, {"x-1.HTML", "1"}, {"x-1.htm", "1"}, {"x-1.html/", "1"}, {"x 1.html", "1"}, {"x-1.html\x00.html", "1"},
		{"ş-1.html", "1"}, {"a.b/x-1.html", "1"}, {"a_b/x-1.html", "1"}, {"a\\x-1.html", "1"}, {"-1.html", "1"}, {"--1.html", "1"}, {"x--1.html", "1"}, {"x1.html", "1"},
		{strings.Repeat("a", 300) + "-1.html", "1"}, {strings.Repeat("a", 300) + "/x-1.html", "1"}, {strings.Repeat("d/", 40) + "x-1.html", "1"}, {strings.Repeat("d/", 17) + "x-1.html", "1"},
		{"media/x-1.html", "1"}, {"assets/x-1.html", "1"}, {"spor/page/x-1.html", "1"}, {"con/x-1.html", "1"}, {"spor/nul/x-1.html", "1"},
		{"x-1-abcde.html", "1"}, {"x-1-abcdefg.html", "1"}, {"x-1-" + strings.Repeat("a", 65) + ".html", "1"}, {"x-A.html", "A"}, {"x-..html", "."},
	} {
		if site.IsItemAddress(test.address, test.id) {
			t.Errorf("%q is taken for an address of %q", test.address, test.id)
		}
	}
	for _, test := range []struct{ address, id string }{
		{"1.html", "1"}, {"x-1.html", "1"}, {"a/b/x-1.html", "1"}, {"x-index.html", "index"}, {"x-1-abcdef.html", "1"}, {strings.Repeat("d/", 16) + "x-1.html", "1"}, {"arsiv/x-1.html", "1"},
	} {
		if !site.IsItemAddress(test.address, test.id) {
			t.Errorf("%q is not taken for an address of %q", test.address, test.id)
		}
	}
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		words.PeriodPage(&site.List{Dir: "spor"}, site.Period{Name: "2026-09"}): true, words.PeriodPage(&site.List{}, site.Period{Name: "2026-09-2"}): true,
		words.PeriodPage(&site.List{Dir: "yazar/zeki-usta"}, site.Period{Name: "2026"}): true, words.PeriodPage(&site.List{Dir: "etiket/x"}, site.Period{Name: "2026-p1"}): true,
		"spor/arsiv/2026.html":              false,
		words.SubscribePage(site.OfTags, 2): true, words.SubscribePage(site.OfHome, 3): true, path.Join(words.ArchiveDir, "deprem-09.html"): false, "2026-09.html": false, "spor/2026-09.html": false,
	} {
		if words.ReservesPage(address) != want {
			t.Errorf("the site reserves %s: %t", address, !want)
		}
	}
}
