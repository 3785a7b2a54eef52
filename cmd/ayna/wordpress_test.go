package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The mirror of a real WordPress has every public post, and nothing that is not public.
func TestWordPressContent(t *testing.T) {
	w := openWordPress(t)
	p := w.mirror(t)
	posts := w.posts(t)
	requests, _ := w.build(t, p)
	atMost(t, "first", requests, len(posts)/33+14)
	pages := w.checkPosts(t, p)
	p.checkPrivate(t)

	for _, test := range []struct {
		name, title string
		want        []string // regular expressions
		not         []string
	}{
		{"gallery block", "Galeri, blokla", []string{`class="item gallery"`, `(?s)(<figcaption.*Galeride iz.*){4}`, `alt="Liman &amp; deniz iz`}, nil},
		{"gallery shortcode", "Galeri, kısa kodla", []string{`class="item gallery"`, `(?s)(Kıyıda iz\d+altyazi.*){2}`}, []string{`\[gallery`}},
		{"gallery in a text", "Metin içinde galeri", []string{`class="item"`, `(<figure><img [^>]*/><figcaption>Galeride <em>iz\d+altyazi</em></figcaption></figure>\s*){3}`}, nil},
		{"large picture", "Büyük resim", []string{`width="2560"`, `<figcaption>Geniş <a `}, []string{`/wp-content/`}},
		{"file of a picture", "Bağlantılı resim", []string{`<img [^>]*width="1600"`}, nil},
		{"player", "Film, oynatıcıyla", []string{`class="item video"`, `class="player"><a href="https://film\.example/[^"]*oynatici001[^>]*><strong>Limanda sabah<`}, nil},
		{"address of a player", "Film, adres olarak", []string{`class="player"><a href="https://film\.example/watch\?v=adresolarak"`}, nil},
		{"frame", "Harita çerçevesi", []string{`href="https://harita\.example/iskele"`}, []string{`izinsiz`}},
		{"table", "Tablo", []string{`<th>Fiyat</th>`, `<figcaption>Pazar `}, nil},
		{"quotes", "Alıntılar", []string{`(?s)<blockquote>.*<cite>Kaptan.*<blockquote>`}, nil},
		{"video file", "Video dosyası", []string{`class="item video"`, `dalgalar\.mp4`}, nil},
		{"preformatted", "Listeler, dosya", []string{"<pre>bir  iki iz\\d+metin\n   üç</pre>", `dalgalar\.mp4"[^>]*>Dalgalar</a></p>`}, nil},
		{"blocks", "Sütunlar ve kapak", []string{`(?s)(<img .*){3}Yanında.*<details><summary>`}, []string{`</details>\s*<ul>`}}, // the latest posts are not this post's
		{"classic", "Klasik yazı", []string{`<figcaption>Fener altyazısı`, `oynatici002`, `İkinci sayfa`, `“?‘?’?tırnak`}, []string{`\[caption`, `wp-att`, `<!--more`}},
		{"shortcode", "Bilinmeyen kısa kod", []string{`<p>\s*Görünen iz\d+metin \[foto: AA\]\s+son\.</p>`}, []string{`<p>[^<]*\[eklenti`}},
		{"Cyrillic", "Сегодня в порту", []string{`%d1%81%d0%b5`}, nil},
		{"several categories", "Birkaç kategoride", []string{`Spor.*\n.*Futbol`}, nil},
		{"column", "Köşede bir gün", []string{`class="item column"`}, nil},
		{"title", "tırnak” eğik", []string{`<p class="spot"[^>]*>Elle yazılmış özet &amp; iz`}, nil},
		{"custom type", "Balık Günleri", []string{`Etkinlikler`}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			page := ""
			for _, content := range pages {
				if _, after, _ := strings.Cut(content, "<h1"); strings.Contains(after[:max(0, strings.Index(after, "</h1>"))], test.title) {
					page = content
				}
			}
			for _, want := range test.want {
				if !regexp.MustCompile(want).MatchString(page) {
					t.Errorf("the page lacks %s:\n%s", want, mainOf(page))
				}
			}
			for _, not := range test.not {
				if regexp.MustCompile(not).MatchString(mainOf(page)) {
					t.Errorf("the page has %s:\n%s", not, mainOf(page))
				}
			}
		})
	}
	for id, page := range pages { // only these have a summary of their own
		if !regexp.MustCompile(`<p class="spot"[^>]*>(Özet: |Elle )`).MatchString(page) && strings.Contains(mainOf(page), `<p class="spot"`) {
			t.Errorf("post %d shows the summary that WordPress made of its text:\n%s", id, mainOf(page))
		}
	}

	before := p.tree(t, "public")
	requests, out := w.build(t, p)
	if atMost(t, "nothing changed", requests, 9); !strings.Contains(out, " 0 written") {
		t.Errorf("nothing changed: %s", out)
	}
	requests, out = w.build(t, p, "--full")
	if atMost(t, "full", requests, 20); !strings.Contains(out, " 0 written") || p.revisions(t) > 0 {
		t.Errorf("full: %d revisions\n%s", p.revisions(t), out)
	}
	p.env = append(p.env, "AHEAD=7h")
	requests, out = w.build(t, p)
	atMost(t, "sweep", requests, 8+(len(posts)+99)/100)
	if !strings.Contains(out, " 0 written") || p.revisions(t) > 0 {
		t.Errorf("sweep: %d revisions\n%s", p.revisions(t), out)
	}
	if after := p.tree(t, "public"); len(after) != len(before) {
		t.Errorf("%d files were published, and %d are", len(before), len(after))
	}

	// The other one with players is the first of its answer then.
	w.run(t, "return wp_delete_post(get_posts(['s' => 'Kısa kodla film', 'numberposts' => 1])[0]->ID, true)->ID;", nil)
	if w.build(t, p, "--full"); p.revisions(t) > 0 {
		t.Errorf("beside other neighbours: %d revisions", p.revisions(t))
	}
}

