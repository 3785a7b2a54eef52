package main

import (
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"path"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"ayna/generator/site"
	"ayna/slug"
	"ayna/testrun/fakepaper"
)

const (
	firstID   = 49_000_000 // of the newest item; ids have 8 digits, as the service's have
	mostItems = 39_000_000
	home      = "https://www.kiyi-haber.example"
	pictures  = "https://img.kiyi-haber.example"
	years     = 10 * 365 * 24 * time.Hour
)

var (
	newest  = time.Date(2026, 10, 31, 18, 0, 0, 0, time.UTC) // publication of the newest item
	arrival = newest.Add(6 * time.Hour)                      // of items and of their edits in the archive
)

// paper is a newspaper. Item 0 is the newest one.
type paper struct {
	seed    uint64
	items   int
	folders fakepaper.Ranks
	tags    fakepaper.Ranks
	nouns   fakepaper.Ranks
}

func newPaper(seed uint64, items int) *paper {
	return &paper{seed, items, fakepaper.Zipf(len(folders), 1), fakepaper.Zipf(len(tags), 1), fakepaper.Zipf(len(nouns), 1)}
}

// head is the part of an item that other items link to.
type head struct {
	number    int
	kind      site.Kind
	id, title string
	slug      string // with the id; stays when the title changes
	folder    *folder
	published time.Time
}

// item is one article, column, gallery or video.
type item struct {
	head
	spot     string
	modified time.Time // zero if it was not edited
	editor   string
	writer   *writer // of articles and columns
	tags     []string
	pictures []picture
	related  []head // older items
	text     []block
}

type picture struct{ url, title, caption string }

// random returns the source of randomness for one aspect of an item.
func (p *paper) random(number int, salt uint64) *rand.Rand {
	return rand.New(rand.NewPCG(p.seed<<8|salt, uint64(number)))
}

// The salts of an item's sources of randomness.
const (
	ofHead = iota
	ofRest
	ofEdit
)

func (p *paper) head(number int) head {
	r := p.random(number, ofHead)
	h := head{number: number, kind: site.Article, id: strconv.Itoa(firstID - number)}
	switch n := r.IntN(100); {
	case n < 8:
		h.kind = site.Column
	case n < 12:
		h.kind = site.Gallery
	case n < 15:
		h.kind = site.Video
	}
	step := years / time.Duration(p.items)
	h.published = newest.Add(-step*time.Duration(number) - time.Duration(r.Int64N(int64(step)))).Truncate(time.Second)
	h.folder = &folders[p.folders.Pick(r)]
	h.title = p.title(r)
	h.slug = slug.Of(h.title, "tr") + "-" + h.id
	return h
}

// item generates an item, with its edit if it has one.
func (p *paper) item(o order) item {
	it := item{head: p.head(o.number)}
	r := p.random(o.number, ofRest)
	it.spot = p.sentence(r, 12)
	switch it.kind {
	case site.Article, site.Column:
		it.writer = &writers[r.IntN(len(writers))]
	}
	if it.kind != site.Column {
		it.editor = agencies[r.IntN(len(agencies))]
	}
	it.tags = p.tagsOf(r)
	for range 1 + r.IntN(4) {
		it.pictures = append(it.pictures, picture{
			url:   fmt.Sprintf("%s/%016x.jpg", pictures, r.Uint64()),
			title: p.title(r), caption: p.sentence(r, 8),
		})
	}
	older := p.items - 1 - o.number
	for range min(3, older) {
		it.related = append(it.related, p.head(o.number+1+r.IntN(min(500, older))))
	}
	it.text = p.body(r, it.related)
	if o.edit != nil {
		o.edit.apply(p, &it)
	}
	return it
}

func (p *paper) tagsOf(r *rand.Rand) []string {
	var list []string
	taken := make(map[int]bool)
	for want := 2 + r.IntN(4); len(list) < want; {
		if n := p.tags.Pick(r); !taken[n] {
			taken[n] = true
			list = append(list, tags[n])
		}
	}
	return list
}

// url is the item's address at the source.
func (h *head) url() string { return home + h.page() }

// page is the path of the item's page, at the source and in the Hugo site.
func (h *head) page() string { return path.Join(h.folder.path, h.slug) + ".html" }

// order is an item to be generated.
type order struct {
	number int
	edit   *edit // may be nil
}

// between yields the items of a range of numbers, newest first, as a service lists them.
func (p *paper) between(first, end int) iter.Seq[order] {
	return func(yield func(order) bool) {
		for number := first; number < end; number++ {
			if !yield(order{number, nil}) {
				return
			}
		}
	}
}

// edited yields edits of about the given share of the items from the first one on, of all ages.
func (p *paper) edited(first int, seed uint64, share float64) iter.Seq[order] {
	return func(yield func(order) bool) {
		for number := first; number < p.items; number++ {
			e := p.edit(number, seed)
			if e.Float64() < share && !yield(order{number, e}) {
				return
			}
		}
	}
}

// withText yields an edit of the text of one item.
func (p *paper) withText(number int, seed uint64) iter.Seq[order] {
	e := p.edit(number, seed)
	e.textAlone = true
	return slices.Values([]order{{number, e}})
}

func (p *paper) edit(number int, seed uint64) *edit {
	return &edit{Rand: rand.New(rand.NewPCG(p.seed<<8|ofEdit, seed<<32^uint64(number))), seed: seed}
}

// edit is a change of one item.
type edit struct {
	*rand.Rand
	seed      uint64 // of the round of edits
	textAlone bool
}

// apply adds a paragraph, and gives one in four items another headline.
func (e *edit) apply(p *paper, it *item) {
	it.modified = newest.Add(time.Duration(1+e.seed%300) * time.Minute) // before arrival
	it.text = append(it.text, block{tag: "p", spans: []span{{text: p.sentence(e.Rand, 14)}}})
	if e.IntN(4) == 0 && !e.textAlone {
		it.title = p.title(e.Rand)
	}
}

// batchSize is the number of items that are generated in parallel and written
// together.
const batchSize = 500

// inBatches calls each for all items in parallel, and take for the results in
// the items' order, a batch at a time.
func inBatches[T any](p *paper, orders iter.Seq[order], each func(item) (T, error), take func([]T) error) error {
	for batch := range slices.Chunk(slices.Collect(orders), batchSize) {
		results, err := inParallel(p, batch, each)
		if err != nil {
			return err
		}
		if err := take(results); err != nil {
			return err
		}
	}
	return nil
}

func inParallel[T any](p *paper, orders []order, each func(item) (T, error)) ([]T, error) {
	list, errs := make([]T, len(orders)), make([]error, len(orders))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(orders); i += workers {
				list[i], errs[i] = each(p.item(orders[i]))
			}
		})
	}
	group.Wait()
	return list, errors.Join(errs...)
}
