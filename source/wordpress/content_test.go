package wordpress

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"ayna/source/encode"
	"ayna/source/markup"
)

// recorded reads the posts of a recorded answer.
func recorded(t *testing.T, name string) []post {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if data[0] == '{' {
		data = []byte("[" + string(data) + "]")
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var list []post
	for _, r := range raw {
		p, err := readPost(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// A text is the same in each answer, whatever stands before it.
func TestTextWithOtherNeighbours(t *testing.T) {
	alone := recorded(t, "post-classic-alone.json")[0]
	after := recorded(t, "post-classic-after-blocks.json")[0]
	if alone.Content.Text == after.Content.Text {
		t.Fatal("the recorded texts do not differ")
	}
	for _, take := range []bool{false, true} {
		one := cleanText(alone.Content.Text, take, map[number]media{5: {Address: "/liman.jpg"}}, "")
		other := cleanText(after.Content.Text, take, map[number]media{5: {Address: "/liman.jpg"}}, "")
		if one.text != other.text {
			t.Errorf("take %t: alone\n%s\nafter blocks\n%s", take, one.text, other.text)
		}
		if take && len(one.gallery) < 2 {
			t.Errorf("%d pictures of the gallery", len(one.gallery))
		}
	}
}

func TestCleanText(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"largest size", `<img src="/a-300x200.jpg" srcset="/a-300x200.jpg 300w, /a.jpg 1600w, /a-768x512.jpg 768w">`, `<img src="/a.jpg"/>`},
		{"cropped", `<img src="/a-1x2-150x150.jpg" class="attachment-thumbnail size-thumbnail">`, `<img src="/a-1x2.jpg"/>`},
		{"cropped, in a block", `<figure class="wp-block-image size-thumbnail"><img src="/a-150x150.jpg"></figure>`, `<figure><img src="/a.jpg"/></figure>`},
		{"cropped, with a link", `<a href="/a-scaled.jpg"><img src="/a-150x150.jpg" class="size-thumbnail"></a>`, `<a href="/a-scaled.jpg"><img src="/a-scaled.jpg"/></a>`},
		{"cropped, with a link elsewhere", `<a href="/b.jpg"><img src="/a-150x150.jpg" class="size-thumbnail"></a>`, `<a href="/b.jpg"><img src="/a.jpg"/></a>`},
		{"size in the name of a file", `<figure class="size-full"><img src="/a-800x600.jpg" class="size-full"></figure>`, `<figure><img src="/a-800x600.jpg"/></figure>`},
		{"page of a picture", `<a href="/a/attachment/b/" rel="attachment wp-att-5"><img src="/b.jpg"></a>`, `<img src="/b.jpg"/>`},
		{"words that lead to the page of a picture", `<p><a href="/a/attachment/b/" rel="attachment wp-att-5">b</a></p>`, `<p><a href="/liman.jpg" rel="attachment wp-att-5">b</a></p>`},
		{"words with its short address", `<a href="/?attachment_id=5">b</a>`, `<a href="/liman.jpg">b</a>`},
		{"words that lead to the page of an unknown picture", `<a href="/?attachment_id=6">b</a>`, `<a href="/?attachment_id=6">b</a>`},
		{"file of a picture", `<a href="/b.jpg" rel="attachment wp-att-5"><img src="/b.jpg"></a>`, `<a href="/b.jpg" rel="attachment wp-att-5"><img src="/b.jpg"/></a>`},
		{"link around a picture", `<a href="/c/"><img src="/b.jpg"></a>`, `<a href="/c/"><img src="/b.jpg"/></a>`},
		{"bare address of a player", `<div class="wp-block-embed__wrapper">` + "\nhttps://video.example/1\n</div>", `<div><a href="https://video.example/1">https://video.example/1</a></div>`},
		{"player", `<div class="wp-block-embed__wrapper"><iframe src="https://video.example/1"></iframe></div>`, `<div><iframe src="https://video.example/1"></iframe></div>`},
		{"shortcode with attributes", `<p>A [kod a=&#8221;1&#8243;] b</p>`, `<p>A  b</p>`},
		{"shortcode with an end", `<p>[kutu]iç[/kutu]</p>`, `<p>iç</p>`},
		{"words in brackets", `<p>[Foto: AA] [sic] [1]</p>`, `<p>[Foto: AA] [sic] [1]</p>`},
		{"script and comments", `<p>a</p><!--more--><script>b</script><style>c</style><p>d</p>`, `<p>a</p><p>d</p>`},
		{"caption of an old theme", `<div id="attachment_9" class="wp-caption alignnone"><img src="/a.jpg"><p class="wp-caption-text">Bir</p></div>`,
			`<figure><img src="/a.jpg"/><figcaption>Bir</figcaption></figure>`},
		{"gallery of an old theme", oldGallery, `<div><figure><div><a href="/a.jpg"><img src="/a.jpg" alt="x"/></a></div><figcaption>Bir</figcaption></figure><br/></div>`},
		{"gallery", `<figure class="wp-block-gallery"><figure><img src="/a.jpg"><figcaption>a</figcaption></figure><figcaption>Hepsi</figcaption></figure>`,
			`<div><figure><img src="/a.jpg"/><figcaption>a</figcaption></figure><p>Hepsi</p></div>`},
		{"file", `<div class="wp-block-file"><a href="/a.pdf">A</a><a href="/a.pdf" class="wp-block-file__button" download>İndir</a></div>`, `<div><a href="/a.pdf">A</a></div>`},
		{"file without its name", `<div class="wp-block-file"><a href="/a.js" class="wp-block-file__button" download>İndir</a></div>`, `<div><a download="" href="/a.js">İndir</a></div>`},
		{"latest posts", `<p>a</p><ul class="wp-block-latest-posts__list wp-block-latest-posts"><li><a href="/b/">b</a></li></ul>`, `<p>a</p>`},
		{"player with a number", `<video id="video-7-2"><source src="/a.mp4?_=2"><a href="/a.mp4">a</a></video><audio><source src="/a.mp3?b=1&#038;_=13"></audio>`,
			`<video><source src="/a.mp4"/><a href="/a.mp4">a</a></video><audio><source src="/a.mp3?b=1"/></audio>`},
		{"first player", "<p>a: <!--[if lt IE 9]><script>document.createElement('video');</script><![endif]-->\n\t<video></video></p>", `<p>a: <video></video></p>`},
		{"playlist", `<div class="wp-playlist"><audio></audio><noscript><ol><li><a href="/a.mp3" class="x">Bir &amp; iki</a></li></ol></noscript><script>{}</script></div><noscript>a</noscript>`,
			`<div><audio></audio><ol><li><a href="/a.mp3">Bir &amp; iki</a></li></ol></div>`},
		{"form", `<form action="/a/#form-o2"><input type="hidden" name="nonce" value="1a2b"><label for="name-o2">Adınız</label></form>`, ``},
		{"picture that is loaded late", `<img class="lazy" src="data:image/gif;base64,R0" data-src="/a-300x200.jpg" data-srcset="/a-300x200.jpg 300w, /a.jpg 900w">`, `<img src="/a.jpg"/>`},
		{"picture that a script loads", `<img data-lazy-src="/a.jpg" alt="A">`, `<img alt="A" src="/a.jpg"/>`},
		{"blanks", "<p>a</p>\n\n\n  <p>b \n c</p>\n<pre>d\n\n  e</pre>\n\n", "<p>a</p>\n<p>b\nc</p>\n<pre>d\n\n  e</pre>"},
		{"empty", "\n\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := cleanText(test.in, false, map[number]media{5: {Address: "/liman.jpg"}}, "").text; got != test.want {
				t.Errorf("%s\nbecomes\n%s, want\n%s", test.in, got, test.want)
			}
		})
	}
}

