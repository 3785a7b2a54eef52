package ghost_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/client"
	"ayna/source"
	"ayna/source/get"
	"ayna/source/ghost"
	"ayna/source/homepage"
	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

// open returns a paper of 30 posts and a source that reads it.
func open(t *testing.T, o fakepaper.Options) (*fakepaper.Ghost, *ghost.Source) {
	t.Helper()
	o.Items = 30
	g := fakepaper.ListenGhost(t, o)
	s, err := ghost.New(ghost.Config{BaseURL: g.Base})
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

func hits(t *testing.T, records []json.RawMessage) []client.Hit {
	t.Helper()
	list := make([]client.Hit, len(records))
	for i, raw := range records {
		if err := json.Unmarshal(raw, &list[i]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// The settings describe the paper.
func TestSite(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	site, err := s.Site(t.Context())
	want := source.Site{
		ID: "eb3d6626-5c48-4bd6-8a73-26aef9e53e39", Title: "Kıyı Postası", Description: "Kıyının gazetesi & haberleri", Zone: "Europe/Istanbul", Language: "tr",
		Icon: g.Base + "/content/images/simge.png", Logo: g.Base + "/content/images/logo.png", Accent: "#FF1A75", Date: site.Date,
		Menu: []source.MenuItem{{Title: "Spor", URL: g.Base + "/tag/spor/"}, {Title: "Biz", URL: g.Base + "/hakkimizda/"}, {Title: "Dernek", URL: "https://dernek.example/"}},
	}
	if got := fmt.Sprint(site); err != nil || got != fmt.Sprint(want) || site.Date.IsZero() {
		t.Errorf("%s, want %s; %v", got, fmt.Sprint(want), err)
	}
}

// A list has all posts and then the pages, at any offset, and what changed since a time.
func TestList(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	at := g.Now().UTC().Truncate(time.Second)
	id := g.Publish(fakepaper.GhostPost{Title: `Haber <em>son</em> & ilk`, Slug: "son", Visibility: "members", Published: at})
	whole, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 100})
	if err != nil || len(whole.Records) != 33 || !whole.Last || whole.Date.IsZero() {
		t.Fatalf("%d records, %v", len(whole.Records), err)
	}
	want := fmt.Sprintf(`{"Id":"%s","ContentType":"Article","Access":"members","Title":"Haber &lt;em&gt;son&lt;/em&gt; &amp; ilk","Url":"%s/son/","ModifiedDate":"%s","Ghost":{"slug":"son","visibility":"members"}}`,
		id, g.Base, at.Format(time.RFC3339))
	if got := string(whole.Records[0]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if page := hits(t, whole.Records)[32]; page.ContentType != "Page" || page.Order == nil {
		t.Errorf("a page: %+v", page)
	}
	if part, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 10, Skip: 30}); err != nil || len(part.Records) != 3 || !part.Last || string(part.Records[0]) != string(whole.Records[30]) {
		t.Errorf("%s, %v", part.Records, err)
	}
	if changed, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 10, Since: at}); err != nil || len(changed.Records) != 1 || string(changed.Records[0]) != want {
		t.Errorf("%s, %v", changed.Records, err)
	}
	if beyond, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 10, Skip: 50}); err != nil || len(beyond.Records) != 0 {
		t.Errorf("%s, %v", beyond.Records, err)
	}
	if n := g.Count(func(fakepaper.Request) bool { return true }); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// Single records are asked for together; what is gone is missing, and costs no request once
