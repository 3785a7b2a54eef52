package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// Posts that become pages and posts again, under new names each time, have their first address
// as a post, and each other address that they ever had leads to the present one.
func TestWordPressTypesChange(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	s := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 6})
	p := &workdir{dir: t.TempDir()}
	config := fmt.Sprintf("title: Deneme\nbase_url: https://ayna.example/\nsource: {url: %q, kind: wordpress, per_second: 0}\n%s", s.Base, fewFiles)
	if err := os.WriteFile(filepath.Join(p.dir, "site.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	category := s.AddCategory(fakepaper.Term{Name: "Spor", Slug: "spor"})
	first := make(map[int]string) // addresses of posts by id
	for i := range 12 {
		id := s.Publish(fakepaper.Post{Title: fmt.Sprint("Başlık ", i), Text: "<p>Metin.</p>", Slug: fmt.Sprint("baslik-", i), Categories: []int{category}})
		first[id] = fmt.Sprintf("spor/baslik-%d-%d.html", i, id)
	}
	p.mustBuild(t)
	for round := range 5 {
		title := fmt.Sprint("Ad ", round)
		slug := func(id, round int) string { return fmt.Sprintf("ad-%d-%d", round, id) }
		name := []string{"pages", "posts"}[round%2]
		for id := range first {
			s.ChangeType(id, name, title, slug(id, round))
		}
		// That so many lose their folder at once is doubted, and shown by their list records.
		c := p.start(t)
		if code := c.wait(t, time.Minute); code != exitOK && code != exitPartial {
			t.Fatalf("round %d: exit code %d\n%s%s", round, code, c.out, c.err)
		}
		public := p.tree(t, "public")
		for id, post := range first {
			present, all := post, []string{post}
			for before := 0; before <= round; before += 2 {
				all = append(all, slug(id, before)+"/index.html")
			}
			if name == "pages" {
				present = slug(id, round) + "/index.html"
			}
			for _, address := range all {
				want := "<p>Metin.</p>"
				if address != present {
					want = `<link rel="canonical" href="https://ayna.example/` + strings.TrimSuffix(present, "index.html") + `">`
				}
				if !strings.Contains(public[address], want) || strings.Contains(public[address], "Bu bölümün adı") || !strings.Contains(public[address], title) {
					t.Errorf("round %d: %s lacks %s, and leads not to %s:\n%.600s", round, address, want, present, public[address])
				}
			}
		}
	}
	if c := p.startCommand(t, "ayna", "check"); c.wait(t, time.Minute) != exitOK {
		t.Errorf("check: %s%s", c.out, c.err)
	}
}
