package sync

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"ayna/archive"
)

// The API document leaves some behaviour of the source open. The answers of a run
// show it. The findings are kept in the archive, so that they cost requests once.
const (
	sourceState = "source" // name of the archive's state that holds the findings

	envelopeOf = "envelope of " // and the operation
	zoneOfSite = "time zone"
)

// Finding is a fact about the source.
type Finding struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Shown    bool   `json:"shown"`            // an answer of this run showed it; else an earlier run
	Before   string `json:"before,omitempty"` // an answer that no longer holds
}

// findings holds the findings about the source. Those of earlier runs hold until an answer
// of this run shows otherwise.
type findings struct {
	saved map[string]string // of earlier runs, by question
	mu    sync.Mutex
	now   map[string]Finding
}

func openFindings(ctx context.Context, state archive.State) (*findings, error) {
	text, err := checked(state.Get(ctx, sourceState))
	f := &findings{now: make(map[string]Finding)}
	if json.Unmarshal([]byte(text), &f.saved) != nil {
		f.saved = nil // there is no state yet, or it is unreadable
	}
	for question, answer := range f.saved {
		f.now[question] = Finding{Question: question, Answer: answer}
	}
	return f, err
}

// answer returns the answer to a question, "" if it is not known.
func (f *findings) answer(question string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now[question].Answer
}

// set adds or replaces a finding of this run.
func (f *findings) set(question, answer string) {
	finding := Finding{Question: question, Answer: answer, Shown: true}
	if before := f.saved[question]; before != answer {
		finding.Before = before
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now[question] = finding
}

// all returns all findings, sorted by question.
func (f *findings) all() []Finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := []Finding{}
	for _, question := range slices.Sorted(maps.Keys(f.now)) {
		list = append(list, f.now[question])
	}
	return list
}

// Found returns what runs have found out about the source of an archive, by question.
func Found(ctx context.Context, state archive.State) (map[string]string, error) {
	f, err := openFindings(ctx, state)
	return f.saved, err
}

// saveFindings saves the findings about the source for later runs.
func (s *syncer) saveFindings(ctx context.Context) error {
	for question, answer := range s.source.Found() {
		s.findings.set(question, answer)
	}
	if source, ok := s.source.(warningSource); ok {
		for _, warning := range source.Warnings() {
			if s.findings.answer(warning) == "" {
				s.report.Warnings = append(s.report.Warnings, warning)
			}
			s.findings.set(warning, "yes")
		}
	}
	all := make(map[string]string)
	for _, finding := range s.findings.all() {
		all[finding.Question] = finding.Answer
	}
	if maps.Equal(all, s.findings.saved) {
		return nil
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return s.update(ctx, func(tx *archive.Tx) error { return tx.State.Set(sourceState, string(text)) })
}
