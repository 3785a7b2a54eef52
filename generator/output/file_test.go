package output_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
	"ayna/generator/swap"
	"ayna/testrun/disk"
)

func TestJoin(t *testing.T) {
	broken := errors.New("broken")
	failing := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	var got bytes.Buffer
	for file, err := range output.Join(files(tree{"a": "1", "b": "2"}), files(tree{}), files(tree{"c": "3"}), failing, files(tree{"d": "4"})) {
		fmt.Fprint(&got, file.Path, err, " ")
	}
	if want := "a<nil> b<nil> c<nil> broken "; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
	for range output.Join(files(tree{"a": "1", "b": "2"}), failing) {
		break // must not go on
	}
}

// linked yields small with one file of it as a link to another place.
func linked(name string) iter.Seq2[output.File, error] {
	return output.Join(files(small), func(yield func(output.File, error) bool) {
		yield(output.File{Path: "media/b.jpg", Link: name}, nil)
	})
}

func TestLink(t *testing.T) {
	const content = "another picture"
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	elsewhere := t.TempDir()
	for _, test := range []struct {
		name   string
		file   string
		linked bool
	}{
		{"by the digest in its name", sum + ".jpg", true},
		{"of another name", "picture.jpg", true},
		{"of another mode", "secret.jpg", false},
		{"that is a symbolic link", "link.jpg", false},
		{"that is not there", "lost.jpg", false},
		{"of another file system", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := filepath.Join(elsewhere, test.file)
			switch test.file {
			case "lost.jpg":
			case "link.jpg":
				if err := os.Symlink(sum+".jpg", source); err != nil {
					t.Fatal(err)
				}
			case "":
				source = filepath.Join(disk.Elsewhere(t), "a.jpg")
				disk.Write(t, filepath.Dir(source), "a.jpg", content)
			default:
				disk.Write(t, elsewhere, test.file, content)
			}
			if test.file == "secret.jpg" {
				if err := os.Chmod(source, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			dir := filepath.Join(t.TempDir(), "public")
			want, failures := disk.With(small, tree{"media/b.jpg": content}), 0
			if test.file == "lost.jpg" || test.file == "link.jpg" { // which may lead out of the archive
				want, failures = small, 1
			}
			for range 3 {
				result, err := output.Publish(t.Context(), dir, linked(source), output.Options{Jobs: 1})
				if err != nil {
					t.Fatal(err)
				}
				if len(result.Failed) != failures {
					t.Errorf("failed: %v", result.Failed)
				}
				checkContents(t, dir, want)
			}
			one, err1 := os.Stat(source)
			other, err2 := os.Stat(filepath.Join(dir, "media/b.jpg"))
			if same := err1 == nil && err2 == nil && os.SameFile(one, other); same != test.linked {
				t.Errorf("the same file: %t", same)
			}
			if err2 == nil && other.Mode().Perm() != 0o644 {
				t.Errorf("mode %o", other.Mode().Perm())
			}
		})
	}
}

// TestForeignFilesWhileVerified: what the owner does to the published tree while
// the next one is being looked at is kept, too.
func TestForeignFilesWhileVerified(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	disk.Write(t, dir, "CNAME", "a")
	disk.Write(t, dir, "goes/y", "y")
	next := disk.With(small, tree{"index.html": "next"})
	publish(t, dir, next, output.Options{Verify: func(string) error {
		if _, err := output.Publish(t.Context(), dir, files(small), output.Options{}); !errors.Is(err, swap.ErrLocked) {
			t.Errorf("another run: error %v", err)
		}
		disk.Write(t, dir, ".well-known/acme/t22", "token")
		return os.RemoveAll(filepath.Join(dir, "goes"))
	}})
	checkContents(t, dir, disk.With(next, tree{".well-known/acme/t22": "token", "CNAME": "a"}))
	if manifest := read(t, dir, "manifest.sha256"); strings.Contains(manifest, "CNAME") {
		t.Errorf("a foreign file is in the manifest:\n%s", manifest)
	}
}
