package corrections

import (
	"slices"
	"strings"
	"time"

	"ayna/generator/site"
	"ayna/prose"
)

// maxCells bounds the table of a comparison. Beyond it, all words between the common
// beginning and the common end count as replaced.
const maxCells = 1 << 20

// run is a run of words.
type run struct {
	op    site.Op
	words []string
}

// diff collects the runs of a comparison. Between runs of equal words, removed words
// come before new ones.
type diff struct {
	runs           []run
	removed, added []string // since the last equal word
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
	d.add(site.Unchanged, old[:head])
	d.subsequence(old[head:len(old)-tail], new[head:len(new)-tail])
	d.flush()
	d.add(site.Unchanged, old[len(old)-tail:])
	return d.runs
}

// subsequence compares by the longest common subsequence.
func (d *diff) subsequence(old, new []string) {
	if (len(old)+1)*(len(new)+1) > maxCells {
		d.removed, d.added = old, new
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
			d.add(site.Unchanged, old[i:i+1])
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			d.removed = append(d.removed, old[i])
			i++
		default:
			d.added = append(d.added, new[j])
			j++
		}
	}
	d.removed = append(d.removed, old[i:]...)
	d.added = append(d.added, new[j:]...)
}

// flush ends a stretch of changed words.
func (d *diff) flush() {
	d.add(site.Removed, d.removed)
	d.add(site.Added, d.added)
	d.removed, d.added = nil, nil
}

// add appends words to the last run, or begins another.
func (d *diff) add(op site.Op, words []string) {
	switch last := len(d.runs) - 1; {
	case len(words) == 0:
	case last >= 0 && d.runs[last].op == op:
		d.runs[last].words = append(d.runs[last].words, words...)
	default:
		d.runs = append(d.runs, run{op, slices.Clip(words)})
	}
}

// Limits of what is shown of a change.
const (
	MaxWords     = 300 // of all its fields, at most
	maxRun       = 100 // of a run of words that changed
	contextWords = 8   // of equal words, on each side of changed ones
	maxWord      = 200 // letters of a word
)

// shorten makes a change of the runs of its fields. It leaves out equal words that
// are not near a changed one, and all beyond the limits above.
func shorten(when time.Time, fields [3][]run) site.Change {
	c := site.Change{When: when}
	left := MaxWords
	for f, runs := range fields {
		for i, r := range runs {
			if left == 0 {
				c.Truncated = c.Truncated || slices.ContainsFunc(runs[i:], func(r run) bool { return r.op != site.Unchanged })
				c.Fields[f] = append(c.Fields[f], site.Run{Op: site.Unchanged, Text: "…"})
				break
			}
			words := r.words
			if r.op == site.Unchanged {
				words = contextOf(words, i > 0, i < len(runs)-1)
			}
			most := min(left, maxRun)
			if len(words) > most {
				words, c.Truncated = append(words[:most:most], "…"), true
			}
			left -= min(len(words), most)
			c.Fields[f] = append(c.Fields[f], site.Run{Op: r.op, Text: join(words)})
		}
	}
	return c
}

// contextOf returns the equal words that are near to a change before or after them.
func contextOf(words []string, before, after bool) []string {
	head, tail := 0, 0
	if before {
		head = contextWords
	}
	if after {
		tail = contextWords
	}
	if len(words) <= head+tail {
		return words
	}
	return slices.Concat(words[:head], []string{"…"}, words[len(words)-tail:])
}

func join(words []string) string {
	short := make([]string, len(words))
	for i, word := range words {
		short[i] = prose.Shorten(word, maxWord)
	}
	return strings.Join(short, " ")
}
