// Floor copies a tree from memory and prints the seconds that writing it took: a
// lower bound for every program that writes these files.
//
//	go run ./bench/floor FROM TO
//
// The time includes making the directories of TO, but not reading FROM. Nothing
// is synced to disk. The memory needed is the size of FROM.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("floor", flag.ContinueOnError)
	flags.SetOutput(stderr)
	jobs := flags.Int("jobs", runtime.GOMAXPROCS(0), "write `N` files in parallel")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() != 2 || *jobs < 1:
		fmt.Fprintln(stderr, "floor: name a tree and a directory to create: floor [-jobs N] FROM TO")
		return 2
	}
	t, err := load(flags.Arg(0))
	if err == nil {
		var took time.Duration
		if took, err = t.write(flags.Arg(1), *jobs); err == nil {
			fmt.Fprintf(stdout, "%.3f\n", took.Seconds())
			return 0
		}
	}
	fmt.Fprintln(stderr, "floor:", err)
	return 1
}

// tree is a directory in memory.
type tree struct {
	dirs  []string // parents before children
	files []file
}

type file struct {
	name string
	data []byte
}

func load(dir string) (tree, error) {
	var t tree
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
func (t *tree) write(dir string, jobs int) (time.Duration, error) {
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
