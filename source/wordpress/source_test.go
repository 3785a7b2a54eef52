package wordpress_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
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

// open returns a paper of 30 posts and a source that reads it.
func open(t *testing.T, o fakepaper.Options) (*fakepaper.WordPress, *wordpress.Source) {
	t.Helper()
	o.Items, o.Types = 30, []string{"etkinlikler"}
	p := fakepaper.ListenWordPress(t, o)
	s, err := wordpress.New(wordpress.Config{BaseURL: p.Base + p.Prefix, Columns: []string{"yazarlar"}, Types: o.Types})
	if err != nil {
		t.Fatal(err)
	}
	return p, s
}

// category returns the id of a category.
func category(t *testing.T, p *fakepaper.WordPress, slug string) int {
	t.Helper()
	all := p.Categories()
	i := slices.IndexFunc(all, func(c fakepaper.Term) bool { return c.Slug == slug })
	if i < 0 {
		t.Fatalf("no category %s in %v", slug, all)
	}
	return all[i].ID
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
	for _, o := range []fakepaper.Options{{}, {PlainPermalinks: true, Prefix: "/blog"}} {
		p, s := open(t, o)
		now := p.Now().UTC().Truncate(time.Second)
		all := p.Posts("posts")
		p.Protect(all[1].ID)
		p.EditTag(1, func(tag *fakepaper.Term) { tag.Name = "Deniz & kum" })
		p.Schedule(fakepaper.Post{Title: "Yarın"}, now.AddDate(0, 0, 1))
		futbol := p.AddCategory(fakepaper.Term{Name: "Futbol & saha", Slug: "futbol", Parent: category(t, p, "spor")})
		id := p.Publish(fakepaper.Post{Title: `Haber "1" <em>son</em>`, Slug: "son", Date: now, Categories: []int{1, futbol, category(t, p, "spor")}, Tags: []int{1}})
		batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100})
		if err != nil || len(batch.Records) != 34 || !batch.Last || !slices.Equal(batch.Hidden, []string{fmt.Sprint(all[1].ID)}) || batch.Date.IsZero() {
			t.Fatalf("%+v: %d records, %+v, %v", o, len(batch.Records), batch, err)
		}
		at, categories := now.Format(time.RFC3339), fmt.Sprintf("[1,%d,%d]", futbol, category(t, p, "spor"))
		paths, address := `"Path":"/spor/","Paths":["/spor/","/spor/futbol/"]`, fmt.Sprintf("%s/blog/?p=%d", p.Base, id)
		if !o.PlainPermalinks {
			address = p.Base + "/genel/son/"
		}
		if got, want := string(batch.Records[0]), fmt.Sprintf(`{"Id":"%d","ContentType":"Article","Title":"Haber \"1\" son",%s,"Url":"%s","CreatedDate":"%s","ModifiedDate":"%[4]s","StartDate":"%[4]s",`+
			`"Writers":[{"Id":"user-2","Fullname":"%s"}],"Tags":["Deniz & kum"],"WordPress":{"author":2,"categories":%s,"tags":[1],"format":"standard"}}`, id, paths, address, at, p.Users()[1].Name, categories); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if beyond, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100, Skip: 34}); err != nil || len(beyond.Records) != 0 {
			t.Errorf("beyond the end %+v, %v", beyond, err)
		}
		if part, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 33}); err != nil || part.Last {
			t.Errorf("a part is the last one, or %v", err)
		}
		for _, group := range []source.Group{source.Paths, source.Writers, source.Pages} {
			if whole, err := s.List(t.Context(), group, source.Query{Top: 2}); err != nil || !whole.Last {
				t.Errorf("%s is not whole, or %v", group, err)
			}
		}
		if part, err := s.List(t.Context(), source.Paths, source.Query{Skip: 5}); err != nil || len(part.Records) != 0 {
			t.Errorf("folders beyond the end %+v, %v", part, err)
		}
	}
}

