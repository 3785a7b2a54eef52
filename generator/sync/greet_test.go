package sync_test

import (
	"net/http"
	"testing"
	"time"

	"ayna/generator/sync"
	"ayna/server/newsroom"
)

func TestGreeting(t *testing.T) {
	withClock(t, func(t *testing.T) {
		n := open(t, newsroom.Options{Items: 40})
		n.Edit("articles", n.articles()[0].ID, func(r *newsroom.Record) { r.URL = "https://www.gazete.example/spor/1" })
		n.options.Hosts[host] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat))
			n.ServeHTTP(w, r)
		})
		g, err := sync.Greet(t.Context(), n.options)
		if err != nil {
			t.Fatal(err)
		}
		if g.Articles != 10 || g.Host != "www.gazete.example" || g.Ahead != time.Hour || len(g.Folders) == 0 || len(g.Failed) > 0 {
			t.Errorf("%+v", g)
		}
		for _, folder := range g.Folders {
			if folder != "/"+folder[1:len(folder)-1]+"/" {
				t.Errorf("folder %q", folder)
			}
		}
	})
}
