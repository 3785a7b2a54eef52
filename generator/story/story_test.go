package story_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/archive/database"
	"ayna/generator/arrange"
	"ayna/generator/site"
	"ayna/generator/story"
	"ayna/picture"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

var records = []*archive.Record{
	fakepaper.Raw(record.Article,
		`{"Id":"1","Title":"Liman","Path":"/a/","Url":"http://www.haber.example/liman-1","CreatedDate":"2026-03-14T09:01:00Z"}`,
		`{"Id":"1","ContentType":"Article","Title":"Liman &amp; ada","Description":"Spot","Path":"/a/","Url":"http://www.haber.example/liman-1","CreatedDate":"2026-03-14T09:01:00Z","Editor":"KHA",
		  "Files":[{"FileUrl":"http://img.example/1.jpg","Metadata":{"Title":"Bir","Description":"Rıhtım"}},{"FileUrl":"http://img.example/2.jpg","Metadata":{"Description":"refid:x"}}],
		  "Text":"<p><a href=\"http://img.example/3.jpg\">büyük</a> <a href=\"https://haber.example/kar-2?x=1\">kar</a> <a href=\"http://www.haber.example/yok-9\">yok</a></p><p><img src=\"http://img.example/3.jpg\" alt=\"üç\"><img src=\"http://img.example/4.jpg\" alt=\"dört\"></p>",
		  "RelatedNews":[{"Id":"2","Title":"Kar"},{"Id":"98","Title":"Aynada yok","Url":"http://www.haber.example/98"},{"Id":"99","Url":"javascript:alert(1)"},{"Url":"http://www.haber.example/galeri-3"}]}`),
	fakepaper.Raw(record.Article, `{"Id":"2","Title":"Kar","Description":".","Path":"/a/","Url":"http://www.haber.example/kar-2","CreatedDate":"2026-03-14T09:02:00Z","Files":[{"FileUrl":"http://img.example/2.jpg"}]}`, ""),
	fakepaper.Raw(record.Gallery, "", `{"Id":"3","Title":"\u200b\u00ad","Description":"Bir galerinin uzun spotu","Path":"/a/","Url":"ftp://haber.example/galeri-3","CreatedDate":"2026-03-14T09:03:00Z"}`),
	fakepaper.Raw(record.Video, "", `{"Id":"4","Path":"/a/","Url":"http://www.haber.example/galeri-3","CreatedDate":"2026-03-14T09:04:00Z"}`),
	fakepaper.Raw(record.Writer, `{"Id":"w1","Fullname":"Ali Veli","Files":[{"FileUrl":"http://img.example/1.jpg"}]}`, ""),
	fakepaper.Raw(record.Writer, `{"Id":"w2","Fullname":"Nehir Taşkın","Files":[]}`, ""),
}

var mirrored = []archive.Media{
	{URL: "http://img.example/1.jpg", Name: "aa.jpg", Type: "image/jpeg", Width: 620, Height: 349, Bytes: 54321},
	{URL: "http://img.example/2.jpg", Problem: "404"},
	{URL: "http://img.example/3.jpg", Name: "cc.png", Type: "image/png", Width: 10, Height: 20, Bytes: 99},
}

func reader(t testing.TB, mirror bool) *story.Reader {
	t.Helper()
	a := fakepaper.Archive(t, records...)
	fakepaper.Mirror(t, a, mirrored...)
	fakepaper.Update(t, a, func(tx *archive.Tx) error { return tx.MarkGone(record.Article, "2", fakepaper.Noon) })
	return readerOf(t, a, mirror)
}

func readerOf(t testing.TB, a *archive.Archive, mirror bool) *story.Reader {
	t.Helper()
	words, err := site.WordsFor("tr")
	if err != nil {
		t.Fatal(err)
	}
	s, err := arrange.Arrange(t.Context(), a, arrange.Options{Settings: site.Settings{Language: "tr", Words: words, Location: time.UTC}})
	if err != nil {
		t.Fatal(err)
	}
	return story.New(a, s, mirror)
}

