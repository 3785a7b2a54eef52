package arrange_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/attack"
	"ayna/testrun/fakepaper"
)

func TestFolderTree(t *testing.T) {
	s := siteOf(t,
		fakepaper.Fields(record.Folder, "f1", "Path", "/spor/", "Title", "Spor"),
		fakepaper.Fields(record.Folder, "f2", "Path", "/spor/futbol/", "Title", " Futbol &amp; Lig"),
		fakepaper.Fields(record.Folder, "f3", "Path", "/bos/", "Title", "Boş"),
		article("1", "/spor/futbol/ulke-disi/", "a", 1),
		article("2", "/spor/", "b", 2),
		article("3", "/yerel-haberler/izmir/", "c", 3),
		article("4", "/", "d", 4),
		article("5", "spor", "e", 5), // the same folder
		article("6", "", "f", 6),
	)
	check(t, "home", listed(s.Home.Items), "article/6 article/5 article/4 article/3 article/2 article/1")
	want := map[string]struct{ title, dir, items string }{
		"/spor/":                  {"Spor", "spor", "article/5 article/2 article/1"},
		"/spor/futbol/":           {"Futbol & Lig", "spor/futbol", "article/1"},
		"/spor/futbol/ulke-disi/": {"Ulke Disi", "spor/futbol/ulke-disi", "article/1"},
		"/yerel-haberler/":        {"Yerel Haberler", "yerel-haberler", "article/3"},
		"/yerel-haberler/izmir/":  {"İzmir", "yerel-haberler/izmir", "article/3"},
	}
	if len(s.Folders) != len(want) {
		t.Errorf("folders %v, want %d", folderTitles(s.Folders), len(want))
	}
	for _, f := range s.Folders {
		w, ok := want[f.Path]
		if !ok || f.Title != w.title || f.Dir != w.dir {
			t.Errorf("%s: %q in %q, want %+v", f.Path, f.Title, f.Dir, w)
		}
		check(t, f.Path, listed(f.Items), w.items)
	}
	if item := find(t, s, "article/4"); item.Folder() != s.Root || item.Address() != "d-4.html" {
		t.Errorf("the item in no folder: %+v", item)
	}
	if s.Root.Folders[0].Parent != s.Root {
		t.Error("a first folder's parent is not the root")
	}
}

func TestFolderTitleInEnglish(t *testing.T) {
	o := options(t)
	o.Settings.Language = "en"
	s := arranged(t, fakepaper.Archive(t, article("1", "/interest-rates/", "a", 1)), o)
	check(t, "title", strings.Fields(s.Folders[0].Title), "Interest Rates")
}

func TestFoldersInTurkishOrder(t *testing.T) {
	words := []string{"Zonguldak", "Çanakkale", "Iğdır", "İzmir", "Cide", "Şile", "Sinop", "Ünye", "Urla", "Ağrı", "Gaziantep", "Ödemiş", "Ordu", "Hatay", "Jale", "çay", "10 Kasım", "9 Eylül"}
	var records []*archive.Record
	for i, word := range words {
		path := fmt.Sprintf("/k%d/", i)
		records = append(records,
			fakepaper.Fields(record.Folder, fmt.Sprint("f", i), "Path", path, "Title", word),
			article(fmt.Sprint(i), path, "a", i))
	}
	check(t, "order", strings.Split(strings.ReplaceAll(strings.Join(folderTitles(siteOf(t, records...).Folders), "|"), " ", "_"), "|"),
		"9_Eylül 10_Kasım Ağrı Cide Çanakkale çay Gaziantep Hatay Iğdır İzmir Jale Ordu Ödemiş Sinop Şile Urla Ünye Zonguldak")
}

// hostilePaths are spellings that folders must survive.
var hostilePaths = attack.For(attack.Path)

// safeAddress is what an address of the tree looks like: see package site.
var safeAddress = regexp.MustCompile(`^(?:-?[0-9a-z]+(?:-+[0-9a-z]+)*/)*[0-9a-z]+(?:-[0-9a-z]+)*\.html$`)

func TestHostilePaths(t *testing.T) {
	var records []*archive.Record
	for i, path := range hostilePaths {
		records = append(records, article(fmt.Sprint(1000+i), path, "Başlık", i%60))
		if i%3 == 0 {
			records = append(records, of(record.Video, article(fmt.Sprint(1000+i), path, "Başlık", i%60, "ContentType", "NewsVideo")))
		}
	}
	a := fakepaper.Archive(t, records...)
	s := arranged(t, a, options(t))
	if s.Home.Items.Len() != len(records) {
		t.Errorf("%d of %d records are published", s.Home.Items.Len(), len(records))
	}
	before := addresses(t, s)
	for name, address := range before {
		if !safeAddress.MatchString(address) {
			t.Errorf("%.80s is at %q", name, address)
		}
		if depth := strings.Count(address, "/"); depth > 17 || len(address) > 2000 {
			t.Errorf("%.80s is %d deep, its address %d bytes", name, depth, len(address))
		}
		for segment := range strings.SplitSeq(address, "/") {
			if len(segment) > 120 {
				t.Errorf("%q is too long", segment)
			}
		}
	}
	for _, f := range s.Folders {
		if strings.TrimSpace(f.Title) == "" || strings.ContainsAny(f.Title, "\x00\u202e\u200b\ufeff\u2066") {
			t.Errorf("folder %q is called %q", f.Path, f.Title)
		}
	}
	noneFixed(t, s)
	kept(t, before, addresses(t, arranged(t, a, options(t))))
}

// noneFixed fails if a folder has a directory of something fixed.
func noneFixed(t *testing.T, s *site.Site) {
	t.Helper()
	w := s.Words
	for _, f := range s.Folders {
		if slices.Contains([]string{"media", "assets", "page", w.PagesDir, w.WritersDir, w.TagsDir, w.SearchDir, w.KindsDir, w.ArchiveDir, w.CorrectionsDir, w.CustomListsDir, w.SubscribeDir}, f.Dir) {
			t.Errorf("folder %q is at %s", f.Path, f.Dir)
		}
	}
}

func TestFolderNamedTwice(t *testing.T) {
	records := []*archive.Record{
		fakepaper.Fields(record.Folder, "f2", "Path", "/spor", "Title", "Zweite"),
		fakepaper.Fields(record.Folder, "f1", "Path", "/spor/", "Title", "Spor"),
		fakepaper.Fields(record.Folder, "f0", "Path", "/spor/", "Title", " "),
		article("1", "/spor/", "a", 1),
	}
	for range records {
		records = append(records[1:], records[0])
		check(t, "title", folderTitles(siteOf(t, records...).Folders), "Spor")
	}
}

func TestEmptyArchive(t *testing.T) {
	s := siteOf(t)
	if s.Home.Items.Len()+len(s.Folders)+len(s.Writers)+len(s.Tags)+len(s.Pages)+len(s.Searches) != 0 || s.Root == nil {
		t.Errorf("%+v", s)
	}
	if s.Home.Title != "Ayna" || s.SourceName != "Ayna" {
		t.Errorf("home %q, source %q", s.Home.Title, s.SourceName)
	}
}
