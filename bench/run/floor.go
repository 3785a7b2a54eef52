//go:build linux

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// maxFloor bounds the trees that the floor is measured for, because they are held
// in memory.
const maxFloor = 4 << 30

// floor measures how long it takes to write ayna's files from memory: a lower
// bound for every program that writes them. The time includes making the
// directories. Nothing is synced to disk.
func (r *rounds) floor() error {
	if !r.ayna || r.block.ayna.bytes > maxFloor {
		return nil
	}
	t, err := load(r.out(ayna))
	if err != nil {
		return err
	}
	to := filepath.Join(r.work, "floor")
	took, err := t.write(to, runtime.GOMAXPROCS(0))
	if err != nil {
		return err
	}
	r.block.floor = append(r.block.floor, took.Seconds())
	return r.putAway(to)
}

// memoryTree is a directory in memory.
type memoryTree struct {
	dirs  []string // parents before children
	files []file
}

type file struct {
	name string
	data []byte
}

func load(dir string) (memoryTree, error) {
	var t memoryTree
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			t.dirs = append(t.dirs, name)
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		t.files = append(t.files, file{name, data})
		return err
	})
	if err != nil {
		return t, fmt.Errorf("read the tree: %w", err)
	}
	return t, nil
}

// write creates the tree at dir, which must not exist.
func (t *memoryTree) write(dir string, jobs int) (time.Duration, error) {
	start := time.Now()
	for _, name := range t.dirs {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return 0, fmt.Errorf("write the tree: %w", err)
		}
	}
	errs := make([]error, jobs)
	var group sync.WaitGroup
	for job := range jobs {
		group.Go(func() {
			for i := job; i < len(t.files) && errs[job] == nil; i += jobs {
				errs[job] = os.WriteFile(filepath.Join(dir, t.files[i].name), t.files[i].data, 0o644)
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, fmt.Errorf("write the tree: %w", err)
	}
	return time.Since(start), nil
}
