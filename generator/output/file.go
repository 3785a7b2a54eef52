// Package output publishes a site's files: a sequence of [File] goes into [Publish],
// the published tree and a [Result] come out. It renders the files whose keys changed,
// compares the bytes with the published ones, writes those that differ into a
// stage, links the rest, and publishes the stage with package swap. It is the
// only package that writes files of the published tree.
//
// Begin with publish.go, which has the steps of a build. render.go gives the files
// to workers, worker.go renders and compares one file, load.go reads the published manifest, keys.go its keys,
// apply.go publishes what differs, stage.go completes the stage where that is not possible.
package output

import (
	"context"
	"io"
	"iter"

	"ayna/generator/site"
)

// File is one file of the published tree.
type File struct {
	Path  string // slash-separated, relative to the root of the tree
	Write func(ctx context.Context, w io.Writer) error

	// Key returns a digest of all that Write depends on beside [Options.Program]. While it
	// stays the same, the published file is kept and Write is not called. If it is nil or
	// returns the zero Digest, Write is called in every build.
	Key func() site.Digest

	// Fallback writes a plainer file, published if Write fails and no earlier
	// version is published. It may be nil.
	Fallback func(ctx context.Context, w io.Writer) error

	// Link is the name of an existing file that is published under Path: linked,
	// or copied where links are not possible. Write is nil then. If its name
	// without extension is the SHA-256 of the bytes in hexadecimal digits, the
	// bytes are not read.
	Link string

	// Batch is equal for consecutive files, up to [maxBatch] of them, that the same worker
	// should render; "" for a file on its own.
	Batch string
}

// Join yields the files of one sequence after the other, once, up to the first error. It
// frees the memory of each when it is done.
func Join(sequences ...iter.Seq2[File, error]) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for i, sequence := range sequences {
			for file, err := range sequence {
				if !yield(file, err) || err != nil {
					return
				}
			}
			sequences[i] = nil
		}
	}
}
