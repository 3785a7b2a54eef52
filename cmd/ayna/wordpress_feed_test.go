package main

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"ayna/archive"
)

// A site that closes its REST API is mirrored by its feed, with nothing that is not public, until
// the API opens: then the same pages go on, and what they lacked comes. Most posts were drafts
// first, so that their guids have their ids.
func TestWordPressFeed(t *testing.T) {
	w := openWordPress(t)
	w.run(t, `
		global $wpdb;
		$wpdb->query("UPDATE $wpdb->posts SET guid = CONCAT('`+w.address+`/?p=', ID) WHERE ID % 20 <> 0");
		return update_option('closed', 1);`, nil)
	posts := 0
	w.run(t, `return count(get_posts(['post_status' => 'publish', 'has_password' => false, 'numberposts' => -1]));`, &posts)
	p := &workdir{dir: t.TempDir()}
	if c := p.startCommand(t, "ayna", "init", w.address, "--yes"); c.wait(t, time.Minute) != exitOK || !strings.Contains(c.out.String(), "feed:     its REST API is closed") {
		t.Fatalf("%s%s", c.out, c.err)
	}
	p.configure(t, "  per_second: 2\n", "  per_second: 0\n", `  columns: []`, "  columns: [kose-yazilari]")
	requests, out := w.build(t, p)
	atMost(t, "first", requests, posts/10+posts/20+8)
	if !strings.Contains(out, "warning:  this site closes its REST API") {
		t.Errorf("%s", out)
	}
	pages := p.pages(t)
	if len(pages) != posts {
		t.Errorf("%d pages of %d posts", len(pages), posts)
	}
	for _, post := range w.posts(t) {
		for _, word := range post.Words {
			isMissing := word == "iz0502metin"                                                            // on the second page of a post
			isMissing = isMissing || strings.HasSuffix(word, "alt") || strings.HasSuffix(word, "altyazi") // of a featured picture
			if page := pages[post.ID]; post.Type == "post" && !isMissing && !strings.Contains(page, word) {
				t.Errorf("the page of post %d lacks %q", post.ID, word)
			}
		}
	}
	p.checkPrivate(t)
	if folder := p.tree(t, "public")["kose-yazilari/index.html"]; !regexp.MustCompile(`<h1[^>]*>.*Köşe Yazıları`).MatchString(folder) {
		t.Errorf("the folder has no name:\n%.2000s", folder)
	}
	w.build(t, p)
	time.Sleep(time.Minute) // the paper has just been filled
	w.build(t, p)
	requests, _ = w.build(t, p)
	atMost(t, "nothing changed", requests, 1)

	var ids []int
	w.run(t, `
		$posts = get_posts(['numberposts' => 30]);
		wp_update_post(['ID' => $posts[9]->ID, 'post_title' => 'Yeni başlık']);
		$new = wp_insert_post(['post_title' => 'Son dakika', 'post_content' => '<p>Yeni iz9802metin</p>', 'post_status' => 'publish', 'post_author' => 2, 'post_category' => [2]]);
		wp_trash_post($posts[20]->ID);
		wp_update_post(['ID' => $posts[21]->ID, 'post_password' => 'sakli-parola']);
		return [$posts[9]->ID, $new, $posts[20]->ID, $posts[21]->ID];`, &ids)
	requests, _ = w.build(t, p)
	atMost(t, "an edit and a new post", requests, 7)
	if pages = p.pages(t); !strings.Contains(pages[ids[0]], "Yeni başlık") || !strings.Contains(pages[ids[1]], "iz9802metin") {
		t.Error("an edit and a new post do not show")
	}
	p.env = append(p.env, "AHEAD=25h")
	requests, _ = w.build(t, p)
	atMost(t, "sweep", requests, posts/10+8)
	p.env = append(p.env, "AHEAD=27h") // what a feed lacks must show twice
	w.build(t, p)
	if pages = p.pages(t); pages[ids[2]] != "" || pages[ids[3]] != "" {
		t.Error("what was withdrawn is still there")
	}
	p.checkPrivate(t)

	addresses := make(map[string]bool)
	for name := range p.tree(t, "public") {
		addresses[name] = pageOfPost.MatchString(name) && !strings.Contains(name, "/archive/")
	}
	w.run(t, `return update_option('closed', 0);`, nil)
	p.forgetWay(t)
	p.env = append(p.env, "AHEAD=50h")
	requests, out = w.build(t, p)
	atMost(t, "open", requests, 40)
	if !strings.Contains(out, "warning:  this site has opened its REST API") {
		t.Errorf("%s", out)
	}
	tree := p.tree(t, "public")
	for name, isPost := range addresses {
		if isPost && tree[name] == "" {
			t.Errorf("%s is gone", name)
		}
	}
	p.configure(t, "  types: []\n", "  types: [etkinlikler]\n")
	w.build(t, p, "--full")
	w.checkPosts(t, p)
	p.checkPrivate(t)

	before := p.tree(t, "public")
	w.run(t, `return update_option('closed', 1);`, nil)
	p.env = append(p.env, "AHEAD=80h")
	w.build(t, p)
	after := p.tree(t, "public")
	for name, content := range before {
		if pageOfPost.MatchString(name) && after[name] != content {
			t.Errorf("closed again, %s is another page", name)
		}
	}
}

// forgetWay has the next run ask for the REST API, as a day later.
func (p *workdir) forgetWay(t *testing.T) {
	t.Helper()
	a, err := archive.Open(t.Context(), p.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	text, err := a.State.Get(t.Context(), "source")
	if err == nil {
		err = a.Update(t.Context(), func(tx *archive.Tx) error {
			return tx.State.Set("source", regexp.MustCompile(`"REST API was tried":"[^"]*"`).ReplaceAllString(text, `"REST API was tried":"2026-01-01T00:00:00Z"`))
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}
