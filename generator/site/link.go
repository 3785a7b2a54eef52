package site

import (
	"cmp"
	"math/bits"
	"slices"
)

// await keeps what an item refers to until all items are there: how many
// references of either sort there are, what the item itself is found by, and
// they.
func (c *Collection) await(d *Draft) place {
	at, kept := c.refs.take(2 + len(d.Related) + len(d.Links))
	kept[0], kept[1] = Ref{uint64(len(d.Related)), uint64(len(d.Links))}, d.Ref
	copy(kept[2:], d.Related)
	copy(kept[2+len(d.Related):], d.Links)
	return at
}

// Link makes items findable and links them with those that they refer to. It is
// called once, when they are in their order: of several that claim an address
// or an id the first one keeps it. If their queries tell them apart, an address
// stands for none.
func (c *Collection) Link() {
	claims := make([]claim, 0, 2*len(c.records))
	for number := range c.records {
		ref := c.refs.from(c.records[number].refs)[1]
		for _, key := range [...]uint64{ref.url, ref.id} {
			if key != 0 {
				claims = append(claims, claim{key &^ withQuery, uint32(number), key&withQuery != 0})
			}
		}
	}
	c.index = newIndex(claims)
	var found []uint32
	link := func(refs []Ref, but int) place {
		found = found[:0]
		for _, ref := range refs {
			if number, ok := c.index.find(ref); ok && int(number) != but {
				found = append(found, number)
			}
		}
		return c.lists.keep(Once(found))
	}
	for number := range c.records {
		r := &c.records[number]
		refs := c.refs.from(r.refs)
		related, links := int(refs[0].url), int(refs[0].id)
		r.related = link(refs[2:2+related], number)
		r.links = link(refs[2+related:2+related+links], -1)
	}
	c.refs = pool[Ref]{}
}

// Once takes from a list all numbers but the first of those that are equal.
func Once(numbers []uint32) []uint32 {
	const few = 32
	if len(numbers) > few {
		seen := make(map[uint32]bool)
		return slices.DeleteFunc(numbers, func(number uint32) bool {
			before := seen[number]
			seen[number] = true
			return before
		})
	}
	kept := numbers[:0]
	for _, number := range numbers {
		if !slices.Contains(kept, number) {
			kept = append(kept, number)
		}
	}
	return kept
}

// claim is what an item is found by.
type claim struct {
	key    uint64
	number uint32
	query  bool // beside the address
}

// index finds items by digests of their addresses and ids.
type index struct {
	keys    []uint64 // rising
	numbers []uint32 // beside keys
	shift   int
	starts  []uint32 // by the first bits of keys: where those begin that have them; and the end
}

func newIndex(claims []claim) index {
	slices.SortFunc(claims, func(a, b claim) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) })
	claims = settle(claims)
	size := bits.Len(uint(len(claims) / 4))
	x := index{
		keys: make([]uint64, len(claims)), numbers: make([]uint32, len(claims)),
		shift: 64 - size, starts: make([]uint32, 1<<size+1),
	}
	for i, c := range claims {
		x.keys[i], x.numbers[i] = c.key, c.number
		x.starts[c.key>>x.shift+1] = uint32(i + 1)
	}
	for i := range x.starts[1:] {
		x.starts[i+1] = max(x.starts[i+1], x.starts[i])
	}
	return x
}

// settle leaves one of the claims to a key, or none. They are sorted.
func settle(claims []claim) []claim {
	kept := claims[:0]
	for len(claims) > 0 {
		n := 1
		for n < len(claims) && claims[n].key == claims[0].key {
			n++
		}
		if n == 1 || !slices.ContainsFunc(claims[:n], func(c claim) bool { return c.query }) {
			kept = append(kept, claims[0])
		}
		claims = claims[n:]
	}
	return kept
}

// find returns the item that a record refers to. An address says more than an
// id: some services give the same id to things of different kinds.
func (x *index) find(r Ref) (number uint32, found bool) {
	for _, key := range [...]uint64{r.url &^ withQuery, r.id} {
		if key == 0 || len(x.keys) == 0 {
			continue
		}
		first := key >> x.shift
		from, to := x.starts[first], x.starts[first+1]
		if at, found := slices.BinarySearch(x.keys[from:to], key); found {
			return x.numbers[int(from)+at], true
		}
	}
	return 0, false
}

// Find returns the item that a record refers to, if it is there.
func (c *Collection) Find(r Ref) Item {
	if number, found := c.index.find(r); found {
		return Item{c, number}
	}
	return Item{}
}

// ByURL returns the item whose address at the source is url, if it is there.
func (c *Collection) ByURL(url string) Item { return c.Find(Ref{url: urlKey(url)}) }
