package pack_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"

	"ayna/generator"
	"ayna/generator/config"
	"ayna/generator/pack"
	"ayna/generator/site"
)

// siteOf is the published site, to pack it.
func siteOf(c *config.Config) *pack.Site {
	return &pack.Site{Dir: c.Output, BaseURL: c.BaseURL, Title: c.Title, About: c.Description, Language: c.Language}
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
	c := fewRecords(t, "https://ayna.example/")
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
