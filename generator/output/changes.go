package output

import (
	"path"
	"slices"
)

// Changes are the paths by which the published tree differs from the one before
// it, sorted. They include the visible manifest, but neither the owner's files nor
// the hidden manifest, which nobody but a build needs.
type Changes struct {
	Written []string // new, or with other bytes
	Removed []string
}

// changes lists what the build has published. An expired file is removed with the
// build that drops it from the tree, not with the one that takes it out of the site.
func (b *build) changes(differs bool) *Changes {
	c := new(Changes)
	if !differs {
		return c
	}
	c.Written = append(c.Written, visibleManifest)
	for path, r := range b.rows {
		switch {
		case r.next == written:
			c.Written = append(c.Written, path)
		case r.was != 0 && !r.inTree():
			c.Removed = append(c.Removed, path)
		}
	}
	slices.Sort(c.Written)
	slices.Sort(c.Removed)
	return c
}

// Size is how much a tree takes where it is served. The owner's files do not count.
type Size struct {
	Files         int
	Bytes         int64
	Largest       string // path of the largest file
	LargestBytes  int64
	Fullest       string // directory with the most files
	FilesInOneDir int    // that it has
}

// size adds up the files of the next tree.
func (b *build) size() (s Size) {
	s.Files = 1 // the visible manifest
	inDir := make(map[string]int)
	for name, r := range b.rows {
		if !r.inTree() {
			continue
		}
		s.Files++
		s.Bytes += r.size
		if r.size > s.LargestBytes || r.size == s.LargestBytes && name < s.Largest {
			s.Largest, s.LargestBytes = name, r.size
		}
		inDir[path.Dir(name)]++
	}
	for dir, files := range inDir {
		if files > s.FilesInOneDir || files == s.FilesInOneDir && dir < s.Fullest {
			s.Fullest, s.FilesInOneDir = dir, files
		}
	}
	return s
}
