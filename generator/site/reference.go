package site

import (
	"cmp"
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
		r.id = fnv1a(fnv1a(fnvOffset, "\x00"), id) &^ withQuery
	}
	return r
}

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
		if !strings.HasPrefix(parameters, "p=") {
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

// match is a key of an item in the index.
type match struct {
	key    uint64
	number uint32
	query  bool // the item's address has one
}

// BuildIndex makes the items findable. It is called once, after [Collection.Sort].
// The index is a sorted slice: a map would take twice the memory.
func (c *Collection) BuildIndex() {
	c.index = make([]match, 0, 2*len(c.records))
	for number, r := range c.records {
		for _, key := range [...]uint64{r.ref.url, r.ref.id} {
			if key != 0 {
				c.index = append(c.index, match{key &^ withQuery, uint32(number), key&withQuery != 0})
			}
		}
	}
	slices.SortFunc(c.index, func(a, b match) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number)) })
}

// Find returns the item that a record refers to, if the site has it. It prefers
// the address to the id: some services give one id to records of different kinds.
func (c *Collection) Find(r Ref) Item {
	if item := c.findKey(r.url &^ withQuery); item.Exists() {
		return item
	}
	return c.findKey(r.id)
}

// findKey returns the first item with a key. It returns none if several items have
// the key and their addresses differ in the query.
func (c *Collection) findKey(key uint64) Item {
	first, found := slices.BinarySearchFunc(c.index, key, func(m match, key uint64) int { return cmp.Compare(m.key, key) })
	if !found {
		return Item{}
	}
	matches := c.index[first:]
	if end := slices.IndexFunc(matches, func(m match) bool { return m.key != key }); end >= 0 {
		matches = matches[:end]
	}
	if len(matches) > 1 && slices.ContainsFunc(matches, func(m match) bool { return m.query }) {
		return Item{}
	}
	return Item{c, matches[0].number}
}

// ByURL returns the item with an address at the source, if the site has it.
func (c *Collection) ByURL(url string) Item { return c.Find(Ref{url: urlKey(url)}) }
