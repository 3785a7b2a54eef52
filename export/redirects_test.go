package export_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ayna/export"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// oddAddresses are what a source may have, and addresses that stand in no file.
func oddAddresses() (moves []export.Move) {
	const source, mirror = "https://kiyi.example", "https://ayna.example/haber/"
	for i, name := range []string{
		"/spor/galibiyet/", "/spor/galibiyet.html", "/a b/c", "/a%20d/", `/"quoted"/`, "/it's/", "/semi;colon/", "/brace{d}/", "/$dollar${HOME}$uri/", "/pipe|~tilde/",
		"/^regex.*[a-z]+$/", "/(group)?/", "/back\\slash/", "/`tick`/", "/`tick\"quote`/", "/gündem/çok-okunan/", "/g%C3%BCndem/ba%C5%9Fka/", "/%FD-latin/",
		"/line\nbreak/", "/line%0Abreak/", "/?p=123", "/index.php?id=5&cat=%C3%BC", "/?page_id=12&a=$b;\"c\"{d}", "/Case/", "/case/", "/CASE/?p=1",
		"/default", "/hash#part", "/percent%25/", "/plus+plus/", "/at@sign/", "/:colon/x", "/star*/", "/encoded%2Fslash/", "/..//dots/./x/", "/%3Fmark/",
		"", "/", "http://www.kiyi.example/www/", "https://other.example/x/", "mailto:a@b", "/%zz/", "/" + strings.Repeat("long", 500), "/haber/same.html", "/<tag>&amp/",
		"/comment #x/", "/emoji-😀/", "/include", "/volatile", "/hostnames", "/{args[0]}/", "/{$HOME}/", "/tab%09tab/",
	} {
		from := source + name
		if strings.Contains(name, ":") && !strings.HasPrefix(name, "/") {
			from = name
		}
		moves = append(moves, export.Move{From: from, To: fmt.Sprintf("%sodd/a-%d.html", mirror, i)})
	}
	return append(moves, export.Move{From: "https://ayna.example/haber/y.html", To: "https://ayna.example/haber/y.html"},
		export.Move{From: source + "/spor/galibiyet/", To: mirror + "second.html"}, export.Move{From: source + "/odd-target/", To: mirror + "ü $a;{b}\"c\".html"})
}

func redirects(t *testing.T, server export.Server, moves []export.Move) (string, export.RedirectCount) {
	t.Helper()
	var b strings.Builder
	count, err := export.Redirects(&b, server, "kiyi.example", moves)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), count
}

// What each server is given of odd addresses, and what is left out.
func TestRedirects(t *testing.T) {
	for _, server := range export.Servers {
		got, count := redirects(t, server, oddAddresses())
		got += fmt.Sprintf("# %d written; left out: %v\n", count.Written, count.LeftOut)
		name := filepath.Join("testdata", "redirects."+string(server))
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(name); err != nil || got != string(want) {
			t.Errorf("%s: %v; go test ./export -run TestRedirects -update\n%s", name, err, got)
		}
		other := len(oddAddresses()) - count.Written
		for n := range maps.Values(count.LeftOut) {
			other -= n
		}
		if other != 0 {
			t.Errorf("%s: %d addresses are neither written nor counted", server, other)
		}
	}
}

// TestServedRedirects asks a server that .ci/redirects has started at AYNA_REDIRECTS for each
// address.
func TestServedRedirects(t *testing.T) {
	base := os.Getenv("AYNA_REDIRECTS")
	if base == "" {
		t.Skip("AYNA_REDIRECTS names no server; .ci/redirects starts two")
	}
	server := export.Server(os.Getenv("AYNA_REDIRECTS_OF"))
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answered := 0
	for _, move := range manyMoves() {
		if _, count := redirects(t, server, []export.Move{move}); count.Written == 0 {
			continue
		}
		from, err := url.Parse(move.From)
		if err != nil {
			t.Fatal(err)
		}
		request := base + from.JoinPath().EscapedPath() // without dots, as browsers send it
		if from.RawQuery != "" {
			request += "?" + strings.ReplaceAll(from.RawQuery, `"`, "%22")
		}
		response, err := client.Get(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if to := response.Header.Get("Location"); response.StatusCode != http.StatusMovedPermanently || to != move.To {
			t.Errorf("%s %s: %s, %q instead of %q", server, request, response.Status, to, move.To)
		}
		answered++
	}
	if answered < 1000 {
		t.Errorf("only %d addresses", answered)
	}
	t.Logf("%s: %d addresses", server, answered)
}

// manyMoves are odd addresses, each once, and a thousand plain ones.
func manyMoves() []export.Move {
	moves := oddAddresses()
	moves = slices.DeleteFunc(moves[:len(moves)-3], func(m export.Move) bool { return strings.HasSuffix(m.From, "/case/") })
	for i := range 1000 {
		moves = append(moves, export.Move{From: fmt.Sprintf("https://kiyi.example/spor/%d/maç-%d/", i%7, i), To: fmt.Sprintf("https://ayna.example/haber/spor/mac-%d.html", i)})
	}
	return moves
}

// TestManyRedirects writes the files that .ci/redirects gives to servers.
func TestManyRedirects(t *testing.T) {
	dir := os.Getenv("AYNA_REDIRECTS_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, server := range export.Servers {
		text, count := redirects(t, server, manyMoves())
		if count.Written < 1000 {
			t.Errorf("%s: %d written", server, count.Written)
		}
		if err := os.WriteFile(filepath.Join(dir, "redirects."+string(server)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
