package fakepaper_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"ayna/testrun/fakepaper"
)

// get reads an address of a WordPress, and returns status, headers and body.
func get(t *testing.T, address string) (int, http.Header, string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, string(body)
}

// What a WordPress refuses, leaves out and counts, as a real one was seen to do.
func TestWordPress(t *testing.T) {
	p := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 120, Types: []string{"etkinlikler"}})
	posts := p.Posts("posts")
	trashed, deleted, draft := posts[0].ID, posts[1].ID, p.Publish(fakepaper.Post{Title: "Taslak", Status: "draft"})
	p.Trash(trashed)
	p.Delete(deleted)
	p.Protect(posts[2].ID)
	p.MakeSticky(posts[3].ID, true)
	p.EditCategory(2, func(t *fakepaper.Term) { t.Name = "Mahalle & Köy" })
	for _, test := range []struct {
		route        string
		status       int
		total, wants string
	}{
		{"posts?per_page=2&offset=60&_fields=id,sticky", 200, "118", `"sticky":false`},
		{"posts?per_page=101", 400, "", "rest_invalid_param"},
		{"posts?per_page=100&page=3", 400, "", "rest_post_invalid_page_number"},
		{"posts?per_page=100&offset=900", 200, "0", "[]"},
		{"posts?status=draft", 400, "", "rest_invalid_param"},
		{"posts?context=edit", 401, "", "rest_forbidden_context"},
		{"posts?orderby=rand", 400, "", "rest_invalid_param"},
		{"posts?modified_after=2026-11-22", 400, "", "Invalid date."},
		{"posts?after=2026-11-22T00:00:00+03:00", 400, "", "Invalid date."}, // the plus is a blank
		{fmt.Sprintf("posts?include=%d,99999,%d,%d,%d&_fields=id", trashed, deleted, draft, posts[4].ID), 200, "1", fmt.Sprintf(`[{"id":%d}]`, posts[4].ID)},
		{fmt.Sprintf("posts?include=%d,%d&orderby=include&_fields=id", posts[9].ID, posts[5].ID), 200, "2", fmt.Sprintf(`[{"id":%d},{"id":%d}]`, posts[9].ID, posts[5].ID)},
		{fmt.Sprintf("posts/%d", trashed), 401, "", "rest_forbidden"},
		{fmt.Sprintf("posts/%d", deleted), 404, "", "rest_post_invalid_id"},
		{fmt.Sprintf("posts/%d?_fields=content.protected,title", posts[2].ID), 200, "", `{"content":{"protected":true},"title":{"rendered":`},
		{fmt.Sprintf("posts/%d/revisions", draft), 401, "", "rest_"},
		{"posts?sticky=true", 200, "1", fmt.Sprintf(`"id":%d`, posts[3].ID)},
		{"pages?_fields=id,parent,link", 200, "2", "/hakkimizda/kunye/"},
		{"etkinlikler?_fields=type", 200, "1", `[{"type":"etkinlikler"}]`},
		{"categories?per_page=100&_fields=id,name,parent", 200, "", "Mahalle &amp; Köy"},
		{"tags?include=1&_fields=id", 200, "1", `[{"id":1}]`},
		{"tags?orderby=count&order=desc&per_page=1&_fields=id,count", 200, "", `[{"count":`},
		{"tags?orderby=size", 400, "", "rest_invalid_param"},
		{"users?_fields=id", 200, "", `[{"id":1},{"id":2}`},
		{"media?include=1000001,5&_fields=id", 200, "1", `[{"id":1000001}]`},
		{"media?include=1000001&_fields=id,caption.rendered", 200, "1", `[{"id":1000001}]`},
		{"media/7", 404, "", ""},
		{"settings", 401, "", "rest_forbidden"},
		{"nix", 404, "", "rest_no_route"},
	} {
		status, h, body := get(t, p.Base+"/wp-json/wp/v2/"+test.route)
		if status != test.status || !strings.Contains(body, test.wants) || test.total != "" && h.Get("X-WP-Total") != test.total {
			t.Errorf("%s: %d, %s posts, %.300s", test.route, status, h.Get("X-WP-Total"), body)
		}
	}
	if _, h, _ := get(t, p.Base+"/wp-json/wp/v2/posts?per_page=50&page=2"); !strings.Contains(fmt.Sprint(h["Link"]), "<"+p.Base+`/wp-json/wp/v2/posts?page=3&per_page=50>; rel="next"`) {
		t.Errorf("%q", h["Link"])
	}
	// A reader of another API finds the root.
	if status, h, _ := get(t, p.Base+"/v1/articles"); status != 404 || h.Get("Link") != "<"+p.Base+`/wp-json/>; rel="https://api.w.org/"` || !strings.HasPrefix(h.Get("Content-Type"), "text/html") {
		t.Errorf("%d, %s", status, h)
	}
	if n := p.Count(func(r fakepaper.Request) bool { return r.Operation == "posts" && !r.List() }); n != 6 {
		t.Errorf("%d requests for posts by their ids", n)
	}
	p.Set(func(o *fakepaper.Options) { o.HiddenUsers, o.PlainPermalinks = true, true })
	if status, _, body := get(t, p.Base+"/?rest_route=/wp/v2/users"); status != 404 || !strings.Contains(body, "rest_no_route") {
		t.Errorf("hidden users: %d, %s", status, body)
	}
	if status, _, body := get(t, p.Base+"/wp-json/wp/v2/posts"); status != 404 {
		t.Errorf("plain permalinks: %d, %s", status, body)
	}
	p.Set(func(o *fakepaper.Options) { o.Key = "editor:word" })
	if status, _, body := get(t, p.Base+"/?rest_route=/wp/v2/posts"); status != 401 || !strings.Contains(body, "rest_not_logged_in") {
		t.Errorf("closed: %d, %s", status, body)
	}
}

