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

// match is a key of an item in the index.
type match struct {
	key    uint64
	number uint32
	query  bool // the item's address has one
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
// [Collection.AddFormer]. The indexes are sorted slices: maps would take twice the memory.
func (c *Collection) BuildIndex() {
	slices.SortFunc(c.formers, func(a, b former) int { return cmp.Compare(a.row, b.row) })
	for number, r := range c.records {
		first, _ := slices.BinarySearchFunc(c.formers, r.row, func(f former, row int64) int { return cmp.Compare(f.row, row) })
		for _, f := range c.formers[first:] {
			if f.row != r.row {
				break
			}
			if f.short == 0 || f.short != r.ref.id { // else [Site.ByURL] finds it by the id
				c.formerIndex = append(c.formerIndex, match{f.key &^ withQuery, uint32(number), f.key&withQuery != 0})
			}
		}
	}
	c.formers = nil
	slices.SortFunc(c.formerIndex, compareMatches)
	c.index = make([]match, 0, 2*len(c.records))
	for number, r := range c.records {
		for _, key := range [...]uint64{r.ref.url, r.ref.id} {
			if key != 0 {
				c.index = append(c.index, match{key &^ withQuery, uint32(number), key&withQuery != 0})
			}
		}
	}
	slices.SortFunc(c.index, compareMatches)
}

func compareMatches(a, b match) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number))
}

// Find returns the item that a record refers to, if the site has it. It prefers
// the address to the id, as some services give one id to records of different kinds, and a
// present address to a former one.
func (c *Collection) Find(r Ref) Item {
	for _, by := range []struct {
		index []match
		key   uint64
	}{{c.index, r.url &^ withQuery}, {c.formerIndex, r.url &^ withQuery}, {c.index, r.id}} {
		if item := c.findKey(by.index, by.key); item.Exists() {
			return item
		}
	}
	return Item{}
}

// findKey returns the first item with a key in an index. It returns none if several items
// have the key and their addresses differ in the query.
func (c *Collection) findKey(index []match, key uint64) Item {
	first, found := slices.BinarySearchFunc(index, key, func(m match, key uint64) int { return cmp.Compare(m.key, key) })
	if !found {
		return Item{}
	}
	matches := index[first:]
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
		return s.findKey(s.index, idKey(id))
	}
	return Item{}
}
