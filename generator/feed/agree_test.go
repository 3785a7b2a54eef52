package feed_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html"
)

// read is what a reader gets of an entry, whatever the format.
type read struct {
	id, link, title, summary, content string
	published, updated                time.Time
	authors                           string
	tags                              []string
}

// readFeed reads a feed as strictly as readers do.
func readFeed(document string) (*gofeed.Feed, []read, error) {
	if err := wellFormed(document); err != nil {
		return nil, nil, err
	}
	parsed, err := gofeed.NewParser().ParseString(document)
	if err != nil {
		return nil, nil, err
	}
	var entries []read
	for _, item := range parsed.Items {
		if item.PublishedParsed == nil {
			return nil, nil, fmt.Errorf("%s has no date", item.GUID)
		}
		r := read{
			id: item.GUID, link: item.Link, title: item.Title, summary: item.Description, content: item.Content,
			published: item.PublishedParsed.UTC(), tags: slices.Clone(item.Categories),
		}
		if parsed.FeedType == "rss" { // there it is HTML
			r.summary = html.UnescapeString(r.summary)
		}
		var names []string
		for _, author := range item.Authors {
			names = append(names, author.Name)
		}
		r.authors = strings.Join(names, ", ")
		r.updated = r.published
		if updated := item.Extensions["atom"]["updated"]; len(updated) > 0 {
			if r.updated, err = time.Parse(time.RFC3339, updated[0].Value); err != nil {
				return nil, nil, err
			}
		} else if item.UpdatedParsed != nil {
			r.updated = item.UpdatedParsed.UTC()
		}
		slices.Sort(r.tags)
		r.tags = slices.Compact(r.tags)
		entries = append(entries, r)
	}
	return parsed, entries, nil
}

// wellFormed reports what is wrong with a document as XML or JSON.
func wellFormed(document string) error {
	if !strings.HasSuffix(document, "\n") {
		return errors.New("no line break at the end")
	}
	if strings.HasPrefix(document, "{") {
		if !json.Valid([]byte(document)) {
			return errors.New("no JSON")
		}
		return nil
	}
	if !strings.HasPrefix(document, `<?xml version="1.0" encoding="UTF-8"?>`+"\n<") {
		return errors.New("no XML declaration on a line of its own")
	}
	d := xml.NewDecoder(strings.NewReader(document))
	for {
		switch _, err := d.Token(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// TestFormatsAgree reads every feed of the invented paper: the formats of a list say
// the same.
func TestFormatsAgree(t *testing.T) {
	rendered := standard(t)
	for _, dir := range feedsOf {
		t.Run("list "+dir, func(t *testing.T) {
			_, rss, err := readFeed(rendered[dir+"feed.xml"])
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"atom.xml", "feed.json"} {
				_, other, err := readFeed(rendered[dir+name])
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(rss, other) {
					t.Errorf("RSS\n%+v\n%s\n%+v", rss, name, other)
				}
			}
		})
	}
}

var published = flag.String("site", "", "directory of a published site, whose feeds are read")

// TestPublished reads the feeds of a published site: those in XML say what the
// JSON feed beside them does.
func TestPublished(t *testing.T) {
	if *published == "" {
		t.Skip("no -site")
	}
	xmlNames := strings.NewReplacer("feed.json", "feed.xml atom.xml", "feed-own.json", "feed-own.xml atom-own.xml")
	feeds := 0
	err := fs.WalkDir(os.DirFS(*published), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".json" || !strings.HasPrefix(d.Name(), "feed") {
			return err
		}
		others := xmlNames.Replace(d.Name())
		want := entriesIn(t, name)
		for _, other := range strings.Fields(others) {
			if got := entriesIn(t, path.Join(path.Dir(name), other)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s says\n%+v\n%s says\n%+v", other, got, name, want)
			}
			feeds++
		}
		return nil
	})
	if err != nil || feeds == 0 {
		t.Errorf("%d feeds read, %v", feeds, err)
	}
	t.Logf("%d feeds read", feeds)
}

func entriesIn(t *testing.T, name string) []read {
	t.Helper()
	document, err := os.ReadFile(filepath.Join(*published, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	_, entries, err := readFeed(string(document))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return entries
}

func TestEntries(t *testing.T) {
	tests := []struct {
		dir string
		ids []string
	}{
		{"", []string{"video/51200502", "gallery/51200401", "article/51200311", "article/51200310", "column/51200118"}},
		{"spor/", []string{"video/51200502", "gallery/51200401", "article/51200311", "column/51200118"}},
		{"yazar/nehir-taskin-65aa09f8f018fbaf44942506/", []string{"column/51200118"}},
		{"yazar/isil-ozden-65aa09f8f018fbaf44942507/", nil},
		{"etiket/spor/", []string{"gallery/51200401", "article/51200311"}},
		{"sayfa/ada-gunlugu-65cddcc67b0a934e44ee2d70/", []string{"column/51200118", "article/51200310"}},
		{"arama/kiyi-haberleri/", []string{"video/51200502"}},
	}
	rendered := standard(t)
	for _, test := range tests {
		t.Run("list "+test.dir, func(t *testing.T) {
			_, entries, err := readFeed(rendered[test.dir+"feed.xml"])
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, e := range entries {
				ids = append(ids, strings.TrimPrefix(e.id, "tag:ayna.example,2026-01-01:"))
			}
			if !slices.Equal(ids, test.ids) {
				t.Errorf("%q, want %q", ids, test.ids)
			}
		})
	}
}

// TestRules holds what validators and readers ask for beyond well-formedness.
func TestRules(t *testing.T) {
	for name, document := range standard(t) {
		if strings.HasSuffix(name, "opml.xml") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			parsed, entries, err := readFeed(document)
			if err != nil {
				t.Fatal(err)
			}
			base := "https://ayna.example/haber/"
			page, archived := name[:strings.LastIndexByte(name, '/')+1], strings.Contains(name, "arsiv/")
			if archived {
				page += "2026-03.html"
			}
			if parsed.FeedLink != base+name || parsed.Link != base+page {
				t.Errorf("self %q, page %q", parsed.FeedLink, parsed.Link)
			}
			if title, isList := strings.CutSuffix(parsed.Title, " – Ayna & Haber"); parsed.Language != "tr" || isList == (page == "") && !archived ||
				isList && !strings.HasPrefix(parsed.Description, title+": ") && title != "Düzeltmeler" || !isList && parsed.Description != "Körfez'in haberleri" {
				t.Errorf("language %q, title %q, description %q", parsed.Language, parsed.Title, parsed.Description)
			}
			if strings.Contains(document, "https://hub.example/") == archived {
				t.Error("a hub for what never changes, or none")
			}
			for _, e := range entries {
				if e.authors == "" || e.title == "" || !strings.HasPrefix(e.link, base) || len(e.tags) == 0 {
					t.Errorf("incomplete: %+v", e)
				}
				checkMarkup(t, e.content)
			}
		})
	}
}

var dangerous = regexp.MustCompile(`^(script|style|iframe|object|embed|form|base|meta|link|svg|math|frame|video|audio)$`)

// checkMarkup holds that an entry's text runs nothing and has absolute
// addresses only.
func checkMarkup(t *testing.T, markup string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(markup))
	for z.Next() != html.ErrorToken {
		token := z.Token()
		if token.Type != html.StartTagToken && token.Type != html.SelfClosingTagToken {
			continue
		}
		if dangerous.MatchString(token.Data) {
			t.Errorf("<%s> in %q", token.Data, markup)
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("attribute %s in %q", a.Key, markup)
			}
			if u, err := url.Parse(a.Val); (a.Key == "href" || a.Key == "src") && (err != nil || u.Host == "" || !strings.HasPrefix(u.Scheme, "http")) {
				t.Errorf("%s=%q in %q", a.Key, a.Val, markup)
			}
		}
	}
}

