package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// overlay lays the owner's folder over built-in files, one by one. key is the
// configuration's name for the folder; an empty dir changes nothing.
func overlay(builtIn fs.FS, dir, key string) (fs.FS, error) {
	if dir == "" {
		return builtIn, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: %s is no folder that can be read", key, dir)
	}
	return layers{os.DirFS(dir), builtIn}, nil
}

// layers is a file system of one folder, in which an upper file hides a lower
// one of the same name.
type layers [2]fs.FS

// Open implements [fs.FS].
func (l layers) Open(name string) (fs.File, error) {
	f, err := l[0].Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return l[1].Open(name)
	}
	return f, err
}

// ReadDir implements [fs.ReadDirFS].
func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	upper, err := fs.ReadDir(l[0], name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lower, err := fs.ReadDir(l[1], name)
	if err != nil {
		return nil, err
	}
	entries := upper
	for _, e := range lower {
		if !slices.ContainsFunc(upper, func(u fs.DirEntry) bool { return u.Name() == e.Name() }) {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}
