package output

import (
	"context"
	"errors"
	"os"
	"path"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// leave counts the published files that are not among the site's any more, and
// lets some of them linger.
func (b *build) leave() error {
	if b.result.Removed = b.live - b.taken; b.result.Removed == 0 || !b.listed || b.options.Lingering == "" {
		return nil
	}
	there := newFolders(b.served, false, 1)
	defer there.close()
	for l, err := range readManifest(b.served.root) {
		if err != nil {
			return err
		}
		i := idOf(l.path)
		if !strings.HasPrefix(l.path, b.options.Lingering) || l.key == lingering || b.table.get(i).place() != 0 {
			continue
		}
		if dir, name, err := there.of(l.path); err == nil && dir.isFile(name, l.size) {
			b.table.decide(i, kept, entry{lingering, l.sum, l.size})
		}
	}
	return nil
}

// fit goes through the published tree and the work tree side by side: what the
// work tree has and is not to have goes, and what is to stay as published and
// is not there is linked. On the way it finds the owner's files.
func (b *build) fit(ctx context.Context) error {
	if err := b.open(); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, b.options.Jobs))
	f := &fitting{build: b, group: group}
	err := f.dir(ctx, ".", b.served, b.work)
	if err := errors.Join(err, group.Wait()); err != nil {
		return err
	}
	for _, dir := range f.left {
		for ; dir != "." && b.work.root.Remove(dir) == nil; dir = path.Dir(dir) {
		}
	}
	return nil
}

// fitting is one run of fit.
type fitting struct {
	*build
	group *errgroup.Group
	mu    sync.Mutex // guards what follows, and foreign
	left  []string   // directories of the work tree that may be empty
}

// dir fits a directory that at least one of the trees has.
func (f *fitting) dir(ctx context.Context, dir string, served, work *folder) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	here, err := listBelow(served)
	if err != nil {
		return err
	}
	there, err := listBelow(work)
	if err != nil {
		return err
	}
	stay, folders := f.sort(dir, here, served != nil)
	if err := f.clear(dir, there, work, served, stay, folders); err != nil {
		return err
	}
	if err := f.bring(dir, stay, served, work); err != nil {
		return err
	}
	for name := range folders {
		if err := f.later(ctx, below(dir, name), name, served, work); err != nil {
			return err
		}
	}
	return nil
}

func listBelow(f *folder) ([]listed, error) {
	if f == nil {
		return nil, nil
	}
	return f.list()
}

// staying is a file that is to be as published.
type staying struct {
	id    id
	slot  slot
	inode uint64
}

// sort tells what is in a directory of the published tree.
func (f *fitting) sort(dir string, here []listed, exists bool) (stay map[string]staying, folders map[string]bool) {
	stay, folders = make(map[string]staying, len(here)), make(map[string]bool)
	for _, e := range here {
		if dir == "." && isOurs(e.name) {
			continue
		}
		if e.kind == dirKind {
			folders[e.name] = true
			continue
		}
		i := idOf(below(dir, e.name))
		switch s := f.table.get(i); {
		case s.fate() == kept:
			stay[e.name] = staying{i, s, e.inode}
		case s.served == 0 && s.place() == 0:
			f.strange(dir, e.name)
		}
	}
	if exists && dir != "." && len(here) == 0 {
		f.strange(dir, "")
	}
	return stay, folders
}

// strange notes a file of the owner's, or an empty directory.
func (f *fitting) strange(dir, name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.foreign = append(f.foreign, foreign{dir, name})
}

// clear removes what the work tree is not to have in a directory, and takes
// from stay what it has as it is to be.
func (f *fitting) clear(dir string, there []listed, work, served *folder, stay map[string]staying, folders map[string]bool) error {
	lost := len(there) == 0
	for _, e := range there {
		if e.kind == dirKind {
			folders[e.name] = true
			continue
		}
		s, stays := stay[e.name]
		if stays && f.table.same(s.slot) && sameFile(e, s, served, work) {
			f.table.find(s.id)
			delete(stay, e.name)
			continue
		}
		if i := idOf(below(dir, e.name)); !stays && f.table.get(i).fate() == placed {
			f.table.find(i)
			continue
		}
		if err := work.root.Remove(e.name); err != nil {
			return err
		}
		lost = true
	}
	if lost && work != nil {
		f.mu.Lock()
		f.left = append(f.left, dir)
		f.mu.Unlock()
	}
	return nil
}

// sameFile reports whether an entry of the work tree is a link to the file
// that is to stay.
func sameFile(e listed, s staying, served, work *folder) bool {
	if e.inode != 0 && s.inode != 0 {
		return e.inode == s.inode
	}
	one, err1 := served.root.Lstat(e.name)
	other, err2 := work.root.Lstat(e.name)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// bring links the files of a directory that are to stay and are not there.
func (f *fitting) bring(dir string, stay map[string]staying, served, work *folder) error {
	if len(stay) == 0 {
		return nil
	}
	if work == nil {
		to := newFolders(f.work, f.place.chmod, f.options.Jobs)
		defer to.close()
		if err := to.makeAll(dir); err != nil {
			return err
		}
		var err error
		if work, err = to.get(dir); err != nil {
			return err
		}
	}
	for name, s := range stay {
		if err := linkOrCopy(served, name, work); err != nil {
			return err
		}
		f.table.find(s.id)
	}
	return nil
}

// later fits a directory in a goroutine of its own, if one is free.
func (f *fitting) later(ctx context.Context, dir, name string, served, work *folder) error {
	innerServed, err := childOf(served, name)
	if err != nil {
		return err
	}
	innerWork, err := childOf(work, name)
	if err != nil {
		return err
	}
	do := func() error {
		defer closeAll(innerServed, innerWork)
		return f.dir(ctx, dir, innerServed, innerWork)
	}
	if f.group.TryGo(do) {
		return nil
	}
	return do()
}

// childOf opens a directory, nil if it is not there.
func childOf(f *folder, name string) (*folder, error) {
	if f == nil || f.kindOf(name) != dirKind {
		return nil, nil
	}
	return f.child(name)
}

func closeAll(folders ...*folder) {
	for _, f := range folders {
		if f != nil {
			f.close()
		}
	}
}
