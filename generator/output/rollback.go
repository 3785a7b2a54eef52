package output

import (
	"errors"
	"fmt"
	"iter"

	"ayna/generator/release"
)

// ErrNoPrevious is returned if there is no earlier site to go back to.
var ErrNoPrevious = errors.New("there is no earlier site to go back to")

// Rollback publishes the site that was published before the present one, in
// one step. A second call takes that back.
func Rollback(dir string) error {
	p, err := release.Open(dir)
	if err == nil {
		err = errors.Join(rollback(p), p.Close())
	}
	if err != nil {
		return fmt.Errorf("go back to the earlier site of %s: %w", dir, err)
	}
	return nil
}

func rollback(p *release.Place) error {
	if !p.Has(release.Previous) {
		return ErrNoPrevious
	}
	previous, err := p.Hidden().Child(release.Previous)
	if err != nil {
		return err
	}
	defer previous.Close()
	if _, err := previous.Lstat(hiddenManifest); err != nil {
		return fmt.Errorf("%w: it is not complete: %w", ErrNoPrevious, err)
	}
	published, err := p.Published()
	if err != nil {
		return err
	}
	if published != nil {
		defer published.Close()
		ours, err := redate(published, previous)
		if err != nil {
			return err
		}
		isOurs := func(path string) bool { return ours[path] }
		if err := release.NewForeign(published, previous, isOurs).Replace(); err != nil {
			return err
		}
	}
	identity, err := release.Digest(p.Hidden(), release.Previous, release.Identity)
	if err != nil {
		return err
	}
	_, err = p.Publish(release.Previous, identity)
	return err
}

// redate gives files that differ from the published ones later time stamps, so
// that no client takes its newer copy for the earlier file. It returns the paths
// of both trees.
func redate(published, previous *release.Dir) (ours map[string]bool, err error) {
	from, to := release.NewDirs(published, 1), release.NewDirs(previous, 1)
	defer from.Close()
	defer to.Close()
	ours = make(map[string]bool)
	next, stop := iter.Pull2(readManifest(previous.Root))
	defer stop()
	old, err, more := next()
	for l, lineErr := range readManifest(published.Root) {
		if lineErr != nil {
			return nil, lineErr
		}
		ours[l.path] = true
		for more && err == nil && old.path < l.path {
			ours[old.path] = true
			old, err, more = next()
		}
		if err != nil {
			return nil, err
		}
		if more && old.path == l.path && old.sum != l.sum {
			if least, ok := from.Successor(l.path); ok {
				if err := to.Postdate(l.path, least); err != nil {
					return nil, err
				}
			}
		}
	}
	for ; more && err == nil; old, err, more = next() {
		ours[old.path] = true
	}
	return ours, err
}
