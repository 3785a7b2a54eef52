package wordpress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"ayna/source"
	"ayna/source/encode"
	"ayna/source/get"
	"ayna/source/names"
)

// The lists of what posts name by ids, by their REST names.
const (
	users      = "users"
	categoryOf = "categories"
	tags       = "tags"
	mediaOf    = "media"
)

// A named is such a list. What it has shown is kept in the archive.
type named struct {
	name   string
	fields string
	group  source.Group           // of the records that are made of its elements, "" if none are
	record func(id string) string // their ids
	valid  func(json.RawMessage) bool
	mu     sync.Mutex // held while the list is read whole
	someMu sync.Mutex // held while some elements are read

	// What follows is for those who hold the lock of the source.
	memory *names.Memory
	known  map[string]json.RawMessage // of a list that is read whole
	gone   map[string]bool            // of them, see [names.Verdict]
	date   time.Time                  // of the answer
	isRead bool
	isLong bool            // posts do not wait for it
	isTold bool            // List has returned its error
	asked  map[number]bool // elements of other lists that this run has asked for
}

func newNamed(found map[string]string) map[string]*named {
	all := make(map[string]*named)
	for _, n := range []*named{
		{name: categoryOf, fields: termFields, group: source.Paths, record: func(id string) string { return "term-" + id }, valid: isNamed},
		{name: users, fields: userFields, group: source.Writers, record: func(id string) string { return "user-" + id }, valid: isNamed},
		{name: tags, fields: termFields, valid: isNamed},
		{name: coauthorsOf, fields: coauthorFields, valid: hasSlug},
		{name: mediaOf, fields: mediaFields, valid: isFileOf},
	} {
		n.memory, n.asked, n.isLong = names.Remember(found[n.question()]), make(map[number]bool), found[longFound+n.name] == isLong
		all[n.name] = n
	}
	return all
}

// question is that by which runs keep what the list has lacked.
func (n *named) question() string { return "doubts about " + n.name }

func (n *named) path() string { return pathOf(n.name) }

// isNamed reports whether a term or user has a name.
func isNamed(raw json.RawMessage) bool {
	e, err := encode.Read[struct{ Name, Slug text }](raw)
	return err == nil && e.Name.shape == regular && e.Slug.shape != odd
}

// isFileOf reports whether a media object has an address.
func isFileOf(raw json.RawMessage) bool {
	e, err := encode.Read[struct {
		Address text `json:"source_url"`
	}](raw)
	return err == nil && e.Address.Value != ""
}

// elements adds the elements of an answer by their ids; those that cannot be read are nil. A
// name that holds the source's key is not kept.
func (s *Source) elements(n *named, list []json.RawMessage, into map[string]json.RawMessage) {
	for _, raw := range list {
		e, err := encode.Read[struct{ ID number }](raw)
		if err != nil || e.ID <= 0 {
			continue
		}
		id := e.ID.String()
		if into[id] = nil; n.valid(raw) && !s.getter.KeyGuard().InJSON(raw) {
			into[id] = n.kept(raw)
		}
	}
}

// kept returns an element without what was not asked for, and a site may send all the same: an
// avatar has a hash of an e-mail address.
func (n *named) kept(raw json.RawMessage) json.RawMessage {
	asked := namesOf(n.fields)
	isOther := func(name string, _ json.RawMessage) bool { return !slices.Contains(asked, name) }
	for name, value := range encode.Fields(raw) {
		if isOther(name, value) {
			return encode.Without(raw, isOther)
		}
	}
	return slices.Clone(raw)
}

