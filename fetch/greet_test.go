package fetch_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"ayna/fetch"
	"ayna/testrun/fakepaper"
)

func TestGreeting(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, fakepaper.Options{Items: 40})
		n.Edit("articles", n.articles()[0].ID, func(r *fakepaper.Record) { r.URL = "https://www.gazete.example/spor/1" })
		n.Edit("articles", n.articles()[1].ID, func(r *fakepaper.Record) {
			r.RawList = `{"Id":"` + r.ID + `","Title":"Kıyı","CreatedDate":1,"StartDate":"2026-01-01T10:00:00Z","ModifiedDate":"2026-01-02T10:00:00.5+03:00"}`
		})
		n.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			if r.URL.Path != "/v1/articles" {
				n.ServeHTTP(w, r)
				return
			}
			list := httptest.NewRecorder()
			n.ServeHTTP(list, r)
			fmt.Fprintf(w, `{"Count":250,"List":%s}`, list.Body)
		})
		g, err := fetch.Greet(t.Context(), n.options)
		if err != nil {
			t.Fatal(err)
		}
		if g.Articles != 10 || g.Host != "www.gazete.example" || g.Ahead != time.Hour || g.Total != 250 || len(g.Folders) == 0 || len(g.Failed) > 0 {
			t.Errorf("%+v", g)
		}
		if len(g.Zoned) != 1 || g.Zoned[0].Format(time.RFC3339) != "2026-01-02T10:00:00+03:00" {
			t.Errorf("dates with an offset: %v", g.Zoned)
		}
		for _, folder := range g.Folders {
			if folder != "/"+folder[1:len(folder)-1]+"/" {
				t.Errorf("folder %q", folder)
			}
		}
	})
}