// Kinds, columns, folders in a cycle and former hands come as the Read API has them.
func TestKinds(t *testing.T) {
	p, s := open(t, fakepaper.Options{})
	writers := category(t, p, "yazarlar")
	loop := p.AddCategory(fakepaper.Term{Name: "Döngü", Slug: "d%c3%b6ng%c3%bc", Parent: writers})
	p.EditCategory(writers, func(c *fakepaper.Term) { c.Parent = loop })
	id := p.Publish(fakepaper.Post{Title: "Köşe", Categories: []int{writers}})
	batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 1})
	if err != nil {
		t.Fatal(err)
	}
	var column client.Column
	if err := json.Unmarshal(batch.Records[0], &column); err != nil || column.ID != fmt.Sprint(id) || column.ContentType != "Column" || column.Fullname != p.Users()[1].Name || column.WriterID != "user-2" || column.Path != "/döngü/yazarlar/" {
		t.Errorf("%+v, %v", column, err)
	}
}

// The ids of terms of other taxonomies are in single records. A site may hide which ones it
// has.
func TestTaxonomies(t *testing.T) {
	for name, test := range map[string]struct {
		fault *fakepaper.Fault
		want  string
	}{
		"public":    {nil, `"terms":{"sehirler":[16,17]}`},
		"hidden":    {fakepaper.Status(401), ""},
		"no route":  {fakepaper.Status(404), ""},
		"an array":  {fakepaper.Body("[]"), ""},
		"odd names": {fakepaper.Body(`{"a":{"rest_base":"x,y"},"b":{"rest_base":7},"c":"d"}`), ""},
	} {
		p, s := open(t, fakepaper.Options{})
		id := p.Publish(fakepaper.Post{Title: "Şehir", Cities: []int{16, 17}})
		p.SetFaults(func(c fakepaper.Call) *fakepaper.Fault {
			if c.Operation == "taxonomies" {
				return test.fault
			}
			return nil
		})
		records, err := sourcetest.Present(t.Context(), s, wordpress.Posts, fmt.Sprint(id))
		if err != nil || len(records) != 1 || !strings.Contains(string(records[0]), test.want) || test.want == "" && strings.Contains(string(records[0]), "terms") {
			t.Errorf("%s: %s, %v", name, records, err)
		}
		if _, err := sourcetest.Present(t.Context(), s, wordpress.Posts, fmt.Sprint(id)); err != nil || p.Count(func(r fakepaper.Request) bool { return strings.Contains(r.URI, "taxonomies") }) != 1 {
			t.Errorf("%s: not read once, %v", name, err)
		}
	}
}

// Single records are asked for together, and what is gone is missing from the answer.
func TestRecords(t *testing.T) {
	p, s := open(t, fakepaper.Options{})
	all := p.Posts("posts")
	p.Trash(all[0].ID)
	p.Protect(all[1].ID)
	var wanted, want []string
	for _, id := range []int{all[0].ID, all[1].ID, all[2].ID, 2000, 99, all[9].ID} {
		wanted = append(wanted, fmt.Sprint(id))
	}
	for _, i := range []int{2, 3, 5} {
		want = append(want, wanted[i])
	}
	handmade := p.Publish(fakepaper.Post{Title: "Elle", Excerpt: "Elle yazılmış.", Text: "<p>Metin.</p>", Format: "video", Picture: all[4].Picture})
	p.EditMedium(all[4].Picture, func(m *fakepaper.Medium) { m.Alt, m.Caption = "Liman", "Sabah" })
	records, err := sourcetest.Present(t.Context(), s, wordpress.Posts, append(wanted, fmt.Sprint(handmade))...)
	if err != nil || !slices.Equal(ids(t, records), append(want, fmt.Sprint(handmade))) {
		t.Fatalf("%s, %v", records, err)
	}
	var video client.Hit
	if err := json.Unmarshal(records[3], &video); err != nil {
		t.Fatal(err)
	}
	if video.ContentType != "NewsVideo" || video.Description != "Elle yazılmış." || !strings.Contains(video.Text, "<p>Metin.</p>") || len(video.Files) != 1 || video.Files[0].Title != "Liman" || video.Files[0].Description != "Sabah" {
		t.Errorf("%+v", video)
	}
	if list, err := sourcetest.Present(t.Context(), s, wordpress.Posts, "99"); err != nil || len(list) > 0 {
		t.Errorf("one that is gone: %s, %v", list, err)
	}
	if _, err := sourcetest.Present(t.Context(), s, wordpress.Posts, "user-2"); !errors.Is(err, get.ErrID) {
		t.Errorf("an id of no post: %v", err)
	}
	if all := fmt.Sprint(records); strings.Contains(all, "gravatar") {
		t.Error("the address of an avatar is stored")
	}
}

