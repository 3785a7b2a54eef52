package change

import (
	"slices"
	"strings"
	"time"

	"ayna/generator/prose"
)

// What is shown of a change.
const (
	Words   = 300 // of all its fields, at most
	runMost = 100 // of a run of words that changed
	nearby  = 8   // that stay the same, on each side of what changed
	longest = 200 // letters of a word
)

// shorten makes a change of the runs of its fields. It leaves out words that stay
// the same far from any that changed, and of these more than anyone reads.
func shorten(when time.Time, fields [3][]run) Change {
	c := Change{When: when}
	left := Words
	for f, runs := range fields {
		for i, r := range runs {
			if left == 0 {
				c.Cut = c.Cut || slices.ContainsFunc(runs[i:], func(r run) bool { return r.op != Same })
				c.Fields[f] = append(c.Fields[f], Run{Same, "…"})
				break
			}
			words := r.words
			if r.op == Same {
				words = near(words, i > 0, i < len(runs)-1)
			}
			most := min(left, runMost)
			if len(words) > most {
				words, c.Cut = append(words[:most:most], "…"), true
			}
			left -= min(len(words), most)
			c.Fields[f] = append(c.Fields[f], Run{r.op, join(words)})
		}
	}
	return c
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
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(prose.Shorten(word, longest))
	}
	return b.String()
}