// mainOf returns the item of a page, without navigation and head.
func mainOf(page string) string {
	_, page, _ = strings.Cut(page, "<article")
	page, _, _ = strings.Cut(page, "</article>")
	return page
}

// An editor's day: ten edits, of which each is found by its date.
func TestWordPressEditorsDay(t *testing.T) {
	w := openWordPress(t)
	p := w.mirror(t)
	w.build(t, p)
	var ids []int
	w.run(t, `
		$posts = get_posts(['numberposts' => 80]);
		foreach ([3, 11, 19, 27, 35, 43, 51] as $i) {
			wp_update_post(wp_slash(['ID' => $posts[$i]->ID, 'post_content' => $posts[$i]->post_content . "<p>Eklenen iz9{$i}00ek.</p>"]));
		}
		wp_update_post(['ID' => $posts[60]->ID, 'post_title' => 'Yeni başlık iz9800ad']);
		$new = wp_insert_post(['post_title' => 'Son dakika iz9801ad', 'post_content' => '<p>Yeni iz9802metin</p>', 'post_status' => 'publish', 'post_author' => 2, 'post_category' => [2], 'tags_input' => ['yeni etiket']]);
		$planned = wp_insert_post(['post_title' => 'Saati gelen iz9803ad', 'post_content' => '<p>Planlı iz9804metin</p>', 'post_status' => 'future', 'post_author' => 2, 'post_date' => wp_date('Y-m-d H:i:s', time() + 3600)]);
		$then = get_post($planned)->post_status;
		$before = time() - 90000; // it was written yesterday, for now
		$GLOBALS['wpdb']->update($GLOBALS['wpdb']->posts, ['post_date' => wp_date('Y-m-d H:i:s'), 'post_date_gmt' => gmdate('Y-m-d H:i:s'),
			'post_modified' => wp_date('Y-m-d H:i:s', $before), 'post_modified_gmt' => gmdate('Y-m-d H:i:s', $before)], ['ID' => $planned]);
		clean_post_cache($planned);
		check_and_publish_future_post($planned);
		return $then === 'future' && get_post_status($planned) === 'publish' ? [$new, $planned] : [];`, &ids)
	requests, out := w.build(t, p)
	atMost(t, "an editor's day", requests, 14)
	if !strings.Contains(out, "2 new, 8 changed, 10 fetched") {
		t.Errorf("%s", out)
	}
	if pages := w.checkPosts(t, p); len(ids) != 2 || pages[ids[0]] == "" || pages[ids[1]] == "" {
		t.Errorf("new posts %v are missing", ids)
	}
	p.checkPrivate(t)
}

