package wordpress

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/markup"
	"ayna/source/names"
)

// Plug-ins give posts several authors, in one of these fields: objects with names, or ids of terms
// of the list of the same name, whose slugs are those of users and of guests.
const (
	authorsField = "authors"
	coauthorsOf  = "coauthors"
	// guestsOf are the authors that such a list names by their slugs alone.
	guestsOf = "coauthors/v1/coauthors"
)

// Terms are asked for without their names, which are those that users log in with, and without
// their descriptions, which hold addresses of e-mail; guests without avatars.
const (
	coauthorFields = "id,slug"
	guestFields    = "id,display_name,user_nicename,link"
)

// coauthorMembers are what is kept of an object with a name.
var coauthorMembers = strings.Split("id,term_id,user_id,is_guest,display_name,name,slug,user_nicename,link,job_title", ",")

// A coauthor is an author as a plug-in shows it.
type coauthor struct {
	ID       number `json:"id"`
	Term     number `json:"term_id"`
	User     number `json:"user_id"`
	Display  text   `json:"display_name"`
	Name     text   `json:"name"`
	Slug     text   `json:"slug"`
	Nicename text   `json:"user_nicename"`
}

func (c coauthor) name() string {
	return markup.Plain(cmp.Or(c.Display.Value, c.Name.Value))
}

// isTerm reports whether the name is the one that a user logs in with.
func (c coauthor) isTerm() bool { return c.Display.Value == "" && strings.HasPrefix(c.slug(), "cap-") }

func (c coauthor) slug() string { return cmp.Or(c.Nicename.Value, c.Slug.Value) }

// A byline is a field with the authors of a post. Other contents of such a field are ignored.
type byline struct {
	terms   []number
	authors []coauthor
}

func (b *byline) UnmarshalJSON(data []byte) error {
	*b = byline{}
	for raw := range encode.Elements(data) {
		if id, ok := readNumber(raw); ok && id > 0 {
			b.terms = append(b.terms, id)
		} else if c, err := encode.Read[coauthor](raw); err == nil && c.name() != "" && !c.isTerm() {
			b.authors = append(b.authors, c)
		}
		if len(b.terms)+len(b.authors) == encode.MaxNamed {
			break
		}
	}
	return nil
}

// writers returns the authors that a plug-in gives a post, in its order: none if it gives none, or
// if one of them is not known.
func (l *lexicon) writers(p post) (list []encode.Author) {
	authors := append(slices.Clone(p.Authors.authors), p.Coauthors.authors...)
	if len(authors) == 0 {
		for _, id := range p.Coauthors.terms {
			t, ok := l.coauthors[id]
			if !ok {
				return nil
			}
			c := coauthor{Term: id, Name: text{Value: nicename(t)}, Nicename: text{Value: nicename(t)}}
			c.Display = l.guests[c.slug()].Display
			authors = append(authors, c)
		}
	}
	for _, c := range authors {
		w := encode.Author{ID: c.id(), Fullname: markup.Escape(c.name())}
		if u, ok := l.users[cmp.Or(c.User, l.userIDs[c.slug()])]; ok {
			w = encode.Author{ID: userID(u.ID), Fullname: markup.Escape(markup.Plain(u.Name))}
		}
		if !slices.ContainsFunc(list, func(o encode.Author) bool { return o.ID == w.ID }) {
			list = append(list, w)
		}
	}
	return list
}

// id returns the id of a writer who is no user.
func (c coauthor) id() string {
	switch {
	case c.Term > 0:
		return "coauthor-" + c.Term.String()
	case c.ID > 0:
		return "coauthor-" + c.ID.String()
	}
	return "coauthor-" + cmp.Or(c.slug(), c.name())
}

// hasSlug reports whether a term names an author.
func hasSlug(raw json.RawMessage) bool {
	e, err := encode.Read[struct{ Slug text }](raw)
	return err == nil && e.Slug.Value != ""
}

// nicename returns the slug of the author who is named by a term.
func nicename(t term) string { return strings.TrimPrefix(t.Slug, "cap-") }

// lacksGuest reports whether the name of an author who is no user is not known.
func (l *lexicon) lacksGuest(p post) bool {
	return slices.ContainsFunc(p.Coauthors.terms, func(id number) bool {
		slug := nicename(l.coauthors[id])
		_, isUser := l.userIDs[slug]
		return slug != "" && !isUser && l.guests[slug].Display.Value == ""
	})
}

