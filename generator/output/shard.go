package output

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"path/filepath"

	"ayna/generator/release"
)

// Shard selects the files whose batch (or else path) hashes to I modulo N. The
// zero Shard selects all.
type Shard struct{ I, N int }

// String returns the shard in the form of the command line: "0/4".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

const (
	shardPrefix = "shard-"
	shardState  = release.Reserved + "state" // in a shard's tree; written when the shard is finished
)

// tree is the name of the shard's tree in the hidden directory.
func (s Shard) tree() string { return fmt.Sprintf("%s%d-of-%d", shardPrefix, s.I, s.N) }

// Has reports whether the shard has a file.
func (s Shard) Has(file File) bool {
	if s.N <= 1 {
		return true
	}
	sum := sha256.Sum256([]byte(cmp.Or(file.Batch, file.Path)))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.N) == uint64(s.I)
}

// state returns what the shard was made of; zero if it is not finished.
func (s Shard) state(p *release.Place) (made State, err error) {
	return made, readJSON(p, s.tree()+"/"+shardState, &made)
}

// writeShardState records that the shard is finished.
func (b *build) writeShardState() error {
	return putJSON(b.place, b.stageName()+"/"+shardState, b.state())
}

// ErrShards is returned if a shard is missing, unfinished or out of date.
var ErrShards = errors.New("the shards cannot be merged")

// Merge publishes the files of n shards as one site, as [Publish] would. All shards
// must be finished and have the Key of the options. It removes their trees
// afterwards.
func Merge(ctx context.Context, dir string, n int, options Options) (result Result, err error) {
	err = withPlace(release.Open, dir, "publish to", func(p *release.Place) error {
		result, err = merge(ctx, p, n, options)
		return err
	})
	return result, err
}

func merge(ctx context.Context, p *release.Place, n int, options Options) (Result, error) {
	failed := 0
	for i := range n {
		shard := Shard{i, n}
		s, err := shard.state(p)
		dir := filepath.Join(p.Hidden().Name(), shard.tree())
		switch {
		case err != nil:
			return Result{}, err
		case s == State{}:
			return Result{}, fmt.Errorf("%w: %s is missing or unfinished; render it with ayna shard %s", ErrShards, dir, shard)
		case s.Key != options.Key:
			return Result{}, fmt.Errorf("%w: %s was made from another state of the archive or configuration, or by another version of the program; render it again with ayna shard %s",
				ErrShards, dir, shard)
		}
		failed += s.Failed
	}
	options.Compress = nil // the compressed forms are among the shards' files
	result, err := publish(ctx, p, shardFiles(p, n), options, failed)
	if err != nil {
		return result, err
	}
	return result, discardShards(p, func(State) bool { return true })
}

// shardFiles yields the files of all shards.
func shardFiles(p *release.Place, n int) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for i := range n {
			tree, err := p.Hidden().OpenRoot(Shard{i, n}.tree())
			if err != nil {
				yield(File{}, err)
				return
			}
			defer tree.Close()
			for l, err := range readManifest(tree) {
				file := File{Path: l.Path, Link: filepath.Join(tree.Name(), filepath.FromSlash(l.Path)), known: &l.Sum}
				if !yield(file, err) || err != nil {
					return
				}
			}
		}
	}
}
