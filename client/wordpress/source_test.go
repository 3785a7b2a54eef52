package wordpress_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/client"
	"ayna/client/wordpress"
)

// A paper answers as WordPress does: dates are exclusive, what is not public is missing,
// and a page beyond the end is empty.
type paper struct {
	mu       sync.Mutex
	posts    map[string][]map[string]any // by REST name
	requests []string
	hidden   bool // users
}

func (p *paper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r.URL.Path)
	name, ok := strings.CutPrefix(r.URL.Path, "/wp-json/wp/v2/")
	if r.URL.Path == "/index.php" {
		name, ok = strings.CutPrefix(r.FormValue("rest_route"), "/wp/v2/")
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	switch {
	case !ok:
		fmt.Fprint(w, `{"name":"K\u0131y\u0131 &amp; Liman","description":"","home":"https://kiyi.example","gmt_offset":"-3.5","timezone_string":"","namespaces":["wp/v2"]}`)
		return
	case name == "users" && p.hidden:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"code":"rest_no_route","message":"No route","data":{"status":404}}`)
		return
	}
	var list []map[string]any
	include := strings.Split(r.FormValue("include"), ",")
	for _, post := range p.posts[name] {
		after := func(parameter, field string) bool {
			at, err := time.Parse(time.RFC3339, r.FormValue(parameter))
			date, _ := time.Parse("2006-01-02T15:04:05", fmt.Sprint(post[field]))
			return err != nil || date.After(at)
		}
		if (include[0] == "" || slices.Contains(include, fmt.Sprint(post["id"]))) && after("modified_after", "modified_gmt") && after("after", "date_gmt") {
			list = append(list, post)
		}
	}
	w.Header().Set("X-WP-Total", strconv.Itoa(len(list)))
	size, _ := strconv.Atoi(r.FormValue("per_page"))
	offset, _ := strconv.Atoi(r.FormValue("offset"))
	if page, _ := strconv.Atoi(r.FormValue("page")); page > 1 {
		offset = (page - 1) * size
	}
	list = list[min(offset, len(list)):min(offset+size, len(list))]
	json.NewEncoder(w).Encode(append([]map[string]any{}, list...))
}

// open returns a source that reads a paper.
func open(t *testing.T, p *paper, route string) *wordpress.Source {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	c, err := client.New(client.Config{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	return wordpress.New(wordpress.Config{Client: c, Route: route, Columns: []string{"yazarlar"}, Types: []string{"etkinlikler"}})
}

func post(id int, date, modified string, more map[string]any) map[string]any {
	p := map[string]any{
		"id": id, "type": "post", "date_gmt": date, "modified_gmt": modified, "link": fmt.Sprintf("https://kiyi.example/spor/futbol/haber-%d/", id),
		"title": map[string]any{"rendered": fmt.Sprintf("Haber &#8220;%d&#8221; <em>son</em>", id)}, "author": 2, "format": "standard",
		"categories": []int{1, 5, 3}, "tags": []int{7}, "content": map[string]any{"rendered": fmt.Sprintf("<p>Metin %d.</p>", id)},
		"excerpt": map[string]any{"rendered": fmt.Sprintf("<p>Metin %d.</p>", id)},
	}
	for key, value := range more {
		p[key] = value
	}
	return p
}

const noon, later = "2026-03-01T12:00:00", "2026-03-02T12:00:00"

func sample() *paper {
	protected := map[string]any{"excerpt": map[string]any{"rendered": "", "protected": true}, "content": map[string]any{"rendered": "", "protected": true}}
	return &paper{posts: map[string][]map[string]any{
		"posts": {
			post(40, later, noon, nil), // was scheduled
			post(30, noon, later, map[string]any{"format": "video", "featured_media": 90}),
			post(20, noon, noon, protected),
			post(10, noon, noon, map[string]any{"categories": []int{6}, "link": "https://kiyi.example/?p=10", "excerpt": map[string]any{"rendered": "<p>Elle yaz&#305;lm&#305;&#351;.</p>"}}),
		},
		"pages":       {post(50, noon, noon, map[string]any{"type": "page", "parent": 51, "menu_order": 2})},
		"etkinlikler": {post(60, noon, noon, map[string]any{"type": "etkinlik"})},
		"categories": {
			{"id": 1, "name": "Genel", "slug": "genel"}, {"id": 3, "name": "Spor", "slug": "spor"}, {"id": 5, "name": "Futbol &amp; Saha", "slug": "futbol", "parent": 3},
			{"id": 6, "name": "Yazarlar", "slug": "yazarlar", "parent": 8}, {"id": 8, "name": "Döngü", "slug": "d%c3%b6ng%c3%bc", "parent": 6},
		},
		"tags":  {{"id": 7, "name": "Deniz &amp; kum", "slug": "deniz"}},
		"users": {{"id": 2, "name": "Ayşe Kara", "slug": "ayse", "link": "https://kiyi.example/author/ayse/", "avatar_urls": map[string]string{"24": "https://hash.example/"}}},
		"media": {{"id": 90, "source_url": "https://kiyi.example/a.jpg", "alt_text": "Liman", "caption": map[string]any{"rendered": "<p>Sabah</p>"}}},
	}}
}

// fill reads folders and writers, which records name.
func fill(t *testing.T, s *wordpress.Source) {
	t.Helper()
	for _, group := range []client.Group{client.Paths, client.Writers} {
		if _, err := s.List(t.Context(), group, client.Query{}); err != nil {
			t.Fatal(err)
		}
	}
}

func ids(t *testing.T, records []json.RawMessage) (list []string) {
	t.Helper()
	for _, raw := range records {
		id, err := client.ReadID(raw)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, id)
	}
	return list
}

// Lists have all that is public, at the offsets of WordPress.
func TestList(t *testing.T) {
	for _, route := range []string{"/wp-json", "/index.php?rest_route="} {
		p := sample()
		s := open(t, p, route)
		fill(t, s)
		batch, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100})
		if err != nil || !slices.Equal(ids(t, batch.Records), []string{"40", "30", "10"}) || batch.Skipped != 1 || batch.Count != 4 || batch.Date.IsZero() {
			t.Fatalf("%s: %+v, %v", route, batch, err)
		}
		if got, want := string(batch.Records[0]), `{"Id":"40","ContentType":"Article","Title":"Haber “40” son","Path":"/spor/futbol/","Paths":["/spor/futbol/","/spor/"],`+
			`"Url":"https://kiyi.example/spor/futbol/haber-40/","CreatedDate":"2026-03-02T12:00:00Z","ModifiedDate":"2026-03-02T12:00:00Z","StartDate":"2026-03-02T12:00:00Z",`+
			`"Writers":[{"Id":"user-2","Fullname":"Ayşe Kara"}],"Tags":["Deniz & kum"],"WordPress":{"author":2,"categories":[1,5,3],"tags":[7],"format":"standard"}}`; got != want {
			t.Errorf("%s: %s, want %s", route, got, want)
		}
		if beyond, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100, Skip: 4}); err != nil || len(beyond.Records) != 0 || beyond.Skipped != 0 {
			t.Errorf("%s: beyond the end %+v, %v", route, beyond, err)
		}
		if part, err := s.List(t.Context(), client.Paths, client.Query{Skip: 5}); err != nil || len(part.Records) != 0 {
			t.Errorf("%s: folders beyond the end %+v, %v", route, part, err)
		}
	}
}

// Kinds, columns, folders in a cycle and former hands come as the Read API has them.
func TestKinds(t *testing.T) {
	s := open(t, sample(), "/wp-json")
	fill(t, s)
	batch, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100})
	if err != nil {
		t.Fatal(err)
	}
	var column client.Column
	if err := json.Unmarshal(batch.Records[2], &column); err != nil || column.ContentType != "Column" || column.Fullname != "Ayşe Kara" || column.WriterID != "user-2" || column.Path != "/döngü/yazarlar/" {
		t.Errorf("%+v, %v", column, err)
	}
	pages, err := s.List(t.Context(), wordpress.Standing, client.Query{Top: 100})
	if err != nil || len(pages.Records) != 1 || !strings.Contains(string(pages.Records[0]), `"ContentType":"Page"`) || !strings.Contains(string(pages.Records[0]), `"ParentId":"51","Order":2`) {
		t.Errorf("%s, %v", pages.Records, err)
	}
}

// Single records are asked for together, and what is gone is missing from the answer.
func TestRecords(t *testing.T) {
	p := sample()
	s := open(t, p, "/wp-json")
	fill(t, s)
	records, err := s.Records(t.Context(), wordpress.Posts, []string{"10", "60", "99", "20", "30", "50"})
	if err != nil || !slices.Equal(ids(t, records), []string{"10", "60", "30", "50"}) {
		t.Fatalf("%s, %v", records, err)
	}
	var column, video client.Hit
	if err := errors.Join(json.Unmarshal(records[0], &column), json.Unmarshal(records[2], &video)); err != nil {
		t.Fatal(err)
	}
	if column.Description != "Elle yazılmış." || column.Text != "<p>Metin 10.</p>" {
		t.Errorf("%q, %q", column.Description, column.Text)
	}
	want := client.File{URL: "https://kiyi.example/a.jpg", Title: "Liman", Description: "Sabah"}
	if video.ContentType != "NewsVideo" || video.Description != "" || !slices.Equal(video.Files, []client.File{want}) {
		t.Errorf("%+v", video)
	}
	if _, err := s.Single(t.Context(), wordpress.Posts, "99"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("one that is gone: %v", err)
	}
	if _, err := s.Records(t.Context(), wordpress.Posts, []string{"user-2"}); !errors.Is(err, client.ErrID) {
		t.Errorf("an id of no post: %v", err)
	}
	if all := fmt.Sprint(records); strings.Contains(all, "hash.example") {
		t.Error("the address of an avatar is stored")
	}
}

// Changes hold edits, and scheduled posts that went live without one.
func TestChanged(t *testing.T) {
	s := open(t, sample(), "/wp-json")
	at, _ := time.Parse("2006-01-02T15:04:05", later)
	for since, want := range map[time.Time][]string{at: {"30", "40"}, at.Add(time.Second): nil, at.AddDate(0, 0, -1): {"10", "30", "40"}} {
		if records, err := s.Changed(t.Context(), wordpress.Posts, since); err != nil || !slices.Equal(ids(t, records), want) {
			t.Errorf("since %s: %s, %v, want %s", since, records, err, want)
		}
	}
}

func TestSite(t *testing.T) {
	site, err := open(t, sample(), "/wp-json").Site(t.Context())
	if err != nil || site.Title != "Kıyı & Liman" || site.Address != "https://kiyi.example" {
		t.Fatalf("%+v, %v", site, err)
	}
	if _, offset := time.Now().In(site.Zone).Zone(); offset != -3*3600-1800 {
		t.Errorf("offset %d", offset)
	}
}

// What WordPress closes is an error of the client, and costs no post.
func TestHiddenUsers(t *testing.T) {
	p := sample()
	p.hidden = true
	s := open(t, p, "/wp-json")
	if _, err := s.List(t.Context(), client.Writers, client.Query{}); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if batch, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100}); err != nil || len(batch.Records) != 3 || strings.Contains(fmt.Sprint(batch.Records), "Writers") {
		t.Errorf("%+v, %v", batch, err)
	}
}

// Odd answers are bridged or reported.
func TestOddAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		want   error
		n      int
	}{
		"ids as text":        {`[{"id":"10","title":"Düz","categories":["x",null],"tags":[],"date_gmt":false}]`, nil, 1},
		"other types":        {`[{"id":10,"title":[],"link":5,"categories":"a","sticky":"yes","date_gmt":"dün"}]`, nil, 1},
		"some without an id": {`[{"id":10},{"id":0},5,null]`, nil, 1},
		"no posts":           {`["a",{"id":false}]`, client.ErrShape, 0},
		"an object":          {`{"code":"rest_oops"}`, client.ErrShape, 0},
		"a page of HTML":     {`<html>`, client.ErrNotJSON, 0},
		"cut off":            {`[{"id":10`, client.ErrShape, 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, test.answer) }))
			defer server.Close()
			c, err := client.New(client.Config{BaseURL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			batch, err := wordpress.New(wordpress.Config{Client: c, Route: "/wp-json"}).List(context.Background(), wordpress.Posts, client.Query{Top: 100})
			if !errors.Is(err, test.want) || len(batch.Records) != test.n {
				t.Errorf("%+v, %v", batch, err)
			}
		})
	}
}
