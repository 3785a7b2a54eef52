package output

import "time"

// The date of an answer's Last-Modified counts seconds, and must not go back
// when a file changes: whoever has the older bytes would be told that nothing
// has changed. So the time stamps of new bytes are later than those of the
// published ones, whatever the clock says.

// successor returns the least time stamp for bytes that replace those of a
// file, if it is there. A system's clock for files may be some milliseconds
// behind that for programs.
func (fs *folders) successor(path string) (time.Time, bool) {
	dir, name, err := fs.of(path)
	if err != nil {
		return time.Time{}, false
	}
	info, err := dir.root.Lstat(name)
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime().Truncate(time.Second).Add(time.Second + 100*time.Millisecond), true
}

// postdate gives a file the time stamp of now, but no earlier one than least.
func (fs *folders) postdate(path string, least time.Time) error {
	dir, name, err := fs.of(path)
	if err != nil {
		return err
	}
	stamp := time.Now()
	if stamp.Before(least) {
		stamp = least
	}
	return dir.root.Chtimes(name, stamp, stamp)
}
