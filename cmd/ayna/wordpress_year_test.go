package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/testrun"
)

// TestWordPressYear plays a year of a paper in WordPress, whose clock is moved: its editors
// write, move, rename, withdraw and bring back, its owner changes its time zone and closes
// the site, and builds are killed. After each round the mirror has the records of one made
// from nothing, but for kinds and earlier versions, which it keeps.
func TestWordPressYear(t *testing.T) {
	w := openWordPress(t)
	w.setClock(t, 0)
	defer w.setClock(t, 0)
	p := w.mirror(t)
	w.build(t, p)
	rounds := testrun.Counts{Slow: 3, Long: 150}.Now()
	const year = 365 * 24 * time.Hour
	for _, seed := range []uint64{1, 2, 3}[:testrun.Counts{Slow: 1, Long: 3}.Now()] {
		random := rand.New(rand.NewPCG(seed, 5))
		ahead := time.Duration(seed-1) * year
		for round := range rounds {
			// A sweep is due at each round.
			ahead += 7*time.Hour + time.Duration(random.Int64N(int64(2*(year/time.Duration(rounds)-7*time.Hour))))
			w.setClock(t, ahead)
			p.env = []string{"AHEAD=" + ahead.String()}
			did := w.edit(t, random)
			if random.IntN(4) == 0 {
				did = append(did, w.refuse(t, p, random))
			}
			if random.IntN(3) == 0 {
				did = append(did, p.killBuild(t, random))
			}
			t.Logf("seed %d, round %d, %d days ahead: %s", seed, round, ahead/(24*time.Hour), strings.Join(did, ", "))
			w.build(t, p, "--allow-delete", "1000")
			w.compareWithFresh(t, p)
			if t.Failed() {
				return
			}
		}
	}
	w.checkPosts(t, p)
	p.checkPrivate(t)
	if c := p.startCommand(t, "ayna", "check"); c.wait(t, time.Minute) != exitOK {
		t.Errorf("%s%s", c.out, c.err)
	}
}

// setClock sets how far WordPress's clock is ahead.
func (w *wordPress) setClock(t *testing.T, ahead time.Duration) {
	t.Helper()
	name := filepath.Join(w.dir, "clock")
	err := os.WriteFile(name+".new", fmt.Appendf(nil, "+%d\n", int(ahead.Seconds())), 0o644)
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	var seen int64
	w.run(t, "return time();", &seen)
	if off := time.Until(time.Unix(seen, 0)) - ahead; off.Abs() > time.Minute {
		t.Fatalf("WordPress's clock is %v off: .ci/wordpress/start needs faketime", off)
	}
}

