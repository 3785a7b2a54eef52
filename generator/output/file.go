// Package output publishes a site's files: it decides which of them are stale,
// renders those into a work tree beside the published one, puts what has not
// changed there by links, and then exchanges the two in one step. It is the
// only place that writes there.
//
// Three trees take turns (docs/publishing.md). Beside the published tree, say
// public, stands .public.ayna with the two others, previous and work:
//
//   - [place] knows where they are, and brings order after a crash.
//   - [table] holds what is known of each file of the trees, by its path.
//   - [build] decides about each file, and renders and writes it.
//   - [fitting] makes the work tree what the next site is, by links, and lists it.
//   - [exchange] swaps two names in one step.
package output

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"iter"
	"sync"
)

// File is one file of the published tree, not rendered yet.
type File struct {
	Path  string // slash-separated, relative to the root of the tree
	Key   Key    // a file whose key has not changed is not rendered again
	Write func(ctx context.Context, w io.Writer) error

	// Fallback makes a plainer file to stand in where Write fails and no earlier
	// version is published. It may be nil.
	Fallback func(ctx context.Context, w io.Writer) error

	// Link names a file outside the tree that has the bytes already, if one
	// does: it is linked, and Write is called only where that is not possible.
	// A name that is the SHA-256 of the bytes in hexadecimal digits, before any
	// extension, saves reading them.
	Link string

	// Batch is the same for files that follow each other and are made together,
	// so that one worker makes them, and one process where several share the site;
	// "" for a file that is made alone.
	Batch string

	sum *entry // what is known of the bytes at Link
}

// Key is a digest of everything that a file's bytes depend on.
type Key [16]byte

// Digest builds a [Key]. Its parts are kept apart, so that no two sequences of
// parts give the same key. It is not to be used any more after its Key.
type Digest struct{ parts *[]byte }

// used are the buffers of digests that are used up: every file has at least one
// digest.
var used = sync.Pool{New: func() any { return new([]byte) }}

// NewDigest begins a key with a word that names what sort of file it is for.
func NewDigest(sort string) Digest {
	d := Digest{used.Get().(*[]byte)}
	*d.parts = (*d.parts)[:0]
	return d.Text(sort)
}

// Text adds texts to the key.
func (d Digest) Text(parts ...string) Digest {
	all := *d.parts
	for _, part := range parts {
		all = append(binary.AppendUvarint(all, uint64(len(part))), part...)
	}
	*d.parts = all
	return d
}

// Number adds numbers to the key.
func (d Digest) Number(parts ...uint64) Digest {
	all := *d.parts
	for _, part := range parts {
		all = binary.LittleEndian.AppendUint64(all, part)
	}
	*d.parts = all
	return d
}

// Key returns the key of what was added.
func (d Digest) Key() Key {
	sum := sha256.Sum256(*d.parts)
	used.Put(d.parts)
	return Key(sum[:16])
}

// Join yields the files of one sequence after the other, up to the first error.
func Join(sequences ...iter.Seq2[File, error]) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for _, sequence := range sequences {
			for file, err := range sequence {
				if !yield(file, err) || err != nil {
					return
				}
			}
		}
	}
}
