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
	"ayna/generator/site"
	"ayna/testrun/disk"
)

// past is the time stamp that the tests give to all files, to see which are
// written again.
var past = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

var (
	errRender = errors.New("the template failed")
	errPlain  = errors.New("so did what should stand in")
)

type tree = disk.Tree

// files yields the files of a site. Content that begins with "!" fails to render,
// and with "?" has something to stand in for it.
func files(tr tree) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for _, path := range slices.Sorted(maps.Keys(tr)) {
			content := tr[path]
			file := output.File{Path: path, Key: func() site.Digest { sum := sha256.Sum256([]byte(content)); return site.Digest(sum[:]) }}
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

// publish publishes a site, with four jobs without options.
func publish(t testing.TB, dir string, tr tree, options ...output.Options) output.Result {
	t.Helper()
	options = append(options, output.Options{Jobs: 4})
	result, err := output.Publish(t.Context(), dir, files(tr), options[0])
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

// contents returns what is at dir, but for the manifest.
func contents(t testing.TB, dir string) tree {
	t.Helper()
	found := disk.Read(t, dir)
	delete(found, "manifest.sha256")
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
