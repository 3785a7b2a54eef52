package output

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"

	"ayna/generator/swap"
)

// Inputs identify what a site is made of. The caller chooses the digests; ""
// stands for nothing.
type Inputs struct {
	Key    string `json:"state"`  // digest of everything
	Config string `json:"config"` // digest of the settings that every file shows
	Scope  string `json:"scope"`  // digest of the settings that choose the pages: a site of another scope may have far fewer
	Origin string `json:"origin"` // the mirrored service
	// Forgotten is the digest of the records taken out for good. A previous site that was
	// made with another one is removed.
	Forgotten string `json:"forgotten"`
	FeedIDs   string `json:"feed_ids"` // what the ids of all feeds and entries begin with
}

// State is what a published site was made of, and its size.
type State struct {
	Inputs
	Files      int   `json:"files"`
	Bytes      int64 `json:"bytes"`                // of the site's files
	Failed     int   `json:"failed"`               // files that could not be rendered
	Distrusted bool  `json:"distrusted,omitempty"` // set by [Distrust]
}

// isKnown reports whether a build has recorded the state.
func (s State) isKnown() bool { return s.Files > 0 }

func (b *build) state() State {
	s := State{Inputs: b.options.Inputs, Files: b.result.Files(), Bytes: b.result.Bytes, Failed: len(b.result.Failed)}
	if len(b.result.Differing) > 0 {
		s.Key = "" // the next build renders all files
	}
	return s
}

// stateName is the file of the hidden directory with the states of the published
// and the previous tree. They are keyed by the digests of the trees' manifests,
// because the file is written after the exchange of the trees.
const stateName = "state"

// readStates returns the states by tree. A malformed file counts as missing.
func readStates(p *swap.Target) (map[string]State, error) {
	states := make(map[string]State)
	return states, readJSON(p, stateName, &states)
}

func readJSON(p *swap.Target, name string, value any) error {
	content, err := p.Hidden().ReadFile(name)
	if err == nil {
		_ = json.Unmarshal(content, value)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}

func putJSON(p *swap.Target, name string, value any) error {
	encoded, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return p.Put(name, string(encoded)+"\n")
}

// publishedState returns the state of the published tree; zero if it is unknown.
func publishedState(p *swap.Target) (State, error) {
	states, err := readStates(p)
	if err != nil || len(states) == 0 {
		return State{}, err
	}
	tree, err := p.Digest(swap.Published)
	return states[tree], err
}

// Published returns what the site published at dir was made of; the zero State
// if nothing is published or its state is unknown.
func Published(dir string) (s State, err error) {
	err = withTarget(swap.OpenShared, dir, "read the state of", func(p *swap.Target) error {
		s, err = publishedState(p)
		return err
	})
	return s, err
}

// Outdated reports whether a site is published at dir that was made with another
// Forgotten, or by a build that was interrupted before it had recorded that, and so has
// left other trees.
func Outdated(dir, forgotten string) (is bool, err error) {
	err = withTarget(swap.OpenShared, dir, "read the state of", func(p *swap.Target) error {
		states, err := readStates(p)
		if err != nil {
			return err
		}
		tree, err := p.Digest(swap.Published)
		is = tree != "" && states[tree].Forgotten != forgotten
		return err
	})
	return is, err
}

// Distrust makes the next build write every file of the tree at dir again, even if
// the manifest lists the same bytes.
func Distrust(dir string) error {
	return withTarget(swap.Open, dir, "distrust", func(p *swap.Target) error {
		states, err := readStates(p)
		if err != nil {
			return err
		}
		tree, err := p.Digest(swap.Published)
		if err != nil {
			return err
		}
		s := states[tree]
		s.Key, s.Config, s.Distrusted = "", "", true
		states[tree] = s
		return putJSON(p, stateName, states)
	})
}

// remember records what the published site was made of, by the digests of the two trees. It
// removes a previous tree that may show records which have been removed for good, and all that
// names its files.
func (b *build) remember(published, previous string) error {
	states, err := readStates(b.target)
	if err != nil {
		return err
	}
	next := map[string]State{published: b.state()}
	if s := states[previous]; s.Forgotten != b.options.Forgotten {
		err = errors.Join(b.target.Discard(swap.Previous), b.target.PutDelta(nil))
	} else if _, known := next[previous]; !known && s.isKnown() {
		next[previous] = s
	}
	if err != nil || maps.Equal(states, next) {
		return err
	}
	return putJSON(b.target, stateName, next)
}
