package wordpress

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"

	"ayna/source/encode"
	"ayna/source/markup"
)

// overlaid are the fields of a post that its entry has.
var overlaid = []string{"id", "type", "date_gmt", "modified_gmt", "link", "guid", "title", "excerpt", "content", "feed_entry", categoryOf}

// kept returns an entry as XML, with what a post needs of it alone: feeds of plug-ins have
// addresses of e-mail, and of pictures that are made of these.
func (e entry) kept() string {
	e.Categories = e.Categories[:min(len(e.Categories), encode.MaxNamed)]
	e.Authors = e.Authors[:min(len(e.Authors), maxAuthors)]
	if link := e.link(); link != "" {
		e.Links = []atomLink{{Href: link}}
	} else {
		e.Links = nil
	}
	text, _ := xml.Marshal(e) // of texts alone, which it can write
	return string(text)
}

// postOf makes a post of an entry. What the entry lacks it keeps from what the archive has.
func (s *Source) postOf(ctx context.Context, id number, e entry) (post, error) {
	if err := s.readWhole(ctx, s.named[categoryOf], true); err != nil {
		return post{}, err
	}
	var before json.RawMessage
	if s.originals != nil {
		stored, err := s.originals.Single(ctx, string(Posts), id.String())
		if err != nil {
			return post{}, fmt.Errorf("post %s of the archive: %w", id, err)
		}
		before = stored
	}
	raw, err := s.feedOriginal(ctx, id, e, before)
	if err != nil {
		return post{}, err
	}
	p, err := s.readFeedPost(raw)
	if err == nil {
		s.hold(p)
	}
	return p, err
}

// readFeedPost reads the original of a post of a feed.
func (s *Source) readFeedPost(raw json.RawMessage) (post, error) {
	p, err := readPost(raw)
	if err != nil {
		return post{}, err
	}
	p.rest, p.raw, p.terms = string(Posts), raw, termsIn(raw, s.knownTaxonomies())
	return p, nil
}

// feedOriginal returns the original of a post of a feed. What the feed lacks it has from the one
// before: also ids, as long as the entry has the names of what these are.
func (s *Source) feedOriginal(ctx context.Context, id number, e entry, before json.RawMessage) (json.RawMessage, error) {
	was, _ := encode.Read[post](before) // one that cannot be read has no ids
	for name, ids := range map[string][]number{tags: was.Tags.IDs, users: {was.Author.ID}} {
		if before == nil {
			break
		}
		if _, err := s.recall(ctx, s.named[name], ids); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := s.categoriesOf(e, was)
	dropped := slices.Clone(overlaid)
	if !e.hasTags(was, ids, &s.lexicon) {
		dropped = append(dropped, tags)
	}
	if !e.hasAuthor(was, &s.lexicon) {
		dropped = append(dropped, "author")
	}
	made := encode.Encode(struct {
		ID         number   `json:"id"`
		Type       string   `json:"type"`
		Entry      string   `json:"feed_entry"`
		Categories []number `json:"categories,omitempty"`
	}{id, "post", e.kept(), ids})
	others := encode.Without(before, func(name string, _ json.RawMessage) bool { return slices.Contains(dropped, name) })
	if string(others) == "{}" {
		return made, nil
	}
	return slices.Concat(made[:len(made)-1], []byte(","), others[1:]), nil
}

// categoriesOf returns the ids of the terms of an entry that are categories of the archive: those
// that its post had, and others by their names. It returns none if the first term, which always is
// a category, is unknown or has the name of several. The lock of mu is held.
func (s *Source) categoriesOf(e entry, was post) (ids []number) {
	byName := s.categoryNames()
	had := make(map[string][]number)
	for _, id := range was.Categories.IDs {
		name := markup.Plain(s.lexicon.categories[id].Name)
		had[name] = append(had[name], id)
	}
	for i, name := range e.terms() {
		isTag := func(id number) bool { return markup.Plain(s.lexicon.tags[id].Name) == name }
		switch found := byName[name]; {
		case had[name] != nil:
			ids = append(ids, had[name]...)
		case i > 0 && slices.ContainsFunc(was.Tags.IDs, isTag):
		case len(found) == 1:
			ids = append(ids, found[0])
		case i == 0:
			return nil
		}
	}
	if slices.Equal(slices.Sorted(slices.Values(ids)), slices.Sorted(slices.Values(was.Categories.IDs))) {
		return was.Categories.IDs // in the order of the REST API
	}
	return ids
}

// categoryNames returns the ids of categories by their names. Those of a run whose REST API is
// closed become more, and do not change.
func (s *Source) categoryNames() map[string][]number {
	f, all := &s.feed, s.lexicon.categories
	if f.names == nil || f.named != len(all) {
		f.names, f.named = make(map[string][]number), len(all)
		for id, t := range all {
			name := markup.Plain(t.Name)
			f.names[name] = append(f.names[name], id)
		}
	}
	return f.names
}

// hasTags reports whether a post still has the tags that it had.
func (e *entry) hasTags(was post, categories []number, l *lexicon) bool {
	var had []string
	for _, id := range was.Tags.IDs {
		had = append(had, markup.Plain(l.tags[id].Name))
	}
	isOther := func(name string) bool { return !slices.Contains(had, name) }
	terms := e.terms()
	isGone := func(name string) bool { return !slices.Contains(terms, name) }
	return !slices.ContainsFunc(e.tags(categories, l.categories), isOther) && !slices.ContainsFunc(had, isGone)
}

// hasAuthor reports whether a post still has the author that it had. The feed of a post with
// several authors does not show it.
func (e *entry) hasAuthor(was post, l *lexicon) bool {
	if len(was.Authors.authors)+len(was.Coauthors.authors)+len(was.Coauthors.terms) > 0 || len(e.Authors) == 0 {
		return true
	}
	name := markup.Plain(e.Authors[0])
	return name == "" || name == markup.Plain(l.users[was.Author.ID].Name)
}

// withoutTexts returns what lists show of a post.
func (p post) withoutTexts() post {
	e := *p.entry
	e.Content, e.Summary = nil, nil
	p.entry, p.raw, p.Entry, p.Content.Text, p.Excerpt.Text = &e, nil, "", "", ""
	return p
}

// hold keeps a post until it is requested, and the folders that it names.
func (s *Source) hold(p post) {
	f := &s.feed
	if before, has := f.posts[p.ID]; has {
		f.bytes -= len(before)
	} else {
		f.order = append(f.order, p.ID)
	}
	f.posts[p.ID], f.bytes = p.raw, f.bytes+len(p.raw)
	for f.bytes > maxHeld && len(f.order) > 1 {
		f.bytes -= len(f.posts[f.order[0]])
		delete(f.posts, f.order[0])
		f.order = f.order[1:]
	}
	if p.Categories.shape != absent || p.isProtected() {
		return
	}
	folders, _ := p.entry.folders(p.Link.Value)
	for _, folder := range folders {
		if len(f.folders) < encode.MaxElements {
			f.folders[folder.path()] = folder.name
		}
	}
}
