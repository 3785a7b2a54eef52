package sample

import (
	"strings"
	"testing"
	"testing/fstest"
)

const goodItem = `---
id: "41990001"
path: /gundem/
title: "Çarşı'da <yeni> gün"
spot: "Kısa"
created: 2026-03-14T06:20:11.253Z
start: 2026-03-14T06:30:00Z
modified: 2026-03-14T09:02:41Z
editor: ""
related: ["41990001"]
pictures:
  - {scene: sea, seed: 12, title: "", caption: "Deniz"}
---
<p><a href="haber:41990001">x</a> <img src="resim:sea/3"> &amp;</p>
`

const goodColumn = `---
id: "41990002"
path: /yazarlar/a-b/
writer: a-b
title: "Köşe"
spot: ""
created: 2026-03-15T06:20:11Z
start: 2026-03-15T06:30:00Z
---
`

func goodContent() fstest.MapFS {
	return fstest.MapFS{
		"writers.yaml": {Data: []byte(`[{id: "5326ae7ca7c41e0f5d20f100", slug: a-b, name: A B, created: 2014-03-17T08:12:44.5Z, picture: {scene: portrait, seed: 1}}]`)},
		"folders.yaml": {Data: []byte(`[{id: "5326ae7ca7c41e0f5d20f101", path: /gundem/, title: G}, {id: "5326ae7ca7c41e0f5d20f102", path: /yazarlar/a-b/, title: A B}]`)},
		"pages.yaml":   {Data: []byte(`[{id: "5326ae7ca7c41e0f5d20f103", created: 2014-03-17T08:12:44Z, title: Ana, url: /ana/, news: ["41990002", "41990001"]}]`)},

		"article/41990001.html": {Data: []byte(goodItem)},
		"column/41990002.html":  {Data: []byte(goodColumn)},
	}
}

func TestWire(t *testing.T) {
	got, err := records(goodContent(), "http://h")
	if err != nil {
		t.Fatal(err)
	}
	files := `[{"FileUrl":"http://h/resim/sea/12.jpg","Metadata":{"Title":"","Description":"Deniz"}}]`
	head := `{"Id":"41990001","ContentType":"Article","CreatedDate":"2026-03-14T06:20:11.253Z","Description":"Kısa",`
	address := `"Url":"http://h/carsida-yeni-gun-41990001"`
	want := []Record{
		{"articles", "41990001",
			[]byte(head + `"Files":` + files + `,"ModifiedDate":"2026-03-14T09:02:41Z","Path":"/gundem/","StartDate":"2026-03-14T06:30:00Z","Tags":[],"Title":"Çarşı'da <yeni> gün",` + address + `}`),
			[]byte(head + `"Editor":"","Files":` + files + `,"ModifiedDate":"2026-03-14T09:02:41Z","Path":"/gundem/",` +
				`"RelatedNews":[{"Id":"41990001","Description":"Kısa","Files":` + files + `,"RelatedNews":[],"Tags":[],"Title":"Çarşı'da <yeni> gün",` + address + `,"Writers":[]}],` +
				`"StartDate":"2026-03-14T06:30:00Z","Tags":[],"Text":"<p><a href=\"http://h/carsida-yeni-gun-41990001\">x</a> <img src=\"http://h/resim/sea/3\"> &amp;</p>",` +
				`"Title":"Çarşı'da <yeni> gün",` + address + `,"Writers":[]}`)},
		{"columns", "41990002",
			[]byte(`{"Id":"41990002","Fullname":"A B","ContentType":"Column","CreatedDate":"2026-03-15T06:20:11Z","Description":"","Files":[],"Path":"/yazarlar/a-b/","StartDate":"2026-03-15T06:30:00Z","Title":"Köşe","Url":"http://h/yazarlar/a-b/kose-41990002","WriterId":"5326ae7ca7c41e0f5d20f100"}`),
			[]byte(`{"Id":"41990002","Fullname":"A B","ContentType":"Column","CreatedDate":"2026-03-15T06:20:11Z","Description":"","Files":[],"Path":"/yazarlar/a-b/","StartDate":"2026-03-15T06:30:00Z","Text":"","Title":"Köşe","Url":"http://h/yazarlar/a-b/kose-41990002"}`)},
	}
	for i, w := range want {
		if got[i].Group != w.Group || got[i].ID != w.ID {
			t.Errorf("record %d is %s %s, want %s %s", i, got[i].Group, got[i].ID, w.Group, w.ID)
		}
		if string(got[i].List) != string(w.List) {
			t.Errorf("%s in the list is\n%s\nwant\n%s", w.ID, got[i].List, w.List)
		}
		if string(got[i].Single) != string(w.Single) {
			t.Errorf("%s alone is\n%s\nwant\n%s", w.ID, got[i].Single, w.Single)
		}
	}
	if p := decode(t, got[2].Single); len(p.PageNews) != 2 || p.PageNews[0].ID != "41990002" {
		t.Errorf("the page is not in the editor's order: %s", got[2].Single)
	}
}

