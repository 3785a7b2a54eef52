package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"ayna/generator/release"
)

// State is what a published site was made of. The digests are those of
// [Options].
type State struct {
	Key    string `json:"state"`
	Config string `json:"config"`
	Scope  string `json:"scope"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`  // of the site's files
	Failed int    `json:"failed"` // files that could not be rendered
	Origin string `json:"origin"`
}

// The files of the hidden directory that hold what the trees were made of, and
// which records had been taken out for good when earlier trees were removed for
// it.
const (
	stateName     = "state"
	forgottenName = "forgotten"
)

// treeState is the state of one tree, which is named by the digest of a
// manifest: the file is written after the exchange, and may be of a tree that is
// no longer there.
type treeState struct {
	Tree string `json:"tree"`
	State
}

// statesKept is for how many trees a file holds the state: those to which a
// rollback leads are among them.
const statesKept = 3

func writeState(p *release.Place, name, tree string, s State) error {
	states := []treeState{{tree, s}}
	before, _ := readStates(p, name) // an unreadable file is replaced
	for _, other := range before {
		if other.Tree != tree && len(states) < statesKept {
			states = append(states, other)
		}
	}
	encoded, err := json.MarshalIndent(states, "", " ")
	if err != nil {
		return err
	}
	return p.Put(name, string(encoded)+"\n")
}

// readStates returns the states in a file, the latest first. A file that cannot
// be understood counts as missing.
func readStates(p *release.Place, name string) ([]treeState, error) {
	content, err := p.Hidden().ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var states []treeState
	if json.Unmarshal(content, &states) != nil {
		return nil, nil
	}
	return states, nil
}

// stateOf returns the state of the tree that a digest names.
func stateOf(p *release.Place, name, tree string) (s State, known bool, err error) {
	states, err := readStates(p, name)
	for _, state := range states {
		if state.Tree == tree && tree != "" {
			return state.State, true, nil
		}
	}
	return State{}, false, err
}

// publishedState returns the state of the published tree.
func publishedState(p *release.Place) (s State, known bool, err error) {
	if _, err := p.Hidden().Lstat(stateName); errors.Is(err, fs.ErrNotExist) {
		return State{}, false, nil
	}
	top, name := p.Top()
	tree, err := release.Digest(top, name, release.Identity)
	if err != nil {
		return State{}, false, err
	}
	return stateOf(p, stateName, tree)
}

// Published returns what the site published at dir was made of; the zero State
// if nothing is published or its state is unknown.
func Published(dir string) (State, error) {
	p, err := release.OpenShared(dir)
	if err != nil {
		return State{}, fmt.Errorf("look at the site in %s: %w", dir, err)
	}
	s, _, err := publishedState(p)
	if err := errors.Join(err, p.Close()); err != nil {
		return State{}, fmt.Errorf("look at the site in %s: %w", dir, err)
	}
	return s, nil
}

func (b *build) state() State {
	o := b.options
	return State{o.State, o.Config, o.Scope, b.result.Files(), b.result.Bytes, b.result.failed(), o.Origin}
}

// remember writes down what the published site was made of.
func (b *build) remember() error {
	tree := b.identity
	if tree == "" {
		top, name := b.place.Top()
		var err error
		if tree, err = release.Digest(top, name, release.Identity); err != nil {
			return err
		}
	}
	if before, known, err := stateOf(b.place, stateName, tree); err == nil && known && before == b.state() {
		return nil
	}
	return writeState(b.place, stateName, tree, b.state())
}

// forget removes the trees beside the published one if they may show records
// that have been taken out for good: also if the run that took them out was
// interrupted.
func (b *build) forget() error {
	now := b.options.Forgotten
	before, err := b.place.Hidden().ReadFile(forgottenName)
	if errors.Is(err, fs.ErrNotExist) {
		before, err = nil, nil
	}
	known := err == nil && string(before) == now
	if known && !b.options.Alone {
		return nil
	}
	if err := errors.Join(b.place.Discard(release.Previous), discardShards(b.place)); err != nil || known {
		return err
	}
	return b.place.Put(forgottenName, now)
}