// Each change is found: by its date at the next run, or else at the next sweep. What is
// withdrawn leaves the site.
func TestWordPressChanges(t *testing.T) {
	w := openWordPress(t)
	p := w.mirror(t)
	w.build(t, p)
	type change struct {
		name  string
		dated bool
		code  string // $p is the post
		shows string // a regular expression; "" if the page has to go
	}
	const save = "wp_update_post(wp_slash(['ID' => $p->ID, %]));"
	saves := func(field string) string { return strings.Replace(save, "%", field, 1) }
	changes := []change{
		{"title", true, saves(`'post_title' => 'Başka ad'`), `<h1[^>]*>Başka ad</h1>`},
		{"author", true, saves(`'post_author' => 4`), `Zehra Ünal`},
		{"slug", true, saves(`'post_name' => 'baska-adres'`), `/baska-adres/`},
		{"text", true, saves(`'post_content' => '<p>Başka söz.</p>'`), `<p>Başka söz\.</p>`},
		{"summary", true, saves(`'post_excerpt' => 'Başka özet.'`), `<p class="spot"[^>]*>Başka özet\.</p>`},
		{"picture by a save", true, `set_post_thumbnail($p->ID, $picture); ` + saves(`'post_status' => 'publish'`), `Kıyıda iz\d+altyazi`},
		{"category by a save", true, saves(`'post_category' => [$category]`), `Sinema`},

		{"picture", false, `set_post_thumbnail($p->ID, $picture);`, `Kıyıda iz\d+altyazi`},
		{"category", false, `wp_set_post_categories($p->ID, [$category]);`, `Sinema`},
		{"tags", false, `wp_set_post_tags($p->ID, ['bambaşka']);`, `bambaşka`},
		{"format", false, `set_post_format($p->ID, 'video');`, `<h1`},
		{"sticky", false, `stick_post($p->ID);`, `<h1`},
		{"trash", false, `wp_trash_post($p->ID);`, ""},
		{"deletion", false, `wp_delete_post($p->ID, true);`, ""},
		{"draft", false, saves(`'post_status' => 'draft'`), ""},
		{"private", false, saves(`'post_status' => 'private'`), ""},
		{"put off", false, saves(`'post_status' => 'future', 'post_date' => '2035-01-01 00:00:00', 'post_date_gmt' => '2034-12-31 21:00:00', 'edit_date' => true`), ""},
		{"password", false, saves(`'post_password' => 'sakli-parola'`), ""},
	}
	code := "$category = get_term_by('slug', 'sinema', 'category')->term_id; $picture = get_posts(['post_type' => 'attachment', 'title' => 'Resim fener', 'numberposts' => 1])[0]->ID; $ids = [];\n" +
		"$posts = array_values(array_filter(get_posts(['numberposts' => -1, 'category__in' => [get_term_by('slug', 'ekonomi', 'category')->term_id, get_term_by('slug', 'spor', 'category')->term_id]]), fn($p) => !has_post_thumbnail($p)));\n"
	for _, c := range changes {
		code += "$p = array_shift($posts); $ids[] = $p->ID; " + c.code + "\n"
	}
	code += `$spor = get_term_by('slug', 'futbol', 'category'); wp_update_term($spor->term_id, 'category', ['name' => 'Ayak topu']); wp_update_user(['ID' => 3, 'display_name' => 'Yeni Ad']);
		$tag = get_term_by('name', 'su ürünleri', 'post_tag'); wp_update_term($tag->term_id, 'post_tag', ['name' => 'Balıkçılık']);
		$market = get_posts(['post_type' => 'attachment', 'title' => 'Resim carsi'])[0]->ID; wp_update_post(['ID' => $market, 'post_excerpt' => 'Çarşıda akşam']);
		update_post_meta($market, '_wp_attachment_image_alt', 'Boş çarşı'); return $ids;`
	var ids []int
	if w.run(t, code, &ids); len(ids) != len(changes) {
		t.Fatalf("%d posts were changed, want %d", len(ids), len(changes))
	}
	check := func(dated bool) {
		pages := p.pages(t)
		for i, c := range changes {
			page, there := pages[ids[i]]
			switch {
			case dated && !c.dated:
			case c.shows == "" && there:
				t.Errorf("%s: post %d is still in the site", c.name, ids[i])
			case c.shows != "" && !regexp.MustCompile(c.shows).MatchString(page):
				t.Errorf("%s: the page of post %d does not show it:\n%s", c.name, ids[i], mainOf(page))
			}
		}
	}
	requests, _ := w.build(t, p)
	atMost(t, "changes with dates", requests, 14)
	check(true)
	tree := p.tree(t, "public")
	if !strings.Contains(tree["spor/futbol/index.html"], "Ayak topu") || !strings.Contains(tree["yazar/index.html"], "Yeni Ad") {
		t.Error("the new names of a category and of a user do not show")
	}
	w.build(t, p, "--full")
	check(false)
	p.checkPrivate(t)
	all := strings.Join(slices.Collect(maps.Values(p.pages(t))), "")
	for _, want := range []string{`>Balıkçılık<`, `<figcaption[^>]*>Çarşıda akşam<`, `alt="Boş çarşı"`} {
		if !regexp.MustCompile(want).MatchString(all) {
			t.Errorf("no page has %s", want)
		}
	}
	w.run(t, "$c = get_term_by('slug', 'sinema', 'category'); wp_update_term($c->term_id, 'category', ['slug' => 'beyaz-perde', 'parent' => 0]); return 1;", nil)
	w.build(t, p, "--full")
	check(false)
	tree = p.tree(t, "public")
	if now, former := tree["beyaz-perde/index.html"], tree["kultur-sanat/sinema/index.html"]; !strings.Contains(now, `<h1`) || !strings.Contains(former, "beyaz-perde/") {
		t.Errorf("a moved category:\n%s\nits former page:\n%s", now, former)
	}
	if c := p.startCommand(t, "ayna", "check"); c.wait(t, time.Minute) != exitOK {
		t.Errorf("%s%s", c.out, c.err)
	}
}