// a list has shown that.
func TestRecords(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	posts, page := g.Posts(), g.Pages()[0]
	g.Amend(posts[3].ID, func(post *fakepaper.GhostPost) { post.IsDraft = true })
	ids := []string{posts[4].ID, posts[3].ID, page.ID, "6b0400000000000000009999"}
	for _, listed := range []bool{false, true} {
		if listed {
			if _, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 100}); err != nil {
				t.Fatal(err)
			}
		}
		g.ClearLog()
		records, err := sourcetest.Present(t.Context(), s, ghost.Posts, ids...)
		if err != nil || len(records) != 2 {
			t.Fatalf("%s, %v", records, err)
		}
		post, kept := hits(t, records)[0], hits(t, records)[1]
		if post.ID != posts[4].ID || kept.ID != page.ID || kept.ContentType != "Page" || post.Path == "" || post.Path != post.Paths[0] || len(post.Writers) != 1 {
			t.Errorf("%+v, %+v", post, kept)
		}
		if len(post.Files) != 1 || post.Files[0].Title != "Kıyı" || post.Files[0].Description != "Kıyıda sabah & akşam" {
			t.Errorf("%+v", post.Files)
		}
		g.ClearLog()
		if list, err := sourcetest.Present(t.Context(), s, ghost.Posts, posts[3].ID); err != nil || len(list) > 0 {
			t.Errorf("one that is gone: %s, %v", list, err)
		}
		if n := g.Count(func(fakepaper.Request) bool { return true }); n != 2 {
			t.Errorf("%d requests for what is neither a post nor a page", n)
		}
	}
	if _, err := sourcetest.Present(t.Context(), s, ghost.Posts, "user-2],visibility:[paid"); !errors.Is(err, get.ErrID) {
		t.Errorf("an id of no post: %v", err)
	}
}

// Tags are folders, internal ones are not; authors are writers with portraits.
func TestNames(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	g.EditTag(g.Tags()[0].ID, func(tag *fakepaper.GhostTaxonomy) { tag.Slug, tag.Name = "a/b", "Deniz & <kum>" })
	g.EditAuthor(g.Authors()[1].ID, func(a *fakepaper.GhostTaxonomy) { a.Picture = "https://www.gravatar.com/avatar/0123?s=250" })
	folders, err1 := s.List(t.Context(), source.Paths, source.Query{})
	writers, err2 := s.List(t.Context(), source.Writers, source.Query{})
	all := fmt.Sprintf("%s %s", folders.Records, writers.Records)
	if err := errors.Join(err1, err2); err != nil || !folders.Last || !writers.Last || strings.Contains(all, "gizli") || strings.Contains(all, "gravatar") {
		t.Errorf("%s, %v", all, err)
	}
	for _, part := range []string{
		fmt.Sprintf(`"Path":"/tag-%s/","Title":"Deniz &amp; &lt;kum&gt;"`, g.Tags()[0].ID), `"Path":"/spor/"`,
		`"ContentType":"PersonContainer","Fullname":"Ayşe Öztürk","Description":"Kıyı yazar."`, `"Files":[{"FileUrl":"` + g.Base + `/content/images/portre.png"`,
	} {
		if !strings.Contains(all, part) {
			t.Errorf("no %s in %s", part, all)
		}
	}
}

// A search finds a part of a word, and quotation marks in it end nothing.
func TestSearch(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	id := g.Publish(fakepaper.GhostPost{Title: "Qanunlar"})
	batch, err := s.SearchBatch(t.Context(), "anunla", source.Query{Top: 10})
	if err != nil || len(batch.Records) != 1 || string(batch.Records[0]) != `{"Id":"`+id+`"}` || batch.Count != 1 {
		t.Errorf("%s, %v", batch.Records, err)
	}
	if _, err := s.SearchBatch(t.Context(), `x'),id:-'`, source.Query{Top: 10}); err != nil {
		t.Error(err)
	}
	requests := g.Requests()
	if last := requests[len(requests)-1].URI; !strings.Contains(last, "%5C%27") {
		t.Errorf("not escaped: %s", last)
	}
}

