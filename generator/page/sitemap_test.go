package page_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/page"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

type sitemap struct {
	XMLName xml.Name
	URLs    []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
	} `xml:",any"`
}

func readSitemap(t *testing.T, data []byte) sitemap {
	t.Helper()
	var s sitemap
	if err := xml.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSitemap(t *testing.T) {
	rendered := newWorld(t, "tr").render(t)
	seen := make(map[string]string)
	for _, entry := range readSitemap(t, rendered.files["sitemap.xml"]).URLs {
		name, ok := strings.CutPrefix(entry.Loc, "https://ayna.example/haber/")
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		if _, twice := seen[name]; !ok || twice || rendered.files[name] == nil {
			t.Errorf("%s: twice, or no page of the site", entry.Loc)
		}
		seen[name] = entry.LastMod
	}
	for name := range rendered.files {
		if _, ok := seen[name]; strings.HasSuffix(name, ".html") && name != "404.html" && !ok {
			t.Errorf("%s is not in the sitemap", name)
		}
	}
	for name, want := range map[string]string{
		"index.html": "2026-09-13T05:00:00Z",
		"ekonomi/liman/kopru-onarimi-bitti-41000011.html": "2026-09-12T09:30:00Z",
		"ekonomi/liman/balikcilar-bekliyor-41000010.html": "2026-09-11T05:00:00Z",
		"etiket/aveb/index.html":                          "2026-09-12T09:30:00Z",
		"41000007.html":                                   "",
		"hakkinda.html":                                   "",
	} {
		if seen[name] != want {
			t.Errorf("%s: lastmod %q, want %q", name, seen[name], want)
		}
	}
}

// TestSitemapParts splits the sitemap of a big site, and adds an item to it.
func TestSitemapParts(t *testing.T) {
	testrun.NotShort(t)
	small, big := bigSitemaps(t, 100_000), bigSitemaps(t, 100_001)
	if want := []string{"sitemap-lists-1.xml", "sitemap-items-1.xml", "sitemap-items-2.xml", "sitemap-items-3.xml", "sitemap.xml"}; fmt.Sprint(big.names) != fmt.Sprint(want) {
		t.Errorf("files %v, want %v", big.names, want)
	}
	total := 0
	for _, entry := range readSitemap(t, big.data["sitemap.xml"]).URLs {
		part := readSitemap(t, big.data[strings.TrimPrefix(entry.Loc, "https://ayna.example/haber/")])
		if len(part.URLs) == 0 || len(part.URLs) > 50_000 || part.XMLName.Local != "urlset" {
			t.Errorf("%s has %d addresses in %s", entry.Loc, len(part.URLs), part.XMLName.Local)
		}
		total += len(part.URLs)
	}
	if total < 100_001 {
		t.Errorf("%d addresses in all", total)
	}
	for _, name := range []string{"sitemap-items-1.xml", "sitemap-items-2.xml"} {
		if !bytes.Equal(small.data[name], big.data[name]) {
			t.Errorf("%s is full, but changed with a new item", name)
		}
	}
	if bytes.Equal(small.data["sitemap-items-3.xml"], big.data["sitemap-items-3.xml"]) {
		t.Error("the last part did not change with a new item")
	}
}

type sitemaps struct {
	names []string
	data  map[string][]byte
}

// bigSitemaps renders the sitemaps alone of a site of n items.
func bigSitemaps(t *testing.T, n int) sitemaps {
	t.Helper()
	a, err := archive.Memory(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	w := newWorld(t, "tr")
	s := &site.Site{Settings: w.settings, Root: &site.Folder{}}
	for i := n; i > 0; i-- {
		when := time.Date(2020, 1, 1, 0, i, 0, 0, time.UTC).UnixMilli()
		s.Add(&site.Draft{Kind: site.Article, ID: fmt.Sprint(i), Address: fmt.Sprintf("%d.html", i), Order: when, Published: when})
	}
	s.FolderOf, s.Home.Items, s.All = []*site.Folder{s.Root}, s.Collection.Items(), s.Collection.Items()
	r, err := page.New(story.New(a, s, false), page.Options{Templates: templates.FS})
	if err != nil {
		t.Fatal(err)
	}
	found := sitemaps{data: make(map[string][]byte)}
	for file, err := range r.Files(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(file.Path, "sitemap") || file.Path == site.NewsSitemap {
			continue
		}
		var b bytes.Buffer
		if err := file.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		found.names = append(found.names, file.Path)
		found.data[file.Path] = b.Bytes()
	}
	return found
}

// TestNewsSitemap names the last two days before the newest record.
func TestNewsSitemap(t *testing.T) {
	w := newWorld(t, "tr")
	w.records = nil
	for i, created := range []string{"2026-01-05T12:00:00Z", "2026-01-03T12:00:00Z", "2026-01-03T11:59:59Z", "", "2025-01-05T12:00:00Z"} {
		w.records = append(w.records, fakepaper.Item(record.Article, fmt.Sprint(50000000+i), "Title", fmt.Sprint("]]> ve ", i), "CreatedDate", created))
	}
	var set struct {
		URLs []struct {
			Location string `xml:"loc"`
			News     struct {
				Name  string `xml:"publication>name"`
				Date  string `xml:"publication_date"`
				Title string `xml:"title"`
			} `xml:"http://www.google.com/schemas/sitemap-news/0.9 news"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(w.render(t).files[site.NewsSitemap], &set); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range set.URLs {
		if u.News.Name != w.settings.Title || !strings.HasPrefix(u.Location, w.settings.BaseURL) {
			t.Errorf("%+v", u)
		}
		got = append(got, u.News.Date+" "+u.News.Title)
	}
	want := []string{"2026-01-05T12:00:00Z ]]> ve 0", "2026-01-03T12:00:00Z ]]> ve 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	w.fixture = fixture{}
	if empty := w.render(t); empty.files[site.NewsSitemap] != nil || strings.Contains(string(empty.files["robots.txt"]), site.NewsSitemap) {
		t.Error("a site without news has a sitemap of them")
	}
}
