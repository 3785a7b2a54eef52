package sample

import (
	"io/fs"
	"regexp"
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
  - {file: sea-noon, title: "", caption: "Deniz"}
---
<p><a href="haber:41990001">x</a> <img src="resim:sea-grey"> &amp;</p>
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
		"writers.yaml": {Data: []byte(`[{id: "5326ae7ca7c41e0f5d20f100", slug: a-b, name: A B, created: 2014-03-17T08:12:44.5Z, picture: {file: portrait-ruhi-gunes}}]`)},
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
	files := `[{"FileUrl":"http://h/resim/sea-noon.jpg","Metadata":{"Title":"","Description":"Deniz"}}]`
	head := `{"Id":"41990001","ContentType":"Article","CreatedDate":"2026-03-14T06:20:11.253Z","Description":"Kısa",`
	address := `"Url":"http://h/carsida-yeni-gun-41990001"`
	want := []Record{
		{"articles", "41990001",
			[]byte(head + `"Files":` + files + `,"ModifiedDate":"2026-03-14T09:02:41Z","Path":"/gundem/","StartDate":"2026-03-14T06:30:00Z","Tags":[],"Title":"Çarşı'da <yeni> gün",` + address + `}`),
			[]byte(head + `"Editor":"","Files":` + files + `,"ModifiedDate":"2026-03-14T09:02:41Z","Path":"/gundem/",` +
				`"RelatedNews":[{"Id":"41990001","Description":"Kısa","Files":` + files + `,"RelatedNews":[],"Tags":[],"Title":"Çarşı'da <yeni> gün",` + address + `,"Writers":[]}],` +
				`"StartDate":"2026-03-14T06:30:00Z","Tags":[],"Text":"<p><a href=\"http://h/carsida-yeni-gun-41990001\">x</a> <img src=\"http://h/resim/sea-grey\"> &amp;</p>",` +
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
		{"wrong type", "article/41990001.html", `["41990001"]`, "{a: b}", "front matter"},
		{"id not the file's", "article/41990001.html", `id: "41990001"`, `id: "41990009"`, "41990009"},
		{"no such day", "article/41990001.html", "start: 2026-03-14", "start: 2026-02-30", "day out of range"},
		{"page's date", "pages.yaml", "2014-03-17T08:12:44Z", "2014", "parsing time"},
		{"unknown key of a page", "pages.yaml", "title:", "tilte:", "tilte"},
		{"writer's date", "writers.yaml", "2014-03-17T08:12:44.5Z", "2014", "parsing time"},
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

// The rules for the content's authors.
func TestContentRules(t *testing.T) {
	content, err := fs.Sub(contentFiles, "content")
	if err != nil {
		t.Fatal(err)
	}
	n, err := read(content)
	if err != nil {
		t.Fatal(err)
	}
	match := func(what, pattern, s string) {
		t.Helper()
		if !regexp.MustCompile("^" + pattern + "$").MatchString(s) {
			t.Errorf("%s: %q does not match %s", what, s, pattern)
		}
	}
	items := func(what string, ids []string) {
		t.Helper()
		for _, id := range ids {
			if n.itemByID[id] == nil {
				t.Errorf("%s: there is no item %q", what, id)
			}
		}
	}
	picture := func(what, name string) {
		t.Helper()
		if _, err := fs.Stat(pictureFiles, pictureFile(name)); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	const (
		date     = `\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z`
		recordID = `[0-9a-f]{24}`
		address  = `/([a-z0-9-]+/)+`
		title    = `.*\S.*`
	)
	folders := map[string]bool{}
	for _, f := range n.folders {
		match("folders.yaml", recordID, f.ID)
		match("folders.yaml", address, f.Path)
		match("folders.yaml", title, f.Title)
		if folders[f.Path] {
			t.Errorf("folders.yaml: %s is there twice", f.Path)
		}
		folders[f.Path] = true
	}
	for _, w := range n.writers {
		match("writers.yaml", recordID, w.ID)
		match("writers.yaml", title, w.Name)
		match("writers.yaml", date, w.Created.text)
		if w.Picture != nil {
			picture("writers.yaml", w.Picture.File)
		}
		if n.writerBySlug[w.Slug] != w {
			t.Errorf("writers.yaml: the slug %s is there twice", w.Slug)
		}
	}
	for _, p := range n.pages {
		match("pages.yaml", recordID, p.ID)
		match("pages.yaml", title, p.Title)
		match("pages.yaml", address, p.URL)
		match("pages.yaml", date, p.Created.text)
		items("pages.yaml", p.News)
	}
	for _, it := range n.items {
		match(it.ID, `[0-9]{8}`, it.ID)
		match(it.ID, title, it.Title)
		match(it.ID, date, it.Created.text)
		match(it.ID, date, it.Start.text)
		items(it.ID, it.Related)
		for _, p := range it.Pictures {
			picture(it.ID, p.File)
		}
		following := it
		for _, e := range it.Earlier {
			match(it.ID, date, e.Modified.text)
			if !e.Modified.Before(following.Modified.Time) || e.Modified.Before(it.Start.Time) {
				t.Errorf("%s: the version of %s is not between start and %s", it.ID, e.Modified.text, following.Modified.text)
			}
			for words := range e.Words {
				if !strings.Contains(following.Title+following.Spot+following.text, words) {
					t.Errorf("%s: no %q is in the version that followed %s", it.ID, words, e.Modified.text)
				}
			}
			following = following.before(e)
		}
		for _, quoted := range reference.FindAllString(it.text, -1) {
			switch scheme, name, _ := strings.Cut(quoted[1:len(quoted)-1], ":"); scheme {
			case "haber":
				items(it.ID, []string{name})
			case "resim":
				picture(it.ID, name)
			}
		}
		if !folders[it.Path] {
			t.Errorf("%s: path %q is not in folders.yaml", it.ID, it.Path)
		}
		if it.kind == "column" {
			if n.writerBySlug[it.Writer] == nil {
				t.Errorf("%s: there is no writer %q", it.ID, it.Writer)
			}
			if it.Modified.text != "" || it.Editor != "" || it.Tags != nil || it.Related != nil {
				t.Errorf("%s: a column has no modified, editor, tags or related", it.ID)
			}
			continue
		}
		match(it.ID, date, it.Modified.text)
		if it.Modified.Before(it.Start.Time) {
			t.Errorf("%s: modified %s is before start %s", it.ID, it.Modified.text, it.Start.text)
		}
		if it.Writer != "" {
			t.Errorf("%s: only a column has a writer", it.ID)
		}
	}
}
