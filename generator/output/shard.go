package output

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"ayna/generator/release"
)

// Shard selects the files whose batch (or else path) hashes to I modulo N. The
// zero Shard selects all.
type Shard struct{ I, N int }

// String returns the shard in the form of the command line: "0/4".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

const shardPrefix = "shard-"

// tree is the name of the shard's tree in the hidden directory.
func (s Shard) tree() string { return fmt.Sprintf("%s%d-of-%d", shardPrefix, s.I, s.N) }

func (s Shard) has(file File) bool {
	if s.N <= 1 {
		return true
	}
	sum := sha256.Sum256([]byte(cmp.Or(file.Batch, file.Path)))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.N) == uint64(s.I)
}

// finishShard completes the tree of a shard and writes its state.
func (b *build) finishShard(ctx context.Context) error {
	if err := b.complete(ctx); err != nil {
		return err
	}
	return writeShardState(b.place, b.options.Shard, b.state())
}

// ErrShards is returned if the trees of the shards do not make a site.
var ErrShards = errors.New("the shards do not fit together")

// Merge publishes the files of n shards as [Publish] would have published them
// all at once. All shards must exist, made with the State made; options.State
// may differ from it. The shards' trees are removed afterwards.
func Merge(ctx context.Context, dir string, n int, made string, options Options) (result Result, err error) {
	place, err := release.Open(dir)
	if err == nil {
		result, err = merge(ctx, place, n, made, options)
		err = errors.Join(err, place.Close())
	}
	if err != nil {
		return result, fmt.Errorf("publish to %s: %w", dir, err)
	}
	return result, nil
}

func merge(ctx context.Context, p *release.Place, n int, made string, options Options) (Result, error) {
	failed := 0
	states := make([]State, n)
	for i := range states {
		shard := Shard{i, n}
		s, err := shardState(p, shard)
		if err != nil {
			return Result{}, err
		}
		if s.Key != made {
			return Result{}, fmt.Errorf("%w: %s was made from another state of the archive or configuration, or by another program; make it again with -shard %s",
				ErrShards, filepath.Join(p.Hidden().Name(), shard.tree()), shard)
		}
		failed += s.Failed
		states[i] = s
	}
	if options.State != made { // a merge that is repeated compares with the new one
		for i, s := range states {
			s.Key = options.State
			if err := writeShardState(p, Shard{i, n}, s); err != nil {
				return Result{}, err
			}
		}
	}
	options.Compress = nil // the compressed forms are among the shards' files
	result, err := publish(ctx, p, shardFiles(p, n), options, failed)
	if err != nil {
		return result, err
	}
	return result, discardShards(p)
}

// writeShardState records that a shard is finished. The shard's tree is named by
// the digest of its hidden manifest, which is missing while the tree is made.
func writeShardState(p *release.Place, s Shard, state State) error {
	tree, err := release.Digest(p.Hidden(), s.tree(), hiddenManifest)
	if err != nil {
		return err
	}
	return writeState(p, s.tree()+".state", tree, state)
}

// shardState returns what a finished shard was made of.
func shardState(p *release.Place, s Shard) (State, error) {
	dir := filepath.Join(p.Hidden().Name(), s.tree())
	if !p.Has(s.tree()) {
		return State{}, fmt.Errorf("%w: %s is not there; build it with -shard %s", ErrShards, dir, s)
	}
	tree, err := release.Digest(p.Hidden(), s.tree(), hiddenManifest)
	if err != nil {
		return State{}, err
	}
	state, known, err := stateOf(p, s.tree()+".state", tree)
	if err == nil && !known {
		err = fmt.Errorf("%w: %s is not finished; build it with -shard %s", ErrShards, dir, s)
	}
	return state, err
}

// shardFiles yields the files of all shards.
func shardFiles(p *release.Place, n int) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for i := range n {
			tree, err := p.Hidden().Child(Shard{i, n}.tree())
			if err != nil {
				yield(File{}, err)
				return
			}
			goesOn := yieldTree(tree, yield)
			tree.Close()
			if !goesOn {
				return
			}
		}
	}
}

// yieldTree yields the files of a tree's manifest.
func yieldTree(tree *release.Dir, yield func(File, error) bool) bool {
	for l, err := range readManifest(tree.Root) {
		if err != nil {
			return yield(File{}, err) && false
		}
		name := filepath.Join(tree.Name(), filepath.FromSlash(l.path))
		file := File{Path: l.path, Link: name, known: &l.entry, Write: func(_ context.Context, w io.Writer) error {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.Copy(w, f)
			return err
		}}
		if !yield(file, nil) {
			return false
		}
	}
	return true
}

// discardShards removes the trees and states of shards.
func discardShards(p *release.Place) error {
	entries, err := fs.ReadDir(p.Hidden().FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), shardPrefix) {
			if err := p.Discard(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
