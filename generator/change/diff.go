package change

import "strings"

// maxCells bounds the table of a comparison: beyond it the words between the
// common beginning and the common end count as replaced.
const maxCells = 1 << 20

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
