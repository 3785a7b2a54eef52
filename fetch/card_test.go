package fetch_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/record"
	"ayna/testrun/fakepaper"
)

// A cardPaper is a paper with films of another site, whose host is a handler.
type cardPaper struct {
	*mirror
	asked []string // addresses, without the host
}

func withCards(t *testing.T, text string, answer http.HandlerFunc) *cardPaper {
	n := &cardPaper{mirror: open(t, fakepaper.Options{Key: key})}
	n.withPictures(t)
	n.Add(fakepaper.Record{Group: "articles", ID: "50000001", Title: "Filmli", Path: "/spor/", Text: text, Created: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)})
	for _, host := range []string{"vimeo.com", "www.youtube.com", "kotu.example", "i.vimeocdn.example", "i.ytimg.com"} {
		n.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n.asked = append(n.asked, r.URL.Path)
			if strings.Contains(fmt.Sprint(r.Header, r.URL), key) {
				t.Errorf("%s is asked with the key", r.URL)
			}
			if strings.HasSuffix(r.URL.Path, ".jpg") {
				w.Write(fakepaper.TurnedJPEG(7, 5))
				return
			}
			answer(w, r)
		})
	}
	return n
}

func (n *cardPaper) card(t *testing.T, page string) archive.Media {
	stored, err := n.archive.Records.Get(t.Context(), record.Article, "50000001")
	if err != nil {
		t.Fatal(err)
	}
	media, err := n.archive.Pictures.Of(t.Context(), stored.Row)
	if err != nil {
		t.Fatal(err)
	}
	return media[page]
}

const (
	film      = `<iframe src="https://player.vimeo.com/video/1"></iframe>`
	picture   = `"thumbnail_url":"https://i.vimeocdn.example/1.jpg"`
	page      = "https://vimeo.com/1"
	oEmbedOf1 = "/api/oembed.json"
)

// Whatever a host answers, the run succeeds, and the card is at worst without title and picture.
func TestHostsOfCards(t *testing.T) {
	write := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, s) }
	}
	lead := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Host == "vimeo.com" && r.URL.Path == oEmbedOf1 {
				http.Redirect(w, r, to, http.StatusFound)
				return
			}
			io.WriteString(w, `{"title":"yönlenen"}`)
		}
	}
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		title  string
		shown  bool // it has a picture
		failed int
	}{
		"both":                       {write(`{"title":"Kıyı  &amp;\n<b>liman</b>",` + picture + `}`), "Kıyı &amp; <b>liman</b>", true, 0},
		"a title alone":              {write(`{"title":"Kıyı"}`), "Kıyı", false, 0},
		"a picture alone":            {write(`{` + picture + `}`), "", true, 0},
		"a long title":               {write(`{"title":"` + strings.Repeat("ab ", 9000) + `"}`), strings.TrimSpace(strings.Repeat("ab ", 66)) + "…", false, 0},
		"control characters":         {write(`{"title":"K\u0000ı\u202Ey\u0001ı"}`), "Kıyı", false, 0},
		"nothing to see":             {write(`{"title":" \u200b "}`), "", false, 1},
		"an address as title":        {write(`{"title":"https://kotu.example/"}`), "", false, 1},
		"odd types":                  {write(`{"title":["a"],"thumbnail_url":7}`), "", false, 1},
		"null":                       {write(`null`), "", false, 1},
		"a list":                     {write(`[1]`), "", false, 1},
		"HTML":                       {write(`<html>{"title":"x"}`), "", false, 1},
		"empty":                      {write(``), "", false, 1},
		"too long":                   {write(`{"title":"x","y":"` + strings.Repeat("y", 70_000) + `"}`), "", false, 1},
		"a picture by http":          {write(`{"title":"x","thumbnail_url":"http://i.vimeocdn.example/1.jpg"}`), "x", false, 0},
		"a picture of a script":      {write(`{"title":"x","thumbnail_url":"javascript:x()"}`), "x", false, 0},
		"a picture at home":          {write(`{"title":"x","thumbnail_url":"https://127.0.0.1/1.jpg"}`), "x", false, 0},
		"a picture that is none":     {write(`{"title":"x","thumbnail_url":"https://i.vimeocdn.example/1.html"}`), "x", false, 0},
		"gone":                       {func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, "", false, 1},
		"down":                       {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }, "", false, 1},
		"cut off":                    {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, "", false, 1},
		"redirect to another host":   {lead("https://kotu.example/x"), "", false, 1},
		"redirect to http":           {lead("http://vimeo.com/x"), "", false, 1},
		"redirect to this machine":   {lead("https://127.0.0.1/x"), "", false, 1},
		"redirect in a circle":       {lead("https://vimeo.com" + oEmbedOf1), "", false, 1},
		"redirect to another known":  {lead("https://www.youtube.com/x"), "yönlenen", false, 0},
		"never an end, until a time": {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "", false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			withClock(t, func(t *testing.T) {
				n := withCards(t, film, test.answer)
				report := n.mustRun(t)
				got := n.card(t, page)
				if got.Title != test.title || (got.Name != "") != test.shown || len(report.Failed) > 0 || *report.Cards != (fetch.CardCount{Asked: 1, Failed: test.failed}) {
					t.Errorf("%+v, %v, %+v", got, report.Failed, report.Cards)
				}
			})
		})
	}
}

// Each film is asked for once, then later and later; what is known stays. One that has a title in
// the text and a known picture is never asked for.
func TestCardsAreAskedLaterAndLater(t *testing.T) {
	withClock(t, func(t *testing.T) {
		answer := `{"title":"Bir",` + picture + `}`
		own := `<iframe src="https://www.youtube.com/embed/ornek1" title="Adı var"></iframe><p>https://youtu.be/ornek2</p>`
		n := withCards(t, film+own+"<p>x</p>"+film, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) })
		var days []string
		day := 0
		for ; day < 90; day++ {
			if day == 30 {
				answer = "gone"
			}
			n.asked = nil
			n.mustRun(t)
			n.asked = slices.DeleteFunc(n.asked, func(path string) bool { return strings.HasSuffix(path, ".jpg") && day == 0 })
			if len(n.asked) > 0 {
				days = append(days, fmt.Sprintf("%d: %d", day, len(n.asked)))
			}
			time.Sleep(24 * time.Hour)
		}
		if want := "[0: 2 8: 2 24: 2 56: 2]"; fmt.Sprint(days) != want {
			t.Errorf("asked on days %v, want %s", days, want)
		}
		if got := n.card(t, page); got.Title != "Bir" || got.Name == "" {
			t.Errorf("%+v", got)
		}
	})
}

// Where pictures stay at the source, and where a host is down, nobody is asked in vain.
func TestCardsThatAreNotAskedFor(t *testing.T) {
	withClock(t, func(t *testing.T) {
		var text strings.Builder
		for i := range 9 {
			fmt.Fprintf(&text, "<p>https://vimeo.com/%d</p>", i+1)
		}
		n := withCards(t, text.String(), func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) })
		n.options.Pictures = false
		if report := n.mustRun(t); report.Cards != nil || len(n.asked) > 0 {
			t.Errorf("without pictures: %q", n.asked)
		}
		n.options.Pictures = true
		if n.mustRun(t); len(n.asked) != 3 {
			t.Errorf("a host that is down is asked %d times, want 3", len(n.asked))
		}
	})
}
