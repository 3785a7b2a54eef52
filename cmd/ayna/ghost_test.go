package main

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// The mirror of a real Ghost has each card of its editor, and nothing that is not public.
func TestRealGhostContent(t *testing.T) {
	g := openRealGhost(t)
	p := g.mirror(t)
	requests, _ := g.build(t, p)
	atMost(t, "first", requests, 8) // N/90 + 8, of 40 records
	for _, test := range []struct {
		title string
		want  []string // regular expressions
		not   []string
	}{
		{"Kart image", []string{`<img [^>]*alt="resim 0"`, `<figcaption>Bir <b>resim</b> altı</figcaption>`}, nil},
		{"Kart gallery", []string{`(?s)(<figure>\s*<img .*){6}Zeytin hasadı`}, nil},
		{"Kart embed", []string{`class="player"`, `https://film\.example/[^"]*hasat01`, `bir film`}, []string{`<iframe`}},
		{"Kart tweet", []string{`<blockquote>`, `href="https://twitter\.com/x/status/1"`}, []string{`widgets\.js`}},
		{"Kart bookmark", []string{`<a href="https://example\.com/yazi">Örnek yazı</a>`, `Bir açıklama`, `Örnek Yayın · Ada`, `yer imi`}, nil},
		{"Kart callout", []string{`💡 <b>Dikkat:</b> bir not`}, nil},
		{"Kart toggle", []string{`<details><summary>Aç kapa</summary>\s*(<p>)?açılan metin`}, nil},
		{"Kart video", []string{`hasat\.mp4`, `hasat filmi`, `poster="\.\./media/`}, []string{`data:image`, `0:12`}},
		{"Kart audio", []string{`ruzgar\.mp3`, `Rüzgâr sesi`}, []string{`audio-thumbnail`, `>0:00`, `1×`}},
		{"Kart file", []string{`rapor\.pdf">Hasat raporu</a>`, `resmî rapor · rapor\.pdf`, `\(PDF, 1 kB\)`}, []string{`1 KB`}},
		{"Kart html", []string{`<td>hücre</td>`}, []string{`onclick`, `kirli`}},
		{"Kart markdown", []string{`<h2>Başlık</h2>`, `<li>bir</li>`, `<td>2</td>`}, nil},
		{"Kart codeblock", []string{`<pre><code>x := 1 // &lt; 2</code></pre>`, `kod`}, nil},
		{"Kart button", []string{`<p><a href="https://example\.com/al\?a=1">Satın al</a></p>`}, nil},
		{"Kart product", []string{`Kitap`, `★★★★☆`, `iyi bir kitap`, `<a href="https://example\.com/k">Al</a>`}, nil},
		{"Kart header", []string{`Büyük başlık</h2>`, `alt başlık`, `<p><a href="https://example\.com/git">Git</a></p>`}, nil},
		{"Kart signup", nil, []string{`Katıl`, `jamie@`, `<input`}},
		{"Kart horizontalrule", []string{`<hr/?>`}, nil},
		{"Kart call-to-action", []string{`DESTEK`, `Bir çağrı`, `<a href="https://example\.com/oku">Oku</a>`}, nil},
		{"Üyelere özel", []string{`yalnızca üyeler`, `class="original"`}, []string{`Yalnız üyeler bunu okur`}},
		{"Üyelere özel, girişi açık", []string{`yalnızca üyeler`, `Bunu herkes okur`}, []string{`Yalnız üyeler bunu okur`}},
		{"Ödeyenlere", []string{`yalnızca üyeler`, `Kısa özet: Ödeyenlere`}, []string{`Yalnız üyeler bunu okur`}},
		{"Haber 3", []string{`<figcaption dir="auto">Foto: ajans</figcaption>`, `alt="zeytinlik"`, `Ayşe Öztürk`}, []string{`yalnızca üyeler`}},
		{"Hakkımızda", []string{`Zeytin ağaçları`}, nil},
	} {
		page := strings.ReplaceAll(mainOf(p.page(t, test.title)), ` rel="nofollow noopener"`, "")
		for _, want := range test.want {
			if !regexp.MustCompile(want).MatchString(page) {
				t.Errorf("%s lacks %s:\n%s", test.title, want, page)
			}
		}
		for _, not := range append(test.not, `\?ref=`, `kg-`, `<script`, `<form`, `<button`) {
			if page == "" || regexp.MustCompile(not).MatchString(page) {
				t.Errorf("%s has %s:\n%s", test.title, not, page)
			}
		}
	}
	for name, content := range p.tree(t, "public") {
		if strings.Contains(content, "gizli") || strings.Contains(name, "taslak") || strings.Contains(name, "yarin") {
			t.Errorf("%s is not public", name)
		}
	}
	requests, out := g.build(t, p)
	if atMost(t, "nothing changed", requests, 6); !strings.Contains(out, " 0 written") {
		t.Errorf("nothing changed: %s", out)
	}
	if _, out = g.build(t, p, "--full"); !strings.Contains(out, " 0 written") {
		t.Errorf("full: %s", out)
	}
}