// Texts depend on what stands before them in the same answer.
func TestWordPressNeighbours(t *testing.T) {
	p := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 20, Prefix: "/blog"})
	text := func(ids string, place int) string {
		_, _, body := get(t, p.Base+"/blog/wp-json/wp/v2/posts?orderby=include&include="+ids)
		var list []struct{ Content struct{ Rendered string } }
		if err := json.Unmarshal([]byte(body), &list); err != nil || len(list) <= place {
			t.Fatal(err, body)
		}
		return list[place].Content.Rendered
	}
	var galleries, classic []string
	for _, post := range p.Posts("posts") {
		if id := fmt.Sprint(post.ID); post.Format == "gallery" {
			galleries = append(galleries, id)
		} else if post.Classic {
			classic = append(classic, id)
		}
	}
	if alone, after := text(galleries[1], 0), text(galleries[0]+","+galleries[1], 1); !strings.Contains(alone, "wp-block-gallery-1 ") || !strings.Contains(after, "wp-block-gallery-2 ") {
		t.Errorf("galleries: alone\n%s\nsecond\n%s", alone, after)
	}
	if alone, after := text(classic[0], 0), text(galleries[0]+","+classic[0], 1); strings.Contains(alone, "<p><figure") || !strings.Contains(after, "<p><figure") {
		t.Errorf("classic: alone\n%s\nafter blocks\n%s", alone, after)
	}
}

// Dates are exclusive, and compared with the clock of the time zone that the site had when
// a post was saved.
func TestWordPressDates(t *testing.T) {
	now := time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zones: ", err)
	}
	p := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 3, Zone: berlin, Now: func() time.Time { return now }})
	found := func(parameter string, at time.Time) (n int) {
		t.Helper()
		_, h, body := get(t, p.Base+"/wp-json/wp/v2/posts?"+parameter+"="+url.QueryEscape(at.Format(time.RFC3339)))
		if _, err := fmt.Sscan(h.Get("X-WP-Total"), &n); err != nil {
			t.Fatal(err, body)
		}
		return n
	}
	at := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC) // 2:30 of summer time, the first
	p.Publish(fakepaper.Post{Title: "Önce", Date: at})
	p.Publish(fakepaper.Post{Title: "Sonra", Date: at.Add(time.Hour)}) // 2:30 of winter time
	if n, exact := found("after", at.Add(15*time.Minute)), found("after", at.Add(-time.Second)); n != 0 || exact != 2 {
		t.Errorf("%d posts 45 minutes before the repeated hour, %d just before", n, exact)
	}
	going := p.Schedule(fakepaper.Post{Title: "Zamanlanmış"}, now.Add(time.Hour))
	if n := found("after", now); n != 0 {
		t.Errorf("%d posts before the hour of the scheduled one", n)
	}
	now = now.Add(2 * time.Hour)
	if changed, published := found("modified_after", now.Add(-90*time.Minute)), found("after", now.Add(-90*time.Minute)); changed != 0 || published != 1 {
		t.Errorf("scheduled post: %d modified, %d published", changed, published)
	}
	p.Edit(going, func(post *fakepaper.Post) { post.Title = "Değişti" })
	p.Set(func(o *fakepaper.Options) { o.Zone = time.FixedZone("", 9*3600) })
	if n := found("modified_after", now.Add(-time.Hour)); n != 0 {
		t.Errorf("%d posts by the clock of another zone", n)
	}
	if _, _, body := get(t, p.Base+"/wp-json/?_fields=gmt_offset,timezone_string"); body != `{"gmt_offset":"9","timezone_string":""}` {
		t.Error(body)
	}
}

// A site of the sample has its words, its pictures and its folders.
func TestWordPressOfSample(t *testing.T) {
	p := fakepaper.ListenWordPress(t, fakepaper.Options{Sample: true})
	if posts := p.Posts("posts"); len(posts) != 189 || posts[0].Picture == 0 {
		t.Errorf("%d posts", len(posts))
	}
	_, _, media := get(t, p.Base+"/wp-json/wp/v2/media/1000000?_fields=source_url")
	if status, h, _ := get(t, strings.Split(media, `"`)[3]); status != 200 || h.Get("Content-Type") != "image/jpeg" {
		t.Errorf("%s: %d, %s", media, status, h)
	}
	if _, _, body := get(t, p.Base+"/wp-json/wp/v2/categories?per_page=100&_fields=name,link"); !strings.Contains(body, `{"link":"`+p.Base+`/category/spor/futbol/","name":"Futbol"}`) {
		t.Error(body)
	}
}
