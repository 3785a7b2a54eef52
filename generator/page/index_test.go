package page_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"ayna/archive"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// columns returns n columns, the first one the newest, whose writers are named in turn.
func columns(n int, names ...string) []*archive.Record {
	records := make([]*archive.Record, n)
	for i := range records {
		records[i] = fakepaper.Item(record.Column, fmt.Sprint(60000000+n-i), "Title", fmt.Sprintf("Yazı %d", i), "Path", "/yazarlar/",
			"CreatedDate", fmt.Sprintf("2026-03-%02dT07:00:00Z", 28-i%28), "Fullname", names[i%len(names)])
	}
	return records
}

// TestWriters: few writers are shown together, many by their letters and with the newest
// above them, very many by their names.
func TestWriters(t *testing.T) {
	testrun.NotShort(t)
	named := func(n int) []string {
		names := []string{"Zeki Usta", "İlhan Çınar", "Irmak Deniz"}
		for i := len(names); i < n; i++ {
			names = append(names, fmt.Sprintf("Ali %c%c", 'A'+i/26, 'a'+i%26))
		}
		return names
	}
	const letters, newest, face = `<nav class="letters"`, `<h2>Son yazılar</h2>`, `<a class="writer"`
	for _, c := range []struct {
		writers    int
		has, lacks []string
		faces      int
	}{
		{3, []string{`<span class="initials" aria-hidden="true">İÇ</span>`, `dir="auto">Yazı 1</a>`, `>27 Mart 2026 10.00</time>`}, []string{letters, newest, `<h2 id="l-`}, 3},
		{25, []string{letters, newest, `<h2 id="l-c4b0">İ</h2>`, `<h2 id="l-49">I</h2>`, `<h2 id="l-5a">Z</h2>`}, nil, 12 + 25},
		{301, []string{letters, newest, `>İlhan Çınar</a> <small>1</small>`}, nil, 12},
	} {
		w := newWorld(t, "tr")
		w.fixture = fixture{records: columns(c.writers, named(c.writers)...)}
		text := string(w.render(t).files["yazar/index.html"])
		for _, mark := range c.has {
			if !strings.Contains(text, mark) {
				t.Errorf("%d writers: the index lacks %s", c.writers, mark)
			}
		}
		for _, mark := range c.lacks {
			if strings.Contains(text, mark) {
				t.Errorf("%d writers: the index has %s", c.writers, mark)
			}
		}
		if n := strings.Count(text, face); n != c.faces {
			t.Errorf("%d writers: %d are shown with their newest item, want %d", c.writers, n, c.faces)
		}
		if at := strings.Index(text, newest); at >= 0 && !strings.HasPrefix(text[at+strings.Index(text[at:], "<bdi>"):], "<bdi>Zeki Usta<") {
			t.Errorf("%d writers: the newest is not first", c.writers)
		}
	}
}

// TestArchiveIndex: a year has twelve months; parts of a long month are beside it.
func TestArchiveIndex(t *testing.T) {
	testrun.NotShort(t)
	w := newWorld(t, "tr")
	w.fixture = fixture{records: append(articles(610), columns(1, "Zeki Usta")...)}
	text := string(w.render(t).files["arsiv/index.html"])
	for _, mark := range []string{
		"<h1>Arşiv</h1>", `<p class="meta">610 haber, 1 köşe yazısı</p>`, "<h2>2026</h2>", "<li>Şubat</li>", `<a href="2026-03.html">Mart</a> <small>1</small>`,
		`<a href="2026-01.html">Ocak</a> <small>610</small> <span class="parts"> <a href="2026-01-1.html"><span class="hidden">Ocak </span>1</a> <a href="2026-01-2.html">`,
	} {
		if !strings.Contains(text, mark) {
			t.Errorf("the archive lacks %s", mark)
		}
	}
	if n := strings.Count(text, "<li>"); n < 12 || strings.Count(text, "<h2>2") != 1 {
		t.Errorf("%d months", n)
	}
}

// TestPeriods: a month names its days; the first page of a writer of many items leads to their
// years.
func TestPeriods(t *testing.T) {
	w := newWorld(t, "tr")
	w.fixture = fixture{records: append(columns(249, "Zeki Usta"), fakepaper.Item(record.Column, "7", "Title", "Eski", "Path", "/yazarlar/",
		"CreatedDate", "2019-12-31T22:00:00Z", "Fullname", "Zeki Usta"))}
	files := w.render(t).files
	for _, c := range []struct{ address, want string }{
		{"yazar/zeki-usta/index.html", `<li><a href="arsiv/2026.html">2026</a> <small>249</small></li>`},
		{"yazar/zeki-usta/index.html", `<li><a href="arsiv/2020.html">2020</a> <small>1</small></li>`},
		{"yazar/zeki-usta/arsiv/2020.html", `<h1 dir="auto">Zeki Usta, 2020</h1>`},
		{"yazar/zeki-usta/arsiv/2020.html", `href="2026.html"`},
		{"yazar/zeki-usta/arsiv/2026.html", `<a href="../index.html"><bdi>Zeki Usta</bdi></a>`},
		{"arsiv/2026-03.html", `<li><a href="#d28" aria-label="28 Mart 2026">28</a> <small>9</small></li>`},
		{"arsiv/2026-03.html", "<section class=\"day alike\" id=\"d28\">\n<h2>28 Mart 2026</h2>"},
		{"arsiv/2026-03.html", `>10.00</time>`}, // of the day above
		{"yazar/zeki-usta/arsiv/2026.html", "<section class=\"day alike\">\n<h2>28 Mart 2026</h2>"},
	} {
		if !strings.Contains(string(files[c.address]), c.want) {
			t.Errorf("%s lacks %s", c.address, c.want)
		}
	}
	if n := strings.Count(string(files["arsiv/2026-03.html"]), `<article`); n != 249 {
		t.Errorf("the month shows %d items", n)
	}
}

// TestTagIndex: where there are many tags, those with most items are first.
func TestTagIndex(t *testing.T) {
	w := newWorld(t, "tr")
	var tags []string
	for i := range 50 {
		tags = append(tags, "konu "+string(unicode.ToLower(rune('A'+i/26)))+string(rune('a'+i%26)))
	}
	tags = append(tags, "\ufe70 konu") // a letter that is a blank with an accent
	w.fixture = fixture{records: []*archive.Record{tagged(1, tags), tagged(2, tags[40:50])}}
	text := string(w.render(t).files["etiket/index.html"])
	if !strings.Contains(text, `<h2 id="l-23">#</h2>`) {
		t.Error("a letter of the index has no name")
	}
	_, most, found := strings.Cut(text, "<h2>En çok yazılanlar</h2>")
	if !found || !strings.HasPrefix(most[strings.Index(most, "auto"):], `auto">konu bo</a> <small>2</small>`) {
		t.Errorf("the index does not begin with the tags of most items:\n%s", text)
	}
}
