package feed_test

import (
	"context"
	"errors"
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
	if err := errors.Join(feed.Ping(t.Context(), hub.URL, all)...); err != nil {
		t.Error(err)
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
		}, "the hub redirects"},
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
			errs := feed.Ping(t.Context(), hub.URL, topics(2))
			if slices.Contains(errs, nil) || len(errs) != 2 || !strings.Contains(errs[0].Error(), test.want) {
				t.Errorf("%v", errs)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if errs := feed.Ping(ctx, "http://127.0.0.1:1/", topics(3)); slices.Contains(errs, nil) || len(errs) != 3 {
			t.Errorf("%v", errs)
		}
	})
}
