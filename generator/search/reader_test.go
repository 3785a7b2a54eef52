package search

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ayna/generator/site"
)

// This is assets/search.js once more, which the tests hold the two to: what it
// finds, in which order, and what it loads.

// What a page of results loads at most, in bytes.
const (
	PageSize     = 300 << 10
	mostLoaded   = 289_000 // all but the catalog
	mostItems    = 120_000 // of these, files of items if there are enough hits
	oneItems     = 16_100  // and one of these
	mostHeads    = 36_000  // of a stage, by how large they may be
	headOverhead = 60
)

const (
	shownHits = 10 // on a page
	atOnce    = 48_000
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
	if err := readFile(x.tree, x.dir, catalogName, &x.catalog); err != nil {
		return nil, err
	}
	return x, nil
}

// Hit is an item that was found.
type Hit struct {
	Address  string // of its page in the published tree
	Title    string
	Date     int // 20260914; 0 where unknown
	Kind     site.Kind
	Folder   string // title
	Picture  string
	Names    string
	Text     string // lines of spot and text
	Complete bool   // the text is

	file, size int
}

// Search is a query and what was found so far.
type Search struct {
	index    *Index
	wants    []want
	phrases  [][]string
	left     int     // segments of no stage yet
	stage    []stage // segments that are to be searched, the newest first
	numbers  []int
	ranks    [2 * fields][]int // of the stage
	at       int               // of the numbers, those that were looked at
	rejected int               // of these
	Searched int               // items
	Stages   []int             // how many of them were searched where a stage ended
	Early    int               // pages that ended before they were full
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
	s := &Search{index: x}
	if s.wants, s.phrases = q.parse(x.catalog.Folders); len(s.wants) > 0 {
		s.left = len(x.catalog.Segments)
	}
	return s
}

// Count is how many items were found among those searched, at most.
func (s *Search) Count() int {
	n := len(s.numbers) - s.rejected
	for _, list := range s.ranks {
		n += len(list)
	}
	return n
}

// Done tells whether all items were searched, and all hits shown.
func (s *Search) Done() bool { return s.searched() && s.at == len(s.numbers) }

func (s *Search) searched() bool { return s.left == 0 && len(s.stage) == 0 }

// Page returns the next hits. They may be fewer than there are where more would be
// loaded than a page may load.
func (s *Search) Page() (hits []Hit, err error) {
	loaded, err := s.look(shownHits, mostLoaded-mostItems)
	if err != nil {
		return nil, err
	}
	room := mostLoaded - loaded
	counted := make(map[int]bool)
	for len(hits) < shownHits && s.at < len(s.numbers) {
		n := min(shownHits-len(hits), len(s.numbers)-s.at, room/oneItems)
		if n < 1 {
			break
		}
		for range n {
			hit, err := s.index.hit(s.numbers[s.at])
			if err != nil {
				return nil, err
			}
			s.at++
			if !counted[hit.file] {
				room -= hit.size
			}
			counted[hit.file] = true
			if hit.holds(s.phrases) {
				hits = append(hits, hit)
			} else {
				s.rejected++
			}
		}
	}
	if len(hits) < shownHits && !s.Done() {
		s.Early++
	}
	return hits, nil
}

// holds reports whether a hit has all phrases, each in one line.
func (h *Hit) holds(phrases [][]string) bool {
	for _, phrase := range phrases {
		if h.Complete && !HoldsPhrase(h.Title+"\n"+h.Names+"\n"+h.Text, phrase) {
			return false
		}
	}
	return true
}

// HoldsPhrase reports whether a line of a text has some words beside each other.
func HoldsPhrase(text string, phrase []string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		words := Words(line)
		for i := 0; i+len(phrase) <= len(words); i++ {
			if slices.Equal(words[i:i+len(phrase)], phrase) {
				return true
			}
		}
	}
	return false
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
	for !s.searched() || len(hits) < min(most, s.Count()) {
		page, err := s.Page()
		if err != nil {
			return Result{}, fmt.Errorf("search %q: %w", q.Text, err)
		}
		hits = append(hits, page...)
	}
	return Result{s.Count(), hits[:min(len(hits), most)]}, nil
}

