package wordpress

import (
	"fmt"
	"maps"
	"slices"

	"ayna/source/names"
)

// hiddenUsers is what a paper's owner may want to know.
const hiddenUsers = "this site hides its users, so posts have no names of writers but those that the mirror had"

// lacks are the lists that cannot be read in this run, without which others are: what posts
// name, and records of other types than posts.
type lacks struct {
	closed map[string]bool  // by REST name: the site does not show them
	broken map[string]error // by REST name
	posts  bool             // the list of posts is refused, and sticky posts with it
}

// refused returns the error of the list of posts.
func (s *Source) refused(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lacks.posts = s.lacks.posts || names.IsClosed(err)
	return s.needed(err)
}

// lack keeps why a list cannot be read.
func (s *Source) lack(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if names.IsClosed(err) {
		if s.lacks.closed == nil {
			s.lacks.closed = make(map[string]bool)
		}
		s.lacks.closed[name] = true
		return
	}
	if s.lacks.broken == nil {
		s.lacks.broken = make(map[string]error)
	}
	s.lacks.broken[name] = err
}

// mend takes a list as one that can be read again.
func (s *Source) mend(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lacks.broken, name)
}

// lacking returns the error of a list that cannot be read, and whether it cannot.
func (s *Source) lacking(name string) (error, bool) {
	if s.isFeed.Load() {
		return nil, name != string(Posts)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err, isBroken := s.lacks.broken[name]
	return err, isBroken || s.lacks.closed[name]
}

// isBroken reports whether a list failed in this run. The caller holds the lock.
func (s *Source) isBroken(name string) bool { return s.lacks.broken[name] != nil }

// missing returns the types whose records cannot be listed. A feed has posts alone; others are
// those of which earlier runs have read records.
func (s *Source) missing() (types []string) {
	for _, name := range s.types {
		if _, lacks := s.lacking(name); lacks && (!s.isFeed.Load() || s.earlier[fieldsFound+name] != "") {
			types = append(types, name)
		}
	}
	return types
}

// Warnings returns what makes the mirror poorer than the paper, and what its owner may want to
// mend. Words around JSON are named by the first run that meets them: they may differ in each
// answer.
func (s *Source) Warnings() (list []string) {
	if list = s.feedWarnings(); s.isFeed.Load() {
		return list
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.lacks.closed)) {
		switch {
		case name == stickyOf && s.lacks.posts:
			continue
		case name == users:
			list = append(list, hiddenUsers)
			continue
		}
		list = append(list, fmt.Sprintf("this site does not show its %s to programs, so the mirror has none but those that it had", name))
	}
	if warning := s.getter.Warning(); warning != "" && !s.knowsWords {
		list = append(list, warning)
	}
	return list
}

// Failures returns the lists that could not be read. Those of folders and writers are the
// errors of [Source.List].
func (s *Source) Failures() map[string]error {
	s.mu.Lock()
	defer s.mu.Unlock()
	failures := maps.Clone(s.lacks.broken)
	for name, n := range s.named {
		if n.isTold {
			delete(failures, name)
		}
	}
	return failures
}
