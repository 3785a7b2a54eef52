package generator_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ayna/generator"
	"ayna/generator/output"
	"ayna/testrun"
)

// shards renders all shares of the site.
func (p *press) shards(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		o := p.options(func(*generator.Options) {})
		if _, err := generator.RenderShard(t.Context(), o, output.Shard{I: i, N: n}); err != nil {
			t.Fatal(err)
		}
	}
}

// Shards are merged to the site that the archive and the configuration make now,
// or not at all.
func TestShardsAreOfThePresentArchive(t *testing.T) {
	testrun.NotShort(t)
	t.Parallel()
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, p *press)
		want  error
	}{
		{"the same in another place, and requests a second, which no page shows", func(t *testing.T, p *press) {
			elsewhere := filepath.Join(p.dir, "elsewhere")
			if err := os.CopyFS(elsewhere, os.DirFS(filepath.Dir(p.config.Archive))); err != nil {
				t.Fatal(err)
			}
			p.config.Source.PerSecond = 3
			p.config.Archive = filepath.Join(elsewhere, filepath.Base(p.config.Archive))
		}, nil},
		{"a title, published since", func(t *testing.T, p *press) {
			p.config.Title = "Deneme"
			p.mustBuild(t, func(o *generator.Options) { o.Offline = true })
		}, output.ErrShards},
		{"a record", func(t *testing.T, p *press) {
			first, _ := twoArticles(t, p.config.Archive)
			amend(t, p.config.Archive, first, map[string]any{"Title": "Deneme"}, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		}, output.ErrShards},
		{"a record was forgotten", func(t *testing.T, p *press) {
			_, second := twoArticles(t, p.config.Archive)
			p.mustForget(t, second.Kind, second.ID)
			p.checkForgotten(t, second)
		}, output.ErrShards},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := newPress(t)
			p.mustBuild(t, func(*generator.Options) {})
			p.shards(t, 1)
			test.spoil(t, p)
			before := treeOf(t, p.config.Output)
			_, err := generator.Merge(t.Context(), p.options(func(*generator.Options) {}), 1)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if !maps.EqualFunc(before, treeOf(t, p.config.Output), bytes.Equal) {
				t.Error("another site is published")
			}
		})
	}
}

// What shards could not render is missing from the site that is made of them.
func TestIncompleteByShards(t *testing.T) {
	for missing, want := range []bool{false, true} {
		report := generator.Report{Files: &output.Result{InShards: missing}}
		if report.Incomplete() != want {
			t.Errorf("%d files are missing, incomplete: %t", missing, !want)
		}
	}
}
