package server_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ayna/archive"
	"ayna/server"
)

// newspaper opens the newspaper that bench/corpus makes of so many items. It is
// made once and kept in the folder for temporary files.
func newspaper(b *testing.B, items int) *archive.Archive {
	if items > 20_000 && os.Getenv("AYNA_LONG") == "" {
		b.Skip("takes minutes the first time; set AYNA_LONG=1")
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("ayna-newspaper-%d", items), "archive.db")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		unfinished := filepath.Join(b.TempDir(), "archive.db")
		if out, err := exec.Command("go", "run", "ayna/bench/corpus", "-items", fmt.Sprint(items), "-archive", unfinished).CombinedOutput(); err != nil {
			b.Fatalf("corpus: %v\n%s", err, out)
		}
		if err := os.Rename(filepath.Dir(unfinished), filepath.Dir(path)); err != nil {
			b.Fatal(err)
		}
	}
	a, err := archive.OpenReader(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { a.Close() })
	return a
}

// discarded is an answer that nobody reads.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) Write(b []byte) (int, error) { return len(b), nil }
func (d *discarded) WriteHeader(status int)      { d.status = status }

func BenchmarkAPI(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, items := range []int{20_000, 100_000} {
		requests := []struct {
			name   string
			target func() string
		}{
			{"single", func() string { return fmt.Sprintf("/v1/articles?Id=%d", 49_000_000-random.IntN(items)) }},
			{"list", func() string { return "/v1/articles" }},
			{"skip", func() string { return fmt.Sprintf("/v1/articles?$skip=%d", random.IntN(items*4/5)) }},
			{"select", func() string { return "/v1/articles?$top=10&$select=Id,Title,Path" }},
			{"filter", func() string {
				return fmt.Sprintf("/v1/articles?$top=10&$filter=ModifiedDate%%20ge%%20Datetime'%d-%02d-01T00:00:00Z'", 2017+random.IntN(9), 1+random.IntN(12))
			}},
			{"count", func() string { return "/v1/articles?$count=true" }},
			{"search again", func() string { return "/v1/search/limanda" }},
		}
		for _, request := range requests {
			b.Run(fmt.Sprintf("%d/%s", items, request.name), func(b *testing.B) {
				measure(b, items, request.target)
			})
		}
		// No word is found among what is kept of an earlier search.
		b.Run(fmt.Sprintf("%d/search", items), func(b *testing.B) {
			n := 0
			measure(b, items, func() string {
				n++
				return fmt.Sprintf("/v1/search/%s%%20%s?$skip=%d", []string{"yeni", "eski", "genç"}[n%3], []string{"limanda", "okulun", "yolu"}[n/3%3], n/9)
			})
		})
	}
}

// measure answers requests; those of single records that are of another kind
// are not found, which costs less.
func measure(b *testing.B, items int, target func() string) {
	h := server.New(newspaper(b, items), server.Options{})
	answer := func() {
		w := &discarded{make(http.Header), 200}
		h.ServeHTTP(w, httptest.NewRequest("GET", target(), nil))
		if w.status != 200 && w.status != 404 {
			b.Fatal(w.status)
		}
	}
	answer()
	b.ReportAllocs()
	for b.Loop() {
		answer()
	}
}
