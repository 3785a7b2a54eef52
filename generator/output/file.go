// Package output writes a site's files into the published tree: it decides
// which of them are stale, renders those, and removes what an earlier build
// wrote and no longer belongs. It is the only place that writes there.
package output

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"iter"
)

// File is one file of the published tree, not rendered yet.
type File struct {
	Path  string // slash-separated, relative to the root of the tree
	Key   Key    // a file whose key has not changed is not rendered again
	Write func(ctx context.Context, w io.Writer) error
}

// Key is a digest of everything that a file's bytes depend on.
type Key [16]byte

// Digest builds a [Key]. Its parts are kept apart, so that no two sequences of
// parts give the same key.
type Digest struct{ parts *[]byte }

// NewDigest begins a key with a word that names what sort of file it is for.
func NewDigest(sort string) Digest {
	parts := make([]byte, 0, 512)
	d := Digest{&parts}
	return d.Text(sort)
}

// Text adds texts to the key.
func (d Digest) Text(parts ...string) Digest {
	for _, part := range parts {
		*d.parts = append(binary.AppendUvarint(*d.parts, uint64(len(part))), part...)
	}
	return d
}

// Number adds numbers to the key.
func (d Digest) Number(parts ...uint64) Digest {
	for _, part := range parts {
		*d.parts = binary.LittleEndian.AppendUint64(*d.parts, part)
	}
	return d
}

// Key returns the key of what was added.
func (d Digest) Key() Key {
	sum := sha256.Sum256(*d.parts)
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
