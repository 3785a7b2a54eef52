package wordpress_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/client"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/sourcetest"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// Sites with many terms, with terms that are missing, and with two posts of one slug are
// read like any other.
func TestOddSites(t *testing.T) {
	for name, test := range map[string]struct {
		change func(p *fakepaper.WordPress)
		most   int // requests for lists and records
		check  func(t *testing.T, records []client.Hit)
	}{
		"10,000 categories": {func(p *fakepaper.WordPress) {
			for i := range 10_000 {
				p.AddCategory(fakepaper.Term{Name: fmt.Sprint(i), Slug: fmt.Sprint("c", i), Parent: i / 2})
			}
		}, 112, nil},
		"a category and a user that are missing": {func(p *fakepaper.WordPress) {
			p.Publish(fakepaper.Post{Title: "Sahipsiz", Categories: []int{777}, Tags: []int{888}, Author: 999})
		}, 13, func(t *testing.T, records []client.Hit) {
			if r := records[0]; r.Title != "Sahipsiz" || r.Path != "" || len(r.Tags) > 0 || len(r.Writers) > 0 {
				t.Errorf("%+v", r)
			}
		}},
		"two posts with one slug": {func(p *fakepaper.WordPress) {
			for range 2 {
				p.Publish(fakepaper.Post{Title: "Aynı", Slug: "ayni", Text: "<p>Söz.</p>"})
			}
		}, 13, func(t *testing.T, records []client.Hit) {
			if records[0].ID == records[1].ID || records[0].URL != records[1].URL {
				t.Errorf("%+v, %+v", records[0], records[1])
			}
		}},
		"links to the pages of 1,000 pictures": {func(p *fakepaper.WordPress) {
			links := fmt.Sprintf(`<a href="/liman/" rel="attachment wp-att-%d">liman</a> `, p.Posts("posts")[0].Picture)
			for i := range 1000 {
				links += fmt.Sprintf(`<a href="/?attachment_id=%d">resim</a> `, 5_000_000+i)
			}
			p.Publish(fakepaper.Post{Title: "Resimler", Text: "<p>" + links + "</p>"})
		}, 13, func(t *testing.T, records []client.Hit) {
			if text := records[0].Text; !strings.Contains(text, `.png" rel="attachment`) || !strings.Contains(text, `/?attachment_id=5000999"`) {
				t.Errorf("%.300s", text)
			}
		}},
		"an empty title": {func(p *fakepaper.WordPress) {
			p.Publish(fakepaper.Post{Text: "<p>Bir iki üç dört beş altı yedi sekiz dokuz on.</p>"})
		}, 13, func(t *testing.T, records []client.Hit) {
			if records[0].Title != "Bir iki üç dört beş altı yedi sekiz" {
				t.Errorf("%q", records[0].Title)
			}
		}},
		"hostile HTML": {func(p *fakepaper.WordPress) {
			p.Publish(fakepaper.Post{Title: `<script>x</script>Ad`, Text: `<p>a</p><script>alert(1)</script><style>b{}</style>` + strings.Repeat("<div>", 3000) + "<!--"})
		}, 13, func(t *testing.T, records []client.Hit) {
			if strings.Contains(records[0].Title, "<") {
				t.Errorf("%q", records[0].Title)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p, s := open(t, fakepaper.Options{})
			test.change(p)
			p.ClearLog()
			batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
			if err != nil {
				t.Fatal(err)
			}
			records, err := sourcetest.Present(t.Context(), s, wordpress.Posts, ids(t, batch.Records)...)
			if err != nil || len(records) != len(batch.Records) {
				t.Fatalf("%d of %d records: %v", len(records), len(batch.Records), err)
			}
			if n := len(p.Requests()); n > test.most+2 { // two show the fields of posts and pages
				t.Errorf("%d requests", n)
			}
			if test.check != nil {
				test.check(t, hits(t, records))
			}
		})
	}
}

// 30,000 tags are read as posts name them.
func TestManyTags(t *testing.T) {
	p, s := open(t, fakepaper.Options{})
	var rare []int
	for i := range 30_000 {
		if id := p.AddTag(fakepaper.Term{Name: fmt.Sprint("etiket ", i), Slug: fmt.Sprint("etiket-", i)}); i%120 == 0 {
			rare = append(rare, id)
		}
	}
	id := p.Publish(fakepaper.Post{Title: "Çok etiketli", Tags: rare})
	batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
	if err != nil {
		t.Fatal(err)
	}
	if r := hits(t, batch.Records)[0]; r.ID != fmt.Sprint(id) || len(r.Tags) != len(rare) {
		t.Errorf("post %s has %d of %d tags", r.ID, len(r.Tags), len(rare))
	}
	tags := 0
	for _, r := range p.Requests() {
		if r.Operation == "tags" {
			tags++
		}
	}
	if most := 1 + len(rare)/100 + 1; tags > most {
		t.Errorf("%d requests for tags, want at most %d", tags, most)
	}
}

// The error of a site that has moved names its new host.
func TestMoved(t *testing.T) {
	_, s := open(t, fakepaper.Options{Faults: func(fakepaper.Call) *fakepaper.Fault {
		return &fakepaper.Fault{Status: http.StatusMovedPermanently, Header: http.Header{"Location": {"https://www.kiyi.example/"}}}
	}})
	_, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
	if !errors.Is(err, get.ErrRedirect) || !strings.Contains(fmt.Sprint(err), "www.kiyi.example") {
		t.Errorf("%v", err)
	}
}

// A Link header that names another host changes nothing.
func TestStrangeLink(t *testing.T) {
	_, s := open(t, fakepaper.Options{Faults: func(c fakepaper.Call) *fakepaper.Fault {
		return &fakepaper.Fault{Header: http.Header{"Link": {`<https://other.example/wp-json/>; rel="https://api.w.org/"`}}}
	}})
	if _, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100}); err != nil {
		t.Error(err)
	}
}

