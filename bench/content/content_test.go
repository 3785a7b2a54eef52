package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What a page lacks of a recorded text is counted by its kind, and nothing else is.
func TestCompare(t *testing.T) {
	const address = "https://kiyi.example/liman/"
	for name, test := range map[string]struct {
		text, page string // of the record, and of its page
		want       []string
	}{
		"nothing": {
			`<p>Liman <a href="/liman/?ref=kiyi.example">açıldı</a></p><img src="/a-300x200.jpg"><p>https://film.example/7</p><noscript>x</noscript>`,
			`<p>Liman <a href="https://kiyi.example/liman/">Açıldı</a></p><img src="../media/a.jpg"><a href="https://film.example/7">film.example</a>`, nil},
		"a word twice": {`<p>yeni liman, yeni</p>`, `<p>Yeni liman</p>`, []string{`words: ` + address + `: "yeni"`}},
		"a picture":    {`<img src="/a.jpg"><img src="/b.jpg"><img src="/p.gif" width="1">`, `<img src="a.jpg">`, []string{`pictures: ` + address + `: "/b.jpg"`}},
		"a link":       {`<a href="https://b.example/c">c</a> <a href="#son">d</a>`, `c d <a href="https://b.example/">e</a>`, []string{`links: ` + address + `: "https://b.example/c"`}},
		"a player": {
			`<iframe src="https://www.youtube.com/embed/ornekvid_01"></iframe><video><source src="/a.mp4"></video>`,
			`<a href="https://www.youtube.com/watch?v=ornekvid_01">film</a>`, []string{`players: ` + address + `: "https://kiyi.example/a.mp4"`}},
		"an embed": {
			`<div class="wp-block-embed__wrapper">https://film.example/7</div>`, `<p>film.example</p>`,
			[]string{`links: ` + address + `: "https://film.example/7"`, `players: ` + address + `: "https://film.example/7"`}},
		"a shortcode's title": {
			`[kutu title="Sıkça sorulan" link="https://b.example/"]yanıt[/kutu]`, `<p>yanıt</p><a href="https://b.example/"></a>`,
			[]string{`attributes: ` + address + `: "Sıkça sorulan"`}},
		"the page": {`<p>Liman</p>`, "", []string{"record: " + address}},
	} {
		for kind, record := range map[string]object{
			"WordPress": {"id": 7, "type": "post", "link": address, "content": object{"rendered": test.text}},
			"Ghost":     {"id": "6b0400000000000000000007", "url": address, "html": test.text},
		} {
			t.Run(name+" of "+kind, func(t *testing.T) {
				dir := t.TempDir()
				public := filepath.Join(dir, "mirror", "public")
				if test.page != "" {
					test.page = `<link rel="canonical" href="` + address + `"><article class="item">` + test.page + `</article>`
				}
				answer, err := json.Marshal(object{"posts": []object{record}, "meta": object{}})
				if err != nil {
					t.Fatal(err)
				}
				for file, text := range map[string]string{
					filepath.Join(dir, "posts.json"):      string(answer),
					filepath.Join(dir, "mirror", "moved"): "/liman/ https://mirror.example/liman.html 301\n",
					filepath.Join(public, "liman.html"):   test.page,
					filepath.Join(public, "other.html"):   `<link rel="canonical" href="https://kiyi.example/x/"><article class="item"></article>`,
				} {
					if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				s, err := load(dir)
				if err != nil {
					t.Fatal(err)
				}
				got, err := s.compare(public)
				if err != nil {
					t.Fatal(err)
				}
				if slices.Sort(got.lost); !slices.Equal(got.lost, test.want) {
					t.Errorf("%q, want %q", got.lost, test.want)
				}
			})
		}
	}
}