// readWhole reads a list of names to its end, once in a run; again if a request has failed. Posts
// do not wait for a long one: what they name is asked for by its ids then, see nameLong.
func (s *Source) readWhole(ctx context.Context, n *named, isAsked bool) error {
	if !isAsked && s.isLong(n) {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	s.mu.Lock()
	failed := errors.As(s.lacks.broken[n.name], new(*get.Error)) // another shape stays
	isRead, known := n.isRead && !(isAsked && failed) || !isAsked && n.isLong, n.known
	s.mu.Unlock()
	if isRead {
		return nil
	}
	if known == nil && s.originals != nil {
		var err error
		if known, err = s.originals.All(ctx, n.name); err != nil {
			return fmt.Errorf("%s of the archive: %w", n.name, err)
		}
	}
	l, date, err := s.whole(ctx, n, isAsked)
	if errors.Is(err, errLong) || err != nil && !names.IsOfList(err) {
		return s.keepPart(ctx, n, known, l.Came, err)
	}
	l.Known, l.Err = known, err
	verdict, err := s.believe(ctx, n, l)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n.isRead, n.known, n.gone, n.date = true, verdict.Names, verdict.Gone, date
	if l.Err == nil && len(l.Came) <= waited*perPage {
		n.isLong = false
	}
	return nil
}

// keepPart keeps the part of a list that has come, and says nothing of the others. It returns
// the error of the next request.
func (s *Source) keepPart(ctx context.Context, n *named, known, came map[string]json.RawMessage, err error) error {
	part := names.List{Part: true, Known: make(map[string]json.RawMessage), Came: came, Total: -1}
	for id := range came {
		if raw, ok := known[id]; ok {
			part.Known[id] = raw
		}
	}
	if len(came) > 0 {
		if _, err := s.believe(ctx, n, part); err != nil {
			return err
		}
	}
	if !errors.Is(err, errLong) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n.isLong = true
	s.lexicon.add(n.name, known)
	return nil
}

// believe keeps what an answer changes, and what it lacks.
func (s *Source) believe(ctx context.Context, n *named, l names.List) (names.Verdict, error) {
	l.Type, l.Operation, l.Group, l.Record = n.name, n.path(), n.group, n.record
	s.mu.Lock()
	verdict := n.memory.Believe(l, time.Now())
	s.mu.Unlock()
	if err := errors.Join(verdict.Closed, verdict.Broken); err != nil {
		s.lack(n.name, err)
	} else {
		s.mend(n.name)
	}
	if s.originals != nil && len(verdict.Changed) > 0 {
		if err := s.originals.Put(ctx, verdict.Changed); err != nil {
			return verdict, fmt.Errorf("keep %s: %w", n.name, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lexicon.add(n.name, verdict.Names)
	return verdict, nil
}

// waited is the number of answers with names for which posts wait.
const waited = 10

// errLong is the error of a list that has more answers than that.
var errLong = errors.New("a long list")

// whole reads a list to its end: until an answer has fewer elements than were asked for, and
// all have come that the site counts, or until it brings nothing new. Categories have pages
// alone, and no offset. The error of a later request comes with what has come before.
func (s *Source) whole(ctx context.Context, n *named, isAsked bool) (l names.List, date time.Time, err error) {
	l.Came, l.Total = make(map[string]json.RawMessage), -1
	if s.isFeed.Load() {
		return l, date, errNotInFeed
	}
	query := url.Values{"_fields": {n.fields}}
	if n.name == users { // with a password, WordPress would list readers who have an account, too
		query.Set("has_published_posts", "true")
	}
	bytes := 0
	for page := 1; ; page++ {
		if page > waited && !isAsked {
			return l, date, errLong
		}
		query.Set("page", strconv.Itoa(page))
		list, a, asked, err := s.part(ctx, n.path(), query, perPage)
		if isFailure(err) {
			list, a, asked, err = s.part(ctx, n.path(), query, perPage)
		}
		if e := (*get.Error)(nil); page > 1 && errors.As(err, &e) && e.Status == http.StatusBadRequest {
			return l, date, nil // there is no such page
		}
		if err != nil {
			l.Total = -1
			return l, date, err
		}
		before := len(l.Came)
		s.elements(n, list, l.Came)
		if date.IsZero() {
			date = a.Date()
		}
		if l.Total = total(a); l.Total < len(l.Came) {
			l.Total = -1 // it is no total
		}
		bytes += len(a.Body)
		if err := names.CheckEnd(len(l.Came), l.Total, bytes); err != nil {
			return names.List{}, date, fmt.Errorf("%s: %w", n.path(), err)
		}
		switch {
		case len(l.Came) == before && len(list) > 0 && before == 0:
			return names.List{}, date, fmt.Errorf("%s: %w: none of %d has an id", n.path(), get.ErrShape, len(list))
		case len(l.Came) == before, l.Total == len(l.Came) && len(list) < asked:
			return l, date, nil
		}
	}
}
