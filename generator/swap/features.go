package swap

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Features are what the file system of a published directory can do.
type Features struct {
	Exchange bool // swap two names in one step; else visitors may meet a moment without a site
	Links    bool // hard links, so that unchanged files take no space twice
}

// Probe tries what a publication to dir needs. It does so in the hidden directory beside
// dir, and removes the files that it made. The error of [Check] is returned first.
func Probe(dir string) (f Features, err error) {
	if err := Check(dir); err != nil {
		return f, err
	}
	p, err := OpenShared(dir)
	if err != nil {
		return f, fmt.Errorf("publish to %s: %w", dir, err)
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	const trial = "trial"
	if err := p.hidden.RemoveAll(trial); err != nil {
		return f, err
	}
	defer p.hidden.RemoveAll(trial)
	for _, name := range []string{trial, trial + "/a", trial + "/b"} {
		if err := p.hidden.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
	at, err := p.hidden.OpenRoot(trial)
	if err != nil {
		return f, err
	}
	defer at.Close()
	if f.Exchange, err = exchange(at, "a", at, "b"); err != nil {
		return f, err
	}
	if err := at.WriteFile("file", nil, os.FileMode(0o644)); err != nil {
		return f, err
	}
	f.Links = at.Link("file", "other") == nil
	return f, nil
}
