package wordpress

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ayna/record"
	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/names"
)

// Fetch returns single records by their ids. Those that the answer lacks are left out: they
// are gone, not public, or their list is broken.
func (s *Source) Fetch(ctx context.Context, group source.Group, ids []string) ([]source.Answer, error) {
	switch {
	case group == source.Pages, group == source.Paths && s.isFeed.Load(): // whose folders have names alone
		batch, err := s.List(ctx, group, source.Query{})
		return listed(batch.Records, ids), err
	case group == source.Writers:
		return s.namesOf(ctx, s.named[users], ids)
	case group == source.Paths:
		return s.namesOf(ctx, s.named[categoryOf], ids)
	}
	if err := s.readLexicon(ctx, ""); err != nil {
		return nil, err
	}
	var wanted []number
	for _, id := range ids {
		n, err := strconv.ParseInt(id, 10, 64)
		if err != nil || n <= 0 {
			return nil, fmt.Errorf("record %q: %w", id, get.ErrID)
		}
		wanted = append(wanted, number(n))
	}
	if s.isFeed.Load() {
		found, failed := s.heldPosts(ctx, wanted)
		answers, err := s.answers(ctx, wanted, found, nil)
		for i := range answers {
			if answers[i].State == source.LeftOut {
				answers[i].Err = failed[wanted[i]]
			}
		}
		return answers, err
	}
	found, failed, err := s.postsOf(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if failed != nil && len(found) == 0 {
		return nil, failed
	}
	return s.answers(ctx, wanted, found, failed)
}

// namesOf returns the writers or folders with the ids, of the list that was read whole. It says
// nothing of others.
func (s *Source) namesOf(ctx context.Context, n *named, ids []string) ([]source.Answer, error) {
	if err := s.readLexicon(ctx, n.name); err != nil {
		return nil, err
	}
	if err := s.tell(n); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answers := make([]source.Answer, len(ids))
	for i, id := range ids {
		_, key, _ := strings.Cut(id, "-")
		at, ok := readNumber([]byte(key))
		_, isKnown := n.known[key]
		if answers[i] = (source.Answer{ID: id, State: source.LeftOut}); ok && isKnown && !n.gone[key] && n.record(key) == id {
			answers[i].State, answers[i].Record = source.Present, s.lexicon.named(n, at)
		}
	}
	return answers, nil
}

// listed returns the answers for records that a list has shown. It says nothing of others.
func listed(records []json.RawMessage, ids []string) []source.Answer {
	byID := make(map[string]json.RawMessage)
	for _, raw := range records {
		if id, err := record.ID(raw); err == nil {
			byID[id] = raw
		}
	}
	answers := make([]source.Answer, len(ids))
	for i, id := range ids {
		if answers[i] = (source.Answer{ID: id, State: source.LeftOut}); byID[id] != nil {
			answers[i].State, answers[i].Record = source.Present, byID[id]
		}
	}
	return answers
}

// postsOf reads the posts with the ids, of all types. What an answer has left out is asked for
// once more: it may have been cut. failed is the error of a type that cannot be read.
func (s *Source) postsOf(ctx context.Context, ids []number) (found map[number]post, failed, err error) {
	taxonomies, err := s.taxonomyFields(ctx)
	if err != nil {
		return nil, nil, err
	}
	found = make(map[number]post)
	missing := slices.Clone(ids)
	for range 2 {
		for _, name := range s.types {
			if _, lacks := s.lacking(name); lacks || len(missing) == 0 {
				continue
			}
			fields, err := s.fieldsFor(ctx, name, taxonomies)
			if err != nil {
				return nil, nil, err
			}
			list, err := s.included(ctx, pathOf(name), fields, missing)
			switch {
			case err != nil && name == string(Posts):
				return nil, nil, s.needed(err)
			case names.IsClosed(err):
				s.lack(name, err)
				continue
			case names.IsOfList(err):
				failed = err
				continue
			case err != nil:
				return nil, nil, err
			}
			for _, raw := range list {
				raw = s.kept(raw)
				if p, err := readPost(raw); err == nil {
					p.rest, p.terms, p.raw = name, termsIn(raw, taxonomies), raw
					found[p.ID] = p
				}
			}
			missing = slices.DeleteFunc(missing, func(id number) bool { _, ok := found[id]; return ok })
		}
	}
	return found, failed, nil
}

// answers makes records of posts, with their pictures.
func (s *Source) answers(ctx context.Context, ids []number, found map[number]post, failed error) ([]source.Answer, error) {
	var public []post
	var pictures []number
	for _, id := range ids {
		if p, ok := found[id]; ok && !p.isProtected() {
			public = append(public, p)
			pictures = append(pictures, picturesOf(p)...)
		}
	}
	if err := s.nameAll(ctx, public, false); err != nil {
		return nil, err
	}
	if err := s.nameCoauthors(ctx, public); err != nil {
		return nil, err
	}
	if err := s.readSome(ctx, s.named[mediaOf], pictures, true); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answers := make([]source.Answer, len(ids))
	for i, id := range ids {
		p, ok := found[id]
		answers[i] = source.Answer{ID: id.String(), State: source.LeftOut, Err: failed}
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case ok && p.isProtected():
			answers[i].State, answers[i].Err = source.Gone, nil
		case ok:
			unnamed := s.lexicon.unnamed(p, s.isBroken)
			single, notes := s.lexicon.single(p)
			answers[i] = source.Answer{
				ID: id.String(), State: source.Present, Record: encode.Encode(single), List: encode.Encode(s.lexicon.list(p)), Notes: notes,
				Unread: append(p.unread(true), unnamed...), Lacking: p.lacking(), Incomplete: len(unnamed) > 0,
				Original: source.Original{Type: p.rest, ID: id.String(), Operation: pathOf(p.rest), Data: p.raw},
			}
			if p.entry != nil {
				answers[i].Original.Operation = feedRoute
			}
			if strings.TrimSpace(p.Title.Text) == "" {
				answers[i].Filled = []string{"title"}
			}
			if s.lexicon.unseen(p, s.isBroken) {
				answers[i].Unread, answers[i].Incomplete = append(answers[i].Unread, "pictures"), true
			}
		}
	}
	return answers, nil
}
