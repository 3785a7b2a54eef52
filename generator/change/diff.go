package change

import "strings"

const (
	// maxCells bounds the table of a comparison: beyond it the words between
	// the common beginning and the common end count as replaced.
	maxCells = 1 << 20
	// nearby is how many unchanged words are shown beside a change.
	nearby = 8
	// maxRuns bounds what is shown of a text that changed in many places.
	maxRuns = 60
)

// compare returns the words of both texts, as runs.
func compare(before, today string) []Run {
	old, new := strings.Fields(before), strings.Fields(today)
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

// diff collects words. Between two that stay the same, those that went come
// before those that came.
type diff struct {
	done      []Run
	gone, new []string
	same      []string
}

func (d *diff) add(op Op, words ...string) {
	for _, word := range words {
		switch op {
		case Same:
			d.flushChange()
			d.same = append(d.same, word)
		case Gone:
			d.flushSame()
			d.gone = append(d.gone, word)
		case New:
			d.flushSame()
			d.new = append(d.new, word)
		}
	}
}

func (d *diff) flushSame() { d.flush(Same, &d.same) }

func (d *diff) flushChange() {
	d.flush(Gone, &d.gone)
	d.flush(New, &d.new)
}

func (d *diff) flush(op Op, words *[]string) {
	if len(*words) > 0 {
		d.done = append(d.done, Run{op, strings.Join(*words, " ")})
		*words = nil
	}
}

func (d *diff) runs() []Run {
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
			d.add(Same, old[i])
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			d.add(Gone, old[i])
			i++
		default:
			d.add(New, new[j])
			j++
		}
	}
	d.add(Gone, old[i:]...)
	d.add(New, new[j:]...)
}

// shorten leaves out words that stay the same far from any change, and
// changes beyond the number that anyone reads. It returns nil where nothing
// changed but blanks.
func shorten(runs []Run) []Run {
	if len(runs) < 2 && (len(runs) == 0 || runs[0].Op == Same) {
		return nil
	}
	cut := len(runs) > maxRuns
	runs = runs[:min(len(runs), maxRuns)]
	for i := range runs {
		words := strings.Fields(runs[i].Text)
		switch first, last := i == 0, i == len(runs)-1; {
		case runs[i].Op != Same:
			runs[i].Text = bound(words)
		case first && len(words) > nearby:
			runs[i].Text = "… " + strings.Join(words[len(words)-nearby:], " ")
		case last && len(words) > nearby:
			runs[i].Text = strings.Join(words[:nearby], " ") + " …"
		case !first && !last && len(words) > 2*nearby:
			runs[i].Text = strings.Join(words[:nearby], " ") + " … " + strings.Join(words[len(words)-nearby:], " ")
		}
	}
	if cut {
		runs = append(runs, Run{Same, "…"})
	}
	return runs
}

// bound cuts a changed run that is a whole text.
func bound(words []string) string {
	const most = 300
	if len(words) > most {
		return strings.Join(words[:most], " ") + " …"
	}
	return strings.Join(words, " ")
}
