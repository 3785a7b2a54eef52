package output

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Shard is a share of a site's files, which share of them a file is in being
// told by its batch, or else its path, alone. The zero Shard is all of them.
type Shard struct {
	I, N int // the share of number I, from 0, of N
}

// String returns the shard as the flag -shard has it.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// name is that of the shard's tree in the hidden directory.
func (s Shard) name() string { return fmt.Sprintf("%s%d-of-%d", shardPrefix, s.I, s.N) }

func (s Shard) has(file File) bool {
	if s.N <= 1 {
		return true
	}
	sum := sha256.Sum256([]byte(cmp.Or(file.Batch, file.Path)))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.N) == uint64(s.I)
}

// finishShard completes the tree of a shard, and writes down what it was made
// of.
func (b *build) finishShard(ctx context.Context) error {
	if err := b.complete(ctx); err != nil {
		return err
	}
	return b.place.writeShardState(b.shard, b.state())
}

// ErrShards is returned if the trees of the shards do not make a site.
var ErrShards = errors.New("the shards do not fit together")

// Merge publishes the files of n shards as [Publish] would have published them
// all at once, with these options. They must all be there, and made is what their
// State must have been; that of the options may be another name of the same.
// Their trees go afterwards.
func Merge(ctx context.Context, dir string, n int, made Key, options Options) (Result, error) {
	p, err := Begin(dir, Shard{})
	if err != nil {
		return Result{}, err
	}
	return p.Merge(ctx, n, made, options)
}

func (b *build) merge(ctx context.Context, n int, made Key, options Options) (Result, error) {
	p := b.place
	states := make([]State, n)
	for i := range states {
		shard := Shard{i, n}
		s, err := p.shardState(shard)
		if err != nil {
			return Result{}, err
		}
		if s.Key != made {
			return Result{}, fmt.Errorf("%w: %s was made of another state of the archive or configuration, or by another program; make it again with -shard %s", ErrShards, filepath.Join(p.hidden.name, shard.name()), shard)
		}
		b.result.InShards += s.Failed
		states[i] = s
	}
	if options.State != made { // a run after this one, should it fail, knows them by that
		for i, s := range states {
			s.Key = options.State
			if err := p.writeShardState(Shard{i, n}, s); err != nil {
				return Result{}, err
			}
		}
	}
	options.Compress = nil // what is compressed is among the files
	result, err := b.publish(ctx, p.shardFiles(n), options)
	if err != nil {
		return result, err
	}
	return result, p.discardShards()
}

// writeShardState says that a shard is finished. It names the tree by its hidden
// manifest, which is not there from the moment at which a later run begins to
// change the tree, and another one if that run is interrupted.
func (p *place) writeShardState(s Shard, state State) error {
	tree, err := digest(p.hidden, s.name(), hiddenManifest)
	if err != nil {
		return err
	}
	return p.writeState(s.name()+".state", tree, state)
}

// shardState returns what a shard that is finished was made of.
func (p *place) shardState(s Shard) (State, error) {
	if !p.has(s.name()) {
		return State{}, fmt.Errorf("%w: %s is not there; build it with -shard %s", ErrShards, filepath.Join(p.hidden.name, s.name()), s)
	}
	tree, err := digest(p.hidden, s.name(), hiddenManifest)
	if err != nil {
		return State{}, err
	}
	state, known, err := p.stateOf(s.name()+".state", tree)
	if err != nil {
		return state, err
	}
	if !known {
		return state, fmt.Errorf("%w: %s is not finished; build it with -shard %s", ErrShards, filepath.Join(p.hidden.name, s.name()), s)
	}
	return state, nil
}

// shardFiles yields the files of all shards.
func (p *place) shardFiles(n int) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for i := range n {
			tree, err := p.hidden.child(Shard{i, n}.name())
			if err != nil {
				yield(File{}, err)
				return
			}
			goesOn := yieldTree(tree, yield)
			tree.close()
			if !goesOn {
				return
			}
		}
	}
}

// yieldTree yields the files of a tree as those of its manifest.
func yieldTree(tree *folder, yield func(File, error) bool) bool {
	for l, err := range readManifest(tree.root) {
		if err != nil {
			return yield(File{}, err) && false
		}
		name := filepath.Join(tree.name, filepath.FromSlash(l.path))
		file := File{Path: l.path, Key: l.key, Link: name, sum: &l.entry, Write: func(_ context.Context, w io.Writer) error {
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

// discardShards removes all that shards left.
func (p *place) discardShards() error {
	entries, err := p.hidden.list()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.name, shardPrefix) {
			if err := p.discard(e.name); err != nil {
				return err
			}
		}
	}
	return nil
}
