package output

import (
	"errors"
	"fmt"
	"os"
	"time"

	"ayna/generator/swap"
)

// ErrNoPrevious is returned if there is no earlier site to roll back to.
var ErrNoPrevious = errors.New("there is no earlier site to roll back to")

// Rollback publishes the previous tree of the site at dir, in one step. A second
// call undoes the first. The error is [ErrNoPrevious] without a previous tree.
func Rollback(dir string) error {
	return withTarget(swap.Open, dir, "roll back", rollback)
}

func rollback(p *swap.Target) error {
	if !p.Has(swap.Previous) {
		return ErrNoPrevious
	}
	previous, err := p.Tree(swap.Previous)
	if err != nil {
		return err
	}
	defer previous.Close()
	if _, err := previous.Lstat(manifestName); err != nil {
		return fmt.Errorf("%w: no build has made the previous tree: %w", ErrNoPrevious, err)
	}
	published, err := p.Tree(swap.Published)
	if err != nil {
		return err
	}
	if published != nil {
		defer published.Close()
		if err := adapt(previous, published); err != nil {
			return err
		}
	}
	return p.Publish(swap.Previous, "")
}

// adapt copies the owner's files from the published tree to the previous one. It
// gives files that differ from the published ones later time stamps, because a
// client would otherwise keep its newer copy.
func adapt(previous, published *os.Root) error {
	sums := make(map[string][32]byte) // of both trees
	for l, err := range readManifest(published) {
		if err != nil {
			return err
		}
		sums[l.Path] = l.Sum
	}
	for l, err := range readManifest(previous) {
		if err != nil {
			return err
		}
		if sum, both := sums[l.Path]; both && sum != l.Sum {
			if err := swap.Postdate(published, previous, l.Path, time.Time{}); err != nil {
				return err
			}
		}
		sums[l.Path] = l.Sum
	}
	_, err := swap.UpdateForeign(published, previous, func(path string) bool {
		_, ours := sums[path]
		return ours
	})
	return err
}
