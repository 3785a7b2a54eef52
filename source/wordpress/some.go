package wordpress

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"ayna/source/encode"
	"ayna/source/names"
)

// readSome reads elements by their ids, each once in a run, and adds them to the lexicon. Those
// that the archive knows are asked for only if ask is set.
func (s *Source) readSome(ctx context.Context, n *named, ids []number, ask bool) error {
	n.someMu.Lock()
	defer n.someMu.Unlock()
	if ids = s.unasked(n, ids); len(ids) == 0 {
		return nil
	}
	came := make(map[string]json.RawMessage)
	if err := s.readFrequent(ctx, n, came); err != nil {
		return err
	}
	known, err := s.recall(ctx, n, ids)
	if err != nil {
		return err
	}
	if _, lacks := s.lacking(n.name); lacks {
		return nil
	}
	var rest []number
	for _, id := range ids {
		_, has := came[id.String()]
		if _, isKnown := known[id.String()]; !has && (ask || !isKnown) {
			rest = append(rest, id)
		}
	}
	if !ask { // what is not asked for is not lacking
		maps.DeleteFunc(known, func(id string, _ json.RawMessage) bool { _, has := came[id]; return !has })
	}
	list, err := s.included(ctx, n.path(), n.fields, rest)
	if isFailure(err) {
		list, err = s.included(ctx, n.path(), n.fields, rest)
	}
	var ofRun error // after which the rest is still to be asked for
	if err != nil && !names.IsOfList(err) {
		ofRun, err, rest = err, nil, nil
		maps.DeleteFunc(known, func(id string, _ json.RawMessage) bool { _, has := came[id]; return !has })
	}
	s.elements(n, list, came)
	s.noteAsked(n, rest)
	_, err = s.believe(ctx, n, names.List{Part: true, Known: known, Came: came, Total: -1, Err: err})
	return cmp.Or(ofRun, err)
}

// isLong reports whether a list of names is long, and has not been read to its end.
func (s *Source) isLong(n *named) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return n.isLong && !n.isRead
}

// nameAll reads what posts name: their tags, and of long lists their categories, with the parents
// of these, and their authors.
func (s *Source) nameAll(ctx context.Context, posts []post, ask bool) error {
	var tagIDs, categoryIDs, userIDs []number
	for _, p := range posts {
		if !p.isProtected() {
			tagIDs, categoryIDs, userIDs = append(tagIDs, p.Tags.IDs...), append(categoryIDs, p.Categories.IDs...), append(userIDs, p.Author.ID)
		}
	}
	if err := s.readSome(ctx, s.named[tags], tagIDs, ask); err != nil {
		return err
	}
	if n := s.named[users]; s.isLong(n) {
		if err := s.readSome(ctx, n, userIDs, ask); err != nil {
			return err
		}
	}
	n := s.named[categoryOf]
	for range maxDepth {
		if len(categoryIDs) == 0 || !s.isLong(n) {
			break
		}
		if err := s.readSome(ctx, n, categoryIDs, ask); err != nil {
			return err
		}
		categoryIDs = s.parents(categoryIDs)
	}
	return nil
}

// parents returns the parents of categories, each once.
func (s *Source) parents(ids []number) (list []number) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[number]bool)
	for _, id := range ids {
		if parent := s.lexicon.categories[id].Parent; parent > 0 && !seen[parent] {
			seen[parent] = true
			list = append(list, parent)
		}
	}
	return list
}

// recall returns what the archive knows of elements, and adds it to the lexicon.
func (s *Source) recall(ctx context.Context, n *named, ids []number) (map[string]json.RawMessage, error) {
	if s.originals == nil {
		return make(map[string]json.RawMessage), nil
	}
	wanted := make([]string, len(ids))
	for i, id := range ids {
		wanted[i] = id.String()
	}
	known, err := s.originals.Some(ctx, n.name, wanted)
	if err != nil {
		return nil, fmt.Errorf("%s of the archive: %w", n.name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lexicon.add(n.name, known)
	return maps.Clone(known), nil
}

// unasked returns the ids that this run has not asked for, each once.
func (s *Source) unasked(n *named, ids []number) (list []number) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := make(map[number]bool)
	for _, id := range ids {
		if id > 0 && !n.asked[id] && !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}

func (s *Source) noteAsked(n *named, ids []number) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		n.asked[id] = true
	}
}

// readFrequent reads the most frequent tags, which are all of them in most papers, once.
func (s *Source) readFrequent(ctx context.Context, n *named, came map[string]json.RawMessage) error {
	if _, lacks := s.lacking(n.name); lacks || n.name != tags || n.isRead {
		return nil
	}
	list, _, _, err := s.part(ctx, n.path(), url.Values{"_fields": {n.fields}, "orderby": {"count"}, "order": {"desc"}}, perPage)
	if names.IsOfList(err) {
		return nil // the request for ids shows whether there is an answer
	}
	if err != nil {
		return err
	}
	n.isRead = true
	s.elements(n, list, came)
	var ids []number
	for id, raw := range came {
		if at, _ := readNumber([]byte(id)); raw != nil { // else it has the name that is known
			ids = append(ids, at)
		}
	}
	s.noteAsked(n, ids)
	return nil
}

// included reads what has the ids, as many at a time as the site gives. What is gone or not
// public is missing from the answer. A site that gives fewer than it has is asked for the
// others, as long as an answer brings some.
func (s *Source) included(ctx context.Context, path, fields string, ids []number) (all []json.RawMessage, err error) {
	for len(ids) > 0 {
		some := ids[:min(len(ids), s.mostRecords())]
		texts, wanted := make([]string, len(some)), make(map[number]bool)
		for i, id := range some {
			texts[i], wanted[id] = id.String(), true
		}
		list, a, asked, err := s.part(ctx, path, url.Values{"_fields": {fields}, "include": {strings.Join(texts, ",")}}, perPage)
		if err != nil {
			return nil, err
		}
		before := len(all)
		for _, raw := range list {
			if e, err := encode.Read[struct{ ID number }](raw); err == nil && wanted[e.ID] {
				delete(wanted, e.ID)
				all = append(all, raw)
			}
		}
		left := slices.DeleteFunc(slices.Clone(some), func(id number) bool { return !wanted[id] })
		if ids = ids[len(some):]; len(all) > before && (total(a) != len(list) || len(list) >= asked) {
			ids = append(left, ids...)
		}
	}
	return all, nil
}
