package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A paper with a post in 200 categories, a category that is its own grandparent, pages of
// one name and of names that the mirror uses, a picture that is gone and a file of video
// is mirrored whole.
func TestWordPressOddPaper(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 6})
	s.Handle("GET /kiyi.example/{id}", s.Operation("picture", func(_ *http.Request, c fakepaper.Call) (int, []byte) {
		return http.StatusOK, picture(c.ID)
	}))
	var categories []int
	for i := range 200 {
		categories = append(categories, s.AddCategory(fakepaper.Term{Name: fmt.Sprint("Bölüm ", i), Slug: fmt.Sprint("bolum-", i)}))
	}
	child := s.AddCategory(fakepaper.Term{Name: "Torun", Slug: "torun"})
	parent := s.AddCategory(fakepaper.Term{Name: "Dede", Slug: "dede", Parent: child})
	s.EditCategory(child, func(c *fakepaper.Term) { c.Parent = parent })

	cdn := s.Base + "/kiyi.example/"
	many := s.Publish(fakepaper.Post{Title: "Her yerde", Categories: categories, Text: fmt.Sprintf(
		`<figure><img src="%sfener.png?resize=16,16" alt="Fener"><figcaption>Fenerin önü</figcaption></figure>
		<figure><img src="%s/yok.png"><figcaption>Kayıp resim</figcaption></figure>
		<figure class="wp-block-video"><video controls src="/dalgalar.mp4" poster="%sposter.png"></video><figcaption>Dalgalar</figcaption></figure>`, cdn, s.Base, cdn)})
	round := s.Publish(fakepaper.Post{Title: "Dönüp duran", Categories: []int{child}, Text: "<p>Metin.</p>"})
	first := s.Publish(fakepaper.Post{Type: "pages", Title: "Bir", Slug: "bir"})
	second := s.Publish(fakepaper.Post{Type: "pages", Title: "İki", Slug: "iki"})
	for i, parent := range []int{0, 0, first, second} {
		s.Publish(fakepaper.Post{Type: "pages", Title: fmt.Sprint("Ekip ", i), Slug: "ekip", Parent: parent, Text: fmt.Sprint("<p>Ekip ", i, ".</p>")})
	}
	for _, slug := range []string{"bolum-7", "arama", "arsiv", "index.html", "assets", "media", "feed.xml", "v1", "yazarlar"} {
		s.Publish(fakepaper.Post{Type: "pages", Title: "Adı " + slug, Slug: slug, Text: "<p>Sözü " + slug + ".</p>"})
	}

	p := &workdir{dir: t.TempDir()}
	config := fmt.Sprintf("title: Deneme\nlanguage: tr\nbase_url: https://ayna.example/\nsource: {url: %q, kind: wordpress, per_second: 0}\nmedia: mirror\n%s", s.Base, fewFiles)
	if err := os.WriteFile(filepath.Join(p.dir, "site.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	c := p.startCommand(t, "ayna", "build")
	if code := c.wait(t, time.Minute); code != exitPartial || !strings.Contains(c.err.String(), "yok.png") { // the picture is missing
		t.Fatalf("exit code %d\n%s%s", code, c.out, c.err)
	}
	tree := p.tree(t, "public")
	address := fmt.Sprintf("her-yerde-%d.html", many)
	page := tree["bolum-0/"+address]
	for _, want := range []string{`<figcaption>Fenerin önü<`, `src="../media/`, `<figcaption>Kayıp resim<`, `src="` + s.Base + `/dalgalar.mp4" poster="../media/`, `<figcaption>Dalgalar<`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, mainOf(page))
		}
	}
	for i := range 200 {
		if folder := tree[fmt.Sprintf("bolum-%d/index.html", i)]; !strings.Contains(folder, address) {
			t.Fatalf("folder %d lacks the post:\n%s", i, folder)
		}
	}
	var pages, rounds int
	for name, content := range tree {
		if strings.HasSuffix(name, fmt.Sprintf("-%d.html", round)) {
			rounds++
		}
		if strings.Contains(content, "<p>Ekip ") || strings.Contains(content, "<p>Sözü ") {
			pages++
		}
	}
	if pages != 4+9 || rounds != 1 {
		t.Errorf("%d standing pages and %d pages of a post", pages, rounds)
	}
	if c := p.startCommand(t, "ayna", "check"); c.wait(t, time.Minute) != exitOK {
		t.Errorf("%s%s", c.out, c.err)
	}
}
