package output_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ayna/generator/output"
	"ayna/testrun/disk"
)

// shards renders all shards of a site at once, as processes would.
func shards(t testing.TB, dir string, tr tree, n int, options output.Options) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			o := options
			o.Shard = output.Shard{I: i, N: n}
			if _, err := output.Publish(t.Context(), dir, files(tr), o); err != nil {
				t.Errorf("shard %d of %d: %v", i, n, err)
			}
		})
	}
	all.Wait()
}

// TestShards: the shards together are what one build would be, byte for byte.
func TestShards(t *testing.T) {
	options := output.Options{Inputs: output.Inputs{Key: "1", Config: "2"}, Jobs: 2, Compress: []string{"gzip", "zstd"}, Expiring: "new/"}
	sites := []tree{numbered(1), numbered(2), numbered(2), numbered(3)}
	whole := filepath.Join(t.TempDir(), "public")
	places := map[int]string{1: "", 5: ""}
	for n := range places {
		places[n] = filepath.Join(t.TempDir(), "public")
	}
	for _, site := range sites {
		want, err := output.Publish(t.Context(), whole, files(site), options)
		if err != nil {
			t.Fatal(err)
		}
		for n, dir := range places {
			shards(t, dir, site, n, options)
			got, err := output.Merge(t.Context(), dir, n, options)
			if err != nil {
				t.Fatal(err)
			}
			if countsOf(got) != countsOf(want) {
				t.Errorf("%d shards: %+v, want %+v", n, countsOf(got), countsOf(want))
			}
			if !maps.Equal(contents(t, dir), contents(t, whole)) {
				t.Errorf("%d shards make another site", n)
			}
			if read(t, dir, "manifest.sha256") != read(t, whole, "manifest.sha256") {
				t.Errorf("%d shards make another manifest", n)
			}
			checkHidden(t, dir)
			if s, err := output.Published(dir); err != nil || s.Key != options.Key || s.Config != options.Config {
				t.Errorf("state %v, %v", s, err)
			}
		}
	}
}

