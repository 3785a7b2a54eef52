package search

import "ayna/generator/site"

// entry is where a term is found: in titles, and elsewhere only.
type entry struct {
	title, other positions

	found, titled bool // in the item at hand, and in its title
}

// collector collects the terms of items, one item after the other.
type collector struct {
	entries  map[string]*entry
	names    map[string][]*entry     // of their words
	keys     map[*site.Folder]string // of folders
	words    words
	most     int
	title    bool     // they are of a title
	of       []*entry // the item at hand
	position int      // its place
	term     []byte   // room for a filter's
}

// newCollector returns one of at most so many words of an item.
func newCollector(most int) *collector {
	c := &collector{entries: make(map[string]*entry), names: make(map[string][]*entry), keys: make(map[*site.Folder]string), most: most}
	c.words.found = func(term []byte) {
		if len(c.of) < most {
			c.mark(c.entry(term), c.title)
		}
	}
	return c
}

// text adds the words of a text of the item, if there is room for them.
func (c *collector) text(text string, title bool) {
	c.title = title
	c.words.read(text)
}

// name adds the words of a name, which many items have, if there is room for
// them.
func (c *collector) name(name string) {
	entries, known := c.names[name]
	if !known {
		w := words{found: func(term []byte) { entries = append(entries, c.entry(term)) }}
		w.read(name)
		c.names[name] = entries
	}
	for _, e := range entries {
		if len(c.of) < c.most {
			c.mark(e, false)
		}
	}
}

// filter adds what the item can be filtered by.
func (c *collector) filter(sort, value string) {
	c.term = append(append(c.term[:0], sort...), value...)
	c.mark(c.entry(c.term), true)
}

func (c *collector) entry(term []byte) *entry {
	e := c.entries[string(term)]
	if e == nil {
		e = new(entry)
		c.entries[string(term)] = e
	}
	return e
}

// mark notes that the item at hand has a term.
func (c *collector) mark(e *entry, title bool) {
	if !e.found {
		c.of = append(c.of, e)
	}
	e.found, e.titled = true, e.titled || title
}

// next goes on to the next item.
func (c *collector) next() {
	for _, e := range c.of {
		list := &e.other
		if e.titled {
			list = &e.title
		}
		list.add(c.position)
		e.found, e.titled = false, false
	}
	c.of = c.of[:0]
	c.position++
}
