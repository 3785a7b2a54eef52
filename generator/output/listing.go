package output

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
)

// Listed is a file of a published tree as the manifests list it.
type Listed struct {
	Path    string   // slash-separated, relative to the root of the tree
	Sum     [32]byte // SHA-256 of the bytes
	Size    int64
	Lingers bool // it is not part of the site any more, and in the hidden manifest only
}

// Listing yields the files of the published tree at dir, in the order of their
// paths, and compares both manifests on the way. It is [ErrDamaged] if they are
// not those of one tree.
func Listing(dir string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		if err := list(dir, func(l Listed) bool { return yield(l, nil) }); err != nil {
			yield(Listed{}, fmt.Errorf("read the manifests of %s: %w", dir, err))
		}
	}
}

func list(dir string, yield func(Listed) bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := root.Lstat(hiddenManifest); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: it is missing; build the site again", hiddenManifest, ErrDamaged)
	}
	visible, err := openRegular(root, visibleManifest)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", visibleManifest, ErrDamaged, err)
	}
	defer visible.Close()
	lines := bufio.NewScanner(visible)
	var scratch []byte
	for l, err := range readManifest(root) {
		if err != nil {
			return err
		}
		if l.key != lingering {
			scratch = appendVisible(scratch[:0], l.path, &l.entry)
			if !lines.Scan() || !bytes.Equal(lines.Bytes(), bytes.TrimSuffix(scratch, []byte("\n"))) {
				return fmt.Errorf("%s %w: it says something else of %s than %s", visibleManifest, ErrDamaged, l.path, hiddenManifest)
			}
		}
		if !yield(Listed{l.path, l.sum, l.size, l.key == lingering}) {
			return nil
		}
	}
	if lines.Scan() {
		return fmt.Errorf("%s %w: it has more lines than %s", visibleManifest, ErrDamaged, hiddenManifest)
	}
	return lines.Err()
}

// Distrust has the next build write every file of the tree at dir anew, also
// those whose bytes seem to be there.
func Distrust(dir string) error {
	p, err := openPlace(dir)
	if err != nil {
		return fmt.Errorf("distrust %s: %w", dir, err)
	}
	if err := errors.Join(p.distrust(), p.close()); err != nil {
		return fmt.Errorf("distrust %s: %w", dir, err)
	}
	return nil
}

func (p *place) distrust() error {
	if err := p.discard(workName); err != nil { // it shares files with the published tree
		return err
	}
	if err := p.hidden.root.Remove(stateName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := p.top.root.Rename(p.name+"/"+hiddenManifest, p.name+"/"+dirtyManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
