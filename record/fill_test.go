package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

var istanbul = time.FixedZone("+03", 3*60*60)

// fill fills a record of these two documents, either of which may be empty.
func fill(t testing.TB, kind record.Kind, list, single string) *archive.Record {
	t.Helper()
	r := &archive.Record{Record: record.Record{Kind: kind, ID: "1", Answers: record.Answers{FetchDue: single == ""}}}
	if list != "" {
		r.List = []byte(list)
	}
	if single != "" {
		r.Single = []byte(single)
	}
	if err := record.Fill(&r.Record, record.Dates{Zone: istanbul}); err != nil {
		t.Fatal(err)
	}
	return r
}

// summary writes the light metadata, a line for each field that is there.
func summary(r *archive.Record) string {
	var b strings.Builder
	line := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" && text != "[]" && text != "never" {
			fmt.Fprintf(&b, "%s %s\n", name, text)
		}
	}
	moment := func(t time.Time) string {
		if t.IsZero() {
			return "never"
		}
		return t.Format(time.RFC3339Nano)
	}
	line("type", r.Type)
	line("path", r.Path)
	line("title", r.Title)
	line("spot", r.Spot)
	line("url", r.URL)
	line("editor", r.Editor)
	line("published", moment(r.Published))
	line("modified", moment(r.Modified))
	line("tags", strings.Join(r.Tags, ", "))
	line("writers", r.Writers)
	line("related", r.Related)
	line("images", r.Images)
	line("lead", r.Lead)
	return b.String()
}

