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
	"strconv"
	"strings"
	"unicode"

	"ayna/generator/release"
)

// A tree has two manifests. The visible one is for people and sha256sum -c. The
// hidden one also holds sizes and statuses.
const (
	visibleManifest = release.Identity
	hiddenManifest  = release.Reserved + "manifest"
)

const manifestHeader = "ayna manifest 2"

// ErrDamaged is returned for manifests that cannot be parsed or that differ from
// each other.
var ErrDamaged = errors.New("is damaged")

// entry is the state of a file in a manifest.
type entry struct {
	sum    [32]byte // SHA-256 of the bytes
	size   int64    // or unknownSize
	status status
}

func entryOf(content []byte, s status) entry {
	return entry{sha256.Sum256(content), int64(len(content)), s}
}

// unknownSize is the size of a distrusted file, which is always written again.
const unknownSize = -1

// status is the state of a published file.
type status byte

const (
	regular  status = '-'
	expired  status = 'l' // no longer part of the site; kept until the next build that changes something
	fallback status = 's' // a plainer file in place of one that cannot be rendered
)

// line is a line of a manifest.
type line struct {
	path string
	entry
}

func (l *line) appendHidden(b []byte) []byte {
	return fmt.Appendf(b, "%x %d %c %s\n", l.sum, l.size, l.status, l.path)
}

// appendVisible appends a line in the format of sha256sum.
func (l *line) appendVisible(b []byte) []byte { return fmt.Appendf(b, "%x  %s\n", l.sum, l.path) }

// parseLine reads a line of the hidden or the visible manifest.
func parseLine(text string, isHidden bool) (l line, err error) {
	l.size, l.status = unknownSize, regular
	sum, rest, ok := strings.Cut(text, " ")
	if isHidden {
		size, after, _ := strings.Cut(rest, " ")
		if l.size, err = strconv.ParseInt(size, 10, 64); err != nil || len(after) == 0 {
			return l, ErrDamaged
		}
		l.status, rest = status(after[0]), after[1:]
	}
	path, ok2 := strings.CutPrefix(rest, " ")
	if l.path = path; !ok || !ok2 || len(sum) != hex.EncodedLen(len(l.sum)) || !validPath(path) || !strings.ContainsRune("-ls", rune(l.status)) {
		return l, ErrDamaged
	}
	if _, err := hex.Decode(l.sum[:], []byte(sum)); err != nil {
		return l, ErrDamaged
	}
	return l, nil
}

// readManifest yields the lines of one of a tree's manifests, in the order of
// their paths; nothing if it does not exist.
func readManifest(tree *os.Root, name string) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		f, err := openRegular(tree, name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(line{}, fmt.Errorf("read the manifest: %w", err))
			return
		}
		defer f.Close()
		fail := func(err error) {
			yield(line{}, fmt.Errorf("read %s: %w; remove the file, and the next build writes the site again", f.Name(), err))
		}
		lines := bufio.NewScanner(f)
		number, isHidden := 1, name == hiddenManifest
		if isHidden {
			if lines.Scan(); lines.Text() != manifestHeader {
				fail(fmt.Errorf("%w: unknown format %.40q", ErrDamaged, lines.Text()))
				return
			}
			number++
		}
		for ; lines.Scan(); number++ {
			l, err := parseLine(lines.Text(), isHidden)
			if err != nil {
				fail(fmt.Errorf("line %d: %w", number, err))
				return
			}
			if !yield(l, nil) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			fail(err)
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
// no hidden or reserved name in it, and fits in a line of both manifests.
func validPath(path string) bool {
	return fs.ValidPath(path) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// isPage reports whether a file is a page that people read.
func isPage(path string) bool { return strings.HasSuffix(path, ".html") }

// Listed is a file of a published tree as its manifests list it.
type Listed struct {
	Path    string   // slash-separated, relative to the root of the tree
	Sum     [32]byte // SHA-256 of the bytes
	Size    int64    // in bytes, below 0 if it is unknown
	Expired bool     // no longer part of the site, and in the hidden manifest only
}

// Listing yields the files of an open published tree, sorted by path. It compares
// both manifests; the error is [ErrDamaged] if they differ.
func Listing(root *os.Root) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		if err := list(root, func(l Listed) bool { return yield(l, nil) }); err != nil {
			yield(Listed{}, fmt.Errorf("read the manifests of %s: %w", root.Name(), err))
		}
	}
}

func list(root *os.Root, yield func(Listed) bool) error {
	if _, err := root.Lstat(hiddenManifest); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: it is missing; build the site again", hiddenManifest, ErrDamaged)
	}
	visible, err := openRegular(root, visibleManifest)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", visibleManifest, ErrDamaged, err)
	}
	defer visible.Close()
	lines := bufio.NewScanner(visible)
	var scratch []byte
	for l, err := range readManifest(root, hiddenManifest) {
		if err != nil {
			return err
		}
		if l.status != expired {
			scratch = l.appendVisible(scratch[:0])
			if !lines.Scan() || !bytes.Equal(lines.Bytes(), bytes.TrimSuffix(scratch, []byte("\n"))) {
				return fmt.Errorf("%s %w: it differs from %s in %s", visibleManifest, ErrDamaged, hiddenManifest, l.path)
			}
		}
		if !yield(Listed{l.path, l.sum, l.size, l.status == expired}) {
			return nil
		}
	}
	if lines.Scan() {
		return fmt.Errorf("%s %w: it has more lines than %s", visibleManifest, ErrDamaged, hiddenManifest)
	}
	return lines.Err()
}
