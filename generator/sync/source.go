package sync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"ayna/archive"
	"ayna/client"
)

// What the API document leaves open is found out by a probe, or by the way. The
// archive keeps it, so that no request is spent on it again.
const (
	sourceState = "source" // under which it is kept

	largestTop  = "largest $top"        // records in one answer
	dateFilter  = "date filter"         // the form of one that works, or noFilter
	unknownID   = "an unknown id"       // what the source answers
	textOfHits  = "text in search hits" // yes or no
	envelopeOf  = "envelope of "        // and the operation
	placeOfIDIn = "place of the id in " // and the group
)

// placeless are the groups of which the document does not tell where an id goes.
var placeless = []client.Group{client.Writers, client.Paths}

// Finding is one thing that is known of the source.
type Finding struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Shown    bool   `json:"shown"`            // by an answer of this run; else by one before
	Before   string `json:"before,omitempty"` // an answer that no longer holds
}

// source is what is known of the source. What was kept counts until an answer
// of this run shows something else.
type source struct {
	mu         sync.Mutex
	kept, seen map[string]string // answer by question
}

func openSource(ctx context.Context, a *archive.Archive) (*source, error) {
	text, err := a.State(ctx, sourceState)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errArchive, err)
	}
	s := &source{kept: make(map[string]string), seen: make(map[string]string)}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &s.kept); err != nil {
			return nil, fmt.Errorf("%w: state %q: %w", errArchive, sourceState, err)
		}
	}
	return s, nil
}

// known returns the answer to a question, "" if there is none.
func (s *source) known(question string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer := s.seen[question]; answer != "" {
		return answer
	}
	return s.kept[question]
}

// before returns what was known before this run.
func (s *source) before(question string) string { return s.kept[question] }

// see notes what an answer shows.
func (s *source) see(question, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[question] = answer
}

// shows reports whether an answer of this run has told.
func (s *source) shows(question string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[question] != ""
}

// all returns what is known now.
func (s *source) all() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := maps.Clone(s.kept)
	maps.Copy(all, s.seen)
	return all
}

// findings returns what is known, and how, in the order of the questions.
func (s *source) findings() []Finding {
	all := s.all()
	list := []Finding{}
	for _, question := range slices.Sorted(maps.Keys(all)) {
		f := Finding{Question: question, Answer: all[question], Shown: s.shows(question)}
		if before := s.kept[question]; before != f.Answer {
			f.Before = before
		}
		list = append(list, f)
	}
	return list
}

// places returns where ids were seen to go, for the client.
func (s *source) places() map[client.Group]client.Place {
	places := make(map[client.Group]client.Place)
	for _, group := range placeless {
		places[group] = client.Place(s.known(placeOfIDIn + string(group)))
	}
	return places
}

// remember keeps what is known of the source for later runs.
func (s *syncer) remember(ctx context.Context) error {
	for _, group := range placeless {
		if place := s.client.Place(group); place != "" {
			s.source.see(placeOfIDIn+string(group), string(place))
		}
	}
	all := s.source.all()
	if maps.Equal(all, s.source.kept) {
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.SetState(sourceState, string(text)) })
}

// pageSize is how many records are asked for at once: as many as is configured,
// or more if the source gives more.
func (s *syncer) pageSize() int {
	n, err := strconv.Atoi(s.source.known(largestTop))
	if err != nil { // nothing is known
		return s.PageSize
	}
	return max(s.PageSize, n)
}

// sawFull notes that a page of so many records was not the last one. Single
// records may be missing from a page; half of them are not.
func (s *syncer) sawFull(l listing, received int) {
	known, err := strconv.Atoi(s.source.known(largestTop))
	if err != nil || l.kind != archive.Article {
		return
	}
	if 2*received >= known {
		received = known
	}
	s.source.see(largestTop, strconv.Itoa(received))
}

// outcome names what a request for a record came to, "" if there was no answer.
func outcome(err error) string {
	var e *client.Error
	switch {
	case err == nil:
		return "a record"
	case !errors.As(err, &e) || statusOf(err) == 0:
		return ""
	case e.Status == 200 && e.Err != nil:
		return fmt.Sprintf("status %d, %v", e.Status, e.Err)
	}
	return fmt.Sprintf("status %d", e.Status)
}
