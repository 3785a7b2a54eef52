package wordpress

import (
	"encoding/json"

	"ayna/source/encode"
	"ayna/source/markup"
)

// A lexicon has what posts name by ids: each map may lack some.
type lexicon struct {
	categories categories
	tags       map[number]term
	users      map[number]user
	userIDs    map[string]number // by their slugs
	coauthors  map[number]term
	guests     map[string]coauthor // by their slugs
	media      map[number]media
	columns    []string // slugs of categories and tags whose posts are columns
	site       string   // address of the site, against which those of records are resolved
}

func newLexicon(columns []string, site string) *lexicon {
	return &lexicon{make(categories), make(map[number]term), make(map[number]user), make(map[string]number),
		make(map[number]term), make(map[string]coauthor), make(map[number]media), columns, site}
}

// add adds elements of a list by its REST name.
func (l *lexicon) add(name string, elements map[string]json.RawMessage) {
	for id, raw := range elements {
		switch name {
		case categoryOf:
			set(l.categories, raw, func(t *term) (number, *string) { return t.ID, &t.Link }, l.site)
		case tags:
			set(l.tags, raw, func(t *term) (number, *string) { return t.ID, &t.Link }, l.site)
		case users:
			set(l.users, raw, func(u *user) (number, *string) {
				if u.ID > 0 {
					l.userIDs[u.Slug] = u.ID
				}
				return u.ID, &u.Link
			}, l.site)
		case coauthorsOf:
			set(l.coauthors, raw, func(t *term) (number, *string) { return t.ID, &t.Link }, l.site)
		case guestsOf:
			if c, err := encode.Read[coauthor](raw); err == nil {
				l.guests[id] = c
			}
		case mediaOf:
			set(l.media, raw, func(m *media) (number, *string) { return m.ID, &m.Address }, l.site)
		}
	}
}

// set adds an element, whose address becomes absolute.
func set[T any](all map[number]T, raw json.RawMessage, fields func(*T) (id number, address *string), site string) {
	value, err := encode.Read[T](raw)
	if err != nil {
		return
	}
	id, address := fields(&value)
	if *address = markup.Resolve(site, *address); id > 0 {
		all[id] = value
	}
}

// unnamed names content of a post that it names by ids which are in lists that failed: it
// is unknown, not empty.
func (l *lexicon) unnamed(p post, isBroken func(name string) bool) (words []string) {
	if isBroken(categoryOf) && lacksOne(l.categories, p.Categories.IDs) {
		words = append(words, "folder")
	}
	if isBroken(users) && p.Author.ID > 0 && lacksOne(l.users, []number{p.Author.ID}) {
		words = append(words, "writer")
	}
	if len(p.Authors.authors) == 0 && (isBroken(coauthorsOf) && lacksOne(l.coauthors, p.Coauthors.terms) || isBroken(guestsOf) && l.lacksGuest(p)) {
		words = append(words, "writer")
	}
	if isBroken(tags) && lacksOne(l.tags, p.Tags.IDs) {
		words = append(words, "tags")
	}
	return words
}

// unseen reports whether a post shows a picture that is in the list of media, which failed.
func (l *lexicon) unseen(p post, isBroken func(name string) bool) bool {
	return isBroken(mediaOf) && p.Picture.ID > 0 && lacksOne(l.media, []number{p.Picture.ID})
}

func lacksOne[T any](all map[number]T, ids []number) bool {
	for _, id := range ids {
		if _, has := all[id]; !has {
			return true
		}
	}
	return false
}
