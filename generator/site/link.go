package site

import "strings"

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

// match is the item that a key stands for.
type match struct {
	number    uint32
	query     bool // the item's address has one
	ambiguous bool // other items have the key too, and queries tell them apart
}

// BuildIndex makes the items findable. It is called once, after [Collection.Sort]: of
// several items with one address or id the first is found, or none if the
// addresses differ in their queries.
func (c *Collection) BuildIndex() {
	c.index = make(map[uint64]match, 2*len(c.records))
	for number, r := range c.records {
		c.addKey(r.ref.url, uint32(number))
		c.addKey(r.ref.id, uint32(number))
	}
}

func (c *Collection) addKey(key uint64, number uint32) {
	if key == 0 {
		return
	}
	query := key&withQuery != 0
	key &^= withQuery
	known, taken := c.index[key]
	switch {
	case !taken:
		c.index[key] = match{number: number, query: query}
	case query || known.query:
		known.ambiguous = true
		c.index[key] = known
	}
}

// Find returns the item that a record refers to, if the site has it. It prefers
// the address to the id: some services give one id to records of different kinds.
func (c *Collection) Find(r Ref) Item {
	for _, key := range [...]uint64{r.url &^ withQuery, r.id} {
		if m, ok := c.index[key]; ok && !m.ambiguous {
			return Item{c, m.number}
		}
	}
	return Item{}
}

// ByURL returns the item with an address at the source, if the site has it.
func (c *Collection) ByURL(url string) Item { return c.Find(Ref{url: urlKey(url)}) }
