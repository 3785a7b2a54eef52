package output_test

import (
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"ayna/generator/output"
)

// TestBegin: what has begun keeps others out until it ends, however it ends,
// and what has been given up has changed nothing.
func TestBegin(t *testing.T) {
	next := with(small, tree{"index.html": "HOME"})
	broken := errors.New("the archive is gone")
	fails := func(yield func(output.File, error) bool) { yield(output.File{}, broken) }
	for _, test := range []struct {
		name string
		end  func(p *output.Publication) error
		want tree
		err  error
	}{
		{"published", func(p *output.Publication) error {
			_, err := p.Publish(t.Context(), next.files(nil), output.Options{Jobs: 2})
			return err
		}, next, nil},
		{"nothing to publish", func(p *output.Publication) error {
			_, err := p.Publish(t.Context(), small.files(nil), output.Options{Jobs: 2})
			return err
		}, small, nil},
		{"the files end with an error", func(p *output.Publication) error {
			_, err := p.Publish(t.Context(), fails, output.Options{Jobs: 2})
			return err
		}, small, broken},
		{"no shards to merge", func(p *output.Publication) error {
			_, err := p.Merge(t.Context(), 2, output.Key{}, output.Options{Jobs: 2})
			return err
		}, small, output.ErrShards},
		{"given up", (*output.Publication).Close, small, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			outer := t.TempDir()
			dir := filepath.Join(outer, "public")
			publish(t, dir, with(small, tree{"index.html": "before"}))
			publish(t, dir, small)
			age(t, outer)
			p, err := output.Begin(dir, output.Shard{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := output.Publish(t.Context(), dir, next.files(nil), output.Options{}); !errors.Is(err, output.ErrLocked) {
				t.Errorf("another run: error %v", err)
			}
			if err := test.end(p); !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
			if again := touched(t, outer); maps.Equal(test.want, small) && len(again) > 0 {
				t.Errorf("written: %v", again)
			}
			checkContents(t, dir, test.want)
			checkHidden(t, dir)

			if _, err := p.Publish(t.Context(), next.files(nil), output.Options{}); err == nil {
				t.Error("what has ended was published")
			}
			if err := p.Close(); err != nil {
				t.Errorf("closed again: %v", err)
			}
			publish(t, dir, next)
			checkContents(t, dir, next)
		})
	}
}

// TestBeginDamaged: a manifest that cannot be read is told when the site would
// be published, and keeps nobody out afterwards.
func TestBeginDamaged(t *testing.T) {
	for name, end := range map[string]func(p *output.Publication) error{
		"published": func(p *output.Publication) error {
			_, err := p.Publish(t.Context(), small.files(nil), output.Options{})
			if err == nil || !strings.Contains(err.Error(), "remove the file") {
				t.Errorf("error %v", err)
			}
			return nil
		},
		"given up": (*output.Publication).Close,
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			publish(t, dir, small)
			manifest := read(t, dir, ".ayna-manifest")
			write(t, dir, ".ayna-manifest", manifest+"x\n")
			p, err := output.Begin(dir, output.Shard{})
			if err != nil {
				t.Fatal(err)
			}
			if err := end(p); err != nil {
				t.Error(err)
			}
			write(t, dir, ".ayna-manifest", manifest)
			checkCounts(t, publish(t, dir, small), [4]int{0, 4, 0, 0})
		})
	}
}

// TestBeginShard: shards begin side by side, and beside nothing else.
func TestBeginShard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	var begun []*output.Publication
	for i := range 2 {
		p, err := output.Begin(dir, output.Shard{I: i, N: 2})
		if err != nil {
			t.Fatal(err)
		}
		begun = append(begun, p)
	}
	if _, err := output.Begin(dir, output.Shard{I: 1, N: 2}); !errors.Is(err, output.ErrLocked) {
		t.Errorf("the same shard: error %v", err)
	}
	if _, err := output.Begin(dir, output.Shard{}); !errors.Is(err, output.ErrLocked) {
		t.Errorf("the whole site: error %v", err)
	}
	for _, p := range begun {
		if _, err := p.Publish(t.Context(), small.files(nil), output.Options{Jobs: 1, State: output.Key{1}}); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := output.Begin(dir, output.Shard{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := whole.Merge(t.Context(), 2, output.Key{1}, output.Options{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	checkContents(t, dir, small)
}
