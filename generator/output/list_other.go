//go:build !linux

package output

import "io/fs"

// view is a directory that is only listed.
type view struct {
	*folder
	own bool // it is closed with the view
}

func (f *folder) view() (*view, error) { return &view{f, false}, nil }

// child opens a directory in the directory, which is no link.
func (v *view) child(name string) (*view, error) {
	inner, err := v.folder.child(name)
	if err != nil {
		return nil, err
	}
	return &view{inner, true}, nil
}

func (v *view) close() {
	if v.own {
		v.folder.close()
	}
}

// list lists the directory, in no order.
func (v *view) list() ([]listed, error) {
	dir, err := v.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	all := make([]listed, len(entries))
	for i, e := range entries {
		all[i] = listed{name: e.Name(), kind: kindOf(e.Type())}
	}
	return all, nil
}

// isFile reports whether a regular file of that size is there.
func (f *folder) isFile(name string, size int64) bool {
	info, err := f.root.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size() == size
}

func kindOf(mode fs.FileMode) kind {
	switch {
	case mode.IsDir():
		return dirKind
	case mode.IsRegular():
		return fileKind
	}
	return otherKind
}
