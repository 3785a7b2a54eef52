package output_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ayna/generator/output"
)

// past is the time stamp that the tests give to all files, to see which are
// written again.
var past = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

var (
	errRender = errors.New("the template failed")
	errPlain  = errors.New("so did what should stand in")
)

// tree is a site as content by path.
type tree map[string]string

// files yields the tree's files. Content that begins with "!" fails to render,
// and with "?" has something to stand in for it.
func (tr tree) files() iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for _, path := range slices.Sorted(maps.Keys(tr)) {
			content := tr[path]
			file := output.File{Path: path}
			file.Write = func(_ context.Context, w io.Writer) error {
				if strings.HasPrefix(content, "!") || strings.HasPrefix(content, "?") {
					io.WriteString(w, "half of "+content[1:])
					return errRender
				}
				_, err := io.WriteString(w, content)
				return err
			}
			if plain, ok := strings.CutPrefix(content, "?"); ok {
				file.Fallback = func(_ context.Context, w io.Writer) error {
					_, err := io.WriteString(w, "plain "+plain)
					if plain == "" {
						err = errPlain
					}
					return err
				}
			}
			if !yield(file, nil) {
				return
			}
		}
	}
}

func publish(t testing.TB, dir string, tr tree) output.Result {
	t.Helper()
	result, err := output.Publish(t.Context(), dir, tr.files(), output.Options{Jobs: 4})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// counts are the numbers of files in a result.
type counts struct{ written, unchanged, removed, failed int }

func countsOf(r output.Result) counts {
	return counts{r.Written, r.Unchanged, r.Removed, len(r.Failed)}
}

func checkCounts(t testing.TB, r output.Result, want counts) {
	t.Helper()
	if got := countsOf(r); got != want {
		t.Errorf("files: %+v, want %+v", got, want)
	}
}

// contents returns what is at dir, but for the manifest. A directory ends in
// a slash, a symbolic link holds its target.
func contents(t testing.TB, dir string) tree {
	t.Helper()
	found := make(tree)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case name == "manifest.sha256":
		case e.IsDir():
			if empty, _ := os.ReadDir(path); len(empty) == 0 {
				found[name+"/"] = ""
			}
		case e.Type()&fs.ModeSymlink != 0:
			found[name], _ = os.Readlink(path)
		default:
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			found[name] = string(content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func checkContents(t testing.TB, dir string, want tree) {
	t.Helper()
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("the tree holds %q, want %q", got, want)
	}
	checkManifest(t, dir)
}

// checkManifest does what "sha256sum -c manifest.sha256" does.
func checkManifest(t testing.TB, dir string) {
	t.Helper()
	manifest := read(t, dir, "manifest.sha256")
	for line := range strings.Lines(manifest) {
		sum, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		path, plain := strings.CutPrefix(path, " ")
		path, expired := strings.CutPrefix(path, "*")
		if !ok || plain == expired {
			t.Errorf("manifest: %q is no line of sha256sum", line)
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Errorf("manifest: %v", err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(content)); got != sum {
			t.Errorf("manifest: %s has the sum %s, want %s", path, got, sum)
		}
	}
}

func read(t testing.TB, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t testing.TB, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// age sets the time stamps of all files back, so that touched finds those
// written since.
func age(t testing.TB, dir string) {
	t.Helper()
	for name := range all(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
}

func touched(t testing.TB, dir string) []string {
	t.Helper()
	names := []string{}
	for name, info := range all(t, dir) {
		if !info.ModTime().Equal(past) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func all(t testing.TB, dir string) map[string]fs.FileInfo {
	t.Helper()
	files := make(map[string]fs.FileInfo)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = e.Info()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var small = tree{"index.html": "home", "spor/index.html": "spor", "spor/page/1.html": "older", "media/a.jpg": "picture"}

func with(base tree, changes tree) tree {
	next := maps.Clone(base)
	for path, content := range changes {
		if content == "" {
			delete(next, path)
		} else {
			next[path] = content
		}
	}
	return next
}