// look searches until so many items are found, or so many bytes loaded. It returns
// how many it has loaded.
func (s *Search) look(enough, most int) (loaded int, err error) {
	searched := false
	for len(s.numbers)-s.at < enough && !s.searched() {
		if len(s.stage) == 0 {
			next, heads := 0, 0
			for next < s.left {
				size := headOf(s.index.catalog.Segments[s.left-1-next].Items)
				if next > 0 && heads+size > mostHeads {
					break
				}
				heads += size
				next++
			}
			if searched && loaded+heads > most {
				break
			}
			size, err := s.open(next)
			if err != nil {
				return 0, err
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
				return 0, err
			}
			loaded += size
		}
		if s.stage = s.stage[n:]; len(s.stage) == 0 {
			s.settle()
		}
	}
	if len(s.numbers)-s.at < enough {
		s.settle()
	}
	return loaded, nil
}

// headOf is how many bytes the head of a segment usually has at most.
func headOf(items int) int { return headOverhead + 8*(16+(items+7)/8) }

func (s *Search) settle() {
	s.Stages = append(s.Stages, s.Searched)
	s.numbers = slices.Concat(append([][]int{s.numbers}, s.ranks[:]...)...)
	s.ranks = [2 * fields][]int{}
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
	for position := len(grades) - 1; position >= 0; position-- {
		if grade := grades[position]; grade != nowhere {
			s.ranks[grade] = append(s.ranks[grade], part.first+position)
		}
	}
	s.Searched += part.data.Items
	return loaded, nil
}

// hit reads what is shown of the item of a number.
func (x *Index) hit(number int) (Hit, error) {
	per := x.catalog.Items
	name := itemsName(number / per)
	var packed string
	if err := readFile(x.tree, x.dir, name, &packed); err != nil {
		return Hit{}, err
	}
	compressed, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return Hit{}, fmt.Errorf("%s: %w", fileName(name), err)
	}
	var rows [][]json.RawMessage
	if err := json.NewDecoder(flate.NewReader(bytes.NewReader(compressed))).Decode(&rows); err != nil {
		return Hit{}, fmt.Errorf("%s: %w", fileName(name), err)
	}
	h := Hit{file: number / per, size: len(packed) + headOverhead}
	var kind int
	for i, into := range []any{&h.Address, &h.Title, &h.Date, &kind, &h.Folder, &h.Picture, &h.Names, &h.Text, &h.Complete} {
		if err := json.Unmarshal(rows[number%per][i], into); err != nil {
			return Hit{}, fmt.Errorf("%s: %w", fileName(name), err)
		}
	}
	h.Kind = site.Kinds[kind]
	return h, nil
}

// part reads a file of a segment, which must be of a version.
func (x *Index) part(name, version string, into ...any) error {
	var found string
	if err := readFile(x.tree, x.dir, name, append([]any{&found}, into...)...); err != nil {
		return err
	}
	if found != version {
		return fmt.Errorf("%s is of another version than the catalog says", fileName(name))
	}
	return nil
}

// readFile reads the arguments of a file's call after its name.
func readFile(tree fs.FS, dir, name string, arguments ...any) error {
	content, err := fs.ReadFile(tree, path.Join(dir, fileName(name)))
	if err != nil {
		return err
	}
	inner, _ := bytes.CutPrefix(content, []byte("ayna("))
	inner, _ = bytes.CutSuffix(inner, []byte(");\n"))
	var found string
	all := append([]any{&found}, arguments...)
	want := len(all)
	err = json.Unmarshal(slices.Concat([]byte{'['}, inner, []byte{']'}), &all)
	if err != nil || len(all) != want || found != name {
		return fmt.Errorf("%s is damaged: %d arguments, %w", fileName(name), len(all), err)
	}
	return nil
}
