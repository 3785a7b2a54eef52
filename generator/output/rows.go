package output

import (
	"slices"
	"strings"
)

// rows are the rows of a build's files. Only the worker that renders a file changes its row.
type rows struct {
	listed []file          // in the published manifest, sorted by path
	added  []file          // others, in the order in which they were claimed
	others map[string]*row // those of added
	block  []row           // see newRow

	// Nearly all files are claimed in the order of the last build, so that the row of the next one
	// is known without a search.
	order   []int32 // by place: a number in listed, -1 for none
	place   uint32  // of the file that was found last
	claimed uint32  // files
}

// file is a path with its row.
type file struct {
	path string
	*row
}

// setOrder sets order by the places that the listed files have from the last build.
func (t *rows) setOrder() {
	t.order = slices.Repeat([]int32{-1}, len(t.listed)+1)
	for i, f := range t.listed {
		if f.place < uint32(len(t.order)) {
			t.order[f.place] = int32(i)
		}
	}
}

// at returns the row of a path, nil if it has none.
func (t *rows) at(path string) *row {
	i, found := slices.BinarySearchFunc(t.listed, path, func(f file, path string) int { return strings.Compare(f.path, path) })
	if found {
		return t.listed[i].row
	}
	return t.others[path]
}

// next is like at, and fast for the path behind the last one.
func (t *rows) next(path string) *row {
	if next := t.place + 1; next < uint32(len(t.order)) && t.order[next] >= 0 && t.listed[t.order[next]].path == path {
		t.place = next
		return t.listed[t.order[next]].row
	}
	r := t.at(path)
	if r != nil && r.place > 0 {
		t.place = r.place
	}
	return r
}

// add makes a row for a path that has none.
func (t *rows) add(path string) *row {
	if t.others == nil {
		t.others = make(map[string]*row)
	}
	r := t.newRow()
	t.others[path] = r
	t.added = append(t.added, file{path, r})
	return r
}

// newRow returns a row of a block: there are very many.
func (t *rows) newRow() *row {
	if len(t.block) == 0 {
		t.block = make([]row, 256)
	}
	r := &t.block[0]
	t.block = t.block[1:]
	return r
}
