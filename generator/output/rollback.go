package output

import (
	"errors"
	"fmt"
	"iter"
)

// ErrNoPrevious is returned if there is no earlier site to go back to.
var ErrNoPrevious = errors.New("there is no earlier site to go back to")

// Rollback publishes the site that was published before the present one, in
// one step. A second call takes that back. The next build goes on from what
// is then published.
func Rollback(dir string) error {
	p, err := openPlace(dir)
	if err != nil {
		return fmt.Errorf("go back to the earlier site of %s: %w", dir, err)
	}
	if err := errors.Join(p.rollback(), p.close()); err != nil {
		return fmt.Errorf("go back to the earlier site of %s: %w", dir, err)
	}
	return nil
}

func (p *place) rollback() error {
	if !p.has(previousName) {
		return ErrNoPrevious
	}
	previous, err := p.hidden.child(previousName)
	if err != nil {
		return err
	}
	defer previous.close()
	if _, err := previous.root.Lstat(hiddenManifest); err != nil {
		return fmt.Errorf("%w: it is not whole: %w", ErrNoPrevious, err)
	}
	served, err := p.served()
	if err != nil {
		return err
	}
	if served != nil {
		defer served.close()
		if err := redate(served, previous); err != nil {
			return err
		}
		if err := carryBack(served, previous); err != nil {
			return err
		}
	}
	comes, err := identity(p.hidden, previousName)
	if err != nil {
		return err
	}
	return p.swap(previousName, comes)
}

// redate gives files that differ from the published ones time stamps after
// theirs: what a reader has of the present site must not pass for the earlier.
func redate(served, previous *folder) error {
	from, to := newFolders(served, false, 1), newFolders(previous, false, 1)
	defer from.close()
	defer to.close()
	next, stop := iter.Pull2(readManifest(previous.root))
	defer stop()
	old, err, more := next()
	for l, lineErr := range readManifest(served.root) {
		if lineErr != nil {
			return lineErr
		}
		for more && err == nil && old.path < l.path {
			old, err, more = next()
		}
		if err != nil {
			return err
		}
		if more && old.path == l.path && old.sum != l.sum {
			if least, ok := from.successor(l.path); ok {
				if err := to.postdate(l.path, least); err != nil {
					return err
				}
			}
		}
	}
	return err
}

// carryBack gives the earlier site the foreign files of the present one,
// instead of those that it had.
func carryBack(served, previous *folder) error {
	mine := make(map[id]bool)
	for _, tree := range []*folder{served, previous} {
		for l, err := range readManifest(tree.root) {
			if err != nil {
				return err
			}
			mine[idOf(l.path)] = true
		}
	}
	isMine := func(i id) bool { return mine[i] }
	old, err := foreignIn(previous, isMine)
	if err != nil {
		return err
	}
	for _, f := range old {
		if err := f.remove(previous.root); err != nil {
			return err
		}
	}
	now, err := foreignIn(served, isMine)
	if err != nil {
		return err
	}
	return carryAll(now, served, previous)
}
