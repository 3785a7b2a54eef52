package ghost_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"ayna/source"
	"ayna/source/get"
	"ayna/source/ghost"
	"ayna/source/homepage"
	"ayna/source/markup"
	"ayna/source/sourcetest"
	"ayna/testrun/fakepaper"
)

// Answers that are cut, of another kind or of wrong types are errors, and never an empty
// list.
func TestBadAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		fault *fakepaper.Fault
		want  error
	}{
		"half":           {&fakepaper.Fault{Half: true}, get.ErrNotJSON},
		"cut":            {&fakepaper.Fault{Cut: true}, nil},
		"HTML":           {fakepaper.HTML(), homepage.ErrProtected},
		"empty":          {&fakepaper.Fault{Status: http.StatusOK}, get.ErrNotJSON},
		"null":           {fakepaper.Body("null"), get.ErrShape},
		"an array":       {fakepaper.Body("[]"), get.ErrShape},
		"no list":        {fakepaper.Body(`{"posts":null,"pages":null,"tags":null,"authors":null,"meta":{}}`), get.ErrShape},
		"an object":      {fakepaper.Body(`{"posts":{"id":"x"},"pages":{},"tags":"","authors":7}`), get.ErrShape},
		"an error":       {fakepaper.Body(`{"errors":[{"message":"no"}]}`), get.ErrShape},
		"after words":    {fakepaper.Body(`Dur {"posts":[],"pages":[],"tags":[],"authors":[],"settings":{}}`), get.ErrNotJSON},
		"posts of texts": {fakepaper.Body(`{"posts":["a",1,null],"pages":["a"],"settings":[]}`), get.ErrShape},
		"a redirect":     {&fakepaper.Fault{Status: http.StatusMovedPermanently, Header: http.Header{"Location": {"https://admin.example/"}}}, get.ErrRedirect},
		"down":           {fakepaper.Status(http.StatusBadGateway), nil},
		"too many":       {fakepaper.Status(http.StatusTooManyRequests), get.ErrTooMany},
	} {
		g, s := open(t, fakepaper.Options{})
		ids := []string{g.Posts()[0].ID}
		g.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "page" {
				return nil
			}
			return test.fault
		})
		_, err1 := s.List(t.Context(), ghost.Posts, source.Query{Top: 10})
		_, err2 := sourcetest.Present(t.Context(), s, ghost.Posts, ids...)
		_, err3 := s.Site(t.Context())
		for i, err := range []error{err1, err2, err3} {
			if err == nil || !errors.Is(err, test.want) && test.want != nil {
				t.Errorf("%s, %d: %v", name, i, err)
			}
			if err != nil && strings.Contains(err.Error(), fakepaper.GhostKey) {
				t.Errorf("%s: the key is printed: %v", name, err)
			}
		}
	}
}

// Settings that lack the address of the paper leave the host that is known, by which links to
// other sites are made.
func TestSettingsWithoutAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"settings":{}}`) }))
	t.Cleanup(server.Close)
	s, err := ghost.New(ghost.Config{BaseURL: server.URL, APIKey: fakepaper.GhostKey, Connection: source.Connection{Found: map[string]string{"host": "zeytin.example"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Site(t.Context()); err != nil || s.Found()["host"] != "zeytin.example" {
		t.Errorf("the host is %q: %v", s.Found()["host"], err)
	}
}

// Fields of wrong types are left empty, and records without an id have a position and
// nothing else.
func TestBadFields(t *testing.T) {
	const id, other = "6b0400000000000000000001", "6b0400000000000000000002"
	answers := map[string]string{
		"settings":           `{"settings":{"title":7,"accent_color":"red; x","icon":{},"navigation":[{"label":"a","url":"javascript:alert(1)"},{"label":"","url":"/"},7],"timezone":[],"lang":null}}`,
		"search-index/posts": `{"posts":[{"id":"` + id + `","title":7,"url":null,"updated_at":"yesterday","visibility":{}},{"id":7},{"id":"../x"},"x",{"id":"` + other + `"}]}`,
		"pages":              `{"pages":[],"meta":{"pagination":{"total":"many"}}}`,
		"tags":               `{"tags":[{"id":"` + id + `","name":null,"slug":"..","visibility":"public"},{"name":"x"},7],"meta":[]}`,
		"authors":            `{"authors":[{"id":"` + id + `","name":["a"],"bio":{},"profile_image":7}]}`,
		"posts": `{"posts":[{"id":"` + id + `","title":null,"html":{"a":1},"tags":"spor","authors":{"id":1},"primary_tag":7,"published_at":-1,"access":"yes","feature_image":[],"reading_time":"1"},` +
			`{"id":"` + other + `","html":null,"tags":[null,{"id":"x"}],"authors":[null,{}],"updated_at":"0000-01-01T00:00:00Z"}]}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[strings.Trim(strings.TrimPrefix(r.URL.Path, "/ghost/api/content"), "/")]
		if !ok {
			fmt.Fprintf(w, `<script data-key="%s">`, fakepaper.GhostKey)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	s, err := ghost.New(ghost.Config{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	site, err := s.Site(t.Context())
	if err != nil || site.Title != "" || site.Accent != "" || site.Icon != "" || len(site.Menu) > 0 {
		t.Errorf("%+v, %v", site, err)
	}
	list, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 100})
	if err != nil || len(list.Records) != 2 || list.Skipped != 3 {
		t.Errorf("%s, %+v, %v", list.Records, list, err)
	}
	records, err := sourcetest.Present(t.Context(), s, ghost.Posts, id, other)
	if err != nil || len(records) != 2 {
		t.Fatalf("%s, %v", records, err)
	}
	for _, r := range hits(t, records) {
		if r.Title != "" || r.Text != "" || r.Path != "" || len(r.Writers) > 0 || !r.StartDate.IsZero() || !r.ModifiedDate.IsZero() {
			t.Errorf("%+v", r)
		}
	}
	folders, err1 := s.List(t.Context(), source.Paths, source.Query{})
	writers, err2 := s.List(t.Context(), source.Writers, source.Query{})
	if err := errors.Join(err1, err2); err != nil || len(folders.Records) != 1 || len(writers.Records) != 1 || !strings.Contains(string(folders.Records[0]), `"Path":"/tag-`) {
		t.Errorf("%s, %s, %v", folders.Records, writers.Records, err)
	}
}

