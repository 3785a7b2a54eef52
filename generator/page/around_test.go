package page_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
)

var (
	teaserTitle = regexp.MustCompile(`<h3 dir="auto"><a href="[^"]*">([^<]*)</a></h3>`)
	columnTitle = regexp.MustCompile(`<li><a href="[^"]*" dir="auto">([^<]*)</a>`)
	neighbour   = regexp.MustCompile(`</small> <bdi>([^<]*)</bdi></a>`)
)

func titles(pattern *regexp.Regexp, page []byte) []string {
	var found []string
	for _, m := range pattern.FindAllSubmatch(page, -1) {
		found = append(found, string(m[1]))
	}
	return found
}

// What follows an item does not change with each new one, and names nothing twice.
func TestAround(t *testing.T) {
	w := newWorld(t, "tr")
	w.Records = articles(12)
	for i := range 6 {
		w.Records = append(w.Records, record{Kind: archive.Column, Single: json.RawMessage(fmt.Sprintf(
			`{"Id":"6%07d","ContentType":"Column","Fullname":"Ada Su","WriterId":"w1","Title":"Yazı %d","Path":"/yazarlar/ada-su/","CreatedDate":"2026-01-0%dT00:00:00Z","Text":"<p>x</p>"}`, i, i, i+1))})
	}
	w.Records = append(w.Records, record{Kind: archive.Column, Single: json.RawMessage(
		`{"Id":"70000000","ContentType":"Column","Fullname":"Can Er","WriterId":"w2","Title":"Başka","Path":"/yazarlar/can-er/","CreatedDate":"2025-01-01T00:00:00Z","Text":"<p>x</p>"}`)})
	w.Records = append(w.Records, record{Kind: archive.Article, Single: json.RawMessage(
		`{"Id":"50000012","ContentType":"Article","Title":"Haber 12","Path":"/spor/","CreatedDate":"2026-01-02T00:00:00Z","Text":"<p>x</p>","RelatedNews":[{"Id":"50000011"},{"Id":"50000003"}]}`)})
	w.Records = append(w.Records, record{Kind: archive.Writer, Single: json.RawMessage(`{"Id":"w1","Fullname":"Ada Su","Path":"/yazarlar/ada-su/"}`)})
	files := w.render(t).files
	for _, c := range []struct {
		name, file           string
		others, links, order []string
	}{
		{"newest but one", "spor/haber-11-50000011.html", []string{"Haber 9", "Haber 8", "Haber 7", "Haber 6"}, nil, []string{"Haber 10", "Haber 12"}},
		{"related to its neighbour", "spor/haber-12-50000012.html", []string{"Haber 11", "Haber 3", "Haber 10", "Haber 9", "Haber 8", "Haber 7"}, nil, nil},
		{"in the middle", "spor/haber-6-50000006.html", []string{"Haber 4", "Haber 3", "Haber 2", "Haber 1"}, nil, []string{"Haber 5", "Haber 7"}},
		{"last but two", "spor/haber-2-50000002.html", []string{"Haber 0", "Haber 4", "Haber 5", "Haber 6"}, nil, []string{"Haber 1", "Haber 3"}},
		{"column", "yazarlar/ada-su/yazi-3-60000003.html", []string{"Başka"}, []string{"Yazı 2", "Yazı 1", "Yazı 0", "Yazı 4", "Yazı 5"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := files[c.file]
			if got := titles(teaserTitle, page); !slices.Equal(got, c.others) {
				t.Errorf("teasers %q, want %q", got, c.others)
			}
			if got := titles(columnTitle, page); !slices.Equal(got, c.links) {
				t.Errorf("columns %q, want %q", got, c.links)
			}
			if got := titles(neighbour, page); !slices.Equal(got, c.order) {
				t.Errorf("neighbours %q, want %q", got, c.order)
			}
		})
	}
}

// TestHeader compares what stands above a text for single fields of a record.
func TestHeader(t *testing.T) {
	long := strings.Repeat("uzun ", 960)
	for _, c := range []struct{ name, fields, has, lacks string }{
		{"changed within the minute", `"CreatedDate":"2026-01-01T09:10:05Z","ModifiedDate":"2026-01-01T09:10:50Z"`, `"dateModified":"2026-01-01T09:10:50Z"`, "Güncellendi"},
		{"changed on the day", `"CreatedDate":"2026-01-01T09:10:05Z","ModifiedDate":"2026-01-01T09:11:00Z"`, `Güncellendi: <time datetime="2026-01-01T09:11:00Z">12.11</time>`, ""},
		{"changed on the next day", `"CreatedDate":"2026-01-11T09:10:05Z","ModifiedDate":"2026-01-12T09:10:05Z"`, `Güncellendi: <time datetime="2026-01-12T09:10:05Z">12 Ocak 2026 12.10</time>`, ""},
		{"headline of 4,800 letters", `"Title":"` + long + `"`, `<h1 dir="auto" class="long">` + strings.TrimSpace(long) + `</h1>`, ""},
		{"short headline", `"Title":"kısa"`, `<h1 dir="auto">kısa</h1>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, "tr")
			w.Records = []record{{Kind: archive.Article, Single: json.RawMessage(
				`{"Id":"1","ContentType":"Article","Path":"/spor/","Text":"<p>x</p>",` + c.fields + `}`)}}
			for name, data := range w.render(t).files {
				if !strings.HasPrefix(name, "spor/") || !strings.HasSuffix(name, "-1.html") && name != "spor/1.html" {
					continue
				}
				if !strings.Contains(string(data), c.has) || c.lacks != "" && strings.Contains(string(data), c.lacks) {
					t.Errorf("%s lacks %s, or has %q:\n%s", name, c.has, c.lacks, data)
				}
				return
			}
			t.Error("the page is not rendered")
		})
	}
}
