package output

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// fit goes through the published tree and the work tree side by side: what the
// work tree has and is not to have goes, and what is to stay as published and
// is not there is linked. On the way it finds the owner's files, and lists
// those of the site: a tree is gone through in the order of its paths.
func (b *build) fit(ctx context.Context, m *manifests) (err error) {
	f := &fitting{build: b, manifests: m, to: newFolders(b.work, b.place.chmod, 1)}
	defer f.to.close()
	var top pair
	if b.served != nil {
		f.from = newFolders(b.served, false, 1)
		defer f.from.close()
		if top.served, err = b.served.view(); err != nil {
			return err
		}
		defer top.served.close()
	}
	if top.work, err = b.work.view(); err != nil {
		return err
	}
	defer top.work.close()
	_, err = f.dir(ctx, &top)
	return err
}

// fitting is one run of fit. A directory is opened to be changed only if
// something in it is to be.
type fitting struct {
	*build
	manifests *manifests
	from, to  *folders // of the published tree, nil if there is none, and the work tree
	path      []byte   // of what is being looked at; that of a directory ends in a slash
}

// pair is a directory of both trees, or of one of them.
type pair struct {
	served, work *view // nil if it is not there
	here, there  []listed
	replaced     []string // directories of the work tree whose place a file has taken
}

// dir fits a directory that at least one of the trees has. emptied says that
// there may be nothing left in that of the work tree.
func (f *fitting) dir(ctx context.Context, p *pair) (emptied bool, err error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if err := p.list(); err != nil {
		return false, err
	}
	top := len(f.path)
	if p.served != nil && top > 0 && len(p.here) == 0 {
		f.strange("")
	}
	emptied = len(p.there) == 0
	for len(p.here)+len(p.there) > 0 {
		s, w := p.next()
		gone, err := f.one(ctx, p, s, w, top)
		if err != nil {
			return false, err
		}
		emptied = emptied || gone
	}
	f.path = f.path[:top]
	return emptied, nil
}

// list lists the directory in both trees, side by side.
func (p *pair) list() error {
	var group errgroup.Group
	if p.served != nil {
		group.Go(func() (err error) { p.here, err = p.served.listInOrder(); return err })
	}
	var err error
	if p.work != nil {
		p.there, err = p.work.listInOrder()
	}
	return errors.Join(err, group.Wait())
}

// listInOrder lists a directory in the order of the paths in it.
func (v *view) listInOrder() ([]listed, error) {
	all, err := v.list()
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
	e := cmp.Or(s, w)
	f.path = append(f.path[:top], e.name...)
	switch {
	case top == 0 && isOurs(e.name):
		if w == nil || e.name == visibleManifest || e.name == newManifest {
			return false, nil
		}
		return true, f.work.root.RemoveAll(e.name)
	case e.kind != dirKind:
		return f.file(p, s, w)
	}
	f.path = append(f.path, '/')
	return f.inner(ctx, p, s, w)
}

// inner fits a directory in another.
func (f *fitting) inner(ctx context.Context, p *pair, s, w *listed) (gone bool, err error) {
	var inner pair
	if s != nil {
		if inner.served, err = p.served.child(s.name); err != nil {
			return false, err
		}
		defer inner.served.close()
	}
	if w != nil && !slices.Contains(p.replaced, w.name) {
		if inner.work, err = p.work.child(w.name); err != nil {
			return false, err
		}
		defer inner.work.close()
	}
	emptied, err := f.dir(ctx, &inner)
	if err != nil || inner.work == nil || !emptied {
		return false, err
	}
	return f.work.root.Remove(strings.TrimSuffix(string(f.path), "/")) == nil, nil
}

// file fits a file, and puts it into the manifests.
func (f *fitting) file(p *pair, s, w *listed) (gone bool, err error) {
	row := f.table.find(idOfBytes(f.path))
	if s != nil && row.isStranger() {
		f.strange(s.name)
	}
	stays := row.is(kept) && s != nil
	there := w != nil && (row.is(placed) || stays && f.table.same(row) && f.sameFile(s, w))
	if w != nil && !there {
		if err := f.remove(); err != nil {
			return false, err
		}
	}
	if !there {
		if !stays {
			return true, nil
		}
		if err := f.bring(p); err != nil {
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
func (f *fitting) sameFile(s, w *listed) bool {
	if s.inode != 0 && w.inode != 0 {
		return s.inode == w.inode
	}
	one, err1 := f.served.root.Lstat(string(f.path))
	other, err2 := f.work.root.Lstat(string(f.path))
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// remove removes a file of the work tree.
func (f *fitting) remove() error {
	dir, name, err := f.to.of(string(f.path))
	if err != nil {
		return err
	}
	return dir.root.Remove(name)
}

// bring links a file that is to stay and is not there. What the work tree has
// in its place, which can only be a directory of an earlier site, goes.
func (f *fitting) bring(p *pair) error {
	from, name, err := f.from.of(string(f.path))
	if err != nil {
		return err
	}
	to, _, err := f.to.make(string(f.path))
	if err != nil {
		return err
	}
	err = linkOrCopy(from, name, to)
	if errors.Is(err, fs.ErrExist) {
		if err := to.root.RemoveAll(name); err != nil {
			return err
		}
		p.replaced = append(p.replaced, name)
		err = linkOrCopy(from, name, to)
	}
	return err
}
