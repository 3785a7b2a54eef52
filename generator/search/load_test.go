package search_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayna/testrun"
	"ayna/testrun/chromium"
)

// sixWords is how many bytes a page of results for six words loads at most; more do not count.
const sixWords = pageSize + 100<<10

// TestBrowserLoad: whatever words there are, a page of results for three words loads 300 KB at
// most, the catalog and the dictionary included, and one for any number of words 400 KB.
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
			p := print(t, testrun.Counts{Slow: c.items, Long: 10 * c.items}.Now(), c.words)
			all := strings.Fields(strings.Join(p.texts[len(p.texts)-40:], " "))
			c.asked = append(c.asked, strings.Join(all[:6], " "), strings.Join(all[:min(len(all), 5_000)], " "))
			var queries []query
			for i, q := range c.asked {
				narrow := []query{{Q: q, Folder: "nadir", Sort: "date"}, {Q: q, From: "2010-03-01", To: "2012-03-01", Kind: "gallery"}}
				if !testrun.Long() {
					narrow = narrow[i%2:][:1]
				}
				queries = append(append(queries, query{Q: q}), narrow...)
			}
			made, answers := p.asked(t, browser, queries, 0)
			var loads []int
			hits := 0
			for i, a := range answers {
				most := pageSize
				if strings.Count(queries[i].Q, " ") > 2 {
					most = sixWords
				}
				if loads = append(loads, a.Loaded); a.Loaded > most || a.Loaded == 0 {
					t.Errorf("%.80s… (%+v) loads %d bytes", queries[i].Q, queries[i].Folder, a.Loaded)
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
