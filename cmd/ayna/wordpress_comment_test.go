package main

import (
	"crypto/md5"
	"crypto/sha256"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/record"
)

// readers write 600 comments: 400 below one post, answers up to ten deep, the others below 40
// posts. Some wait, or are spam, or are pings.
const readers = `
	global $wpdb;
	$wpdb->query('BEGIN');
	$posts = get_posts(['numberposts' => 41, 'has_password' => false]);
	$ids = [];
	for ($i = 0; $i < 600; $i++) {
		$post = $posts[$i < 400 ? 0 : 1 + $i % 40]->ID;
		$parent = $i > 0 && $i < 400 && $i % 11 ? ($i % 3 ? $ids[$i - 1] : $ids[intdiv($i, 2)]) : 0;
		$ids[] = wp_insert_comment(wp_slash(['comment_post_ID' => $post, 'comment_parent' => $parent, 'comment_author' => "Okur & $i", 'comment_author_email' => "okur$i@sakli.example",
			'comment_author_url' => 'https://okur.example/', 'comment_content' => "Söz söz{$i}yorum.\n\nDahası.", 'comment_approved' => $i % 50 === 7 ? '0' : ($i % 50 === 8 ? 'spam' : '1'),
			'comment_type' => $i % 50 === 9 ? 'pingback' : 'comment', 'comment_date' => wp_date('Y-m-d H:i:s', time() - 60 * (18000 - 30 * $i)), 'comment_date_gmt' => gmdate('Y-m-d H:i:s', time() - 60 * (18000 - 30 * $i))]));
	}
	$wpdb->query('COMMIT');
	return $ids;`

// shownComments are the approved comments of public posts: the id, post, parent and text of each.
const shownComments = `
	return array_values(array_map(fn($c) => [(int) $c->comment_ID, (int) $c->comment_post_ID, (int) $c->comment_parent, (string) $c->comment_content],
		array_filter(get_comments(['status' => 'approve', 'type' => 'comment', 'orderby' => 'comment_date_gmt', 'order' => 'ASC']), fn($c) => get_post_status($c->comment_post_ID) === 'publish')));`

// The comments of a real WordPress, and an editor's day with them: new ones show at once, the rest
// with the next sweep, and removals of the newest ones an hour after it.
func TestWordPressComments(t *testing.T) {
	w := openWordPress(t)
	var ids []int
	if w.run(t, readers, &ids); len(ids) != 600 {
		t.Fatalf("%d comments", len(ids))
	}
	p := w.mirror(t)
	requests, out := w.build(t, p)
	atMost(t, "first", requests, len(w.posts(t))/33+14+6)
	if !strings.Contains(out, "564 comments") {
		t.Errorf("%s", out)
	}
	w.checkThreads(t, p)
	requests, out = w.build(t, p)
	if atMost(t, "nothing changed", requests, 9); !strings.Contains(out, " 0 written") {
		t.Errorf("nothing changed: %s", out)
	}

	var newest int
	w.run(t, fmt.Sprintf(`
		$new = fn($parent, $text) => wp_insert_comment(['comment_post_ID' => get_comment($parent)->comment_post_ID, 'comment_parent' => $parent, 'comment_author' => 'Yeni okur', 'comment_content' => $text]);
		$first = $new(%d, 'Taze söz601yorum.');
		return $new($first, 'Yanıtı söz602yorum.');`, ids[399]), &newest)
	requests, _ = w.build(t, p)
	atMost(t, "new ones", requests, 9)
	w.checkThreads(t, p)

	w.run(t, moderate(ids), nil)
	p.env = append(p.env, "AHEAD=7h")
	requests, _ = w.build(t, p)
	atMost(t, "a sweep", requests, 9+2+5+1)
	w.checkThreads(t, p)

	w.run(t, fmt.Sprintf("wp_trash_comment(%d); return 1;", newest), nil)
	p.env = append(p.env, "AHEAD=14h")
	w.build(t, p)
	p.env = append(p.env, "AHEAD=16h")
	requests, _ = w.build(t, p)
	atMost(t, "an hour after a sweep", requests, 10)
	w.checkThreads(t, p)

	if c := p.startCommand(t, "ayna", "forget", fmt.Sprint("comment/", ids[2])); c.wait(t, time.Minute) != exitOK {
		t.Fatalf("%s%s", c.out, c.err)
	}
	w.run(t, fmt.Sprintf("wp_delete_comment(%d, true); return 1;", ids[2]), nil) // so that both show the same
	w.build(t, p, "--full")
	w.checkThreads(t, p)
	p.checkPrivate(t)
	p.checkReaders(t)
	if c := p.startCommand(t, "ayna", "check"); c.wait(t, time.Minute) != exitOK {
		t.Errorf("%s%s", c.out, c.err)
	}
}

