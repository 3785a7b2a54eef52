package site

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	neturl "net/url"
	"slices"
	"strings"
)

// Ref identifies a record by digests of its address at the source and of its id,
// each 0 if unknown.
type Ref struct{ url, id uint64 }

// RefTo returns the reference to a record; both arguments may be empty. The scheme
// of the address, a leading "www.", a trailing slash, percent signs for letters, query
// and fragment do not matter.
func RefTo(id, url string) Ref {
	r := Ref{url: urlKey(url)}
	if id != "" {
		r.id = idKey(id)
	}
	return r
}

// RefToLink returns a reference for [Site.Seal] that finds at least what [Site.ByURL] finds.
func RefToLink(url string) Ref {
	r := Ref{url: urlKey(url)}
	if _, id := splitShort(url); id != "" {
		r.id = idKey(id)
	}
	return r
}

func idKey(id string) uint64 { return fnv1a(fnv1a(fnvOffset, "\x00"), id) &^ withQuery }

// withQuery is the bit of a key that is set if the address has a query.
const withQuery = 1

// urlKey returns the key of an address, with the bit withQuery if it has a query. It
// is 0 for addresses without a path, such as a home page; but "/?p=12" is a post of
// WordPress with plain permalinks.
func urlKey(url string) uint64 {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return 0
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, parameters, query := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	if strings.Contains(path, "%") {
		if decoded, err := neturl.PathUnescape(path); err == nil {
			path = decoded
		}
	}
	path = strings.Trim(path, "/")
	if path == "" {
		if shortID(parameters) == "" {
			return 0
		}
		path, _, _ = strings.Cut("?"+parameters, "&")
		query = false
	}
	key := fnv1a(fnvOffset, strings.TrimPrefix(strings.ToLower(host), "www."))
	key = fnv1a(fnv1a(key, "/"), path) &^ withQuery
	if query {
		key |= withQuery
	}
	return key
}

// shortID returns the id in the query of a post's short address in WordPress, "?p=12" or
// "?page_id=12"; "" if it is another query.
func shortID(query string) string {
	id, ok := strings.CutPrefix(query, "p=")
	if !ok {
		id, ok = strings.CutPrefix(query, "page_id=")
	}
	id, _, _ = strings.Cut(id, "&")
	if !ok || strings.Trim(id, "0123456789") != "" {
		return ""
	}
	return id
}

// splitShort returns the host and the id of a short address, both "" of another one.
func splitShort(url string) (host, id string) {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "#")
	address, query, _ := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(address, "/")
	if id = shortID(query); id == "" || strings.Contains(path, ".") { // of another program
		return "", ""
	}
	host, _, _ = strings.Cut(host, ":") // the port
	return strings.TrimPrefix(strings.ToLower(host), "www."), id
}

// fnv1a adds a text to the FNV-1a hash h, which starts as fnvOffset. hash/fnv would
// copy each text.
func fnv1a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// fnvOffset is the FNV-1a hash of an empty text.
const fnvOffset = 14695981039346656037

// match is a former key of an item.
type match struct {
	key    uint64
	number uint32
	query  bool // the address has one
}

// A former address of an item.
type former struct {
	row   int64
	key   uint64
	short uint64 // key of the id in a short address, else 0
}

// AddFormer adds an address at the source that the record of a row had before, or has too.
func (c *Collection) AddFormer(row int64, url string) {
	f := former{row: row, key: urlKey(url)}
	if _, id := splitShort(url); id != "" {
		if f.key&withQuery != 0 {
			return // its key is that of the home page below a path
		}
		f.short = idKey(id)
	}
	if f.key&^withQuery != 0 {
		c.formers = append(c.formers, f)
	}
}

// BuildIndex makes the items findable. It is called once, after [Collection.Sort] and
// [Collection.AddFormer].
func (c *Collection) BuildIndex() {
	slices.SortFunc(c.formers, func(a, b former) int { return cmp.Compare(a.row, b.row) })
	c.multiplier = rand.Uint64() | 1
	c.index = make([]uint32, 1<<bits.Len(uint(4*len(c.records))))
	for number, r := range c.records {
		c.addKey(r.ref.url, uint32(number)<<2)
		c.addKey(r.ref.id, uint32(number)<<2|isID)
		if len(c.formers) > 0 {
			c.indexFormers(uint32(number), &r)
		}
	}
	c.formers = nil
	slices.SortFunc(c.formerIndex, func(a, b match) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) })
}

