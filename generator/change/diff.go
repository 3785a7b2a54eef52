package change

import (
	"slices"
	"strings"
	"time"

	"ayna/generator/prose"
)

// maxCells bounds the table of a comparison: beyond it the words between the
// common beginning and the common end count as replaced.
const maxCells = 1 << 20

// run is a run of words.
type run struct {
	op    Op
	words []string
}

// compare returns the words of both texts, which have one blank between words,
// as runs. Of the common beginning and the common end it returns those that are
// shown, and one more.
func compare(before, today string) []run {
	old, new := apart(before, today)
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < min(len(old), len(new))-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	var d diff
	d.add(Same, old[:head]...)
	d.middle(old[head:len(old)-tail], new[head:len(new)-tail])
	d.add(Same, old[len(old)-tail:]...)
	return d.runs()
}

// apart divides texts into words. Most of two versions is the same: that is found
// byte by byte, and left out where nobody sees it.
func apart(old, new string) ([]string, []string) {
	same := 0
	for same < min(len(old), len(new)) && old[same] == new[same] {
		same++
	}
	first := same
	for range nearby + 2 { // the word that differs, those nearby, and one more
		first = max(0, strings.LastIndexByte(old[:first], ' '))
	}
	same -= first
	old, new = old[first:], new[first:]
	from := 0 // the end of both
	for from < min(len(old), len(new))-same && old[len(old)-1-from] == new[len(new)-1-from] {
		from++
	}
	for range nearby + 2 {
		if next := strings.IndexByte(old[len(old)-from:], ' '); next >= 0 {
			from -= next + 1
		} else {
			from = 0
		}
	}
	return strings.Fields(old[:len(old)-from]), strings.Fields(new[:len(new)-from])
}

// diff collects words. Between two that stay the same, those that went come
// before those that came.
type diff struct {
	done      []run
	gone, new []string
	same      []string
}

func (d *diff) add(op Op, words ...string) {
	if len(words) == 0 {
		return
	}
	switch op {
	case Same:
		d.flushChange()
		collect(&d.same, words)
	case Gone:
		d.flushSame()
		collect(&d.gone, words)
	case New:
		d.flushSame()
		collect(&d.new, words)
	}
}

// collect appends words; they are not copied if they are the first ones.
func collect(to *[]string, words []string) {
	if *to == nil {
		*to = words[:len(words):len(words)]
	} else {
		*to = append(*to, words...)
	}
}

func (d *diff) flushSame() { d.flush(Same, &d.same) }

func (d *diff) flushChange() {
	d.flush(Gone, &d.gone)
	d.flush(New, &d.new)
}

func (d *diff) flush(op Op, words *[]string) {
	if len(*words) > 0 {
		d.done = append(d.done, run{op, *words})
		*words = nil
	}
}

func (d *diff) runs() []run {
	d.flushSame()
	d.flushChange()
	return d.done
}

// middle compares by the longest common subsequence.
func (d *diff) middle(old, new []string) {
	if (len(old)+1)*(len(new)+1) > maxCells {
		d.add(Gone, old...)
		d.add(New, new...)
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
			d.add(Same, old[i:i+1]...)
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			d.add(Gone, old[i:i+1]...)
			i++
		default:
			d.add(New, new[j:j+1]...)
			j++
		}
	}
	d.add(Gone, old[i:]...)
	d.add(New, new[j:]...)
}

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
