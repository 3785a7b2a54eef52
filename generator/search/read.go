package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"ayna/generator/site"
)

// Index is a published index. It keeps nothing of what it reads but the
// catalog, and may be used by any number of goroutines.
type Index struct {
	tree    fs.FS
	dir     string
	catalog catalogData
}

// ErrIndex marks an index that is damaged, or of which a build replaced a part
// since it was opened.
var ErrIndex = errors.New("search index damaged or replaced: open it again, or build the site")

// Open opens the index in a directory of a published tree, [site.Words.SearchDir].
func Open(tree fs.FS, dir string) (*Index, error) {
	x := &Index{tree: tree, dir: dir}
	if err := x.read(catalogName, &x.catalog); err != nil {
		return nil, err
	}
	for _, s := range x.catalog.Segments {
		if s.Items < 0 || s.Items > segments.full {
			return nil, fmt.Errorf("a segment of %d items: %w", s.Items, ErrIndex)
		}
	}
	return x, nil
}

// Result is what a query finds.
type Result struct {
	Count int // of all that is found
	Hits  []Hit
}

// Hit is an item that was found.
type Hit struct {
	Address string // of its page in the published tree
	Title   string
	Date    int // 20260914; 0 where unknown
	Kind    site.Kind
	Folder  string // directory
}

// together is how many segments, the newest first, are searched as one: the
// browser loads no older ones before a reader has seen what is in these.
const together = 4

// Search returns the first hits of a query, at most so many: those with all
// words in the title, the others, and then those where a word of three letters
// is only the beginning of one; each newest first.
func (x *Index) Search(q Query, most int) (Result, error) {
	var result Result
	wants := q.wants()
	if len(wants) == 0 {
		return result, nil
	}
	last := len(x.catalog.Segments)
	var numbers []int
	for last > 0 {
		first := max(0, last-together)
		found, err := x.search(first, last, wants)
		if err != nil {
			return result, fmt.Errorf("search %q: %w", q.Text, err)
		}
		result.Count += len(found)
		numbers = append(numbers, found[:min(len(found), most-len(numbers))]...)
		last = first
	}
	for _, number := range numbers {
		hit, err := x.hit(number)
		if err != nil {
			return result, fmt.Errorf("search %q: %w", q.Text, err)
		}
		result.Hits = append(result.Hits, hit)
	}
	return result, nil
}

// search returns the numbers of the items that some segments hold, best first.
func (x *Index) search(first, last int, wants []want) ([]int, error) {
	grades := make([][]byte, last)
	start := 0 // number of a segment's first item
	for segment := range last {
		if segment >= first {
			var err error
			if grades[segment], err = x.grades(segment, wants); err != nil {
				return nil, err
			}
		}
		start += x.catalog.Segments[segment].Items
	}
	var sorted [inTitle + vaguely + elsewhere + 1][]int
	for segment := last - 1; segment >= first; segment-- {
		start -= len(grades[segment])
		for position := len(grades[segment]) - 1; position >= 0; position-- {
			if grade := grades[segment][position]; grade != nowhere {
				sorted[grade] = append(sorted[grade], start+position)
			}
		}
	}
	var numbers []int
	for _, some := range sorted {
		numbers = append(numbers, some...)
	}
	return numbers, nil
}

// grades says of each item of a segment how well it has all that is wanted.
func (x *Index) grades(segment int, wants []want) ([]byte, error) {
	data := x.catalog.Segments[segment]
	var firsts []string
	if err := x.part(headName(segment), data.Version, &firsts); err != nil {
		return nil, err
	}
	worst := make([]byte, data.Items)
	for _, w := range wants {
		grades := bytes.Repeat([]byte{nowhere}, data.Items)
		first, last := w.files(firsts)
		for i := first; i < last; i++ {
			var file string
			if err := x.part(termsName(segment, i), data.Version, &file); err != nil {
				return nil, err
			}
			w.grade(file, grades)
		}
		for i, grade := range grades {
			worst[i] = max(worst[i], grade)
		}
	}
	return worst, nil
}

// hit reads what is shown of the item of a number.
func (x *Index) hit(number int) (Hit, error) {
	var rows [][]json.RawMessage
	name := rowsName(number / rowsInFile)
	if err := x.read(name, &rows); err != nil {
		return Hit{}, err
	}
	if number%rowsInFile >= len(rows) {
		return Hit{}, fmt.Errorf("%s has no row %d: %w", fileName(name), number%rowsInFile, ErrIndex)
	}
	var h Hit
	kind, row := -1, rows[number%rowsInFile]
	for i, into := range []any{&h.Address, &h.Title, &h.Date, &kind, &h.Folder}[:min(5, len(row))] {
		if err := json.Unmarshal(row[i], into); err != nil {
			return Hit{}, fmt.Errorf("%s: %w: %w", fileName(name), ErrIndex, err)
		}
	}
	if kind >= 0 && kind < len(site.Kinds) {
		h.Kind = site.Kinds[kind]
	}
	if dir := path.Dir(h.Address); len(row) < 5 && dir != "." {
		h.Folder = dir
	}
	return h, nil
}

// part reads a file of a segment, which must be of a version.
func (x *Index) part(name, version string, into any) error {
	var found string
	if err := x.read(name, &found, into); err != nil {
		return err
	}
	if found != version {
		return fmt.Errorf("%s: %w", fileName(name), ErrIndex)
	}
	return nil
}

// read reads the arguments of a file's call.
func (x *Index) read(name string, arguments ...any) error {
	data, err := fs.ReadFile(x.tree, path.Join(x.dir, fileName(name)))
	if err != nil {
		return fmt.Errorf("read the search index: %w", err)
	}
	inner, ok := bytes.CutPrefix(data, []byte(opening))
	inner, ok2 := bytes.CutSuffix(inner, []byte(closing))
	if !ok || !ok2 {
		return fmt.Errorf("%s: %w", fileName(name), ErrIndex)
	}
	all := append([]any{new(string)}, arguments...)
	want := len(all)
	if err := json.Unmarshal(bytes.Join([][]byte{{'['}, inner, {']'}}, nil), &all); err != nil || len(all) != want {
		return fmt.Errorf("%s: %w", fileName(name), errors.Join(ErrIndex, err))
	}
	return nil
}