// oldGallery is a gallery of the shortcode where a theme does not ask for HTML5.
const oldGallery = `<div class='gallery gallery-columns-3'><dl class='gallery-item'><dt class='gallery-icon'><a href="/a.jpg"><img src="/a-150x150.jpg" class="size-thumbnail" alt="x"/></a></dt>` +
	`<dd class='wp-caption-text gallery-caption'>Bir</dd></dl><br style="clear: both"/></div>`

func TestGalleryOfOldTheme(t *testing.T) {
	got := cleanText(oldGallery, true, nil, "")
	if want := []picture{{"/a.jpg", "x", "Bir"}}; got.text != "" || !slices.Equal(got.gallery, want) {
		t.Errorf("%q, %q, want %q", got.text, got.gallery, want)
	}
}

// The caption of a whole gallery stays where its pictures are taken.
func TestGalleryCaption(t *testing.T) {
	got := cleanText(`<p>a</p><figure class="wp-block-gallery"><figure><img src="/a.jpg"><figcaption>Bir</figcaption></figure>`+
		`<figcaption class="blocks-gallery-caption">Hepsi <em id="x">burada</em></figcaption></figure>`, true, nil, "")
	if want := `<p>a</p><p>Hepsi <em>burada</em></p>`; got.text != want || len(got.gallery) != 1 || got.gallery[0].caption != "Bir" {
		t.Errorf("%s, %+v, want %s", got.text, got.gallery, want)
	}
}

