package main

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/testrun"
)

// A wordPress is a WordPress that .ci/wordpress/start has filled.
type wordPress struct{ dir, address string }

// openWordPress returns the WordPress of the folder that AYNA_WORDPRESS names, as it was filled.
func openWordPress(t *testing.T) *wordPress {
	t.Helper()
	testrun.NeedsSlow(t, "mirrors a real WordPress")
	dir := os.Getenv("AYNA_WORDPRESS")
	if dir == "" {
		t.Skip("needs WordPress: AYNA_WORDPRESS names the folder of .ci/wordpress/start, as in .ci/run wordpress")
	}
	address, err := os.ReadFile(filepath.Join(dir, "address"))
	if err != nil {
		t.Fatal(err)
	}
	filled, err := os.ReadFile(filepath.Join(dir, "filled.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wp.sqlite"), filled, 0o644); err != nil {
		t.Fatal(err)
	}
	return &wordPress{dir, strings.TrimSpace(string(address))}
}

// run runs PHP code inside WordPress, as its administrator, and decodes what it returns.
func (w *wordPress) run(t *testing.T, code string, value any) {
	t.Helper()
	c := exec.Command("php", filepath.Join("..", "..", ".ci", "wordpress", "run.php"), filepath.Join(w.dir, "site"), code)
	if clock, err := os.ReadFile(filepath.Join(w.dir, "faketime")); err == nil {
		c.Env = append(os.Environ(), strings.Fields(string(clock))...)
	}
	var problems bytes.Buffer
	c.Stderr = &problems
	answer, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", code, err, problems.String(), answer)
	}
	if value == nil {
		return
	}
	if err := json.Unmarshal(answer, value); err != nil {
		t.Fatalf("%s: %v: %s", code, err, answer)
	}
}

// A postOfWordPress is a public post, and the words that its page has to show.
type postOfWordPress struct {
	ID    int
	Type  string
	Words []string
}

// posts returns what WordPress's database has as public.
func (w *wordPress) posts(t *testing.T) (posts []postOfWordPress) {
	t.Helper()
	w.run(t, `
		$posts = [];
		foreach (get_posts(['post_type' => ['post', 'etkinlik'], 'post_status' => 'publish', 'has_password' => false, 'numberposts' => -1]) as $post) {
			$text = $post->post_title . $post->post_content . $post->post_excerpt;
			$shown = preg_match('/\[gallery ids="([\d,]+)"/', $text, $found) ? explode(',', $found[1]) : [];
			$picture = get_post_thumbnail_id($post);
			if ($picture && !str_contains($text, "wp-image-$picture")) {
				$shown[] = $picture;
			}
			foreach ($shown as $id) {
				$text .= get_post_meta($id, '_wp_attachment_image_alt', true) . wp_get_attachment_caption($id);
			}
			preg_match_all('/iz\d{4}[a-z]+/', $text, $words);
			$posts[] = ['ID' => $post->ID, 'Type' => $post->post_type, 'Words' => $words[0]];
		}
		return $posts;`, &posts)
	return posts
}

// mirror begins a mirror with init.
func (w *wordPress) mirror(t *testing.T) *workdir {
	t.Helper()
	p := &workdir{dir: t.TempDir()}
	c := p.startCommand(t, "ayna", "init", w.address, "--yes")
	if code := c.wait(t, time.Minute); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, c.out, c.err)
	}
	p.configure(t,
		"  per_second: 2\n", "  per_second: 0\n",
		"  types: []\n", "  types: [etkinlikler]\n",
		`  columns: [] # perhaps ["kose-yazilari"]`, "  columns: [kose-yazilari]",
		"  removed: drop\n", "  removed: drop\n",
		"Limanın & çarşının haberleri", "Limanın & çarşının haberleri")
	return p
}

