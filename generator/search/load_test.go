package search_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayna/testrun"
	"ayna/testrun/chromium"
)

// TestBrowserLoad: whatever words there are, a page of results for three words loads 300 KB at
// most, the catalog and the dictionary included.
func TestBrowserLoad(t *testing.T) {
	browser := chromium.Browser(t)
	same := oneBeginning()
	words := vocabulary()
	for name, c := range map[string]struct {
		items int
		words func(*rand.Rand, int) (string, string, string)
		asked []string
	}{
		"one word in every title":    {2_000, words.news, []string{"ortak", "ortak " + words.words[0] + " " + words.words[1], words.words[40_000], "qqqqqq"}},
		"all of one beginning":       {2_000, same.news, []string{"kar", "kara", "karaa karba karca", "kar kar kar"}},
		"everywhere, never together": {5_000, apart, []string{strings.Join(stems[:3], " "), "abc", "abca", "99999"}},
		"every word is new":          {60, flood, []string{"a7", "sayı", "a70"}},
	} {
		t.Run(name, func(t *testing.T) {
			var queries []query
			for _, q := range c.asked {
				queries = append(queries, query{Q: q}, query{Q: q, Folder: "nadir", Sort: "date"}, query{Q: q, From: "2010-03-01", To: "2012-03-01", Kind: "gallery"})
			}
			p := print(t, testrun.Counts{Slow: c.items, Long: 10 * c.items}.Now(), c.words)
			made, answers := p.asked(t, browser, queries, 0)
			var loads []int
			hits := 0
			for i, a := range answers {
				if loads = append(loads, a.Loaded); a.Loaded > pageSize || a.Loaded == 0 {
					t.Errorf("%+v loads %d bytes", queries[i], a.Loaded)
				}
				hits += a.Shown
			}
			slices.Sort(loads)
			t.Logf("%d files; the median page loads %d bytes, the worst %d; %d hits", len(made.files), loads[len(loads)/2], loads[len(loads)-1], hits)
			if hits == 0 {
				t.Error("nothing was found at all")
			}
		})
	}
}
