package server_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	model "ayna/generator/site"
	"ayna/server"
)

func building(t testing.TB, language string, count func(context.Context) (int, int, error)) *server.Building {
	t.Helper()
	words, err := model.WordsFor(language)
	if err != nil {
		t.Fatal(err)
	}
	return &server.Building{Title: "Kıyı <b>Postası", Language: language, Words: &words, Count: count}
}

// Before the first build each address answers with a page that reloads itself, in the language
// of the site, and afterwards with the site.
func TestBuilding(t *testing.T) {
	for _, test := range []struct {
		language       string
		arrived, known int
		err            error
		has            []string
	}{
		{"en", 1234, 56789, nil, []string{`<html lang="en" dir="ltr">`, "<title>This site is being built – Kıyı &lt;b&gt;Postası</title>", `<p>Received so far: 1,234 of 56,789</p>`}},
		{"tr", 0, 40, nil, []string{`<html lang="tr" dir="ltr">`, "<h1 style=\"line-height: 1.2\">Bu site hazırlanıyor</h1>", "Şimdiye kadar alınan: 0 / 40"}},
		{"fa", 12, 40, nil, []string{`<html lang="fa" dir="rtl">`, "۱۲ از ۴۰"}},
		{"sv", 1, 2, nil, []string{`<html lang="en" dir="ltr">`}}, // has no file of words
		{"de", 0, 0, nil, []string{"Website da ist.</p>\n</main>"}},
		{"de", 1, 2, errors.New("no archive"), []string{"Website da ist.</p>\n</main>"}},
	} {
		dir := filepath.Join(t.TempDir(), "public")
		p, err := server.OpenPreview(dir, "https://ayna.example/", model.Sources{}, building(t, test.language, func(context.Context) (int, int, error) { return test.arrived, test.known, test.err }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		for _, target := range []string{"/", "/spor/", "/feed.xml"} {
			w := get(p, "GET", target)
			for name, want := range map[string]string{
				"Retry-After": "10", "Cache-Control": "no-store", "ETag": "", "X-Content-Type-Options": "nosniff", "Content-Type": "text/html; charset=utf-8",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %s is %q, want %q", target, name, got, want)
				}
			}
			if policy := w.Header().Get("Content-Security-Policy"); w.Code != 503 || !strings.HasPrefix(policy, "default-src 'none'") {
				t.Errorf("%s: %d, %s", target, w.Code, policy)
			}
			for _, has := range append(test.has, `<meta http-equiv="refresh" content="10">`) {
				if !strings.Contains(w.Body.String(), has) {
					t.Errorf("%s: no %s in\n%s", target, has, w.Body)
				}
			}
		}
		if w := get(p, "POST", "/"); w.Code != 405 {
			t.Errorf("POST: %d", w.Code)
		}
		if p.Err() == nil {
			t.Error("the site is not missing")
		}
		put(t, filepath.Join(dir, "CNAME"), "ayna.example", old) // the owner's
		if w := get(p, "HEAD", "/"); w.Code != 503 {
			t.Errorf("with a file of the owner: %d", w.Code)
		}
		put(t, filepath.Join(dir, "index.html"), "ana sayfa", old)
		if w := get(p, "GET", "/"); w.Code != 200 || w.Body.String() != "ana sayfa" || w.Header().Get("Retry-After") != "" {
			t.Errorf("published: %d %s", w.Code, w.Body)
		}
	}
}