// configure replaces pieces of site.yaml, which must be there.
func (p *workdir) configure(t *testing.T, pieces ...string) {
	t.Helper()
	name := filepath.Join(p.dir, "site.yaml")
	config, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(config)
	for pair := range slices.Chunk(pieces, 2) {
		if !strings.Contains(text, pair[0]) {
			t.Fatalf("site.yaml lacks %s:\n%s", pair[0], text)
		}
		text = strings.Replace(text, pair[0], pair[1], 1)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// build is buildLogged, by WordPress's own log.
func (w *wordPress) build(t *testing.T, p *workdir, args ...string) (requests []string, out string) {
	t.Helper()
	return p.buildLogged(t, filepath.Join(w.dir, "requests.log"), "/wp-content/", args...)
}

// buildLogged runs a build. It returns the requests that the source's log has for other things
// than files, and what the build prints.
func (p *workdir) buildLogged(t *testing.T, log, files string, args ...string) (requests []string, out string) {
	t.Helper()
	if err := os.Truncate(log, 0); err != nil {
		t.Fatal(err)
	}
	c := p.startCommand(t, append([]string{"ayna", "build"}, args...)...)
	if code := c.wait(t, 10*time.Minute); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, c.out, c.err)
	}
	lines, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		if !strings.Contains(line, files) {
			requests = append(requests, line)
		}
	}
	return requests, c.out.String()
}

// atMost reports more requests than a run may send.
func atMost(t *testing.T, what string, requests []string, most int) {
	t.Helper()
	t.Logf("%s: %d requests", what, len(requests))
	if len(requests) > most || len(requests) == 0 {
		t.Errorf("%s: %d requests, want at most %d:\n%s", what, len(requests), most, strings.Join(requests, ""))
	}
}

var pageOfPost = regexp.MustCompile(`-(\d+)\.html$`)

// pages returns the pages of posts in the published site by the ids of posts.
func (p *workdir) pages(t *testing.T) map[int]string {
	t.Helper()
	pages := make(map[int]string)
	for name, content := range p.tree(t, "public") {
		if m := pageOfPost.FindStringSubmatch(name); m != nil && strings.Contains(content, `<article class="item`) {
			var id int
			fmt.Sscan(m[1], &id)
			pages[id] = content
		}
	}
	return pages
}

// checkPosts checks that the site has the public posts with all their words, and no other.
func (w *wordPress) checkPosts(t *testing.T, p *workdir) map[int]string {
	t.Helper()
	pages := p.pages(t)
	posts := w.posts(t)
	if len(posts) < 100 || len(pages) != len(posts) {
		t.Errorf("%d pages of %d public posts", len(pages), len(posts))
	}
	for _, post := range posts {
		page, ok := pages[post.ID]
		if !ok {
			t.Errorf("%s %d is missing", post.Type, post.ID)
			continue
		}
		for _, word := range post.Words {
			if !strings.Contains(page, word) {
				t.Errorf("the page of %s %d lacks %q", post.Type, post.ID, word)
			}
		}
	}
	return pages
}

// checkPrivate checks that neither the site nor the archive has what is not public.
func (p *workdir) checkPrivate(t *testing.T) {
	t.Helper()
	secret := []string{"sakli", "gravatar"}
	for _, user := range []string{"yonetici", "ayse", "mehmet", "zehra"} {
		address := []byte(user + "@sakli.example")
		secret = append(secret, fmt.Sprintf("%x", md5.Sum(address)), fmt.Sprintf("%x", sha256.Sum256(address)))
	}
	holds := func(name, content string) {
		for _, word := range secret {
			if strings.Contains(content, word) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
	for name, content := range p.tree(t, "public") {
		holds(name+"\n"+content, name)
		if path.Ext(name) != ".jpg" {
			holds(name, content)
		}
	}
	a, err := archive.OpenReadOnly(t.Context(), p.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for light, err := range a.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Records.Get(t.Context(), light.Kind, light.ID)
		if err != nil {
			t.Fatal(err)
		}
		holds(string(r.Kind)+"/"+r.ID, string(r.List)+string(r.Single))
	}
}

// revisions returns how many earlier versions the archive has.
func (p *workdir) revisions(t *testing.T) (n int) {
	t.Helper()
	a, err := archive.OpenReadOnly(t.Context(), p.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, err := range a.Catalog.RevisedRows(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}
