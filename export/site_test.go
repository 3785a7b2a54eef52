package export_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ayna/archive"
	"ayna/assets"
	"ayna/export"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/site"
	"ayna/record"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/chromium"
	"ayna/testrun/fakepaper"
)

// configured returns the configuration of a site in a folder, with few kinds of files.
func configured(t *testing.T, dir string) *config.Config {
	t.Helper()
	c, err := config.Load("../site.yaml", os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	c.Archive, c.Output = filepath.Join(dir, "archive.db"), filepath.Join(dir, "public")
	c.BaseURL, c.Searches, c.Widths = "https://ayna.example/haber/", nil, nil
	c.Feeds.Formats, c.Feeds.Of, c.Feeds.Mixes = []site.Format{site.RSS}, []site.ListKind{site.OfHome}, nil
	return c
}

func publish(t *testing.T, c *config.Config, o generator.Options) {
	t.Helper()
	o.Config, o.Jobs, o.Templates, o.Assets, o.Now = c, 2, templates.FS, assets.FS, time.Now
	if _, err := generator.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// few is the folder of the site of fewRecords, once it is published.
var few struct {
	sync.Once
	dir string
}

// fewRecords returns a copy of the published site of a few records, one of them in three
// versions.
func fewRecords(t *testing.T) *config.Config {
	t.Helper()
	few.Do(func() {
		dir, err := os.MkdirTemp("", "pack")
		if err != nil {
			t.Fatal(err)
		}
		c := configured(t, dir)
		a, err := archive.Open(t.Context(), c.Archive)
		if err != nil {
			t.Fatal(err)
		}
		fakepaper.Update(t, a, func(tx *archive.Tx) error {
			for _, r := range strange {
				if err := store(tx, &r); err != nil {
					return err
				}
			}
			return tx.State.Set("source", `{"place of the id in writers":"query"}`)
		})
		for i, title := range []string{"Bir", "İki", "Üç"} {
			text := fmt.Sprintf(`{"Id":"A/9","Title":%q,"Path":"/spor/","Text":"<p>x</p>","CreatedDate":"2026-09-01T10:00:00Z"}`, title)
			list := fmt.Sprintf(`{"Id":"A/9","Path":"/spor/","Title":%q}`, title[:2])
			fakepaper.Put(t, a, &archive.Record{Record: record.Record{Kind: record.Article, ID: "A/9", Answers: record.Answers{List: []byte(list), Single: []byte(text)}}, Progress: archive.Progress{Listed: noon.Add(time.Duration(i) * time.Hour)}})
		}
		fakepaper.Put(t, a, &archive.Record{Record: record.Record{Kind: record.Writer, ID: "7 8", Answers: record.Answers{List: []byte(`{"Id":"7 8"}`), Single: []byte(`{"Id":"7 8"}`)}}, Progress: archive.Progress{Listed: noon}})
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		publish(t, c, generator.Options{Offline: true})
		few.dir = dir
	})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(few.dir)); err != nil {
		t.Fatal(err)
	}
	return configured(t, dir)
}

func TestMain(m *testing.M) {
	testrun.Offline()
	code := m.Run()
	os.RemoveAll(few.dir)
	chromium.Stop()
	os.Exit(code)
}

// siteOf is the published site, to pack it.
func siteOf(c *config.Config) *export.Site {
	return &export.Site{Dir: c.Output, BaseURL: c.BaseURL, Title: c.Title, About: c.Description, Language: c.Language}
}

// unzip returns the files of a zip file by name, without the folder that holds them.
func unzip(t *testing.T, content []byte) map[string][]byte {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range reader.File {
		from, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(f.Name, "/")
		if files[name], err = io.ReadAll(from); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// A build that publishes while a pack is written leaves the pack one site.
func TestPublishedMeanwhile(t *testing.T) {
	t.Parallel()
	c := fewRecords(t)
	s := siteOf(c)
	s.Progress = func(done, _ int) {
		if done == 1 {
			c.Title = "Sonraki"
			publish(t, c, generator.Options{Offline: true})
		}
	}
	var content bytes.Buffer
	if err := s.Zip(t.Context(), &content); err != nil {
		t.Fatal(err)
	}
	files := unzip(t, content.Bytes())
	listed := 0
	for line := range strings.Lines(string(files[site.Manifest])) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if listed++; fmt.Sprintf("%x", sha256.Sum256(files[name])) != sum {
			t.Errorf("%s is not what the manifest lists", name)
		}
	}
	if listed == 0 || listed > len(files) {
		t.Errorf("%d files are listed of %d", listed, len(files))
	}
}
