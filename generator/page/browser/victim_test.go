package browser

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/assets"
	"ayna/generator"
	"ayna/generator/config"
	"ayna/server"
	"ayna/templates"
	"ayna/testrun"
	"ayna/testrun/attack"
)

// victim is a site whose every record consists of attacks, and what shows it.
type victim struct {
	dir   string // holds public/
	url   string
	items int

	pages, feedFiles []string // of the site, by their path in the tree
}

// Below url, the site and the Read API lie at the root, as ayna serve has them; other
// paths have other ways to show the same.
const (
	guarded   = "haber/"  // the site as it is, from a server that adds nothing
	unguarded = "ciplak/" // without a Content-Security-Policy
	mistyped  = "yanlis/" // the Read API, and feeds, as if they were pages
	careless  = "ham/"    // attacks written by a page that escapes nothing: ham/CONTEXT/NUMBER
)

// besiege publishes the attacks.
func besiege(t *testing.T, all []attack.Armed) *victim {
	t.Helper()
	v := &victim{dir: t.TempDir()}
	mux := http.NewServeMux()
	listening := httptest.NewServer(mux)
	t.Cleanup(listening.Close)
	v.url = listening.URL + "/"

	settings := filepath.Join(v.dir, "site.yaml")
	text := "title: Deneme\nbase_url: " + v.url + "haber/\narchive: " + filepath.Join(v.dir, "archive.db") + "\noutput: " + filepath.Join(v.dir, "public") +
		"\nfeeds: {of: [home, folders, own, corrections]}\n"
	if err := os.WriteFile(settings, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(settings, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}
	c.Comments = config.MirrorComments
	v.items = arm(t, c.Archive, all)
	report, err := generator.Build(t.Context(), generator.Options{
		Config: c, Offline: true, Jobs: 2, Version: "test", Templates: templates.FS, Assets: assets.FS,
	})
	if err != nil || report.Site.Items != v.items {
		t.Fatalf("%+v of %d records: %v", report.Site, v.items, err)
	}
	v.list(t)
	v.serve(t, mux, c)
	return v
}

// list finds the pages of the tree, and what else a browser may show as one. The
// page for what is not there names the files of a server.
func (v *victim) list(t *testing.T) {
	t.Helper()
	tree := os.DirFS(filepath.Join(v.dir, "public"))
	err := fs.WalkDir(tree, ".", func(name string, _ fs.DirEntry, err error) error {
		switch path.Ext(name) {
		case ".html":
			if name != "404.html" {
				v.pages = append(v.pages, name)
			}
		case ".xml", ".json":
			v.feedFiles = append(v.feedFiles, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

// favicon is what a browser asks for by itself where a page names no icon.
func (v *victim) favicon() string { return v.url + "favicon.ico" }

func (v *victim) serve(t *testing.T, mux *http.ServeMux, c *config.Config) {
	t.Helper()
	preview, err := server.OpenPreview(c.Output, c.BaseURL, c.CSP, http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { preview.Close() })
	mirror, err := server.OpenMirror(t.Context(), c.Archive, server.Options{Location: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mirror.Close() })
	files := http.FileServer(http.Dir(c.Output))
	real := server.Split(mirror, http.NotFoundHandler(), preview)

	mux.Handle("/", real)
	mux.Handle("/"+guarded, http.StripPrefix("/"+guarded[:len(guarded)-1], files))
	mux.Handle("/"+unguarded, http.StripPrefix("/"+unguarded[:len(unguarded)-1], replaced(files, func(h http.Header, body []byte) []byte {
		if strings.HasPrefix(h.Get("Content-Type"), "text/html") && !policyTag.Match(body) {
			t.Error("a page has no Content-Security-Policy")
		}
		return policyTag.ReplaceAll(body, nil)
	})))
	mux.Handle("/"+mistyped, http.StripPrefix("/"+mistyped[:len(mistyped)-1], replaced(real, func(h http.Header, body []byte) []byte {
		clear(h)
		h.Set("Content-Type", "text/html; charset=utf-8")
		return body
	})))
	mux.HandleFunc("/"+careless+"{context}/{number}", writeCarelessly)
	mux.HandleFunc("/cerceve", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, framesPage)
	})
}

// replaced answers as h does, but for what change makes of it.
func replaced(h http.Handler, change func(http.Header, []byte) []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("If-None-Match")
		r.Header.Del("If-Modified-Since")
		r.Header.Del("Range")
		r.Header.Del("Accept-Encoding")
		recorded := httptest.NewRecorder()
		h.ServeHTTP(recorded, r)
		for name, values := range recorded.Header() {
			w.Header()[name] = values
		}
		body := change(w.Header(), recorded.Body.Bytes())
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(recorded.Code)
		w.Write(body)
	})
}

// carelessly are the places of a record in a page, as one would write them who
// trusts the service. % is a text of the record, @ an address.
var carelessly = map[string]string{
	"title":    "<title>%</title>",
	"headline": "<h1>%</h1>",
	"spot":     `<meta name=description content="%"><p>%</p>`,
	"text":     "<div>%</div>",
	"tag":      `<li><a rel=tag title='%' href=x>%</a>`,
	"writer":   "<a rel=author href=x title=%>x</a>",
	"caption":  `<img src="data:," alt="%"><figcaption>%</figcaption>`,
	"link":     `<a href="@">x</a>`,
	"picture":  `<img src="@">`,
	"player":   `<iframe src="@"></iframe>`,
	"gallery":  "<a href='@'><img alt='%'></a>",
	"data":     `<script>var record = {"headline": "%"}</script>`,
}

var (
	everyAttack = attack.Armory() // by number
	numbered    = chosen(everyAttack)
)

// chosen returns one of each five attacks, or all in a long run. Which one is drawn
// from a fixed seed: a fixed distance would leave out parts of what is used in turn.
func chosen(all []attack.Armed) []attack.Armed {
	if testrun.Long() {
		return all
	}
	r := rand.New(rand.NewPCG(4, 1))
	var some []attack.Armed
	for five := range slices.Chunk(all, 5) {
		some = append(some, five[r.IntN(len(five))])
	}
	return some
}

func writeCarelessly(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("number"))
	template, ok := carelessly[r.PathValue("context")]
	if err != nil || !ok || n >= len(everyAttack) {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	strings.NewReplacer("%", everyAttack[n].Text, "@", everyAttack[n].Address).WriteString(w, "<!DOCTYPE html><body>"+template)
}