// TestShardsKeepBatches: what is made together is made by one shard.
func TestShardsKeepBatches(t *testing.T) {
	const n, batches = 4, 20
	dir := filepath.Join(t.TempDir(), "public")
	made := make(map[string]int) // batch to the shard that made it, from 1
	together := make(map[int]bool)
	for i := range n {
		files := func(yield func(output.File, error) bool) {
			for file, err := range files(numbered(1)) {
				sum := sha256.Sum256([]byte(file.Path))
				batch := fmt.Sprint(sum[0] % batches)
				write := file.Write
				file.Batch = batch
				file.Write = func(ctx context.Context, w io.Writer) error {
					if made[batch] != 0 && made[batch] != i+1 {
						t.Errorf("shards %d and %d both make files of batch %s", made[batch]-1, i, batch)
					}
					made[batch], together[i] = i+1, true
					return write(ctx, w)
				}
				if !yield(file, err) {
					return
				}
			}
		}
		if _, err := output.Publish(t.Context(), dir, files, output.Options{Jobs: 1, Shard: output.Shard{I: i, N: n}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(made) < batches/2 || len(together) < 2 {
		t.Errorf("%d batches by %d shards", len(made), len(together))
	}
	result, err := output.Merge(t.Context(), dir, n, output.Options{Jobs: 1})
	if err != nil || result.Written != len(numbered(1)) {
		t.Errorf("%d files, %v; want %d", result.Written, err, len(numbered(1)))
	}
}

func TestShardsThatDoNotFit(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(t *testing.T, dir string)
		says  string
	}{
		{"none is there", func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "../.public.ayna/shard-2-of-4")); err != nil {
				t.Fatal(err)
			}
		}, "ayna shard 2/4"},
		{"one was interrupted", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "../.public.ayna/shard-3-of-4/.ayna-state")); err != nil {
				t.Fatal(err)
			}
		}, "ayna shard 3/4"},
		{"one was repeated and killed", func(t *testing.T, dir string) {
			killed(t, dir, numbered(2), output.Options{Inputs: output.Inputs{Key: "1"}, Shard: output.Shard{I: 3, N: 4}})
		}, "ayna shard 3/4"},
		{"one was repeated and interrupted", func(t *testing.T, dir string) {
			ctx, cancel := context.WithCancel(t.Context())
			o := output.Options{Inputs: output.Inputs{Key: "1"}, Shard: output.Shard{I: 3, N: 4}}
			_, err := output.Publish(ctx, dir, meanwhile(numbered(2), cancel), o)
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}, "ayna shard 3/4"},
		{"one is of another state", func(t *testing.T, dir string) {
			o := output.Options{Inputs: output.Inputs{Key: "9"}, Shard: output.Shard{I: 1, N: 4}}
			publish(t, dir, numbered(2), o)
		}, "1/4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "public")
			shards(t, dir, numbered(1), 4, output.Options{Inputs: output.Inputs{Key: "1"}})
			test.spoil(t, dir)
			_, err := output.Merge(t.Context(), dir, 4, output.Options{Inputs: output.Inputs{Key: "1"}})
			if !errors.Is(err, output.ErrShards) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// meanwhile is a site that does something when its third file is rendered.
func meanwhile(tr tree, do func()) iter.Seq2[output.File, error] {
	rendered := 0
	return func(yield func(output.File, error) bool) {
		for file, err := range files(tr) {
			write := file.Write
			file.Write = func(ctx context.Context, w io.Writer) error {
				if rendered++; rendered == 3 {
					do()
				}
				return errors.Join(ctx.Err(), write(ctx, w))
			}
			if !yield(file, err) {
				return
			}
		}
	}
}

// killed leaves a place as a process does that is killed in the middle of a
// build.
func killed(t *testing.T, dir string, tr tree, options output.Options) {
	t.Helper()
	outer, left := filepath.Dir(dir), filepath.Join(t.TempDir(), "left")
	_, err := output.Publish(t.Context(), dir, meanwhile(tr, func() {
		if err := os.CopyFS(left, os.DirFS(outer)); err != nil {
			t.Error(err)
		}
	}), options)
	if err := errors.Join(err, os.RemoveAll(outer), os.Rename(left, outer)); err != nil {
		t.Fatal(err)
	}
}

// TestMergeAfterRefusal: shards stay until they are published.
func TestMergeAfterRefusal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, pages(200))
	o := output.Options{Inputs: output.Inputs{Key: "1"}}
	shards(t, dir, pages(10), 2, o)
	if _, err := output.Merge(t.Context(), dir, 2, o); !errors.Is(err, output.ErrFewer) {
		t.Errorf("error %v", err)
	}
	o.Fewer = true
	if _, err := output.Merge(t.Context(), dir, 2, o); err != nil {
		t.Error(err)
	}
	checkContents(t, dir, pages(10))
	checkHidden(t, dir)
}

// TestFailingFileInShard: it is counted, and its published version stays.
func TestFailingFileInShard(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, small)
	next := disk.With(small, tree{"index.html": "!x", "new.html": "!y", "z.html": "z"})
	shards(t, dir, next, 3, output.Options{Inputs: output.Inputs{Key: "1"}})
	result, err := output.Merge(t.Context(), dir, 3, output.Options{Inputs: output.Inputs{Key: "1"}})
	if err != nil || result.InShards != 2 {
		t.Fatalf("result %+v, %v", result, err)
	}
	checkContents(t, dir, disk.With(small, tree{"z.html": "z"}))
	if s, err := output.Published(dir); err != nil || s.Failed != 2 {
		t.Errorf("state %v, %v", s, err)
	}
	checkCounts(t, publish(t, dir, disk.With(small, tree{"index.html": "home", "z.html": "z"})), counts{unchanged: 5})
}

// TestFailingFilesInShards: many files that failed keep a site from being
// published, whoever was to render them.
func TestFailingFilesInShards(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	publish(t, dir, pages(200))
	broken := pages(200)
	for i := range 11 {
		broken[fmt.Sprintf("a/%d.html", i)] = "?broken"
	}
	if _, err := output.Publish(t.Context(), dir, files(broken), output.Options{}); !errors.Is(err, output.ErrIncomplete) || !strings.Contains(err.Error(), "a/0.html") {
		t.Errorf("without shards: error %v", err)
	}
	shards(t, dir, broken, 3, output.Options{Inputs: output.Inputs{Key: "1"}})
	_, err := output.Merge(t.Context(), dir, 3, output.Options{Inputs: output.Inputs{Key: "1"}})
	if !errors.Is(err, output.ErrIncomplete) || !strings.Contains(err.Error(), "11 files") {
		t.Errorf("error %v", err)
	}
	checkContents(t, dir, pages(200))
}