// nameCoauthors reads the authors whom posts name by ids. Guests, who are no users, are asked for
// one by one: those that the archive does not know, and in a sweep those of the posts that it reads.
func (s *Source) nameCoauthors(ctx context.Context, posts []post) error {
	var ids []number
	for _, p := range posts {
		if len(p.Authors.authors) == 0 {
			ids = append(ids, p.Coauthors.terms...)
		}
	}
	if err := s.readSome(ctx, s.named[coauthorsOf], ids, false); err != nil {
		return err
	}
	s.guestMu.Lock() // posts that other requests bring wait for their guests
	defer s.guestMu.Unlock()
	for _, slug := range s.unnamedGuests(ids) {
		if err := s.readGuest(ctx, slug); err != nil {
			return err
		}
	}
	return nil
}

// unnamedGuests returns the slugs of authors who are no users, and whom this run has not asked for.
func (s *Source) unnamedGuests(ids []number) (slugs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		t, ok := s.lexicon.coauthors[id]
		slug := nicename(t)
		if _, isUser := s.lexicon.userIDs[slug]; ok && !isUser && !s.guestsAsked[slug] && !slices.Contains(slugs, slug) && fieldName.MatchString(slug) {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}

// readGuest reads the name of a guest. Without an answer, what is known stays.
func (s *Source) readGuest(ctx context.Context, slug string) error {
	known := make(map[string]json.RawMessage)
	if s.originals != nil {
		var err error
		if known, err = s.originals.Some(ctx, guestsOf, []string{slug}); err != nil {
			return fmt.Errorf("%s of the archive: %w", guestsOf, err)
		}
	}
	if (known[slug] == nil || s.isSweep.Load()) && !s.isFeed.Load() {
		a, err := s.optional(ctx, "/"+guestsOf+"/"+slug, url.Values{"_fields": {guestFields}}, get.ObjectWith("display_name"))
		switch {
		case err != nil && !names.IsOfList(err):
			return err
		case err != nil && !names.IsClosed(err):
			s.lack(guestsOf, err)
		case err == nil && !s.getter.KeyGuard().InJSON(a.Body):
			known[slug] = encode.Without(a.Body, func(name string, _ json.RawMessage) bool { return !slices.Contains(coauthorMembers, name) })
			if s.originals != nil {
				if err := s.originals.Put(ctx, []source.Original{{Type: guestsOf, ID: slug, Operation: "/" + guestsOf, Data: known[slug]}}); err != nil {
					return fmt.Errorf("keep %s: %w", guestsOf, err)
				}
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lexicon.add(guestsOf, known)
	s.guestsAsked[slug] = true
	return nil
}

// recallCoauthors adds what the archive knows of the authors of posts: terms, guests, and, since
// slugs name them, all users.
func (s *Source) recallCoauthors(ctx context.Context, l *lexicon, posts []post) error {
	var terms []number
	named := false
	for _, p := range posts {
		terms = append(terms, p.Coauthors.terms...)
		named = named || len(p.Authors.authors)+len(p.Coauthors.authors) > 0
	}
	if s.originals == nil || len(terms) == 0 && !named {
		return nil
	}
	if err := s.recallInto(ctx, l, coauthorsOf, terms); err != nil {
		return err
	}
	slugs := make(map[string]bool)
	for _, t := range l.coauthors {
		slugs[nicename(t)] = true
	}
	guests, err := s.originals.Some(ctx, guestsOf, slices.Sorted(maps.Keys(slugs)))
	if err != nil {
		return fmt.Errorf("%s of the archive: %w", guestsOf, err)
	}
	l.add(guestsOf, guests)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recalled == nil {
		all, err := s.originals.All(ctx, users)
		if err != nil {
			return fmt.Errorf("%s of the archive: %w", users, err)
		}
		s.recalled = newLexicon(nil, l.site)
		s.recalled.add(users, all)
	}
	l.users, l.userIDs = s.recalled.users, s.recalled.userIDs // which nobody changes
	return nil
}

// isByline reports whether a field has objects with authors.
func isByline(name string, value json.RawMessage) bool {
	return (name == authorsField || name == coauthorsOf) && bytes.Contains(value, []byte("{"))
}

// keptAuthors returns a field with authors without the members that are not kept, as avatars, whose
// address has a hash of an e-mail address.
func keptAuthors(value json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	for raw := range encode.Elements(value) {
		if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
			raw = encode.Without(raw, func(name string, _ json.RawMessage) bool { return !slices.Contains(coauthorMembers, name) })
		}
		list = append(list, raw)
	}
	return encode.Encode(list)
}