func item(t testing.TB, r *story.Reader, id string) site.Item {
	t.Helper()
	for item := range r.Site.Home.Items.All() {
		if item.ID() == id {
			return item
		}
	}
	t.Fatalf("no item %s", id)
	return site.Item{}
}

func read(t testing.TB, r *story.Reader, id string) *story.Story {
	t.Helper()
	s, err := r.Story(t.Context(), item(t, r, id))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStory(t *testing.T) {
	r := reader(t, true)
	s := read(t, r, "1")
	if s.Title != "Liman & ada" || s.Spot != "Spot" || s.Editor != "KHA" || s.Source != "http://www.haber.example/liman-1" {
		t.Errorf("%q, %q, %q, %q", s.Title, s.Spot, s.Editor, s.Source)
	}
	if s.Waiting || s.Gone() {
		t.Errorf("waiting %t, gone %v", s.Waiting, s.Gone())
	}
	stored, err := r.Archive.Records.Get(t.Context(), record.Article, "1")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x", stored.Hash); s.Hash != want {
		t.Errorf("hash %s, want %s", s.Hash, want)
	}
	if got := s.Body.Text(); got != "büyük kar yok" {
		t.Errorf("text %q", got)
	}
}

func TestStoryThatWaitsOrIsGone(t *testing.T) {
	s := read(t, reader(t, true), "2")
	if !s.Waiting {
		t.Error("its single record has arrived?")
	}
	if !s.Gone() {
		t.Error("it is there?")
	}
	if s.Spot != "" || s.Body.Text() != "" {
		t.Errorf("spot %q, text %q", s.Spot, s.Body.Text())
	}
}

func TestTitleIsNeverEmpty(t *testing.T) {
	r := reader(t, true)
	for id, want := range map[string]string{"1": "Liman & ada", "3": "Bir galerinin uzun spotu", "4": "4"} {
		if got := read(t, r, id).Title; got != want {
			t.Errorf("story %s: %q, want %q", id, got, want)
		}
		teasers, err := r.Teasers(t.Context(), []site.Item{item(t, r, id)})
		if err != nil || teasers[0].Title != want {
			t.Errorf("teaser %s: %+v, %v, want %q", id, teasers, err, want)
		}
	}
}

func TestSourceIsSafe(t *testing.T) {
	if got := read(t, reader(t, true), "3").Source; got != "" {
		t.Errorf("source %q", got)
	}
}