// edits are what editors do. $p, $q and $page are a post, another one and a page by chance;
// $n is a number that no other edit has.
var edits = map[string]string{
	"edit":           `wp_update_post(wp_slash(['ID' => $p->ID, 'post_content' => $p->post_content . "<p>Eklenen söz $n.</p>"]));`,
	"headline":       `wp_update_post(['ID' => $p->ID, 'post_title' => "Başlık $n"]);`,
	"link":           `wp_update_post(wp_slash(['ID' => $p->ID, 'post_content' => $p->post_content . '<p><a href="' . get_permalink($q) . '">bağ</a></p>']));`,
	"new":            `wp_insert_post(['post_title' => "Yeni $n", 'post_content' => "<p>Yeni metin $n.</p>", 'post_status' => 'publish', 'post_author' => 2 + $n % 3, 'post_category' => [$category, $other], 'tags_input' => ["etiket $n"]]);`,
	"backdated":      `wp_insert_post(['post_title' => "Geç gelen $n", 'post_content' => "<p>Metin $n.</p>", 'post_status' => 'publish', 'post_author' => 2, 'post_date' => '2020-03-29 02:30:00', 'post_category' => [$category]]);`,
	"trash":          `wp_trash_post($p->ID);`,
	"delete":         `wp_delete_post($p->ID, true);`,
	"bring back":     `foreach (get_posts(['post_status' => 'trash', 'numberposts' => 2]) as $t) { if (!str_contains($t->post_title . $t->post_content, 'sakli')) { wp_untrash_post($t->ID); wp_publish_post($t->ID); } }`,
	"draft":          `wp_update_post(['ID' => $p->ID, 'post_status' => 'draft']);`,
	"publish drafts": `foreach (get_posts(['post_status' => 'draft', 'numberposts' => 3]) as $t) { if (!str_contains($t->post_title . $t->post_content, 'sakli')) { wp_publish_post($t->ID); } }`,
	"password":       `wp_update_post(['ID' => $p->ID, 'post_password' => 'sakli-parola']);`,
	"no password":    `foreach (get_posts(['has_password' => true, 'numberposts' => 5]) as $t) { if ($t->post_password === 'sakli-parola' && !str_contains($t->post_title . $t->post_content, 'sakli')) { wp_update_post(['ID' => $t->ID, 'post_password' => '']); } }`,
	"move":           `wp_set_post_categories($p->ID, [$category]);`,
	"move by a save": `wp_update_post(['ID' => $p->ID, 'post_category' => [$other, $category]]);`,
	"slug":           `wp_update_post(['ID' => $p->ID, 'post_name' => "adres-$n"]);`,
	"tags":           `wp_set_post_tags($p->ID, ["etiket $n", 'liman']);`,
	"format":         `set_post_format($p->ID, $n % 2 ? 'video' : 'aside');`,
	"sticky":         `is_sticky($p->ID) ? unstick_post($p->ID) : stick_post($p->ID);`,
	"picture":        `$has = get_post_thumbnail_id($q); $has ? set_post_thumbnail($p->ID, $has) : delete_post_thumbnail($p->ID);`,
	"category":       `wp_update_term($category, 'category', ['name' => "Bölüm $n", 'slug' => "bolum-$n"]);`,
	"parent":         `wp_update_term($category, 'category', ['parent' => $n % 2 ? 0 : $other]);`,
	"new category":   `$c = wp_insert_term("Köşe $n", 'category', ['parent' => $other]); wp_set_post_categories($p->ID, [$c['term_id']], true);`,
	"tag":            `$t = get_terms(['taxonomy' => 'post_tag', 'hide_empty' => true]); wp_update_term($t[$n % count($t)]->term_id, 'post_tag', ['name' => "Konu $n"]);`,
	"user":           `wp_update_user(['ID' => 2 + $n % 3, 'display_name' => "Yazar $n"]);`,
	"author":         `wp_update_post(['ID' => $p->ID, 'post_author' => 2 + $n % 3]);`,
	"new page":       `wp_insert_post(['post_type' => 'page', 'post_title' => "Sayfa $n", 'post_content' => "<p>Sayfa metni $n.</p>", 'post_status' => 'publish', 'post_author' => 2, 'post_parent' => $n % 2 ? $page->ID : 0]);`,
	"page":           `wp_update_post(['ID' => $page->ID, 'post_title' => "Künye $n", 'menu_order' => $n % 7]);`,
	"page goes":      `wp_trash_post($page->ID);`,
	"time zone":      `update_option('timezone_string', ['Europe/Istanbul', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'][$n % 4]);`,
	"caption":        `$a = get_posts(['post_type' => 'attachment', 'numberposts' => 50]); $a = $a[$n % count($a)]; wp_update_post(['ID' => $a->ID, 'post_excerpt' => "Altyazı $n"]);`,
}

