package search

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"ayna/generator/site"
)

// This is assets/search.js once more, which the tests hold the two to: what it
// finds, in which order, and what it loads.

// What a page of results loads at most, in bytes.
const (
	PageSize   = 300 << 10
	mostLoaded = 289_000 // all but the catalog
	mostRows   = 120_000 // of these, files of rows
	headSize   = 11_200  // of a segment
)

const (
	shown    = 10 // hits on a page
	together = 6  // segments that make a stage
	atOnce   = 48_000
)

// Index is a published index.
type Index struct {
	tree    fs.FS
	dir     string
	catalog catalogData
}

// Open opens the index in a directory of a published tree, [site.Words.SearchDir].
func Open(tree fs.FS, dir string) (*Index, error) {
	x := &Index{tree: tree, dir: dir}
	if err := x.read(catalogName, &x.catalog); err != nil {
		return nil, err
	}
	return x, nil
}

// Hit is an item that was found.
type Hit struct {
	Address string // of its page in the published tree
	Title   string
	Date    int // 20260914; 0 where unknown
	Kind    site.Kind
	Folder  string // title
}

// Search is a query and what was found so far.
type Search struct {
	index    *Index
	wants    []want
	left     int     // segments of no stage yet
	stage    []stage // segments that are to be searched, the newest first
	numbers  []int
	vague    [2][]int // of the stage: in titles, and elsewhere
	given    int      // of the numbers
	Searched int      // items
	Stops    []int    // how many of them were searched where pages ended early
}

// stage is a segment that is to be searched.
type stage struct {
	number, first int // and the number of its first item
	data          segmentData
	means         []means
	cost          int // of all
}

// means is in which files of a segment something wanted may be, and how many
// bytes they have, but for those counted before.
type means struct {
	want
	files []int
	cost  int
}

// Search begins a search.
func (x *Index) Search(q Query) *Search {
	s := &Search{index: x, wants: q.wants(x.catalog.Folders)}
	if len(s.wants) > 0 {
		s.left = len(x.catalog.Segments)
	}
	return s
}

// Count is how many items were found among those searched.
func (s *Search) Count() int { return len(s.numbers) + len(s.vague[0]) + len(s.vague[1]) }

// Done tells whether all items were searched.
func (s *Search) Done() bool { return s.left == 0 && len(s.stage) == 0 }