// moderate is an editor's day: some comments are approved, edited, removed.
func moderate(ids []int) (code string) {
	for _, did := range []struct {
		code   string // % is the id
		places []int
	}{
		{`wp_set_comment_status(%, 'approve');`, []int{7, 57, 507}},
		{`wp_update_comment(['comment_ID' => %, 'comment_content' => 'Düzeltilmiş söz%yorum.']);`, []int{1, 20, 450}},
		{`wp_trash_comment(%);`, []int{12, 21, 460, 590}},
		{`wp_spam_comment(%);`, []int{33, 470}},
		{`wp_set_comment_status(%, 'hold');`, []int{44}},
		{`wp_delete_comment(%, true);`, []int{55, 480}},
	} {
		for _, i := range did.places {
			code += strings.ReplaceAll(did.code, "%", fmt.Sprint(ids[i])) + "\n"
		}
	}
	return code + "return 1;"
}

var (
	commentsOf  = regexp.MustCompile(`(?s)<section class="comments">.*?</section>`)
	ofThread    = regexp.MustCompile(`<(/?)ol>|söz\d+yorum`)
	wordOfReply = regexp.MustCompile(`söz\d+yorum`)
)

// threads returns the words of the comments on the pages of posts, each after its depth.
func (p *workdir) threads(t *testing.T) map[int]string {
	t.Helper()
	threads := make(map[int]string)
	for id, page := range p.pages(t) {
		depth := 0
		for _, m := range ofThread.FindAllStringSubmatch(commentsOf.FindString(page), -1) {
			switch {
			case m[0] == "<ol>":
				depth++
			case m[1] == "/":
				depth--
			default:
				threads[id] += fmt.Sprintln(depth, m[0])
			}
		}
	}
	return threads
}

// checkThreads compares the threads of the site with the comments that WordPress has.
func (w *wordPress) checkThreads(t *testing.T, p *workdir) {
	t.Helper()
	var all [][4]any
	w.run(t, shownComments, &all)
	number := func(v any) int { return int(v.(float64)) }
	shown := make(map[int]bool)
	for _, c := range all {
		shown[number(c[0])] = true
	}
	want := make(map[int]string)
	var add func(post, parent, depth int)
	add = func(post, parent, depth int) {
		for _, c := range all {
			if number(c[1]) != post || number(c[2]) != parent && (parent > 0 || shown[number(c[2])]) {
				continue
			}
			want[post] += fmt.Sprintln(min(depth, 8), wordOfReply.FindString(c[3].(string)))
			add(post, number(c[0]), depth+1)
		}
	}
	posts := make(map[int]bool)
	for _, c := range all {
		posts[number(c[1])] = true
	}
	for post := range posts {
		add(post, 0, 1)
	}
	got := p.threads(t)
	if len(all) < 500 || len(want) != 41 {
		t.Errorf("%d comments below %d posts", len(all), len(want))
	}
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if got[id] != want[id] {
			t.Errorf("the thread of post %d:\n%s\nwant:\n%s", id, got[id], want[id])
		}
	}
	if len(got) != len(want) {
		t.Errorf("threads below %d posts, want %d", len(got), len(want))
	}
}

// checkReaders checks that the originals of comments have no addresses of readers, nor hashes of
// these.
func (p *workdir) checkReaders(t *testing.T) {
	t.Helper()
	a, err := archive.OpenReadOnly(t.Context(), p.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	n := 0
	for o, err := range a.Originals.All(t.Context(), "comments", record.ListPart) {
		if err != nil {
			t.Fatal(err)
		}
		address := regexp.MustCompile(`Okur (?:&|&amp;|\\u0026|&#038;) (\d+)`).FindSubmatch(o.Data)
		if n++; address == nil {
			continue
		}
		mail := fmt.Appendf(nil, "okur%s@sakli.example", address[1])
		for _, word := range []string{"sakli", "gravatar", "okur.example", fmt.Sprintf("%x", md5.Sum(mail)), fmt.Sprintf("%x", sha256.Sum256(mail))} {
			if strings.Contains(string(o.Data), word) {
				t.Errorf("the original of comment %s holds %q: %s", o.ID, word, o.Data)
			}
		}
	}
	if n < 500 {
		t.Errorf("%d originals", n)
	}
}
