package output_test

import (
	"bytes"
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
	"sync/atomic"
	"testing"
	"time"

	"ayna/generator/output"
)

// past is the time stamp that the tests give to all files, to see which are
// written again.
var past = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

var errRender = errors.New("the template failed")

// tree is a site as content by path. The content is the key too.
type tree map[string]string

// files yields the tree's files. Content that begins with "!" fails to render;
// rendered, if not nil, counts.
func (tr tree) files(rendered *atomic.Int64) iter.Seq2[output.File, error] {
	return func(yield func(output.File, error) bool) {
		for _, path := range slices.Sorted(maps.Keys(tr)) {
			content := tr[path]
			file := output.File{Path: path, Key: output.NewDigest("test").Text(content).Key()}
			file.Write = func(_ context.Context, w io.Writer) error {
				if rendered != nil {
					rendered.Add(1)
				}
				if reason, fails := strings.CutPrefix(content, "!"); fails {
					io.WriteString(w, "half of "+reason)
					return errRender
				}
				_, err := io.WriteString(w, content)
				return err
			}
			if !yield(file, nil) {
				return
			}
		}
	}
}

func publish(t testing.TB, dir string, tr tree) output.Result {
	t.Helper()
	result, err := output.Publish(t.Context(), dir, tr.files(nil), output.Options{Jobs: 4})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// counts sums up a result as written, unchanged, removed and failed.
func counts(r output.Result) [4]int { return [4]int{r.Written, r.Unchanged, r.Removed, len(r.Failed)} }

func checkCounts(t testing.TB, r output.Result, want [4]int) {
	t.Helper()
	if got := counts(r); got != want {
		t.Errorf("written, unchanged, removed, failed: %v, want %v", got, want)
	}
}

// contents returns what is at dir, but for the manifests. A directory ends in
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
		case name == ".ayna-manifest" || name == "manifest.sha256":
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
		sum, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
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

func TestPublish(t *testing.T) {
	tests := []struct {
		name     string
		next     tree
		want     [4]int
		rendered int64
		touched  string // besides the manifests
	}{
		{"nothing changed", small, [4]int{0, 4, 0, 0}, 0, ""},
		{"a file changed", with(small, tree{"index.html": "HOME"}), [4]int{1, 3, 0, 0}, 1, "index.html"},
		{"a file is new", with(small, tree{"spor/a.html": "a"}), [4]int{1, 4, 0, 0}, 1, "spor/a.html"},
		{"a file goes", with(small, tree{"spor/page/1.html": ""}), [4]int{0, 3, 1, 0}, 0, ""},
		{"a folder goes", with(small, tree{"spor/page/1.html": "", "spor/index.html": ""}), [4]int{0, 2, 2, 0}, 0, ""},
		{"all goes", tree{}, [4]int{0, 0, 4, 0}, 0, ""},
		{"all is new", tree{"x.html": "x"}, [4]int{1, 0, 4, 0}, 1, "x.html"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", "public")
			checkCounts(t, publish(t, dir, small), [4]int{4, 0, 0, 0})
			checkContents(t, dir, small)
			age(t, dir)

			var rendered atomic.Int64
			result, err := output.Publish(t.Context(), dir, test.next.files(&rendered), output.Options{Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			checkCounts(t, result, test.want)
			checkContents(t, dir, test.next)
			if result.Files() != len(test.next) {
				t.Errorf("%d files, want %d", result.Files(), len(test.next))
			}
			if rendered.Load() != test.rendered {
				t.Errorf("%d files were rendered, want %d", rendered.Load(), test.rendered)
			}
			changed := slices.DeleteFunc(touched(t, dir), func(name string) bool { return strings.Contains(name, "manifest") })
			if got := strings.Join(changed, " "); got != test.touched {
				t.Errorf("written: %q, want %q", got, test.touched)
			}
			if maps.Equal(test.next, small) && len(touched(t, dir)) > 0 {
				t.Errorf("nothing has changed, but %v were written", touched(t, dir))
			}
			age(t, dir)
			checkCounts(t, publish(t, dir, test.next), [4]int{0, len(test.next), 0, 0})
			if again := touched(t, dir); len(again) > 0 {
				t.Errorf("the same site again wrote %v", again)
			}
		})
	}
}

// TestNewKeySameBytes: a file that is rendered anew and comes out the same is
// not written, and not rendered the time after.
func TestNewKeySameBytes(t *testing.T) {
	dir := t.TempDir()
	files := func(version string, rendered *int) iter.Seq2[output.File, error] {
		return func(yield func(output.File, error) bool) {
			yield(output.File{Path: "a.html", Key: output.NewDigest(version).Key(), Write: func(_ context.Context, w io.Writer) error {
				*rendered++
				_, err := io.WriteString(w, "same")
				return err
			}}, nil)
		}
	}
	for i, step := range []struct {
		version  string
		rendered int
	}{{"1", 1}, {"2", 1}, {"2", 0}} {
		rendered := 0
		if i > 0 {
			age(t, dir)
		}
		if _, err := output.Publish(t.Context(), dir, files(step.version, &rendered), output.Options{Jobs: 1}); err != nil {
			t.Fatal(err)
		}
		if rendered != step.rendered {
			t.Errorf("run %d: rendered %d times, want %d", i, rendered, step.rendered)
		}
		if i > 0 && slices.Contains(touched(t, dir), "a.html") {
			t.Errorf("run %d wrote the same bytes again", i)
		}
	}
}

func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	foreign := tree{"CNAME": "ayna.example", ".well-known/security.txt": "x", "spor/mine.txt": "y", "alone/z": "z"}
	for name, content := range foreign {
		write(t, dir, name, content)
	}
	publish(t, dir, small)
	checkContents(t, dir, with(small, foreign)) // L20
	publish(t, dir, tree{"index.html": "home"})
	checkContents(t, dir, with(foreign, tree{"index.html": "home"}))
	if manifest := read(t, dir, "manifest.sha256"); strings.Contains(manifest, "CNAME") {
		t.Errorf("a foreign file is in the manifest:\n%s", manifest)
	}
}

// TestTreeIsALink is L20: the tree itself may be a symbolic link.
func TestTreeIsALink(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "public")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o755), os.Symlink("real", link)); err != nil {
		t.Fatal(err)
	}
	publish(t, link, small)
	checkContents(t, filepath.Join(dir, "real"), small)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