// A list that ignores the page ends, and so does one of more than a page.
func TestLongLists(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	for i := range 250 {
		g.Publish(fakepaper.GhostPost{Title: fmt.Sprint(i), IsPage: true})
	}
	batch, err := s.List(t.Context(), ghost.Posts, source.Query{Top: 1000})
	if n := g.Count(func(r fakepaper.Request) bool { return r.Operation == "pages" }); err != nil || len(batch.Records) != 282 || n != 3 {
		t.Errorf("%d records, %d requests, %v", len(batch.Records), n, err)
	}
	elements := strings.Repeat(`{"id":"6b0400000000000000000001","name":"a","slug":"a"},`, 99) + `{"id":"6b0400000000000000000001","name":"a","slug":"a"}`
	g.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
		if c.Operation != "tags" {
			return nil
		}
		return fakepaper.Body(`{"tags":[` + elements + `]}`)
	})
	if _, err := s.List(t.Context(), source.Paths, source.Query{}); err != nil {
		t.Error(err)
	}
	if n := g.Count(func(r fakepaper.Request) bool { return r.Operation == "tags" }); n != 2 {
		t.Errorf("%d requests for a list that ignores the page", n)
	}
}

// A paper without its list of all posts is read page by page, at any offset.
func TestPagedList(t *testing.T) {
	g, s := open(t, fakepaper.Options{})
	for i := range 230 {
		g.Publish(fakepaper.GhostPost{Title: fmt.Sprint("Yeni ", i)})
	}
	var want []string
	for _, post := range g.Posts() {
		want = append(want, post.ID)
	}
	slices.Sort(want)
	slices.Reverse(want)
	for _, page := range slices.Backward(g.Pages()) { // published at once
		want = append(want, page.ID)
	}
	g.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
		if c.Operation != "search-index/posts" {
			return nil
		}
		return fakepaper.Status(http.StatusNotFound)
	})
	for _, size := range []int{100, 33, 7} {
		for skip := 0; skip < len(want)+size; skip += size - 2 {
			batch, err := s.List(t.Context(), ghost.Posts, source.Query{Top: size, Skip: skip})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, hit := range hits(t, batch.Records) {
				got = append(got, hit.ID)
			}
			if part := want[min(skip, len(want)):min(skip+size, len(want))]; !slices.Equal(got, part) {
				t.Fatalf("%d from %d: %d records, want %d: %v %v", size, skip, len(got), len(part), got, part)
			}
		}
	}
}

// FuzzText cleans any text: no script and no form is left.
func FuzzText(f *testing.F) {
	f.Add(`<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="?ref=a.example"></a></figure>`)
	f.Add(`<div class="kg-toggle-card"><h4 class="kg-toggle-heading-text">a</h4></div><div class="kg-audio-card kg-file-card"><audio>`)
	f.Add(`<figure class="kg-gallery-card"><img src="x"><figcaption><img src=y class="kg-btn"></figcaption></figure><a class="kg-btn">`)
	f.Add(`<div class="kg-signup-card"><form><input><button>a</button></form></div><script>a</script><p>b`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "<math") || strings.Contains(text, "<svg") {
			return // what is parsed as foreign elements may be parsed otherwise again; package prose decides
		}
		cleaned, _ := ghost.CleanText(text, "a.example", "https://a.example/b/")
		body, err := markup.Parse(cleaned)
		if err != nil {
			return
		}
		for n := range body.Descendants() {
			if slices.Contains([]atom.Atom{atom.Script, atom.Form, atom.Input, atom.Button}, n.DataAtom) {
				t.Errorf("<%s> is left of %q", n.Data, text)
			}
		}
	})
}
