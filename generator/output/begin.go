package output

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Publication is a publishing that has begun: its place is locked, and what is
// published there is being read. It ends with Publish or Close, and belongs to
// one goroutine.
type Publication struct {
	dir    string
	place  *place
	build  *build // nil once it has ended
	loaded chan error
}

var errEnded = errors.New("it has been published or given up before")

// Begin is the first half of [Publish]: while the files are still being thought
// out, it reads what is published at dir. shard is that of the options. Until
// Publish or Close has returned, other runs get [ErrLocked].
func Begin(dir string, shard Shard) (*Publication, error) {
	open := openPlace
	if shard.N > 0 {
		open = sharePlace
	}
	place, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("publish to %s: %w", dir, err)
	}
	b, err := place.newBuild(shard)
	if err != nil {
		return nil, fmt.Errorf("publish to %s: %w", dir, errors.Join(err, place.close()))
	}
	p := &Publication{dir: dir, place: place, build: b, loaded: make(chan error, 1)}
	go func() { p.loaded <- b.load() }()
	return p, nil
}

// Publish is the second half of [Publish].
func (p *Publication) Publish(ctx context.Context, files iter.Seq2[File, error], options Options) (Result, error) {
	return p.finish(func(b *build) (Result, error) { return b.publish(ctx, files, options) })
}

// Merge is [Merge] of what has begun.
func (p *Publication) Merge(ctx context.Context, n int, made Key, options Options) (Result, error) {
	return p.finish(func(b *build) (Result, error) { return b.merge(ctx, n, made, options) })
}

func (p *Publication) finish(do func(*build) (Result, error)) (result Result, err error) {
	if p.build == nil {
		return Result{}, fmt.Errorf("publish to %s: %w", p.dir, errEnded)
	}
	if err = <-p.loaded; err == nil {
		result, err = do(p.build)
	}
	if err := errors.Join(err, p.end()); err != nil {
		return result, fmt.Errorf("publish to %s: %w", p.dir, err)
	}
	return result, nil
}

// Close gives up a publication that has not been published: nothing becomes of
// it. Else it does nothing.
func (p *Publication) Close() error {
	if p.build == nil {
		return nil
	}
	<-p.loaded // what it has read, it may still be using
	if err := p.end(); err != nil {
		return fmt.Errorf("give up publishing to %s: %w", p.dir, err)
	}
	return nil
}

func (p *Publication) end() error {
	p.build.close()
	p.build = nil
	return p.place.close()
}