// Texts, summaries and pictures do not depend on what else is asked for.
func TestRecordsTogether(t *testing.T) {
	p, s := open(t, fakepaper.Options{})
	var wanted []string
	for _, post := range p.Posts("posts") {
		wanted = append(wanted, fmt.Sprint(post.ID))
	}
	together, err := sourcetest.Present(t.Context(), s, wordpress.Posts, wanted...)
	if err != nil || len(together) != 30 {
		t.Fatal(len(together), err)
	}
	galleries := 0
	for i, id := range wanted {
		alone, err := sourcetest.Present(t.Context(), s, wordpress.Posts, id)
		if err != nil || len(alone) != 1 || string(alone[0]) != string(together[i]) {
			t.Fatalf("%s alone\n%s\ntogether\n%s\n%v", id, alone, together[i], err)
		}
		var r client.Hit
		if err := json.Unmarshal(alone[0], &r); err != nil {
			t.Fatal(err)
		}
		if r.ContentType == "NewsPhotoGallery" {
			if galleries++; len(r.Files) != 3 || strings.Contains(r.Text, "<img") {
				t.Errorf("%s: %d pictures, %s", id, len(r.Files), r.Text)
			}
		}
	}
	if galleries != 3 {
		t.Errorf("%d galleries", galleries)
	}
}

// Changes hold edits, and scheduled posts that went live without one.
func TestChanged(t *testing.T) {
	now := fakepaper.Newest.AddDate(0, 0, 1)
	p, s := open(t, fakepaper.Options{Now: func() time.Time { return now }})
	scheduled, edited := p.Schedule(fakepaper.Post{Title: "Yarın"}, now.Add(2*time.Hour)), p.Posts("posts")[8].ID
	now = now.Add(2 * time.Hour)
	p.Edit(edited, func(post *fakepaper.Post) { post.Title = "Düzeltme" })
	want := []string{fmt.Sprint(edited), fmt.Sprint(scheduled)}
	for since, want := range map[time.Time][]string{now: want, now.Add(time.Second): nil, now.AddDate(0, 0, -1): want} {
		batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100, Since: since})
		got := slices.Sorted(slices.Values(ids(t, batch.Records)))
		if err != nil || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("since %s: %s, %v, want %s", since, ids(t, batch.Records), err, want)
		}
	}
}

func TestSite(t *testing.T) {
	_, s := open(t, fakepaper.Options{})
	site, err := s.Site(t.Context())
	if err != nil || site.Title != "Kıyı Postası" || site.Description != "Kıyının gazetesi & haberleri" {
		t.Fatalf("%+v, %v", site, err)
	}
}

