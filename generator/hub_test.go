package generator_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server/newsroom"
	"ayna/templates"
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
	source := newsroom.Listen(t, newsroom.Options{Items: 30})

	dir := t.TempDir()
	yaml := filepath.Join(dir, "site.yaml")
	build := func(offline bool, title string) *generator.Report {
		t.Helper()
		err := os.WriteFile(yaml, []byte("title: "+title+"\nbase_url: https://ayna.example/haber/\nsource: {url: \""+source.Base+"\", per_second: 0, per_hour: 0}\n"+
			"feeds: {formats: [rss], of: [home, kinds, months], hub: \""+hub.URL+"\"}\nmedia: link\nmarkdown: false\n"+
			"archive: "+dir+"/archive.db\noutput: "+dir+"/public\n"), 0o644)
		if err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(yaml, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		told = nil
		report, err := generator.Build(t.Context(), generator.Options{
			Config: c, Offline: offline, Jobs: 2, Version: "1", Templates: templates.FS, Assets: assets.FS, Now: time.Now,
		})
		if err != nil {
			t.Fatal(err)
		}
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
