package wordpress_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"ayna/client"
	"ayna/client/wordpress"
	"ayna/server/newsroom"
)

// Sites with many terms, with terms that are missing, and with two posts of one slug are
// read like any other.
func TestOddSites(t *testing.T) {
	for name, test := range map[string]struct {
		change func(p *newsroom.WordPress)
		most   int // requests for lists and records
		check  func(t *testing.T, records []client.Hit)
	}{
		"10,000 categories": {func(p *newsroom.WordPress) {
			for i := range 10_000 {
				p.AddCategory(newsroom.Term{Name: fmt.Sprint(i), Slug: fmt.Sprint("c", i), Parent: i / 2})
			}
		}, 112, nil},
		"a category and a user that are missing": {func(p *newsroom.WordPress) {
			p.Publish(newsroom.Post{Title: "Sahipsiz", Categories: []int{777}, Tags: []int{888}, Author: 999})
		}, 12, func(t *testing.T, records []client.Hit) {
			if r := records[0]; r.Title != "Sahipsiz" || r.Path != "" || len(r.Tags) > 0 || len(r.Writers) > 0 {
				t.Errorf("%+v", r)
			}
		}},
		"two posts with one slug": {func(p *newsroom.WordPress) {
			for range 2 {
				p.Publish(newsroom.Post{Title: "Aynı", Slug: "ayni", Text: "<p>Söz.</p>"})
			}
		}, 12, func(t *testing.T, records []client.Hit) {
			if records[0].ID == records[1].ID || records[0].URL != records[1].URL {
				t.Errorf("%+v, %+v", records[0], records[1])
			}
		}},
		"an empty title": {func(p *newsroom.WordPress) {
			p.Publish(newsroom.Post{Text: "<p>Bir iki üç dört beş altı yedi sekiz dokuz on.</p>"})
		}, 12, func(t *testing.T, records []client.Hit) {
			if records[0].Title != "Bir iki üç dört beş altı yedi sekiz" {
				t.Errorf("%q", records[0].Title)
			}
		}},
		"hostile HTML": {func(p *newsroom.WordPress) {
			p.Publish(newsroom.Post{Title: `<script>x</script>Ad`, Text: `<p>a</p><script>alert(1)</script><style>b{}</style>` + strings.Repeat("<div>", 3000) + "<!--"})
		}, 12, func(t *testing.T, records []client.Hit) {
			if strings.Contains(records[0].Title, "<") {
				t.Errorf("%q", records[0].Title)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p, s := open(t, newsroom.Options{})
			test.change(p)
			p.ClearLog()
			batch, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100})
			if err != nil {
				t.Fatal(err)
			}
			records, err := s.Records(t.Context(), wordpress.Posts, ids(t, batch.Records))
			if err != nil || len(records) != len(batch.Records) {
				t.Fatalf("%d of %d records: %v", len(records), len(batch.Records), err)
			}
			if n := len(p.Requests()); n > test.most {
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
	p, s := open(t, newsroom.Options{})
	var rare []int
	for i := range 30_000 {
		if id := p.AddTag(newsroom.Term{Name: fmt.Sprint("etiket ", i), Slug: fmt.Sprint("etiket-", i)}); i%120 == 0 {
			rare = append(rare, id)
		}
	}
	id := p.Publish(newsroom.Post{Title: "Çok etiketli", Tags: rare})
	batch, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100})
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

// A Link header that names another host changes nothing.
func TestStrangeLink(t *testing.T) {
	_, s := open(t, newsroom.Options{Faults: func(c newsroom.Call) *newsroom.Fault {
		return &newsroom.Fault{Header: http.Header{"Link": {`<https://other.example/wp-json/>; rel="https://api.w.org/"`}}}
	}})
	if _, err := s.List(t.Context(), wordpress.Posts, client.Query{Top: 100}); err != nil {
		t.Error(err)
	}
}
