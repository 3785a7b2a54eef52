package page_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ayna/archive"
	"ayna/generator/site"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// paper is a world of many folders: n items in each, every second with a picture.
func paper(t *testing.T, folders, n int) world {
	w := newWorld(t, "tr")
	w.records = nil
	w.media[0].URL, w.media[0].Problem = "http://img.haber.example/0.jpg", ""
	id := 0
	add := func(kind record.Kind, path string, files int) {
		id++
		pictures := []any{}
		for i := range files {
			pictures = append(pictures, map[string]string{"FileUrl": fmt.Sprintf("http://img.haber.example/%d.jpg", i)})
		}
		w.records = append(w.records, fakepaper.Item(kind, fmt.Sprint(500000+id), "Title", fmt.Sprintf("Takım %d - Rakip 2", id), "Description", "Spot", "Path", path,
			"Files", pictures, "Text", "", "Tags", nil, "CreatedDate", fmt.Sprintf("2026-02-%02dT%02d:%02d:00Z", 1+id/1440, id/60%24, id%60)))
	}
	for i := range n {
		for f := range folders {
			add(record.Article, fmt.Sprintf("/f%03d/", f), (i+f)%2)
		}
		add(record.Gallery, "/galeri/", 6)
		add(record.Video, "/video/", 1)
	}
	for range 3 { // the newest are columns, and articles without a picture
		add(record.Article, "/f000/", 0)
		add(record.Column, "/yazarlar/", 1)
	}
	return w
}

var (
	partOf    = regexp.MustCompile(`(?s)<section class="part">(.*?)</section>`)
	itemLink  = regexp.MustCompile(`<(?:h[23] dir="auto"|li)><a href="([^"]*-5\d{5}\.html)"`)
	frontLink = regexp.MustCompile(`<a href="([^"]*-5\d{5}\.html)"(?: dir="auto")?>`)
	hasImage  = regexp.MustCompile(`(?s)<article class="teaser">.*?</article>`)
	firstWord = regexp.MustCompile(`<bdi>(.*?)</bdi>`)
)

// TestHome: each folder has a part, the largest first, with its pictured items first;
// no item is in two of them; what is shown is bounded.
func TestHome(t *testing.T) {
	for _, folders := range []int{1, 3, 5, 20} {
		home := string(paper(t, folders, 7).render(t).files["index.html"])
		var titles, seen []string
		for _, part := range partOf.FindAllStringSubmatch(home, -1) {
			titles = append(titles, firstWord.FindStringSubmatch(part[1])[1])
			for _, item := range itemLink.FindAllStringSubmatch(part[1], -1) {
				if slices.Contains(seen, item[1]) {
					t.Errorf("%d folders: %s twice", folders, item[1])
				}
				seen = append(seen, item[1])
			}
			bare := false
			for _, teaser := range hasImage.FindAllString(part[1], -1) {
				pictured := strings.Contains(teaser, "<img")
				if pictured && bare {
					t.Errorf("%d folders: a picture follows a text card in %s", folders, part[1])
				}
				bare = bare || !pictured
			}
		}
		var want []string
		for f := range min(folders, 12) {
			want = append(want, fmt.Sprintf("F%03d", f))
		}
		at := min(folders, 4)
		want = slices.Insert(want, at, "Foto galeriler", "Videolar")
		if !slices.Equal(titles, want) {
			t.Errorf("%d folders: parts %q, want %q", folders, titles, want)
		}
		_, lead, _ := strings.Cut(home, `<div class="first">`)
		if lead, _, _ = strings.Cut(lead, "</article>"); !strings.Contains(lead, "<img") || strings.Contains(lead, "yazarlar/") {
			t.Errorf("%d folders: the lead is a column, or has no picture", folders)
		}
		if n := strings.Count(home, "</article>"); n > 40 || len(home) > 60_000 {
			t.Errorf("%d folders: %d teasers, %d bytes", folders, n, len(home))
		}
		nav := home[strings.Index(home, `<nav class="sections"`):strings.Index(home, "</header>")]
		if n, want := strings.Count(nav, "<li>"), min(folders+3, 12); n != want {
			t.Errorf("%d folders: %d in the masthead, want %d", folders, n, want)
		}
		if index := home[strings.Index(home, `id="sections"`):]; strings.Count(index[:strings.Index(index, "</nav>")], "<li>") != folders+3 {
			t.Errorf("%d folders: not all are in the index", folders)
		}
	}
}

// TestLongHeadlines: home ends earlier if its headlines are long, and links all sections.
func TestLongHeadlines(t *testing.T) {
	testrun.NotShort(t)
	for _, c := range []struct {
		letters, parts int
		more           bool
	}{{20, 14, true}, {60, 12, false}, {120, 6, false}} {
		w := paper(t, 20, 7)
		w.records = fakepaper.Replaced(w.records, "Rakip 2", "Rakip 2"+strings.Repeat("x", c.letters-len("Takım 100 - Rakip 2")))
		home := string(w.render(t).files["index.html"])
		if parts := len(partOf.FindAllString(home, -1)); parts != c.parts {
			t.Errorf("%d letters: %d parts, want %d", c.letters, parts, c.parts)
		}
		if more := strings.Contains(home, `<section class="part more">`); more != c.more {
			t.Errorf("%d letters: further items: %t", c.letters, more)
		}
		if index := home[strings.Index(home, `id="sections"`):]; strings.Count(index[:strings.Index(index, "</nav>")], "<li>") != 23 {
			t.Errorf("%d letters: not all sections are in the index", c.letters)
		}
	}
}

