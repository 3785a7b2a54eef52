package fetch

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"ayna/archive"
	"ayna/archive/runstate"
	"ayna/source"
)

// Names of entries in [runstate.State].
const (
	sourceState = "source" // the findings
	warnedState = "warned" // the warnings of the source that were reported, in lines
)

// Questions of this package; sources have their own.
const (
	envelopeOf  = "envelope of " // and the operation: the form of its lists
	zoneOfSite  = "time zone"
	titleOfSite = "title"
	idOfSite    = "id"
)

// Finding is a fact about the source that the API document leaves open and responses show.
// The archive keeps it, so that it costs requests once.
type Finding struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
	Shown    bool   `json:"shown"`            // in this run; false if only an earlier run showed it
	Before   string `json:"before,omitempty"` // the answer of earlier runs, if that was another one
}

// findings holds the findings about the source. Those of earlier runs hold until an answer
// of this run shows otherwise.
type findings struct {
	saved   map[string]string // of earlier runs, by question; never changed
	mu      sync.Mutex
	current map[string]Finding // by question: of this run, else of earlier ones
}

func openFindings(ctx context.Context, state runstate.State) (*findings, error) {
	text, err := checked(state.Get(ctx, sourceState))
	f := &findings{current: make(map[string]Finding)}
	if json.Unmarshal([]byte(text), &f.saved) != nil {
		f.saved = nil // there is no state yet, or it is unreadable
	}
	for question, answer := range f.saved {
		f.current[question] = Finding{Question: question, Answer: answer}
	}
	return f, err
}

// answer returns the answer to a question, "" if it is not known.
func (f *findings) answer(question string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current[question].Answer
}

// set adds or replaces a finding of this run.
func (f *findings) set(question, answer string) {
	finding := Finding{Question: question, Answer: answer, Shown: true}
	if before := f.saved[question]; before != answer {
		finding.Before = before
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current[question] = finding
}

// all returns all findings, sorted by question.
func (f *findings) all() []Finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := []Finding{}
	for _, question := range slices.Sorted(maps.Keys(f.current)) {
		list = append(list, f.current[question])
	}
	return list
}

// Found returns what runs have found out about the source of an archive, by question.
func Found(ctx context.Context, state runstate.State) (map[string]string, error) {
	f, err := openFindings(ctx, state)
	return f.saved, err
}

// reportWarnings reports the warnings of the source that no run has reported yet, and the
// lists that it could not read beside its records.
func (s *syncer) reportWarnings(ctx context.Context) error {
	warnings := s.warnings
	if warner, ok := s.source.(source.Warner); ok {
		failures := warner.Failures()
		for _, name := range slices.Sorted(maps.Keys(failures)) {
			s.fail(Failure{Operation: name}, failures[name])
		}
		warnings = append(warnings, warner.Warnings()...)
	}
	text, err := checked(s.archive.State.Get(ctx, warnedState))
	if err != nil {
		return err
	}
	reported := strings.Split(text, "\n")
	fresh := slices.DeleteFunc(warnings, func(warning string) bool { return slices.Contains(reported, warning) })
	if len(fresh) == 0 {
		return nil
	}
	s.report.Warnings = append(s.report.Warnings, fresh...)
	text += strings.Join(fresh, "\n") + "\n"
	return s.update(ctx, func(tx *archive.Tx) error { return tx.State.Set(warnedState, text) })
}

// saveFindings saves what this run and its source have found out, for later runs.
func (s *syncer) saveFindings(ctx context.Context) error {
	for question, answer := range s.source.Found() {
		s.findings.set(question, answer)
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
