package output

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gofrs/flock"
)

// State says what a published site was made of.
type State struct {
	Key    Key    // [Options].State of the build
	Config Key    // [Options].Config of the build
	Scope  Key    // [Options].Scope of the build
	Files  int    // of the site
	Bytes  int64  // of the site's files
	Failed int    // files that could not be rendered
	Origin string // [Options].Origin of the build
}

// stateName is a file of the hidden directory that says what the published
// tree was made of, and what those before it were, to which a rollback leads. It
// names the trees that it is about: it is written after the exchange, and only
// what it costs to build again is lost with it.
const stateName = "state"

const (
	stateHead = "ayna state 3\n"
	stateForm = stateHead + "tree %s\nstate %x\nconfig %x\nscope %x\nfiles %d\nbytes %d\nfailed %d\norigin %q\n"
)

// statesKept is of how many trees a file tells.
const statesKept = 3

func (p *place) writeState(name, tree string, s State) error {
	before, _ := p.statesIn(name) // what cannot be read is replaced
	texts := []string{fmt.Sprintf(stateForm, tree, s.Key, s.Config, s.Scope, s.Files, s.Bytes, s.Failed, s.Origin)}
	for _, text := range before {
		if _, about := parseState(text); about != "" && about != tree && len(texts) < statesKept {
			texts = append(texts, text)
		}
	}
	return p.put(name, strings.Join(texts, ""))
}

// statesIn returns what a file says of each of its trees, the latest first.
func (p *place) statesIn(name string) ([]string, error) {
	content, err := p.hidden.root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	texts := strings.Split(string(content), stateHead)[1:]
	for i := range texts {
		texts[i] = stateHead + texts[i]
	}
	return texts, nil
}

// state reads a file about a tree; if it is about others, or there is none,
// nothing is known.
func (p *place) state(name string, parent *folder, tree string) (s State, known bool, err error) {
	if _, err := p.hidden.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return State{}, false, nil
	}
	actual, err := identity(parent, tree)
	if err != nil {
		return State{}, false, err
	}
	return p.stateOf(name, actual)
}

// stateOf is state of a tree whose identity is known.
func (p *place) stateOf(name, tree string) (s State, known bool, err error) {
	texts, err := p.statesIn(name)
	for _, text := range texts {
		if s, about := parseState(text); about == tree && about != "" {
			return s, true, nil
		}
	}
	return State{}, false, err
}

// parseState reads what writeState wrote. Of anything else nothing is known.
func parseState(content string) (s State, tree string) {
	var state, config, scope []byte
	if _, err := fmt.Sscanf(content, stateForm, &tree, &state, &config, &scope, &s.Files, &s.Bytes, &s.Failed, &s.Origin); err != nil {
		return State{}, ""
	}
	if len(state) != len(s.Key) || len(config) != len(s.Config) || len(scope) != len(s.Scope) || len(tree) != 2*32 {
		return State{}, ""
	}
	if _, err := hex.DecodeString(tree); err != nil || tree != strings.ToLower(tree) {
		return State{}, ""
	}
	return State{Key(state), Key(config), Key(scope), s.Files, s.Bytes, s.Failed, s.Origin}, tree
}

// Published returns what the site published at dir was made of, the zero State
// if there is none or nothing is known of it. A build that would be made of
// the same need not be made, unless files had failed.
func Published(dir string) (State, error) {
	p, err := lockPlace(dir, (*flock.Flock).TryRLock)
	if err != nil {
		return State{}, fmt.Errorf("look at the site in %s: %w", dir, err)
	}
	s, _, err := p.state(stateName, p.top, p.name)
	if err := errors.Join(err, p.close()); err != nil {
		return State{}, fmt.Errorf("look at the site in %s: %w", dir, err)
	}
	return s, nil
}