// shapes are records as the service is known to have written them, with
// invented words: a list record, a single record, or both.
var shapes = []struct {
	name         string
	kind         record.Kind
	list, single string
	want         string
}{
	{
		"article in a list, 2016: no StartDate, no Tags", record.Article,
		`{"Id":"30247928","ContentType":"Article","CreatedDate":"2016-10-13T13:46:16Z","Description":" Köprü açıldı","Files":[{"FileUrl":"http://img.haber.example/i/57ff9076.jpg","Metadata":{"Title":" Köprü açıldı"}}],"ModifiedDate":"2016-10-13T13:46:16Z","Path":"/yerel-haberler/osmaniye/","Title":" Köprü açıldı","Url":"http://www.haber.example/kopru-acildi-30247928"}`, "",
		`type Article
path /yerel-haberler/osmaniye/
title Köprü açıldı
spot Köprü açıldı
url http://www.haber.example/kopru-acildi-30247928
published 2016-10-13T13:46:16Z
modified 2016-10-13T13:46:16Z
images [http://img.haber.example/i/57ff9076.jpg]
lead http://img.haber.example/i/57ff9076.jpg
`,
	}, {
		"article in a list, 2017: three dates, fractions", record.Article,
		`{"Id":"30349930","ContentType":"Article","CreatedDate":"2017-01-29T14:11:16.253Z","Description":"Uzun bir spot.","Files":[{"FileUrl":"http://img.haber.example/i/a.jpg","Metadata":{"Title":"","Description":""}},{"FileUrl":"http://img.haber.example/i/b.jpg","Metadata":{"Title":"","Description":""}}],"ModifiedDate":"2017-01-29T14:17:25.505Z","Path":"/gundem/","StartDate":"2017-01-29T14:12:00Z","Title":"Kuleye yeni saat","Url":"http://www.haber.example/kuleye-yeni-saat-30349930"}`, "",
		`type Article
path /gundem/
title Kuleye yeni saat
spot Uzun bir spot.
url http://www.haber.example/kuleye-yeni-saat-30349930
published 2017-01-29T14:12:00Z
modified 2017-01-29T14:17:25.505Z
images [http://img.haber.example/i/a.jpg http://img.haber.example/i/b.jpg]
lead http://img.haber.example/i/a.jpg
`,
	}, {
		"single article: no ContentType in the list, text of nested paragraphs", record.Article,
		`{"Id":"30486849","Title":"Eski başlık","Path":"/yerel-haberler/bingol/","Tags":[]}`,
		`{"Id":"30486849","ContentType":"Article","CreatedDate":"2017-06-11T18:39:13Z","Description":"Bingöl'de kar","Editor":"KHA","Files":[],"ModifiedDate":"2017-06-11T18:39:13Z","Path":"/yerel-haberler/bingol/","RelatedNews":[],"StartDate":"2017-06-11T18:39:13Z","Tags":[],"Text":"<p><p>BİNGÖL, (KHA) - Kar <br>\r\nyağdı. <img src=\"/i/5\" width=\"100%\"></p>\r\n</p>\r\n","Title":"Bingöl'de kar: 1","Url":"http://www.haber.example/bingolde-kar-1-30486849","Writers":[]}`,
		`type Article
path /yerel-haberler/bingol/
title Bingöl'de kar: 1
spot Bingöl'de kar
url http://www.haber.example/bingolde-kar-1-30486849
editor KHA
published 2017-06-11T18:39:13Z
modified 2017-06-11T18:39:13Z
images [http://www.haber.example/i/5]
lead http://www.haber.example/i/5
`,
	}, {
		"column: the list names the writer's id, the single record has text cut off", record.Column,
		`{"Id":"30252323","Fullname":"Ünal Öz","ContentType":"Column","CreatedDate":"2016-10-18T14:29:12.847Z","Description":"Hani'EVET'desem ne olacak o da ayrı!..","Files":[],"Path":"/spor/basketbol/","Title":"Son çeyrek","Url":"http://sosyal.haber.example/yazar/unal-oz_418/son-ceyrek_30252323","WriterId":"55ea09f8f018fbaf44942506"}`,
		`{"Id":"30252323","Fullname":"Ünal Öz","ContentType":"Column","CreatedDate":"2016-10-18T14:29:12.847Z","Description":"Hani...","Files":[{"FileUrl":"http://img.haber.example/i/c.jpg","Metadata":{"Title":""}}],"Path":"/yazarlar/unal-oz/","StartDate":"2016-10-18T14:30:00Z","Text":"<p><img src=\"http://img.haber.example/i/59437536\" width=\"100%\"></p...","Title":"Son çeyrek","Url":"http://www.haber.example/yazarlar/unal-oz/son-ceyrek-30252323"}`,
		`type Column
path /yazarlar/unal-oz/
title Son çeyrek
spot Hani...
url http://www.haber.example/yazarlar/unal-oz/son-ceyrek-30252323
published 2016-10-18T14:30:00Z
modified 2016-10-18T14:30:00Z
writers [{55ea09f8f018fbaf44942506 Ünal Öz}]
images [http://img.haber.example/i/c.jpg http://img.haber.example/i/59437536]
lead http://img.haber.example/i/c.jpg
`,
	}, {
		"gallery: spot of a dot, empty text, tags of both cases", record.Gallery, "",
		`{"Id":"30494011","ContentType":"NewsPhotoGallery","CreatedDate":"2017-06-18T12:41:25.637Z","Description":".","Editor":"","Files":[{"FileUrl":"http://img.haber.example/i/1.jpg","Metadata":{"Title":"","Description":""}},{"FileUrl":"http://img.haber.example/i/2.jfif","Metadata":{"Title":"","Description":""}}],"Path":"/dunya/","StartDate":"2017-06-18T12:42:00Z","Tags":["ırmak","Ada","Ada günlüğü"],"Text":"","Title":"Ada'da şenlik başladı! ","Url":"http://www.haber.example/galeri-adada-senlik-basladi-30494011"}`,
		`type NewsPhotoGallery
path /dunya/
title Ada'da şenlik başladı!
url http://www.haber.example/galeri-adada-senlik-basladi-30494011
published 2017-06-18T12:42:00Z
modified 2017-06-18T12:42:00Z
tags ırmak, Ada, Ada günlüğü
images [http://img.haber.example/i/1.jpg http://img.haber.example/i/2.jfif]
lead http://img.haber.example/i/1.jpg
`,
	}, {
		"writer in a list, address of the site alone", record.Writer,
		`{"Id":"5809bbd30ad69709f47b14ad","Fullname":"Elvan Yar","ContentType":"PersonContainer","CreatedDate":"2016-10-21T06:55:15.817Z","Files":[],"Path":"/yazarlar/","Url":"http://www.haber.example"}`,
		`{"Id":"5809bbd30ad69709f47b14ad","Fullname":"Elvan Yar","ContentType":"PersonContainer","CreatedDate":"2016-10-21T06:55:15.817Z","Files":[],"Path":"/yazarlar/","RelatedNews":[],"Tags":[],"Url":"http://www.haber.example"}`,
		`type PersonContainer
path /yazarlar/
title Elvan Yar
url http://www.haber.example
published 2016-10-21T06:55:15.817Z
modified 2016-10-21T06:55:15.817Z
`,
	}, {
		"writer with two portraits", record.Writer,
		`{"Id":"570167e867b0a90bdc503452","Fullname":"Kadir SÖZ","ContentType":"PersonContainer","CreatedDate":"2011-10-31T07:50:44.43Z","Files":[{"FileUrl":"http://img.haber.example/i/k1.jpg","Metadata":{"Title":"Kadir SÖZ"}},{"FileUrl":"http://img.haber.example/i/k2.jpg","Metadata":{"Title":""}}],"Path":"/yazarlar/","Url":"http://www.haber.example/yazarlar/kadir-soz/"}`, "",
		`type PersonContainer
path /yazarlar/
title Kadir SÖZ
url http://www.haber.example/yazarlar/kadir-soz/
published 2011-10-31T07:50:44.43Z
modified 2011-10-31T07:50:44.43Z
images [http://img.haber.example/i/k1.jpg http://img.haber.example/i/k2.jpg]
lead http://img.haber.example/i/k1.jpg
`,
	}, {
		"folder", record.Folder,
		`{"Id":"58ac2bae18c773091cd22ae5","Path":"/ekonomi/-elektrikte-yenilik/","Title":" Elektrikte Yenilik"}`,
		`{"Id":"58ac2bae18c773091cd22ae5","Path":"/ekonomi/-elektrikte-yenilik/","Title":" Elektrikte Yenilik"}`,
		"path /ekonomi/-elektrikte-yenilik/\ntitle Elektrikte Yenilik\n",
	}, {
		"editorial page: the list has no news, the address is relative", record.Page,
		`{"Id":"p","Title":"Ada günlüğü","Url":"/ada-gunlugu/","CreatedDate":"2016-11-03T08:00:00Z"}`,
		`{"Id":"p","Title":"Ada günlüğü","Url":"/ada-gunlugu/","CreatedDate":"2016-11-03T08:00:00Z","PageNews":[{"Id":30486849,"Title":"<b>Kar</b>","Url":"http://www.haber.example/kar"},{"Title":"neither"},{"Url":"http://www.haber.example/b"}],"RelatedNews":[{"Id":"7"}]}`,
		`title Ada günlüğü
url /ada-gunlugu/
published 2016-11-03T08:00:00Z
modified 2016-11-03T08:00:00Z
related [{30486849 Kar http://www.haber.example/kar} {  http://www.haber.example/b}]
`,
	}, {
		"video", record.Video, "",
		`{"Id":"3","ContentType":"NewsVideo","ModifieDate":"2017-06-19T00:00:00Z","CreatedDate":"2017-06-18T00:00:00Z","Title":"Kıyı","Editor":" KHA ","RelatedNews":[{"Id":"30486849"}]}`,
		`type NewsVideo
title Kıyı
editor KHA
published 2017-06-18T00:00:00Z
modified 2017-06-19T00:00:00Z
related [{30486849  }]
`,
	},
}

