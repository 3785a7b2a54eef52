package feed_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ayna/archive"
	"ayna/generator/output"
	"ayna/record"
	"ayna/testrun"
	"ayna/testrun/fakepaper"
)

// reader is a model of a feed reader that subscribes to one address. It knows
// entries by their ids, as readers do, and what it was told of each.
type reader struct {
	address string
	known   map[string]read
	last    string // the document, so that an unchanged one is not read again

	reads                          int
	lost, twice, reborn, untouched []string
}

// poll reads the feed, and beyond what it knows the history.
func (r *reader) poll(t *testing.T, get func(name string) string) {
	t.Helper()
	document := get(r.address)
	if document == "" {
		t.Fatalf("%s is gone", r.address)
	}
	if document == r.last {
		return
	}
	r.last = document
	r.reads++
	for name := r.address; name != ""; {
		_, entries, err := readFeed(get(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		seen, fresh := make(map[string]bool), 0
		for _, e := range entries {
			if seen[e.id] {
				r.twice = append(r.twice, e.id+" in "+name)
			}
			seen[e.id] = true
			if r.see(e) {
				fresh++
			}
		}
		if fresh < len(entries) { // it goes on where it was
			break
		}
		name = strings.TrimPrefix(linksOf(t, get(name)).rel["prev-archive"], "https://ayna.example/haber/")
	}
}

// see takes an entry in, and reports whether it is new.
func (r *reader) see(e read) bool {
	before, known := r.known[e.id]
	switch {
	case !known:
		for _, other := range r.known { // the same article under another id
			if subject(other.title) == subject(e.title) {
				r.twice = append(r.twice, e.id+" and "+other.id)
			}
		}
	case e.published != before.published:
		r.reborn = append(r.reborn, e.id)
	case e.title != before.title && e.updated == before.updated:
		r.untouched = append(r.untouched, e.id)
	case e.title == before.title && e.content == before.content && e.updated != before.updated:
		r.reborn = append(r.reborn, e.id+" looks changed")
	}
	r.known[e.id] = e
	return !known
}

// subject is what tells the articles of the simulation apart.
func subject(title string) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(title, "Haber "), ",")
	return number
}

// newsdesk is the source of the simulation.
type newsdesk struct {
	random *rand.Rand
	now    time.Time
	path   string
	next   int
	live   map[int]string // JSON fields by number
}

func (d *newsdesk) write(number int, title string, created time.Time) *archive.Record {
	d.live[number] = created.Format(time.RFC3339)
	return fakepaper.Item(record.Article, strconv.Itoa(70000000+number),
		"CreatedDate", d.live[number], "ModifiedDate", d.now.Format(time.RFC3339), "Title", title, "Path", d.path)
}

// day is what the source does between two syncs.
func (d *newsdesk) day(renamed bool) (put []*archive.Record, gone []string) {
	d.now = d.now.Add(time.Duration(1+d.random.IntN(30)) * time.Hour)
	edit := func(number int, title string) {
		created, _ := time.Parse(time.RFC3339, d.live[number])
		put = append(put, d.write(number, title, created))
	}
	for range d.random.IntN(4) { // edits of titles, which change addresses at the source too
		numbers := slices.Sorted(maps.Keys(d.live))
		number := numbers[d.random.IntN(len(numbers))]
		edit(number, fmt.Sprintf("Haber %d, %d. hâli", number, d.random.IntN(1000)))
	}
	for range 1 + d.random.IntN(12) {
		put = append(put, d.write(d.next, fmt.Sprintf("Haber %d", d.next), d.now.Add(-time.Duration(d.random.IntN(60))*time.Minute)))
		d.next++
	}
	if d.random.IntN(3) == 0 { // a deletion, of what this day did not touch
		for _, number := range slices.Sorted(maps.Keys(d.live)) {
			id := strconv.Itoa(70000000 + number)
			if !slices.ContainsFunc(put, func(r *archive.Record) bool { return r.ID == id }) {
				delete(d.live, number)
				gone = append(gone, id)
				break
			}
		}
	}
	if renamed {
		d.path = "/turkiye/"
		for _, number := range slices.Sorted(maps.Keys(d.live)) {
			if !slices.ContainsFunc(put, func(r *archive.Record) bool { return r.ID == strconv.Itoa(70000000+number) }) {
				edit(number, fmt.Sprintf("Haber %d", number))
			}
		}
		put = fakepaper.Replaced(put, "/gundem/", "/turkiye/")
	}
	return put, gone
}

// TestReaders plays fifty syncs to readers of each format: what is published
// arrives once, under one id and date, whatever is edited, deleted or renamed.
func TestReaders(t *testing.T) {
	testrun.NotShort(t)
	syncs := testrun.Counts{Plain: 20, Long: 50}.Now()
	renamedAt := syncs * 3 / 5
	desk := &newsdesk{rand.New(rand.NewPCG(7, 11)), time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC), "/gundem/", 0, make(map[int]string)}
	var first []*archive.Record
	for range 40 {
		first = append(first, desk.write(desk.next, fmt.Sprintf("Haber %d", desk.next), desk.now))
		desk.next++
		desk.now = desk.now.Add(time.Hour)
	}
	a := store(t, first, nil)
	var readers []*reader
	for _, address := range []string{"feed.xml", "atom.xml", "feed.json", "gundem/feed.xml", "gundem/atom.xml", "tur/haber/feed.json"} {
		readers = append(readers, &reader{address: address, known: make(map[string]read)})
	}
	deleted := make(map[string]bool)
	for n := range syncs {
		files := filesOf(t, arranged(t, a, settings(t)), options)
		for _, r := range readers {
			r.poll(t, func(name string) string { return written(t, files[name]) })
		}
		records, gone := desk.day(n == renamedAt)
		put(t, a, records, nil)
		for _, id := range gone {
			deleted[id] = true
			forget(t, a, record.Article, id)
		}
	}
	for _, r := range readers {
		// The tail of what came last is not polled any more.
		for number := range desk.live {
			id := "tag:ayna.example,2026-01-01:article/" + strconv.Itoa(70000000+number)
			if _, known := r.known[id]; !known && number < desk.next-12 {
				r.lost = append(r.lost, id)
			}
		}
		t.Logf("%s: read %d times of %d, %d entries; twice %d, lost %d, reborn %d, silently changed %d",
			r.address, r.reads, syncs, len(r.known), len(r.twice), len(r.lost), len(r.reborn), len(r.untouched))
		if len(r.twice)+len(r.lost)+len(r.reborn)+len(r.untouched) > 0 {
			t.Errorf("%s: twice %q, lost %q, reborn %q, silently changed %q", r.address, r.twice, r.lost, r.reborn, r.untouched)
		}
	}
	if len(deleted) < 4 {
		t.Errorf("only %d were deleted", len(deleted))
	}
}

// written is what a file holds, or "".
func written(t *testing.T, file output.File) string {
	t.Helper()
	if file.Write == nil {
		return ""
	}
	var b strings.Builder
	if err := file.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func forget(t *testing.T, a *archive.Archive, kind record.Kind, id string) {
	t.Helper()
	fakepaper.Forget(t, a, kind, id)
}
