package generator_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/generator"
	"ayna/generator/output"
	"ayna/generator/site"
)

// TestHub: after a publish the hub is told of the feeds that changed, and a hub
// that fails leaves its mark in the report alone.
func TestHub(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	status := http.StatusNoContent
	hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, strings.TrimPrefix(r.FormValue("hub.url"), "https://ayna.example/haber/"))
		w.WriteHeader(status)
	}))
	defer hub.Close()
	p := newPress(t)
	p.config.Feeds.Hub, p.config.Feeds.Formats = hub.URL, []site.Format{site.RSS}
	p.config.Feeds.Of = []site.ListKind{site.OfHome, site.OfKinds, site.OfMonths}
	build := func(offline bool, title string) *generator.Report {
		t.Helper()
		told, p.config.Title = nil, title
		report := p.mustBuild(t, func(o *generator.Options) { o.Offline = offline })
		slices.Sort(told)
		return report
	}
	report := build(false, "Bir")
	if len(told) < 2 || told[0] != "feed.xml" || !strings.HasPrefix(told[1], "tur/") || slices.ContainsFunc(told, func(s string) bool { return strings.Contains(s, "arsiv") }) {
		t.Errorf("told of %q", told)
	}
	if report.Hub == nil || report.Hub.Notified != len(told) || len(report.Hub.Failed) > 0 || report.Incomplete() {
		t.Errorf("report %+v", report.Hub)
	}
	if report = build(false, "Bir"); report.Hub != nil || len(told) > 0 {
		t.Errorf("nothing changed, but the hub was told of %q", told)
	}
	if build(true, "İki"); len(told) > 0 {
		t.Errorf("without any request the hub was told of %q", told)
	}
	status = http.StatusServiceUnavailable
	report = build(false, "Üç")
	if report.Hub == nil || report.Hub.Notified != 0 || len(report.Hub.Failed) != len(told) || !report.Incomplete() {
		t.Errorf("the hub failed: %+v", report.Hub)
	}
	if f := report.Hub.Failed[0]; !strings.HasPrefix(f.Path, "https://ayna.example/haber/") || !strings.Contains(f.Err.Error(), "503") {
		t.Errorf("failure %+v", f)
	}
}

// What shards could not render is missing from the site that is made of them.
func TestIncompleteByShards(t *testing.T) {
	for missing, want := range []bool{false, true} {
		report := generator.Report{Files: &output.Result{InShards: missing}}
		if report.Incomplete() != want {
			t.Errorf("%d files are missing, incomplete: %t", missing, !want)
		}
	}
}
