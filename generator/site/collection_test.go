package site_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ayna/generator/site"
)

// Ids and addresses of any length come out as they went in.
func TestNamesOfItems(t *testing.T) {
	names := [][2]string{
		{"", ""}, {"", "a.html"}, {"", "a/.html"}, {"7", ""}, {"7", "7.html"}, {"7", "spor/7.html"}, {"7", "spor/mac-7.html"},
		{"7", "spor/futbol/mac-7.html"}, {"7", "spor/mac-8.html"}, {"7", "spor/mac-7.htm"}, {"7", "spor/mac-7.html.html"}, {"7", "/7.html"},
		{"mac-7", "spor/mac-7.html"}, {"a/7", "spor/a/7.html"}, {".html", "spor/.html.html"}, {"ığdır", "iğ/ığdır.html"},
		{strings.Repeat("7", 20_000), strings.Repeat("dizin/", 4_000) + strings.Repeat("7", 20_000) + ".html"},
		{"8", strings.Repeat("x", 70_000)}, {"9", "spor/mac-9.html"},
	}
	var c site.Collection
	for _, name := range names {
		c.Add(&site.Draft{ID: name[0], Address: name[1]})
	}
	for i, item := range slices.Collect(c.Items().All()) {
		if want := names[i]; item.ID() != want[0] || item.Address() != want[1] {
			t.Errorf("%.60q: %.60q at %.60q", want, item.ID(), item.Address())
		}
	}
	first := c.Items().At(6)
	c.SetAddress(first, "ekonomi/borsa.html")
	if first.ID() != "7" || first.Address() != "ekonomi/borsa.html" {
		t.Errorf("moved: %q at %q", first.ID(), first.Address())
	}
	if other := c.Items().At(7).Address(); other != names[7][1] {
		t.Errorf("the next one moved, too: %q", other)
	}
}

// TestCollection compares collections of random items with a plain model: what
// is dropped, the order, folders, tags, neighbours, and what is found.
func TestCollection(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(400)
		folders := make([]*site.Folder, 1+r.IntN(5))
		for i := range folders {
			folders[i] = new(site.Folder)
		}
		var tags []*site.Tag
		for range 6 {
			tags = append(tags, new(site.Tag))
		}
		url := func(i int) string { return fmt.Sprintf("http://haber.example/%d", i) }
		c := site.Collection{FolderOf: folders, TagOf: tags}
		folder, tagged, published := make(map[string]int), make(map[string][]uint32), make(map[string]int64)
		for i := range n {
			d := site.Draft{
				Row: int64(i), Kind: site.Kinds[r.IntN(len(site.Kinds))], ID: fmt.Sprint(i), Order: int64(r.IntN(n)), Gone: i%5 == 2,
				Folder: r.IntN(len(folders)), Ref: site.RefTo(fmt.Sprint(i), url(i)),
			}
			for _, tag := range r.Perm(len(tags))[:r.IntN(len(tags))] {
				d.Tags = append(d.Tags, uint32(tag))
			}
			if d.Published = d.Order; i%3 == 0 {
				d.Published += int64(i)
			}
			folder[d.ID], tagged[d.ID], published[d.ID] = d.Folder, d.Tags, d.Published
			c.Add(&d)
			if i == n*4/5 && seed%2 == 0 {
				c.Sort() // the others are added to sorted ones
			}
		}
		c.Drop(func(item site.Item) bool { return item.Row()%7 == 3 })
		c.Sort()
		all := slices.Collect(c.Items().All())
		if want := n - (n+3)/7; len(all) != want || !slices.IsSortedFunc(all, site.Compare) {
			t.Fatalf("seed %d: %d items, want %d; sorted: %t", seed, len(all), want, slices.IsSortedFunc(all, site.Compare))
		}
		c.BuildIndex()
		for _, item := range all {
			item.Folder().Own.Append(item)
		}
		newest := make(map[*site.Folder]site.Item)
		for _, item := range all {
			id := item.ID()
			if item.Folder() != folders[folder[id]] || item.Kind() == "" || fmt.Sprint(item.Row()) != id {
				t.Errorf("seed %d: item %s is another one", seed, id)
			}
			if item.Published() != published[id] || item.Gone() != (item.Row()%5 == 2) {
				t.Errorf("seed %d: item %s is of %d, want %d; gone: %t", seed, id, item.Published(), published[id], item.Gone())
			}
			if c.Find(site.RefTo(id, "")) != item || c.Find(site.RefTo("", url(int(item.Row())))) != item {
				t.Errorf("seed %d: by id or address of %s another one is found", seed, id)
			}
			var got []uint32
			for tag := range item.Tags() {
				got = append(got, uint32(slices.Index(tags, tag)))
			}
			if !slices.Equal(got, tagged[id]) {
				t.Errorf("seed %d: %s has the tags %d, want %d", seed, id, got, tagged[id])
			}
			if newer := newest[item.Folder()]; item.Next() != newer || newer.Exists() && newer.Previous() != item {
				t.Errorf("seed %d: beside %s is another one", seed, id)
			}
			newest[item.Folder()] = item
		}
		for _, item := range newest {
			if item.Previous().Exists() {
				t.Errorf("seed %d: before the oldest one is %s", seed, item.Previous().ID())
			}
		}
	}
}

// TestHeld: an item with a usual address and three tags takes about as much memory
// as the comment of Collection states.
func TestHeld(t *testing.T) {
	const items = 50_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := &site.Collection{TagOf: make([]*site.Tag, 100)}
	c.Grow(items)
	for i := range items {
		id := fmt.Sprint(40_000_000 + i)
		url := func(i int) string { return fmt.Sprintf("http://haber.example/%d", i) }
		c.Add(&site.Draft{
			ID: id, Address: "ekonomi/borsa/kiyi-haberin-borsa-sayfasindan-" + id + ".html", Tags: []uint32{1, 2, 3},
			Ref: site.RefTo(id, url(i)),
		})
	}
	c.Sort()
	c.BuildIndex()
	all := c.Items()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if held := (after.HeapAlloc - before.HeapAlloc) / items; held > 240 {
		t.Errorf("%d bytes an item", held)
	} else {
		t.Logf("%d bytes an item", held)
	}
	runtime.KeepAlive(all)
}
