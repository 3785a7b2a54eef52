package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"sort"
	"strconv"
	"time"

	"ayna/generator/site"
)

const (
	firstID   = 49_000_000 // of the newest item; ids have 8 digits, as the service's have
	mostItems = 39_000_000
	home      = "https://www.kiyi-haber.example"
	pictures  = "https://img.kiyi-haber.example"
	years     = 10 * 365 * 24 * time.Hour
)

// newest is when the newest item was published; arrival, when the archive got
// the items, and when they were edited.
var (
	newest  = time.Date(2026, 10, 31, 18, 0, 0, 0, time.UTC)
	arrival = newest.Add(6 * time.Hour)
)

// paper is a newspaper. Item 0 is the newest one.
type paper struct {
	seed    uint64
	items   int
	folders ranks
	tags    ranks
	nouns   ranks
}

func newPaper(seed uint64, items int) *paper {
	return &paper{seed, items, zipf(len(folders)), zipf(len(tags)), zipf(len(nouns))}
}

// head is what other items show of an item.
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

// random is the source of everything about one item that salt names.
func (p *paper) random(number int, salt uint64) *rand.Rand {
	return rand.New(rand.NewPCG(p.seed<<8|salt, uint64(number)))
}

// What the salts of an item's sources of randomness stand for.
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
	h.folder = &folders[p.folders.pick(r)]
	h.title = p.title(r)
	h.slug = site.Slug(h.title, "tr") + "-" + h.id
	return h
}

// item makes an item as it was published, or as its edit leaves it.
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
		if n := p.tags.pick(r); !taken[n] {
			taken[n] = true
			list = append(list, tags[n])
		}
	}
	return list
}

// url is where the source shows an item.
func (h *head) url() string { return home + h.page() }

// page is the path of an item's page, at the source and in the Hugo site.
func (h *head) page() string { return path.Join(h.folder.path, h.slug) + ".html" }

// ranks picks one of n things, the k-th with a weight of 1/k.
type ranks []float64

func zipf(n int) ranks {
	sums := make(ranks, n)
	sum := 0.0
	for k := range sums {
		sum += 1 / float64(k+1)
		sums[k] = sum
	}
	return sums
}

func (s ranks) pick(r *rand.Rand) int {
	return sort.SearchFloat64s(s, r.Float64()*s[len(s)-1])
}