func TestShapes(t *testing.T) {
	for _, test := range shapes {
		t.Run(test.name, func(t *testing.T) {
			if got := summary(fill(t, test.kind, test.list, test.single)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// TestMerge: which of the two documents is believed.
func TestMerge(t *testing.T) {
	const (
		list   = `{"Title":"L","Description":"l","Path":"/l/","Url":"http://haber.example/l","ContentType":"Article","Tags":["l"],"Files":[{"FileUrl":"http://img.example/l.jpg"}],"Text":"<p>l</p>"}`
		single = `{"Title":"S","Description":"s","Path":"/s/","Url":"http://haber.example/s","ContentType":"Column","Tags":["s"],"Files":[{"FileUrl":"http://img.example/s.jpg"}],"Text":"<p>s</p>"}`
		sparse = `{"Title":" ","Description":null,"Tags":[],"Files":[],"Text":"<p>s</p>"}`
	)
	const l, s = "/l/ L l http://haber.example/l Article [l] ", "/s/ S s http://haber.example/s Column [s] "
	tests := map[string]struct {
		list, single string
		wanted       bool
		want         string
	}{
		"list alone":                      {list, "", true, l + "l.jpg l"},
		"list alone, not wanted":          {list, "", false, l + "l.jpg l"},
		"single alone":                    {"", single, false, s + "s.jpg s"},
		"single alone, wanted again":      {"", single, true, s + "s.jpg s"},
		"both":                            {list, single, false, s + "s.jpg s"},
		"list is newer":                   {list, single, true, l + "s.jpg s"},
		"single says less":                {list, sparse, false, l + "l.jpg s"},
		"single says less, list newer":    {list, sparse, true, l + "l.jpg s"},
		"list says less":                  {sparse, single, false, s + "s.jpg s"},
		"list says less, but it is newer": {sparse, single, true, s + "s.jpg s"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := &archive.Record{Record: record.Record{Kind: record.Article, ID: "1", Answers: record.Answers{FetchDue: test.wanted}}}
			if test.list != "" {
				r.List = []byte(test.list)
			}
			if test.single != "" {
				r.Single = []byte(test.single)
			}
			if err := record.Fill(&r.Record, record.Dates{}); err != nil {
				t.Fatal(err)
			}
			content, err := record.ContentOf(&r.Record)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(r.Path, " ", r.Title, " ", r.Spot, " ", r.URL, " ", r.Type, " ", r.Tags, " ",
				strings.TrimPrefix(r.Lead, "http://img.example/"), " ", strings.Trim(content.Text, "</p>"))
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			// What a page shows is what was asked to be mirrored.
			for _, file := range content.Files {
				if !slices.Contains(r.Images, file.URL) {
					t.Errorf("%s is shown but not among %v", file.URL, r.Images)
				}
			}
		})
	}
}

func TestTextForTheIndex(t *testing.T) {
	r := fill(t, record.Article, "", `{"Text":"<p>Bir &amp; iki</p><p>üç</p><script>x</script>","Tags":["etiket"],"Writers":[{"Fullname":"Ali"}],"Files":[{"FileUrl":"http://img.example/1.jpg","Metadata":{"Description":"altyazı"}}]}`)
	for _, word := range []string{"Bir & iki", "üç", "etiket", "Ali", "altyazı"} {
		if !strings.Contains(r.Text, word) {
			t.Errorf("%q is not in %q", word, r.Text)
		}
	}
	if strings.Contains(r.Text, "x") || strings.Contains(r.Text, "<") {
		t.Errorf("markup in %q", r.Text)
	}
}

func TestFillReplacesWhatWasThere(t *testing.T) {
	r := fill(t, record.Article, shapes[1].list, shapes[2].single)
	r.List, r.Single = []byte(`{"Id":"1"}`), nil
	if err := record.Fill(&r.Record, record.Dates{}); err != nil {
		t.Fatal(err)
	}
	if got := summary(r); got != "" {
		t.Errorf("left over:\n%s", got)
	}
}

func TestID(t *testing.T) {
	for raw, want := range map[string]string{`{"Id":"5809bbd3"}`: "5809bbd3", `{"Id":30486849}`: "30486849", `{"Title":"x"}`: "", `{"Id":""}`: ""} {
		if got, err := record.ID([]byte(raw)); got != want || err != nil {
			t.Errorf("%s: %q, %v", raw, got, err)
		}
	}
	for _, raw := range []string{`[]`, `"x"`, `{"Id":`, `<html>`} {
		if _, err := record.ID([]byte(raw)); err == nil {
			t.Errorf("%s: no error", raw)
		}
	}
}

func TestBadJSONIsNamed(t *testing.T) {
	for name, r := range map[string]*archive.Record{
		"list record article 7":   {Record: record.Record{Kind: record.Article, ID: "7", Answers: record.Answers{List: []byte(`[`)}}},
		"single record gallery 7": {Record: record.Record{Kind: record.Gallery, ID: "7", Answers: record.Answers{Single: []byte(`"x"`)}}},
	} {
		if err := record.Fill(&r.Record, record.Dates{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Fill: %v, want it to name the %s", err, name)
		}
		if _, err := record.ContentOf(&r.Record); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("ContentOf: %v, want it to name the %s", err, name)
		}
	}
}

func TestEveryKindHasAGroup(t *testing.T) {
	for _, kind := range record.Kinds {
		if record.Groups[kind] == "" {
			t.Errorf("%s has none", kind)
		}
	}
}
