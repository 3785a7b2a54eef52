package site

import (
	"cmp"
	"slices"
	"strings"
)

// Ref identifies a record by digests of its address at the source and of its id,
// each 0 if unknown.
type Ref struct{ url, id uint64 }

// RefTo returns the reference to a record; both arguments may be empty. The scheme
// of the address, a leading "www.", a trailing slash, query and fragment do not
// matter.
func RefTo(id, url string) Ref {
	r := Ref{url: urlKey(url)}
	if id != "" {
		r.id = fnv1a(fnv1a(fnvOffset, "\x00"), id) &^ withQuery
	}
	return r
}

// withQuery marks the key of an address with a query.
const withQuery = 1

// urlKey returns the key of an address. Its mark shows that there is a query, which
// may make a difference. Addresses without a path, as of a home page, have none.
func urlKey(url string) uint64 {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return 0
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, query := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	path = strings.Trim(path, "/")
	if path == "" {
		return 0
	}
	key := fnv1a(fnvOffset, strings.TrimPrefix(strings.ToLower(host), "www."))
	key = fnv1a(fnv1a(key, "/"), path) &^ withQuery
	if query {
		key |= withQuery
	}
	return key
}

// fnv1a continues the FNV-1a hash h with a text. The first one has fnvOffset.
// hash/fnv would copy each text.
func fnv1a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// fnvOffset is the FNV-1a hash of an empty text.
const fnvOffset = 14695981039346656037

// addRefs stores the references of an item until all items are there: the numbers
// of related items and of links, the item's own reference, and these references.
func (c *Collection) addRefs(d *Draft) place {
	at, stored := c.refs.add(2 + len(d.Related) + len(d.Links))
	stored[0], stored[1] = Ref{uint64(len(d.Related)), uint64(len(d.Links))}, d.Ref
	copy(stored[2:], d.Related)
	copy(stored[2+len(d.Related):], d.Links)
	return at
}

// Link links the items with those that they refer to, and makes them findable. It
// is called once, after [Collection.Sort]: of several items with one address or id
// the first is found, or none if the addresses differ in their queries.
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
	link := func(refs []Ref, self int) place {
		found = found[:0]
		for _, ref := range refs {
			if number, ok := c.index.find(ref); ok && int(number) != self {
				found = append(found, number)
			}
		}
		return c.lists.add(Once(found))
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

// Once removes duplicates and keeps the order.
func Once(numbers []uint32) []uint32 {
	seen := make(map[uint32]bool, 8)
	return slices.DeleteFunc(numbers, func(number uint32) bool {
		before := seen[number]
		seen[number] = true
		return before
	})
}

// claim is a key by which an item may be found.
type claim struct {
	key    uint64
	number uint32
	query  bool // the address has one
}

// index finds items by the keys of their addresses and ids. A map would take twice
// the memory.
type index struct {
	keys    []uint64 // sorted
	numbers []uint32 // in the order of keys
}

func newIndex(claims []claim) index {
	slices.SortFunc(claims, func(a, b claim) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) })
	claims = unambiguous(claims)
	x := index{keys: make([]uint64, len(claims)), numbers: make([]uint32, len(claims))}
	for i, c := range claims {
		x.keys[i], x.numbers[i] = c.key, c.number
	}
	return x
}

// unambiguous keeps at most one of the claims with the same key. They are sorted.
func unambiguous(claims []claim) []claim {
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

// find prefers the address to the id: some services give one id to records of
// different kinds.
func (x *index) find(r Ref) (number uint32, found bool) {
	for _, key := range [...]uint64{r.url &^ withQuery, r.id} {
		if at, found := slices.BinarySearch(x.keys, key); found && key != 0 {
			return x.numbers[at], true
		}
	}
	return 0, false
}

// Find returns the item that a record refers to, if the site has it.
func (c *Collection) Find(r Ref) Item {
	if number, found := c.index.find(r); found {
		return Item{c, number}
	}
	return Item{}
}

// ByURL returns the item with an address at the source, if the site has it.
func (c *Collection) ByURL(url string) Item { return c.Find(Ref{url: urlKey(url)}) }
