package arrange_test

import (
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

func TestCollisions(t *testing.T) {
	tag := func(id string, minute int, tags ...string) *archive.Record {
		return article(id, "/a/", "b", minute, "Tags", tags)
	}
	tests := map[string][]*archive.Record{
		"one slug, one id, two kinds": {
			article("1", "/a/", "Başlık", 1), of(record.Column, article("1", "/a/", "Başlık", 1)), of(record.Video, article("1", "/a/", "BASLIK", 1)),
		},
		"two records, one slug":   {article("1", "/a/", "Başlık", 1), article("2", "/a/", "BASLIK!", 2)},
		"ids of one slug":         {article("A", "/a/", "x", 1), article("a", "/a/", "x", 2)},
		"title ends like an id":   {article("2-3", "/a/", "x", 1), article("3", "/a/", "x 2", 2), article("23", "/a/", "x", 3)},
		"NFC and NFD":             {article("1", "/g\u00fcl/", "x", 1), of(record.Video, article("1", "/gu\u0308l/", "x", 1))},
		"tags":                    {tag("1", 1, "kâr", "kar", "K.A.R", "k-a-r")},
		"folders":                 {article("1", "/ISPARTA/", "x", 1), article("2", "/ısparta/", "x", 2), article("3", "/isparta/", "x", 3)},
		"sub-folders":             {article("1", "/A/b/", "x", 1), article("2", "/a/B/", "x", 2), article("3", "/a/b/", "x", 3)},
		"lists' own files":        {article("index", "/a/", "", 1), article("feed", "/", "", 2), article("404", "/", "", 3), article("hakkinda", "/", "", 4)},
		"folder like a directory": {article("1", "/yazar/", "x", 1, "Writers", []any{ref("w1", ""), map[string]any{"Fullname": "Ali"}}), article("2", "/etiket/spor/", "x", 2, "Tags", []string{"spor"})},
		"two writers of one name": {
			fakepaper.Fields(record.Writer, "w1", "Fullname", "Ali"), fakepaper.Fields(record.Writer, "W1", "Fullname", "ALİ"), article("1", "/a/", "x", 1, "Writers", []any{map[string]any{"Fullname": "Ali"}}),
		},
		"two pages of one title": {fakepaper.Fields(record.Page, "1", "Title", "Ana"), fakepaper.Fields(record.Page, "1-", "Title", "Ana"), fakepaper.Fields(record.Page, "A", "Title", "")},
	}
	for name, records := range tests {
		t.Run(name, func(t *testing.T) {
			a := fakepaper.Archive(t, records...)
			s := arranged(t, a, options(t))
			items := 0
			for _, r := range records {
				if r.Kind != record.Writer && r.Kind != record.Page {
					items++
				}
			}
			if s.Home.Items.Len() != items {
				t.Errorf("%d items, want %d", s.Home.Items.Len(), items)
			}
			before := addresses(t, s)
			for name, address := range before {
				if !safeAddress.MatchString(address) {
					t.Errorf("%s is at %q", name, address)
				}
				switch address {
				case "a/index.html", "404.html", "hakkinda.html", "yazar/index.html", "etiket/index.html":
					if !strings.HasPrefix(name, "folder ") {
						t.Errorf("%s is at %s", name, address)
					}
				}
			}
			kept(t, before, addresses(t, arranged(t, a, options(t))))
		})
	}
}

// TestAddressesStay: what changes at the source moves nothing here.
func TestAddressesStay(t *testing.T) {
	tagged := func(id string, minute int, tags ...string) *archive.Record {
		return article(id, "/a/", "b", minute, "Tags", tags)
	}
	a := fakepaper.Archive(t,
		article("1", "/spor/", "İlk başlık", 1),
		article("2", "/spor/", "Başka", 2),
		fakepaper.Fields(record.Writer, "w1", "Fullname", "Eski Ad"),
		fakepaper.Fields(record.Folder, "f1", "Path", "/spor/", "Title", "Spor"),
		fakepaper.Fields(record.Page, "p1", "Title", "Eski sayfa"),
		tagged("3", 3, "Deprem"),
	)
	o := options(t)
	o.Searches = []arrange.Search{{Title: "Eski", Query: "başlık"}}
	before := addresses(t, arranged(t, a, o))

	fakepaper.Put(t, a,
		article("1", "/gundem/yeni/", "Yeni başlık", 50, "ModifiedDate", "2026-03-14T10:00:00Z"),
		fakepaper.Fields(record.Writer, "w1", "Fullname", "Yeni Ad"),
		fakepaper.Fields(record.Folder, "f1", "Path", "/spor/", "Title", "Ağır Spor"),
		fakepaper.Fields(record.Page, "p1", "Title", "Yeni sayfa"),
		tagged("4", 4, "DEPREM"), tagged("5", 5, "DEPREM"),
		article("6", "/A/", "b", 0), // sorts before what has the address it wants
		article("7", "/SPOR/", "b", 0),
	)
	o.Searches[0].Title = "Yeni"
	s := arranged(t, a, o)
	after := addresses(t, s)
	for name, was := range map[string]string{
		"article/1": "article/1", "article/2": "article/2", "folder /spor/": "folder /spor/", "folder /a/": "folder /a/",
		"page p1": "page p1", "writer w1 Yeni Ad": "writer w1 Eski Ad", "tag DEPREM": "tag Deprem", "search başlık": "search başlık",
	} {
		if after[name] == "" || after[name] != before[was] {
			t.Errorf("%s was at %q and is at %q", name, before[was], after[name])
		}
	}
	if got := find(t, s, "article/1"); got.Folder().Path != "/gundem/yeni/" || got.Address() != "spor/ilk-baslik-1.html" {
		t.Errorf("folder %s, address %s", got.Folder().Path, got.Address())
	}
	if after["folder /SPOR/"] == "spor/index.html" || after["folder /SPOR/"] == "" {
		t.Errorf("the newcomer is at %q", after["folder /SPOR/"])
	}
}

// TestAddressesOfTheAbsentStay: what is left out for a while finds its place
// free when it comes back.
func TestAddressesOfTheAbsentStay(t *testing.T) {
	a := fakepaper.Archive(t, of(record.Column, article("1", "/a/", "x", 1)))
	before := addresses(t, arranged(t, a, options(t)))
	o := options(t)
	o.Kinds = []site.Kind{site.Article}
	fakepaper.Put(t, a, article("1", "/a/", "x", 1))
	meanwhile := addresses(t, arranged(t, a, o))
	after := addresses(t, arranged(t, a, options(t)))
	kept(t, before, after)
	kept(t, meanwhile, after)
	if len(after) != 3 { // a folder and two items
		t.Errorf("addresses %v", after)
	}
}

// TestAddressOfADuplicate: what was published as an article stays where it is when
// the operation of its own kind lists it too.
func TestAddressOfADuplicate(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/a/", "x", 1, "ContentType", "Column"))
	before := find(t, arranged(t, a, options(t)), "article/1").Address()
	fakepaper.Put(t, a, of(record.Column, article("1", "/b/", "y", 1, "ContentType", "Column")))
	for range 2 {
		s := arranged(t, a, options(t))
		check(t, "items", listed(s.Home.Items), "column/1")
		if got := s.Home.Items.At(0).Address(); got != before {
			t.Errorf("the column is at %s, want %s", got, before)
		}
	}
	alone := options(t)
	alone.Kinds = []site.Kind{site.Column}
	if got := arranged(t, a, alone).Home.Items.At(0).Address(); got != before {
		t.Errorf("without articles the column is at %s, want %s", got, before)
	}
	// It turns out to be two records.
	fakepaper.Put(t, a, article("1", "/a/", "x", 1, "ContentType", "Article"))
	s := arranged(t, a, options(t))
	check(t, "items", listed(s.Home.Items), "article/1 column/1")
	kept(t, addresses(t, s), addresses(t, arranged(t, a, options(t))))
}

// TestAddressesOfGrowingArchive: however many runs the records come in, all
// keep the address of their first.
func TestAddressesOfGrowingArchive(t *testing.T) {
	a := fakepaper.Archive(t)
	before := make(map[string]string)
	for i, path := range hostilePaths {
		fakepaper.Put(t, a, of(record.Kinds[i%4], article("7", path, "x", i%60)), article(string(rune('a'+i%26)), path, "", i%60, "Tags", []string{path}))
		if i%9 > 0 {
			continue
		}
		after := addresses(t, arranged(t, a, options(t)))
		kept(t, before, after)
		before = after
	}
}

func TestArrangeSaysWhatFailed(t *testing.T) {
	a, err := archive.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	if _, err := arrange.Arrange(t.Context(), a, options(t)); err == nil || !strings.Contains(err.Error(), "arrange the site") {
		t.Errorf("error %v", err)
	}
}

// An archive may hold addresses that no site gives, and one twice: they
// count as none, every item has a page of its own, and what was right stays.
func TestHeldAddresses(t *testing.T) {
	held := map[string]string{
		"1": "../x-1.html", "2": "index.html", "3": strings.Repeat("a", 300) + "-3.html", "4": `"><script>alert(1)</script>-4.html`, "5": "SPOR/X-5.html",
		"6": strings.Repeat("d/", 40) + "x-6.html", "7": "spor/x-8.html", "8": "spor/x-8.html", "9": "eski/yer-9.html", "09": "arsiv/2026-09.html",
	}
	var records []*archive.Record
	for id := range held {
		records = append(records, article(id, "/spor/", "Başlık", 1))
	}
	records = append(records, of(record.Video, article("10", "/spor/", "x", 2)), article("10", "/spor/", "x", 1))
	a := fakepaper.Archive(t, records...)
	give := func(row int64, address string) {
		t.Helper()
		fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.SetAddress(row, address) })
	}
	for _, r := range records {
		stored, err := a.Records.Get(t.Context(), r.Kind, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		if r.ID == "10" {
			give(stored.Row, "spor/x-10.html")
		} else {
			give(stored.Row, held[r.ID])
		}
	}
	before := addresses(t, arranged(t, a, options(t)))
	seen := make(map[string]string)
	for name, address := range before {
		if !safeAddress.MatchString(address) || len(address) > 120 || address == "arsiv/2026-09.html" {
			t.Errorf("%s is at %q", name, address)
		}
		if other, taken := seen[address]; taken {
			t.Errorf("%s and %s are at %s", name, other, address)
		}
		seen[address] = name
	}
	for name, want := range map[string]string{"article/8": "spor/x-8.html", "article/9": "eski/yer-9.html", "article/10": "spor/x-10.html"} {
		if before[name] != want {
			t.Errorf("%s is at %q, want %q", name, before[name], want)
		}
	}
	kept(t, before, addresses(t, arranged(t, a, options(t))))
}

