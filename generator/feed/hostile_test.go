package feed_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/feed"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

const dated = `"CreatedDate":"2026-03-14T09:00:00Z",`

// TestHostile renders a record of hostile fields; whatever they are, there is
// one whole entry that reads alike in the three formats.
func TestHostile(t *testing.T) {
	control := strings.Join([]string{`\u0000\u0001\u0008\u000b\u001f`, "\x7f\u0080\u0085\u009f", "\ufffe\uffff\ufdd0\U0001ffff"}, "x")
	everywhere := func(s string) string {
		return dated + strings.ReplaceAll(`"Title":@,"Description":@,"Editor":@,"Text":@,"Path":@,"Tags":[@],"Url":@,"Writers":[{"Id":@,"Fullname":@}],"Files":[{"FileUrl":@,"Metadata":{"Title":@,"Description":@}}]`, "@", s)
	}
	tests := []struct {
		name   string
		fields string
		want   read
	}{
		{"control characters", everywhere(`"a` + control + `b"`), read{}},
		{"the end of a cdata section", everywhere(`"]]>]]]]><![CDATA["`), read{content: `]]&gt;`}},
		{"broken UTF-8", everywhere("\"a\xff\xc0\x80\xed\xa0\x80b\""), read{}},
		{"lone surrogates", everywhere(`"a\ud800b\udc00"`), read{}},
		{"direction overrides", dated + "\"Title\":\"a\u202eb\u2066c\u2069\ufeffd\"", read{title: "abcd"}},
		{"script", everywhere(`"<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)>"`), read{}},
		{"an encoded script", everywhere(`"&lt;script&gt;alert(1)&lt;/script&gt;"`), read{title: "<\u2060script>alert(1)<\u2060/script>"}},
		{"out of an attribute", dated + `"Title":"x","Files":[{"FileUrl":"http://a.example/1.jpg","Metadata":{"Title":"\"><script>alert(1)</script>","Description":"</figcaption><script>alert(1)</script>"}}]`, read{}},
		{"frames and forms", dated + `"Title":"x","Text":"<base href=//e><meta http-equiv=refresh><form action=x><iframe src='javascript:alert(1)'></iframe><style>*{}</style><math><a xlink:href='javascript:1'>"`, read{}},
		{"addresses", dated + `"Title":"x","Url":"javascript:alert(1)","Text":"<a href='javascript:alert(1)'>y</a><a href='data:text/html,x'>z</a>","Files":[{"FileUrl":"javascript:alert(1)"}]`, read{}},
		{"entities once", dated + `"Title":"&amp;lt; AT&T &quot;x&quot;"`, read{title: "&\u2060lt; AT&T \"x\""}},
		{"no title", dated + `"Title":" ","Description":"Yalnız spot"`, read{title: "Yalnız spot", summary: "Yalnız spot"}},
		{"no title and no spot", dated + `"Title":"","Description":"."`, read{title: "7"}},
		{"no spot", dated + `"Title":"x","Text":"<p>Bir  iki<p>üç"`, read{summary: "Bir iki üç"}},
		{"no spot and a long text", dated + `"Title":"x","Text":"<p>` + strings.Repeat("uzun ", 1000) + `"`, read{summary: strings.TrimSpace(strings.Repeat("uzun ", 56)) + "…"}},
		{"a huge text", dated + `"Title":"x","Description":"Kısa","Text":"<p>` + strings.Repeat("uzun ", 60_000) + `"`, read{summary: "Kısa", content: "none"}},
		{"many pictures", dated + `"Title":"x","Files":[` + manyFiles(5000) + `]`, read{content: "none"}},
		{"an id of odd characters", dated + `"Title":"x"`, read{}},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			id := "7"
			if i == len(tests)-1 {
				id = "ş /?#%\x00\"<"
			}
			fields := []byte("{" + test.fields + "}")
			reader := arranged(t, store(t, []*archive.Record{{Record: record.Record{Kind: record.Article, ID: id, Answers: record.Answers{List: fields, Single: fields}}}}, nil), settings(t))
			reader.Mirror = false
			rendered := render(t, reader, options)
			keepFor(t, fmt.Sprintf("h%02d", i), rendered)
			e := agreed(t, rendered)[0]
			if e.link == "" || e.title == "" || e.published.Year() != 2026 {
				t.Errorf("incomplete: %+v", e)
			}
			if strings.ContainsFunc(fmt.Sprint(e), func(r rune) bool {
				return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef
			}) {
				t.Errorf("forbidden characters in %+v", e)
			}
			if test.want.title != "" && e.title != test.want.title {
				t.Errorf("title %q, want %q", e.title, test.want.title)
			}
			if test.want.summary != "" && e.summary != test.want.summary {
				t.Errorf("summary %q, want %q", e.summary, test.want.summary)
			}
			if pictures := strings.Count(rendered["feed.xml"], "<media:content"); test.want.content == "none" && (pictures > 1 || strings.Contains(e.content, "<")) {
				t.Errorf("a text of %d bytes, %d pictures", len(e.content), pictures)
			} else if test.want.content != "none" && !strings.Contains(e.content, test.want.content) {
				t.Errorf("text %q", e.content)
			}
			checkMarkup(t, e.content)
			if i == len(tests)-1 && e.id != "tag:ayna.example,2026-01-01:article/%C5%9F%20%2F%3F%23%25%00%22%3C" {
				t.Errorf("id %q", e.id)
			}
		})
	}
}