// A manual offset becomes a time zone, and a note names one that no zone has all year.
func TestTimeZone(t *testing.T) {
	for _, test := range []struct{ offset, name, zone, note string }{
		{`3`, "Europe/Istanbul", "Europe/Istanbul", ""}, {`3`, "Local", "Local", ""}, {`null`, "", "", ""}, {`""`, "", "", ""},
		{`0`, "", "UTC", ""}, {`"-5"`, "", "Etc/GMT+5", ""}, {`14`, "", "Etc/GMT-14", ""},
		{`5.5`, "", "Asia/Kolkata", ""}, {`"5.75"`, "", "Asia/Kathmandu", ""}, {`3.5`, "", "Asia/Tehran", ""}, {`4.5`, "", "Asia/Kabul", ""},
		{`6.5`, "", "Asia/Yangon", ""}, {`8.75`, "", "Australia/Eucla", ""}, {`9.5`, "", "Australia/Darwin", ""}, {`-9.5`, "", "Pacific/Marquesas", ""},
		{`"-3.5"`, "", "America/St_Johns", "-03:30"}, {`10.5`, "", "Australia/Lord_Howe", "+10:30"}, {`12.75`, "", "Pacific/Chatham", "+12:45"},
		{`8.5`, "", "Etc/GMT-9", "+08:30"}, {`-0.5`, "", "Etc/GMT+1", "-00:30"}, {`-11.5`, "", "Etc/GMT+12", "-11:30"},
		{`24`, "", "24", ""}, {`-24`, "", "-24", ""}, {`"0x1p4"`, "", "0x1p4", ""}, {`"NaN"`, "", "NaN", ""}, {`[]`, "", "[]", ""},
	} {
		paper := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"gmt_offset":%s,"timezone_string":%q,"namespaces":["wp/v2"]}`, test.offset, test.name)
		}))
		s, err := wordpress.New(wordpress.Config{BaseURL: paper.URL})
		if err != nil {
			t.Fatal(err)
		}
		site, err := s.Site(t.Context())
		if err != nil || site.Zone != test.zone || !strings.Contains(site.ZoneNote, test.note) || (site.ZoneNote == "") != (test.note == "") {
			t.Errorf("%s %s: %q, %q, %v", test.offset, test.name, site.Zone, site.ZoneNote, err)
		}
		if location, err := time.LoadLocation(site.Zone); err == nil && test.name == "" && test.note == "" && site.Zone != "" {
			for month := range time.Month(12) {
				hours, _ := strconv.ParseFloat(strings.Trim(test.offset, `"`), 64)
				if _, seconds := time.Date(2026, month, 1, 0, 0, 0, 0, location).Zone(); seconds != int(hours*3600) {
					t.Errorf("%s in month %d: %d seconds", site.Zone, month, seconds)
				}
			}
		}
		paper.Close()
	}
}

// Users that WordPress hides cost no post.
func TestHiddenUsers(t *testing.T) {
	_, s := open(t, fakepaper.Options{HiddenUsers: true})
	if batch, err := s.List(t.Context(), source.Writers, source.Query{}); err != nil || len(batch.Records) != 0 || len(s.Warnings()) != 1 {
		t.Errorf("%+v, %v", batch, err)
	}
	if batch, err := s.List(t.Context(), wordpress.Posts, source.Query{Top: 100}); err != nil || len(batch.Records) != 33 || strings.Contains(fmt.Sprint(batch.Records), "Writers") {
		t.Errorf("%+v, %v", batch, err)
	}
}

// The page of sticky posts has those without a password.
func TestSticky(t *testing.T) {
	for _, test := range []struct {
		protected bool
		want      string
	}{{false, `[{"Id":"sticky","ContentType":"EditorialPage","Title":"Kıyı Postası","PageNews":[{"Id":"%d"},{"Id":"%d"}]}]`}, {true, "[]"}} {
		p, s := open(t, fakepaper.Options{})
		posts := p.Posts("posts")
		for _, post := range posts[2:4] {
			if p.MakeSticky(post.ID, true); test.protected {
				p.Protect(post.ID)
			}
		}
		want := test.want
		if !test.protected {
			want = fmt.Sprintf(want, posts[2].ID, posts[3].ID)
		}
		batch, err := s.List(t.Context(), source.Pages, source.Query{})
		if got := fmt.Sprintf("%s", batch.Records); err != nil || got != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
	}
}

// Users without a post are not read, although WordPress lists them to those who have a
// password.
func TestUsersWithoutPosts(t *testing.T) {
	const key = "ayse:abcd efgh ijkl"
	p := fakepaper.ListenWordPress(t, fakepaper.Options{Items: 30, Key: key})
	posts := p.Posts("posts")
	reader := posts[0].Author
	for _, post := range posts {
		if post.Author == reader {
			p.Trash(post.ID)
		}
	}
	s, err := wordpress.New(wordpress.Config{BaseURL: p.Base, APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := s.List(t.Context(), source.Writers, source.Query{Top: 100})
	if all := ids(t, batch.Records); err != nil || len(all) == 0 || slices.Contains(all, fmt.Sprintf("user-%d", reader)) {
		t.Errorf("%v with user-%d, %v", all, reader, err)
	}
}
