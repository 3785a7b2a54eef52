package output

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// fit goes through the published tree and the work tree side by side: what the
// work tree has and is not to have goes, and what is to stay as published and
// is not there is linked. On the way it finds the owner's files, and lists
// those of the site: a tree is gone through in the order of its paths.
func (b *build) fit(ctx context.Context, m *manifests) error {
	f := &fitting{build: b, manifests: m, made: newFolders(b.work, b.place.chmod, 1)}
	defer f.made.close()
	_, err := f.dir(ctx, b.served, b.work)
	return err
}

// fitting is one run of fit.
type fitting struct {
	*build
	manifests *manifests
	made      *folders // of the work tree
	path      []byte   // of what is being looked at; that of a directory ends in a slash
}

// pair is a directory of both trees, or of one of them.
type pair struct {
	served, work *folder // nil if it is not there
	made         bool    // the work tree has it since now
	here, there  []listed
}

// dir fits a directory that at least one of the trees has. emptied says that
// there may be nothing left in that of the work tree.
func (f *fitting) dir(ctx context.Context, served, work *folder) (emptied bool, err error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	p := &pair{served: served, work: work}
	if p.here, err = inOrder(served); err != nil {
		return false, err
	}
	if p.there, err = inOrder(work); err != nil {
		return false, err
	}
	top := len(f.path)
	if served != nil && top > 0 && len(p.here) == 0 {
		f.strange("")
	}
	emptied = len(p.there) == 0
	defer func() {
		f.path = f.path[:top]
		if p.made {
			p.work.close()
		}
	}()
	for len(p.here)+len(p.there) > 0 {
		s, w := p.next()
		gone, err := f.one(ctx, p, s, w, top)
		if err != nil {
			return false, err
		}
		emptied = emptied || gone
	}
	return emptied, nil
}

// inOrder lists a directory in the order of the paths in it, none for nil.
func inOrder(f *folder) ([]listed, error) {
	if f == nil {
		return nil, nil
	}
	all, err := f.list()
	slices.SortFunc(all, listed.compare)
	return all, err
}

// compare orders the entries of a directory as what is in them is ordered by
// its path, in which a directory's name ends in a slash.
func (l listed) compare(other listed) int {
	n := min(len(l.name), len(other.name))
	if c := strings.Compare(l.name[:n], other.name[:n]); c != 0 {
		return c
	}
	return l.byteAt(n) - other.byteAt(n)
}

func (l listed) byteAt(n int) int {
	switch {
	case n < len(l.name):
		return int(l.name[n])
	case l.kind == dirKind:
		return '/'
	}
	return -1
}

// next takes the next entry of the directory, which one tree has, or both.
func (p *pair) next() (s, w *listed) {
	c := 0
	switch {
	case len(p.here) == 0:
		c = 1
	case len(p.there) == 0:
		c = -1
	default:
		c = p.here[0].compare(p.there[0])
	}
	if c <= 0 {
		s, p.here = &p.here[0], p.here[1:]
	}
	if c >= 0 {
		w, p.there = &p.there[0], p.there[1:]
	}
	return s, w
}

// one fits an entry of a directory whose path has a length, and reports
// whether it has gone from the work tree.
func (f *fitting) one(ctx context.Context, p *pair, s, w *listed, top int) (gone bool, err error) {
	e := s
	if e == nil {
		e = w
	}
	f.path = append(f.path[:top], e.name...)
	switch {
	case top == 0 && isOurs(e.name):
		if w == nil || e.name == visibleManifest || e.name == newManifest {
			return false, nil
		}
		return true, p.work.root.RemoveAll(e.name)
	case e.kind != dirKind:
		return f.file(p, s, w)
	}
	f.path = append(f.path, '/')
	return f.inner(ctx, p, s, w)
}

// inner fits a directory in another.
func (f *fitting) inner(ctx context.Context, p *pair, s, w *listed) (gone bool, err error) {
	var served, work *folder
	if s != nil {
		if served, err = p.served.child(s.name); err != nil {
			return false, err
		}
		defer served.close()
	}
	if w != nil && p.work.kindOf(w.name) == dirKind { // a file may have taken its place
		if work, err = p.work.child(w.name); err != nil {
			return false, err
		}
		defer work.close()
	}
	emptied, err := f.dir(ctx, served, work)
	if err != nil || work == nil || !emptied {
		return false, err
	}
	return p.work.root.Remove(w.name) == nil, nil
}

// file fits a file, and puts it into the manifests.
func (f *fitting) file(p *pair, s, w *listed) (gone bool, err error) {
	row := f.table.find(idOfBytes(f.path))
	if s != nil && row.isStranger() {
		f.strange(s.name)
	}
	stays := row.is(kept) && s != nil
	there := w != nil && (row.is(placed) || stays && f.table.same(row) && sameFile(s, w, p))
	if w != nil && !there {
		if err := p.work.root.Remove(w.name); err != nil {
			return false, err
		}
	}
	if !there {
		if !stays {
			return true, nil
		}
		if err := f.bring(p, s.name); err != nil {
			return false, err
		}
	}
	row.mark(found)
	return false, f.manifests.add(f.path, &row.entry)
}

// strange notes a file of the owner's in the directory that is being looked
// at, or that this one is empty.
func (f *fitting) strange(name string) {
	dir := path.Dir(string(f.path))
	f.foreign = append(f.foreign, foreign{dir, name})
}

// sameFile reports whether an entry of the work tree is a link to the file
// that is to stay.
func sameFile(s, w *listed, p *pair) bool {
	if s.inode != 0 && w.inode != 0 {
		return s.inode == w.inode
	}
	one, err1 := p.served.root.Lstat(s.name)
	other, err2 := p.work.root.Lstat(w.name)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// bring links a file that is to stay and is not there. What the work tree has
// in its place, which can only be a directory of an earlier site, goes.
func (f *fitting) bring(p *pair, name string) (err error) {
	if p.work == nil {
		dir := path.Dir(string(f.path))
		if err := f.made.makeAll(dir); err != nil {
			return err
		}
		if p.work, err = f.work.child(dir); err != nil {
			return err
		}
		p.made = true
	}
	err = linkOrCopy(p.served, name, p.work)
	if errors.Is(err, fs.ErrExist) {
		if err := p.work.root.RemoveAll(name); err != nil {
			return err
		}
		err = linkOrCopy(p.served, name, p.work)
	}
	return err
}
