package output

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ayna/generator/release"
)

// A tree has two manifests. The visible one is for people and sha256sum -c. The
// hidden one also holds sizes and marks, and exists only in a complete tree.
const (
	visibleManifest = release.Identity
	hiddenManifest  = release.Reserved + "manifest"
	// distrusted is the name of the hidden manifest in a tree whose files may
	// be damaged: it still lists which files are ours.
	distrusted = hiddenManifest + ".distrusted"
)

const manifestHeader = "ayna manifest 2"

// ErrDamaged is returned for manifests that cannot be read, or that contradict
// each other.
var ErrDamaged = errors.New("is damaged")

// entry is what a manifest holds of a file.
type entry struct {
	sum  [32]byte // SHA-256 of the bytes
	size int64    // unknownSize if the file is distrusted
	mark mark
}

// unknownSize is the size of a distrusted file: no bytes are equal to it.
const unknownSize = -1

// mark is the state of a published file.
type mark byte

const (
	regular   mark = '-'
	lingering mark = 'l' // no longer part of the site; it stays until the next build that changes something
	standIn   mark = 's' // a plainer file in place of one that cannot be rendered
)

// line is a line of the hidden manifest.
type line struct {
	path string
	entry
}

func appendHidden(b []byte, l *line) []byte {
	b = hex.AppendEncode(b, l.sum[:])
	b = append(b, ' ')
	b = strconv.AppendInt(b, l.size, 10)
	b = append(b, ' ', byte(l.mark), ' ')
	b = append(b, l.path...)
	return append(b, '\n')
}

// appendVisible appends a line in the format of sha256sum.
func appendVisible(b []byte, l *line) []byte {
	b = hex.AppendEncode(b, l.sum[:])
	b = append(b, "  "...)
	b = append(b, l.path...)
	return append(b, '\n')
}

func parseLine(text string) (l line, err error) {
	sum, rest, ok1 := strings.Cut(text, " ")
	size, rest, ok2 := strings.Cut(rest, " ")
	mark, path, ok3 := strings.Cut(rest, " ")
	if !ok1 || !ok2 || !ok3 || len(mark) != 1 || len(sum) != hex.EncodedLen(len(l.sum)) || !validPath(path) {
		return line{}, ErrDamaged
	}
	if _, err := hex.Decode(l.sum[:], []byte(sum)); err != nil {
		return line{}, ErrDamaged
	}
	if l.size, err = strconv.ParseInt(size, 10, 64); err != nil {
		return line{}, ErrDamaged
	}
	l.path = path
	l.mark = markOf(mark[0])
	return l, nil
}

func markOf(b byte) mark {
	if m := mark(b); m == lingering || m == standIn {
		return m
	}
	return regular
}

// readManifest yields the lines of a tree's hidden manifest, in the order of
// their paths; nothing if there is none. The files of a distrusted tree have
// unknown sizes.
func readManifest(root *os.Root) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		trusted := true
		f, err := openRegular(root, hiddenManifest)
		if errors.Is(err, fs.ErrNotExist) {
			trusted = false
			f, err = openRegular(root, distrusted)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(line{}, fmt.Errorf("read the manifest: %w", err))
			return
		}
		defer f.Close()
		fail := func(err error) {
			yield(line{}, fmt.Errorf("read %s: %w; remove the file to have the site written anew", f.Name(), err))
		}
		lines := bufio.NewScanner(f)
		if lines.Scan(); lines.Text() != manifestHeader {
			fail(fmt.Errorf("%w: unknown format %.40q", ErrDamaged, lines.Text()))
			return
		}
		for number := 2; lines.Scan(); number++ {
			l, err := parseLine(lines.Text())
			if err != nil {
				fail(fmt.Errorf("line %d: %w", number, err))
				return
			}
			if !trusted {
				l.size = unknownSize
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

// openRegular opens a file of a tree that is no link.
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

// validPath reports whether a file may have that path: inside the tree, no
// reserved name or dot file, and fit for a line of both manifests.
func validPath(path string) bool {
	begins := true // a name begins here, and must be neither empty nor have a dot there
	for i := range len(path) {
		switch c := path[i]; {
		case c >= utf8.RuneSelf:
			return validUnicode(path)
		case c < ' ' || c == 0x7f || c == '\\' || begins && (c == '/' || c == '.'):
			return false
		default:
			begins = c == '/'
		}
	}
	return !begins
}

// validUnicode is validPath for any path.
func validUnicode(path string) bool {
	return fs.ValidPath(path) && !strings.HasPrefix(path, ".") && !strings.Contains(path, "/.") &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '\\' || unicode.IsControl(r) })
}

// isPage reports whether a file is a page that people read.
func isPage(path string) bool { return strings.HasSuffix(path, ".html") }

// Listed is a file of a published tree as its manifests list it.
type Listed struct {
	Path    string   // slash-separated, relative to the root of the tree
	Sum     [32]byte // SHA-256 of the bytes
	Size    int64
	Lingers bool // no longer part of the site, and in the hidden manifest only
}

// Listing yields the files of the published tree at dir, in the order of their
// paths, and compares both manifests. The error is [ErrDamaged] if they are not
// of one tree.
func Listing(dir string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		if err := list(dir, func(l Listed) bool { return yield(l, nil) }); err != nil {
			yield(Listed{}, fmt.Errorf("read the manifests of %s: %w", dir, err))
		}
	}
}

func list(dir string, yield func(Listed) bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
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
	for l, err := range readManifest(root) {
		if err != nil {
			return err
		}
		if l.mark != lingering {
			scratch = appendVisible(scratch[:0], &l)
			if !lines.Scan() || !bytes.Equal(lines.Bytes(), bytes.TrimSuffix(scratch, []byte("\n"))) {
				return fmt.Errorf("%s %w: it differs from %s in %s", visibleManifest, ErrDamaged, hiddenManifest, l.path)
			}
		}
		if !yield(Listed{l.path, l.sum, l.size, l.mark == lingering}) {
			return nil
		}
	}
	if lines.Scan() {
		return fmt.Errorf("%s %w: it has more lines than %s", visibleManifest, ErrDamaged, hiddenManifest)
	}
	return lines.Err()
}

// Distrust makes the next build write every file of the tree at dir anew, also
// those whose bytes seem to be there.
func Distrust(dir string) error {
	p, err := release.Open(dir)
	if err != nil {
		return fmt.Errorf("distrust %s: %w", dir, err)
	}
	if err := errors.Join(distrust(p), p.Close()); err != nil {
		return fmt.Errorf("distrust %s: %w", dir, err)
	}
	return nil
}

func distrust(p *release.Place) error {
	if err := p.Hidden().Remove(stateName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	top, name := p.Top()
	err := top.Rename(name+"/"+hiddenManifest, name+"/"+distrusted)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