// TestOrderOfElements: readers written with encoding/xml take the last link of
// any namespace for the page's address, and old ones the first text they find.
func TestOrderOfElements(t *testing.T) {
	document := standard(t)["feed.xml"]
	var channel struct {
		Link string `xml:"channel>link"`
		Item []struct {
			Link string `xml:"link"`
		} `xml:"channel>item"`
	}
	if err := xml.Unmarshal([]byte(document), &channel); err != nil {
		t.Fatal(err)
	}
	if channel.Link != "https://ayna.example/haber/" || !strings.HasSuffix(channel.Item[0].Link, "-51200502.html") {
		t.Errorf("links %+v", channel)
	}
	for item := range strings.SplitSeq(document, "<item>") {
		if content := strings.Index(item, "<content:encoded>"); content >= 0 && strings.Index(item, "<description>") > content {
			t.Errorf("the text comes before the summary in %q", item)
		}
	}
}

func TestEmpty(t *testing.T) {
	rendered := render(t, arranged(t, store(t, nil, nil), settings(t)), options)
	if len(rendered) != 4*3+1 { // home, corrections, a search and a mix, and the outline
		t.Fatalf("%d files", len(rendered))
	}
	for name, document := range rendered {
		if name == "opml.xml" {
			continue
		}
		if _, entries, err := readFeed(document); err != nil || len(entries) > 0 {
			t.Errorf("%s: %d entries, %v", name, len(entries), err)
		}
	}
	if !strings.Contains(rendered["feed.json"], `"items": []`) {
		t.Error("a JSON feed must have items")
	}
	if !strings.Contains(rendered["atom.xml"], "<updated>2000-01-01T00:00:00Z</updated>") {
		t.Error("an Atom feed must have a date")
	}
	if strings.Contains(rendered["feed.xml"], "lastBuildDate") {
		t.Error("an RSS feed needs no made-up date")
	}
}
