package arrange_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// article makes an article of a minute past nine; more fields may follow.
func article(id, path, title string, minute int, fields ...any) *archive.Record {
	return fakepaper.Fields(record.Article, id, append([]any{
		"ContentType", "Article", "Path", path, "Title", title, "Url", "http://www.haber.example/" + id,
		"CreatedDate", fmt.Sprintf("2026-03-14T09:%02d:00Z", minute),
	}, fields...)...)
}

// of returns a record as one of another kind.
func of(kind record.Kind, r *archive.Record) *archive.Record {
	r.Kind = kind
	return r
}

func options(t testing.TB) arrange.Options {
	t.Helper()
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	return arrange.Options{Settings: site.Settings{Title: "Ayna", Language: "tr", Words: words, Location: time.UTC}}
}

func arranged(t testing.TB, a *archive.Archive, o arrange.Options) *site.Site {
	t.Helper()
	s, err := arrange.Arrange(t.Context(), a, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// siteOf arranges records with the usual options.
func siteOf(t testing.TB, records ...*archive.Record) *site.Site {
	t.Helper()
	return arranged(t, fakepaper.Archive(t, records...), options(t))
}

// names lists items as kind/id.
func names(items ...site.Item) []string {
	list := []string{}
	for _, item := range items {
		if !item.Exists() {
			list = append(list, "none")
		} else {
			list = append(list, string(item.Kind())+"/"+item.ID())
		}
	}
	return list
}

func listed(items site.Items) []string { return names(slices.Collect(items.All())...) }

func find(t testing.TB, s *site.Site, name string) site.Item {
	t.Helper()
	for item := range s.Home.Items.All() {
		if names(item)[0] == name {
			return item
		}
	}
	t.Fatalf("the site lacks %s; it has %v", name, listed(s.Home.Items))
	return site.Item{}
}

// check compares a list with one of words.
func check(t testing.TB, what string, got []string, want string) {
	t.Helper()
	if !slices.Equal(got, strings.Fields(want)) {
		t.Errorf("%s: %q, want %q", what, got, strings.Fields(want))
	}
}

func titles[T any](lists []T, list func(T) *site.List) []string {
	all := []string{}
	for _, one := range lists {
		all = append(all, list(one).Title)
	}
	return all
}

func folderTitles(folders []*site.Folder) []string {
	return titles(folders, func(f *site.Folder) *site.List { return &f.List })
}

// dump writes all of a site that arrange decides, but for rows.
func dump(s *site.Site) string {
	var b strings.Builder
	list := func(what string, l *site.List) {
		fmt.Fprintf(&b, "%s %q in %q: %v\n", what, l.Title, l.Dir, listed(l.Items))
	}
	list("home", &s.Home)
	list("root", &s.Root.List)
	for _, f := range s.Folders {
		list("folder "+f.Path+" in "+f.Parent.Path+fmt.Sprint(folderTitles(f.Folders)), &f.List)
	}
	for _, w := range s.Writers {
		list(fmt.Sprintf("writer %q %q %t", w.ID, w.URL, w.Row != 0), &w.List)
	}
	for _, x := range s.Tags {
		list("tag", &x.List)
	}
	for _, p := range s.Pages {
		list(fmt.Sprintf("page %s %q %v", p.ID, p.URL, p.Absent), &p.List)
	}
	for _, x := range s.Searches {
		list("search "+x.Query, &x.List)
	}
	for _, k := range s.Kinds {
		list("kind "+string(k.Kind), &k.List)
	}
	for _, m := range s.Mixes {
		list("mix", &m.List)
	}
	list("corrections", &s.Corrections)
	for _, f := range s.Folders {
		fmt.Fprintf(&b, "own items of %s: %v; was %v\n", f.Path, listed(f.Own), f.OldDirs)
	}
	for i := range s.Home.Items.All() {
		fmt.Fprintf(&b, "%v %s %t %d %d %d in %s", names(i), i.Address(), i.Revised(), i.Order(), i.Published(), i.Modified(), i.Folder().Path)
		for _, w := range i.Writers() {
			fmt.Fprintf(&b, " by %q", w.Title)
		}
		for x := range i.Tags() {
			fmt.Fprintf(&b, " #%s", x.Title)
		}
		fmt.Fprintf(&b, " between %v\n", names(i.Previous(), i.Next()))
	}
	fmt.Fprintln(&b, s.SourceName)
	return b.String()
}

// addresses returns the address of every list and item. It fails if two are
// the same.
func addresses(t testing.TB, s *site.Site) map[string]string {
	t.Helper()
	all := make(map[string]string)
	holder := make(map[string]string)
	add := func(name, address string) {
		if other, taken := holder[strings.ToLower(address)]; taken {
			t.Errorf("%s and %s are both at %s", name, other, address)
		}
		holder[strings.ToLower(address)], all[name] = name, address
	}
	for _, f := range s.Folders {
		add("folder "+f.Path, f.Index())
		for _, dir := range f.OldDirs {
			add("former "+f.Path+" in "+dir, dir+"/index.html")
		}
	}
	for _, w := range s.Writers {
		add("writer "+w.ID+" "+w.Title, w.Index())
	}
	for _, x := range s.Tags {
		add("tag "+x.Title, x.Index())
	}
	for _, p := range s.Pages {
		add("page "+p.ID, p.Index())
	}
	for _, x := range s.Searches {
		add("search "+x.Query, x.Index())
	}
	for i := range s.Home.Items.All() {
		add(names(i)[0], i.Address())
	}
	return all
}

// kept fails if an address of before is not the same in after.
func kept(t testing.TB, before, after map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if now, ok := after[name]; ok && now != before[name] {
			t.Errorf("%s moved from %s to %s", name, before[name], now)
		}
	}
}