// answering returns a source whose posts, or records of a custom type, a function answers.
func answering(t *testing.T, name string, answer func(*http.Request) string) *wordpress.Source {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/wp-json/":
			fmt.Fprint(w, `{"namespaces":["wp/v2"]}`)
		case "/wp-json/wp/v2/" + name:
			fmt.Fprint(w, answer(r))
		default:
			w.Header().Set("X-WP-Total", "0")
			fmt.Fprint(w, "[]")
		}
	}))
	t.Cleanup(server.Close)
	config := wordpress.Config{BaseURL: server.URL}
	if name != "posts" {
		config.Types = []string{name}
	}
	s, err := wordpress.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return s
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
		"no posts":           {`["a",{"id":false}]`, get.ErrShape, 0},
		"an object":          {`{"code":"rest_oops"}`, get.ErrShape, 0},
		"a page of HTML":     {`<html>`, get.ErrNotJSON, 0},
		"cut off":            {`[{"id":10`, get.ErrNotJSON, 0},
		"a notice":           {`<b>Notice</b>: foo[0] [{"id":10}]<!-- kept -->`, nil, 1},
		"empty after words":  {`<b>Notice</b>: foo[0] []`, get.ErrNotJSON, 0},
		"another list":       {`<!DOCTYPE html><script>[{"id":5}]</script>[{"a":1}]`, get.ErrNotJSON, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := answering(t, "posts", func(*http.Request) string { return test.answer })
			batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
			if !errors.Is(err, test.want) || len(batch.Records) != test.n {
				t.Errorf("%+v, %v", batch, err)
			}
		})
	}
}

// A site that gives the same page at each offset ends.
func TestOffsetIgnored(t *testing.T) {
	requests := 0
	s := answering(t, "posts", func(*http.Request) string {
		if requests++; requests > 10 {
			return "<html>"
		}
		posts := make([]string, 100)
		for i := range posts {
			posts[i] = fmt.Sprintf(`{"id":%d,"date_gmt":"2026-01-01T00:00:00"}`, i+1)
		}
		return "[" + strings.Join(posts, ",") + "]"
	})
	batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 200, Since: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil || len(batch.Records) != 100 || requests != 4 {
		t.Errorf("%d records, %d requests, %v", len(batch.Records), requests, err)
	}
}

// A post with a password is hidden also where its type has no excerpts.
func TestProtectedWithoutExcerpt(t *testing.T) {
	s := answering(t, "duyurular", func(r *http.Request) string {
		if strings.Contains(r.FormValue("_fields"), "content.protected") {
			return `[{"id":10,"title":{"rendered":"Gizli"},"content":{"protected":true}}]`
		}
		return `[{"id":10,"title":{"rendered":"Gizli"}}]`
	})
	batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
	if err != nil || !slices.Equal(batch.Hidden, []string{"10"}) || strings.Contains(fmt.Sprintf("%s", batch.Records), "Gizli") {
		t.Errorf("%s, hidden %v, %v", batch.Records, batch.Hidden, err)
	}
}