// The key and the address of the API are found on the page, and on the page's own terms.
func TestDiscover(t *testing.T) {
	page := func(body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/gizli/" {
				http.Redirect(w, r, "/private/?r=%2F", http.StatusFound)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, strings.ReplaceAll(body, "HOST", r.Host))
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	home, err := os.ReadFile("testdata/home.html")
	if err != nil {
		t.Fatal(err)
	}
	const key, generator = "aafb3dbdcaeab8ff6c45b83e8d", `<meta name="generator" content="Ghost 5.9">`
	for name, test := range map[string]struct {
		address, key, api string // api "" is that of the page
		err               error
	}{
		"recorded":                {page(string(home)), key, "http://127.0.0.1:23680", nil},
		"search alone":            {page(`<script data-key="` + key + `" data-sodo-search="http://admin.example/">`), key, "http://admin.example", nil},
		"deeply nested":           {page(strings.Repeat("<div>", 600) + `<svg><style/></svg><script data-key="` + key + `">`), key, "none", nil},
		"below a path":            {page(`<script data-key="` + key + `" data-api="http://HOST/blog/ghost/api/content/">`), key, "/blog", nil},
		"no API":                  {page(`<script data-key="` + key + `">`), key, "none", nil},
		"another scheme":          {page(`<script data-key="` + key + `" data-api="ftp://a.example/">`), key, "none", nil},
		"a hidden key":            {page(generator), "", "", ghost.ErrHidden},
		"another key":             {page(generator + `<script data-key="zz">`), "", "", ghost.ErrHidden},
		"private":                 {page(`<form action="/private/?r=%2F" method="post">`) + "/gizli/", "", "", ghost.ErrPrivate},
		"a page named private":    {page("<h1>x</h1>") + "/gizli/", "", "", ghost.ErrNone},
		"no Ghost":                {page(`<meta name="generator" content="WordPress 6.5">`), "", "", ghost.ErrNone},
		"a name with a key in it": {page(`<p data-key="` + key + `">`), "", "", ghost.ErrNone},
	} {
		read, err := homepage.Reader{}.Read(t.Context(), test.address)
		if err != nil {
			t.Fatal(name, err)
		}
		d, err := ghost.Discover(read)
		base := strings.TrimSuffix(test.address, "/gizli/")
		want := map[string]string{"": base, "/blog": base + "/blog", "none": ""}
		api, special := want[test.api]
		if !special {
			api = test.api
		}
		if !errors.Is(err, test.err) || d.Key != test.key || err == nil && d.API != api || !errors.Is(err, ghost.ErrNone) && d.Address != base {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// A key that was refused is sent once, whatever is asked for.
func TestRefusedKey(t *testing.T) {
	g, _ := open(t, fakepaper.Options{})
	s, err := ghost.New(ghost.Config{BaseURL: g.Base, APIKey: strings.Repeat("ab", 13)})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err1 := s.Site(t.Context())
		_, err2 := s.List(t.Context(), ghost.Posts, source.Query{Top: 10})
		if !errors.Is(err1, ghost.ErrRefused) || !errors.Is(err2, get.ErrUnauthorized) || strings.Contains(err1.Error(), "abab") || strings.Contains(err1.Error(), "[{") {
			t.Errorf("%v, %v", err1, err2)
		}
	}
	if n := len(g.Requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	for _, found := range s.Found() {
		if strings.Contains(found, "abab") {
			t.Errorf("the key is kept: %s", found)
		}
	}
	if !slices.Contains([]string{"", "at once"}, s.Found()["list of posts"]) {
		t.Error("nothing was listed")
	}
}

// A post that has only a title has nothing that is unread: no note, and no further request.
func TestTitleAlone(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	id := g.Publish(fakepaper.GhostPost{Title: "Yalnız başlık"})
	answers, err := s.Fetch(t.Context(), ghost.Posts, []string{id})
	if err != nil || len(answers) != 1 {
		t.Fatalf("%v, %v", answers, err)
	}
	if a := answers[0]; len(a.Unread) > 0 || !slices.Equal(a.Lacking, []string{"text"}) || len(a.Notes) > 0 {
		t.Errorf("unread %v, lacking %v, notes %v", a.Unread, a.Lacking, a.Notes)
	}
}
