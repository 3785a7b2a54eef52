package output

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"
	"unicode"

	"ayna/generator/swap"
)

// manifestName is the file of a tree that lists the others, for builds and for
// sha256sum -c.
const manifestName = swap.Identity

// ErrDamaged is returned for a manifest that is missing or cannot be parsed.
var ErrDamaged = errors.New("is damaged")

// Listed is a file of a tree as the manifest lists it.
type Listed struct {
	Path    string   // slash-separated, relative to the root of the tree
	Sum     [32]byte // SHA-256 of the bytes
	Expired bool     // no longer part of the site; kept until the next build that changes something
}

// append appends a line of the manifest, as sha256sum writes it. Expired files have the
// mark of binary files, which makes no difference to sha256sum.
func (l Listed) append(b []byte) []byte {
	mark := byte(' ')
	if l.Expired {
		mark = '*'
	}
	b = append(hex.AppendEncode(b, l.Sum[:]), ' ', mark)
	return append(append(b, l.Path...), '\n')
}

// parse returns a line's file, whose path is in the texts.
func (t *texts) parse(line []byte) (l Listed, err error) {
	const mark = 2*sha256.Size + 1
	if len(line) > mark {
		_, _ = hex.Decode(l.Sum[:], line[:mark-1]) // compared below
		l.Path, l.Expired = t.add(line[mark+1:]), line[mark] == '*'
	}
	var room [256]byte
	if again := l.append(room[:0]); !validPath(l.Path) || !bytes.Equal(again[:len(again)-1], line) {
		return l, ErrDamaged
	}
	return l, nil
}

// texts makes strings, many of which share a block of memory.
type texts struct{ block strings.Builder }

func (t *texts) add(text []byte) string {
	if t.block.Cap()-t.block.Len() < len(text) {
		t.block = strings.Builder{}
		t.block.Grow(max(1<<14, len(text)))
	}
	at := t.block.Len()
	t.block.Write(text)
	return t.block.String()[at:]
}

// readManifest yields the lines of a tree's manifest, in the order of their paths;
// nothing if it does not exist. The error of a damaged line is [ErrDamaged]; the lines
// after it can still be read.
func readManifest(tree *os.Root) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		f, err := openRegular(tree, manifestName)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Listed{}, fmt.Errorf("read the manifest: %w", err))
			return
		}
		defer f.Close()
		lines, paths := bufio.NewScanner(f), new(texts)
		for number := 1; lines.Scan(); number++ {
			l, err := paths.parse(lines.Bytes())
			if err != nil {
				err = fmt.Errorf("read %s: line %d %w", f.Name(), number, err)
			}
			if !yield(l, err) {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(Listed{}, fmt.Errorf("read %s: it %w: %w", f.Name(), ErrDamaged, err))
		} else if err != nil {
			yield(Listed{}, fmt.Errorf("read %s: %w", f.Name(), err))
		}
	}
}

// openRegular opens a regular file of a tree, no link.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file; remove it", name)
	}
	return root.Open(name)
}

// validPath reports whether a file may have that path: it is inside the tree, has
// no hidden or reserved name in it, and fits in a line of the manifest.
func validPath(path string) bool {
	return fs.ValidPath(path) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// isPage reports whether a file is a page that people read.
func isPage(path string) bool { return strings.HasSuffix(path, ".html") }

// Listing yields the files of an open published tree, sorted by path. The error is
// [ErrDamaged] without a manifest, or with a damaged one.
func Listing(root *os.Root) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		if _, err := root.Lstat(manifestName); errors.Is(err, fs.ErrNotExist) {
			yield(Listed{}, fmt.Errorf("read %s: it %w: it is missing; build the site again", manifestName, ErrDamaged))
			return
		}
		for l, err := range readManifest(root) {
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}