// An item gets no address of the owner's own pages, also when it was published
// there before.
func TestAddressesOfOwnPages(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/", "Künye", 1), article("2", "/", "Künye", 2))
	o := options(t)
	before := addresses(t, arranged(t, a, o))
	o.Taken = []string{before["article/1"], "kunye-3.html"}
	fakepaper.Put(t, a, article("3", "/", "Künye", 3))
	after := addresses(t, arranged(t, a, o))
	for name, address := range after {
		if slices.Contains(o.Taken, address) || address == "" {
			t.Errorf("%s is at %q", name, address)
		}
	}
	if after["article/2"] != before["article/2"] {
		t.Errorf("article/2 moved to %s", after["article/2"])
	}
	kept(t, after, addresses(t, arranged(t, a, o)))
}

// What is in a directory that another language takes for something fixed stays there, and
// its folder gets another one.
func TestLanguageTakesDirectories(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/search/", "x", 1), article("2", "/a/archive/", "x", 2), article("3", "/pages/", "x", 3))
	before := addresses(t, arranged(t, a, options(t)))
	fakepaper.Put(t, a, article("3", "/a/", "x", 3)) // its folder is gone
	for _, language := range []string{"en", "tr"} {
		o := options(t)
		words, err := site.WordsFor(language)
		if err != nil {
			t.Fatal(err)
		}
		o.Settings.Language, o.Settings.Words = language, words
		s := arranged(t, a, o)
		for item := range s.Home.Items.All() {
			if name := names(item)[0]; item.Address() != before[name] {
				t.Errorf("in %s, %s moved from %s to %s", language, name, before[name], item.Address())
			}
		}
		noneFixed(t, s)
	}
}

