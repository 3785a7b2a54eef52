package change

import (
	"slices"
	"strings"
	"time"

	"ayna/generator/prose"
)

// maxCells bounds the table of a comparison. Beyond it, all words between the common
// beginning and the common end count as replaced.
const maxCells = 1 << 20

// run is a run of words.
type run struct {
	op    Op
	words []string
}

// diff collects the runs of a comparison. Between runs of equal words, removed words
// come before new ones.
type diff struct {
	runs      []run
	gone, new []string // since the last equal word
}

// compare returns the words of both texts as runs.
func compare(before, after string) []run {
	old, new := strings.Fields(before), strings.Fields(after)
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	var d diff
	d.add(Same, old[:head])
	d.subsequence(old[head:len(old)-tail], new[head:len(new)-tail])
	d.flush()
	d.add(Same, old[len(old)-tail:])
	return d.runs
}

// subsequence compares by the longest common subsequence.
func (d *diff) subsequence(old, new []string) {
	if (len(old)+1)*(len(new)+1) > maxCells {
		d.gone, d.new = old, new
		return
	}
	width := len(new) + 1
	common := make([]int32, (len(old)+1)*width) // length for what begins at i and j
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			if old[i] == new[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(old) && j < len(new) {
		switch {
		case old[i] == new[j]:
			d.flush()
			d.add(Same, old[i:i+1])
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			d.gone = append(d.gone, old[i])
			i++
		default:
			d.new = append(d.new, new[j])
			j++
		}
	}
	d.gone = append(d.gone, old[i:]...)
	d.new = append(d.new, new[j:]...)
}

// flush ends a stretch of changed words.
func (d *diff) flush() {
	d.add(Gone, d.gone)
	d.add(New, d.new)
	d.gone, d.new = nil, nil
}

// add appends words to the last run, or begins another.
func (d *diff) add(op Op, words []string) {
	switch last := len(d.runs) - 1; {
	case len(words) == 0:
	case last >= 0 && d.runs[last].op == op:
		d.runs[last].words = append(d.runs[last].words, words...)
	default:
		d.runs = append(d.runs, run{op, slices.Clip(words)})
	}
}

// What is shown of a change.
const (
	Words   = 300 // of all its fields, at most
	runMost = 100 // of a run of words that changed
	nearby  = 8   // of equal words, on each side of changed ones
	longest = 200 // letters of a word
)

// shorten makes a change of the runs of its fields. It leaves out equal words that
// are not near a changed one, and all beyond the limits above.
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

// near returns the equal words that are near to a change before or after them.
func near(words []string, before, after bool) []string {
	head, tail := 0, 0
	if before {
		head = nearby
	}
	if after {
		tail = nearby
	}
	if len(words) <= head+tail {
		return words
	}
	return slices.Concat(words[:head], []string{"…"}, words[len(words)-tail:])
}

func join(words []string) string {
	short := make([]string, len(words))
	for i, word := range words {
		short[i] = prose.Shorten(word, longest)
	}
	return strings.Join(short, " ")
}