// A nested text ends, and loses nothing.
func TestTextNestedDeep(t *testing.T) {
	in := strings.Repeat("<div>", 5000) + "word"
	if got := cleanText(in, true, nil, ""); !strings.Contains(got.text, "word") {
		t.Error("the text is lost")
	}
}

// A text that is too long to be parsed stays as it is, but for what no page would read.
func TestLongText(t *testing.T) {
	for part, size := range map[string]int{"<b>x</b>": markup.MaxText + 1, "<br>": markup.MaxText + 1, "ş": encode.MaxText + 1} {
		in := strings.Repeat(part, size/len(part)+1)
		data, err := json.Marshal(map[string]any{"id": 5, "title": "Uzun", "content": map[string]any{"rendered": in}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := readPost(data)
		if err != nil {
			t.Fatal(err)
		}
		l := lexicon{}
		r, _ := l.single(p)
		text := *r.Text
		if !strings.HasPrefix(in, text) || len(text) < min(len(in), encode.MaxText-1) || len(text) > encode.MaxText || !utf8.ValidString(text) {
			t.Errorf("%d bytes of %s become %d", len(in), part, len(text))
		}
	}
	if ids := attachments(strings.Repeat(`<a href="/?attachment_id=5">b</a>`, markup.MaxText/30)); ids != nil {
		t.Errorf("attachments %v", ids)
	}
}

// A summary that WordPress made is none. It leaves out pictures and some other blocks.
func TestIsAutomatic(t *testing.T) {
	const text = `<figure class="wp-block-image"><img src="/a.jpg"/><figcaption>Fener</figcaption></figure><p>Balık <b>bol</b>.</p>` +
		`<table><tr><td>Lüfer</td><td>310</td></tr></table><ul><li>Bir<ul><li>İki</li></ul></li></ul><div class="wp-block-file">İndir</div><p>Son söz.</p>`
	for excerpt, want := range map[string]bool{
		"": true, "Bir şey […]": true, "Balık bol. Lüfer 310 Bir İki Son söz.": true, "Balık bol. Lüfer 310 Bir İki Son": true, "Fener Balık": true,
		"Balık az.": false, "Son": false, "Balık bol. Elle.": false, "Elle yazılmış.": false,
	} {
		if isAutomatic(excerpt, text) != want {
			t.Errorf("%q: want %t", excerpt, want)
		}
	}
	if got, want := markup.Plain(text), "Fener Balık bol. Lüfer 310 Bir İki İndir Son söz."; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

// Themes and plug-ins end summaries with marks of their own.
func TestMarksOfSummaries(t *testing.T) {
	const begin = "Limanda sabah erken saatlerde balıkçılar ağlarını topladı ve "
	const text = `<p>[vc_row width="1"]` + begin + `tezgâhlara taşıdı.</p><p>Fiyatlar arttı.</p>`
	for excerpt, want := range map[string]bool{
		begin + "…": true, begin + "… Devamını oku »": true, begin + "... Read More": true, begin + "and …": true, begin + "[…] Continue reading": true,
		begin + "… Continue reading “Limanda sabah: balıkçıların uzun gecesi ve sonrası”": true, begin + "Read more": true,
		begin + "tezgâhlara taşıdı. Fiyatlar arttı. Read more": true, begin + "tezg…": true,
		begin + "kıyıya döndü; fiyatlar ise geçen haftaya göre iki kat arttı.": false, "Limanda sabah: Elle.": false, "Elle… Limanda sabah": false, "…": false,
	} {
		if isAutomatic(excerpt, text) != want {
			t.Errorf("%q: want %t", excerpt, want)
		}
	}
}

// Readers of records take tags out of titles and decode entities, so those that are text
// are escaped. Summaries lose shortcodes as texts do.
func TestFieldsWithMarkup(t *testing.T) {
	for in, want := range map[string]string{
		`Balık &amp; <em>ekmek</em>`: `Balık & ekmek`, `1 &lt; 2`: `1 < 2`, `&lt;b&gt; nedir?`: `&lt;b&gt; nedir?`, `&amp;amp; nedir?`: `&amp;amp; nedir?`,
	} {
		l, asHTML := lexicon{}, func(text string) rendered { return rendered{Text: text} }
		r, _ := l.single(post{Title: asHTML(in), Excerpt: asHTML(in + ` [kod a="1"][kutu]son[/kutu] [Foto: AA]`), Content: asHTML("<p>Metin.</p>")})
		if summary := r.Description; r.Title != want || !strings.HasPrefix(summary, want) || !strings.HasSuffix(summary, " son [Foto: AA]") {
			t.Errorf("%s becomes %q, %q", in, r.Title, summary)
		}
	}
}