// TestLostAndDamagedFiles: what someone else took out or cut short comes back.
func TestLostAndDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	if err := os.RemoveAll(filepath.Join(dir, "spor")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "index.html", "hom")
	checkCounts(t, publish(t, dir, small), [4]int{3, 1, 0, 0})
	checkContents(t, dir, small)
}

func TestFailingFile(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	next := with(small, tree{"index.html": "!home", "new.html": "!new", "spor/index.html": "SPOR"})
	result := publish(t, dir, next)
	checkCounts(t, result, [4]int{1, 2, 0, 2})
	for i, path := range []string{"index.html", "new.html"} {
		if f := result.Failed[i]; f.Path != path || !errors.Is(f.Err, errRender) {
			t.Errorf("failure %d: %+v, want %s", i, f, path)
		}
	}
	checkContents(t, dir, with(small, tree{"spor/index.html": "SPOR"})) // the old version stays
	if manifest := read(t, dir, "manifest.sha256"); !strings.Contains(manifest, "index.html") {
		t.Errorf("the old version is not in the manifest:\n%s", manifest)
	}

	// It is tried again, and once it can be rendered it is written.
	checkCounts(t, publish(t, dir, next), [4]int{0, 3, 0, 2})
	checkCounts(t, publish(t, dir, small), [4]int{1, 3, 0, 0})
	checkContents(t, dir, small)
}

// stopped publishes files up to one path, and then stops in the way that the
// stop says.
func stopped(t *testing.T, dir string, tr tree, last string, stop func(yield func(output.File, error) bool)) error {
	t.Helper()
	_, err := output.Publish(t.Context(), dir, func(yield func(output.File, error) bool) {
		for file := range tr.files(nil) {
			if !yield(file, nil) {
				return
			}
			if file.Path == last {
				stop(yield)
				return
			}
		}
	}, output.Options{Jobs: 1})
	return err
}