// With plain permalinks, WordPress has its REST API and its posts at other addresses.
func TestWordPressPlainPermalinks(t *testing.T) {
	w := openWordPress(t)
	var id int
	w.run(t, `
		$GLOBALS['wp_rewrite']->set_permalink_structure('');
		flush_rewrite_rules(false);
		return wp_insert_post(['post_title' => 'Bağlar', 'post_content' => '<p><a href="' . get_permalink(12) . '">burada</a></p>', 'post_status' => 'publish', 'post_author' => 2]);`, &id)
	p := w.mirror(t)
	requests, _ := w.build(t, p)
	atMost(t, "first", requests, len(w.posts(t))/33+14)
	pages := w.checkPosts(t, p)
	p.checkPrivate(t)
	if page := mainOf(pages[id]); !regexp.MustCompile(`<a href="[^":]*-12\.html">burada</a>`).MatchString(page) {
		t.Errorf("the link to another post leads out of the site:\n%s", page)
	}
	requests, _ = w.build(t, p)
	atMost(t, "nothing changed", requests, 9)
}

// A site that closes its REST API is mirrored with an application password, as WordPress
// shows it; readers with an account are not in the mirror. One that hides its users is
// mirrored without names.
func TestWordPressClosed(t *testing.T) {
	w := openWordPress(t)
	p := w.mirror(t)
	var password string
	w.run(t, `
		update_option('closed', 1);
		wp_insert_user(['user_login' => 'okur-sakli', 'user_pass' => 'x', 'user_email' => 'okur@sakli.example', 'display_name' => 'Okur sakli', 'role' => 'subscriber']);
		return WP_Application_Passwords::chunk_password(WP_Application_Passwords::create_new_application_password(1, ['name' => 'ayna'])[0]);`, &password)
	c := p.startCommand(t, "ayna", "build")
	if code := c.wait(t, time.Minute); code != exitKey || !strings.Contains(c.err.String(), "closes its REST API") {
		t.Errorf("without a password: exit code %d\n%s", code, c.err)
	}
	open := p.copy(t)
	p.configure(t, "  kind: wordpress\n", "  kind: wordpress\n  api_key: ${AYNA_API_KEY}\n")
	p.key = "yonetici:" + password
	if !strings.Contains(password, " ") {
		t.Errorf("the password is %q, without blanks", password)
	}
	w.build(t, p)
	w.checkPosts(t, p)
	p.checkPrivate(t)

	w.run(t, `update_option('closed', 0); return update_option('nobody', 1);`, nil)
	w.build(t, open)
	w.checkPosts(t, open)
	for name, page := range open.tree(t, "public") {
		if strings.Contains(page, "Zehra") {
			t.Errorf("%s names a hidden user", name)
		}
	}
}