// What an editor does in a day shows at the next build.
func TestRealGhostEditorsDay(t *testing.T) {
	g := openRealGhost(t)
	p := g.mirror(t)
	g.build(t, p)
	time.Sleep(1100 * time.Millisecond) // Ghost's dates have whole seconds
	g.run(t, nil, `
		const id = async (title) => (await admin.send("GET", "/posts/?limit=1&fields=id&filter=" + encodeURIComponent("title:'" + title + "'"))).posts[0].id;
		await admin.change("posts", await id("Haber 1"), { title: "Haber bir" });
		await admin.change("posts", await id("Haber 2"), { slug: "baska-adres" });
		await admin.change("posts", await id("Haber 3"), { visibility: "members" });
		await admin.change("posts", await id("Haber 4"), { status: "draft" });
		await admin.send("DELETE", "/posts/" + await id("Haber 5") + "/");
		await admin.send("POST", "/posts/?source=html", { posts: [{ title: "Yepyeni", status: "published", html: "<p>Taze söz.</p>", tags: [{ name: "Hava" }] }] });
		await admin.change("pages", (await admin.send("GET", "/pages/?limit=1&fields=id&filter=slug:kunye")).pages[0].id, { title: "Künye ve iletişim" });`)
	requests, out := g.build(t, p)
	atMost(t, "an editor's day", requests, 9) // with one for the ids of what has gone
	for title, want := range map[string]string{
		"Haber bir": "Zeytin", "Haber 2": "baska-adres", "Haber 3": "yalnızca üyeler", "Haber 4": "", "Haber 5": "", "Yepyeni": "Taze söz.", "Künye ve iletişim": "Zeytin", "Künye": "",
	} {
		if page := p.page(t, title); !strings.Contains(page, want) || want == "" && page != "" {
			t.Errorf("%s, want %q: %s\n%s", title, want, mainOf(page), out)
		}
	}
	g.run(t, nil, `
		const tag = async (slug) => (await admin.send("GET", "/tags/slug/" + slug + "/")).tags[0].id;
		await admin.change("tags", await tag("ekonomi"), { name: "İktisat" });
		await admin.change("tags", await tag("spor"), { slug: "oyun" });
		await admin.send("PUT", "/settings/", { settings: [{ key: "timezone", value: "Asia/Tokyo" }] });
		const me = (await admin.send("GET", "/users/me/")).users[0];
		await admin.send("PUT", "/users/" + me.id + "/", { users: [{ name: "Ayşe Yeni", email: me.email }] });`)
	requests, out = g.build(t, p)
	atMost(t, "names", requests, 9)
	tree := p.tree(t, "public")
	if !strings.Contains(tree["ekonomi/index.html"], "İktisat") || !strings.Contains(p.page(t, "Haber 3"), "Ayşe Yeni") {
		t.Errorf("a name is missing: %s", out)
	}
	found := false
	for name, content := range tree {
		found = found || strings.HasSuffix(name, "/index.html") && strings.Contains(content, ">Haber 2<") && strings.Contains(content, "Spor")
	}
	if !found {
		t.Error("the renamed folder lost its posts")
	}
	requests, out = g.build(t, p)
	if atMost(t, "afterwards", requests, 6); !strings.Contains(out, " 0 written") {
		t.Errorf("afterwards: %s", out)
	}
	g.run(t, nil, `
		const tags = (await admin.send("GET", "/tags/?limit=all&filter=" + encodeURIComponent("slug:[ekonomi,oyun]"))).tags;
		for (const tag of tags) {
			await admin.change("tags", tag.id, tag.slug === "oyun" ? { slug: "spor" } : { name: "Ekonomi" });
		}
		await admin.send("PUT", "/settings/", { settings: [{ key: "timezone", value: "Europe/Istanbul" }] });`)
}
