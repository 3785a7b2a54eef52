package sync

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"ayna/archive"
	"ayna/client"
)

// The API document leaves some behaviour of the source open. The answers of a run
// show it. The findings are kept in the archive, so that they cost requests once.
const (
	sourceState = "source" // name of the archive's state that holds the findings

	envelopeOf  = "envelope of "        // and the operation
	placeOfIDIn = "place of the id in " // and the group
)

// undefinedPlaces are the groups for which the API document (section 4) does not define
// where the id is in the address.
var undefinedPlaces = []client.Group{client.Writers, client.Paths}

// Finding is a fact about the source.
type Finding struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Shown    bool   `json:"shown"`            // an answer of this run showed it; else an earlier run
	Before   string `json:"before,omitempty"` // an answer that no longer holds
}

// source holds the findings about the source. Those of earlier runs hold until an answer
// of this run shows otherwise.
type source struct {
	saved map[string]string // of earlier runs, by question
	mu    sync.Mutex
	now   map[string]Finding
}

func openSource(ctx context.Context, a *archive.Archive) (*source, error) {
	text, err := checked(a.State(ctx, sourceState))
	s := &source{now: make(map[string]Finding)}
	if json.Unmarshal([]byte(text), &s.saved) != nil {
		s.saved = nil // there is no state yet, or it is unreadable
	}
	for question, answer := range s.saved {
		s.now[question] = Finding{Question: question, Answer: answer}
	}
	return s, err
}

// answer returns the answer to a question, "" if it is not known.
func (s *source) answer(question string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now[question].Answer
}

// set adds or replaces a finding of this run.
func (s *source) set(question, answer string) {
	f := Finding{Question: question, Answer: answer, Shown: true}
	if before := s.saved[question]; before != answer {
		f.Before = before
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now[question] = f
}

// findings returns all findings, sorted by question.
func (s *source) findings() []Finding {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Finding{}
	for _, question := range slices.Sorted(maps.Keys(s.now)) {
		list = append(list, s.now[question])
	}
	return list
}

// Places returns where the addresses of single records have the id, as far as a run has
// found that out.
func Places(ctx context.Context, a *archive.Archive) (map[client.Group]client.Place, error) {
	s, err := openSource(ctx, a)
	return s.places(), err
}

// places returns where ids are in addresses, for the client.
func (s *source) places() map[client.Group]client.Place {
	places := make(map[client.Group]client.Place)
	for _, group := range undefinedPlaces {
		places[group] = client.Place(s.answer(placeOfIDIn + string(group)))
	}
	return places
}

// saveFindings saves the findings about the source for later runs.
func (s *syncer) saveFindings(ctx context.Context) error {
	for _, group := range undefinedPlaces {
		if place := s.client.Place(group); place != "" {
			s.source.set(placeOfIDIn+string(group), string(place))
		}
	}
	all := make(map[string]string)
	for _, f := range s.source.findings() {
		all[f.Question] = f.Answer
	}
	if maps.Equal(all, s.source.saved) {
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.SetState(sourceState, string(text)) })
}
