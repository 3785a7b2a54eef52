package server

import (
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// publicFiles are the files of a tree that are served: regular files, and folders
// with an index.html. Names that begin with a dot and links are refused in each part
// of a path.
type publicFiles struct{ root *os.Root }

// Open implements [fs.FS]. The folders that it returns cannot be listed.
func (p publicFiles) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || name != "." && strings.Contains("/"+name, "/.") {
		return nil, fs.ErrNotExist
	}
	info, err := p.root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		if index, err := p.root.Lstat(path.Join(name, "index.html")); err != nil || !index.Mode().IsRegular() {
			return nil, fs.ErrNotExist
		}
	case !info.Mode().IsRegular(): // a link, or a pipe, which would wait for a writer
		return nil, fs.ErrNotExist
	}
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if info, err := p.root.Lstat(folder); err != nil || !info.IsDir() {
			return nil, fs.ErrNotExist
		}
	}
	f, err := p.root.Open(name)
	if err != nil {
		return nil, err
	}
	return publicFile{f, f}, nil
}

// publicFile hides the methods of a file that list a folder.
type publicFile struct {
	fs.File
	io.Seeker
}
