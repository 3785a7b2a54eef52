// Package output publishes a site's files. It renders every file, compares the
// bytes with those that are published, writes what differs into a stage, links
// the rest there, and has package release publish the stage. It is the only
// package that writes files of the published tree.
//
// [Publish] takes the files as a sequence of [File]. Begin reading with
// publish.go, which has the steps of a build. render.go gives the files to
// workers, worker.go renders and compares one, stage.go completes the stage.
package output

import (
	"context"
	"io"
	"iter"
)

// File is one file of the published tree. Write is called for every file of
// every build, so a published file cannot be stale.
type File struct {
	Path  string // slash-separated, relative to the root of the tree
	Write func(ctx context.Context, w io.Writer) error

	// Fallback writes a plainer file, published if Write fails and no earlier
	// version is published. It may be nil.
	Fallback func(ctx context.Context, w io.Writer) error

	// Link names an existing file, on this machine, to be published under Path:
	// it is linked, or copied where that is not possible. Write is nil then. If
	// its name without extension is the SHA-256 of the bytes in hexadecimal
	// digits, the bytes are not read.
	Link string

	// Batch is equal for consecutive files that one worker, and one shard,
	// renders together; "" for a file on its own.
	Batch string

	known *entry // of the bytes at Link, where a shard's manifest has it
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
