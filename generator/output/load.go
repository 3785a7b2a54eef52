package output

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"ayna/generator/site"
	"ayna/generator/swap"
)

// load reads the manifest of the published tree and its keys. If the manifest is damaged, all
// files are written again. keeps reports whether there are keys.
func (b *build) load() (keeps bool, err error) {
	if b.published, err = b.target.Tree(swap.Published); err != nil || b.published == nil {
		return false, err
	}
	if b.digest, err = b.target.Digest(swap.Published); err != nil {
		return false, err
	}
	if b.last, err = b.target.Delta(); err != nil {
		return false, err
	}
	if b.last != nil && b.last.Published.Digest != b.digest {
		b.last = nil
	}
	keys := b.openKeys()
	defer keys.close()
	distrusted, err := b.loadRows(&keys)
	if err != nil {
		return false, err
	}
	states, err := readStates(b.target)
	if err != nil {
		return false, err
	}
	b.before = states[b.digest]
	if !b.before.isKnown() && !b.hasRequired() {
		b.rows = rows{} // the manifest is the owner's, and so are the files in it
	}
	if distrusted = distrusted || b.before.Distrusted; distrusted {
		for _, r := range b.rows.listed {
			r.sum, r.key = [32]byte{}, site.Digest{}
		}
	}
	return keys.file != nil && !distrusted, nil
}

// loadRows makes a row for each line of the published manifest. It looks up the sizes of files,
// unless they are beside the keys and nothing has come or gone in the directory.
func (b *build) loadRows(keys *keyReader) (damaged bool, err error) {
	var unchanged map[string]bool
	if !b.options.All {
		if unchanged, err = b.last.Unchanged(b.published); err != nil {
			return false, err
		}
	}
	sizes := swap.NewSizes(b.published)
	defer sizes.Close()
	if info, err := b.published.Lstat(manifestName); err == nil {
		n := int(min(info.Size()/usualLine, maxRoom))
		b.rows.listed = make([]file, 0, n)
	}
	dir, isUnchanged := "", unchanged["."] // of the last file
	for l, err := range readManifest(b.published) {
		if err != nil && !errors.Is(err, ErrDamaged) {
			return false, err
		}
		if n := len(b.rows.listed); err != nil || n > 0 && b.rows.listed[n-1].path >= l.Path {
			damaged = true
			continue
		}
		r := b.rows.newRow()
		r.sum, r.was = l.Sum, live
		if l.Expired {
			r.was = expired
		}
		r.key, r.size, r.place = keys.next()
		if now := l.Path[:max(0, strings.LastIndexByte(l.Path, '/'))]; now != dir {
			dir, isUnchanged = now, unchanged[cmp.Or(now, ".")]
		}
		if known := r.size; known < 0 || r.key == (site.Digest{}) || !isUnchanged {
			if r.size = sizes.Of(l.Path); r.size != known {
				r.key = site.Digest{}
			}
		}
		b.rows.listed = append(b.rows.listed, file{l.Path, r})
	}
	b.rows.setOrder()
	return damaged, nil
}

const (
	usualLine = 128     // the usual length of a line of the manifest
	maxRoom   = 1 << 22 // the most lines for which there is room from the beginning
)

// hasRequired reports whether the published manifest lists every required file.
func (b *build) hasRequired() bool {
	return !slices.ContainsFunc(b.options.Required, func(path string) bool { return b.rows.at(path) == nil })
}