// TestFront: what editors chose leads, and the newest fill the front, but columns do not; the
// newest headlines repeat nothing that stands beside them, and are eight.
func TestFront(t *testing.T) {
	for name, chosen := range map[string][]string{"by time": nil, "by editors": {"500004", "500002", "500038", "500037", "500001"}, "one by editors": {"500004"}} {
		w := paper(t, 3, 7)
		if chosen != nil {
			w.records = append(w.records, fakepaper.Raw(record.Page, "", `{"Id":"90","Title":"Manşet","PageNews":[{"Id":"`+strings.Join(chosen, `"},{"Id":"`)+`"}]}`))
		}
		home := string(w.render(t).files["index.html"])
		front := home[strings.Index(home, `<div class="front">`):strings.Index(home, `<div class="rich">`)]
		seconds, _, _ := strings.Cut(front, `<section class="latest"`)
		if _, seconds, _ = strings.Cut(seconds, `<div class="seconds">`); strings.Count(seconds, "<h2") != 4 || len(chosen) < 5 && strings.Contains(seconds, "yazarlar/") {
			t.Errorf("%s: the second items are not four, or are columns: %s", name, seconds)
		}
		_, latest, _ := strings.Cut(front, `<section class="latest"`)
		if n := strings.Count(latest, "<li>"); n != 8 {
			t.Errorf("%s: %d newest headlines", name, n)
		}
		var seen []string
		for _, link := range frontLink.FindAllStringSubmatch(front, -1) {
			if slices.Contains(seen, link[1]) {
				t.Errorf("%s: %s twice", name, link[1])
			}
			seen = append(seen, link[1])
		}
		if chosen != nil && !strings.HasSuffix(seen[0], chosen[0]+".html") {
			t.Errorf("%s: %s leads", name, seen[0])
		}
		if len(seen) != 5+4+8 {
			t.Errorf("%s: %d links: %q", name, len(seen), seen)
		}
	}
}

// TestLeadHasItsText: an item that waits for its text leads only by the editors' choice, or if
// all wait.
func TestLeadHasItsText(t *testing.T) {
	for _, test := range []struct {
		name    string
		waiting int  // of the newest that are no columns
		pinned  bool // by the editors, the newest
		want    string
	}{
		{"none", 0, false, "500035"}, // with a picture
		{"the newest", 7, false, "500030"},
		{"nearly all", 37, false, "500001"},
		{"all", 38, false, "500035"},
		{"chosen", 7, true, "500040"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := paper(t, 3, 7)
			var items []int
			for i, r := range w.records {
				if r.Kind != record.Column {
					items = append(items, i)
				}
			}
			for _, i := range items[len(items)-test.waiting:] {
				w.records[i] = fakepaper.Waiting(w.records[i])
			}
			if test.pinned {
				w.records = append(w.records, fakepaper.Raw(record.Page, "", `{"Id":"90","PageNews":[{"Id":"500040"}]}`))
			}
			home := string(w.render(t).files["index.html"])
			_, front, _ := strings.Cut(home, `<div class="front">`)
			if links := frontLink.FindStringSubmatch(front); links == nil || !strings.HasSuffix(links[1], test.want+".html") {
				t.Errorf("%q leads, want %s", links, test.want)
			}
		})
	}
}

// TestGalleryCount: a gallery's page and its badge count its pictures alike, those in its
// text included.
func TestGalleryCount(t *testing.T) {
	w := newWorld(t, "tr")
	w.linked = true
	w.records = []*archive.Record{fakepaper.Raw(record.Gallery, "", `{"Id":"1","Title":"Liman","Path":"/galeri/",
		"Files":[{"FileUrl":"http://img.haber.example/1.jpg"},{"FileUrl":"http://img.haber.example/2.jpg"}],
		"Text":"<img src=\"http://img.haber.example/2.jpg\"><img src=\"http://img.haber.example/3.jpg\">"}`)}
	files := w.render(t).files
	for name, want := range map[string]string{"galeri/index.html": ">3 foto<", "galeri/liman-1.html": ">3 fotoğraf<"} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s lacks %s:\n%s", name, want, files[name])
		}
	}
}

