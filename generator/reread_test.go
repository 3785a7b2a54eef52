package generator_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/fetch"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/source"
	"ayna/source/wordpress"
	"ayna/testrun/fakepaper"
)

// olderReader is a source of WordPress that leaves marks of a plug-in in texts.
type olderReader struct{ *wordpress.Source }

func (olderReader) ReaderVersion() string { return "0" }

func (r olderReader) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	answers, err := r.Source.Fetch(ctx, group, ids)
	for i := range answers {
		answers[i].Record = bytes.ReplaceAll(answers[i].Record, []byte(`<p>`), []byte(`<p>[kod] `))
	}
	return answers, err
}

// A site whose records an older reader has made is mended by the next build without a request. Its
// pages are those of a mirror made from nothing, and none shows a correction.
func TestReadAgainAndBuilt(t *testing.T) {
	t.Parallel()
	const host = "kiyi.example"
	paper := fakepaper.NewWordPress(fakepaper.Options{Items: 30, Base: "https://" + host})
	requests := 0
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { requests++; paper.ServeHTTP(w, r) })
	at := fakepaper.Newest.AddDate(0, 0, 2)
	build := func(dir string, offline bool) *generator.Report {
		t.Helper()
		name := filepath.Join(dir, "site.yaml")
		if err := os.WriteFile(name, []byte("base_url: https://ayna.example/\nmedia: link\nmarkdown: false\nsource: {url: https://"+host+", kind: wordpress, per_second: 0, per_hour: 0, columns: [yazarlar]}\n"+
			"archive: "+filepath.Join(dir, "archive.db")+"\noutput: "+filepath.Join(dir, "public")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(name, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		p := press{dir, c, map[string]http.Handler{host: counted}}
		return p.mustBuild(t, func(o *generator.Options) { o.Offline, o.Now = offline, func() time.Time { return at } })
	}
	old, fresh := t.TempDir(), t.TempDir()
	a, err := archive.Open(t.Context(), filepath.Join(old, "archive.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = fetch.Run(t.Context(), a, fetch.Options{
		URL: "https://" + host, Concurrency: 1, PageSize: 100, Timeout: 5 * time.Second, Hosts: map[string]http.Handler{host: paper}, Now: func() time.Time { return at },
		Open: func(c source.Connection) (source.Source, error) {
			s, err := wordpress.New(wordpress.Config{BaseURL: "https://" + host, Columns: []string{"yazarlar"}, Connection: c})
			return olderReader{s}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if r := build(old, true); requests > 0 || r.Reread == nil || r.Reread.Records < 25 {
		t.Errorf("%d requests, read again %+v", requests, r.Reread)
	}
	build(fresh, false)
	got, want := treeOf(t, filepath.Join(old, "public")), treeOf(t, filepath.Join(fresh, "public"))
	for name, data := range want {
		if !bytes.Equal(got[name], data) && !slices.Contains([]string{"status.json"}, name) {
			t.Errorf("%s differs", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s is too much", name)
	}
	if len(want) < 50 || strings.Contains(string(want["index.html"]), "[kod]") {
		t.Error("the site is not whole")
	}
}
