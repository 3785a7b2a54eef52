// Package browser looks at the published sample site as its readers do: in
// Chromium, with a screen reader's eyes (axe-core), as a checker of HTML (vnu),
// by the words of schema.org, and by following every link. What is not installed
// is skipped, and said so: Chromium is looked for in PATH; AYNA_AXE names
// axe-core's axe.min.js, AYNA_VNU vnu.jar and AYNA_SCHEMA the vocabulary's
// schema.nq, which .ci/run fetches.
package browser

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server"
	"ayna/server/sample"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/chromium"
)

// prefix is the folder of the server in which the site is.
const prefix = "/haber/"

// published is the sample site in a folder and on a server.
type published struct{ dir, url string }

var (
	once      sync.Once
	site      published
	buildErr  error
	directory string
)

func TestMain(m *testing.M) {
	testrun.Offline()
	code := m.Run()
	chromium.Stop()
	os.RemoveAll(directory)
	os.Exit(code)
}

// build publishes the sample once for all tests.
func build(t *testing.T) published {
	t.Helper()
	testrun.NotShort(t)
	once.Do(func() { site, buildErr = publish() })
	if buildErr != nil {
		t.Fatal(buildErr)
	}
	return site
}

func publish() (published, error) {
	var err error
	if directory, err = os.MkdirTemp("", "ayna-browser-"); err != nil {
		return published{}, err
	}
	p := published{dir: filepath.Join(directory, "public")}
	files := http.StripPrefix(prefix, http.FileServer(http.Dir(p.dir)))
	p.url = httptest.NewServer(files).URL + prefix // until the process ends

	c, err := config.Load("../../../site.yaml", os.LookupEnv)
	if err != nil {
		return p, err
	}
	c.Archive, c.Output, c.BaseURL = filepath.Join(directory, "archive.db"), p.dir, p.url
	c.Widths = []int{320}
	if testrun.Slow() {
		c.Widths = []int{120, 240, 400, 600} // so that it shows which one is chosen
	}
	service, err := server.Sample(context.Background(), sample.Origin)
	if err != nil {
		return p, err
	}
	origin, err := url.Parse(sample.Origin)
	if err != nil {
		return p, err
	}
	_, err = generator.Build(context.Background(), generator.Options{
		Config: c, Version: "test", SampleURL: sample.Origin, LoadEarlier: sample.LoadEarlier, Hosts: map[string]http.Handler{origin.Host: turned(service)},
		Templates: templates.FS, Assets: assets.FS,
	})
	return p, err
}

// turned has some of the service's pictures shown on their side, as those of
// cameras are (Exif orientation 6).
func turned(service http.Handler) http.Handler {
	const exif = "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, r)
		content := answer.Body.Bytes()
		maps.Copy(w.Header(), answer.Header())
		if len(r.URL.Path)%4 == 0 && bytes.HasPrefix(content, []byte("\xff\xd8")) {
			content = bytes.Join([][]byte{content[:2], []byte(exif), content[2:]}, nil)
			w.Header().Del("Content-Length")
		}
		w.WriteHeader(answer.Code)
		w.Write(content)
	})
}

// templated names one page of each template.
var templated = []string{
	"index.html",
	"spor/index.html",
	"spor/basketbol/ust-ligde-ilk-galibiyet-*.html",
	"yazarlar/sevgi-ozbay/*.html",
	"foto-galeri/*-[0-9]*.html",
	"video/*-[0-9]*.html",
	"yazar/index.html",
	"arama/index.html",
	"duzeltmeler/index.html",
	"abone/index.html",
	"hakkinda.html",
	"404.html",
}

// pages names one page of each template and of each sort of list.
var pages = slices.Concat(templated, []string{
	"sayfa/index.html",
	"sayfa/*/index.html",
	"yazar/*/index.html",
	"etiket/index.html",
	"etiket/*/index.html",
	"tur/index.html",
	"tur/foto-galeri/index.html",
	"arsiv/index.html",
	"arsiv/2026-10.html",
	"arama/zeytin/index.html",
	"page/*.html",
})

// find returns the addresses of pages in the tree: of each pattern the first
// file that matches.
func (p published) find(t *testing.T, patterns ...string) []string {
	t.Helper()
	var found []string
	for _, pattern := range patterns {
		matches, err := filepath.Glob(filepath.Join(p.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(pattern, "/index.html") {
			matches = slices.DeleteFunc(matches, func(m string) bool { return filepath.Base(m) == "index.html" && pattern != "index.html" })
		}
		if len(matches) == 0 {
			t.Errorf("no page %s", pattern)
			continue
		}
		name, err := filepath.Rel(p.dir, matches[0])
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, filepath.ToSlash(name))
	}
	return found
}