// edit makes some edits and returns their names.
func (w *wordPress) edit(t *testing.T, random *rand.Rand) (names []string) {
	t.Helper()
	all := slices.Sorted(maps.Keys(edits))
	var code strings.Builder
	for range 1 + random.IntN(8) {
		name := all[random.IntN(len(all))]
		names = append(names, name)
		fmt.Fprintf(&code, `$n = %d; mt_srand($n); $posts = get_posts(['numberposts' => -1, 'has_password' => false]); $p = $posts[mt_rand(0, count($posts) - 1)]; $q = $posts[mt_rand(0, count($posts) - 1)];
			$pages = get_pages() ?: [get_post(wp_insert_post(['post_type' => 'page', 'post_title' => "İlk sayfa $n", 'post_content' => '<p>Metin.</p>', 'post_status' => 'publish', 'post_author' => 2]))]; $page = $pages[mt_rand(0, count($pages) - 1)];
			$terms = get_terms(['taxonomy' => 'category', 'hide_empty' => false]); $category = $terms[mt_rand(0, count($terms) - 1)]->term_id; $other = $terms[mt_rand(0, count($terms) - 1)]->term_id;
			%s`+"\n", 1+random.IntN(1_000_000), edits[name])
	}
	w.run(t, code.String()+"return 1;", nil)
	return names
}

// refuse has the site refuse requests during a build. The published site stays.
func (w *wordPress) refuse(t *testing.T, p *workdir, random *rand.Rand) string {
	t.Helper()
	before := p.tree(t, "public")
	refusals := []struct {
		name, begin, end string
		code             int
	}{
		{"closed REST API", "update_option('closed', 1)", "update_option('closed', 0)", exitKey},
		{"protection", "update_option('protection', 503)", "update_option('protection', 0)", exitDown},
		{"protection with 200", "update_option('protection', 200)", "update_option('protection', 0)", exitDown},
	}
	refusal := refusals[random.IntN(len(refusals))]
	w.run(t, "return "+refusal.begin+";", nil)
	c := p.startCommand(t, "ayna", "build")
	code := c.wait(t, 10*time.Minute)
	w.run(t, "return "+refusal.end+";", nil)
	if code != refusal.code {
		t.Errorf("%s: exit code %d, want %d\n%s%s", refusal.name, code, refusal.code, c.out, c.err)
	}
	if after := p.tree(t, "public"); !maps.Equal(before, after) {
		t.Errorf("%s: the published site has changed", refusal.name)
	}
	return refusal.name
}

// killBuild kills a build at any moment.
func (p *workdir) killBuild(t *testing.T, random *rand.Rand) string {
	t.Helper()
	after := time.Duration(random.IntN(1500)) * time.Millisecond
	c := p.startCommand(t, "ayna", "build")
	time.Sleep(after)
	c.Process.Kill()
	c.wait(t, time.Minute)
	return fmt.Sprint("killed after ", after)
}

// compareWithFresh compares the records of a mirror with those of one that is made now.
func (w *wordPress) compareWithFresh(t *testing.T, p *workdir) {
	t.Helper()
	fresh := &workdir{dir: t.TempDir(), env: p.env}
	defer os.RemoveAll(fresh.dir)
	config, err := os.ReadFile(filepath.Join(p.dir, "site.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(fresh.dir, "site.yaml"), config, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.build(t, fresh)
	got, want := p.records(t), fresh.records(t)
	for id := range want {
		if got[id] == nil {
			t.Errorf("%s is missing", id)
		}
	}
	for id, stored := range got {
		if want[id] == nil {
			t.Errorf("%s is still there: %v", id, stored)
		} else if !reflect.DeepEqual(stored, want[id]) {
			t.Errorf("%s is\n%s\nwant\n%s", id, stored, want[id])
		}
	}
}

// records returns the JSON of the records that the site shows, without their kinds: a
// record keeps its kind, so that its address stays.
func (p *workdir) records(t *testing.T) map[string][]string {
	t.Helper()
	a, err := archive.OpenReadOnly(t.Context(), p.archivePath())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	all := make(map[string][]string)
	for light, err := range a.Catalog.Scan(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.Records.Get(t.Context(), light.Kind, light.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !r.GoneAt.IsZero() {
			continue
		}
		for _, part := range [][]byte{r.List, r.Single} {
			fields := make(map[string]json.RawMessage)
			if len(part) > 0 {
				if err := json.Unmarshal(part, &fields); err != nil {
					t.Fatal(err)
				}
			}
			delete(fields, "ContentType")
			sorted, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			all[r.ID] = append(all[r.ID], string(sorted))
		}
	}
	return all
}
