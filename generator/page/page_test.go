package page_test

import (
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/templates"
	"ayna/testrun"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const golden = "testdata/golden"

// goldens are the pages that show all parts of a template, by the template.
var goldens = map[string]string{
	"article":     bridgePage,
	"column":      columnPage,
	"corrections": "duzeltmeler/index.html",
	"gallery":     "ekonomi/liman/limanin-uc-yuzu-41000201.html",
	"home":        "index.html",
	"index":       "yazar/index.html",
	"list":        "ekonomi/liman/index.html",
	"moved":       "spor/index.html",
	"notfound":    "404.html",
	"numbers":     "arsiv/sayilar/index.html",
	"search":      "arama/index.html",
	"subscribe":   "abone/index.html",
	"text":        "kunye.html",
	"video":       "spor/yelken-yarisi-41000301.html",

	// Without a template.
	"Markdown":     "ekonomi/liman/kopru-onarimi-bitti-41000011.md",
	"robots":       "robots.txt",
	"sitemap":      "sitemap.xml",
	"news sitemap": "sitemap-news.xml",
	"manifest":     "manifest.webmanifest",
}

// TestGolden compares a page of each template, and a file of each other format, with
// testdata/golden, which -update rewrites.
func TestGolden(t *testing.T) {
	files, err := fs.Glob(templates.FS, "*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if view := strings.TrimSuffix(name, ".html"); goldens[view] == "" && !slices.Contains([]string{"layout", "parts", "item"}, view) {
			t.Errorf("the template %s has no page", name)
		}
	}
	w := newWorld(t, "tr")
	w.assets = fakeAssets
	rendered := w.render(t)
	moved, _ := later(t)
	for view, name := range goldens {
		t.Run(view, func(t *testing.T) {
			got := rendered.files[name]
			if view == "moved" {
				got = moved.files[name]
			}
			file := filepath.Join(golden, strings.ReplaceAll(view, " ", "-")+path.Ext(name))
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("%s: %s\nrun with -update and read the difference", name, testrun.FirstDifference(string(got), string(want)))
			}
		})
	}
}

// TestSame renders twice from two archives that received the records in
// opposite orders.
func TestSame(t *testing.T) {
	w := newWorld(t, "tr")
	first := w.render(t)
	second := w
	second.records = nil
	for i := range w.records {
		second.records = append(second.records, w.records[len(w.records)-1-i])
	}
	again := second.render(t)
	if len(first.files) != len(again.files) {
		t.Errorf("%d files, then %d", len(first.files), len(again.files))
	}
	for name, data := range first.files {
		if string(again.files[name]) != string(data) {
			t.Errorf("%s differs: %s", name, testrun.FirstDifference(string(again.files[name]), string(data)))
		}
	}
}