func (c *Collection) indexFormers(number uint32, r *record) {
	first, _ := slices.BinarySearchFunc(c.formers, r.row, func(f former, row int64) int { return cmp.Compare(f.row, row) })
	for _, f := range c.formers[first:] {
		if f.row != r.row {
			break
		}
		if f.short == 0 || f.short != r.ref.id { // else [Site.ByURL] finds it by the id
			c.formerIndex = append(c.formerIndex, match{f.key &^ withQuery, number, f.key&withQuery != 0})
		}
	}
}

// Bits of an element of Collection.index below the number of the item.
const (
	isAmbiguous = 1 << iota // several items have the key, and their addresses differ in the query
	isID                    // the key is that of the id
)

// slot returns where a key is in the index, or where it would be, and what is there. The index
// is a hash table that is at most half full. The place is the top of a product, which all bits
// of a key change; the multiplier is random, so that nobody can make addresses that share a place.
func (c *Collection) slot(key uint64) (slot *uint32, found uint64) {
	mask := uint64(len(c.index) - 1)
	for at := (key &^ withQuery) * c.multiplier >> (64 - bits.Len64(mask)); ; at++ {
		slot = &c.index[at&mask]
		if *slot == 0 {
			return slot, 0
		}
		ref := &c.records[(*slot-1)>>2].ref
		found = ref.url
		if (*slot-1)&isID != 0 {
			found = ref.id
		}
		if found&^withQuery == key&^withQuery {
			return slot, found
		}
	}
}

// addKey adds a key of an item; 0 is none. The first of several items with a key stays.
func (c *Collection) addKey(key uint64, entry uint32) {
	if key == 0 {
		return
	}
	switch slot, found := c.slot(key); {
	case *slot == 0:
		*slot = entry + 1
	case (key|found)&withQuery != 0:
		*slot = ((*slot - 1) | isAmbiguous) + 1
	}
}

// Find returns the item that a record refers to, if the site has it. It prefers
// the address to the id, as some services give one id to records of different kinds, and a
// present address to a former one.
func (c *Collection) Find(r Ref) Item {
	if item := c.findKey(r.url); item.Exists() {
		return item
	}
	if item := c.findFormer(r.url &^ withQuery); item.Exists() {
		return item
	}
	return c.findKey(r.id)
}

// findKey returns the first item with a key. It returns none if several items
// have the key and their addresses differ in the query.
func (c *Collection) findKey(key uint64) Item {
	if key == 0 || len(c.index) == 0 {
		return Item{}
	}
	slot, _ := c.slot(key)
	if *slot == 0 || (*slot-1)&isAmbiguous != 0 {
		return Item{}
	}
	return Item{c, (*slot - 1) >> 2}
}

// findFormer is findKey for former addresses.
func (c *Collection) findFormer(key uint64) Item {
	first, found := slices.BinarySearchFunc(c.formerIndex, key, func(m match, key uint64) int { return cmp.Compare(m.key, key) })
	if !found {
		return Item{}
	}
	matches := c.formerIndex[first:]
	if end := slices.IndexFunc(matches, func(m match) bool { return m.key != key }); end >= 0 {
		matches = matches[:end]
	}
	if len(matches) > 1 && slices.ContainsFunc(matches, func(m match) bool { return m.query }) {
		return Item{}
	}
	return Item{c, matches[0].number}
}

// ByURL returns the item with an address at the source, if the site has it. A short address
// of WordPress, as in "https://kiyi.example/?p=12", leads to the item with that id.
func (s *Site) ByURL(url string) Item {
	if item := s.Find(Ref{url: urlKey(url)}); item.Exists() {
		return item
	}
	if host, id := splitShort(url); id != "" && host == s.SourceHost {
		return s.findKey(idKey(id))
	}
	return Item{}
}
