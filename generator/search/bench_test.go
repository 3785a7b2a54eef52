package search_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"ayna/generator/search"
)

// BenchmarkIndex makes the index of newspapers with a large vocabulary, and
// tells its size and what queries load of it.
func BenchmarkIndex(b *testing.B) {
	for _, n := range []int{10_000, 58_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			words := vocabulary(r)
			items := many(n)
			for i := range items {
				items[i].folder = fmt.Sprintf("/b%d/a%d/", r.IntN(8), r.IntN(5))
				items[i].title, items[i].spot = words.text(r, 6+r.IntN(6)), words.text(r, 15+r.IntN(25))
			}
			reader := world{items: items}.reader(b)
			var made tree
			for b.Loop() {
				made = render(b, search.New(reader, ""))
			}
			total := 0
			for _, text := range made.files {
				total += len(text)
			}
			b.ReportMetric(float64(total)/1024, "KB")
			b.ReportMetric(float64(len(made.files)), "files")
			sizes := made.load(b, func() string { return words.text(r, 1+r.IntN(4)) })
			b.ReportMetric(float64(sizes[len(sizes)/2])/1024, "KB/query")
			b.ReportMetric(float64(sizes[len(sizes)-1])/1024, "KB/worst")
		})
	}
}

// load asks 400 queries and returns how many bytes they read, in rising order.
func (made tree) load(b *testing.B, query func() string) []int {
	files := make(fstest.MapFS)
	for path, text := range made.files {
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	var sizes []int
	for range 400 {
		counted := &counted{FS: files, sizes: make(map[string]int)}
		x, err := search.Open(counted, "arama")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := x.Search(search.Query{Text: query()}, 10); err != nil {
			b.Fatal(err)
		}
		size := 0
		for _, n := range counted.sizes {
			size += n
		}
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	return sizes
}

// counted is a tree that notes what is read of it.
type counted struct {
	fs.FS
	sizes map[string]int
}

func (c *counted) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(c.FS, name)
	c.sizes[name] = len(data)
	return data, err
}

// zipf are words, and the sums of their frequencies by Zipf's law.
type zipf struct {
	words []string
	sums  []float64
}

func vocabulary(r *rand.Rand) zipf {
	var z zipf
	known := make(map[string]bool)
	pick := func(letters string) string {
		all := []rune(letters)
		return strings.Trim(string(all[r.IntN(len(all))]), " ")
	}
	sum := 0.0
	for len(z.words) < 60_000 {
		word := ""
		for range 1 + r.IntN(2) + r.IntN(3) {
			word += pick("bcçdfghklmnprsştvyz  ") + pick("aeıioöuüaei") + pick("    nrlkmtsş")
		}
		if known[word] {
			continue
		}
		known[word] = true
		sum += 1 / float64(len(z.words)+2)
		z.words, z.sums = append(z.words, word), append(z.sums, sum)
	}
	return z
}

func (z zipf) text(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = z.words[sort.SearchFloat64s(z.sums, r.Float64()*z.sums[len(z.sums)-1])]
	}
	return strings.Join(words, " ")
}