// TestShown asks single pages for single things.
func TestShown(t *testing.T) {
	const (
		bridge  = "ekonomi/liman/kopru-onarimi-bitti-41000011.html"
		hostile = "a-1/b/c-d/e/f/g/h/script-alert-baslik-script-ve-tirnak-ters-41000009.html"
		gallery = "ekonomi/liman/limanin-uc-yuzu-41000201.html"
		column  = "yazarlar/nehir-taskin/ruzgarin-yonu-41000100.html"
	)
	tr, en := newWorld(t, "tr"), newWorld(t, "en")
	linked := newWorld(t, "tr")
	linked.linked = true
	linked.set("41000301", "Text", `<iframe src="https://player.vimeo.com/video/1"></iframe>`)
	mirror := newWorld(t, "tr")
	mirror.settings.Canonical, mirror.settings.Robots = "mirror", "deny"
	mirror.settings.Markdown, mirror.settings.Formats = false, nil
	trees := map[string]tree{"tr": tr.render(t), "en": en.render(t), "linked": linked.render(t), "mirror": mirror.render(t)}

	for _, c := range []struct{ name, tree, file, has, lacks string }{
		{"canonical source", "tr", bridge, `<link rel="canonical" href="http://www.haber.example/ekonomi/liman/kopru-onarimi-bitti-41000011">`, ""},
		{"canonical mirror", "mirror", bridge, `<link rel="canonical" href="https://ayna.example/haber/` + bridge + `">`, ""},
		{"canonical of another host", "tr", "olcum/cok-derin-metin-41000006.html", `<link rel="canonical" href="https://ayna.example/haber/olcum/cok-derin-metin-41000006.html">`, ""},
		{"no link to a script", "tr", hostile, "", "javascript:"},
		{"writer's address", "tr", "yazar/irmak-usta-deniz-65aa09f8f018fbaf44942508/index.html", "Irmak", "javascript:"},
		{"robots allow", "tr", bridge, "", "noindex"},
		{"robots deny", "mirror", bridge, `<meta name="robots" content="noindex">`, ""},
		{"robots.txt allow", "tr", "robots.txt", "Allow: /\n", "Disallow"},
		{"robots.txt deny", "mirror", "robots.txt", "Disallow: /\n", ""},
		{"no feeds, no links to feeds", "mirror", "index.html", "", "feed.xml"},
		{"no OPML without feeds", "mirror", "index.html", "", "opml.xml"},
		{"no Markdown, no link to it", "mirror", bridge, "", "text/markdown"},
		{"Markdown", "tr", bridge, `<link rel="alternate" type="text/markdown" href="kopru-onarimi-bitti-41000011.md">`, ""},
		{"feeds of the folder", "tr", bridge, `<link rel="alternate" type="application/atom+xml" title="Liman – Körfez &amp; Ayna (Atom)" href="atom.xml">`, ""},
		{"feeds of home", "tr", bridge, `href="../../feed.json">`, ""},
		{"dates in the zone", "tr", bridge, `<time datetime="2026-09-12T07:00:00Z">12 Eylül 2026 10.00</time>`, ""},
		{"dates in English", "en", bridge, "12 September 2026 10:00", "Eylül"},
		{"related in the mirror", "tr", bridge, `<h3 dir="auto"><a href="../../ekonomi/liman/balikcilar-bekliyor-41000010.html">Balıkçılar bekliyor</a></h3>`, ""},
		{"related at the source", "tr", bridge, `<a href="http://www.haber.example/eski-40999999" dir="auto">Aynada olmayan haber</a> <small>Körfez Haber</small>`, ""},
		{"related without an address", "tr", bridge, `<li><bdi>Bağlantısız haber</bdi></li>`, ""},
		{"not related to itself", "tr", bridge, "", "Kendisi"},
		{"link in the text", "tr", bridge, `<a href="balikcilar-bekliyor-41000010.html">önceki haberde</a>`, ""},
		{"missing picture", "tr", bridge, `<p class="missing">Fotoğraf aynada yok</p>
<figcaption dir="auto">Bu fotoğraf aynaya ulaşmadı</figcaption>`, "kayip.jpg"},
		{"picture of the text is not repeated", "tr", bridge, "aa02.jpg", "Metnin içindeki"},
		{"linked pictures", "linked", bridge, `<img src="http://img.haber.example/i/kopru.jpg" alt="Köprü" fetchpriority="high">`, "media/"},
		{"policy for linked pictures", "linked", bridge, "img-src 'self' file: http: https:;", ""},
		{"policy for mirrored pictures", "tr", bridge, "img-src 'self' file:;", ""},
		{"waiting", "tr", "spor/tam-metni-bekleyen-haber-41000012.html", "henüz aynaya ulaşmadı", ""},
		{"gone", "tr", "spor/kaldirilan-haber-41000008.html", "kaynağından kaldırılmış", ""},
		{"reduced", "tr", "olcum/cok-derin-metin-41000006.html", "sadeleştirilmiş", "<blockquote>"},
		{"not reduced", "tr", bridge, "", "sadeleştirilmiş"},
		{"no date, unknown content type", "tr", "41000007.html", "Tarihi de klasörü de yok", "Yayımlandı"},
		{"section above the headline", "tr", bridge, `<p class="kicker"><bdi><a href="index.html">Liman</a></bdi></p>`, "<b>Haber</b>"},
		{"section and kind", "tr", gallery, `<p class="kicker"><bdi><a href="index.html">Liman</a></bdi> <b>Foto galeri</b></p>`, ""},
		{"changed on the day of publication", "tr", bridge, `<span>Güncellendi: <time datetime="2026-09-12T09:30:00Z">12.30</time></span>`, ""},
		{"a gallery's first picture is loaded first", "tr", gallery, `alt="Birinci" width="640" height="426" fetchpriority="high">`, ""},
		{"a gallery's other pictures are loaded late", "tr", gallery, `alt="Üçüncü" width="320" height="400" loading="lazy" decoding="async">`, ""},
		{"document title", "tr", hostile, "<title>&lt;script&gt;alert(&#34;baslik&#34;)&lt;/script&gt;", ""},
		{"headline", "tr", hostile, `<h1 dir="auto" class="letters34">&lt;script&gt;alert(&#34;baslik&#34;)&lt;/script&gt;`, "<script>"},
		{"no bidi override", "tr", hostile, "", "\u202e"},
		{"frame stays whole", "tr", hostile, `<footer class="bottom">`, "evil.example"},
		{"gallery numbers", "tr", gallery, `<b>2/3</b>`, ""},
		{"gallery length", "tr", gallery, "<span>3 fotoğraf</span>", "dk okuma"},
		{"video is watched at the source", "tr", "spor/yelken-yarisi-41000301.html", `<span>Videoyu kaynağında izle</span></a>`, "<video"},
		{"video with a card is not linked twice", "linked", "spor/yelken-yarisi-41000301.html", `<figure class="player"><a href="https://vimeo.com/1"`, "Videoyu kaynağında izle"},
		{"portrait once", "tr", column, `<img src="../../media/aa04.jpg" alt=""`, `class="lead"`},
		{"other columns", "tr", column, `<a href="kiyida-bir-sabah-41000101.html" dir="auto">Kıyıda bir sabah</a> <small>5 Eylül 2026 07.00</small>`, ""},
		{"long trail", "tr", hostile, `<li><a href="../../../../index.html"><bdi>C D</bdi></a></li>`, ""},
		{"sub-folders", "tr", "ekonomi/index.html", `<li><a href="liman/index.html"><bdi>Liman</bdi></a></li>`, ""},
		{"absent from the page", "tr", "sayfa/mansetler-5f00aa00a7c41e0f5d213944/index.html", `<a href="http://www.haber.example/manset-40999997" dir="auto">Aynada olmayan manşet</a>`, ""},
		{"the first page leads", "tr", "index.html", `<div class="first">
<article class="teaser">
<div>
<p class="kicker"><bdi>Liman</bdi></p>
<h2 dir="auto"><a href="ekonomi/liman/balikcilar-bekliyor-41000010.html">`, ""},
		{"columnists", "tr", "index.html", `<bdi>Nehir Taşkın</bdi></a> <a href="yazarlar/nehir-taskin/ruzgarin-yonu-41000100.html"`, ""},
		{"saved search", "tr", "arama/liman/index.html", "Köprü onarımı bitti", "Yelken"},
		{"empty saved search", "tr", "arama/bos-arama/index.html", "Şu anda burada gösterilecek bir şey yok.", ""},
		{"letters of English", "en", "tags/index.html", `<h2 id="l-4c">L</h2>`, ""},
		{"tag", "tr", "etiket/title-script/index.html", `<h1 dir="auto">&lt;/title&gt;&lt;script&gt;</h1>`, "<script>"},
		{"404 anywhere", "tr", "404.html", `<a href="/haber/">`, `href="index.html"`},
		{"404 leads on", "tr", "404.html", `<form class="find" role="search" action="/haber/arama/" hidden>`, ""},
		{"404 has the newest", "tr", "404.html", `<h3 dir="auto"><a href="/haber/`, ""},
		{"404 is no address", "tr", "404.html", "noindex", "canonical"},
		{"owner's page", "tr", "kunye.html", "<em>Liman</em>", "<b>1</b>"},
		{"about", "tr", "hakkinda.html", "Körfez Haber tarafından yayımlanan", "%!"},
		{"schema of an article", "tr", bridge, `"@type":"NewsArticle","headline":"Köprü onarımı bitti"`, `"isBasedOn"`},
		{"schema names the original where the page is canonical", "mirror", bridge, `"isBasedOn":"http://www.haber.example/ekonomi/liman/kopru-onarimi-bitti-41000011"`, ""},
		{"schema of a gallery", "tr", gallery, `{"@type":"ImageObject","contentUrl":"https://ayna.example/haber/media/aa01.jpg","caption":"Vinçler"}`, "NewsArticle"},
		{"schema of a video", "tr", "spor/yelken-yarisi-41000301.html", `"uploadDate":"2026-09-07T11:00:00Z","thumbnailUrl":["https://ayna.example/haber/media/aa05.png"]`, `"headline"`},
		{"schema of an author", "tr", column, `"author":[{"@type":"Person","name":"Nehir Taşkın","url":"https://ayna.example/haber/yazar/nehir-taskin-65aa09f8f018fbaf44942506/"}]`, ""},
		{"schema of a writer", "tr", "yazar/nehir-taskin-65aa09f8f018fbaf44942506/index.html", `"image":["https://ayna.example/haber/media/aa04.jpg"]`, ""},
		{"schema of the way", "tr", bridge, `{"@type":"ListItem","name":"Ekonomi","position":2,"item":"https://ayna.example/haber/ekonomi/"}`, ""},
		{"schema of linked pictures", "linked", bridge, `"image":["http://img.haber.example/i/kopru.jpg"]`, ""},
		{"schema of home", "tr", "index.html", `"target":"https://ayna.example/haber/arama/?q={search_term_string}"`, ""},
		{"schema", "tr", hostile, `"headline":"\u003cscript\u003ealert(\"baslik\")\u003c/script\u003e`, ""},
		{"picture for others", "tr", bridge, `<meta property="og:image" content="https://ayna.example/haber/media/aa01.jpg">
<meta name="twitter:card" content="summary_large_image">`, ""},
		{"manifest", "tr", "manifest.webmanifest", `"start_url": "index.html"`, ""},
		{"robots.txt names both sitemaps", "tr", "robots.txt", "Sitemap: https://ayna.example/haber/sitemap.xml\nSitemap: https://ayna.example/haber/sitemap-news.xml\n", ""},
		{"about in English", "en", "about.html", "what Körfez Haber publishes", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, ok := trees[c.tree].files[c.file]
			if !ok {
				t.Fatalf("%s is not rendered", c.file)
			}
			if !strings.Contains(string(data), c.has) {
				t.Errorf("%s lacks %s", c.file, c.has)
			}
			if c.lacks != "" && strings.Contains(string(data), c.lacks) {
				t.Errorf("%s has %s", c.file, c.lacks)
			}
		})
	}
}

func TestOwnPages(t *testing.T) {
	w := newWorld(t, "tr")
	w.own = append(w.own, ownPage("hakkında", "Bizim sayfamız"))
	if about := string(w.render(t).files["hakkinda.html"]); !strings.Contains(about, "Bizim sayfamız") || strings.Contains(about, "aynasıdır:") {
		t.Error("the owner's page does not replace the one about the mirror")
	}
	for _, name := range []string{"index", "404", "kunye"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "tr")
			w.own = append(w.own, ownPage(name, "x"))
			if _, err := w.try(t); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("New: %v; want an error that names %q", err, name)
			}
		})
	}
}