// Whom items named without an id keeps the directory when there is a record of that name,
// also beside one of a namesake.
func TestWriterComesToHaveID(t *testing.T) {
	by := func(id, writer string, minute int) *archive.Record {
		return article(id, "/a/", "x", minute, "Writers", []any{map[string]string{"Id": writer, "Fullname": "Zeki Alp"}})
	}
	writer := func(id string) *archive.Record { return fakepaper.Fields(record.Writer, id, "Fullname", "Zeki Alp") }
	a := fakepaper.Archive(t)
	for i, step := range []struct {
		put  []*archive.Record
		want string // by id
	}{
		{[]*archive.Record{by("1", "", 1)}, " yazar/zeki-alp"},
		{[]*archive.Record{writer("w77")}, "w77 yazar/zeki-alp"},
		{[]*archive.Record{writer("w78"), by("2", "w77", 2)}, " yazar/zeki-alp-8941db, w77 yazar/zeki-alp, w78 yazar/zeki-alp-w78"},
	} {
		fakepaper.Put(t, a, step.put...)
		for range 2 {
			var got []string
			for _, w := range arranged(t, a, options(t)).Writers {
				got = append(got, w.ID+" "+w.Dir)
			}
			if slices.Sort(got); strings.Join(got, ", ") != step.want {
				t.Errorf("step %d: %q, want %q", i, got, step.want)
			}
		}
	}
}

// Directories that nothing gives, or that two lists have, are replaced.
func TestHeldDirectories(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/spor/", "x", 1, "Tags", []string{"a", "b"}), article("2", "/ekonomi/", "x", 2))
	fakepaper.Update(t, a, func(tx *archive.Tx) error {
		for _, d := range [][3]string{{"folder", "/spor/", "../spor"}, {"folder", "/ekonomi/", "A/" + strings.Repeat("b", 300)}, {"tag", "a", "etiket/x"}, {"tag", "b", "etiket/x"}} {
			if err := tx.State.SetDirectory(d[0], d[1], d[2]); err != nil {
				return err
			}
		}
		return nil
	})
	before := addresses(t, arranged(t, a, options(t)))
	seen := make(map[string]bool)
	for name, address := range before {
		if !safeAddress.MatchString(address) || seen[address] {
			t.Errorf("%s is at %q, of its own: %t", name, address, !seen[address])
		}
		seen[address] = true
	}
	kept(t, before, addresses(t, arranged(t, a, options(t))))
}
