package wordpress

import (
	"encoding/json"
	"strings"
	"testing"
)

// address is that of the posts of these tests.
const address = "https://kiyi.example/2026/11/yazi/"

// A text shows without scripts what a reader of the site sees with them.
func TestStatic(t *testing.T) {
	const youtube = `<iframe src="https://www.youtube.com/watch?v=ornekvid_01"></iframe>`
	for _, test := range []struct{ name, in, want string }{
		{"player of a3 Lazy Load", `<iframe class="lazy lazy-hidden" width="680" data-lazy-type="iframe" data-src="//www.youtube.com/embed/ornekvid_01"></iframe><noscript><iframe width="680" src="//www.youtube.com/embed/ornekvid_01"></iframe></noscript>`,
			`<iframe width="680" src="https://www.youtube.com/embed/ornekvid_01"></iframe>`},
		{"player of WP Rocket", `<iframe src="about:blank" data-rocket-lazyload="fitvidscompatible" data-lazy-src="https://harita.example/a"></iframe><noscript><iframe src="https://harita.example/a"></iframe></noscript>`,
			`<iframe src="https://harita.example/a"></iframe>`},
		{"player of WP Rocket, a picture of YouTube", `<div class="rll-youtube-player" data-src="https://www.youtube.com/embed/ornekvid_01" data-id="ornekvid_01" data-query="feature=oembed"></div><noscript><iframe src="https://www.youtube.com/embed/ornekvid_01?feature=oembed"></iframe></noscript>`, youtube},
		{"player behind a consent", `<iframe data-placeholder-image="https://kiyi.example/p.jpg" data-category="marketing" data-service="maps" class="cmplz-iframe" data-cmplz-target="src" data-src-cmplz="https://harita.example/a" src="about:blank"></iframe>`,
			`<iframe src="https://harita.example/a"></iframe>`},
		{"player behind another consent", `<iframe consent-original-src-_="https://harita.example/a" consent-required="12" consent-by="services"></iframe>`, `<iframe consent-original-src-_="https://harita.example/a" consent-required="12" consent-by="services" src="https://harita.example/a"></iframe>`},
		{"player beside an empty page", `<iframe src="//izin.example/cookie_solution/empty.html" suppressedsrc="https://harita.example/a"></iframe>`,
			`<iframe src="https://harita.example/a" suppressedsrc="https://harita.example/a"></iframe>`},
		{"player in a script", `<div class="BorlabsCookie"><script type="text/template">PGlmcmFtZSBzcmM9Imh0dHBzOi8vaGFyaXRhLmV4YW1wbGUvYSI+PC9pZnJhbWU+</script></div>`, `<div><iframe src="https://harita.example/a"></iframe></div>`},
		{"player of Lyte", `<div class="lyte-wrapper"><div class="lyMe" id="WYL_ornekvid_01"><div id="lyte_ornekvid_01" data-src="https://i.ytimg.com/vi/ornekvid_01/hqdefault.jpg" class="pL"><div class="tC"><div class="tT">Liman</div></div><div class="play"></div></div><noscript><a href="https://youtu.be/ornekvid_01"><img src="https://i.ytimg.com/vi/ornekvid_01/0.jpg" alt="">Watch</a></noscript></div></div>`,
			`<div><iframe src="https://www.youtube.com/watch?v=ornekvid_01" title="Liman"></iframe></div>`},
		{"lite-youtube", `<lite-youtube videoid="ornekvid_01" title="Liman"></lite-youtube>`, `<iframe src="https://www.youtube.com/watch?v=ornekvid_01" title="Liman"></iframe>`},
		{"video of Elementor", `<div class="elementor-widget-video" data-settings="{&quot;youtube_url&quot;:&quot;https:\/\/www.youtube.com\/watch?v=ornekvid_01&quot;,&quot;video_type&quot;:&quot;youtube&quot;}"><div class="elementor-video"></div></div>`, youtube},
		{"video of Elementor, of several kinds", `<div data-settings='{"dailymotion_url":"https://www.dailymotion.com/video/x1","vimeo_url":"https://vimeo.com/2","video_type":"vimeo"}'></div>`, `<iframe src="https://vimeo.com/2"></iframe>`},
		{"video behind a picture", `<div data-elementor-lightbox='{"type":"video","url":"https://vimeo.com/2?a=1"}'><img src="/a.jpg" alt=""></div>`, `<iframe src="https://vimeo.com/2?a=1"></iframe><div><img src="https://kiyi.example/a.jpg" alt=""/></div>`},
		{"video that is there", `<div data-url="https://youtu.be/ornekvid_01"><iframe src="https://www.youtube.com/embed/ornekvid_01"></iframe></div>`, `<div><iframe src="https://www.youtube.com/embed/ornekvid_01"></iframe></div>`},
		{"settings without a video", `<div data-settings='{"background_slideshow_gallery":[{"id":1,"url":"https://kiyi.example/b.jpg"}]}'><p>a</p></div><div data-nonce="1" data-url="https://kiyi.example/wp-admin/admin-ajax.php"></div>`, `<div><p>a</p></div><div></div>`},

		{"post of Facebook", `<div class="fb-post" data-href="https://www.facebook.com/ornek/posts/1" data-width="500"></div>`, `<iframe src="https://www.facebook.com/ornek/posts/1"></iframe>`},
		{"post of Facebook with its words", `<div class="fb-post" data-href="https://www.facebook.com/ornek/posts/1"><blockquote>Söz <a href="https://www.facebook.com/ornek/posts/1">1 Ocak</a></blockquote></div>`,
			`<div><blockquote>Söz <a href="https://www.facebook.com/ornek/posts/1">1 Ocak</a></blockquote></div>`},
		{"video of Facebook", `<div class="fb-video" data-href="https://www.facebook.com/ornek/videos/1/"></div>`, `<iframe src="https://www.facebook.com/ornek/videos/1/"></iframe>`},
		{"Instagram", `<blockquote class="instagram-media" data-instgrm-permalink="https://www.instagram.com/p/ornek1/?utm_source=ig_embed" data-instgrm-version="14"></blockquote>`, `<iframe src="https://www.instagram.com/p/ornek1/?utm_source=ig_embed"></iframe>`},
		{"TikTok", `<blockquote class="tiktok-embed" cite="https://www.tiktok.com/@ornek/video/1" data-video-id="1"><section><a href="https://www.tiktok.com/@ornek">@ornek</a></section></blockquote>`,
			`<iframe src="https://www.tiktok.com/@ornek/video/1"></iframe><blockquote cite="https://www.tiktok.com/@ornek/video/1"><section><a href="https://www.tiktok.com/@ornek">@ornek</a></section></blockquote>`},
		{"a quote's source", `<blockquote cite="https://kitap.example/1"><p>Söz</p></blockquote>`, `<blockquote cite="https://kitap.example/1"><p>Söz</p></blockquote>`},
		{"Telegram", `<script async src="https://telegram.org/js/telegram-widget.js?22" data-telegram-post="ornek/12" data-width="100%"></script>`, `<iframe src="https://t.me/ornek/12"></iframe>`},
		{"gist", `<script src="https://gist.github.com/ornek/0123abcd.js"></script>`, `<iframe src="https://gist.github.com/ornek/0123abcd"></iframe>`},
		{"gist with its fallback", `<script src="https://gist.github.com/ornek/0123abcd.js?file=a.go"></script><noscript><a href="https://gist.github.com/ornek/0123abcd">View</a></noscript>`, `<iframe src="https://gist.github.com/ornek/0123abcd"></iframe>`},
		{"Flourish", `<div class="flourish-embed flourish-chart" data-src="visualisation/123"><script src="https://public.flourish.studio/resources/embed.js"></script></div>`, `<iframe src="https://public.flourish.studio/visualisation/123/"></iframe>`},
		{"addresses that run", `<div class="fb-post" data-href="javascript:a()"></div><iframe data-src="javascript:a()" onload="a()"></iframe><div data-url="data:text/html,a"></div><script data-telegram-post="x/1&quot;onload=&quot;a()"></script>`, `<div></div><div></div>`},

		{"poll for browsers without scripts", `<script src="https://anket.example/p/1.js"></script><noscript><a href="https://anket.example/poll/1/">Anketimiz</a></noscript>`, `<a href="https://anket.example/poll/1/">Anketimiz</a>`},
		{"a counter of visitors", `<noscript><img height="1" width="1" style="display:none" src="https://sayac.example/tr?id=1"></noscript>`, ``},
		{"words for browsers without scripts", `<noscript>JavaScript'i açın.</noscript>`, ``},

		{"picture of Optimole", `<img src="data:image/svg+xml,%3Csvg%3E" data-opt-src="https://cdn.example/a.jpg" alt="A">`, `<img src="https://cdn.example/a.jpg" alt="A"/>`},
		{"picture beside its fallback", `<p><img src="data:image/gif;base64,R0" class="lazy" alt="A"><noscript><img src="/a.jpg" alt="A"></noscript></p>`, `<p><img src="https://kiyi.example/a.jpg" alt="A"/></p>`},
		{"picture with its fallback", `<p><img src="data:image/gif;base64,R0" data-src="/a-300x200.jpg" alt="A"><noscript><img src="/a.jpg" alt="A"></noscript></p>`, `<p><img src="https://kiyi.example/a-300x200.jpg" alt="A"/></p>`},
		{"picture of AMP", `<amp-img src="/a.jpg" width="300" alt="A"><noscript><img src="/a.jpg"></noscript></amp-img>`, `<img src="https://kiyi.example/a.jpg" width="300" alt="A"/>`},
		{"picture of Echo", `<img src="/blank.gif" data-echo="/a.jpg">`, `<img src="https://kiyi.example/a.jpg"/>`},
		{"picture in any attribute", `<img class="lazy" data-gercek="/a.jpg" data-adim="3">`, `<img src="https://kiyi.example/a.jpg"/>`},
		{"picture of Jetpack", `<img src="/b.jpg" data-orig-file="https://kiyi.example/a.jpg" data-permalink="https://kiyi.example/p/">`, `<img src="https://kiyi.example/b.jpg"/>`},
		{"picture with sources", `<picture><source data-srcset="/a.webp 300w, /b.webp 600w"><img src="data:image/gif;base64,R0" alt="A"></picture>`, `<picture><source/><img src="https://kiyi.example/b.webp" alt="A"/></picture>`},
		{"background that is a picture", `<div role="img" aria-label="Liman" class="wp-block-cover__image-background has-parallax" style="background-position:50% 50%;background-image:url(&quot;/a.jpg&quot;)"></div>`, `<img src="https://kiyi.example/a.jpg" alt="Liman"/>`},
		{"fixed background", `<div class="wp-block-cover has-parallax" style="background-image:url(https://kiyi.example/a.jpg)"><p>Liman</p></div>`, `<img src="https://kiyi.example/a.jpg"/><div><p>Liman</p></div>`},
		{"ornament", `<div style="background-image:url(/a.jpg)"><p>Liman</p></div>`, `<div><p>Liman</p></div>`},
		{"smileys", `Sağ ol <img class="wp-smiley" src="/gul.gif" alt=":)"> <img class="emoji" src="https://s.w.org/1f600.svg" alt="😀">`, `Sağ ol <img src="https://kiyi.example/gul.gif" alt=":)" width="16" height="16"/> 😀`},

		{"relative addresses", `<a href="/b/"><img src="/a-300x200.jpg" srcset="/a-300x200.jpg 300w, /a.jpg 900w"></a><a href="../c/">c</a><a href="mailto:a@b.example">d</a><a href="//e.example/">e</a>`,
			`<a href="https://kiyi.example/b/"><img src="https://kiyi.example/a.jpg"/></a><a href="https://kiyi.example/2026/11/c/">c</a><a href="mailto:a@b.example">d (a@b.example)</a><a href="https://e.example/">e</a>`},

		{"icon with a name", `<a href="https://ag.example/kiyi" aria-label="Ağda biz"><i class="icon"></i></a>`, `<a href="https://ag.example/kiyi">Ağda biz</a>`},
		{"icon with a name inside", `<a href="https://ag.example/kiyi"><svg><title>Ağda biz</title><path d="M0"/></svg></a>`, `<a href="https://ag.example/kiyi" title="Ağda biz">Ağda biz</a>`},
		{"icon without a name", `<a class="video-popup" href="https://www.youtube.com/watch?v=ornekvid_01"><span class="play-icon"></span></a>`, `<a href="https://www.youtube.com/watch?v=ornekvid_01">youtube.com</a>`},
		{"link over a teaser", `<a href="/b/"></a><a href="https://c.example/"></a><p><a href="https://c.example/">C</a></p>`, `<a href="https://kiyi.example/b/"></a><a href="https://c.example/"></a><p><a href="https://c.example/">C</a></p>`},
		{"link that shares the post", `<a href="https://ag.example/paylas?u=https%3A%2F%2Fkiyi.example%2F2026%2F11%2Fyazi%2F"><i></i></a>`, `<a href="https://ag.example/paylas?u=https%3A%2F%2Fkiyi.example%2F2026%2F11%2Fyazi%2F"><i></i></a>`},
		{"address of e-mail", `<a href="mailto:posta@b.example?subject=a">Yaz</a> <a href="mailto:posta@b.example">Posta@b.example</a> <a href="mailto:posta@b.example"><i class="icon"></i></a> <a href="mailto:?body=a">Paylaş</a>`,
			`<a href="mailto:posta@b.example?subject=a">Yaz (posta@b.example)</a> <a href="mailto:posta@b.example">Posta@b.example</a> <a href="mailto:posta@b.example"><i></i>posta@b.example</a> <a href="mailto:?body=a">Paylaş</a>`},
		{"telephone number", `<a href="tel:+902421234567">Ara</a> <a href="tel:+902421234567">0242 123 45 67</a>`, `<a href="tel:+902421234567">Ara (+902421234567)</a> <a href="tel:+902421234567">0242 123 45 67</a>`},
		{"name and office in a line each", `<cite><span class="b-alinti__ad">Ayşe</span><span class="b-alinti__is">Kaptan</span></cite> <b><span class="c">Li</span><span class="d">man</span></b>`,
			`<cite><span>Ayşe</span> <span>Kaptan</span></cite> <b><span>Li</span><span>man</span></b>`},
		{"columns of a builder", `[vc_row][vc_column width=&#8220;1/2&#8221;]Ağ onarımı[/vc_column][vc_column width=&#8220;1/2&#8221;]Kaptan ve [ilk]T[/ilk]ayfa[/vc_column][/vc_row]`, `Ağ onarımı<br/>Kaptan ve Tayfa`},
		{"raw HTML of a builder", `[vc_raw_html css=&#8220;&#8221;]JTNDaWZyYW1lJTIwc3JjJTNEJTIyaHR0cHMlM0ElMkYlMkZoYXJpdGEuZXhhbXBsZSUyRmElMjIlM0UlM0MlMkZpZnJhbWUlM0U=[/vc_raw_html]`, `<iframe src="https://harita.example/a"></iframe>`},
		{"raw script of a builder", `<p>a [vc_raw_js]JTNDc2NyaXB0JTNFYSUzQyUyRnNjcmlwdCUzRQ==[/vc_raw_js] b [vc_raw_html]bu değil[/vc_raw_html]</p>`, `<p>a <br/> b <br/>bu değil</p>`},
		{"link that a script opens", `<a href="#" data-video="https://vimeo.com/2">İzle</a>`, `<a href="https://vimeo.com/2">İzle</a>`},

		{"footnotes", `<p id="p1">Söz<a href="#_ftn1" id="_ftnref1">[1]</a></p><p><a href="` + address + `#_ftnref1" name="_ftn1">[1]</a> Not.</p>`,
			`<p>Söz<a href="#_ftn1" id="_ftnref1">[1]</a></p><p><a href="https://kiyi.example/2026/11/yazi/#_ftnref1" name="_ftn1">[1]</a> Not.</p>`},

		{"form", `<p>a</p><form><p><label>Nombre Completo<br><input name="a"></label></p><button>Enviar</button></form><p>b</p>`, `<p>a</p><p>b</p>`},
		{"form of bare labels", `<form><h3>Yazın</h3><p>Bir günde yanıtlarız.</p><p>Ad<br><input name="a"></p><div><div>Telefono</div><div><input name="b"></div></div>Şehir: <select><option>Kıyı</option></select><p><input type="checkbox"> Kabul</p><input type="submit" value="Gönder"></form>`,
			`<div><h3>Yazın</h3><p>Bir günde yanıtlarız.</p></div>`},
		{"table without rows", `<p>a</p><table><thead><tr><th>No</th><th>Ad</th></tr></thead><tbody></tbody></table><table><thead><tr><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>`,
			`<p>a</p><table><thead><tr><th>b</th></tr></thead><tbody><tr><td>c</td></tr></tbody></table>`},
		{"sign that closes a window", `<div><span class="close">×</span><a href="#" data-dismiss="modal">✕</a><p>3 × 4</p><span>×</span></div>`, `<div><p>3 × 4</p><span>×</span></div>`},
		{"counter", `<span class="elementor-counter-number" data-to-value="1500" data-from-value="0">0</span>`, `<span>1500</span>`},
		{"drawing", `<p>Oran <svg viewBox="0 0 1 1"><title>Simge</title><text x="1">yüzde <tspan>elli</tspan></text></svg>.</p>`, `<p>Oran <span>yüzde elli </span>.</p>`},
		{"formula", `<p><math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>3</mn></mfrac></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math>.</p>`,
			`<p><span>x<sup>2</sup>=(a+1)/3</span>.</p>`},
		{"questions", `<div><button aria-expanded="false" aria-controls="c1"><span>Nasıl abone olunur?</span><svg></svg></button><div id="c1"><p>Böyle.</p></div></div>`, `<div><h3><span>Nasıl abone olunur?</span></h3><div><p>Böyle.</p></div></div>`},
		{"questions in headings", `<h4><button aria-expanded="false">Nasıl?</button></h4><div>Böyle.</div>`, `<h4>Nasıl?</h4><div>Böyle.</div>`},
		{"buttons", `<p>a<button aria-label="Close">×</button> <button aria-expanded="false">Menu</button></p>`, `<p>a <button>Menu</button></p>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := cleanText(test.in, false, nil, address).text; got != test.want {
				t.Errorf("%s\nbecomes\n%s, want\n%s", test.in, got, test.want)
			}
		})
	}
}

// Marks of page builders become what their attributes say.
func TestShortcodes(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"question", `<p>[vc_row][toggle title=&#8221;Riskler nelerdir?&#8221; open=&#8221;no&#8221;]Yoktur.[/toggle][/vc_row]</p>`, `<p><h3>Riskler nelerdir?</h3>Yoktur.</p>`},
		{"heading", `<p>[vc_custom_heading text="Hizmetler" font="a"]</p>`, `<p><h3>Hizmetler</h3></p>`},
		{"blurb", `[et_pb_blurb title=&#8221;Ağ onarımı&#8221; url=&#8221;https://a.example/&#8221; image=&#8221;/ag.jpg&#8221; alt=&#8221;Ağ&#8221;]Onarırız.[/et_pb_blurb]`,
			`<img src="https://kiyi.example/ag.jpg" alt="Ağ"/><p><a href="https://a.example/">Ağ onarımı</a></p>Onarırız.`},
		{"button", `[nectar_btn text=&#8220;İndir&#8221; url=&#8220;https://a.example/a.pdf&#8221;]`, `<p><a href="https://a.example/a.pdf">İndir</a></p>`},
		{"button around its words", `[su_button url="https://a.example/" style="flat"]Tıklayın[/su_button] son`, `<p><a href="https://a.example/">Tıklayın</a></p> son`},
		{"button without words", `[buton link="https://www.a.example/b"]`, `<p><a href="https://www.a.example/b">a.example</a></p>`},
		{"link of WPBakery", `[vc_btn title="Oku" link="url:https%3A%2F%2Fa.example%2Fb|title:Daha|target:%20_blank"]`, `<h3>Oku</h3><p><a href="https://a.example/b">Daha</a></p>`},
		{"video", `[vc_video link=&#8221;https://vimeo.com/2&#8243; title="Liman"]`, `<iframe src="https://vimeo.com/2" title="Liman"></iframe>`},
		{"file of a video", `[et_pb_video src=&#8221;/a.mp4&#8243;]`, `<video src="https://kiyi.example/a.mp4"></video>`},
		{"sound", `[audio mp3="https://a.example/a.mp3"][/audio]`, `<audio src="https://a.example/a.mp3"></audio>`},
		{"picture by number", `<p>[vc_single_image image="12" img_size="full"]</p>`, ``},
		{"form", `[contact-form-7 id="1" title="İletişim formu 1"]`, ``},
		{"columns", `[et_pb_section admin_label="section" background_image="https://kiyi.example/b.jpg"][et_pb_row]a[/et_pb_row][/et_pb_section]`, `a`},
		{"code", `<pre>[kod a="1"]</pre><p><code>[kod a="1"]</code></p>`, `<pre>[kod a=&#34;1&#34;]</pre><p><code>[kod a=&#34;1&#34;]</code></p>`},
		{"address that runs", `[buton url="javascript:a()" text="Bas"][video src="javascript:a()"][x image="data:image/png;base64,R0"][y title="&lt;b onclick=a()&gt;"]`, `<p>Bas</p><h3>&lt;b onclick=a()&gt;</h3>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := cleanText(test.in, false, nil, address).text; got != test.want {
				t.Errorf("%s\nbecomes\n%s, want\n%s", test.in, got, test.want)
			}
		})
	}
}

// What was not understood is noted, and nothing else.
func TestNotes(t *testing.T) {
	for in, want := range map[string]string{
		`[a b="1"]x[/a] [toggle title="Soru"]Yanıt[/toggle] [Foto: AA] [vc_row][vc_column width="1/2"][/vc_column][/vc_row][contact-form-7 id="1"]`: "",
		`[rev_slider alias="ana"]`:                  "shortcodes",
		`<p>[kutu a="1"] [/kutu]</p>`:               "shortcodes",
		`[c image="5"]`:                             "pictures",
		`[gallery ids="5,6"]`:                       "pictures",
		`<img src="data:,"><img alt="a">`:           "pictures",
		`<img src="data:," width="1" height="1">`:   "",
		`<iframe></iframe><video controls></video>`: "players",
		`<iframe src="about:blank"></iframe><noscript><iframe src="/a"></iframe></noscript>`:            "",
		`<video><source src="/a.mp4"></video><object><param name="movie" value="/a.swf"></object>`:      "",
		`<div id="harita-1"></div><p>a</p><script>cizelge("#harita-1")</script>`:                        "scripts",
		`<div id="harita-1"><p>Harita</p></div><script>cizelge("#harita-1")</script><div id="b"></div>`: "",
		`<hava-durumu yer="Kıyı"></hava-durumu>`:                                                        "scripts",
		`<p><script src="https://e.example/embed.js" title="Seçim"></script></p>`:                       "scripts",
		`<canvas></canvas>`: "scripts",
		`<blockquote class="twitter-tweet"><p>Söz</p></blockquote><p><script async src="https://platform.example/widgets.js"></script></p>`: "",
		`<ins class="adsbygoogle" data-ad-client="1"></ins><script>push({})</script><div id="fb-root"></div><script>x("fb-root")</script>`:  "",
		`<table id="t"><thead><tr><th>No</th></tr></thead><tbody></tbody></table>`:                                                          "scripts",
		`<div class="wp-block-eklenti-harita" data-noktalar="[1]"></div><div class="wp-block-spacer"></div>`:                                "blocks",
		`<svg><text>elli</text></svg>`: "drawings",
		`<a href="https://a.example/"><svg role="img" aria-label="Ağ"></svg></a><svg role="img" aria-hidden="true"><title>a</title></svg>`: "",
		strings.Repeat("<div>", 1000): "layout",
	} {
		if got := cleanText(in, false, nil, address).notes.String(); got != want {
			t.Errorf("%.200s: %q, want %q", in, got, want)
		}
	}
	p, err := readPost([]byte(`{"id":7,"type":"post","date_gmt":"2026-11-01T10:00:00","modified_gmt":[],"link":"/a/","content":{"rendered":"[slayt id=\"1\"]"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, got := new(lexicon).single(p); got.String() != "shortcodes fields" {
		t.Errorf("notes of a record: %q", got)
	}
}

// Addresses without a host are resolved against the site.
func TestRelativeAddresses(t *testing.T) {
	l := newLexicon(nil, "https://kiyi.example/gazete")
	l.add(mediaOf, map[string]json.RawMessage{"5": json.RawMessage(`{"id":5,"source_url":"/wp-content/a.jpg"}`)})
	l.add(users, map[string]json.RawMessage{"2": json.RawMessage(`{"id":2,"name":"Ali","link":"/author/ali/"}`)})
	p, err := readPost([]byte(`{"id":7,"link":"/2026/11/yazi/","author":2,"featured_media":5,"content":{"rendered":"<p><img src=\"b.jpg\"></p>"}}`))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := l.single(p)
	if r.URL != address || len(r.Files) != 1 || r.Files[0].Address != "https://kiyi.example/wp-content/a.jpg" || *r.Text != `<p><img src="https://kiyi.example/2026/11/yazi/b.jpg"/></p>` {
		t.Errorf("%+v %s", r, *r.Text)
	}
	for typ, raw := range map[string]string{users: `{"id":2,"link":"/author/ali/"}`, categoryOf: `{"id":3,"link":"/category/deniz/"}`} {
		if got, err := l.nameRecord(typ, json.RawMessage(raw)); err != nil || !strings.Contains(string(got), `"Url":"https://kiyi.example/`) {
			t.Errorf("%s, %v", got, err)
		}
	}
	if link := l.users[2].Link; link != "https://kiyi.example/author/ali/" {
		t.Errorf("writer at %s", link)
	}
}
