package output

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// The names under which a tree keeps what was written to it. The visible
// manifest is for people and sha256sum -c; the hidden one also holds the keys,
// and stands only in a tree that is whole.
const (
	visibleManifest = "manifest.sha256"
	hiddenManifest  = ".ayna-manifest"
	// dirtyManifest is what the hidden manifest was called in a published tree
	// that an earlier version of ayna, which wrote in place, had begun to
	// change. It tells which files are ours; none is trusted.
	dirtyManifest = ".ayna-manifest.dirty"
	// ours begins every name in a published tree that is neither the site's nor
	// its owner's.
	ours = ".ayna-"
)

const manifestHeader = "ayna manifest 1"

// line is what a hidden manifest says of a file.
type line struct {
	path string
	entry
}

// readManifest yields the lines of a tree's hidden manifest, in order. Where
// there is none, it yields those of an interrupted one, or nothing.
func readManifest(root *os.Root) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		name := hiddenManifest
		f, err := openRegular(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			name = dirtyManifest
			f, err = openRegular(root, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(line{}, fmt.Errorf("read the manifest: %w", err))
			return
		}
		defer f.Close()
		for l, err := range readLines(f, name == dirtyManifest) {
			if err != nil {
				err = fmt.Errorf("read %s: %w; remove the file to have the site written anew", f.Name(), err)
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// openRegular opens a file of the tree that is no link.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file; remove it", name)
	}
	return root.Open(name)
}

// readLines reads a manifest. One that was interrupted may be cut off
// anywhere, and is read as far as it makes sense.
func readLines(r io.Reader, interrupted bool) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, bufio.MaxScanTokenSize), bufio.MaxScanTokenSize)
		for number := 1; lines.Scan(); number++ {
			if number == 1 {
				if lines.Text() != manifestHeader {
					yield(line{}, fmt.Errorf("%w: unknown form %.40q", ErrDamaged, lines.Text()))
					return
				}
				continue
			}
			l, err := parseLine(lines.Bytes())
			switch {
			case err != nil && interrupted:
				continue
			case err != nil:
				err = fmt.Errorf("line %d: %w", number, err)
			case interrupted:
				l.entry = entry{size: unknownSize}
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(line{}, err)
		}
	}
}

// ErrDamaged is returned for manifests that cannot be read, or that say
// different things.
var ErrDamaged = errors.New("is damaged")

func parseLine(b []byte) (l line, err error) {
	key, b, ok1 := bytes.Cut(b, []byte(" "))
	sum, b, ok2 := bytes.Cut(b, []byte(" "))
	size, path, ok3 := bytes.Cut(b, []byte(" "))
	if l.path = string(path); !ok1 || !ok2 || !ok3 || len(key) != 2*len(l.key) || len(sum) != 2*len(l.sum) || !validPath(l.path) {
		return line{}, ErrDamaged
	}
	_, err1 := hex.Decode(l.key[:], key)
	_, err2 := hex.Decode(l.sum[:], sum)
	l.size, err = strconv.ParseInt(string(size), 10, 64)
	if err := errors.Join(err1, err2, err); err != nil {
		return l, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return l, nil
}

// hidden appends the line of the hidden manifest.
func (l line) hidden(b []byte) []byte {
	b = hex.AppendEncode(b, l.key[:])
	b = append(b, ' ')
	b = hex.AppendEncode(b, l.sum[:])
	b = append(b, ' ')
	b = strconv.AppendInt(b, l.size, 10)
	b = append(b, ' ')
	b = append(b, l.path...)
	return append(b, '\n')
}

// visible appends the line as sha256sum reads it.
func (l line) visible(b []byte) []byte {
	b = hex.AppendEncode(b, l.sum[:])
	b = append(b, "  "...)
	b = append(b, l.path...)
	return append(b, '\n')
}

// validPath reports whether a file may have that path: inside the tree, not one
// of the names that are ours or the owner's (dot files), and fit for a line of
// either manifest.
func validPath(path string) bool {
	return fs.ValidPath(path) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// isPage reports whether a file is a page that people read.
func isPage(path string) bool { return strings.HasSuffix(path, ".html") }
