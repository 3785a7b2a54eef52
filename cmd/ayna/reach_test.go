package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"ayna/cli"
	"ayna/testrun/fakepaper"
)

// A site of Ghost leads nobody to another service, be it by a redirect of its home page or by the
// address of its API.
func TestGhostReachesItsSiteAlone(t *testing.T) {
	var visits atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	t.Cleanup(other.Close)
	script := func(api string) string {
		return fmt.Sprintf(`<meta name="generator" content="Ghost 6.65"><script data-key="%s" data-api="%s"></script>`, fakepaper.GhostKey, api)
	}
	for name, home := range map[string]http.HandlerFunc{
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/admin/x", http.StatusFound)
		},
		"another port": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, script(other.URL+"/admin/ghost/api/content/"))
		},
		"https": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, script(strings.Replace(other.URL, "http:", "https:", 1)+"/ghost/api/content/"))
		},
		"a name of this machine": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, script("https://a.localhost/ghost/api/content/"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			site := httptest.NewServer(home)
			defer site.Close()
			yaml := "title: Deneme\nbase_url: https://ayna.example/\nsource: {kind: ghost, url: \"" + site.URL + "\", per_second: 0, per_hour: 0}\n"
			if err := os.WriteFile("site.yaml", []byte(yaml), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"doctor", "build"} {
				var out, printed bytes.Buffer
				if code := cli.Ayna([]string{command}, &out, &printed); code != exitDown {
					t.Errorf("%s: exit code %d\n%s%s", command, code, &out, &printed)
				}
			}
			if n := visits.Swap(0); n > 0 {
				t.Errorf("the other service got %d requests", n)
			}
		})
	}
}
