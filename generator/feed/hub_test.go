package feed_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"ayna/generator/feed"
)

func topics(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("https://ayna.example/%02d/feed.xml?a=b&c", i)
	}
	return list
}

func TestPing(t *testing.T) {
	var mu sync.Mutex
	var notified []string
	var now, most atomic.Int32
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		if r.Method != http.MethodPost || r.FormValue("hub.mode") != "publish" || r.UserAgent() != "ayna" {
			t.Errorf("%s %v", r.Method, r.Form)
		}
		mu.Lock()
		defer mu.Unlock()
		notified = append(notified, r.FormValue("hub.url"))
		w.WriteHeader(http.StatusNoContent)
	}))
	defer hub.Close()
	all := topics(40)
	if failures := feed.Ping(t.Context(), hub.URL, all); len(failures) > 0 {
		t.Errorf("failures %v", failures)
	}
	if slices.Sort(notified); !slices.Equal(notified, all) {
		t.Errorf("notified of %q", notified)
	}
	if most.Load() > 4 {
		t.Errorf("%d requests at once", most.Load())
	}
}

func TestPingFails(t *testing.T) {
	tests := map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"an error": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "kaput", http.StatusInternalServerError) }, "it returned 500"},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, "it redirects; set its new address"},
		"it hangs up": {func(w http.ResponseWriter, _ *http.Request) {
			if c, _, err := w.(http.Hijacker).Hijack(); err == nil {
				c.Close()
			}
		}, "notify the hub"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			hub := httptest.NewServer(test.answer)
			defer hub.Close()
			failures := feed.Ping(t.Context(), hub.URL, topics(2))
			if len(failures) != 2 || failures[1].Path != topics(2)[1] || !strings.Contains(failures[0].Err.Error(), test.want) {
				t.Errorf("%v", failures)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if failures := feed.Ping(ctx, "http://127.0.0.1:1/", topics(3)); len(failures) != 3 {
			t.Errorf("%v", failures)
		}
	})
}
