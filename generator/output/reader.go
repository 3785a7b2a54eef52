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
)

// ErrDamaged is returned for manifests that cannot be read, or that say
// different things.
var ErrDamaged = errors.New("is damaged")

// reader reads a tree's hidden manifest. Where there is none, it reads an
// interrupted one, or nothing.
type reader struct {
	f           *os.File // nil if there is none
	interrupted bool     // it may be cut off anywhere, and is read as far as it makes sense
	lines       *bufio.Scanner
	number      int

	raw  []byte // the present line, good until the next
	rest []byte // its digests and size
	path []byte
}

func openManifest(root *os.Root) (*reader, error) {
	r := &reader{}
	var err error
	r.f, err = openRegular(root, hiddenManifest)
	if errors.Is(err, fs.ErrNotExist) {
		r.interrupted = true
		r.f, err = openRegular(root, dirtyManifest)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &reader{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	r.lines = linesOf(r.f)
	return r, nil
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

func linesOf(r io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, bufio.MaxScanTokenSize), bufio.MaxScanTokenSize)
	return lines
}

func (r *reader) close() {
	if r.f != nil {
		r.f.Close()
	}
}

// next goes on to the next line, and reports whether there is one. It looks at
// the path only.
func (r *reader) next() (bool, error) {
	if r.f == nil {
		return false, nil
	}
	for r.lines.Scan() {
		r.number++
		r.raw = r.lines.Bytes()
		if r.number == 1 {
			if string(r.raw) != manifestHeader {
				return false, r.spoilt(fmt.Errorf("%w: unknown form %.40q", ErrDamaged, r.raw))
			}
			continue
		}
		whole := r.split()
		if whole && r.interrupted {
			_, err := r.digests()
			whole = err == nil
		}
		switch {
		case whole:
			return true, nil
		case !r.interrupted:
			return false, r.spoilt(fmt.Errorf("line %d: %w", r.number, ErrDamaged))
		}
	}
	if err := r.lines.Err(); err != nil {
		return false, r.spoilt(err)
	}
	return false, nil
}

func (r *reader) spoilt(err error) error {
	return fmt.Errorf("read %s: %w; remove the file to have the site written anew", r.f.Name(), err)
}

// The digits of a line's digests, and where its size begins.
const (
	keyDigits = 2 * len(Key{})
	sumDigits = 2 * len(entry{}.sum)
	sizeAt    = keyDigits + 1 + sumDigits + 1
)

// split finds the path in the line.
func (r *reader) split() bool {
	b := r.raw
	if len(b) < sizeAt || b[keyDigits] != ' ' || b[sizeAt-1] != ' ' {
		return false
	}
	length := bytes.IndexByte(b[sizeAt:], ' ')
	if length < 0 {
		return false
	}
	r.rest, r.path = b[:sizeAt+length], b[sizeAt+length+1:]
	return validPath(r.path)
}

// entry returns what the line says of the path.
func (r *reader) entry() (entry, error) {
	if r.interrupted {
		return entry{size: unknownSize}, nil
	}
	e, err := r.digests()
	if err != nil {
		return e, r.spoilt(fmt.Errorf("line %d: %w: %w", r.number, ErrDamaged, err))
	}
	return e, nil
}

func (r *reader) digests() (e entry, err error) {
	if _, err := hex.Decode(e.key[:], r.rest[:keyDigits]); err != nil {
		return e, err
	}
	if _, err := hex.Decode(e.sum[:], r.rest[keyDigits+1:sizeAt-1]); err != nil {
		return e, err
	}
	e.size, err = strconv.ParseInt(string(r.rest[sizeAt:]), 10, 64)
	return e, err
}

// readManifest yields the lines of a tree's hidden manifest, in order. Where
// there is none, it yields those of an interrupted one, or nothing.
func readManifest(root *os.Root) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		r, err := openManifest(root)
		if err != nil {
			yield(line{}, err)
			return
		}
		defer r.close()
		for {
			more, err := r.next()
			if !more && err == nil {
				return
			}
			l := line{path: string(r.path)}
			if err == nil {
				l.entry, err = r.entry()
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}
