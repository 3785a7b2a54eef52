package arrange_test

import (
	"fmt"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// standing returns a standing page at an address below the source's home.
func standing(id, parent, address string, order int) *archive.Record {
	return fakepaper.Fields(record.Article, id, "ContentType", "Page", "Title", "Sayfa "+id, "ParentId", parent, "Order", order,
		"Url", "http://www.haber.example"+address, "CreatedDate", "2026-03-14T09:00:00Z")
}

// former returns the former addresses of an item.
func former(s *site.Site, id string) (addresses []string) {
	for _, f := range s.Former {
		if f.Item.ID() == id {
			addresses = append(addresses, f.Address)
		}
	}
	return addresses
}

func tree(s *site.Site) string {
	var lines []string
	for _, page := range s.Standing {
		line := strings.Repeat(" ", len(page.Trail())-1) + page.ID() + " " + page.Address()
		if old := former(s, page.ID()); len(old) > 0 {
			line += fmt.Sprint(" ", old)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Standing pages are a tree in the source's order, at the addresses that they have there,
// and in no list.
func TestStandingPages(t *testing.T) {
	s := siteOf(t,
		standing("1", "", "/hakkimizda/", 2),
		standing("2", "1", "/hakkimizda/k%C3%BCnye/", 0),
		standing("3", "2", "/hakkimizda/kunye/ekip/", 0),
		standing("4", "", "/iletisim/", 1),
		standing("5", "4", "/iletisim/kunye/", 0), // one slug, another parent
		standing("6", "", "/?page_id=6", 3),
		standing("7", "99", "/spor/", 4), // a folder, and a parent that is missing
		standing("8", "9", "/bir/", 5),   // a circle
		standing("9", "8", "/iki/", 6),
		standing("10", "", "/yazar/", 7), // a fixed word
		standing("11", "", "/iletisim/", 8),
		article("20", "/spor/", "Haber", 1), article("21", "", "Bölümsüz", 2),
		fakepaper.Fields(record.Article, "22", "ContentType", "Page", "Title", "Sırası yok", "CreatedDate", "2026-03-14T09:03:00Z"),
	)
	want := strings.TrimPrefix(`
4 iletisim/index.html
 5 iletisim/kunye/index.html
1 hakkimizda/index.html
 2 hakkimizda/kunye/index.html
  3 hakkimizda/kunye/ekip/index.html
6 sayfa-6/index.html
7 spor-c44764/index.html
8 bir/index.html
9 iki/index.html
10 yazar-f8d587/index.html
11 iletisim-06a12a/index.html`, "\n")
	if got := tree(s); got != want {
		t.Errorf("the tree\n%s\nwant\n%s", got, want)
	}
	check(t, "home", listed(s.Home.Items), "article/22 article/21 article/20")
	if s.All.Len() != 14 || len(s.Kinds) != 1 || s.Kinds[0].Items.Len() != 3 {
		t.Errorf("%d items, kinds %+v", s.All.Len(), s.Kinds)
	}
	for _, address := range []string{"http://haber.example/hakkimizda/k%C3%BCnye", "https://www.haber.example/hakkimizda/künye/"} {
		if item := s.ByURL(address); !item.Exists() || item.ID() != "2" {
			t.Errorf("%s is not found", address)
		}
	}
}

// A page that gets a parent moves, with those below it, and its former address leads on;
// one that moves back is where it was.
func TestStandingPageMoves(t *testing.T) {
	a := fakepaper.Archive(t, standing("1", "", "/a/", 0), standing("2", "", "/b/", 0), standing("3", "2", "/b/c/", 0))
	if got := tree(arranged(t, a, options(t))); got != "1 a/index.html\n2 b/index.html\n 3 b/c/index.html" {
		t.Fatal(got)
	}
	fakepaper.Put(t, a, standing("2", "1", "/a/b/", 0), standing("3", "2", "/a/b/c/", 0))
	for range 2 {
		if got := tree(arranged(t, a, options(t))); got != "1 a/index.html\n 2 a/b/index.html [b/index.html]\n  3 a/b/c/index.html [b/c/index.html]" {
			t.Errorf("after the move\n%s", got)
		}
	}
	fakepaper.Put(t, a, standing("2", "", "/b/", 0), standing("3", "2", "/b/c/", 0))
	if got := tree(arranged(t, a, options(t))); got != "1 a/index.html\n2 b/index.html [a/b/index.html]\n 3 b/c/index.html [a/b/c/index.html]" {
		t.Errorf("after the move back\n%s", got)
	}
}

// A post that becomes a page and back has its first address again, whatever its name is by
// then, and each address that it had leads to the present one. So does a page that becomes a
// post and back.
func TestPostThatBecomesAPage(t *testing.T) {
	post := func(title string) *archive.Record { return article("103", "/spor/", title, 1) }
	page := func(slug string) *archive.Record { return standing("103", "", "/"+slug+"/", 0) }
	const first, asPage, renamed = "spor/baslik-103.html", "yazi-103/index.html", "yeni-ad/index.html"
	for name, states := range map[string][]struct {
		record *archive.Record
		want   string
	}{
		"a post": {
			{post("Başlık"), first},
			{page("yazi-103"), asPage + " " + first},
			{post("Yeni ad"), first + " " + asPage},
			{page("yeni-ad"), renamed + " " + first + " " + asPage},
			{post("Yeni ad"), first + " " + asPage + " " + renamed},
			{page("yazi-103"), asPage + " " + first + " " + renamed},
		},
		"a page": {
			{page("yazi-103"), asPage},
			{post("Başlık"), first + " " + asPage},
			{post("Yeni ad"), first + " " + asPage},
			{page("yazi-103"), asPage + " " + first},
		},
	} {
		a := fakepaper.Archive(t, article("1", "/spor/", "Haber", 1))
		for i, state := range states {
			fakepaper.Put(t, a, state.record)
			for range 2 {
				s := arranged(t, a, options(t))
				var addresses []string
				for item := range s.All.All() {
					if item.ID() == "103" {
						addresses = append(addresses, item.Address())
					}
				}
				if got := strings.Join(append(addresses, former(s, "103")...), " "); got != state.want {
					t.Errorf("%s, state %d: %s, want %s", name, i, got, state.want)
				}
			}
		}
	}
}

// Standing pages are in no folder: they come with any, unless pages are left out.
func TestStandingPagesOfASelection(t *testing.T) {
	a := fakepaper.Archive(t, standing("1", "", "/a/", 0), article("2", "/spor/", "b", 1))
	o := options(t)
	o.Include = []string{"/spor/"}
	if got := tree(arranged(t, a, o)); got != "1 a/index.html" {
		t.Errorf("with a folder: %s", got)
	}
	o.Kinds = []site.Kind{site.Article}
	if s := arranged(t, a, o); len(s.Standing) != 0 || s.All.Len() != 1 {
		t.Errorf("without pages: %s", tree(s))
	}
}
