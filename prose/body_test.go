package prose

import (
	"html/template"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

const sample = `<p>Önce <a href="/b-2">iç</a>, <a href="https://dis.example/?a=1&amp;b='2'">dış</a>, <a href="/b-2">yine</a>.</p>
<figure><img src="/r/1.jpg" alt='Sabah "erken"'><figcaption>Liman, mart 2026</figcaption></figure>
<p><a href="/b-2"><img src="/r/2.jpg" alt=""></a></p>
<iframe src="//www.youtube-nocookie.com/embed/ornekvideo1?rel=0"></iframe><p>Son &lt;söz&gt; – 3.</p>`

// mirror is a site that has one article and one picture.
type mirror struct{ link, image string }

func (m mirror) Link(source string) string {
	if source == "https://haber.example/b-2" {
		return m.link
	}
	return source
}

func (m mirror) Anchor(id string) (string, bool) { return m.link + "#" + id, m.link == "" }

func (m mirror) Plays() bool { return false }

func (m mirror) Card(string) (title, note string, picture Image) { return "", "", Image{} }

func (m mirror) File(string) (href, note string) { return "", "" }

func (m mirror) Image(source string) (Image, bool) {
	return Image{Src: m.image, Width: 640, Height: 400}, strings.HasSuffix(source, "/1.jpg") && m.image != ""
}

func TestBody(t *testing.T) {
	body := Clean(sample, testOptions)
	links := []string{"https://haber.example/b-2", "https://dis.example/?a=1&b='2'", "https://www.youtube.com/watch?v=ornekvideo1"}
	if got := body.Links(); !slices.Equal(got, links) {
		t.Errorf("links %q", got)
	}
	images := []string{"https://haber.example/r/1.jpg", "https://haber.example/r/2.jpg", "https://i.ytimg.com/vi/ornekvideo1/hqdefault.jpg"}
	if got := body.Images(); !slices.Equal(got, images) {
		t.Errorf("images %q", got)
	}
	if got, want := body.Text(), "Önce iç, dış, yine.\nLiman, mart 2026\nSon <söz> – 3."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got := Words(body.Text()); got != 10 {
		t.Errorf("%d words", got)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{
		"":                  0,
		"– 3 söz, Çin (中国)": 4, // and a part of a word
		"港の市場は、朝六時に開く。":              5,
		"港の市場は 10 時に開く":              5,
		"ตลาดเช้าที่ท่าเรือเปิดแล้ว": 11,
	} {
		if got := Words(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

func TestHTMLForManyPlaces(t *testing.T) {
	const player = `<figure class="player"><a href="https://www.youtube.com/watch?v=ornekvideo1" rel="nofollow noopener"><strong>youtube.com</strong></a></figure>
<p>Son &lt;söz&gt; – 3.</p>
`
	const outer = `<a href="https://dis.example/?a=1&amp;b=&#39;2&#39;" rel="nofollow noopener">dış</a>`
	cases := []struct {
		name string
		mirror
		want template.HTML
	}{
		{"page", mirror{"../spor/b-2.html", "../media/1.jpg"},
			`<p>Önce <a href="../spor/b-2.html">iç</a>, ` + outer + `, <a href="../spor/b-2.html">yine</a>.</p>
<figure><img src="../media/1.jpg" alt="Sabah &#34;erken&#34;" width="640" height="400" loading="lazy" decoding="async"/><figcaption>Liman, mart 2026</figcaption></figure>
<figure><a href="../spor/b-2.html"><span class="missing">haber.example</span></a> <a href="https://haber.example/r/2.jpg" rel="nofollow noopener"><span class="missing">2.jpg</span></a></figure>
` + player},
		{"nothing mirrored", mirror{},
			`<p>Önce iç, ` + outer + `, yine.</p>
<figure><a href="https://haber.example/r/1.jpg" rel="nofollow noopener"><span class="missing">Sabah &#34;erken&#34;</span></a><figcaption>Liman, mart 2026</figcaption></figure>
<figure><a href="https://haber.example/r/2.jpg" rel="nofollow noopener"><span class="missing">2.jpg</span></a></figure>
` + player},
		{"odd answers are escaped", mirror{`a"b<c>`, `d"e&f`},
			`<p>Önce <a href="a&#34;b&lt;c&gt;">iç</a>, ` + outer + `, <a href="a&#34;b&lt;c&gt;">yine</a>.</p>
<figure><img src="d&#34;e&amp;f" alt="Sabah &#34;erken&#34;" width="640" height="400" loading="lazy" decoding="async"/><figcaption>Liman, mart 2026</figcaption></figure>
<figure><a href="a&#34;b&lt;c&gt;"><span class="missing">haber.example</span></a> <a href="https://haber.example/r/2.jpg" rel="nofollow noopener"><span class="missing">2.jpg</span></a></figure>
` + player},
	}
	body := Clean(sample, testOptions)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := body.HTML(c.mirror); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// missing is a place that has no pictures.
type missing struct{ identity }

func (missing) Image(string) (Image, bool) { return Image{}, false }

// The address of a picture that is missing stays, and the link around it.
func TestMissingPictures(t *testing.T) {
	const outer, banner = `<a href="https://www.firma.example/" rel="nofollow noopener">`, `<a href="https://haber.example/r/afi%C5%9F.jpg" rel="nofollow noopener"><span class="missing">`
	for _, test := range []struct{ name, text, want string }{
		{"alone", `<p><img src="/r/afiş.jpg"></p>`, `<figure>` + banner + `afiş.jpg</span></a></figure>`},
		{"words", `<p><img src="/r/afiş.jpg" alt="Afiş"></p>`, `<figure>` + banner + `Afiş</span></a></figure>`},
		{"in a link", `<p><strong><a href="https://www.firma.example/"><img src="/r/afiş.jpg"></a></strong></p>`,
			`<p><strong>` + outer + `<span class="missing">firma.example</span></a> ` + banner + `afiş.jpg</span></a></strong></p>`},
		{"in a link, words", `<a href="https://www.firma.example/"><img src="/r/afiş.jpg" alt="Afiş"></a>`,
			`<figure>` + outer + `<span class="missing">Afiş</span></a> ` + banner + `afiş.jpg</span></a></figure>`},
		{"two in a link", `<a href="https://www.firma.example/"><img src="/r/afiş.jpg"><img src="/r/afiş.jpg">Firma</a>`,
			`<p>` + outer + `Firma</a> ` + banner + `afiş.jpg</span></a> ` + banner + `afiş.jpg</span></a></p>`},
		{"in a link to itself", `<a href="/r/afiş.jpg"><img src="/r/afiş.jpg" alt="Afiş"></a>`, `<figure>` + banner + `Afiş</span></a></figure>`},
		{"small", `a <img src="/r/i.png" width="16" height="16"> b`, `<p>a  b</p>`},
		{"small, in a link", `a <a href="https://www.firma.example/"><img src="/r/i.png" width="16"></a>`,
			`<p>a ` + outer + `<span class="missing">firma.example</span></a></p>`},
		{"poster", `<video poster="/r/1.jpg" src="https://video.example/a.mp4"></video>`,
			`<figure class="player video"><a href="https://video.example/a.mp4" rel="nofollow noopener"><strong>a.mp4</strong></a></figure>`},
		{"odd name", `<img src="https://a.example/%3Cb%3E%00.jpg">`,
			`<figure><a href="https://a.example/%3Cb%3E%00.jpg" rel="nofollow noopener"><span class="missing">&lt;b&gt;.jpg</span></a></figure>`},
	} {
		got := strings.TrimSpace(string(Clean(test.text, testOptions).HTML(missing{})))
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
		checkSafe(t, got)
	}
}

// Links between places of a text lead to the page of the text from elsewhere, as from a feed.
func TestAnchorsElsewhere(t *testing.T) {
	const text = `<p>Söz<sup><a href="#_ftn1" id="_ftnref1">[1]</a></sup>.</p><p id="_ftn1"><a href="#_ftnref1">↑</a> Not.</p>`
	for _, test := range []struct {
		mirror
		want string
	}{
		{mirror{}, `<p>Söz<sup><a href="#text-2"><span id="text-1"></span>[1]</a></sup>.</p>` + "\n" + `<p><a href="#text-1"><span id="text-2"></span>↑</a> Not.</p>`},
		{mirror{link: "b-2.html"}, `<p>Söz<sup><a href="b-2.html#text-2">[1]</a></sup>.</p>` + "\n" + `<p><a href="b-2.html#text-1">↑</a> Not.</p>`},
	} {
		body := Clean(text, testOptions)
		if got := strings.TrimSpace(string(body.HTML(test.mirror))); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
		if list := body.Links(); list != nil {
			t.Errorf("links %q", list)
		}
	}
}

// sizes is a site that has every picture in two sizes.
type sizes struct{ mirror }

func (sizes) Image(string) (Image, bool) {
	return Image{Src: "b.jpg", Srcset: `a"&.jpg 320w, b.jpg 640w`, Sizes: "(min-width: 40rem) 40rem, 100vw", Width: 640, Height: 400}, true
}

func TestPictureInSeveralSizes(t *testing.T) {
	const want = `<figure><img src="b.jpg" srcset="a&#34;&amp;.jpg 320w, b.jpg 640w" sizes="(min-width: 40rem) 40rem, 100vw" alt="Kar" width="640" height="400" loading="lazy" decoding="async"/></figure>`
	if got := Clean(`<img src="/kar.jpg" alt="Kar">`, testOptions).HTML(sizes{}); strings.TrimSpace(string(got)) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// player is a page that plays files, and has one picture.
type player struct{ Resolver }

func (player) Plays() bool { return true }

func (player) File(source string) (href, note string) {
	if strings.HasPrefix(source, "https://haber.example/mirrored") {
		return "../media/" + path.Base(source), "<PDF>, 2 MB"
	}
	return "", ""
}

// A page plays files of video and audio, which load when somebody starts them; below is
// the link that other places have alone. Players of other sites stay links.
func TestPlayedFiles(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`<video src="/v/a.mp4" poster="/r/1.jpg" title="Vapur" autoplay onplay="x()">yok</video>`,
			`<figure class="player video"><video controls="" preload="none" src="https://haber.example/v/a.mp4" poster="1.jpg"></video><a href="https://haber.example/v/a.mp4" rel="nofollow noopener"><strong>Vapur</strong></a></figure>`},
		{`<video poster="/r/gone.jpg"><source src="/v/a.webm?&quot;&gt;"></video>`,
			`<figure class="player video"><video controls="" preload="none" src="https://haber.example/v/a.webm?%22%3E"></video><a href="https://haber.example/v/a.webm?%22%3E" rel="nofollow noopener"><strong>a.webm</strong></a></figure>`},
		{`<figure><audio controls src="https://ses.example/a.mp3" poster="/r/1.jpg"></audio><figcaption>Dalga</figcaption></figure>`,
			`<figure class="player audio"><audio controls="" preload="none" src="https://ses.example/a.mp3"></audio><a href="https://ses.example/a.mp3" rel="nofollow noopener"><strong>a.mp3</strong></a><figcaption>Dalga</figcaption></figure>`},
		{`<video src="https://youtu.be/ornekvideo1"></video>`,
			`<figure class="player"><a href="https://www.youtube.com/watch?v=ornekvideo1" rel="nofollow noopener"><strong>youtube.com</strong></a></figure>`},
		{`<video src="javascript:x()"></video>`, ``},
		{`<audio src="/mirrored/a.mp3"></audio>`,
			`<figure class="player audio"><audio controls="" preload="none" src="../media/a.mp3"></audio><a href="../media/a.mp3"><strong>a.mp3</strong></a> <small class="file">(&lt;PDF&gt;, 2 MB)</small></figure>`},
		{`<a href="/mirrored/a.pdf"><img src="/r/gone.jpg" alt="Dalga"></a>`,
			`<figure><a href="../media/a.pdf"><span class="missing">Dalga</span></a> <small class="file">(&lt;PDF&gt;, 2 MB)</small><a href="https://haber.example/r/gone.jpg" rel="nofollow noopener"><span class="missing">gone.jpg</span></a></figure>`},
	} {
		body := Clean(test.text, testOptions)
		if got := strings.TrimSpace(string(body.HTML(player{mirror{image: "1.jpg"}}))); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
		if text := body.Text(); text != "" && text != "Dalga" {
			t.Errorf("%s: text %q", test.text, text)
		}
	}
}

func TestMarshal(t *testing.T) {
	for _, text := range []string{"", sample, strings.Repeat("<div>", 300) + "derin\nson", strings.Join(payloads, "")} {
		body := Clean(text, testOptions)
		again, err := Unmarshal(body.Marshal())
		if err != nil || again != body {
			t.Errorf("%.40q: %v, got %+v, want %+v", text, err, again, body)
		}
	}
	whole := Clean(sample, testOptions).Marshal()
	for name, s := range map[string]string{
		"empty":        "",
		"foreign":      "<p>a</p>",
		"another form": strings.Replace(whole, "prose", "verse", 1),
	} {
		if body, err := Unmarshal(s); err == nil {
			t.Errorf("%s: read as %+v", name, body)
		}
	}
}

func TestOptions(t *testing.T) {
	cases := []struct {
		name, text string
		opt        Options
		want       string
	}{
		{"no base", `<a href="/a">a</a><a href="//b.example/c">b</a><img src="d.jpg" alt="d">`, Options{},
			`<p>a<a href="https://b.example/c" rel="nofollow noopener">b</a>d</p>`},
		{"unusable base", `<a href="/a">a</a>`, Options{Base: "/gundem/1"}, `<p>a</p>`},
		{"base with a path", `<a href="c?d">a</a>`, Options{Base: "http://a.example/b/x"},
			`<p><a href="http://a.example/b/c?d" rel="nofollow noopener">a</a></p>`},
		{"link into the text itself", `<a href="#not">a</a>`, Options{Base: "http://a.example/b"}, `<p>a</p>`},
		{"headings", `<h1>a</h1>x<h4>b</h4>y<h2>c</h2>`, Options{}, "<h2>a</h2>\n<p>x</p>\n<h3>b</h3>\n<p>y</p>\n<h3>c</h3>"},
		{"headings at most 6", `<h1>a<h2>b<h3>c<h4>d<h5>e<h6>f</h6>`, Options{}, "<h2>a</h2>\n<h3>b</h3>\n<h4>c</h4>\n<h5>d</h5>\n<h6>e</h6>\n<h6>f</h6>"},
		{"title repeated", `<h2> Bahar &amp; <b>deniz</b></h2><p>a</p><h2>Bahar &amp; deniz</h2>`, Options{Title: " Bahar &amp; deniz"},
			"<p>a</p>\n<h2>Bahar &amp; deniz</h2>"},
		{"table without a word", `<table><tr><td>a</table>`, Options{},
			`<div class="table"><table><tbody><tr><td>a</td></tr></tbody></table></div>`},
		{"word escaped", `<table><tr><td>a</table>`, Options{Table: `"><b>`},
			`<div class="table" role="region" tabindex="0" aria-label="&#34;&gt;&lt;b&gt;"><table><tbody><tr><td>a</td></tr></tbody></table></div>`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.TrimSpace(string(Clean(c.text, c.opt).HTML(identity{}))); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestZeroBody(t *testing.T) {
	var b Body
	markdown, err := b.Markdown(identity{})
	if b.HTML(identity{}) != "" || b.Text() != "" || b.Links() != nil || markdown != "" || err != nil {
		t.Errorf("%+v is not empty", b)
	}
}

// Renderers work side by side; the answer may not depend on it.
func TestConcurrent(t *testing.T) {
	want, _ := Clean(sample, testOptions).Markdown(identity{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				got, err := Clean(sample, testOptions).Markdown(identity{})
				if got != want || err != nil {
					t.Errorf("got %q, %v, want %q", got, err, want)
				}
			}
		})
	}
	wg.Wait()
}