func TestBrokenContent(t *testing.T) {
	tests := []struct{ name, file, old, new, want string }{
		{"no front matter", "article/41990001.html", "---\n", "", "front matter"},
		{"front matter not closed", "article/41990001.html", "\n---\n", "\n", "front matter"},
		{"unknown key", "article/41990001.html", "spot:", "sport:", "sport"},
		{"wrong type", "article/41990001.html", "seed: 12", "seed: x", "front matter"},
		{"id not the file's", "article/41990001.html", `id: "41990001"`, `id: "41990009"`, "41990009"},
		{"no title", "article/41990001.html", `"Çarşı'da <yeni> gün"`, `" "`, "title"},
		{"unknown folder", "article/41990001.html", "/gundem/", "/yok/", "/yok/"},
		{"date with an offset", "article/41990001.html", "06:30:00Z", "06:30:00+03:00", "start"},
		{"date with four digits", "article/41990001.html", "11.253Z", "11.2531Z", "created"},
		{"no such day", "article/41990001.html", "created: 2026-03-14", "created: 2026-02-30", "created"},
		{"modified before start", "article/41990001.html", "T09:02:41Z", "T05:02:41Z", "modified"},
		{"unknown scene", "article/41990001.html", "scene: sea", "scene: volcano", "volcano"},
		{"negative seed", "article/41990001.html", "seed: 12", "seed: -1", "-1"},
		{"unknown related", "article/41990001.html", `["41990001"]`, `["41990007"]`, "41990007"},
		{"unknown link", "article/41990001.html", "haber:41990001", "haber:41990007", "41990007"},
		{"unknown link in single quotes", "article/41990001.html", `"haber:41990001"`, `'haber:41990007'`, "41990007"},
		{"unknown scene in the text", "article/41990001.html", "resim:sea/3", "resim:volcano/3", "volcano"},
		{"odd seed in the text", "article/41990001.html", "resim:sea/3", "resim:sea/x", "sea/x"},
		{"writer of an article", "article/41990001.html", "editor:", "writer: a-b\neditor:", "only a column"},
		{"unknown writer", "column/41990002.html", "writer: a-b", "writer: c-d", "c-d"},
		{"tags of a column", "column/41990002.html", "writer:", "tags: [a]\nwriter:", "column has no"},
		{"same start", "column/41990002.html", "start: 2026-03-15", "start: 2026-03-14", "same time"},
		{"unknown news", "pages.yaml", `"41990002"`, `"41990007"`, "41990007"},
		{"absolute page", "pages.yaml", "/ana/", "http://x/", "http://x/"},
		{"id of a page", "pages.yaml", "5326ae7ca7c41e0f5d20f103", "5326", "must match"},
		{"id taken", "pages.yaml", "5326ae7ca7c41e0f5d20f103", "5326ae7ca7c41e0f5d20f101", "already used in folders.yaml"},
		{"unknown key of a page", "pages.yaml", "title:", "tilte:", "tilte"},
		{"folder without a title", "folders.yaml", "title: G", `title: ""`, "title"},
		{"folder twice", "folders.yaml", "/yazarlar/a-b/", "/gundem/", "of its own"},
		{"writer without a name", "writers.yaml", "name: A B", `name: ""`, "name"},
		{"writer twice", "writers.yaml", "}}]", "}}, {id: \"5326ae7ca7c41e0f5d20f104\", slug: a-b, name: C, created: 2014-03-17T08:12:44Z}]", "a-b"},
		{"writer's date", "writers.yaml", "2014-03-17T08:12:44.5Z", "2014", "created"},
		{"writer's picture", "writers.yaml", "portrait", "mirror", "mirror"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			content := goodContent()
			good := string(content[test.file].Data)
			broken := strings.Replace(good, test.old, test.new, 1)
			if broken == good {
				t.Fatalf("%q is not in %s", test.old, test.file)
			}
			content[test.file] = &fstest.MapFile{Data: []byte(broken)}
			_, err := records(content, "")
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range []string{test.file, test.want} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in the error: %v", want, err)
				}
			}
		})
	}
}

func TestMissingFile(t *testing.T) {
	for _, name := range []string{"writers.yaml", "folders.yaml", "pages.yaml"} {
		content := goodContent()
		delete(content, name)
		_, err := records(content, "")
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}