// Page returns the next hits: those with all words in the title, and then the
// others, for one segment after the other from the newest; and after each stage
// those where a word of three letters is only the beginning of another. They
// may be fewer than there are where more would be loaded than a page may load;
// that is noted among the stops, and ends the stage.
func (s *Search) Page() ([]Hit, error) {
	rows := max(1, s.index.catalog.Rows)
	most := max(1, min(shown, mostRows/rows))
	if err := s.look(s.given+most, mostLoaded-most*rows); err != nil {
		return nil, err
	}
	var hits []Hit
	for ; s.given < len(s.numbers) && len(hits) < most; s.given++ {
		hit, err := s.index.hit(s.numbers[s.given])
		if err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	return hits, nil
}

// Result is all that a query finds.
type Result struct {
	Count int
	Hits  []Hit // the first ones
}

// All turns pages until a query has found so many items, and there are no
// segments left.
func (x *Index) All(q Query, most int) (Result, error) {
	s := x.Search(q)
	var hits []Hit
	for !s.Done() || len(hits) < min(most, s.Count()) {
		page, err := s.Page()
		if err != nil {
			return Result{}, fmt.Errorf("search %q: %w", q.Text, err)
		}
		hits = append(hits, page...)
	}
	return Result{s.Count(), hits[:min(len(hits), most)]}, nil
}

// look searches until so many items are found, or so many bytes loaded.
func (s *Search) look(enough, most int) error {
	loaded, searched := 0, false
	for len(s.numbers) < enough && !s.Done() {
		if len(s.stage) == 0 {
			next := min(together, s.left)
			if searched && loaded+next*headSize > most {
				break
			}
			size, err := s.open(next)
			if err != nil {
				return err
			}
			loaded += size
		}
		n, cost := 0, 0
		for n < len(s.stage) && (n == 0 || cost+s.stage[n].cost <= atOnce) {
			cost += s.stage[n].cost
			n++
		}
		if searched && loaded+cost > most {
			break
		}
		searched = true
		for _, part := range s.stage[:n] {
			size, err := s.search(part)
			if err != nil {
				return err
			}
			loaded += size
		}
		if s.stage = s.stage[n:]; len(s.stage) == 0 {
			s.appendVague()
		}
	}
	if len(s.numbers) < enough && !s.Done() {
		s.Stops = append(s.Stops, s.Searched)
		s.appendVague()
	}
	return nil
}

func (s *Search) appendVague() {
	s.numbers = slices.Concat(s.numbers, s.vague[0], s.vague[1])
	s.vague = [2][]int{}
}

// open reads the heads of the next segments, and returns their size.
func (s *Search) open(next int) (size int, err error) {
	first := 0
	var stages []stage
	for number, data := range s.index.catalog.Segments[:s.left] {
		if number >= s.left-next {
			part := stage{number: number, first: first, data: data}
			n, err := s.index.plan(&part, s.wants)
			if err != nil {
				return 0, err
			}
			size += n
			stages = append([]stage{part}, stages...)
		}
		first += data.Items
	}
	s.stage = stages
	s.left -= next
	return size, nil
}

// search finds what a segment holds, and returns how many bytes that took.
func (s *Search) search(part stage) (loaded int, err error) {
	grades, loaded, err := s.index.grades(part)
	if err != nil {
		return 0, err
	}
	var sorted [vaguely + elsewhere + 1][]int
	for position := len(grades) - 1; position >= 0; position-- {
		if grade := grades[position]; grade != nowhere {
			sorted[grade] = append(sorted[grade], part.first+position)
		}
	}
	s.numbers = slices.Concat(s.numbers, sorted[inTitle], sorted[elsewhere])
	for i := range s.vague {
		s.vague[i] = append(s.vague[i], sorted[vaguely+i]...)
	}
	s.Searched += part.data.Items
	return loaded, nil
}

// hit reads what is shown of the item of a number.
func (x *Index) hit(number int) (Hit, error) {
	var rows [][]json.RawMessage
	var folders []string
	name := rowsName(number / rowsInFile)
	if err := x.read(name, &rows, &folders); err != nil {
		return Hit{}, err
	}
	var h Hit
	var kind, folder int
	for i, into := range []any{&h.Address, &h.Title, &h.Date, &kind, &folder} {
		if err := json.Unmarshal(rows[number%rowsInFile][i], into); err != nil {
			return Hit{}, fmt.Errorf("%s: %w", fileName(name), err)
		}
	}
	h.Kind = site.Kinds[kind]
	if folder >= 0 {
		h.Folder = folders[folder]
	}
	return h, nil
}

// part reads a file of a segment, which must be of a version.
func (x *Index) part(name, version string, into ...any) error {
	var found string
	if err := x.read(name, append([]any{&found}, into...)...); err != nil {
		return err
	}
	if found != version {
		return fmt.Errorf("%s is of another version than the catalog says", fileName(name))
	}
	return nil
}

// read reads the arguments of a file's call.
func (x *Index) read(name string, arguments ...any) error {
	data, err := fs.ReadFile(x.tree, path.Join(x.dir, fileName(name)))
	if err != nil {
		return fmt.Errorf("read the search index: %w", err)
	}
	inner, ok := bytes.CutPrefix(data, []byte("ayna("))
	inner, ok2 := bytes.CutSuffix(inner, []byte(");\n"))
	if !ok || !ok2 {
		return fmt.Errorf("%s is no call", fileName(name))
	}
	all := append([]any{new(string)}, arguments...)
	want := len(all)
	if err := json.Unmarshal(bytes.Join([][]byte{{'['}, inner, {']'}}, nil), &all); err != nil || len(all) != want {
		return fmt.Errorf("%s has other arguments: %w", fileName(name), err)
	}
	return nil
}
