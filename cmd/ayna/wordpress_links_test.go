package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

var href = regexp.MustCompile(`href="([^"]*)"[^>]*>bağ ([^<]*)<`)

// Links in texts lead to pages of the mirror, in whatever form a post has them, and to the
// source where the mirror has no page. A page is where its tree has it.
func TestWordPressLinks(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 6})
	p := &workdir{dir: t.TempDir()}
	config := fmt.Sprintf("title: Deneme\nbase_url: https://ayna.example/\nsource: {url: %q, kind: wordpress, per_second: 0}\n%s", s.Base, fewFiles)
	if err := os.WriteFile(filepath.Join(p.dir, "site.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	category := s.AddCategory(fakepaper.Term{Name: "Yaşam", Slug: "yasam"})
	target := s.Publish(fakepaper.Post{Title: "Çay bahçesi", Text: "<p>Metin.</p>", Slug: "çay-bahçesi", Categories: []int{category}})
	moved := s.Publish(fakepaper.Post{Title: "Taşınan", Text: "<p>Metin.</p>", Slug: "eski-ad", Categories: []int{category}})
	p.mustBuild(t)
	s.Edit(moved, func(post *fakepaper.Post) { post.Slug = "yeni-ad" })

	host := strings.TrimPrefix(s.Base, "http://")
	tea, gone := fmt.Sprintf("../yasam/cay-bahcesi-%d.html", target), fmt.Sprintf("../yasam/tasinan-%d.html", moved)
	links := []struct{ to, want string }{
		{"/yasam/çay-bahçesi/", tea},
		{s.Base + "/yasam/%c3%a7ay-bah%c3%a7esi", tea},
		{s.Base + "/yasam/%C3%A7ay-bah%C3%A7esi/?utm_source=x#yorum", tea},
		{"//" + host + "/yasam/çay-bahçesi/", tea},
		{"https://www." + host + "/yasam/çay-bahçesi/", tea},
		{fmt.Sprintf("/?p=%d", target), tea},
		{fmt.Sprintf("%s/index/?p=%d&amp;preview=true", s.Base, target), tea},
		{"/yasam/eski-ad/", gone},
		{"/yasam/yeni-ad/", gone},
		{"/hakkimizda/kunye/", "../hakkimizda/kunye/index.html"},
		{"/?page_id=1000", "../hakkimizda/index.html"},
		{"/yasam/yok/", s.Base + "/yasam/yok/"},
		{"/?p=987654", s.Base + "/?p=987654"},
		{"https://baska.example/yasam/çay-bahçesi/", "https://baska.example/yasam/%C3%A7ay-bah%C3%A7esi/"},
	}
	var text strings.Builder
	for i, link := range links {
		fmt.Fprintf(&text, "<p><a href=\"%s\">bağ %d</a></p>\n", link.to, i)
	}
	fmt.Fprintf(&text, `<p><a href="/%s">uzun</a></p>`, strings.Repeat("a", 100_000))
	id := s.Publish(fakepaper.Post{Title: "Bağlar", Text: text.String(), Categories: []int{category}})
	p.mustBuild(t)
	page, err := os.ReadFile(filepath.Join(p.dir, "public", "yasam", fmt.Sprintf("baglar-%d.html", id)))
	if err != nil {
		t.Fatal(err)
	}
	found := href.FindAllStringSubmatch(string(page), -1)
	if len(found) != len(links) {
		t.Fatalf("%d links of %d in\n%.3000s", len(found), len(links), page)
	}
	for i, link := range links {
		want := strings.TrimPrefix(link.want, "../yasam/")
		if got := found[i][1]; got != want {
			t.Errorf("%s leads to %s, want %s", link.to, got, want)
		}
	}

	// A page that gets a parent moves, and its former address leads on.
	s.Edit(1001, func(post *fakepaper.Post) { post.Parent = 0 })
	p.mustBuild(t)
	if text, err := os.ReadFile(filepath.Join(p.dir, "public", "hakkimizda", "kunye", "index.html")); err != nil || !strings.Contains(string(text), `href="../../kunye/index.html"`) {
		t.Errorf("the former address: %v, %s", err, text)
	}
	if page, err = os.ReadFile(filepath.Join(p.dir, "public", "yasam", fmt.Sprintf("baglar-%d.html", id))); err != nil || !strings.Contains(string(page), `<a href="../kunye/index.html">bağ 9</a>`) {
		t.Errorf("a link to the former address: %v", err)
	}
}