func TestAbortedRun(t *testing.T) {
	broken := errors.New("the archive is gone")
	fails := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	second := tree{"a/new.html": "new", "index.html": "HOME", "spor/index.html": "SPOR", "z.html": "z"}
	third := tree{"index.html": "home", "media/a.jpg": "picture", "z.html": "z"}

	for name, first := range map[string]tree{"a first run": nil, "a later run": small} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "CNAME", "mine")
			if first != nil {
				publish(t, dir, first)
			}
			if err := stopped(t, dir, second, "index.html", fails); !errors.Is(err, broken) {
				t.Fatalf("error %v, want %v", err, broken)
			}
			if strings.Count(fmt.Sprint(stopped(t, dir, second, "index.html", fails)), broken.Error()) != 1 {
				t.Error("the error is told more than once")
			}
			if read(t, dir, "index.html") != "HOME" {
				t.Error("the aborted run wrote nothing, so this test tests nothing")
			}
			// As if the program had been ended in the middle of a file and of
			// a line.
			write(t, dir, ".ayna-tmp-7", "half")
			dirty := read(t, dir, ".ayna-manifest.dirty")
			write(t, dir, ".ayna-manifest.dirty", dirty+"00000000000")

			if err := stopped(t, dir, tree{"b/newer.html": "newer"}, "b/newer.html", fails); !errors.Is(err, broken) {
				t.Fatalf("error %v, want %v", err, broken)
			}

			result := publish(t, dir, third)
			checkContents(t, dir, with(third, tree{"CNAME": "mine"}))
			if result.Files() != len(third) || len(result.Failed) > 0 {
				t.Errorf("result %+v", result)
			}
			checkCounts(t, publish(t, dir, third), [4]int{0, 3, 0, 0})
		})
	}
}

// TestAbortedRunThenFailingFile: what the manifest says of a file that the
// aborted run may have written is what is there.
func TestAbortedRunThenFailingFile(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	err := stopped(t, dir, with(small, tree{"index.html": "HOME"}), "index.html", func(yield func(output.File, error) bool) {
		yield(output.File{}, errRender)
	})
	if err == nil {
		t.Fatal("no error")
	}
	checkCounts(t, publish(t, dir, with(small, tree{"index.html": "!home"})), [4]int{0, 3, 0, 1})
	checkContents(t, dir, with(small, tree{"index.html": "HOME"}))
}

// TestManifestsSideBySide: a run that was ended after its last file has left
// both manifests; the finished one counts.
func TestManifestsSideBySide(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	write(t, dir, ".ayna-manifest.dirty", "ayna manifest 1\n")
	var rendered atomic.Int64
	if _, err := output.Publish(t.Context(), dir, small.files(&rendered), output.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	if rendered.Load() != 0 {
		t.Errorf("%d files were rendered again", rendered.Load())
	}
	checkContents(t, dir, small) // without the dirty manifest
}

func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	publish(t, dir, small)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	next := with(small, tree{"index.html": "HOME", "spor/index.html": "SPOR", "z.html": "z"})
	_, err := output.Publish(ctx, dir, func(yield func(output.File, error) bool) {
		for file := range next.files(nil) {
			inner := file.Write
			file.Write = func(ctx context.Context, w io.Writer) error {
				if file.Path == "spor/index.html" {
					cancel(reason)
					return ctx.Err()
				}
				return inner(ctx, w)
			}
			if !yield(file, nil) {
				return
			}
		}
	}, output.Options{Jobs: 1})
	if !errors.Is(err, reason) {
		t.Errorf("error %v, want %v", err, reason)
	}
	if got := read(t, dir, "spor/index.html"); got != "spor" {
		t.Errorf("the file in work became %q", got)
	}
	publish(t, dir, next)
	checkContents(t, dir, next)
}

func TestPathsThatAreRefused(t *testing.T) {
	for _, path := range []string{
		"", ".", "..", "../x.html", "/etc/passwd", "a/../b.html", "a//b.html", "a/", "./a.html",
		".htaccess", ".ayna-manifest", ".ayna-manifest.dirty", ".git/config", "a/.git/config", "a/.x",
		"a\nb.html", "a\x00b.html", "a\r.html", `a\b.html`, "a\xff.html",
		"manifest.sha256", "MANIFEST.SHA256",
	} {
		t.Run(fmt.Sprintf("D39 %q", path), func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			publish(t, dir, small)
			before := contents(t, outer)
			_, err := output.Publish(t.Context(), dir, tree{path: "evil"}.files(nil), output.Options{Jobs: 1})
			if err == nil || path != "" && !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(strings.Trim(fmt.Sprintf("%q", path), `"`))) {
				t.Errorf("error %v", err)
			}
			if after := contents(t, outer); !maps.Equal(before, after) {
				t.Errorf("the tree changed: %q", after)
			}
		})
	}
}

func TestTwoFilesOfOneAddress(t *testing.T) {
	for _, pair := range [][2]string{{"a.html", "a.html"}, {"A.html", "a.html"}, {"Spor/a.html", "spor/a.html"}} { // D46, L18
		dir := t.TempDir()
		_, err := output.Publish(t.Context(), dir, output.Join(tree{pair[0]: "1"}.files(nil), tree{pair[1]: "2"}.files(nil)), output.Options{Jobs: 1})
		if err == nil || !strings.Contains(err.Error(), pair[1]) {
			t.Errorf("%v: error %v", pair, err)
		}
	}
}

