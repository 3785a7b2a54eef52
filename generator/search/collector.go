package search

// entry is where a term is found: in titles, and elsewhere only.
type entry struct {
	title, other positions

	found, titled bool // in the item at hand, and in its title
}

// collector collects the terms of items, one item after the other.
type collector struct {
	entries  map[string]*entry
	most     int      // words of an item that are indexed
	of       []*entry // the item at hand
	position int      // its place
}

// text adds the words of a text of the item, if there is room for them.
func (c *collector) text(title bool, text string) {
	eachTerm(text, func(term []byte) {
		if len(c.of) < c.most {
			c.add(title, term)
		}
	})
}

func (c *collector) add(title bool, term []byte) {
	e := c.entries[string(term)]
	if e == nil {
		e = new(entry)
		c.entries[string(term)] = e
	}
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