func TestPictures(t *testing.T) {
	tests := []struct {
		name   string
		mirror bool
		want   []story.Picture
	}{
		{"mirror", true, []story.Picture{
			{Source: "http://img.example/1.jpg", Title: "Bir", Caption: "Rıhtım", File: "media/aa.jpg", Type: "image/jpeg", Width: 620, Height: 349, Bytes: 54321},
			{Source: "http://img.example/2.jpg"}, // it could not be had: its caption alone is shown
		}},
		{"link", false, []story.Picture{
			{Source: "http://img.example/1.jpg", Title: "Bir", Caption: "Rıhtım", Link: "http://img.example/1.jpg"},
			{Source: "http://img.example/2.jpg", Link: "http://img.example/2.jpg"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := read(t, reader(t, test.mirror), "1").Pictures; !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestSrc(t *testing.T) {
	up := func(address string) string { return "../" + address }
	for want, picture := range map[string]story.Picture{
		"../media/aa.jpg":          {File: "media/aa.jpg", Link: "http://img.example/1.jpg"},
		"http://img.example/1.jpg": {Link: "http://img.example/1.jpg"},
		"":                         {Source: "http://img.example/1.jpg"},
	} {
		if got := picture.Src(up); got != want {
			t.Errorf("%+v: %q, want %q", picture, got, want)
		}
	}
}

func TestRelated(t *testing.T) {
	r := reader(t, true)
	got := read(t, r, "1").Related
	want := []story.Related{
		{Item: item(t, r, "2"), Title: "Kar"},
		{Title: "Aynada yok", URL: "http://www.haber.example/98"}, // Outside of the archive
		{Title: "99"}, // Plain text
		{Item: item(t, r, "4")},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestResolver(t *testing.T) {
	up := func(address string) string { return "../" + address }
	const sizes = `srcset="../media/cc-5.png 5w, ../media/cc.png 10w" sizes="100vw"`
	for _, test := range []struct {
		name   string
		mirror bool
		room   string
		want   []string
		not    string
	}{
		{"mirror", true, "100vw", []string{`href="../media/cc.png"`, `href="../a/kar-2.html"`, `href="http://www.haber.example/yok-9"`, `src="../media/cc.png"`, sizes, `width="10"`, `height="20"`, `<a href="http://img.example/4.jpg" rel="nofollow noopener"><span class="missing">dört`}, `src="http://img.example`},
		{"mirror, in one size", true, "", []string{`src="../media/cc.png" class="small" alt`, `width="10"`, `height="20"`}, "srcset"},
		{"link", false, "100vw", []string{`href="http://img.example/3.jpg"`, `href="../a/kar-2.html"`, `href="http://www.haber.example/yok-9"`, `src="http://img.example/3.jpg"`, `src="http://img.example/4.jpg"`}, "srcset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := reader(t, test.mirror)
			r.Sizes = func(name string, width int) []picture.Size { return picture.Sizes(name, width, []int{5, 10}) }
			s := read(t, r, "1")
			html := string(s.Body.HTML(s.Resolver(up, test.room)))
			for _, part := range test.want {
				if !strings.Contains(html, part) {
					t.Errorf("%s is not in\n%s", part, html)
				}
			}
			href, isHere := s.Resolver(up, test.room).Anchor("text-1")
			if want := map[bool]string{true: "#text-1", false: up(s.Address()) + "#text-1"}[test.room != ""]; href != want || isHere != (test.room != "") {
				t.Errorf("anchor at %s, want %s", href, want)
			}
			if strings.Contains(html, test.not) {
				t.Errorf("%s is in\n%s", test.not, html)
			}
		})
	}
}

func TestTeasers(t *testing.T) {
	for i := range 4 {
		mirror, prepared := i%2 == 0, i > 1
		r := reader(t, mirror)
		if prepared { // then they are tied in sheaves
			if err := r.Prepare(t.Context(), 1, nil); err != nil {
				t.Fatal(err)
			}
		}
		items := []site.Item{item(t, r, "2"), item(t, r, "4"), item(t, r, "1"), item(t, r, "2")}
		teasers, err := r.Teasers(t.Context(), items)
		if err != nil {
			t.Fatal(err)
		}
		if len(teasers) != len(items) {
			t.Fatalf("%d teasers of %d items", len(teasers), len(items))
		}
		for i, teaser := range teasers {
			if teaser.Item != items[i] {
				t.Errorf("teaser %d is of %s, want %s", i, teaser.ID(), items[i].ID())
			}
		}
		if teasers[0].Spot != "" || teasers[2].Spot != "Spot" {
			t.Errorf("spots %q, %q", teasers[0].Spot, teasers[2].Spot)
		}
		if teasers[1].Picture != nil {
			t.Errorf("picture of an item without: %+v", teasers[1].Picture)
		}
		missing, there := teasers[0].Picture, teasers[2].Picture
		switch {
		case there == nil:
			t.Errorf("mirror %t: no picture", mirror)
		case mirror && (missing != nil || there.File != "media/aa.jpg" || there.Width != 620):
			t.Errorf("mirror: missing %+v, there %+v", missing, there)
		case !mirror && (missing == nil || missing.Link != "http://img.example/2.jpg" || there.Link != "http://img.example/1.jpg"):
			t.Errorf("link: missing %+v, there %+v", missing, there)
		}
	}
}

func TestTeasersOfNothing(t *testing.T) {
	r := reader(t, true)
	if teasers, err := r.Teasers(t.Context(), nil); len(teasers) != 0 || err != nil {
		t.Errorf("%v, %v", teasers, err)
	}
}

func TestPortrait(t *testing.T) {
	r := reader(t, true)
	for i, want := range []string{"media/aa.jpg", ""} {
		picture, err := r.Portrait(t.Context(), r.Site.Writers[i])
		if err != nil {
			t.Fatal(err)
		}
		if got := picture != nil; got != (want != "") || got && picture.File != want {
			t.Errorf("%s: %+v, want %q", r.Site.Writers[i].Title, picture, want)
		}
	}
	if picture, err := r.Portrait(t.Context(), &site.Writer{}); picture != nil || err != nil {
		t.Errorf("a writer without a record: %+v, %v", picture, err)
	}
}

func TestRecordThatIsNotThere(t *testing.T) {
	r := reader(t, true)
	lost := new(site.Collection).Add(&site.Draft{Row: 999, Kind: site.Article, ID: "77"})
	if _, err := r.Story(t.Context(), lost); !errors.Is(err, database.ErrNotFound) || !strings.Contains(err.Error(), "article 77") {
		t.Errorf("story: %v", err)
	}
	if teasers, err := r.Teasers(t.Context(), []site.Item{lost}); err != nil || teasers[0].Title != "77" {
		t.Errorf("teaser: %+v, %v", teasers, err)
	}
}

// Cards of pages of other sites have the title and the picture that are mirrored. Without mirrored
// pictures they have neither, and nothing is loaded from the other site. Feeds and books have them too.
func TestCards(t *testing.T) {
	const page = "https://vimeo.com/1"
	a := fakepaper.Archive(t, fakepaper.Raw(record.Article, "", `{"Id":"1","Path":"/a/","Title":"Film","Url":"http://www.haber.example/film-1","CreatedDate":"2026-03-14T09:01:00Z",
		"Text":"<iframe src=\"https://player.vimeo.com/video/1\"></iframe><p>https://youtu.be/ornek1</p>"}`))
	fakepaper.Mirror(t, a, archive.Media{URL: page, Title: `Kıyı <b>`, Name: "aa.jpg", Type: "image/jpeg", Width: 480, Height: 360},
		archive.Media{URL: "https://www.youtube.com/watch?v=ornek1", Title: "Ada"})
	for mirror, want := range map[bool][]string{
		true:  {`<a href="https://vimeo.com/1" rel="nofollow noopener"><img src="media/aa.jpg" alt="" width="480" height="360" loading="lazy" decoding="async"/><strong>Kıyı &lt;b&gt;</strong></a> <small class="file">(vimeo.com)</small>`, `<strong>Ada</strong></a> <small class="file">(youtube.com)</small>`},
		false: {`<a href="https://vimeo.com/1" rel="nofollow noopener"><strong>vimeo.com</strong></a>`, `<strong>youtube.com</strong></a></figure>`},
	} {
		r := readerOf(t, a, mirror)
		s, err := r.Story(t.Context(), item(t, r, "1"))
		if err != nil {
			t.Fatal(err)
		}
		got := string(s.Body.HTML(s.Resolver(func(to string) string { return to }, "")))
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("mirror %v: %s lacks %s", mirror, got, part)
			}
		}
		texts, err := r.Texts(t.Context(), []site.Item{item(t, r, "1")})
		if titles := "Kıyı <b>\nAda"; err != nil || strings.HasSuffix(texts[0], titles) != mirror {
			t.Errorf("mirror %v: the search has %q, %v", mirror, texts, err)
		}
		if strings.Contains(got, "ytimg") || len(s.Attachments()) > 0 {
			t.Errorf("mirror %v: %s, %v", mirror, got, s.Attachments())
		}
	}
}