// TestLinksInTheTree is L19: a link planted in the tree is replaced or refused,
// and what it points to is not touched.
func TestLinksInTheTree(t *testing.T) {
	tests := map[string]struct {
		name   string // of the link
		target string // of the link, beside the tree
		hard   bool
		fails  bool
	}{
		"link in place of a file":          {"index.html", "victim/file", false, false},
		"link to nowhere":                  {"index.html", "nowhere", false, false},
		"hard link in place of a file":     {"index.html", "victim/file", true, false},
		"link in place of the manifest":    {"manifest.sha256", "victim/file", false, false},
		"link like a temporary file":       {".ayna-tmp-1", "victim/file", false, false},
		"link in place of a folder":        {"spor", "victim", false, true},
		"link in place of our manifest":    {".ayna-manifest", "victim/file", false, true},
		"link in place of the dirty one":   {".ayna-manifest.dirty", "victim/file", false, true},
		"link to nowhere for the manifest": {".ayna-manifest", "nowhere", false, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			write(t, outer, "victim/file", "untouched")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			link := os.Symlink
			if test.hard {
				link = os.Link
			}
			if err := link(filepath.Join(outer, test.target), filepath.Join(dir, test.name)); err != nil {
				t.Fatal(err)
			}
			_, err := output.Publish(t.Context(), dir, small.files(nil), output.Options{Jobs: 2})
			if (err != nil) != test.fails {
				t.Errorf("error %v", err)
			}
			if err == nil {
				checkContents(t, dir, small)
			}
			if got := contents(t, filepath.Join(outer, "victim")); !maps.Equal(got, tree{"file": "untouched"}) {
				t.Errorf("beside the tree: %q", got)
			}
			if _, err := os.Lstat(filepath.Join(outer, "nowhere")); err == nil {
				t.Error("a file was made outside of the tree")
			}
		})
	}
}

// TestLinkPlantedWhileWriting is L19: the name of a temporary file is taken
// between two steps of a build.
func TestLinkPlantedWhileWriting(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "CNAME", "mine")
	plant := func(yield func(output.File, error) bool) {
		yield(output.File{Path: "a.html", Write: func(_ context.Context, w io.Writer) error {
			io.WriteString(w, "evil")
			return os.Symlink("CNAME", filepath.Join(dir, ".ayna-tmp-1"))
		}}, nil)
	}
	if _, err := output.Publish(t.Context(), dir, plant, output.Options{Jobs: 1}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	publish(t, dir, small)
	checkContents(t, dir, with(small, tree{"CNAME": "mine"}))
}

func TestDamagedManifest(t *testing.T) {
	line := strings.Repeat("0", 32) + " " + strings.Repeat("0", 64) + " 4 "
	for name, manifest := range map[string]string{
		"another form":    "ayna manifest 99\n",
		"no manifest":     "<html>",
		"line cut off":    "ayna manifest 1\n0000",
		"no hexadecimals": "ayna manifest 1\n" + strings.Repeat("g", 32) + " " + strings.Repeat("0", 64) + " 4 index.html\n",
		"no size":         "ayna manifest 1\n" + strings.Replace(line, "4", "x", 1) + "index.html\n",
		"L19 outside":     "ayna manifest 1\n" + line + "../victim\n",
		"L19 absolute":    "ayna manifest 1\n" + line + "/etc/passwd\n",
		"the owner's":     "ayna manifest 1\n" + line + ".well-known/x\n",
	} {
		t.Run(name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			write(t, outer, "victim", "untouched")
			publish(t, dir, small)
			write(t, dir, ".ayna-manifest", manifest)
			_, err := output.Publish(t.Context(), dir, tree{}.files(nil), output.Options{Jobs: 1})
			if err == nil || !strings.Contains(err.Error(), ".ayna-manifest") || !strings.Contains(err.Error(), "remove the file") {
				t.Errorf("error %v, want it to say what to do", err)
			}
			if got := contents(t, dir); !maps.Equal(got, small) || read(t, outer, "victim") != "untouched" {
				t.Errorf("the tree changed: %q", got)
			}

			// What it says to do works, and writes only what is not there.
			if err := os.Remove(filepath.Join(dir, ".ayna-manifest")); err != nil {
				t.Fatal(err)
			}
			checkCounts(t, publish(t, dir, small), [4]int{0, 4, 0, 0})
			checkContents(t, dir, small)
		})
	}
}

