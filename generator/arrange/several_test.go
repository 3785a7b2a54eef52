package arrange_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// in returns an article that is in several folders, the main one first.
func in(id string, minute int, paths ...string) *archive.Record {
	return article(id, paths[0], id, minute, "Paths", paths)
}

// An item is in each of its folders and above them, once in each. Its main folder decides
// its address, and its neighbours.
func TestSeveralFolders(t *testing.T) {
	s := siteOf(t,
		in("1", 1, "/spor/futbol/", "/kent/", "/spor/basket/"),
		in("2", 2, "/kent/", "/kent/park/"),
		article("3", "/spor/futbol/", "3", 3),
		in("4", 4, "/spor/", "spor", "\\SPOR\\..\\", "/spor/"),
		in("5", 5, "/", "/kent/"),
	)
	want := map[string]struct{ items, own string }{
		"/":             {"article/5 article/4 article/3 article/2 article/1", ""},
		"/spor/":        {"article/4 article/3 article/1", "article/4"},
		"/spor/futbol/": {"article/3 article/1", "article/3 article/1"},
		"/spor/basket/": {"article/1", "article/1"},
		"/kent/":        {"article/5 article/2 article/1", "article/5 article/2 article/1"},
		"/kent/park/":   {"article/2", "article/2"},
		"/SPOR/":        {"article/4", "article/4"},
	}
	if len(s.Folders) != len(want)-1 {
		t.Errorf("folders %v", folderTitles(s.Folders))
	}
	for _, f := range append(s.Folders, s.Root) {
		check(t, f.Path, listed(f.Items), want[f.Path].items)
		if f != s.Root {
			check(t, "own of "+f.Path, listed(f.Own), want[f.Path].own)
		}
	}
	for id, want := range map[string]struct{ address, folders, previous string }{
		"article/1": {"spor/futbol/1-1.html", "/spor/futbol/ /kent/ /spor/basket/", ""},
		"article/2": {"kent/2-2.html", "/kent/ /kent/park/", "article/1"},
		"article/4": {"spor/4-4.html", "/spor/ /SPOR/", ""},
	} {
		item := find(t, s, id)
		var folders []string
		for f := range item.Folders() {
			folders = append(folders, f.Path)
		}
		previous := ""
		if p := item.Previous(); p.Exists() {
			previous = string(p.Kind()) + "/" + p.ID()
		}
		if item.Address() != want.address || strings.Join(folders, " ") != want.folders || previous != want.previous {
			t.Errorf("%s: at %s in %s after %q, want %+v", id, item.Address(), folders, previous, want)
		}
	}
}

// Any folder decides what is included, and what a mix has.
func TestSelectionInSeveralFolders(t *testing.T) {
	a := fakepaper.Archive(t,
		in("1", 1, "/spor/", "/kent/"), in("2", 2, "/kent/", "/reklam/"), article("3", "/spor/", "3", 3), article("4", "/gundem/", "4", 4),
	)
	for name, test := range map[string]struct{ include, exclude, items string }{
		"included by its second":  {"/kent/", "", "article/2 article/1"},
		"included by its first":   {"/spor/", "", "article/3 article/1"},
		"excluded by its second":  {"", "/reklam/", "article/4 article/3 article/1"},
		"excluded and included":   {"/kent/", "/spor/", "article/2"},
		"excluded, a folder more": {"", "/spor/ /reklam/", "article/4"},
	} {
		o := options(t)
		o.Include, o.Exclude = strings.Fields(test.include), strings.Fields(test.exclude)
		check(t, name, listed(arranged(t, a, o).Home.Items), test.items)
	}
	o := options(t)
	o.Mixes = []arrange.Mix{{Title: "Kent", Include: []string{"/kent/"}, Exclude: []string{"/reklam/"}}}
	check(t, "mix", listed(arranged(t, a, o).Mixes[0].Items), "article/1")
}

// A folder that has items as a further one alone is live, and keeps its directory: it was
// not renamed to their main folder.
func TestFolderThatIsNoMainOneStays(t *testing.T) {
	a := fakepaper.Archive(t, article("1", "/eski/", "1", 1), article("2", "/yeni/", "2", 2))
	arranged(t, a, options(t))
	fakepaper.Put(t, a, in("1", 1, "/yeni/", "/eski/"))
	s := arranged(t, a, options(t))
	folders := slices.SortedFunc(slices.Values(s.Folders), func(x, y *site.Folder) int { return strings.Compare(x.Path, y.Path) })
	if len(folders) != 2 || len(folders[1].OldDirs) != 0 {
		t.Fatalf("%v, %+v", folderTitles(s.Folders), folders)
	}
	check(t, "/eski/", listed(folders[0].Items), "article/1")
	check(t, "/yeni/", listed(folders[1].Items), "article/2 article/1")
	if address := find(t, s, "article/1").Address(); address != "eski/1-1.html" {
		t.Errorf("the page moved to %s", address)
	}
}

// What is forgotten leaves the directories of all folders, tags and writers that it ever
// had, and their places in the navigation, but for those that another item has, too.
func TestForgetLeavesDirectories(t *testing.T) {
	by := func(id, name string) []any { return []any{map[string]string{"Id": id, "Fullname": name}} }
	get := func(a *archive.Archive, kind record.Kind, id string) *archive.Record {
		r, err := a.Records.Get(t.Context(), kind, id)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a := fakepaper.Archive(t, fakepaper.With(in("1", 1, "/eski/"), "Tags", []string{"Gizli"}, "Writers", by("", "Ali Veli")), fakepaper.With(in("2", 2, "/gundem/", "/kent/"), "Tags", []string{"Açık"}))
	if err := arrange.KeepNavigation(t.Context(), a, arranged(t, a, options(t))); err != nil {
		t.Fatal(err)
	}
	earlier := get(a, record.Article, "1")
	fakepaper.Put(t, a, fakepaper.With(in("3", 3, "/gundem/"), "Writers", by("", "Can Su")))
	arranged(t, a, options(t))
	fakepaper.Put(t, a, fakepaper.With(in("3", 3, "/gundem/"), "Writers", by("w3", "Can Su")))
	fakepaper.Put(t, a, fakepaper.Fields(record.Writer, "w1", "Fullname", "Ali Veli"), fakepaper.Fields(record.Page, "p1", "Title", "x"),
		fakepaper.With(in("1", 1, "/spor/", "/kent/park/", "/gizli/"), "Tags", []string{"açık", "Yeni"}, "Writers", by("w1", "Ali Veli")))
	arranged(t, a, options(t))
	for _, versions := range [][]*archive.Record{{get(a, record.Article, "1"), earlier}, {get(a, record.Article, "3")}, {get(a, record.Writer, "w1")}, {get(a, record.Page, "p1")}, nil} {
		if err := arrange.Forget(t.Context(), a, versions); err != nil {
			t.Fatal(err)
		}
	}
	for space, want := range map[string]string{"folder": "/gundem/ /kent/", "tag": "açik", "writer": "", "page": ""} {
		dirs, err := a.State.Directories(t.Context(), space)
		if got := strings.Join(slices.Sorted(maps.Keys(dirs)), " "); err != nil || got != want {
			t.Errorf("the archive has directories of %ss %q, %v, want %q", space, got, err, want)
		}
	}
	if kept, err := a.State.Get(t.Context(), "navigation"); err != nil || !strings.Contains(kept, `["/gundem/","/kent/"]`) {
		t.Errorf("the archive keeps the navigation %s, %v", kept, err)
	}
}
