package change

import (
	"slices"
	"strings"

	"ayna/generator/prose"
)

// What is shown of a change.
const (
	Words   = 300 // of all its fields, at most
	runMost = 100 // of a run of words that changed
	nearby  = 8   // that stay the same, on each side of what changed
	longest = 200 // letters of a word
)

// shorten leaves out words that stay the same far from any that changed, and of
// these more than anyone reads.
func (c *Change) shorten() {
	left := Words
	for f, runs := range c.Fields {
		for i := range runs {
			if left == 0 {
				c.Cut = c.Cut || slices.ContainsFunc(runs[i:], func(r Run) bool { return r.Op != Same })
				c.Fields[f] = append(runs[:i], Run{Same, "…"})
				break
			}
			words := strings.Fields(runs[i].Text)
			if runs[i].Op == Same {
				words = near(words, i > 0, i < len(runs)-1)
			}
			most := min(left, runMost)
			if len(words) > most {
				words, c.Cut = append(words[:most:most], "…"), true
			}
			left -= min(len(words), most)
			runs[i].Text = join(words)
		}
	}
}

// near returns those of some words that are near to what comes before or after
// them.
func near(words []string, before, after bool) []string {
	switch {
	case before && after && len(words) > 2*nearby:
		return append(append(words[:nearby:nearby], "…"), words[len(words)-nearby:]...)
	case !before && len(words) > nearby:
		return append([]string{"…"}, words[len(words)-nearby:]...)
	case !after && len(words) > nearby:
		return append(words[:nearby:nearby], "…")
	}
	return words
}

// join puts blanks between words, and cuts those that are none.
func join(words []string) string {
	for i, word := range words {
		words[i] = prose.Shorten(word, longest)
	}
	return strings.Join(words, " ")
}
