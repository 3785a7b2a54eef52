//go:build !linux

package output

// list lists a directory, in no order.
func (f *folder) list() ([]listed, error) {
	dir, err := f.root.Open(".")
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
