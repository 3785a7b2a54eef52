package site_test

import (
	"slices"
	"strconv"
	"testing"

	"ayna/generator/site"
)

// pages returns the pages of a list, from the newest items to the oldest.
func pages(l *site.List) []site.ListPage {
	all := []site.ListPage{l.Page(0)}
	for number := l.Pages() - 1; number >= 1; number-- {
		all = append(all, l.Page(number))
	}
	return all
}

// listOf returns a list of n items, newest first.
func listOf(n int) *site.List {
	var c site.Collection
	for i := n; i > 0; i-- {
		c.Add(&site.Draft{ID: strconv.Itoa(i)})
	}
	return &site.List{Items: c.Items()}
}

func ids(items site.Items) []string {
	list := []string{}
	for item := range items.All() {
		list = append(list, item.ID())
	}
	return list
}

func TestListPages(t *testing.T) {
	for n, want := range map[int][]int{ // sizes, the index page first
		0: {0}, 1: {1}, 49: {49}, 50: {50}, 51: {51}, 99: {99},
		100: {50, 50}, 101: {51, 50}, 149: {99, 50}, 150: {50, 50, 50}, 1000: {50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50},
	} {
		var got []int
		for _, page := range pages(listOf(n)) {
			got = append(got, page.Items.Len())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d items: pages of %v, want %v", n, got, want)
		}
	}
}

// TestListPagesHoldEveryItemOnce also follows the links from the newest to the
// oldest and back.
func TestListPagesHoldEveryItemOnce(t *testing.T) {
	for n := range 420 {
		list := listOf(n)
		pages := pages(list)
		byNumber := make(map[int]site.ListPage)
		var all []string
		for _, page := range pages {
			byNumber[page.Number] = page
			all = append(all, ids(page.Items)...)
		}
		if len(byNumber) != len(pages) {
			t.Fatalf("%d items: a number occurs twice", n)
		}
		if !slices.Equal(all, ids(list.Items)) {
			t.Fatalf("%d items: not every item once and in order: %v", n, all)
		}
		down := []int{0}
		for number := pages[0].Older; number != 0; number = byNumber[number].Older {
			if up := byNumber[number].Newer; up != down[len(down)-1] {
				t.Fatalf("%d items: above page %d is %d, want %d", n, number, up, down[len(down)-1])
			}
			down = append(down, number)
		}
		if len(down) != len(pages) {
			t.Fatalf("%d items: of %d pages %v are linked", n, len(pages), down)
		}
	}
}

// TestFullListPagesNeverChange adds items one by one.
func TestFullListPagesNeverChange(t *testing.T) {
	known := make(map[int][]string)
	for n := range 420 {
		for _, page := range pages(listOf(n)) {
			if page.Number == 0 {
				continue
			}
			got := ids(page.Items)
			if before, ok := known[page.Number]; ok && !slices.Equal(before, got) {
				t.Fatalf("item %d changed page %d", n, page.Number)
			}
			if len(got) != site.PageSize {
				t.Fatalf("%d items: page %d is not full", n, page.Number)
			}
			known[page.Number] = got
		}
	}
	if len(known) != 7 {
		t.Errorf("%d pages were seen, want 7", len(known))
	}
}

// itemsOf returns items in the order of their drafts, each of a row of its own.
func itemsOf(drafts ...site.Draft) site.Items {
	var c site.Collection
	for i, d := range drafts {
		d.Row = int64(i + 1)
		c.Add(&d)
	}
	return c.Items()
}

func TestUpdated(t *testing.T) {
	l := &site.List{Items: itemsOf(site.Draft{Published: 5}, site.Draft{Published: 3, Modified: 9}, site.Draft{Published: 20})}
	for n, want := range []int64{0, 5, 9, 20, 20} {
		if got := l.Updated(n); got != want {
			t.Errorf("first %d: %d, want %d", n, got, want)
		}
	}
	if got := new(site.List).Updated(50); got != 0 {
		t.Errorf("empty: %d", got)
	}
}

func TestCompare(t *testing.T) {
	ordered := slices.Collect(itemsOf([]site.Draft{ // newest first
		{Order: 3, ID: "1", Kind: site.Video},
		{Order: 2, ID: "100", Kind: site.Article},
		{Order: 2, ID: "99", Kind: site.Article},
		{Order: 2, ID: "98", Kind: site.Article},
		{Order: 2, ID: "98", Kind: site.Column},
		{Order: 0, ID: "7", Kind: site.Article},
		{Order: -1, ID: "8", Kind: site.Article},
	}...).All())
	for i, a := range ordered {
		for j, b := range ordered {
			got, want := site.Compare(a, b), 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got < 0 != (want < 0) || got > 0 != (want > 0) {
				t.Errorf("Compare(%d, %d) = %d, want the sign of %d", i, j, got, want)
			}
		}
	}
}

func TestItemTimes(t *testing.T) {
	items := itemsOf(site.Draft{Published: 1_000}, site.Draft{Published: 1_000, Modified: 2_500})
	if got := items.At(0).UpdatedTime(); !got.Equal(items.At(0).PublishedTime()) {
		t.Errorf("never changed: updated %v", got)
	}
	if got := items.At(1).UpdatedTime().UnixMilli(); got != 2_500 {
		t.Errorf("updated %d", got)
	}
}