var dump = flag.String("dump", "", "also write the feeds of the hostile records into this directory, for other parsers to read")

// keepFor writes feeds where the flag says.
func keepFor(t *testing.T, name string, rendered map[string]string) {
	t.Helper()
	if *dump == "" {
		return
	}
	for path, document := range rendered {
		path = filepath.Join(*dump, name, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(document), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func manyFiles(n int) string {
	files := make([]string, n)
	for i := range files {
		files[i] = fmt.Sprintf(`{"FileUrl":"http://a.example/%d","Metadata":{"Description":"Fotoğraf"}}`, i)
	}
	return strings.Join(files, ",")
}

// agreed reads the home feeds and returns their entries, which must be alike.
func agreed(t testing.TB, rendered map[string]string) []read {
	t.Helper()
	var first []read
	for _, name := range []string{"feed.xml", "atom.xml", "feed.json"} {
		_, entries, err := readFeed(rendered[name])
		if err != nil {
			t.Fatalf("%s: %v\n%q", name, err, rendered[name])
		}
		if name == "feed.xml" {
			first = entries
		}
		if len(entries) != len(first) {
			t.Fatalf("%s has %d entries, not %d", name, len(entries), len(first))
		}
		for i, e := range entries {
			if e.id != first[i].id || e.link != first[i].link || strings.TrimSpace(e.title) != strings.TrimSpace(first[i].title) ||
				e.published != first[i].published || e.updated != first[i].updated {
				t.Errorf("%s: %+v\nRSS: %+v", name, e, first[i])
			}
		}
	}
	return first
}

func TestDates(t *testing.T) {
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	tests := []struct {
		name, fields       string
		published, updated time.Time // zero: not in the feed
	}{
		{"none", `"CreatedDate":null`, time.Time{}, time.Time{}},
		{"empty date of .NET", `"CreatedDate":"0001-01-01T00:00:00Z"`, time.Time{}, time.Time{}},
		{"year 12026", `"CreatedDate":"12026-01-01T00:00:00Z"`, time.Time{}, time.Time{}},
		{"published", `"CreatedDate":"2026-02-01T00:00:00.999Z"`, day(2026, 2, 1), day(2026, 2, 1)},
		{"modified", `"CreatedDate":"2026-02-01T00:00:00Z","ModifiedDate":"2026-02-02T00:00:00Z"`, day(2026, 2, 1), day(2026, 2, 2)},
		{"modified within the second", `"CreatedDate":"2026-02-01T00:00:00.1Z","ModifiedDate":"2026-02-01T00:00:00.2Z"`, day(2026, 2, 1), day(2026, 2, 1)},
		{"modified before it was published", `"CreatedDate":"2026-02-02T00:00:00Z","ModifiedDate":"2026-02-01T00:00:00Z"`, day(2026, 2, 2), day(2026, 2, 2)},
		{"in the future", `"CreatedDate":"2999-01-01T00:00:00Z","ModifiedDate":"2999-01-02T00:00:00Z"`, seen, seen},
		{"before 1970", `"CreatedDate":"1951-05-01T00:00:00Z"`, day(1951, 5, 1), day(1951, 5, 1)},
		{"with an offset", `"CreatedDate":"2026-02-01T03:00:00+03:00"`, day(2026, 2, 1), day(2026, 2, 1)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			reader := arranged(t, store(t, []*archive.Record{article("7", `"Title":"x",`+test.fields)}, nil), settings(t))
			entries := agreed(t, render(t, reader, options))
			switch {
			case len(entries) == 0:
				if !test.published.IsZero() {
					t.Error("left out")
				}
			case !entries[0].published.Equal(test.published) || !entries[0].updated.Equal(test.updated):
				t.Errorf("published %v, updated %v; want %v, %v", entries[0].published, entries[0].updated, test.published, test.updated)
			}
		})
	}
}

// TestIDs: an entry keeps its id, whatever else becomes of the record.
func TestIDs(t *testing.T) {
	fields := dated + `"Title":"Başlık","Path":"/spor/","Url":"http://www.haber.example/baslik-7"`
	ids := func(fields string, change func(*site.Settings)) string {
		s := settings(t)
		change(&s)
		return agreed(t, render(t, arranged(t, store(t, []*archive.Record{article("7", fields)}, nil), s), options))[0].id
	}
	keep := func(*site.Settings) {}
	tests := []struct {
		name, fields string
		change       func(*site.Settings)
	}{
		{"as it was", fields, keep},
		{"another title", strings.Replace(fields, "Başlık", "Yeni başlık", 1), keep},
		{"another folder", strings.Replace(fields, "/spor/", "/futbol/", 1), keep},
		{"another address at the source", strings.Replace(fields, "baslik-7", "yeni", 1), keep},
		{"another date", strings.Replace(fields, "2026", "2025", 1), keep},
		{"another base address", fields, func(s *site.Settings) { s.BaseURL = "https://baska.example/" }},
		{"another site title", fields, func(s *site.Settings) { s.Title = "Başka" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if id := ids(test.fields, test.change); id != "tag:ayna.example,2026-01-01:article/7" {
				t.Errorf("id %q", id)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	reader := func(mirror bool) *story.Reader {
		r := arranged(t, store(t, paper(), mirrored), settings(t))
		r.Mirror = mirror
		return r
	}
	with := func(change func(*feed.Options)) feed.Options {
		o := options
		change(&o)
		return o
	}
	tests := []struct {
		name           string
		mirror         bool
		options        feed.Options
		entries        int
		has, lack      []string // in the RSS feed of home
		json, jsonLack []string // in its JSON feed
	}{
		{"full text", true, options, 5,
			[]string{"<content:encoded>", `<enclosure url="https://ayna.example/haber/media/aa11.jpg" length="54321"`, "Bu yazının tam metni"},
			[]string{"http://img.haber.example/i/1.jpg"}, []string{`"content_html"`, `"size_in_bytes": 54321`}, []string{`"banner_"`, `"size":`, `\u003c`}},
		{"summaries", true, with(func(o *feed.Options) { o.FullText = false }), 5,
			[]string{"<media:content", "<description>Kıyıdan görüntüler</description>"}, []string{"<content:encoded>", "Bu yazının tam metni"},
			[]string{`"content_text": "Kıyıdan görüntüler"`, `"content_text": "Fener alayı yola çıktı!"`}, []string{`"content_html"`}},
		{"pictures at the source", false, options, 5,
			[]string{`<media:content url="http://img.haber.example/i/2.jpg" medium="image">`, `<img src="http://img.haber.example/i/5.png"`},
			[]string{"<enclosure", "ayna.example/haber/media/"}, []string{`"image": "http://img.haber.example/i/1.jpg"`}, []string{`"attachments"`}},
		{"two entries", true, with(func(o *feed.Options) { o.Items = 2 }), 2, nil, []string{"article/"}, nil, []string{"article/"}},
		{"no hub", true, with(func(o *feed.Options) { o.Hub = "" }), 5, nil, []string{`rel="hub"`}, nil, []string{`"hubs"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rendered := render(t, reader(test.mirror), test.options)
			if n := len(agreed(t, rendered)); n != test.entries {
				t.Errorf("%d entries, want %d", n, test.entries)
			}
			for _, check := range []struct {
				file      string
				has, lack []string
			}{{"feed.xml", test.has, test.lack}, {"feed.json", test.json, test.jsonLack}} {
				for _, text := range check.has {
					if !strings.Contains(rendered[check.file], text) {
						t.Errorf("%s lacks %q:\n%s", check.file, text, rendered[check.file])
					}
				}
				for _, text := range check.lack {
					if strings.Contains(rendered[check.file], text) {
						t.Errorf("%s has %q:\n%s", check.file, text, rendered[check.file])
					}
				}
			}
		})
	}
}

func TestPictures(t *testing.T) {
	const fields = `{"CreatedDate":"2026-03-14T09:00:00Z","Title":"x","Text":"<p>Önce</p><img src='http://a.example/1.jpg'><p>Sonra</p>",
		"Files":[{"FileUrl":"http://a.example/1.jpg","Metadata":{"Description":"Bir"}},{"FileUrl":"http://a.example/2.jpg","Metadata":{"Description":"İki"}}]}`
	tests := []struct {
		name      string
		kind      record.Kind
		media     archive.Media
		images    []string // in the text, by their files
		enclosure bool
	}{
		{"an article's once", record.Article, archive.Media{Name: "1.jpg", Type: "image/jpeg", Bytes: 9}, []string{"1.jpg"}, true},
		{"a gallery's all", record.Gallery, archive.Media{Name: "1.jpg", Type: "image/jpeg", Bytes: 9}, []string{"1.jpg", "1.jpg"}, true},
		{"no type", record.Article, archive.Media{Name: "1.jpg", Bytes: 9}, []string{"1.jpg"}, false},
		{"no length", record.Article, archive.Media{Name: "1.jpg", Type: "image/jpeg"}, []string{"1.jpg"}, false},
		{"failed", record.Article, archive.Media{Problem: "404"}, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.media.URL = "http://a.example/1.jpg"
			a := store(t, []*archive.Record{fakepaper.Raw(test.kind, fields, fields)}, []archive.Media{test.media})
			rendered := render(t, arranged(t, a, settings(t)), options)
			content := agreed(t, rendered)[0].content
			var images []string
			for _, m := range regexp.MustCompile(`<img src="https://ayna.example/haber/media/([^"]+)"`).FindAllStringSubmatch(content, -1) {
				images = append(images, m[1])
			}
			if !slices.Equal(images, test.images) || strings.Count(content, "<img") != len(images) || !strings.Contains(content, "<figcaption>İki</figcaption>") {
				t.Errorf("pictures %q in %s", images, content)
			}
			for name, mark := range map[string]string{"feed.xml": "<enclosure ", "atom.xml": `rel="enclosure"`, "feed.json": `"attachments"`} {
				if strings.Contains(rendered[name], mark) != test.enclosure {
					t.Errorf("%s: %s", name, rendered[name])
				}
			}
		})
	}
}

// TestSettings: what the owner writes is no more trusted to be fit for XML.
func TestSettings(t *testing.T) {
	s := settings(t)
	s.Title, s.Description, s.SourceName = "A\x00&\ufffe<b>", "", "]]>\x1b"
	s.SourceHome = "javascript:alert(1)"
	rendered := render(t, arranged(t, store(t, paper(), nil), s), options)
	agreed(t, rendered)
	if err := wellFormed(rendered["opml.xml"]); err != nil {
		t.Error(err)
	}
	parsed, _, err := readFeed(rendered["spor/atom.xml"])
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rendered["feed.xml"], "<description>Bu site, ]]&amp;gt; içeriğinin bir aynasıdır.</description>") {
		t.Errorf("the feed of home has another description: %s", rendered["feed.xml"])
	}
	if parsed.Title != "Spor – A&<\u2060b>" {
		t.Errorf("title %q, description %q", parsed.Title, parsed.Description)
	}
	for name, document := range rendered {
		if strings.Contains(document, "javascript:") || strings.Contains(document, "\ufffd") {
			t.Errorf("an unsafe address or character in %s:\n%s", name, document)
		}
	}
}