// A gallery with fewer than two pictures has the page of an article.
func TestGalleryWithOnePicture(t *testing.T) {
	for pictures, want := range map[string]bool{``: false, `{"FileUrl":"http://img.haber.example/1.jpg"}`: false,
		`{"FileUrl":"http://img.haber.example/1.jpg"},{"FileUrl":"http://img.haber.example/2.jpg"}`: true} {
		w := newWorld(t, "tr")
		w.linked = true
		w.records = []*archive.Record{fakepaper.Raw(record.Gallery, "", `{"Id":"1","Title":"Liman","Path":"/galeri/","Files":[`+pictures+`],"Text":"<p>Söz.</p>"}`)}
		text := string(w.render(t).files["galeri/liman-1.html"])
		if got := strings.Contains(text, `<ol class="pictures"`); got != want || !strings.Contains(text, "<p>Söz.</p>") {
			t.Errorf("with %q: a list of pictures %v, want %v", pictures, got, want)
		}
	}
}

// TestTeasers compares badge, kicker and title of teasers.
func TestTeasers(t *testing.T) {
	w := paper(t, 1, 3)
	w.records = append(w.records, fakepaper.Item(record.Article, "77", "Title", "Bölümsüz", "Path", "/uncategorized/", "Tags", nil, "CreatedDate", "2026-09-12T00:00:00Z"))
	rendered := w.render(t)
	for _, c := range []struct{ name, file, has, lacks string }{
		{"no section of items without one", "index.html", "Bölümsüz</a>", "uncategorized/index.html"},
		{"nor a kicker", "arsiv/2026-09.html", "Bölümsüz</a>", "<bdi>Uncategorized</bdi>"},
		{"nor on its page", "uncategorized/bolumsuz-77.html", `<p class="kicker"> <b>Haber</b></p>`, `<bdi>Uncategorized</bdi></a> <b>`},
		{"but its page stays", "bolumler/index.html", "uncategorized/index.html", ""},
		{"pictures of a gallery", "galeri/index.html", `<span class="badge">6 foto</span></a>`, ""},
		{"the kind is named once", "galeri/index.html", `<p class="kicker"> <b class="hidden">Foto galeri</b></p>`, "<b>Foto galeri</b>"},
		{"a video", "tur/video/index.html", "<span class=\"badge\">▶\ufe0e</span></a>", ""},
		{"the section names the kind", "tur/video/index.html", `<p class="kicker"><bdi>Video</bdi></p>`, "<b>Video</b>"},
		{"no break before a dash or score", "f000/index.html", "Takım\u00a01\u00a0- Rakip\u00a02</a>", ""},
		{"the newest item on home", "index.html", `<p class="fresh">Son haber: <time`, ""},
		{"and on no other page", "f000/index.html", "", `class="fresh"`},
	} {
		text := string(rendered.files[c.file])
		if text == "" || !strings.Contains(text, c.has) {
			t.Errorf("%s: %s lacks %s", c.name, c.file, c.has)
		}
		if c.lacks != "" && strings.Contains(text, c.lacks) {
			t.Errorf("%s: %s has %s", c.name, c.file, c.lacks)
		}
	}
}

// TestFewItems: home of a paper with a few items has one column, and no page links to an
// index without a list.
func TestFewItems(t *testing.T) {
	for n, few := range map[int]bool{3: true, 6: false} {
		w := newWorld(t, "en")
		w.fixture = fixture{records: articles(n)}
		w.searches, w.mixes = nil, nil
		w.settings.Words, _ = site.WordsFor("en")
		files := w.render(t).files
		home := string(files["index.html"])
		if strings.Contains(home, `class="front few"`) != few {
			t.Errorf("%d items: one column is %t", n, !few)
		}
		for _, empty := range []string{"writers", "tags", "pages", "corrections"} {
			if files[empty+"/index.html"] == nil {
				t.Errorf("%s/index.html is not there", empty)
			}
			for name, text := range files {
				if strings.Contains(string(text), `href="`+empty+`/index.html"`) {
					t.Errorf("%d items: %s links %s", n, name, empty)
				}
			}
		}
		if !strings.Contains(home, `href="kinds/index.html"`) || !strings.Contains(home, `href="sections/index.html"`) {
			t.Error("home links no index of kinds, or of sections")
		}
	}
}

// TestSections: the page of all sections names each folder once, below its top folder.
func TestSections(t *testing.T) {
	files := newWorld(t, "tr").render(t).files
	page := string(files["bolumler/index.html"])
	for _, folder := range []string{"ekonomi", "ekonomi/liman", "spor", "yazarlar", "a-1/b/c-d"} {
		if strings.Count(page, `href="../`+folder+`/index.html"`) < 1 {
			t.Errorf("it lacks %s", folder)
		}
	}
	if !strings.Contains(page, "B › C D") {
		t.Error("it does not name the folders on the way")
	}
}

// TestWriterOfTeasers: a writer's own page does not repeat the name beside each item.
func TestWriterOfTeasers(t *testing.T) {
	files := newWorld(t, "tr").render(t).files
	found := false
	for name, text := range files {
		if strings.HasPrefix(name, "yazar/nehir") && strings.HasSuffix(name, "index.html") {
			found = true
			if strings.Contains(string(text), `<p class="meta"><bdi>Nehir Taşkın</bdi>`) {
				t.Errorf("%s repeats the name", name)
			}
		}
	}
	if !found {
		t.Error("no page of the writer")
	}
}
