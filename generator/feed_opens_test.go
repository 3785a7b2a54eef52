package generator_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayna/archive"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// A mirror of a feed keeps its addresses when the REST API opens: of pages, folders, writers and
// feeds. The folders and writers of the API take the place of those that the feed named.
func TestFeedOpens(t *testing.T) {
	testrun.NotShort(t)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(fakepaper.Newest.AddDate(0, 0, 2)))
		paper := fakepaper.NewWordPress(fakepaper.Options{Items: 40, Base: "https://kiyi.example", RESTClosed: true, Feed: true})
		dir := t.TempDir()
		name := filepath.Join(dir, "site.yaml")
		if err := os.WriteFile(name, []byte("base_url: https://ayna.example/\nmedia: link\nmarkdown: false\nsource: {url: https://kiyi.example, kind: wordpress, feed: true, per_second: 0, per_hour: 0, columns: [yazarlar]}\n"+
			"archive: "+filepath.Join(dir, "archive.db")+"\noutput: "+filepath.Join(dir, "public")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(name, os.LookupEnv)
		if err != nil {
			t.Fatal(err)
		}
		p := press{dir, c, map[string]http.Handler{"kiyi.example": paper}}
		p.mustBuild(t, func(o *generator.Options) { o.Now = time.Now })
		closed := treeOf(t, c.Output)
		checkNames(t, c.Archive, true)
		paper.Set(func(o *fakepaper.Options) { o.RESTClosed = false })
		for range 3 { // the absence of a folder is believed when it shows again
			time.Sleep(25 * time.Hour)
			p.mustBuild(t, func(o *generator.Options) { o.Now = time.Now })
		}
		open := treeOf(t, c.Output)
		for name := range closed {
			isMonth := strings.HasPrefix(name, "spor-yelken/arsiv/") // of a folder that the API has in another one
			if open[name] == nil && !isMonth {
				t.Errorf("%s is gone", name)
			}
		}
		checkNames(t, c.Archive, false)
	})
}

// checkNames checks that each folder has one record, named by the feed or by the REST API, and that
// columns have writers.
func checkNames(t *testing.T, name string, byFeed bool) {
	t.Helper()
	a, err := archive.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	folders, columns := make(map[string]string), 0
	for r, err := range a.Records.All(t.Context()) {
		switch {
		case err != nil:
			t.Fatal(err)
		case !r.GoneAt.IsZero():
		case r.Kind == record.Column:
			if columns++; len(r.Writers) != 1 || r.Writers[0].Name == "" {
				t.Errorf("column %s has the writers %+v", r.ID, r.Writers)
			}
		case r.Kind == record.Folder:
			if other := folders[r.Path]; other != "" || strings.HasPrefix(r.ID, "term-feed-") != byFeed {
				t.Errorf("the folder %s has the records %s and %s", r.Path, other, r.ID)
			}
			folders[r.Path] = r.ID
		}
	}
	if len(folders) < 5 || columns < 5 {
		t.Errorf("%d folders, %d columns", len(folders), columns)
	}
}