// TestTreeThatCannotBeWritten names the place and leaves the rest alone; once
// the hindrance is gone, the work is finished.
func TestTreeThatCannotBeWritten(t *testing.T) {
	t.Run("the tree is a file", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "public", "x")
		_, err := output.Publish(t.Context(), filepath.Join(dir, "public"), small.files(nil), output.Options{Jobs: 1})
		if err == nil || !strings.Contains(err.Error(), "public") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a folder in place of a file", func(t *testing.T) {
		dir := t.TempDir()
		write(t, dir, "index.html/x", "x")
		_, err := output.Publish(t.Context(), dir, small.files(nil), output.Options{Jobs: 1})
		if err == nil || !strings.Contains(err.Error(), "index.html") {
			t.Errorf("error %v", err)
		}
		if err := os.RemoveAll(filepath.Join(dir, "index.html")); err != nil {
			t.Fatal(err)
		}
		publish(t, dir, small)
		checkContents(t, dir, small)
	})
	t.Run("read only", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere")
		}
		dir := t.TempDir()
		publish(t, dir, small)
		for _, mode := range []fs.FileMode{0o555, 0o755} {
			if err := os.Chmod(dir, mode); err != nil {
				t.Fatal(err)
			}
			_, err := output.Publish(t.Context(), dir, tree{"index.html": "HOME"}.files(nil), output.Options{Jobs: 1})
			if refused := errors.Is(err, fs.ErrPermission); refused != (mode == 0o555) {
				t.Errorf("mode %o: error %v", mode, err)
			}
		}
	})
}

// TestJobs: any number of jobs gives the same bytes, manifests included.
func TestJobs(t *testing.T) {
	site := make(tree)
	for i := range 500 {
		site[fmt.Sprintf("d%d/%d.html", i%17, i)] = strings.Repeat(fmt.Sprint(i), i)
	}
	var first tree
	for _, jobs := range []int{1, 8, 0} {
		dir := t.TempDir()
		var most atomic.Int64
		_, err := output.Publish(t.Context(), dir, site.files(nil), output.Options{
			Jobs: jobs, Progress: func(done int) { most.Store(max(most.Load(), int64(done))) },
		})
		if err != nil {
			t.Fatal(err)
		}
		if most.Load() != int64(len(site)) {
			t.Errorf("%d jobs: progress ended at %d", jobs, most.Load())
		}
		checkContents(t, dir, site)
		manifests := tree{"visible": read(t, dir, "manifest.sha256"), "hidden": read(t, dir, ".ayna-manifest")}
		if first == nil {
			first = manifests
		} else if !maps.Equal(first, manifests) {
			t.Errorf("%d jobs: other manifests", jobs)
		}
	}
}

func TestLongNamesAndFolders(t *testing.T) {
	deep := tree{strings.Repeat("a/", 200) + "x.html": "deep", strings.Repeat("a", 120) + ".html": "L17", "-x/--y.html": "hyphens", "a b.html": "blank"}
	dir := t.TempDir()
	publish(t, dir, deep)
	checkContents(t, dir, deep)
	publish(t, dir, tree{"x.html": "x"})
	checkContents(t, dir, tree{"x.html": "x"})
}

func TestDigest(t *testing.T) {
	keys := make(map[output.Key]string)
	for name, digest := range map[string]output.Digest{
		"a": output.NewDigest("a"), "b": output.NewDigest("b"),
		"a,b": output.NewDigest("a").Text("b"), "ab": output.NewDigest("ab"), "a,,b": output.NewDigest("a").Text("", "b"),
		"a,b,": output.NewDigest("a").Text("b", ""), "a,1": output.NewDigest("a").Number(1), "a,1,0": output.NewDigest("a").Number(1, 0),
		"a,256": output.NewDigest("a").Number(256), "a,\"1\"": output.NewDigest("a").Text("1"),
	} {
		if other, taken := keys[digest.Key()]; taken {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[digest.Key()] = name
	}
	if output.NewDigest("a").Text("b", "c").Key() != output.NewDigest("a").Text("b").Text("c").Key() {
		t.Error("texts added at once and one by one differ")
	}
}

func TestJoin(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	var got bytes.Buffer
	for file, err := range output.Join(tree{"a": "1", "b": "2"}.files(nil), tree{}.files(nil), tree{"c": "3"}.files(nil), failing, tree{"d": "4"}.files(nil)) {
		fmt.Fprint(&got, file.Path, err, " ")
	}
	if want := "a<nil> b<nil> c<nil> broken "; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	for range output.Join(tree{"a": "1", "b": "2"}.files(nil), failing) {
		break // must not go on
	}
}
